package promotion

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Line is one line of a purchase, with what coupons depend on: its sum after the group discount.
type Line struct {
	GoodsID, CategoryID int64
	// ParentID is the category of the first level above CategoryID, 0 for none: a coupon for it fits its children's goods.
	ParentID int64
	Sum      money.Amount
}

func (l Line) in(categories []int64) bool {
	return slices.Contains(categories, l.CategoryID) || l.ParentID != 0 && slices.Contains(categories, l.ParentID)
}

// Fits reports whether the coupon's goods are among the lines and reach its minimum.
func (c Coupon) Fits(lines []Line) bool {
	sum, some := c.sumOf(lines)
	return some && sum >= c.Min
}

// sumOf adds up the lines that the coupon applies to, and reports whether there are any.
func (c Coupon) sumOf(lines []Line) (sum money.Amount, some bool) {
	some = c.Scope == AllGoods
	for _, l := range lines {
		switch c.Scope {
		case SomeCategories:
			if !l.in(c.Scoped) {
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
	return sum, some
}

// Misfit is why a coupon cannot be used for a purchase.
type Misfit string

// The misfits: the coupon was withdrawn, its validity has not begun, none of its goods are bought, or they do not reach
// its minimum.
const (
	MisfitWithdrawn Misfit = "withdrawn"
	MisfitEarly     Misfit = "early"
	MisfitGoods     Misfit = "goods"
	MisfitMinimum   Misfit = "minimum"
)

// Unfit is an unused coupon that cannot be used for a purchase.
type Unfit struct {
	UserCoupon
	Why Misfit
	// Missing is what the goods lack of the minimum if Why is MisfitMinimum, else 0.
	Missing money.Amount
}

// rank is the place of the reason in a list: what buying more would change comes first.
func (u Unfit) rank() int {
	return slices.Index([]Misfit{MisfitMinimum, MisfitGoods, MisfitEarly, MisfitWithdrawn}, u.Why)
}

// misfit returns why the coupon cannot be used for a purchase; ok reports that it can.
func (h UserCoupon) misfit(lines []Line, now time.Time) (why Misfit, missing money.Amount, ok bool) {
	sum, some := h.Coupon.sumOf(lines)
	switch {
	case h.Coupon.Status != Normal:
		return MisfitWithdrawn, 0, false
	case h.Start.After(now):
		return MisfitEarly, 0, false
	case !some:
		return MisfitGoods, 0, false
	case sum < h.Coupon.Min:
		return MisfitMinimum, h.Coupon.Min - sum, false
	}
	return "", 0, true
}

// maxUsable bounds how many of a shopper's unused coupons are looked at for one purchase.
const maxUsable = 500

// Usable returns the shopper's coupons that fit a purchase now, best first: the largest discount, then the earliest
// end, then the smallest id.
func (s *Service) Usable(ctx context.Context, q db.Querier, shopper int64, lines []Line) ([]UserCoupon, error) {
	all, err := unusedOf(ctx, q, shopper, usable(s.now()))
	return fitting(all, lines), err
}

// UsableLater reads the shopper's coupons with what else is queued; the function is Usable.
func (s *Service) UsableLater(
	ctx context.Context, q db.Queue, shopper int64,
) (func(lines []Line) []UserCoupon, error) {
	found, err := table.SelectLater[definedCoupon](ctx, q, selectUnused, shopper, usable(s.now()), maxUsable)
	return func(lines []Line) []UserCoupon { return fitting(userCouponsOf(found()), lines) }, err
}

// usable is the condition for coupons that can be used for some purchase.
func usable(now time.Time) clause.Expr {
	return gorm.Expr("r.status = ? AND r.start_time <= ? AND r.end_time >= ? AND c.status = ?", Unused, now, now, Normal)
}

// fitting returns those of the usable coupons that fit a purchase, in the order of Usable.
func fitting(all []UserCoupon, lines []Line) []UserCoupon {
	var fit []UserCoupon
	for _, u := range all {
		if u.Coupon.Fits(lines) {
			fit = append(fit, u)
		}
	}
	slices.SortFunc(fit, func(a, b UserCoupon) int {
		return cmp.Or(cmp.Compare(b.Coupon.Discount, a.Coupon.Discount), a.End.Compare(b.End), cmp.Compare(a.ID, b.ID))
	})
	return fit
}

// selectUnused reads a shopper's coupons with their definitions; its parameters are those of ofShopper and a number.
var selectUnused = "SELECT " + definedColumns + " FROM " + ofShopper + " ORDER BY r.id LIMIT ?"

// unusedOf reads a shopper's coupons with their definitions, at most maxUsable.
func unusedOf(ctx context.Context, q db.Querier, shopper int64, which clause.Expr) ([]UserCoupon, error) {
	found, err := table.Select[definedCoupon](ctx, q, selectUnused, shopper, which, maxUsable)
	if err != nil {
		return nil, fmt.Errorf("read the coupons of shopper %d: %w", shopper, err)
	}
	return userCouponsOf(found), nil
}

func userCouponsOf(found []definedCoupon) []UserCoupon {
	all := make([]UserCoupon, len(found))
	for i, r := range found {
		all[i] = r.userCoupon()
	}
	return all
}

// Unfit returns the shopper's unused coupons that cannot be used for a purchase, with the reason: first those that lack
// the least of their minimum, then the others by reason and by the end of their validity.
func (s *Service) Unfit(ctx context.Context, shopper int64, lines []Line) ([]Unfit, error) {
	now := s.now()
	unused := Unused
	all, err := unusedOf(ctx, s.db, shopper, hasStatus(&unused, now))
	if err != nil {
		return nil, err
	}
	var unfit []Unfit
	for _, u := range all {
		if why, missing, ok := u.misfit(lines, now); !ok {
			unfit = append(unfit, Unfit{UserCoupon: u, Why: why, Missing: missing})
		}
	}
	slices.SortFunc(unfit, func(a, b Unfit) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Missing, b.Missing), a.End.Compare(b.End),
			cmp.Compare(a.ID, b.ID))
	})
	return unfit, nil
}
