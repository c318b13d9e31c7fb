package promotion

import (
	"context"
	"database/sql"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
)

type partRow struct {
	ID, OrderID, GrouponID, RulesID, UserID, CreatorUserID int64
	CreatorUserTime                                        sql.NullTime
	ShareURL                                               string `gorm:"column:share_url"`
	Status                                                 PartStatus
	MemberCount                                            int
	ActiveMark                                             int64
	AddTime, UpdateTime                                    time.Time
}

func (r partRow) part() Member {
	return Member{
		ID: r.ID, OrderID: r.OrderID, Joined: r.GrouponID, RuleID: r.RulesID, UserID: r.UserID,
		OpenerID: r.CreatorUserID, OpenedAt: r.CreatorUserTime.Time, ShareURL: r.ShareURL, Status: r.Status,
		AddTime: r.AddTime, Update: r.UpdateTime, seats: r.MemberCount, held: r.ActiveMark == 0,
	}
}

const partColumns = "g.id, g.order_id, COALESCE(g.groupon_id, 0) AS groupon_id, g.rules_id, g.user_id, " +
	"g.creator_user_id, g.creator_user_time, COALESCE(g.share_url, '') AS share_url, g.status, g.member_count, " +
	"g.active_mark, g.add_time, g.update_time"

func parts(query *gorm.DB) ([]Member, error) {
	var rows []partRow
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Member, len(rows))
	for i, r := range rows {
		all[i] = r.part()
	}
	return all, nil
}

func onePart(query *gorm.DB) (Member, bool, error) {
	found, err := parts(query)
	if err != nil || len(found) == 0 {
		return Member{}, false, err
	}
	return found[0], true, nil
}

func partByID(ctx context.Context, q db.Querier, id int64) (Member, bool, error) {
	return onePart(q.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.id = ? AND g.deleted = 0", id))
}

func partOf(ctx context.Context, q db.Querier, order int64) (Member, bool, error) {
	return onePart(q.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.order_id = ? AND g.deleted = 0", order))
}

func lockPart(ctx context.Context, tx *db.Tx, id int64) (Member, bool, error) {
	return onePart(tx.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.id = ? AND g.deleted = 0 FOR UPDATE", id))
}

// openParts returns the opener's part first, since ids rise.
func openParts(ctx context.Context, q db.Querier, group int64) ([]Member, error) {
	const open = " AND g.status IN (0, 1) AND g.deleted = 0"
	return parts(q.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.id = ?"+open+" UNION ALL SELECT "+
		partColumns+" FROM groupon g WHERE g.groupon_id = ?"+open+" ORDER BY id", group, group))
}

func isMember(ctx context.Context, q db.Querier, group, shopper int64) (bool, error) {
	var n int
	err := q.G(ctx).Raw("SELECT COUNT(*) FROM groupon WHERE groupon_id = ? AND user_id = ? AND status IN (0, 1, 2) "+
		"AND deleted = 0", group, shopper).Scan(&n).Error
	return n > 0, err
}

func insertPart(ctx context.Context, tx *db.Tx, p Member, now time.Time) (int64, error) {
	return db.Insert(ctx, tx, "INSERT INTO groupon (order_id, groupon_id, rules_id, user_id, creator_user_id, "+
		"creator_user_time, status, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)",
		p.OrderID, sql.NullInt64{Int64: p.Joined, Valid: p.Joined != 0}, p.RuleID, p.UserID, p.OpenerID,
		nullTime(p.OpenedAt), now, now)
}

// takeSeat counts a joiner, if fewer than most hold a place of a running group.
func takeSeat(ctx context.Context, tx *db.Tx, group int64, most int, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE groupon SET member_count = member_count + 1, version = version + 1, update_time = ? "+
		"WHERE id = ? AND status = 1 AND member_count < ?", now, group, most)
	return res.RowsAffected == 1, res.Error
}

// freeSeats gives n places back.
func freeSeats(ctx context.Context, tx *db.Tx, group int64, n int, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE groupon SET member_count = member_count - ?, version = version + 1, update_time = ? "+
		"WHERE id = ? AND member_count >= ?", n, now, group, n)
	return res.RowsAffected == 1, res.Error
}

// moveParts writes a state and reports whether all parts were in the one before; a failed part holds no place.
func moveParts(
	ctx context.Context, tx *db.Tx, ids []int64, from, to PartStatus, now time.Time,
) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE groupon SET status = ?, active_mark = IF(? = 3, id, active_mark), "+
		"version = version + 1, update_time = ? WHERE id IN ? AND status = ?", to, to, now, ids, from)
	return res.RowsAffected == int64(len(ids)), res.Error
}

func dropPlace(ctx context.Context, tx *db.Tx, part int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE groupon SET active_mark = id, version = version + 1, update_time = ? WHERE id = ? "+
		"AND active_mark = 0", now, part).Error
}

// lostGroups finds the open groups, which are few however many have been, and looks at their offers.
func lostGroups(ctx context.Context, q db.Querier, rule int64, ready clause.Expr, limit int) ([]int64, error) {
	cond, args := "", []any{ready}
	if rule != 0 {
		cond, args = " AND g.rules_id = ?", append(args, rule)
	}
	var ids []int64
	err := q.G(ctx).Raw("SELECT g.id FROM groupon g JOIN groupon_rules r ON r.id = g.rules_id "+
		"WHERE g.groupon_id IS NULL AND g.status IN (0, 1) AND g.deleted = 0 AND (r.status <> 0 OR r.deleted = 1) "+
		"AND ?"+
		cond+" ORDER BY g.id LIMIT ?", append(args, limit)...).Scan(&ids).Error
	return ids, err
}

func ownPart(ctx context.Context, q db.Querier, shopper, group int64) (Member, bool, error) {
	return onePart(q.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.id = ? AND g.user_id = ? "+
		"AND g.deleted = 0 UNION ALL SELECT "+partColumns+" FROM groupon g WHERE g.groupon_id = ? AND "+
		"g.user_id = ? AND g.deleted = 0 ORDER BY active_mark = 0 DESC, id DESC LIMIT 1", group, shopper, group, shopper))
}

func partsOf(ctx context.Context, q db.Querier, shopper int64, joined bool, limit int) ([]Member, error) {
	which := "g.groupon_id IS NULL"
	if joined {
		which = "g.groupon_id IS NOT NULL"
	}
	return parts(q.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.user_id = ? AND "+which+
		" AND g.status <> 0 AND g.deleted = 0 ORDER BY g.add_time DESC, g.id DESC LIMIT ?", shopper, limit))
}

func joinersOf(ctx context.Context, q db.Querier, groups []int64) ([]Member, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	return parts(q.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.groupon_id IN ? AND g.status IN (1, 2) "+
		"AND g.deleted = 0 ORDER BY g.add_time, g.id", groups))
}

func setShareURL(ctx context.Context, tx *db.Tx, group int64, from, to string) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE groupon SET share_url = ? WHERE id = ? AND COALESCE(share_url, '') = ? "+
		"AND deleted = 0", to, group, from)
	return res.RowsAffected == 1, res.Error
}
