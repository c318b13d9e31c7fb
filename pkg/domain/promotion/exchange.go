package promotion

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
)

// Exchange gives the shopper the coupon of a redemption code, however it is written. It fails with
// errno.CouponCodeInvalid where no normal coupon has the code, and for a shopper who has failed so too often of late;
// else as Receive does.
func (s *Service) Exchange(ctx context.Context, shopper int64, code string) error {
	return idempotency.DoAfter(ctx, s.once, func() (func(*db.Tx) error, error) {
		c, err := s.redeemable(ctx, shopper, strings.ToUpper(strings.TrimSpace(code)))
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) error { return s.give(ctx, tx, shopper, c, 1) }, nil
	})
}

// redeemable finds the coupon of a code. Only codes that nothing has count as failures: the brake is for those who
// guess.
func (s *Service) redeemable(ctx context.Context, shopper int64, code string) (Coupon, error) {
	account := strconv.FormatInt(shopper, 10)
	blocked, err := s.guesses.Blocked(ctx, account, "")
	if err != nil {
		return Coupon{}, err
	}
	if blocked {
		return Coupon{}, fmt.Errorf("shopper %d has guessed too often: %w", shopper, errno.CouponCodeInvalid)
	}
	c, ok, err := byCode(ctx, s.db, code)
	if err != nil {
		return c, fmt.Errorf("look for a redemption code: %w", err)
	}
	if ok && c.Code == code { // the database compares more loosely
		return c, nil
	}
	if err := s.guesses.Failed(ctx, account, ""); err != nil {
		return Coupon{}, err
	}
	return Coupon{}, fmt.Errorf("shopper %d: %w", shopper, errno.CouponCodeInvalid)
}
