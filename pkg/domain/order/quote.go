package order

import (
	"context"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
)

// Ids that mean something else than a row.
const (
	NoCoupon   int64 = -1
	BestCoupon int64 = 0
)

// Choice is what a shopper has chosen for a purchase.
type Choice struct {
	// Cart is a row of the cart, or cart.Everything.
	Cart int64
	// Address is 0 for the default one.
	Address int64
	// Coupon is a coupon, or a shopper's own, or NoCoupon or BestCoupon. Held names the shopper's own copy, 0 or less
	// where the client does not say.
	Coupon, Held int64
	// Rule is a groupon offer, 0 or less for none. It is left aside where the purchase is not one of its goods alone.
	Rule int64
}

// Quote is what a purchase would cost.
type Quote struct {
	Lines []cart.Line
	// Address is the one to deliver to; HasAddress is false where the shopper has none.
	Address    address.Address
	HasAddress bool
	Price      Price
	// Offer is the groupon offer in effect, the zero one for none.
	Offer promotion.GroupRule
	// Usable are the coupons that fit, the best first; Spent is the one in the price.
	Usable []promotion.UserCoupon
	Spent  *promotion.UserCoupon
}

// Quote works out a purchase without changing anything; the stock is not looked at. It fails with errno.Invalid,
// GoodsUnshelved or GoodsInvalid for a row that cannot be bought, and with GrouponExpired or GrouponOffline for an
// offer that is over.
func (s *Service) Quote(ctx context.Context, shopper int64, c Choice) (Quote, error) {
	q, err := s.Fitting(ctx, shopper, c)
	if err != nil {
		return q, err
	}
	if q.Address, q.HasAddress, err = s.deliverTo(ctx, shopper, c.Address); err != nil {
		return q, err
	}
	if c.Coupon != NoCoupon && len(q.Usable) > 0 {
		chosen, ok := q.Usable[0], true
		if c.Coupon > 0 {
			chosen, ok = promotion.Pick(q.Usable, c.Coupon, c.Held)
		}
		if !ok { // a wanted coupon that does not fit gives way to the best one
			chosen = q.Usable[0]
		}
		q.Spent = &chosen
	}
	return q, s.price(ctx, &q)
}

// Fitting returns the lines of a purchase and the coupons that fit them, without a price.
func (s *Service) Fitting(ctx context.Context, shopper int64, c Choice) (Quote, error) {
	var q Quote
	var err error
	if q.Lines, err = s.Cart.Chosen(ctx, shopper, c.Cart); err != nil {
		return q, err
	}
	if q.Offer, err = s.Promotions.Applying(ctx, s.DB, c.Rule, goodsOf(q.Lines), c.Cart > 0); err != nil {
		return q, err
	}
	q.Usable, err = s.Promotions.UsableNow(ctx, shopper, couponLines(q.Lines, q.Offer.Discount))
	return q, err
}

func (s *Service) deliverTo(ctx context.Context, shopper, id int64) (address.Address, bool, error) {
	if id > 0 {
		a, err := s.Addresses.Find(ctx, s.DB, shopper, id)
		if err == nil || errno.Of(err) != errno.Invalid {
			return a, err == nil, err
		}
	}
	return s.Addresses.Default(ctx, s.DB, shopper)
}

func (s *Service) price(ctx context.Context, q *Quote) error {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return err
	}
	off := Reduction{Groupon: q.Offer.Discount}
	if q.Spent != nil {
		off.Coupon = q.Spent.Coupon.Discount
	}
	q.Price, err = PriceOf(q.Lines, off, v)
	return err
}

// Reduction is what makes a purchase cheaper: Coupon the whole of it, Groupon each piece.
type Reduction struct{ Coupon, Groupon money.Amount }

// PriceOf adds up a purchase in whole cents: the groupon offer makes each piece cheaper, but none cheaper than nothing;
// freight is charged below the free limit, before the coupon; the coupon covers goods and freight at most. It fails
// with errno.Invalid for a sum that no order can hold.
func PriceOf(lines []cart.Line, off Reduction, v settings.Values) (Price, error) {
	p := Price{Groupon: off.Groupon}
	for _, l := range lines {
		if l.Price > 0 && money.Amount(l.Number) > money.Max/l.Price {
			return p, errno.Invalid.Because(text.SumTooHigh)
		}
		if p.Goods += reduced(l, off.Groupon); p.Goods > money.Max {
			return p, errno.Invalid.Because(text.SumTooHigh)
		}
	}
	if len(lines) > 0 && p.Goods < v.FreightMin {
		p.Freight = v.FreightValue
	}
	p.Coupon = min(off.Coupon, p.Goods+p.Freight)
	p.Total = p.Goods + p.Freight - p.Coupon
	p.Actual = p.Total - p.Integral
	return p, nil
}

// reduced is what a line costs when each piece is cheaper.
func reduced(l cart.Line, off money.Amount) money.Amount { return max(l.Price-off, 0).Times(l.Number) }

func goodsOf(lines []cart.Line) []int64 {
	ids := make([]int64, len(lines))
	for i, l := range lines {
		ids[i] = l.GoodsID
	}
	return ids
}

func couponLines(lines []cart.Line, off money.Amount) []promotion.Line {
	all := make([]promotion.Line, len(lines))
	for i, l := range lines {
		all[i] = promotion.Line{GoodsID: l.GoodsID, CategoryID: l.CategoryID, Sum: reduced(l, off)}
	}
	return all
}
