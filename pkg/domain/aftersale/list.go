package aftersale

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
)

// Listed is a case with the lines that it is about, none for the whole order.
type Listed struct {
	Case
	About []Line
	// Lines are the lines of its order. Lists of operators do without.
	Lines []order.Line
}

// List returns a page of the shopper's cases, in one state or, for nil, in any. The lines of all of them, and of all
// their orders, are read in one statement each.
func (s *Service) List(ctx context.Context, shopper int64, in *Status, q page.Query) (page.List[Listed], error) {
	found, err := s.fetch(ctx, ofShopper(shopper, in), q)
	if err != nil {
		return page.List[Listed]{}, fmt.Errorf("list the cases of shopper %d: %w", shopper, err)
	}
	orders := make([]int64, len(found.Items))
	for i, c := range found.Items {
		orders[i] = c.OrderID
	}
	lines, err := s.Orders.LinesOf(ctx, orders)
	if err != nil {
		return page.List[Listed]{}, err
	}
	listed, err := s.withLines(ctx, found)
	for i, c := range listed.Items {
		listed.Items[i].Lines = lines[c.OrderID]
	}
	return listed, err
}

// withLines adds the lines that the cases of a page are about.
func (s *Service) withLines(ctx context.Context, found page.List[Case]) (page.List[Listed], error) {
	ids := make([]int64, len(found.Items))
	for i, c := range found.Items {
		ids[i] = c.ID
	}
	about, err := linesOf(ctx, s.DB, ids...)
	return page.Map(found, func(c Case) Listed { return Listed{Case: c, About: about[c.ID]} }), err
}

// AdminList returns a page of all cases. The total of a list that is filtered by a state alone may be half a minute
// old.
func (s *Service) AdminList(ctx context.Context, f Filter, q page.Query) (page.List[Listed], error) {
	found, err := s.fetch(ctx, ofAll(f), q)
	if err != nil {
		return page.List[Listed]{}, fmt.Errorf("list cases: %w", err)
	}
	return s.withLines(ctx, found)
}

// Opened is a case with the lines of its order, and what it is about.
type Opened struct {
	Listed
	// Wanted are the products that are wanted in exchange, by their ids.
	Wanted map[int64]catalog.ProductSnapshot
}

// AdminFind returns a case. It fails with errno.Invalid for one that is unknown or was replaced.
func (s *Service) AdminFind(ctx context.Context, id int64) (Opened, error) {
	c, found, err := byID(ctx, s.DB, id)
	if err == nil && !found {
		err = errno.NoSuch(text.FieldCase)
	}
	if err != nil {
		return Opened{}, fmt.Errorf("read case %d: %w", id, err)
	}
	about, err := linesOf(ctx, s.DB, id)
	if err != nil {
		return Opened{}, err
	}
	o := Opened{Listed: Listed{Case: c, About: about[id], Lines: nil}, Wanted: map[int64]catalog.ProductSnapshot{}}
	if o.Lines, err = s.Orders.Lines(ctx, s.DB, c.OrderID); err != nil {
		return o, err
	}
	products, err := catalog.ProductSnapshots(ctx, s.DB, wantedFor(o.About, o.Lines))
	for _, p := range products {
		o.Wanted[p.ProductID] = p
	}
	return o, err
}

// wantedFor returns the products that lines of a case want in exchange.
func wantedFor(about []Line, of []order.Line) []catalog.Wanted {
	var all []catalog.Wanted
	for _, l := range about {
		for _, bought := range of {
			if bought.ID == l.LineID && l.ProductID != 0 {
				all = append(all, catalog.Wanted{ProductID: l.ProductID, GoodsID: bought.GoodsID})
			}
		}
	}
	return all
}

// Detail is the shopper's order with its newest case, the zero Case for none.
type Detail struct {
	order.Order
	Case  Case
	About []Line
	Lines []Holding
	May   Options
}

// Options is what a shopper may do about an order after the sale.
type Options struct {
	// Submit is to ask for money back for the whole order, or again after a rejection, or otherwise until staff have
	// accepted; Lines is to ask for lines of it, or for others in exchange; Cancel is to withdraw the case, Parcel to
	// announce the parcel with the goods.
	Submit, Lines, Cancel, Parcel bool
	// Most is the maximum refund.
	Most money.Amount
}

// Find returns the shopper's order with its lines and its newest case. It fails with errno.OrderUnknown.
func (s *Service) Find(ctx context.Context, shopper, id int64) (Detail, error) {
	d, err := s.Orders.Find(ctx, shopper, id)
	if err != nil {
		return Detail{}, err
	}
	h, err := historyOf(ctx, s.DB, id, true)
	if err != nil {
		return Detail{}, err
	}
	v, err := s.Orders.Settings.Now(ctx)
	c := h.newest()
	found := Detail{
		Order: d.Order, Case: c, About: h.lines[c.ID], Lines: h.holdings(d.Order, d.Lines, v.Currency),
		May: Options{},
	}
	found.May = h.options(d.Order, found.Lines)
	return found, err
}

// options returns what the shopper may do about an order with these cases.
func (h history) options(o order.Order, lines []Holding) Options {
	c := h.newest()
	left := 0
	for _, l := range lines {
		left += l.Left()
	}
	can := func(e Event) bool { _, ok := c.Status.Next(e); return ok && o.Status.Done() }
	_, settled := h.settled()
	_, cancellable := c.Status.Next(Cancel)
	return Options{
		Submit: can(Request) && !settled, Lines: can(RequestLines) && left > 0 && !o.Owed(), Cancel: cancellable,
		Parcel: c.awaitsGoods(), Most: max(0, o.PaidForGoods()-h.refunded()),
	}
}

// Returnable is how many pieces of a line a new request may be about.
func (d Detail) Returnable(l Holding) int {
	if !d.May.Lines {
		return 0
	}
	return l.Left()
}
