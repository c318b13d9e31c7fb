package promotion

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

func lockRule(ctx context.Context, tx *db.Tx, id int64) (GroupRule, bool, error) {
	return oneRule(tx.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules r WHERE r.id = ? AND r.deleted = 0 "+
		"FOR UPDATE", id))
}

// updateRule writes all that an operator may change of an offer, which must be locked.
func updateRule(ctx context.Context, tx *db.Tx, r GroupRule, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE groupon_rules SET goods_id = ?, goods_name = ?, pic_url = ?, discount = ?, "+
		"discount_member = ?, expire_time = ?, version = version + 1, update_time = ? WHERE id = ? AND deleted = 0",
		r.GoodsID, r.GoodsName, r.PicURL, r.Discount, r.Members, r.ExpireTime, now, r.ID).Error
}

func deleteRule(ctx context.Context, tx *db.Tx, id int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE groupon_rules SET deleted = 1, active_mark = id, version = version + 1, "+
		"update_time = ? WHERE id = ? AND deleted = 0", now, id).Error
}

// hasGroups reports whether anybody has ever ordered under an offer.
func hasGroups(ctx context.Context, q db.Querier, rule int64) (bool, error) {
	var found []int64
	err := q.G(ctx).Raw("SELECT id FROM groupon WHERE rules_id = ? LIMIT 1", rule).Scan(&found).Error
	return len(found) > 0, err
}

// runningGroups returns the groups of an offer that gather members and have at least so many joiners, paid or not, by
// id.
func runningGroups(ctx context.Context, q db.Querier, rule int64, joiners int) ([]int64, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT id FROM groupon WHERE rules_id = ? AND groupon_id IS NULL AND status = ? AND deleted = 0 "+
		"AND member_count >= ? ORDER BY id", rule, PartRunning, joiners).Scan(&ids).Error
	return ids, err
}

func listRules(ctx context.Context, q db.Querier, goods *int64, w page.Query) (page.List[ruleRow], error) {
	return listing.Fetch[ruleRow](ctx, q, listing.Of("groupon_rules", ruleColumns).ID("goods_id", goods), w)
}

// listGroups lists the groups of an offer, or all, that are past waiting for the opener's money.
func listGroups(ctx context.Context, q db.Querier, rule *int64, w page.Query) (page.List[partRow], error) {
	l := listing.Of("groupon", aliased(partColumns, "g", "r")).Timed("ix_groupon_list").
		Within("groups", "i.groupon_id IS NULL AND i.status <> 0").ID("rules_id", rule)
	return listing.Fetch[partRow](ctx, q, l, w)
}

// joinersEver returns who has joined groups and paid, also those who have left, the newest first.
func joinersEver(ctx context.Context, q db.Querier, groups []int64) ([]Member, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	return parts(q.G(ctx).Raw("SELECT "+partColumns+" FROM groupon g WHERE g.groupon_id IN ? AND g.status <> 0 "+
		"AND g.deleted = 0 ORDER BY g.add_time DESC, g.id DESC", groups))
}
