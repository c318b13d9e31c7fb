package promotion

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
	wording "shop.internal/pkg/domain/text"
)

// UserCouponStatus is the state of a coupon in a shopper's hand.
type UserCouponStatus int

// A coupon goes from unused to used and, when its order ends without a sale, back; or it expires.
const (
	Unused UserCouponStatus = iota
	Used
	PastDue
	TakenBack
)

// UserCoupon is a coupon in a shopper's hand, with what its definition says.
type UserCoupon struct {
	ID         int64
	Coupon     Coupon
	Status     UserCouponStatus
	Start, End time.Time
}

// Effective is the status by the clock: an unused coupon whose time is over has expired, whether or not the job has
// run.
func (h UserCoupon) Effective(now time.Time) UserCouponStatus {
	if h.Status == Unused && h.End.Before(now) {
		return PastDue
	}
	return h.Status
}

// Available reports whether the coupon is still good: unused, not over, its definition normal.
func (h UserCoupon) Available(now time.Time) bool {
	return h.Effective(now) == Unused && h.Coupon.Status == Normal
}

// Line is one line of a purchase, as far as coupons care: its sum is after the groupon reduction.
type Line struct {
	GoodsID, CategoryID int64
	Sum                 money.Amount
}

// Fits reports whether the coupon's goods are among the lines and reach its minimum.
func (c Coupon) Fits(lines []Line) bool {
	var sum money.Amount
	some := c.Scope == AllGoods
	for _, l := range lines {
		switch c.Scope {
		case SomeCategories:
			if !slices.Contains(c.Scoped, l.CategoryID) {
				continue
			}
		case SomeGoods:
			if !slices.Contains(c.Scoped, l.GoodsID) {
				continue
			}
		case AllGoods:
		}
		some = true
		sum = sum.Plus(l.Sum)
	}
	return some && sum >= c.Min
}

// Mine returns a page of the shopper's coupons, those of one effective status or all (nil).
func (s *Service) Mine(
	ctx context.Context, shopper int64, status *UserCouponStatus, q page.Query,
) (page.List[UserCoupon], error) {
	now := s.now()
	list, err := page.Fetch(q,
		func() (int64, error) { return countMine(ctx, s.db, shopper, status, now) },
		func(q page.Query) ([]UserCoupon, error) { return mine(ctx, s.db, shopper, status, now, q) })
	if err != nil {
		return list, fmt.Errorf("list the coupons of shopper %d: %w", shopper, err)
	}
	return list, nil
}

// mostUsable bounds how many of a shopper's unused coupons are looked at for one purchase.
const mostUsable = 500

// Usable returns the shopper's coupons that fit a purchase now, the best first: the largest discount, then the one that
// ends first, then the smallest id.
func (s *Service) Usable(ctx context.Context, q db.Querier, shopper int64, lines []Line) ([]UserCoupon, error) {
	now := s.now()
	all, err := unused(ctx, q, shopper, now, mostUsable)
	if err != nil {
		return nil, fmt.Errorf("read the coupons of shopper %d: %w", shopper, err)
	}
	fit := slices.DeleteFunc(all, func(h UserCoupon) bool { return !h.Coupon.Fits(lines) })
	slices.SortFunc(fit, func(a, b UserCoupon) int {
		return cmp.Or(cmp.Compare(b.Coupon.Discount, a.Coupon.Discount), a.End.Compare(b.End), cmp.Compare(a.ID, b.ID))
	})
	return fit, nil
}

// UsableNow is Usable outside a transaction.
func (s *Service) UsableNow(ctx context.Context, shopper int64, lines []Line) ([]UserCoupon, error) {
	return s.Usable(ctx, s.db, shopper, lines)
}

// Pick finds the coupon that a client means among the usable ones. Clients of one kind name the coupon and the
// shopper's copy of it, others only the coupon, others only the copy; ids of copies start above ten million, so the
// two kinds of ids never meet.
func Pick(usable []UserCoupon, coupon, held int64) (UserCoupon, bool) {
	if held > 0 {
		return first(usable, func(h UserCoupon) bool { return h.ID == held && (coupon == h.Coupon.ID || coupon == h.ID) })
	}
	byEnd := slices.Clone(usable)
	slices.SortFunc(byEnd, func(a, b UserCoupon) int { return cmp.Or(a.End.Compare(b.End), cmp.Compare(a.ID, b.ID)) })
	if h, ok := first(byEnd, func(h UserCoupon) bool { return h.Coupon.ID == coupon }); ok {
		return h, true
	}
	return first(usable, func(h UserCoupon) bool { return h.ID == coupon })
}

func first(all []UserCoupon, is func(UserCoupon) bool) (UserCoupon, bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return UserCoupon{}, false
}

// Spend uses the shopper's coupon, as it was read for the price, for an order. It fails with errno.Invalid where
// another order was faster, the coupon's time is over or its definition was withdrawn, and with errno.Stale where the
// definition is no longer the one that the price was made of. The definition stays locked until the transaction ends.
func (s *Service) Spend(ctx context.Context, tx *db.Tx, shopper int64, h UserCoupon, order int64) error {
	c, ok, err := lockCoupon(ctx, tx, h.Coupon.ID)
	switch {
	case err != nil:
		return fmt.Errorf("lock coupon %d: %w", h.Coupon.ID, err)
	case !ok || c.Status != Normal:
		return fmt.Errorf("coupon %d was withdrawn: %w", h.Coupon.ID, errno.Invalid.Because(wording.CouponSpent))
	case !c.pricesAs(h.Coupon):
		return fmt.Errorf("coupon %d has changed: %w", h.Coupon.ID, errno.Stale)
	}
	return s.spend(ctx, tx, shopper, h.ID, order)
}

// pricesAs reports whether two states of a definition give every purchase the same price.
func (c Coupon) pricesAs(other Coupon) bool {
	return c.Discount == other.Discount && c.Min == other.Min && c.Scope == other.Scope &&
		slices.Equal(c.Scoped, other.Scoped)
}

func (s *Service) spend(ctx context.Context, tx *db.Tx, shopper, held, order int64) error {
	ok, err := spend(ctx, tx, shopper, held, order, s.now())
	if db.Duplicate(err, "uk_cu_order") {
		return fmt.Errorf("order %d has a coupon: %w", order, errno.Invalid.Because(wording.CouponSpent))
	}
	if err != nil {
		return fmt.Errorf("spend coupon %d: %w", held, err)
	}
	if !ok {
		return fmt.Errorf("coupon %d is spent: %w", held, errno.Invalid.Because(wording.CouponSpent))
	}
	return nil
}

// GiveBack returns the coupon of an order that ends without a sale to its shopper: unused again, or expired where its
// time is over.
func (s *Service) GiveBack(ctx context.Context, tx *db.Tx, order int64) error {
	if err := giveBack(ctx, tx, order, s.now()); err != nil {
		return fmt.Errorf("give the coupon of order %d back: %w", order, err)
	}
	return nil
}
