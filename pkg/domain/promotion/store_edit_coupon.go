package promotion

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

func lockCoupon(ctx context.Context, tx *db.Tx, id int64) (Coupon, bool, error) {
	found, err := coupons(tx.G(ctx).Raw("SELECT "+couponColumns+" FROM coupon c WHERE c.id = ? AND c.deleted = 0 "+
		"FOR UPDATE", id))
	if err != nil || len(found) == 0 {
		return Coupon{}, false, err
	}
	return found[0], true, nil
}

// updateCoupon writes all that an operator may change of a coupon, which must be locked.
func updateCoupon(ctx context.Context, tx *db.Tx, c Coupon, now time.Time) error {
	scoped, err := json.Marshal(append([]int64{}, c.Scoped...))
	if err != nil {
		return err
	}
	return tx.G(ctx).Exec("UPDATE coupon SET name = ?, description = ?, tag = ?, total = ?, discount = ?, "+
		"min_amount = ?, per_user_limit = ?, type = ?, status = ?, goods_type = ?, goods_value = ?, code = ?, "+
		"time_type = ?, days = ?, start_time = ?, end_time = ?, version = version + 1, update_time = ? "+
		"WHERE id = ? AND deleted = 0",
		c.Name, c.Description, c.Tag, c.Total, c.Discount, c.Min, c.PerShopper, c.Kind, c.Status, c.Scope, string(scoped),
		text(c.Code), c.Fixed(), c.Days, nullTime(c.Start), nullTime(c.End), now, c.ID).Error
}

func deleteCoupon(ctx context.Context, tx *db.Tx, id int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE coupon SET deleted = 1, del_mark = id, version = version + 1, update_time = ? "+
		"WHERE id = ? AND deleted = 0", now, id).Error
}

// aliased renames the table that columns are of.
func aliased(columns, from, to string) string { return strings.ReplaceAll(columns, from+".", to+".") }

func listCoupons(ctx context.Context, q db.Querier, f CouponFilter, w page.Query) (page.List[couponRow], error) {
	l := listing.Of("coupon", aliased(couponColumns, "c", "r")).Timed("ix_coupon_list").Contains("name", f.Name)
	if f.Kind != nil {
		l.Where("i.type = ?", *f.Kind)
	}
	if f.Status != nil {
		l.Where("i.status = ?", *f.Status)
	}
	return listing.Fetch[couponRow](ctx, q, l, w)
}

func listHoldings(ctx context.Context, q db.Querier, f HolderFilter, w page.Query) (page.List[holdingRow], error) {
	return listing.Fetch[holdingRow](ctx, q, holdings(f), w)
}

// holdings is the list that a filter chooses.
func holdings(f HolderFilter) *listing.Query {
	l := listing.Of("coupon_user", "r.id, r.user_id, r.coupon_id, r.status, r.used_time, r.start_time, r.end_time, "+
		"r.order_id, r.add_time, r.update_time").Timed("ix_cu_list").ID("user_id", f.Shopper).ID("coupon_id", f.Coupon)
	if f.Status != nil {
		l.Among("status", "ix_cu_status", int(*f.Status))
	}
	return l
}
