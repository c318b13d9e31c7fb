package aftersale

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
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

const columns = "r.id, r.order_id, r.user_id, COALESCE(r.aftersale_sn, '') AS aftersale_sn, r.type, r.reason, " +
	"r.comment, r.amount, COALESCE(r.pictures, '[]') AS pictures, r.status, r.handle_time, r.add_time, r.update_time, " +
	"r.version"

// asCase is the case that a row holds.
func (r row) asCase() (Case, error) {
	c := Case{
		ID: r.ID, OrderID: r.OrderID, UserID: r.UserID, SN: r.AftersaleSN, Type: r.Type, Reason: r.Reason,
		Comment: r.Comment, Amount: r.Amount, Status: r.Status, HandleTime: r.HandleTime.Time, AddTime: r.AddTime,
		UpdateTime: r.UpdateTime, version: r.Version,
	}
	if err := json.Unmarshal([]byte(r.Pictures), &c.Pictures); err != nil {
		return Case{}, fmt.Errorf("pictures of case %d: %w", r.ID, err)
	}
	return c, nil
}

func one(query *gorm.DB) (Case, bool, error) {
	var found []row
	if err := query.Scan(&found).Error; err != nil || len(found) == 0 {
		return Case{}, false, err
	}
	c, err := found[0].asCase()
	return c, err == nil, err
}

func byID(ctx context.Context, q db.Querier, id int64) (Case, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM aftersale r WHERE r.id = ? AND r.deleted = 0", id))
}

// liveOf finds the case of an order; there is one at most, and the newest counts in data taken over from elsewhere.
func liveOf(ctx context.Context, q db.Querier, order int64) (Case, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM aftersale r WHERE r.order_id = ? AND r.deleted = 0 "+
		"ORDER BY r.id DESC LIMIT 1", order))
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

// ofAll is the list of all cases that a filter chooses.
func ofAll(f Filter) *listing.Query {
	l := listing.Of("aftersale", columns).Timed("ix_as_list")
	if f.OrderID != 0 {
		l.Is("order_id", f.OrderID)
	}
	if f.SN != "" {
		l.Is("aftersale_sn", f.SN)
	}
	if f.Status != nil {
		l.Among("status", "ix_as_status", int(*f.Status))
	}
	return l
}

// ofShopper is the list of the shopper's cases, in one state or, for nil, in all.
func ofShopper(shopper int64, in *Status) *listing.Query {
	l := listing.Of("aftersale", columns).Is("user_id", shopper)
	if in != nil {
		l.Is("status", int(*in))
	}
	return l
}

// fetch reads a page of a list of cases.
func fetch(ctx context.Context, q db.Querier, l *listing.Query, w page.Query) (page.List[Case], error) {
	found, err := listing.Fetch[row](ctx, q, l, w)
	if err != nil {
		return page.List[Case]{}, err
	}
	return page.Turn(found, row.asCase)
}

// PictureLists returns the lists of pictures of the cases that shoppers have opened since a moment, as they are stored.
func PictureLists(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) (lists []string, err error) {
	err = q.G(ctx).Raw("SELECT pictures FROM aftersale WHERE user_id IN ? AND add_time >= ? AND pictures IS NOT NULL",
		shoppers, since).Scan(&lists).Error
	if err != nil {
		return nil, fmt.Errorf("read pictures of cases: %w", err)
	}
	return lists, nil
}
