package order

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/promotion"
)

// rehearsed is the number of past orders that a rule is tried on, the newest first.
const rehearsed = 100

// Rehearsal is what a rule would have done to the last orders that were paid and not refunded.
type Rehearsal struct {
	// Orders is how many there are, at most a hundred.
	Orders int
	// Had are those that the rule fits, the newest first, each with what it would have taken off.
	Had []Tried
}

// Off is the sum of what the rule would have taken off.
func (r Rehearsal) Off() (sum money.Amount) {
	for _, t := range r.Had {
		sum = sum.Plus(t.Off)
	}
	return sum
}

// Tried is an order that a rule fits.
type Tried struct {
	Order
	Off money.Amount
}

// RehearseCoupon tries a coupon on the last orders, as if every shopper had had it and used no other. Goods count in
// the categories that they are in now.
func (s *Service) RehearseCoupon(ctx context.Context, c promotion.Coupon) (Rehearsal, error) {
	return s.rehearse(ctx, func(o Order, lines []cart.Line) (money.Amount, error) {
		if !c.Fits(couponLines(lines, o.Price.Groupon)) {
			return 0, nil
		}
		p, err := PriceOf(lines, Reduction{Coupon: c.Discount, Groupon: o.Price.Groupon}, asThen(o))
		return p.Coupon, err
	})
}

// RehearseGroup tries a group-buy rule on the last orders, as if each had been part of a full group.
func (s *Service) RehearseGroup(ctx context.Context, r promotion.GroupRule) (Rehearsal, error) {
	return s.rehearse(ctx, func(o Order, lines []cart.Line) (money.Amount, error) {
		if !r.Fits(goodsOf(lines)) {
			return 0, nil
		}
		without, err := PriceOf(lines, Reduction{}, asThen(o))
		if err != nil {
			return 0, err
		}
		with, err := PriceOf(lines, Reduction{Groupon: r.Discount}, asThen(o))
		return without.Goods - with.Goods, err
	})
}

// asThen is the freight that an order had.
func asThen(o Order) freight.Freight { return freight.Fixed(o.Price.Freight) }

// rehearse tries what a rule takes off on the last orders, 0 for one that it does not fit.
func (s *Service) rehearse(
	ctx context.Context, off func(Order, []cart.Line) (money.Amount, error),
) (Rehearsal, error) {
	var r Rehearsal
	err := s.eachSold(ctx, func(o Order, lines []cart.Line) error {
		r.Orders++
		taken, err := off(o, lines)
		if err == nil && taken > 0 {
			r.Had = append(r.Had, Tried{o, taken})
		}
		return err
	})
	return r, err
}

// eachSold passes the last orders that were paid and not refunded to do, the newest first, with their lines as they
// were in the cart.
func (s *Service) eachSold(ctx context.Context, do func(Order, []cart.Line) error) error {
	last, err := s.lastSold(ctx)
	if err != nil {
		return err
	}
	details, err := s.withLines(ctx, last)
	if err != nil {
		return err
	}
	var goods []int64
	for _, d := range details {
		for _, l := range d.Lines {
			goods = append(goods, l.GoodsID)
		}
	}
	places, err := catalog.Places(ctx, s.DB, goods)
	if err != nil {
		return err
	}
	for _, d := range details {
		if err := do(d.Order, bought(d.Lines, places)); err != nil {
			return fmt.Errorf("rehearse order %d: %w", d.ID, err)
		}
	}
	return nil
}

// bought are the lines of an order as they were in the cart.
func bought(lines []Line, places map[int64]catalog.Place) []cart.Line {
	all := make([]cart.Line, len(lines))
	for i, l := range lines {
		at := places[l.GoodsID]
		all[i].GoodsID, all[i].Price, all[i].Number = l.GoodsID, l.Price, l.Number
		all[i].CategoryID, all[i].ParentID = at.CategoryID, at.ParentID
		all[i].Weight, all[i].FreightID = at.Weight, at.FreightID
	}
	return all
}

// lastSoldIDs finds the ids of the last n orders that were paid and not refunded, newest first, as a table i for a
// statement and its arguments. They come from an index, at most n entries for each state.
func lastSoldIDs(n int) (statement string, args []any) {
	const of = `(SELECT id, add_time FROM orders FORCE INDEX (ix_orders_st) WHERE order_status = ? AND deleted = 0
		ORDER BY add_time DESC, id DESC LIMIT ?)`
	for _, status := range sold {
		args = append(args, status, n)
	}
	return "(" + strings.Repeat(of+" UNION ALL ", len(sold)-1) + of + " ORDER BY add_time DESC, id DESC LIMIT ?) i",
		append(args, n)
}

// lastSold reads the last orders that were paid and not refunded.
func (s *Service) lastSold(ctx context.Context) ([]Order, error) {
	last, args := lastSoldIDs(rehearsed)
	rows, err := orders.From(ctx, s.DB, last+" JOIN orders r ON r.id = i.id ORDER BY i.add_time DESC, i.id DESC", args...)
	if err != nil {
		return nil, fmt.Errorf("read the last %d orders: %w", rehearsed, err)
	}
	return ordersOf(rows), nil
}
