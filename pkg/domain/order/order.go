// Package order owns orders: their price, checkout, life and lists. Every change of state is one conditional update
// whose row count decides, in one transaction with everything that the transition implies.
package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/settings"
)

// Order is a purchase and its current state.
type Order struct {
	ID, UserID int64
	SN         string `gorm:"column:order_sn"`
	Status     Status `gorm:"column:order_status"`
	// Aftersale is the state of the order's after-sale case, 0 for none.
	Aftersale                  int `gorm:"column:aftersale_status"`
	Consignee, Mobile, Address string
	Message                    string
	Delivery                   settings.Way
	// CollectCode is what the shopper shows to collect the order, until it is collected or ends; CollectAddress and
	// CollectHours are where and when, as the shop had it when the order was placed. All are empty for other ways.
	CollectCode                  string `table:"null"`
	CollectAddress, CollectHours string
	Price                        Price `gorm:"embedded"`
	// CouponUserID is the shopper's coupon that was spent, 0 for none.
	CouponUserID int64
	// PayBefore is until when the order waits for a payment that takes longer than the time of unpaid orders.
	PayBefore     time.Time    `table:"null"`
	PayChannel    string       `table:"null"`
	PayID         string       `table:"null"`
	PayTime       time.Time    `table:"null"`
	ShipSN        string       `gorm:"column:ship_sn" table:"null"`
	ShipChannel   string       `table:"null"`
	ShipTime      time.Time    `table:"null"`
	RefundAmount  money.Amount `table:"null"`
	RefundType    string       `table:"null"`
	RefundContent string       `table:"null"`
	RefundTime    time.Time    `table:"null"`
	ConfirmTime   time.Time    `table:"null"`
	// Comments is the number of lines without a comment.
	Comments            int
	EndTime             time.Time `table:"null"`
	AddTime, UpdateTime time.Time
	// Deleted is set by an operator's delete, HiddenFromShopper by the shopper's own.
	Deleted           bool
	HiddenFromShopper bool `gorm:"column:user_deleted"`
	// version is incremented by every change; an update with an older version matches no row.
	version int
}

// Price is the composition of an order's price. Groupon is the group discount per piece, already deducted in Goods;
// Total is goods plus freight less the coupon, Actual the amount to pay.
type Price struct {
	Goods    money.Amount `gorm:"column:goods_price"`
	Freight  money.Amount `gorm:"column:freight_price"`
	Coupon   money.Amount `gorm:"column:coupon_price"`
	Integral money.Amount `gorm:"column:integral_price"`
	Groupon  money.Amount `gorm:"column:groupon_price"`
	Total    money.Amount `gorm:"column:order_price"`
	Actual   money.Amount `gorm:"column:actual_price"`
}

// Of is the amount of a line in Goods.
func (p Price) Of(l Line) money.Amount { return max(l.Price-p.Groupon, 0).Times(l.Number) }

// Line is a product of an order, as it was when it was bought.
type Line struct {
	ID, OrderID, GoodsID, ProductID int64
	GoodsName                       string
	GoodsSN                         string `gorm:"column:goods_sn"`
	Number                          int
	Price                           money.Amount
	// Reduction is this line's share of the order's reductions.
	Reduction      money.Amount `gorm:"column:discount_share"`
	Specifications []string     `gorm:"serializer:list"`
	PicURL         string
	// CommentID is the id of the comment, 0 while there is none, -1 when the comment period is over.
	CommentID           int64
	AddTime, UpdateTime time.Time
	Deleted             bool
}

// tooLate is the CommentID of a line whose comment period is over.
const tooLate = -1

// Detail is an order with its lines.
type Detail struct {
	Order
	Lines []Line
}

// row is an order as it is stored.
type row struct {
	Order
	// SrcOrderSN is the order number in the shop that an imported order comes from.
	SrcOrderSN string `gorm:"column:src_order_sn" table:"null"`
	Version    int
}

func (r row) order() Order {
	r.version = r.Version
	return r.Order
}

func ordersOf(rows []row) []Order {
	all := make([]Order, len(rows))
	for i, r := range rows {
		all[i] = r.order()
	}
	return all
}

var (
	orders = table.Of[row]("orders",
		table.Refers("user_id", "user"),
		table.MayRefer("coupon_user_id", "coupon_user"),
		table.RefersToNone("pay_id", "the number of the transaction at the platform"),
	)
	orderLines = table.Of[Line]("order_goods",
		table.Refers("order_id", "orders"),
		table.Refers("goods_id", "goods"),
		table.Refers("product_id", "goods_product"),
		table.MayRefer("comment_id", "comment").When("t.comment_id <> -1"),
	)
)

// Locking says whether an order is locked until the end of the transaction.
type Locking string

// The lock modes of a read.
const (
	Unlocked Locking = ""
	Locked   Locking = " FOR UPDATE"
)

// byID finds an order without checking who may see it.
func byID(ctx context.Context, q db.Querier, id int64, l Locking) (Order, bool, error) {
	r, found, err := orders.One(ctx, q, "r.id = ?"+string(l), id)
	return r.order(), found, err
}

// Load finds an order that an actor may see: a shopper their own orders that they have not hidden, any other actor
// every order that is not deleted. It fails with errno.OrderUnknown for a shopper and with errno.Invalid for others.
func (s *Service) Load(ctx context.Context, q db.Querier, id int64, by actor.Actor, l Locking) (Order, error) {
	o, _, err := byID(ctx, q, id, l)
	switch {
	case err != nil:
		return o, fmt.Errorf("order %d: %w", id, err)
	case !o.gone(by):
		return o, nil
	case by.Kind == actor.KindShopper:
		return Order{}, fmt.Errorf("order %d for shopper %d: %w", id, by.ID, errno.OrderUnknown)
	}
	return Order{}, fmt.Errorf("order %d: %w", id, errno.NoSuch(text.FieldOrder))
}

// gone reports whether the order is hidden from or deleted for the actor.
func (o Order) gone(by actor.Actor) bool {
	return o.ID == 0 || o.Deleted || by.Kind == actor.KindShopper && (o.HiddenFromShopper || o.UserID != by.ID)
}

// badValue turns the error for an unknown order into one for an invalid value, for operations whose subject
// is not the order.
func badValue(err error, named *text.Field) error {
	if errno.Of(err) == errno.OrderUnknown {
		return fmt.Errorf("%w (%s)", errno.NoSuch(named), err.Error())
	}
	return err
}

// due converts the order to what payment needs to collect its money.
func (o Order) due() payment.Due {
	return payment.Due{OrderID: o.ID, UserID: o.UserID, OrderSN: o.SN, Amount: o.Price.Actual}
}

// Find returns the shopper's order with its lines. It fails with errno.OrderUnknown.
func (s *Service) Find(ctx context.Context, shopper, id int64) (Detail, error) {
	o, err := s.Load(ctx, s.DB, id, actor.Shopper(shopper), Unlocked)
	if err != nil {
		return Detail{}, err
	}
	return s.withItsLines(ctx, o)
}

// AdminFind returns an order with its lines, a deleted one too. It fails with errno.Invalid.
func (s *Service) AdminFind(ctx context.Context, id int64) (Detail, error) {
	o, ok, err := byID(ctx, s.DB, id, Unlocked)
	switch {
	case err != nil:
		return Detail{}, fmt.Errorf("order %d: %w", id, err)
	case !ok:
		return Detail{}, errno.NoSuch(text.FieldOrder)
	case o.Deleted: // its lines were deleted with it and are shown
		lines, err := orderLines.Find(ctx, s.DB, "r.order_id = ? ORDER BY r.id", id)
		return Detail{Order: o, Lines: lines}, err
	}
	return s.withItsLines(ctx, o)
}

func (s *Service) withItsLines(ctx context.Context, o Order) (Detail, error) {
	details, err := s.withLines(ctx, []Order{o})
	if err != nil {
		return Detail{}, err
	}
	return details[0], nil
}

// withLines loads the lines of orders in one statement.
func (s *Service) withLines(ctx context.Context, all []Order) ([]Detail, error) {
	lines, err := s.LinesOf(ctx, ids(all))
	if err != nil {
		return nil, err
	}
	details := make([]Detail, len(all))
	for i, o := range all {
		details[i] = Detail{Order: o, Lines: lines[o.ID]}
	}
	return details, nil
}

func ids(all []Order) []int64 {
	list := make([]int64, len(all))
	for i, o := range all {
		list[i] = o.ID
	}
	return list
}

// LinesOf returns the lines of several orders, read in one statement.
func (s *Service) LinesOf(ctx context.Context, ids []int64) (map[int64][]Line, error) {
	all, err := linesIn(ctx, s.DB, ids)
	if err != nil {
		return nil, err
	}
	byOrder := make(map[int64][]Line, len(ids))
	for _, l := range all {
		byOrder[l.OrderID] = append(byOrder[l.OrderID], l)
	}
	return byOrder, nil
}

// linesIn returns the lines of several orders, sorted by order and id.
func linesIn(ctx context.Context, q db.Querier, ids []int64) ([]Line, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return orderLines.Find(ctx, q, linesOfOrders, ids)
}

// linesOfOrders is the condition that selects the lines of several orders, sorted by order and id.
const linesOfOrders = "r.order_id IN ? AND r.deleted = 0 ORDER BY r.order_id, r.id"

// pieces returns the stock lines of an order.
func pieces(ctx context.Context, q db.Querier, order int64) ([]catalog.StockLine, error) {
	lines, err := linesIn(ctx, q, []int64{order})
	all := make([]catalog.StockLine, len(lines))
	for i, l := range lines {
		all[i] = pieceOf(l)
	}
	return all, err
}

func pieceOf(l Line) catalog.StockLine {
	return catalog.StockLine{
		ProductID: l.ProductID, GoodsID: l.GoodsID, OrderID: l.OrderID, LineID: l.ID, Number: l.Number, Price: l.Price,
	}
}
