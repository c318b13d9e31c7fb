package promotion

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

// sorts maps the sort words of this area's lists to columns.
var sorts = map[string]string{"add_time": "add_time", "id": "id"}

func order(alias string, q page.Query) string {
	return alias + "." + sorts[q.Sort] + " " + q.Direction() + ", " + alias + ".id " + q.Direction()
}

const couponColumns = "c.id, c.name, c.description, c.tag, c.total, c.received, c.discount, c.min_amount, " +
	"c.per_user_limit, c.type, c.status, c.goods_type, COALESCE(c.goods_value, '[]') AS goods_value, " +
	"COALESCE(c.code, '') AS code, c.time_type, c.days, c.start_time, c.end_time, c.add_time, c.update_time"

type couponRow struct {
	ID                     int64
	Name, Description, Tag string
	Total, Received        int
	Discount, MinAmount    money.Amount
	PerUserLimit           int
	Type                   Kind
	Status                 Status
	GoodsType              Scope
	GoodsValue, Code       string
	TimeType, Days         int
	StartTime, EndTime     sql.NullTime
	AddTime, UpdateTime    time.Time
}

func (r couponRow) coupon() (Coupon, error) {
	c := Coupon{
		ID: r.ID, Name: r.Name, Description: r.Description, Tag: r.Tag, Total: r.Total, PerShopper: r.PerUserLimit,
		Received: r.Received, Discount: r.Discount, Min: r.MinAmount, Kind: r.Type, Status: r.Status, Scope: r.GoodsType,
		Code: r.Code, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
	if r.TimeType == 0 { // either days from receipt or a period, whatever else an imported row holds
		c.Days = r.Days
	} else {
		c.Start, c.End = r.StartTime.Time, r.EndTime.Time
	}
	if err := json.Unmarshal([]byte(r.GoodsValue), &c.Scoped); err != nil {
		return c, fmt.Errorf("goods of coupon %d: %w", r.ID, err)
	}
	return c, nil
}

const isReceivable = "c.type = 0 AND c.status = 0 AND c.deleted = 0 AND (c.time_type = 0 OR c.end_time > ?) " +
	"AND (c.total = 0 OR c.received < c.total)"

func countReceivable(ctx context.Context, q db.Querier, now time.Time) (n int64, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM coupon c WHERE "+isReceivable, now).Scan(&n).Error
	return n, err
}

func receivable(ctx context.Context, q db.Querier, now time.Time, p page.Query) ([]Coupon, error) {
	return coupons(q.G(ctx).Raw("SELECT "+couponColumns+" FROM coupon c WHERE "+isReceivable+
		" ORDER BY "+order("c", p)+" LIMIT ? OFFSET ?", now, p.Limit, p.Offset()))
}

func gifts(ctx context.Context, q db.Querier, now time.Time) ([]Coupon, error) {
	return coupons(q.G(ctx).Raw("SELECT "+couponColumns+" FROM coupon c WHERE c.type = 1 AND c.status = 0 "+
		"AND c.deleted = 0 AND (c.time_type = 0 OR c.end_time > ?) ORDER BY c.id LIMIT 100", now))
}

func giftExists(ctx context.Context, q db.Querier, now time.Time) (exists bool, err error) {
	err = q.G(ctx).Raw("SELECT EXISTS (SELECT 1 FROM coupon c WHERE c.type = 1 AND c.status = 0 AND c.deleted = 0 "+
		"AND (c.time_type = 0 OR c.end_time > ?))", now).Scan(&exists).Error
	return exists, err
}

func find(ctx context.Context, q db.Querier, id int64) (Coupon, bool, error) {
	found, err := coupons(q.G(ctx).Raw("SELECT "+couponColumns+" FROM coupon c WHERE c.id = ? AND c.deleted = 0", id))
	if err != nil || len(found) == 0 {
		return Coupon{}, false, err
	}
	return found[0], true, nil
}

// byCode finds the normal coupon that has a redemption code; its time and number are not looked at.
func byCode(ctx context.Context, q db.Querier, code string) (Coupon, bool, error) {
	found, err := coupons(q.G(ctx).Raw("SELECT "+couponColumns+" FROM coupon c WHERE c.code = ? AND c.type = 2 "+
		"AND c.status = 0 AND c.deleted = 0", code))
	if err != nil || len(found) == 0 {
		return Coupon{}, false, err
	}
	return found[0], true, nil
}

func coupons(query *gorm.DB) ([]Coupon, error) {
	var rows []couponRow
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Coupon, len(rows))
	for i, r := range rows {
		var err error
		if all[i], err = r.coupon(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// raiseReceived counts n coupons as given out, if the definition still has them.
func raiseReceived(ctx context.Context, tx *db.Tx, id int64, n int, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE coupon SET received = received + ?, version = version + 1, update_time = ? "+
		"WHERE id = ? AND status = 0 AND deleted = 0 AND (time_type = 0 OR end_time > ?) "+
		"AND (total = 0 OR received + ? <= total)", n, now, id, now, n)
	return res.RowsAffected == 1, res.Error
}

func insertCoupon(ctx context.Context, q db.Querier, c Coupon, now time.Time) (int64, error) {
	scoped, err := json.Marshal(append([]int64{}, c.Scoped...))
	if err != nil {
		return 0, err
	}
	return db.Insert(ctx, q, "INSERT INTO coupon (name, description, tag, total, discount, min_amount, per_user_limit, "+
		"type, status, goods_type, goods_value, code, time_type, days, start_time, end_time, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		c.Name, c.Description, c.Tag, c.Total, c.Discount, c.Min, c.PerShopper, c.Kind, c.Status, c.Scope, string(scoped),
		text(c.Code), c.Fixed(), c.Days, nullTime(c.Start), nullTime(c.End), now, now)
}

func text(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }
