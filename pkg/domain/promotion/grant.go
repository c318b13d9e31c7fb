package promotion

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Grant gives a shopper a copy of a coupon of any kind, as an operator, and returns it. The total, the number for each
// shopper and the validity count as when the shopper receives it. It fails with errno.Invalid for an unknown coupon or
// shopper, and with CouponExceedLimit and CouponReceiveFailed as Receive does.
func (s *Service) Grant(ctx context.Context, shopper, coupon int64) (UserCoupon, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (UserCoupon, error) {
		known, err := account.Exists(ctx, tx, shopper)
		if err == nil && !known {
			err = errno.NoSuch(wording.FieldUser)
		}
		if err != nil {
			return UserCoupon{}, err
		}
		r, ok, err := coupons.Live(ctx, tx, coupon)
		if err == nil && !ok {
			err = errno.NoSuch(wording.FieldCoupon)
		}
		if err != nil {
			return UserCoupon{}, fmt.Errorf("find coupon %d: %w", coupon, err)
		}
		if err := s.give(ctx, tx, shopper, r.coupon(), 1); err != nil {
			return UserCoupon{}, err
		}
		given, _, err := userCoupons.One(ctx, tx, "r.user_id = ? AND r.coupon_id = ? ORDER BY r.seq DESC LIMIT 1",
			shopper, coupon)
		if err != nil {
			return given, fmt.Errorf("read the coupon of shopper %d: %w", shopper, err)
		}
		return given, audit.Record(ctx, tx, audit.Change{ID: given.ID, After: given, Result: r.Name})
	})
}

// couponName is a coupon by its name.
type couponName struct {
	ID   int64
	Name string
}

var couponNames = table.Part[couponName](coupons)

// CouponNames returns the names of coupons, deleted ones included, in one statement; unknown ids are left out.
func (s *Service) CouponNames(ctx context.Context, ids []int64) (map[int64]string, error) {
	found, err := couponNames.All(ctx, s.db, ids)
	names := make(map[int64]string, len(found))
	for _, c := range found {
		names[c.ID] = c.Name
	}
	return names, wrap(err, "read the names of %d coupons", len(ids))
}
