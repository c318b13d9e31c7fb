package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
)

// Ids with a special meaning.
const (
	NoCoupon   int64 = -1
	BestCoupon int64 = 0
)

// Choice is what a shopper chooses at the checkout.
type Choice struct {
	// Cart is the id of a cart item, or cart.Everything.
	Cart int64
	// Address is 0 for the default address.
	Address int64
	// Delivery is the code of a way of delivery, empty for the one of who chooses none.
	Delivery string
	// Coupon is a coupon, NoCoupon or BestCoupon. UserCoupon is the user coupon, 0 or less if the client does not name
	// one.
	Coupon, UserCoupon int64
	// Rule is a group-buy rule, 0 or less for none. It is ignored if the purchase contains other goods than the rule's.
	Rule int64
}

// Quote is the price of a purchase and what can be chosen for it.
type Quote struct {
	Lines []cart.Line
	// LeftOut are checked items of the cart that cannot be bought any more.
	LeftOut []cart.Line
	// Address is the delivery address; HasAddress is false if the shopper has none.
	Address    address.Address
	HasAddress bool
	// Way is how the purchase is delivered, one of Ways, which are all that the shop offers, in its order.
	Way  settings.Way
	Ways []OfferedWay
	// Undeliverable are the lines that are not delivered to the address.
	Undeliverable []cart.Line
	Price         Price
	// Rule is the group-buy rule in effect, the zero value for none.
	Rule promotion.GroupRule
	// Usable are the coupons that fit, best first; Spent is the one in the price.
	Usable []promotion.UserCoupon
	Spent  *promotion.UserCoupon
}

// OfferedWay is a way of delivery with what it costs for a purchase.
type OfferedWay struct {
	settings.Way
	Freight money.Amount
	// Delivered says that all goods are delivered to the address.
	Delivered bool
	// Address and Hours are where and when the purchase is collected, empty for another way.
	Address, Hours string
}

// Quote prices a purchase without changing anything or checking the stock. It fails with errno.Invalid, GoodsUnshelved
// or GoodsInvalid for a cart item that cannot be bought, and with GrouponExpired or GrouponOffline for a group-buy rule
// that is not in effect.
func (s *Service) Quote(ctx context.Context, shopper int64, c Choice) (Quote, error) {
	reads := s.DB.Reads()
	fitting, err := s.fittingLater(ctx, reads, shopper, c)
	if err != nil {
		return Quote{}, err
	}
	to, err := s.Addresses.DeliverableLater(ctx, reads, shopper, c.Address)
	if err != nil {
		return Quote{}, err
	}
	q, err := fitting()
	if err != nil {
		return q, err
	}
	q.Address, q.HasAddress = to()
	if c.Coupon != NoCoupon && len(q.Usable) > 0 {
		chosen, ok := q.Usable[0], true
		if c.Coupon > 0 {
			chosen, ok = promotion.Pick(q.Usable, c.Coupon, c.UserCoupon)
		}
		if !ok { // a chosen coupon that does not fit is replaced by the best one
			chosen = q.Usable[0]
		}
		q.Spent = &chosen
	}
	return q, s.price(ctx, &q, c.Delivery)
}

// Fitting returns the lines of a purchase and the coupons that fit them, without a price.
func (s *Service) Fitting(ctx context.Context, shopper int64, c Choice) (Quote, error) {
	fitting, err := s.fittingLater(ctx, s.DB.Reads(), shopper, c)
	if err != nil {
		return Quote{}, err
	}
	return fitting()
}

// fittingLater queues the reads of Fitting; the function sends the queue.
func (s *Service) fittingLater(
	ctx context.Context, reads *db.Reads, shopper int64, c Choice,
) (func() (Quote, error), error) {
	chosen, err := s.Cart.ChosenLater(ctx, reads, shopper, c.Cart)
	if err != nil {
		return nil, err
	}
	applying, err := s.Promotions.ApplyingLater(ctx, reads, c.Rule)
	if err != nil {
		return nil, err
	}
	usable, err := s.Promotions.UsableLater(ctx, reads, shopper)
	return func() (q Quote, err error) {
		if err := reads.Flush(ctx); err != nil {
			return q, fmt.Errorf("read the purchase of shopper %d: %w", shopper, err)
		}
		if q.Lines, q.LeftOut, err = chosen(); err != nil {
			return q, err
		}
		if q.Rule, err = applying(goodsOf(q.Lines), c.Cart > 0); err != nil {
			return q, err
		}
		q.Usable = usable(couponLines(q.Lines, q.Rule.Discount))
		return q, nil
	}, err
}

// Coupons returns the shopper's unused coupons for a purchase: those that fit, best first, and those that do not.
func (s *Service) Coupons(
	ctx context.Context, shopper int64, c Choice,
) ([]promotion.UserCoupon, []promotion.Unfit, error) {
	q, err := s.Fitting(ctx, shopper, c)
	if err != nil {
		return nil, nil, err
	}
	unfit, err := s.Promotions.Unfit(ctx, shopper, couponLines(q.Lines, q.Rule.Discount))
	return q.Usable, unfit, err
}

// price prices a purchase by the way of delivery with a code, and says what the others cost.
func (s *Service) price(ctx context.Context, q *Quote, way string) error {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return err
	}
	off := Reduction{Groupon: q.Rule.Discount}
	if q.Spent != nil {
		off.Coupon = q.Spent.Coupon.Discount
	}
	var ok bool
	if q.Way, ok = v.WayOf(way); !ok { // one that is not offered any more is replaced
		q.Way, _ = v.WayOf("")
	}
	for _, w := range v.Ways {
		d := freight.Delivery{Way: w, To: q.Address, Settings: v, Templated: templated(q.Lines)}
		f, err := s.Freight.Now(ctx, d)
		if err != nil {
			return err
		}
		var refused []cart.Line
		if q.HasAddress {
			refused = undeliverable(q.Lines, f)
		}
		p, err := priceIn(v.Currency, q.Lines, off, f)
		if err != nil {
			return err
		}
		offered := OfferedWay{Way: w, Freight: p.Freight, Delivered: len(refused) == 0}
		if w == settings.Collect {
			offered.Address, offered.Hours = v.CollectAddress, v.CollectHours
		}
		q.Ways = append(q.Ways, offered)
		if w == q.Way {
			q.Undeliverable, q.Price = refused, p
		}
	}
	return nil
}

// Reduction is deducted from a purchase: Coupon once, Groupon for each piece.
type Reduction struct{ Coupon, Groupon money.Amount }

// PriceOf computes the price of a purchase in whole cents: the group discount reduces each piece, at most to zero;
// freight follows from what the goods then cost, before the coupon; the coupon covers at most goods and freight. It
// fails with errno.Invalid for a total beyond the limit of an order.
func PriceOf(lines []cart.Line, off Reduction, f freight.Freight) (Price, error) {
	p := Price{Groupon: off.Groupon}
	for _, l := range lines {
		if l.Price > 0 && money.Amount(l.Number) > money.Max/l.Price {
			return p, errno.Invalid.Because(text.SumTooHigh)
		}
		if p.Goods += reduced(l, off.Groupon); p.Goods > money.Max {
			return p, errno.Invalid.Because(text.SumTooHigh)
		}
	}
	if p.Freight = f.Of(freightItems(lines, off.Groupon)); p.Freight > money.Max {
		return p, errno.Invalid.Because(text.SumTooHigh)
	}
	p.Coupon = min(off.Coupon, p.Goods+p.Freight)
	p.Total = p.Goods + p.Freight - p.Coupon
	p.Actual = p.Total - p.Integral
	return p, nil
}

// priceIn is PriceOf for a shop's currency. It also fails with errno.Invalid for a price that is no amount of it.
func priceIn(c money.Currency, lines []cart.Line, off Reduction, f freight.Freight) (Price, error) {
	p, err := PriceOf(lines, off, f)
	if err == nil && (!c.Fits(p.Goods) || !c.Fits(p.Freight) || !c.Fits(p.Coupon)) {
		err = errno.Invalid.Because(text.PriceNotWhole, string(c))
	}
	return p, err
}

// reduced is the amount of a line when each piece is cheaper by off.
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
		all[i] = promotion.Line{
			GoodsID: l.GoodsID, CategoryID: l.CategoryID, ParentID: l.ParentID, Sum: reduced(l, off),
		}
	}
	return all
}
