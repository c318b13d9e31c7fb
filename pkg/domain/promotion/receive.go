package promotion

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"shop.internal/pkg/base/bound"
	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Receive gives the shopper a common coupon. It fails with errno.Invalid for an unknown coupon, with
// CouponReceiveFailed for one of another kind or one that has ended, and with CouponExceedLimit for one that is
// withdrawn, exhausted, or that the shopper has received as often as allowed.
func (s *Service) Receive(ctx context.Context, shopper, coupon int64) error {
	return idempotency.Do(ctx, s.once, func(tx *db.Tx) error {
		r, ok, err := coupons.Live(ctx, tx, coupon)
		switch {
		case err != nil:
			return fmt.Errorf("find coupon %d: %w", coupon, err)
		case !ok:
			return errno.NoSuch(wording.FieldCoupon)
		case r.Kind != Common:
			return fmt.Errorf("coupon %d is of kind %d: %w", coupon, r.Kind,
				errno.CouponReceiveFailed.Because(wording.CouponNotReceivable))
		}
		return s.give(ctx, tx, shopper, r.coupon(), 1)
	})
}

// give gives out n coupons: the conditional update of the definition's counter locks its row, so that counting the
// shopper's copies and inserting are atomic. It fails with CouponExceedLimit or CouponReceiveFailed.
func (s *Service) give(ctx context.Context, tx *db.Tx, shopper int64, c Coupon, n int) error {
	now := s.now()
	set := table.Set{"received": gorm.Expr("received + ?", n), "update_time": now}
	taken, err := coupons.Moved(ctx, tx, set, `id = ? AND status = ? AND deleted = 0
		AND (time_type = ? OR end_time > ?)
		AND (total = 0 OR received + ? <= total)`, c.ID, Normal, fromReceipt, now, n)
	if err != nil {
		return fmt.Errorf("take coupon %d: %w", c.ID, err)
	}
	if !taken {
		return s.refusal(ctx, tx, c.ID)
	}
	had, highest, err := ownedOf(ctx, tx, shopper, c.ID)
	if err != nil {
		return fmt.Errorf("count the coupons of shopper %d: %w", shopper, err)
	}
	if c.PerShopper != 0 && had+n > c.PerShopper {
		return fmt.Errorf("shopper %d has %d of coupon %d: %w", shopper, had, c.ID,
			errno.CouponExceedLimit.Because(wording.CouponPerShopper, c.PerShopper))
	}
	start, end := c.period(now, s.zone)
	owned := make([]UserCoupon, n)
	for i := range owned {
		owned[i] = UserCoupon{
			UserID: shopper, CouponID: c.ID, Seq: highest + 1 + i, Terms: c.terms(), Status: Unused,
			Start: start, End: end, AddTime: now, UpdateTime: now,
		}
	}
	err = userCoupons.InsertAll(ctx, tx, owned)
	if db.Duplicate(err, "uk_cu_seq") {
		return fmt.Errorf("coupon %d of shopper %d: %w", c.ID, shopper, errno.CouponExceedLimit)
	}
	if err != nil {
		return fmt.Errorf("give coupon %d to shopper %d: %w", c.ID, shopper, err)
	}
	tx.OnCommit(func() { s.offered.Invalidate(shopper) })
	return nil
}

// refusal returns why the counter of a coupon could not be raised.
func (s *Service) refusal(ctx context.Context, tx *db.Tx, id int64) error {
	r, ok, err := coupons.Live(ctx, tx, id)
	switch {
	case err != nil:
		return fmt.Errorf("find coupon %d: %w", id, err)
	case ok && r.Status != Withdrawn && (r.Status == Expired || r.TimeType == fixedDates && !r.End.After(s.now())):
		return fmt.Errorf("coupon %d: %w", id, errno.CouponReceiveFailed.Because(wording.CouponExpired))
	}
	return fmt.Errorf("coupon %d: %w", id, errno.CouponExceedLimit.Because(wording.CouponGone))
}

// Exchange gives the shopper the coupon of a redemption code, in upper or lower case. It fails with
// errno.CouponCodeInvalid if no normal coupon has the code, and for a shopper with too many recent failed attempts;
// otherwise like Receive.
func (s *Service) Exchange(ctx context.Context, shopper int64, code string) error {
	return idempotency.DoAfter(ctx, s.once, func() (func(*db.Tx) error, error) {
		c, err := s.redeemable(ctx, shopper, strings.ToUpper(strings.TrimSpace(code)))
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) error { return s.give(ctx, tx, shopper, c, 1) }, nil
	})
}

// redeemable finds the coupon of a code. Only codes that no coupon has count as failures: the limit is for guessing.
func (s *Service) redeemable(ctx context.Context, shopper int64, code string) (Coupon, error) {
	account := strconv.FormatInt(shopper, 10)
	blocked, err := s.guesses.Blocked(ctx, account, "")
	if err != nil {
		return Coupon{}, err
	}
	if blocked {
		return Coupon{}, fmt.Errorf("shopper %d has guessed too often: %w", shopper, errno.CouponCodeInvalid)
	}
	r, ok, err := coupons.One(ctx, s.db, "r.code = ? AND r.type = ? AND r.status = ? AND r.deleted = 0",
		code, Code, Normal)
	if err != nil {
		return Coupon{}, fmt.Errorf("look for a redemption code: %w", err)
	}
	if ok && r.Code == code { // the database compares more loosely
		return r.coupon(), nil
	}
	if err := s.guesses.Failed(ctx, account, ""); err != nil {
		return Coupon{}, err
	}
	return Coupon{}, fmt.Errorf("shopper %d: %w", shopper, errno.CouponCodeInvalid)
}

// Gifts reports whether new shoppers get any coupons now.
func (s *Service) Gifts(ctx context.Context, q db.Querier) (bool, error) {
	some, err := coupons.Exists(ctx, q, "?", isCurrent(Gift, s.now()))
	return some, wrap(err, "look for registration coupons")
}

// Welcome gives a new shopper the registration coupons that the shopper does not have yet; exhausted ones are skipped.
// Each coupon is given in its own transaction, so one that cannot be given does not prevent the others. It may be
// called again for a shopper who has got some of them.
func (s *Service) Welcome(ctx context.Context, shopper int64) error {
	rows, err := coupons.Find(ctx, s.db, "? ORDER BY r.id LIMIT 100", isCurrent(Gift, s.now()))
	if err != nil {
		return fmt.Errorf("look for registration coupons: %w", err)
	}
	gifts := couponsOf(rows)
	had, err := countOwned(ctx, s.db, shopper, gifts)
	if err != nil {
		return fmt.Errorf("count the coupons of shopper %d: %w", shopper, err)
	}
	var errs []error
	for _, c := range gifts {
		if had[c.ID] == 0 {
			errs = append(errs, s.welcome(ctx, shopper, c))
		}
	}
	return errors.Join(errs...)
}

// welcome gives the copies of one registration coupon. A definition from before the bounds is limited to them here.
func (s *Service) welcome(ctx context.Context, shopper int64, c Coupon) error {
	n := int(bound.CouponEach.Clamp(int64(max(c.PerShopper, 1))))
	if c.Total != 0 {
		n = min(n, c.Total-c.Received)
	}
	if n <= 0 {
		return nil
	}
	c.PerShopper = n // a concurrent call finds it given
	err := s.db.InTx(ctx, func(tx *db.Tx) error { return s.give(ctx, tx, shopper, c, n) })
	if code := errno.Of(err); code == errno.CouponExceedLimit || code == errno.CouponReceiveFailed {
		return nil
	}
	return err
}

// codeLetters are the characters of codes, codeLength is their length.
const (
	codeLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	codeLength  = 8
	codeDraws   = 5
)

// coded runs fn, which stores a coupon. A redeemable one gets a random code before; if another coupon has the same
// code, fn runs again with the next one.
func coded(c *Coupon, store func() error) error {
	if c.Kind != Code {
		c.Code = ""
		return store()
	}
	drawn := c.Code == ""
	var err error
	for range codeDraws {
		if drawn {
			c.Code = newCode()
		}
		if err = store(); !drawn || !db.Duplicate(err, "uk_coupon_code") {
			return err
		}
	}
	return err
}

// newCode returns a random code, every letter equally likely.
func newCode() string {
	const fair = 256 - 256%len(codeLetters)
	code := make([]byte, 0, codeLength)
	for len(code) < codeLength {
		var b [codeLength]byte
		_, _ = rand.Read(b[:]) // never fails
		for _, v := range b {
			if int(v) < fair && len(code) < codeLength {
				code = append(code, codeLetters[int(v)%len(codeLetters)])
			}
		}
	}
	return string(code)
}
