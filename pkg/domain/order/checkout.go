package order

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"time"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/promotion"
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
// concurrently. The same items submitted twice make one order.
func (s *Service) Submit(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	p, err := idempotency.InTx(ctx, s.Once, func(tx *db.Tx) (Placed, error) {
		return s.place(ctx, tx, shopper, sub)
	})
	if errors.Is(err, errno.GoodsUnshelved) || errors.Is(err, errno.GoodsInvalid) {
		// Clean up outside the transaction that was rolled back, so that the next attempt can succeed.
		err = errors.Join(err, s.Cart.Tidy(ctx, shopper))
	}
	return p, err
}

// place runs the steps of a submission in the global lock order: shopper, cart, order, coupon, stock.
func (s *Service) place(ctx context.Context, tx *db.Tx, shopper int64, sub Submission) (Placed, error) {
	to, lines, err := s.begin(ctx, tx, shopper, sub)
	if err != nil {
		return Placed{}, err
	}
	entry, err := s.entry(ctx, tx, shopper, sub, lines)
	if err != nil {
		return Placed{}, err
	}
	spent, err := s.coupon(ctx, tx, shopper, sub.Choice, couponLines(lines, entry.Rule.Discount))
	if err != nil {
		return Placed{}, err
	}
	o := Order{
		UserID: shopper, Status: Unpaid, Consignee: to.Name, Mobile: to.Tel, Address: to.Full(), Message: sub.Message,
		AddTime: s.Now(), CouponUserID: spent.ID,
	}
	// Freight is the only part of the price that is not compared under a lock, because all orders of the shop would wait
	// for each other. Like every setting it is at most a second old.
	v, err := s.Settings.NowIn(ctx, tx)
	if err != nil {
		return Placed{}, err
	}
	if o.Price, err = PriceOf(lines, Reduction{spent.Coupon.Discount, entry.Rule.Discount}, v); err != nil {
		return Placed{}, err
	}
	if o.Price.Actual > 0 { // an order that costs nothing is paid at once
		if err := s.checkUnpaidLimits(ctx, tx, shopper, lines); err != nil {
			return Placed{}, err
		}
	}
	pieces, err := s.store(ctx, tx, &o, lines)
	if err != nil {
		return Placed{}, err
	}
	entry.Order = o.ID
	group, err := s.promote(ctx, tx, &o, spent, entry)
	if err != nil {
		return Placed{}, err
	}
	if err := s.Stock.Take(ctx, tx, actor.Shopper(shopper), pieces); err != nil {
		return Placed{}, err
	}
	return Placed{OrderID: o.ID, Paid: o.Status != Unpaid, Group: group}, nil
}

// begin locks the shopper and reads the address and the lines of a submission, in one round trip.
func (s *Service) begin(
	ctx context.Context, tx *db.Tx, shopper int64, sub Submission,
) (to address.Address, lines []cart.Line, err error) {
	if err := s.queue(ctx, tx, shopper); err != nil {
		return to, nil, err
	}
	found, err := s.Addresses.FindLater(ctx, tx, shopper, sub.Address)
	if err != nil {
		return to, nil, err
	}
	lines, err = s.Cart.Buying(ctx, tx, shopper, sub.Cart)
	if err != nil && errno.Of(err) != errno.Invalid {
		return to, nil, err
	}
	to, unknown := found()
	if err = cmp.Or(unknown, err); err != nil {
		return to, nil, err
	}
	for _, l := range lines {
		if err := l.Buyable(); err != nil {
			return to, nil, err
		}
	}
	return to, lines, nil
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

// store writes the order with its lines, which leave the cart, and returns the stock lines it takes.
func (s *Service) store(ctx context.Context, tx *db.Tx, o *Order, lines []cart.Line) ([]catalog.StockLine, error) {
	if err := s.insertNumbered(ctx, tx, o); err != nil {
		return nil, err
	}
	if err := s.Cart.Consume(ctx, tx, lines); err != nil {
		return nil, err
	}
	if err := s.logMove(ctx, tx, *o, 0, actor.Shopper(o.UserID), ""); err != nil {
		return nil, err
	}
	ids, err := insertLines(ctx, tx, o.ID, linesOf(*o, lines, s.Now()))
	if err != nil {
		return nil, err
	}
	pieces := make([]catalog.StockLine, len(lines))
	for i, l := range lines {
		pieces[i] = catalog.StockLine{
			ProductID: l.ProductID, GoodsID: l.GoodsID, OrderID: o.ID, LineID: ids[l.ProductID], Number: l.Number,
			Price: l.Price, CategoryID: l.CategoryID,
		}
	}
	return pieces, nil
}

// insertLines writes the lines of an order and returns their ids by product. The database may number the rows of one
// statement in any order and with gaps, so the ids of several lines are read back, in the same round trip.
func insertLines(ctx context.Context, tx *db.Tx, order int64, lines []Line) (map[int64]int64, error) {
	if len(lines) == 1 {
		id, err := orderLines.Insert(ctx, tx, lines[0])
		return map[int64]int64{lines[0].ProductID: id}, err
	}
	if err := orderLines.InsertLater(ctx, tx, lines...); err != nil {
		return nil, err
	}
	written, err := numbered.Find(ctx, tx, "r.order_id = ?", order)
	ids := make(map[int64]int64, len(written))
	for _, l := range written {
		ids[l.ProductID] = l.ID
	}
	return ids, err
}

// numbered reads the ids of the lines of an order.
var numbered = table.Part[struct{ ID, ProductID int64 }](orderLines)

// linesOf copies the cart items and allocates the order's reductions to them: the group discount by quantity, the
// coupon by the resulting amounts.
func linesOf(o Order, lines []cart.Line, now time.Time) []Line {
	weights := make([]int64, len(lines))
	for i, l := range lines {
		weights[i] = int64(reduced(l, o.Price.Groupon))
	}
	shares := money.Split(o.Price.Coupon, weights)
	all := make([]Line, len(lines))
	for i, l := range lines {
		all[i] = Line{
			OrderID: o.ID, GoodsID: l.GoodsID, ProductID: l.ProductID, GoodsName: l.GoodsName, GoodsSN: l.GoodsSN,
			Number: l.Number, Price: l.Price, Reduction: shares[i] + l.Sum() - reduced(l, o.Price.Groupon),
			Specifications: l.Specifications, PicURL: l.PicURL, AddTime: now, UpdateTime: now,
		}
	}
	return all
}

// insertNumbered generates order numbers until one is free; with ten random digits a day the first almost always is.
func (s *Service) insertNumbered(ctx context.Context, tx *db.Tx, o *Order) error {
	const draws = 5
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	var err error
	o.UpdateTime = s.Now()
	for range draws {
		o.SN = s.number(o.AddTime)
		if o.ID, err = orders.Insert(ctx, tx, row{Order: *o}); err == nil {
			return nil
		}
		if !db.Duplicate(err, "uk_orders_sn") {
			break
		}
	}
	return fmt.Errorf("write an order of shopper %d: %w", o.UserID, err)
}

// number is the shop's date and ten random digits.
func (s *Service) number(at time.Time) string {
	n, err := rand.Int(rand.Reader, big.NewInt(10_000_000_000))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return at.In(s.Zone).Format("20060102") + fmt.Sprintf("%010d", n)
}

// NewNumber generates a number in the format of order numbers. A unique key of the caller's table tells whether it is
// free.
func (s *Service) NewNumber() string { return s.number(s.Now()) }

// UnpaidLimits bounds the stock that one shopper can block with unpaid orders; 0 means no limit.
type UnpaidLimits struct {
	// Orders limits a shopper's unpaid orders, Pieces the total quantity in them.
	Orders, Pieces int
}

// none reports that no limit is set.
func (l UnpaidLimits) none() bool { return l.Orders == 0 && l.Pieces == 0 }

// unpaidTotals are a shopper's unpaid orders and the total quantity in them.
type unpaidTotals struct{ Orders, Pieces int }

// queue serializes the submissions of one shopper by locking the account's row, before all other rows that a submission
// locks, so that the counts of unpaid orders still hold at the commit.
func (s *Service) queue(ctx context.Context, tx *db.Tx, shopper int64) error {
	return s.Accounts.Lock(ctx, tx, shopper)
}

// checkUnpaidLimits fails with errno.OrderCheckoutFailed if an order with these lines would exceed the limits of the
// shopper, whose row is locked.
func (s *Service) checkUnpaidLimits(ctx context.Context, tx *db.Tx, shopper int64, lines []cart.Line) error {
	if s.Unpaid.none() {
		return nil
	}
	h, err := unpaidOf(ctx, tx, shopper)
	if err != nil {
		return fmt.Errorf("count the unpaid orders of shopper %d: %w", shopper, err)
	}
	if most := s.Unpaid.Orders; most > 0 && h.Orders >= most {
		return fmt.Errorf("shopper %d has %d unpaid orders: %w", shopper, h.Orders,
			errno.OrderCheckoutFailed.Because(text.UnpaidOrders, most))
	}
	for _, l := range lines {
		h.Pieces += l.Number
	}
	if most := s.Unpaid.Pieces; most > 0 && h.Pieces > most {
		return fmt.Errorf("shopper %d would hold %d unpaid pieces: %w", shopper, h.Pieces,
			errno.OrderCheckoutFailed.Because(text.UnpaidPieces, most))
	}
	return nil
}

// unpaidOf counts on a covering index.
func unpaidOf(ctx context.Context, tx *db.Tx, shopper int64) (h unpaidTotals, err error) {
	found, err := table.Select[unpaidTotals](ctx, tx, `SELECT COUNT(DISTINCT o.id) AS orders,
			CAST(COALESCE(SUM(l.number), 0) AS SIGNED) AS pieces
		FROM orders o
		JOIN order_goods l ON l.order_id = o.id
		WHERE o.user_id = ? AND o.order_status IN ? AND o.deleted = 0`, shopper, moves.From(Pay))
	if err != nil {
		return h, err
	}
	return found[0], nil
}
