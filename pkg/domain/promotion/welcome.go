package promotion

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/bound"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

// Gifts reports whether the shop gives anything to new shoppers now.
func (s *Service) Gifts(ctx context.Context, q db.Querier) (bool, error) {
	any, err := giftExists(ctx, q, s.now())
	if err != nil {
		return false, fmt.Errorf("look for registration coupons: %w", err)
	}
	return any, nil
}

// Welcome gives a new shopper the registration coupons of which the shopper has none; those that are exhausted are left
// out. Each coupon is a transaction of its own, so one that cannot be given keeps nobody from the others. It may be
// called again for a shopper who has got some of them.
func (s *Service) Welcome(ctx context.Context, shopper int64) error {
	gifts, err := gifts(ctx, s.db, s.now())
	if err != nil {
		return fmt.Errorf("look for registration coupons: %w", err)
	}
	held, err := countHeld(ctx, s.db, shopper, couponIDs(gifts))
	if err != nil {
		return fmt.Errorf("count the coupons of shopper %d: %w", shopper, err)
	}
	var errs []error
	for _, c := range gifts {
		if held[c.ID] == 0 {
			errs = append(errs, s.welcome(ctx, shopper, c))
		}
	}
	return errors.Join(errs...)
}

// welcome gives the copies of one registration coupon. A definition that is older than the bounds is held to them here.
func (s *Service) welcome(ctx context.Context, shopper int64, c Coupon) error {
	n := int(bound.CouponEach.Cut(int64(max(c.PerShopper, 1))))
	if c.Total != 0 {
		n = min(n, c.Total-c.Received)
	}
	if n <= 0 {
		return nil
	}
	c.PerShopper = n // whoever gives the same at the same time finds it given
	err := s.db.InTx(ctx, func(tx *db.Tx) error { return s.give(ctx, tx, shopper, c, n) })
	if code := errno.Of(err); code == errno.CouponExceedLimit || code == errno.CouponReceiveFailed {
		return nil
	}
	return err
}
