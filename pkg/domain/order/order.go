// Package order owns orders: what they cost, how they come to be, and their life until they end. Every change of
// state is one conditional update whose row count decides, in one transaction with all that must happen along with
// it.
package order

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/payment"
)

// Order is what a shopper has bought, and where it stands.
type Order struct {
	ID, UserID int64
	SN         string
	Status     Status
	// Aftersale is the state of the order's after-sale case, 0 for none.
	Aftersale                  int
	Consignee, Mobile, Address string
	Message                    string
	Price                      Price
	// CouponUserID is the shopper's coupon that was spent, 0 for none.
	CouponUserID              int64
	PayChannel, PayID         string
	PayTime                   time.Time
	ShipSN, ShipChannel       string
	ShipTime                  time.Time
	RefundAmount              money.Amount
	RefundType, RefundContent string
	RefundTime, ConfirmTime   time.Time
	// Comments is how many lines still wait for a comment.
	Comments            int
	EndTime             time.Time
	AddTime, UpdateTime time.Time
	// Deleted is the operator's delete, HiddenFromShopper the shopper's own.
	Deleted, HiddenFromShopper bool
	// version is raised by every change: a move that was decided on an older one finds no row.
	version int
}

// Price is what an order costs and why. Groupon is what each piece is cheaper, which Goods counts in; Total is goods
// plus freight less the coupon, Actual what is to be paid.
type Price struct {
	Goods, Freight, Coupon, Integral, Groupon, Total, Actual money.Amount
}

// Line is one product of an order, as it was when it was bought.
type Line struct {
	ID, OrderID, GoodsID, ProductID int64
	GoodsName, GoodsSN              string
	Number                          int
	Price                           money.Amount
	// Reduction is the part of the order's reductions that falls on this line.
	Reduction      money.Amount
	Specifications []string
	PicURL         string
	// CommentID is 0 while the line waits for its comment, -1 when it is too late, else the comment.
	CommentID           int64
	AddTime, UpdateTime time.Time
	Deleted             bool
}

// Detail is an order with its lines.
type Detail struct {
	Order
	Lines []Line
}

// Actor is who moves an order; the numbers are those of the status log.
type Actor struct {
	Type ActorType
	ID   int64
}

// ActorType tells actors apart.
type ActorType int

// The actors.
const (
	ByJob ActorType = iota
	ByShopper
	ByOperator
	ByPlatform
)

// Shopper and Operator name the two kinds of people.
func Shopper(id int64) Actor { return Actor{Type: ByShopper, ID: id} }

// Operator is a member of the staff.
func Operator(id int64) Actor { return Actor{Type: ByOperator, ID: id} }

// mover is the actor as the stock ledger knows it.
func (a Actor) mover() catalog.StockActor {
	switch a.Type {
	case ByShopper, ByOperator:
		return catalog.StockActor{Type: int(a.Type), ID: a.ID}
	case ByJob, ByPlatform:
	}
	return catalog.StockActor{}
}

type row struct {
	ID, UserID                 int64
	OrderSN                    string `gorm:"column:order_sn"`
	OrderStatus                Status
	AftersaleStatus            int
	Consignee, Mobile, Address string
	Message                    string
	GoodsPrice, FreightPrice   money.Amount
	CouponPrice, IntegralPrice money.Amount
	GrouponPrice, OrderPrice   money.Amount
	ActualPrice                money.Amount
	CouponUserID               int64
	PayChannel                 string
	PayID                      string `gorm:"column:pay_id"`
	PayTime                    sql.NullTime
	ShipSN                     string `gorm:"column:ship_sn"`
	ShipChannel                string
	ShipTime                   sql.NullTime
	RefundAmount               money.Amount
	RefundType, RefundContent  string
	RefundTime, ConfirmTime    sql.NullTime
	Comments                   int
	EndTime                    sql.NullTime
	AddTime, UpdateTime        time.Time
	Deleted, UserDeleted       bool
	Version                    int
}

func (r row) order() Order {
	return Order{
		ID: r.ID, UserID: r.UserID, SN: r.OrderSN, Status: r.OrderStatus, Aftersale: r.AftersaleStatus,
		Consignee: r.Consignee, Mobile: r.Mobile, Address: r.Address, Message: r.Message,
		Price: Price{
			Goods: r.GoodsPrice, Freight: r.FreightPrice, Coupon: r.CouponPrice, Integral: r.IntegralPrice,
			Groupon: r.GrouponPrice, Total: r.OrderPrice, Actual: r.ActualPrice,
		},
		CouponUserID: r.CouponUserID, PayChannel: r.PayChannel, PayID: r.PayID, PayTime: r.PayTime.Time,
		ShipSN: r.ShipSN, ShipChannel: r.ShipChannel, ShipTime: r.ShipTime.Time,
		RefundAmount: r.RefundAmount, RefundType: r.RefundType, RefundContent: r.RefundContent,
		RefundTime: r.RefundTime.Time, ConfirmTime: r.ConfirmTime.Time, Comments: r.Comments, EndTime: r.EndTime.Time,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime, Deleted: r.Deleted, HiddenFromShopper: r.UserDeleted,
		version: r.Version,
	}
}

const columns = "o.id, o.user_id, o.order_sn, o.order_status, o.aftersale_status, o.consignee, o.mobile, " +
	"o.address, o.message, o.goods_price, o.freight_price, o.coupon_price, o.integral_price, o.groupon_price, " +
	"o.order_price, o.actual_price, o.coupon_user_id, COALESCE(o.pay_channel, '') AS pay_channel, " +
	"COALESCE(o.pay_id, '') AS pay_id, o.pay_time, " +
	"COALESCE(o.ship_sn, '') AS ship_sn, COALESCE(o.ship_channel, '') AS ship_channel, o.ship_time, o.refund_amount, " +
	"COALESCE(o.refund_type, '') AS refund_type, COALESCE(o.refund_content, '') AS refund_content, o.refund_time, " +
	"o.confirm_time, o.comments, o.end_time, o.add_time, o.update_time, o.deleted, o.user_deleted, o.version"

func orders(query *gorm.DB) ([]Order, error) {
	var rows []row
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Order, len(rows))
	for i, r := range rows {
		all[i] = r.order()
	}
	return all, nil
}

func one(query *gorm.DB) (Order, bool, error) {
	found, err := orders(query)
	if err != nil || len(found) == 0 {
		return Order{}, false, err
	}
	return found[0], true, nil
}

func byID(ctx context.Context, q db.Querier, id int64) (Order, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id = ?", id))
}

func lock(ctx context.Context, tx *db.Tx, id int64) (Order, bool, error) {
	return one(tx.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id = ? FOR UPDATE", id))
}

// lockAll locks orders by ascending id.
func lockAll(ctx context.Context, tx *db.Tx, ids []int64) ([]Order, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return orders(tx.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id IN ? ORDER BY o.id FOR UPDATE", ids))
}

func ordersByID(ctx context.Context, q db.Querier, ids []int64) ([]Order, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return orders(q.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id IN ?", ids))
}

// gone reports whether the order exists no longer for the actor.
func (o Order) gone(by Actor) bool {
	return o.ID == 0 || o.Deleted || by.Type == ByShopper && (o.HiddenFromShopper || o.UserID != by.ID)
}

// due is what the order owes, as payments know it.
func (o Order) due() payment.Due {
	return payment.Due{OrderID: o.ID, UserID: o.UserID, OrderSN: o.SN, Amount: o.Price.Actual, TradeType: "JSAPI"}
}

// mine finds an order as its shopper may see it. It fails with errno.OrderUnknown for any other.
func (s *Service) mine(ctx context.Context, q db.Querier, shopper, id int64) (Order, error) {
	o, ok, err := byID(ctx, q, id)
	if err != nil {
		return o, fmt.Errorf("read order %d: %w", id, err)
	}
	if !ok || o.gone(Shopper(shopper)) {
		return Order{}, fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.OrderUnknown)
	}
	return o, nil
}

// ofShopper is mine for operations whose subject is a line: there an order that is not the shopper's is a bad value.
func (s *Service) ofShopper(ctx context.Context, q db.Querier, shopper, id int64, name string) (Order, error) {
	o, err := s.mine(ctx, q, shopper, id)
	if errno.Of(err) == errno.OrderUnknown {
		return o, fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.NoSuch(name))
	}
	return o, err
}

// forOperator finds an order that an operator may act on. It fails with errno.Invalid.
func (s *Service) forOperator(ctx context.Context, q db.Querier, id int64) (Order, error) {
	o, ok, err := byID(ctx, q, id)
	if err != nil {
		return o, fmt.Errorf("read order %d: %w", id, err)
	}
	if !ok || o.Deleted {
		return o, errno.NoSuch("orderId")
	}
	return o, nil
}

// lockForOperator is forOperator for a move of several steps: the order is kept for the transaction.
func (s *Service) lockForOperator(ctx context.Context, tx *db.Tx, id int64) (Order, error) {
	o, ok, err := lock(ctx, tx, id)
	if err != nil {
		return o, fmt.Errorf("lock order %d: %w", id, err)
	}
	if !ok || o.Deleted {
		return o, errno.NoSuch("orderId")
	}
	return o, nil
}

// Lock finds a shopper's order and keeps it for the transaction. It fails with errno.OrderUnknown.
func (s *Service) Lock(ctx context.Context, tx *db.Tx, shopper, id int64) (Order, error) {
	o, ok, err := lock(ctx, tx, id)
	if err != nil {
		return o, fmt.Errorf("lock order %d: %w", id, err)
	}
	if !ok || o.gone(Shopper(shopper)) {
		return Order{}, fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.OrderUnknown)
	}
	return o, nil
}

// LockAny is Lock for whoever may see all orders, one that its shopper has hidden too. It fails with errno.Invalid.
func (s *Service) LockAny(ctx context.Context, tx *db.Tx, id int64) (Order, error) {
	o, ok, err := lock(ctx, tx, id)
	if err != nil {
		return o, fmt.Errorf("lock order %d: %w", id, err)
	}
	if !ok || o.Deleted {
		return Order{}, fmt.Errorf("order %d: %w", id, errno.NoSuch("orderId"))
	}
	return o, nil
}

// Find returns the shopper's order with its lines. It fails with errno.OrderUnknown.
func (s *Service) Find(ctx context.Context, shopper, id int64) (Detail, error) {
	o, err := s.mine(ctx, s.DB, shopper, id)
	if err != nil {
		return Detail{}, err
	}
	details, err := s.withLines(ctx, []Order{o})
	if err != nil {
		return Detail{}, err
	}
	return details[0], nil
}

// AdminFind returns an order with its lines, a deleted one too. It fails with errno.Invalid.
func (s *Service) AdminFind(ctx context.Context, id int64) (Detail, error) {
	o, ok, err := byID(ctx, s.DB, id)
	if err != nil {
		return Detail{}, fmt.Errorf("read order %d: %w", id, err)
	}
	if !ok {
		return Detail{}, errno.NoSuch("orderId")
	}
	if o.Deleted {
		lines, err := linesEver(ctx, s.DB, id)
		if err != nil {
			return Detail{}, fmt.Errorf("read the lines of order %d: %w", id, err)
		}
		return Detail{Order: o, Lines: lines}, nil
	}
	details, err := s.withLines(ctx, []Order{o})
	if err != nil {
		return Detail{}, err
	}
	return details[0], nil
}

func insertOrder(ctx context.Context, tx *db.Tx, o Order, now time.Time) (int64, error) {
	if o.Price.Groupon != 0 {
		return db.Insert(ctx, tx, "INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, "+
			"message, goods_price, freight_price, coupon_price, groupon_price, order_price, actual_price, "+
			"coupon_user_id, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			o.UserID, o.SN, o.Status, o.Consignee, o.Mobile, o.Address, o.Message, o.Price.Goods, o.Price.Freight,
			o.Price.Coupon, o.Price.Groupon, o.Price.Total, o.Price.Actual, o.CouponUserID, o.AddTime, now)
	}
	return db.Insert(ctx, tx, "INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, message, "+
		"goods_price, freight_price, coupon_price, order_price, actual_price, coupon_user_id, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		o.UserID, o.SN, o.Status, o.Consignee, o.Mobile, o.Address, o.Message, o.Price.Goods, o.Price.Freight, o.Price.Coupon,
		o.Price.Total, o.Price.Actual, o.CouponUserID, o.AddTime, now)
}

type lineRow struct {
	ID, OrderID, GoodsID, ProductID int64
	GoodsName                       string
	GoodsSN                         string `gorm:"column:goods_sn"`
	Number                          int
	Price, DiscountShare            money.Amount
	Specifications                  string
	PicURL                          string `gorm:"column:pic_url"`
	CommentID                       int64
	AddTime, UpdateTime             time.Time
	Deleted                         bool
}

const lineColumns = "id, order_id, goods_id, product_id, goods_name, goods_sn, number, price, discount_share, " +
	"specifications, pic_url, comment_id, add_time, update_time, deleted"

func lines(query *gorm.DB) ([]Line, error) {
	var rows []lineRow
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Line, len(rows))
	for i, r := range rows {
		all[i] = Line{
			ID: r.ID, OrderID: r.OrderID, GoodsID: r.GoodsID, ProductID: r.ProductID, GoodsName: r.GoodsName, GoodsSN: r.GoodsSN,
			Number: r.Number, Price: r.Price, Reduction: r.DiscountShare, PicURL: r.PicURL, CommentID: r.CommentID,
			AddTime: r.AddTime, UpdateTime: r.UpdateTime, Deleted: r.Deleted,
		}
		if err := json.Unmarshal([]byte(r.Specifications), &all[i].Specifications); err != nil {
			return nil, fmt.Errorf("specifications of order line %d: %w", r.ID, err)
		}
	}
	return all, nil
}

// linesIn returns the lines of several orders, by order and id.
func linesIn(ctx context.Context, q db.Querier, orders []int64) ([]Line, error) {
	if len(orders) == 0 {
		return nil, nil
	}
	return lines(q.G(ctx).Raw("SELECT "+lineColumns+" FROM order_goods WHERE order_id IN ? AND deleted = 0 ORDER BY "+
		"order_id, id",
		orders))
}

func lineByID(ctx context.Context, q db.Querier, id int64) (Line, bool, error) {
	found, err := lines(q.G(ctx).Raw("SELECT "+lineColumns+" FROM order_goods WHERE id = ? AND deleted = 0", id))
	if err != nil || len(found) == 0 {
		return Line{}, false, err
	}
	return found[0], true, nil
}

func lineIDs(ctx context.Context, tx *db.Tx, order int64) (map[int64]int64, error) {
	var rows []struct{ ID, ProductID int64 }
	if err := tx.G(ctx).Raw("SELECT id, product_id FROM order_goods WHERE order_id = ?",
		order).Scan(&rows).Error; err != nil {
		return nil, err
	}
	ids := make(map[int64]int64, len(rows))
	for _, r := range rows {
		ids[r.ProductID] = r.ID
	}
	return ids, nil
}

// linesEver returns the lines of an order, deleted ones too: those of a deleted order are shown with it.
func linesEver(ctx context.Context, q db.Querier, order int64) ([]Line, error) {
	return lines(q.G(ctx).Raw("SELECT "+lineColumns+" FROM order_goods WHERE order_id = ? ORDER BY id", order))
}

func insertLines(ctx context.Context, tx *db.Tx, order int64, all []Line, now time.Time) error {
	const tuple = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	args := make([]any, 0, len(all)*12)
	for _, l := range all {
		specifications, err := encode(l.Specifications)
		if err != nil {
			return err
		}
		args = append(args, order, l.GoodsID, l.GoodsName, l.GoodsSN, l.ProductID, l.Number, l.Price, l.Reduction,
			specifications,
			l.PicURL, now, now)
	}
	return tx.G(ctx).Exec("INSERT INTO order_goods (order_id, goods_id, goods_name, goods_sn, product_id, number, price, "+
		"discount_share, specifications, pic_url, add_time, update_time) VALUES "+
		tuple+strings.Repeat(", "+tuple, len(all)-1), args...).Error
}

func ids(orders []Order) []int64 {
	all := make([]int64, len(orders))
	for i, o := range orders {
		all[i] = o.ID
	}
	return all
}

// withLines reads the lines of orders in one statement.
func (s *Service) withLines(ctx context.Context, orders []Order) ([]Detail, error) {
	lines, err := linesIn(ctx, s.DB, ids(orders))
	if err != nil {
		return nil, fmt.Errorf("read order lines: %w", err)
	}
	byOrder := map[int64][]Line{}
	for _, l := range lines {
		byOrder[l.OrderID] = append(byOrder[l.OrderID], l)
	}
	details := make([]Detail, len(orders))
	for i, o := range orders {
		details[i] = Detail{Order: o, Lines: byOrder[o.ID]}
	}
	return details, nil
}

// LinesOf returns the lines of several orders, read in one statement.
func (s *Service) LinesOf(ctx context.Context, orders []int64) (map[int64][]Line, error) {
	all, err := linesIn(ctx, s.DB, orders)
	if err != nil {
		return nil, fmt.Errorf("read order lines: %w", err)
	}
	byOrder := make(map[int64][]Line, len(orders))
	for _, l := range all {
		byOrder[l.OrderID] = append(byOrder[l.OrderID], l)
	}
	return byOrder, nil
}

func (s *Service) pieces(ctx context.Context, q db.Querier, order int64) ([]catalog.StockLine, error) {
	lines, err := linesIn(ctx, q, []int64{order})
	if err != nil {
		return nil, fmt.Errorf("read the lines of order %d: %w", order, err)
	}
	pieces := make([]catalog.StockLine, len(lines))
	for i, l := range lines {
		pieces[i] = catalog.StockLine{
			ProductID: l.ProductID, GoodsID: l.GoodsID, OrderID: l.OrderID, LineID: l.ID, Number: l.Number, Price: l.Price,
		}
	}
	return pieces, nil
}

func encode(specifications []string) (string, error) {
	b, err := json.Marshal(append([]string{}, specifications...))
	return string(b), err
}

func nullText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }
