package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
)

// Submission is a request to place an order. Coupon may be NoCoupon or 0 for none.
type Submission struct {
	Choice
	// Link is a member of the group to join, 0 or less to open a group; it is ignored without a group-buy rule in effect.
	Link    int64
	Message string
}

// Placed is the result of a submission.
type Placed struct {
	OrderID int64
	// Paid reports that nothing had to be paid.
	Paid bool
	// Group is the group that the order opens or joins, 0 for none.
	Group int64
}

// Submit turns cart items into an order with the current prices, stock and coupon, all or nothing. It fails with
// errno.Invalid for an address, cart item or coupon that the shopper cannot use, with GoodsUnshelved, GoodsInvalid and
// GoodsNoStock for goods that cannot be bought, with GrouponExpired, GrouponOffline, GrouponFull and GrouponJoined for
// a group that cannot be opened or joined, with OrderCheckoutFailed if the shopper would exceed UnpaidLimits, and with
// Stale if an input of the price (the product's price or category, the group-buy rule, the coupon) was modified
// concurrently, or if too many already wait for the same product. The same items submitted twice make one order.
func (s *Service) Submit(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	placed, err := s.submit(ctx, shopper, sub)
	if errors.Is(err, errno.GoodsUnshelved) || errors.Is(err, errno.GoodsInvalid) {
		// Clean up outside the transaction that was rolled back, so that the next attempt can succeed.
		err = errors.Join(err, s.Cart.Tidy(ctx, shopper))
	}
	if errors.Is(err, errno.GoodsNoStock) {
		s.DB.Meter().Count(meter.StockRefusals)
	}
	return placed, err
}

func (s *Service) submit(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	placed, err := s.rush(ctx, shopper, sub)
	if errors.Is(err, errAlone) {
		placed, err = s.alone(ctx, shopper, sub)
	}
	if err == nil && s.heat.on { // a second purchase of the same item finds none
		s.items.Invalidate(cart.Choice{Shopper: shopper, ID: sub.Cart})
	}
	return placed, err
}

// alone makes a purchase in a transaction of its own.
func (s *Service) alone(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	return idempotency.InTx(ctx, s.Once, func(tx *db.Tx) (Placed, error) {
		p := &purchase{shopper: shopper, Submission: sub}
		err := s.place(ctx, tx, p)
		return p.placed, err
	})
}

// purchase is a submission on its way to an order.
type purchase struct {
	Submission
	shopper int64
	// product is the hot product that is bought, 0 for a purchase in a transaction of its own.
	product int64
	lines   []cart.Line
	order   Order
	entry   promotion.Entry
	spent   promotion.UserCoupon
	pieces  []catalog.StockLine
	placed  Placed
	// err is why this purchase cannot be made; it concerns no other in the same transaction.
	err error
}

func (p *purchase) item() cart.Choice { return cart.Choice{Shopper: p.shopper, ID: p.Cart} }

func (p *purchase) to() address.Choice { return address.Choice{Shopper: p.shopper, ID: p.Address} }

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
	unpaid, err := s.begin(ctx, tx, all)
	if err != nil {
		return err
	}
	now := sync.OnceValues(func() (settings.Values, error) { return s.Settings.NowIn(ctx, tx) }) // not for each purchase
	for _, p := range all {
		p.err = s.settleOn(ctx, tx, p, now)
	}
	if err := anyRefused(all); err != nil {
		return err
	}
	if err := s.checkUnpaidLimits(unpaid(), all); err != nil {
		return err
	}
	if err := s.store(ctx, tx, all); err != nil {
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

// anyRefused returns the error of a purchase that cannot be made.
func anyRefused(all []*purchase) error {
	for _, p := range all {
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

// begin locks the shoppers and reads the addresses, the lines and what else is unpaid of their purchases, in one round
// trip.
func (s *Service) begin(ctx context.Context, tx *db.Tx, all []*purchase) (func() []unpaidTotals, error) {
	shoppers := make([]int64, len(all))
	addresses, items := make([]address.Choice, len(all)), make([]cart.Choice, len(all))
	for i, p := range all {
		shoppers[i], addresses[i], items[i] = p.shopper, p.to(), p.item()
	}
	if err := s.queue(ctx, tx, shoppers...); err != nil {
		return nil, err
	}
	addressOf, err := s.Addresses.FindLater(ctx, tx, addresses)
	if err != nil {
		return nil, err
	}
	unpaid, err := s.unpaidLater(ctx, tx, shoppers)
	if err != nil {
		return nil, err
	}
	itemsOf, err := s.Cart.Buying(ctx, tx, items)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		to, unknown := addressOf(p.to())
		var none error
		p.lines, none = itemsOf(p.item())
		p.order = Order{
			UserID: p.shopper, Status: Unpaid, Consignee: to.Name, Mobile: to.Tel, Address: to.Full(s.Language),
			Message: p.Message, AddTime: s.Now(),
		}
		p.err = cmp.Or(unknown, none, buyable(p.lines))
		s.heat.saw(p.lines)
	}
	return unpaid, anyRefused(all)
}

func buyable(lines []cart.Line) error {
	for _, l := range lines {
		if err := l.Buyable(); err != nil {
			return err
		}
	}
	return nil
}

// settleOn finds the group and the coupon of a purchase and computes its price.
func (s *Service) settleOn(
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
	// for each other. Like every setting it is at most a second old.
	v, err := now()
	if err != nil {
		return err
	}
	if p.order.Price, err = PriceOf(p.lines, Reduction{p.spent.Coupon.Discount, off}, v); err != nil {
		return err
	}
	if p.product != 0 && (p.order.Price.Actual == 0 || len(p.lines) != 1 || p.lines[0].ProductID != p.product) {
		return errAlone // what costs nothing is paid at once
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
