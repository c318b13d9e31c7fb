package order

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/settings"
)

// insert writes the orders of purchases with their lines, which leave the cart, and notes the stock that they take.
func (s *Service) insert(ctx context.Context, tx *db.Tx, all []*purchase) error {
	if err := s.insertNumbered(ctx, tx, all); err != nil {
		return err
	}
	var bought []cart.Line
	for _, p := range all {
		bought = append(bought, p.lines...)
	}
	if err := s.Cart.Consume(ctx, tx, bought); err != nil {
		return err
	}
	if err := identify(ctx, tx, all); err != nil {
		return err
	}
	entries := make([]logEntry, len(all))
	var lines []Line
	for i, p := range all {
		entries[i] = s.moveOf(p.order, 0, actor.Shopper(p.shopper), p.order.Delivery.Special())
		lines = append(lines, linesOf(p, s.Now())...)
	}
	if err := statusLog.InsertAll(ctx, tx.Later(nil), entries); err != nil {
		return err
	}
	ids, err := insertLines(ctx, tx, lines)
	if err != nil {
		return err
	}
	for _, p := range all {
		p.pieces = make([]catalog.StockLine, len(p.lines))
		for i, l := range p.lines {
			p.pieces[i] = catalog.StockLine{
				ProductID: l.ProductID, GoodsID: l.GoodsID, OrderID: p.order.ID, LineID: ids[lineKey{p.order.ID, l.ProductID}],
				Number: l.Number, Price: l.Price, CategoryID: l.CategoryID,
			}
		}
	}
	return nil
}

// lineKey identifies a line of an order: an order has at most one of each product.
type lineKey struct{ order, product int64 }

// insertLines writes the lines of orders and returns their ids. The database may number the rows of one statement in
// any order and with gaps, so the ids of several lines are read back, in the same round trip.
func insertLines(ctx context.Context, tx *db.Tx, lines []Line) (map[lineKey]int64, error) {
	if len(lines) == 1 {
		id, err := orderLines.Insert(ctx, tx, lines[0])
		return map[lineKey]int64{{lines[0].OrderID, lines[0].ProductID}: id}, err
	}
	if err := orderLines.InsertAll(ctx, tx.Later(nil), lines); err != nil {
		return nil, err
	}
	var orders []int64
	for _, l := range lines {
		if n := len(orders); n == 0 || orders[n-1] != l.OrderID {
			orders = append(orders, l.OrderID)
		}
	}
	written, err := lineIDs.Find(ctx, tx, "r.order_id IN ?", orders)
	ids := make(map[lineKey]int64, len(written))
	for _, l := range written {
		ids[lineKey{l.OrderID, l.ProductID}] = l.ID
	}
	return ids, err
}

// lineIDs reads the ids of the lines of orders, and orderIDs those of orders.
var (
	lineIDs  = table.Part[struct{ ID, OrderID, ProductID int64 }](orderLines)
	orderIDs = table.Part[struct {
		ID int64
		SN string `gorm:"column:order_sn"`
	}](orders)
)

// linesOf copies the cart items and allocates the order's reductions to them: the group discount by quantity, the
// coupon by the resulting amounts.
func linesOf(p *purchase, now time.Time) []Line {
	o, lines := p.order, p.lines
	weights := make([]int64, len(lines))
	for i, l := range lines {
		weights[i] = int64(reduced(l, o.Price.Groupon))
	}
	shares := p.currency.Split(o.Price.Coupon, weights)
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

// insertNumbered generates order numbers, and the codes of what is collected, until all are free; with ten random
// digits a day, and eight for the codes of open orders, the first almost always are.
func (s *Service) insertNumbered(ctx context.Context, tx *db.Tx, all []*purchase) error {
	const draws = 5
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	var err error
	for range draws {
		rows := make([]row, len(all))
		for i, p := range all {
			p.order.UpdateTime = s.Now()
			p.order.SN = s.number(p.order.AddTime)
			if p.order.Delivery == settings.Collect {
				p.order.CollectCode = digits(collectDigits)
			}
			rows[i] = row{Order: p.order}
		}
		if len(rows) == 1 {
			all[0].order.ID, err = orders.Insert(ctx, tx, rows[0])
		} else {
			err = orders.InsertAll(ctx, tx, rows)
		}
		if err == nil {
			return nil
		}
		if !db.Duplicate(err, "uk_orders_sn") && !db.Duplicate(err, "uk_orders_collect") {
			break
		}
	}
	return fmt.Errorf("write %d orders: %w", len(all), err)
}

// identify reads the ids of several new orders by their numbers.
func identify(ctx context.Context, tx *db.Tx, all []*purchase) error {
	if len(all) == 1 {
		return nil
	}
	numbers := make([]string, len(all))
	for i, p := range all {
		numbers[i] = p.order.SN
	}
	found, err := orderIDs.Find(ctx, tx, "r.order_sn IN ?", numbers)
	if err != nil {
		return err
	}
	ids := make(map[string]int64, len(found))
	for _, o := range found {
		ids[o.SN] = o.ID
	}
	for _, p := range all {
		if p.order.ID = ids[p.order.SN]; p.order.ID == 0 {
			return fmt.Errorf("order %s has no id after it was written", p.order.SN)
		}
	}
	return nil
}

// number is the shop's date and ten random digits.
func (s *Service) number(at time.Time) string {
	return at.In(s.Zone).Format("20060102") + digits(numberDigits)
}

// The random digits of the number of an order, and of the code of one that is collected.
const (
	numberDigits  = 10
	collectDigits = 8
)

// digits are n random decimal digits.
func digits(n int) string {
	all := make([]byte, n)
	for i := range all {
		d, err := rand.Int(rand.Reader, big.NewInt(10))
		if err != nil {
			panic(err) // crypto/rand never fails
		}
		all[i] = "0123456789"[d.Int64()]
	}
	return string(all)
}

// NewNumber generates a number in the format of order numbers. A unique key of the caller's table tells whether it is
// free.
func (s *Service) NewNumber() string { return s.number(s.Now()) }
