// Package promotion owns what makes a purchase cheaper: coupons, which shoppers take and spend, and groupon offers. It
// knows nothing of orders but their ids.
package promotion

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/bound"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/job"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
	wording "shop.internal/pkg/domain/text"
	"shop.internal/pkg/domain/token"
)

// Kind says how a coupon comes to shoppers.
type Kind int

// Shoppers take common coupons themselves, get gifts at registration, and redeem codes.
const (
	Common Kind = iota
	Gift
	Code
)

// Status is the state of a coupon definition.
type Status int

// Only normal coupons are given out and accepted.
const (
	Normal Status = iota
	Expired
	Withdrawn
)

// Scope says which goods a coupon is for.
type Scope int

// The goods of a coupon: all of them, those of some categories, or some goods.
const (
	AllGoods Scope = iota
	SomeCategories
	SomeGoods
)

// Coupon is a definition.
type Coupon struct {
	ID                     int64
	Name, Description, Tag string
	// Total is how many may be given out, PerShopper how many to one shopper; 0 is no bound. Received counts those
	// given out.
	Total, PerShopper, Received int
	Discount, Min               money.Amount
	Kind                        Kind
	Status                      Status
	Scope                       Scope
	// Scoped are category or goods ids, as Scope says.
	Scoped []int64
	// Code is what a shopper redeems, empty for the other kinds.
	Code string
	// Days is the time of validity from receipt; where it is 0, Start and End bound it.
	Days       int
	Start, End time.Time

	AddTime, UpdateTime time.Time
}

// Fixed reports whether the coupon has dates of its own.
func (c Coupon) Fixed() bool { return c.Days == 0 }

// period is what a coupon received now is valid for. A definition that is older than the bounds is held to them here.
func (c Coupon) period(now time.Time) (start, end time.Time) {
	if c.Fixed() {
		return c.Start, c.End
	}
	return now, now.AddDate(0, 0, int(bound.CouponDays.Cut(int64(c.Days))))
}

// Service gives coupons out, spends them and takes them back.
type Service struct {
	db       *db.DB
	guesses  *token.AttemptLimiter
	once     *idempotency.Store
	failures *job.Failures
	now      func() time.Time
}

// New returns the promotions of a database. guesses counts the redemption codes that a shopper has made up.
func New(
	d *db.DB, guesses *token.AttemptLimiter, once *idempotency.Store, failures *job.Failures, now func() time.Time,
) *Service {
	return &Service{d, guesses, once, failures, now}
}

// Receivable returns a page of the coupons that shoppers may take now.
func (s *Service) Receivable(ctx context.Context, q page.Query) (page.List[Coupon], error) {
	now := s.now()
	list, err := page.Fetch(q,
		func() (int64, error) { return countReceivable(ctx, s.db, now) },
		func(q page.Query) ([]Coupon, error) { return receivable(ctx, s.db, now, q) })
	if err != nil {
		return list, fmt.Errorf("list receivable coupons: %w", err)
	}
	return list, nil
}

// Offered returns the newest receivable coupons for the home page, at most limit; for a shopper (not 0) without
// those of which they have as many as they may.
func (s *Service) Offered(ctx context.Context, shopper int64, limit int) ([]Coupon, error) {
	const look = 50 // a shopper who has taken so many sees none on the home page, and all in the list
	coupons, err := receivable(ctx, s.db, s.now(), page.Query{Page: 1, Limit: look, Sort: "add_time", Desc: true})
	if err != nil {
		return nil, fmt.Errorf("look for offered coupons: %w", err)
	}
	if shopper != 0 {
		if coupons, err = s.withoutTaken(ctx, shopper, coupons); err != nil {
			return nil, err
		}
	}
	return coupons[:min(limit, len(coupons))], nil
}

func (s *Service) withoutTaken(ctx context.Context, shopper int64, coupons []Coupon) ([]Coupon, error) {
	held, err := countHeld(ctx, s.db, shopper, couponIDs(coupons))
	if err != nil {
		return nil, fmt.Errorf("count the coupons of shopper %d: %w", shopper, err)
	}
	var left []Coupon
	for _, c := range coupons {
		if c.PerShopper == 0 || held[c.ID] < c.PerShopper {
			left = append(left, c)
		}
	}
	return left, nil
}

// Receive gives the shopper a common coupon. It fails with errno.Invalid for an unknown coupon, CouponReceiveFailed
// for one that cannot be had this way or is over, and CouponExceedLimit for one that is withdrawn, exhausted, or of
// which they have as many as they may.
func (s *Service) Receive(ctx context.Context, shopper, coupon int64) error {
	return idempotency.Do(ctx, s.once, func(tx *db.Tx) error {
		c, ok, err := find(ctx, tx, coupon)
		switch {
		case err != nil:
			return fmt.Errorf("find coupon %d: %w", coupon, err)
		case !ok:
			return errno.NoSuch("couponId")
		case c.Kind != Common:
			return fmt.Errorf("coupon %d is of kind %d: %w", coupon, c.Kind,
				errno.CouponReceiveFailed.Because(wording.CouponGiven))
		}
		return s.give(ctx, tx, shopper, c, 1)
	})
}

// give hands out n coupons: the conditional update of the definition's counter locks its row, so that counting what the
// shopper has and inserting are one step. It fails with CouponExceedLimit or CouponReceiveFailed.
func (s *Service) give(ctx context.Context, tx *db.Tx, shopper int64, c Coupon, n int) error {
	now := s.now()
	taken, err := raiseReceived(ctx, tx, c.ID, n, now)
	if err != nil {
		return fmt.Errorf("take coupon %d: %w", c.ID, err)
	}
	if !taken {
		return s.refusal(ctx, tx, c.ID)
	}
	held, highest, err := heldOf(ctx, tx, shopper, c.ID)
	if err != nil {
		return fmt.Errorf("count the coupons of shopper %d: %w", shopper, err)
	}
	if c.PerShopper != 0 && held+n > c.PerShopper {
		return fmt.Errorf("shopper %d has %d of coupon %d: %w", shopper, held, c.ID,
			errno.CouponExceedLimit.Because(wording.CouponEnough, c.PerShopper))
	}
	start, end := c.period(now)
	err = insertHeld(ctx, tx, shopper, c.ID, highest, n, start, end, now)
	if db.Duplicate(err, "uk_cu_seq") {
		return fmt.Errorf("coupon %d of shopper %d: %w", c.ID, shopper, errno.CouponExceedLimit)
	}
	if err != nil {
		return fmt.Errorf("give coupon %d to shopper %d: %w", c.ID, shopper, err)
	}
	return nil
}

// refusal says why the counter of a coupon could not be raised.
func (s *Service) refusal(ctx context.Context, tx *db.Tx, id int64) error {
	c, ok, err := find(ctx, tx, id)
	switch {
	case err != nil:
		return fmt.Errorf("find coupon %d: %w", id, err)
	case ok && c.Status != Withdrawn && (c.Status == Expired || c.Fixed() && !c.End.After(s.now())):
		return fmt.Errorf("coupon %d: %w", id, errno.CouponReceiveFailed.Because(wording.CouponOver))
	}
	return fmt.Errorf("coupon %d: %w", id, errno.CouponExceedLimit.Because(wording.CouponGone))
}

// Create stores a definition and returns its id. The rules of a definition are the caller's.
func (s *Service) Create(ctx context.Context, c Coupon) (int64, error) {
	id, err := insertCoupon(ctx, s.db, c, s.now())
	if err != nil {
		return 0, fmt.Errorf("create coupon %q: %w", c.Name, err)
	}
	return id, nil
}
