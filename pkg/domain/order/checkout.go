package order

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
)

// place makes purchases of different shoppers in one transaction, in the global lock order: shoppers, carts, orders,
// coupon, stock. If some cannot be made it fails with the error of one of them, and each has its own; the transaction
// must then be rolled back. Several purchases are of one product each, without coupon and group.
func (s *Service) place(ctx context.Context, tx *db.Tx, all ...*purchase) error {
	if err := s.write(ctx, tx, all); err != nil {
		return err
	}
	return s.take(ctx, tx, all)
}

// write is place without the stock.
func (s *Service) write(ctx context.Context, tx *db.Tx, all []*purchase) error {
	unpaid, priced, err := s.begin(ctx, tx, all)
	if err != nil {
		return err
	}
	now := sync.OnceValues(func() (settings.Values, error) { return s.Settings.NowIn(ctx, tx) }) // not for each purchase
	for _, p := range all {
		p.err = s.priceAndApplyPromotions(ctx, tx, p, now)
	}
	if err := anyRefused(all); err != nil {
		return err
	}
	if err := s.checkUnpaidLimits(unpaid(), all); err != nil {
		return err
	}
	if err := priced(all[0].currency); err != nil {
		return err
	}
	if err := s.insert(ctx, tx, all); err != nil {
		return err
	}
	db.Count(tx, meter.Orders, int64(len(all)), meter.Submitted)
	for _, p := range all {
		p.entry.Order = p.order.ID
		group, err := s.promote(ctx, tx, &p.order, p.spent, p.entry)
		if err != nil {
			return err
		}
		p.placed = Placed{OrderID: p.order.ID, Paid: p.order.Status != Unpaid, Group: group}
	}
	return nil
}

// take takes the stock of purchases, the last statement of their transaction.
func (s *Service) take(ctx context.Context, tx *db.Tx, all []*purchase) error {
	takings := make([]catalog.Taking, len(all))
	for i, p := range all {
		takings[i] = catalog.Taking{By: actor.Shopper(p.shopper), Pieces: p.pieces}
	}
	return s.Stock.Take(ctx, tx, takings...)
}

// begin locks the shoppers and the currency, and reads the addresses, the lines and what else is unpaid of their
// purchases, in one round trip. priced checks the currency in which they are priced.
func (s *Service) begin(
	ctx context.Context, tx *db.Tx, all []*purchase,
) (unpaid func() []unpaidTotals, priced func(money.Currency) error, err error) {
	shoppers := make([]int64, len(all))
	addresses, items := make([]address.Choice, len(all)), make([]cart.Choice, len(all))
	for i, p := range all {
		shoppers[i], addresses[i], items[i] = p.shopper, p.to(), p.item()
	}
	if err := s.queue(ctx, tx, shoppers...); err != nil {
		return nil, nil, err
	}
	if priced, err = s.Settings.KeepCurrency(ctx, tx); err != nil {
		return nil, nil, err
	}
	addressOf, err := s.Addresses.FindLater(ctx, tx, addresses)
	if err != nil {
		return nil, nil, err
	}
	if unpaid, err = s.unpaidLater(ctx, tx, shoppers); err != nil {
		return nil, nil, err
	}
	itemsOf, err := s.Cart.Buying(ctx, tx, items)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range all {
		to, unknown := addressOf(p.to())
		var none error
		p.lines, none = itemsOf(p.item())
		p.address = to
		p.order = Order{
			UserID: p.shopper, Status: Unpaid, Consignee: to.Name, Mobile: to.Tel, Address: s.Addresses.Line(to, s.Language),
			Message: p.Message, AddTime: s.Now(),
		}
		p.err = cmp.Or(unknown, none, buyable(p.lines))
		s.observe(p.lines)
	}
	return unpaid, priced, anyRefused(all)
}

// priceAndApplyPromotions finds the group and the coupon of a purchase and computes its price.
func (s *Service) priceAndApplyPromotions(
	ctx context.Context, tx *db.Tx, p *purchase, now func() (settings.Values, error),
) (err error) {
	if p.entry, err = s.entry(ctx, tx, p.shopper, p.Submission, p.lines); err != nil {
		return err
	}
	off := p.entry.Rule.Discount
	if p.spent, err = s.coupon(ctx, tx, p.shopper, p.Choice, couponLines(p.lines, off)); err != nil {
		return err
	}
	p.order.CouponUserID = p.spent.ID
	// Freight is the only part of the price that is not compared under a lock, because all orders of the shop would wait
	// for each other. Like every setting it is at most a second old, and so are the templates, all of one moment.
	v, err := now()
	if err != nil {
		return err
	}
	p.currency = v.Currency
	if err := p.deliver(v); err != nil {
		return err
	}
	f, err := s.Freight.NowIn(ctx, tx, freight.Delivery{
		Way: p.order.Delivery, To: p.address, Settings: v, Templated: templated(p.lines),
	})
	if err != nil {
		return err
	}
	if err := deliverable(p.lines, f); err != nil {
		return err
	}
	p.order.Price, err = priceIn(v.Currency, p.lines, Reduction{p.spent.Coupon.Discount, off}, f)
	if err != nil {
		return err
	}
	if p.product != 0 && (p.order.Price.Actual == 0 || len(p.lines) != 1 || p.lines[0].ProductID != p.product) {
		return errNotBatched // what costs nothing is paid at once
	}
	return nil
}

// entry finds the group-buy rule in effect and the group to join, which must have a free place; a zero rule means an
// ordinary purchase.
func (s *Service) entry(
	ctx context.Context, tx *db.Tx, shopper int64, sub Submission, lines []cart.Line,
) (promotion.Entry, error) {
	r, err := s.Promotions.Applying(ctx, tx, sub.Rule, goodsOf(lines), sub.Cart > 0)
	if err != nil || r.ID == 0 {
		return promotion.Entry{}, err
	}
	group, err := s.Promotions.Joinable(ctx, tx, r, sub.Link, shopper)
	return promotion.Entry{Rule: r, Group: group, Shopper: shopper, Order: 0}, err
}

// promote spends the coupon of an order, makes it a member of a group, and settles it if nothing is left to pay. It
// returns the group, 0 for none.
func (s *Service) promote(
	ctx context.Context, tx *db.Tx, o *Order, spent promotion.UserCoupon, e promotion.Entry,
) (group int64, err error) {
	if spent.ID != 0 {
		if err := s.Promotions.Spend(ctx, tx, o.UserID, spent, o.ID); err != nil {
			return 0, err
		}
	}
	if e.Rule.ID != 0 {
		if group, err = s.Promotions.Enter(ctx, tx, e); err != nil {
			return 0, err
		}
	}
	if o.Price.Actual > 0 {
		return group, nil
	}
	set := table.Set{"pay_channel": payment.Free} // what costs nothing is paid
	err = s.pay(ctx, tx, o, actor.Shopper(o.UserID), set, func() error { return s.Payments.CollectFree(ctx, tx, o.due()) })
	if err != nil || group == 0 {
		return group, err
	}
	return group, s.settle(ctx, tx, o)
}

// coupon finds the user coupon of a submission; the zero UserCoupon means none.
func (s *Service) coupon(
	ctx context.Context, tx *db.Tx, shopper int64, c Choice, lines []promotion.Line,
) (promotion.UserCoupon, error) {
	if c.Coupon <= 0 {
		return promotion.UserCoupon{}, nil
	}
	usable, err := s.Promotions.Usable(ctx, tx, shopper, lines)
	if err != nil {
		return promotion.UserCoupon{}, err
	}
	h, ok := promotion.Pick(usable, c.Coupon, c.UserCoupon)
	if !ok {
		return h, fmt.Errorf("coupon %d of shopper %d: %w",
			c.Coupon, shopper, errno.Invalid.Because(text.CouponNotApplicable))
	}
	return h, nil
}
