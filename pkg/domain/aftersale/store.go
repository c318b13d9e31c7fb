package aftersale

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
)

type row struct {
	ID, OrderID, UserID int64
	AftersaleSN         string `gorm:"column:aftersale_sn"`
	Type                Type
	Reason, Comment     string
	Amount              money.Amount
	Pictures            string
	Status              Status
	HandleTime          sql.NullTime
	AddTime, UpdateTime time.Time
	Version             int
}

const columns = "c.id, c.order_id, c.user_id, COALESCE(c.aftersale_sn, '') AS aftersale_sn, c.type, c.reason, " +
	"c.comment, c.amount, COALESCE(c.pictures, '[]') AS pictures, c.status, c.handle_time, c.add_time, c.update_time, " +
	"c.version"

func cases(query *gorm.DB) ([]Case, error) {
	var rows []row
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Case, len(rows))
	for i, r := range rows {
		all[i] = Case{
			ID: r.ID, OrderID: r.OrderID, UserID: r.UserID, SN: r.AftersaleSN, Type: r.Type, Reason: r.Reason,
			Comment: r.Comment, Amount: r.Amount, Status: r.Status, HandleTime: r.HandleTime.Time, AddTime: r.AddTime,
			UpdateTime: r.UpdateTime, version: r.Version,
		}
		if err := json.Unmarshal([]byte(r.Pictures), &all[i].Pictures); err != nil {
			return nil, fmt.Errorf("pictures of case %d: %w", r.ID, err)
		}
	}
	return all, nil
}

func one(query *gorm.DB) (Case, bool, error) {
	found, err := cases(query)
	if err != nil || len(found) == 0 {
		return Case{}, false, err
	}
	return found[0], true, nil
}

func byID(ctx context.Context, q db.Querier, id int64) (Case, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM aftersale c WHERE c.id = ? AND c.deleted = 0", id))
}

// liveOf finds the case of an order; there is one at most, and the newest counts in data taken over from elsewhere.
func liveOf(ctx context.Context, q db.Querier, order int64) (Case, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM aftersale c WHERE c.order_id = ? AND c.deleted = 0 "+
		"ORDER BY c.id DESC LIMIT 1", order))
}

// openMark is what open_mark holds: 0 for the one case of an order that is open, else the id.
const openMark = "IF(status IN (1, 2) AND deleted = 0, 0, id)"

func insert(ctx context.Context, tx *db.Tx, c Case, now time.Time) (int64, error) {
	pictures, err := json.Marshal(append([]string{}, c.Pictures...))
	if err != nil {
		return 0, fmt.Errorf("encode the pictures: %w", err)
	}
	return db.Insert(ctx, tx, "INSERT INTO aftersale (aftersale_sn, order_id, user_id, type, reason, comment, amount, "+
		"pictures, status, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		c.SN, c.OrderID, c.UserID, c.Type, c.Reason, c.Comment, c.Amount, string(pictures), c.Status, now, now)
}

// move writes a state, and who has acted where that is an operator, if the case is still as it was read.
func move(ctx context.Context, tx *db.Tx, c Case, to Status, operator int64, now time.Time) (bool, error) {
	set, args := "", []any{}
	if operator != 0 || to == Refunded {
		set, args = ", handle_time = ?", append(args, now)
	}
	if operator != 0 {
		set, args = set+", handler_id = ?", append(args, operator)
	}
	res := tx.G(ctx).Exec("UPDATE aftersale SET status = ?, open_mark = "+openMark+", version = version + 1, "+
		"update_time = ?"+set+" WHERE id = ? AND status = ? AND version = ? AND deleted = 0",
		append(append([]any{to, now}, args...), c.ID, c.Status, c.version)...)
	return res.RowsAffected == 1, res.Error
}

// retire deletes a case that a new one takes the place of.
func retire(ctx context.Context, tx *db.Tx, c Case, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE aftersale SET deleted = 1, open_mark = id, version = version + 1, update_time = ? "+
		"WHERE id = ? AND status = ? AND version = ? AND deleted = 0", now, c.ID, c.Status, c.version)
	return res.RowsAffected == 1, res.Error
}

func countCases(ctx context.Context, q db.Querier, cond string, args []any) (n int64, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM aftersale WHERE "+cond, args...).Scan(&n).Error
	return n, err
}

// sorts maps the sort words of lists to columns.
var sorts = map[string]string{"add_time": "add_time", "id": "id"}

// pageOf finds the ids of a page in an index, then reads these rows alone.
func pageOf(ctx context.Context, q db.Querier, cond string, args []any, p page.Query) ([]Case, error) {
	by := sorts[p.Sort] + " " + p.Direction() + ", id " + p.Direction()
	outer := "c." + sorts[p.Sort] + " " + p.Direction() + ", c.id " + p.Direction()
	return cases(q.G(ctx).Raw("SELECT "+columns+" FROM (SELECT id FROM aftersale WHERE "+cond+" ORDER BY "+by+
		" LIMIT ? OFFSET ?) w JOIN aftersale c ON c.id = w.id ORDER BY "+outer, append(args, p.Limit, p.Offset())...))
}
