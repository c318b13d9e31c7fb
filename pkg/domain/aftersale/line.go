package aftersale

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
)

// Line is an order line that a case is about. A case about the whole order has none.
type Line struct {
	ID     int64
	CaseID int64 `gorm:"column:aftersale_id"`
	// LineID is the order line, Number how many of its pieces the case is about.
	LineID int64 `gorm:"column:order_goods_id"`
	Number int
	// Worth is what was paid for these pieces, and Amount their part of the amount of the case, at most Worth.
	Worth, Amount money.Amount
	// ProductID is the product wanted in exchange, 0 for none; SentID is the order line of what was sent, 0 until then.
	ProductID, SentID int64
}

var caseLines = table.Of[Line]("aftersale_line",
	table.Refers("aftersale_id", "aftersale"),
	table.Refers("order_goods_id", "order_goods"),
	table.MayRefer("product_id", "goods_product"),
	table.MayRefer("sent_id", "order_goods"),
)

// linesOf returns the lines of cases, by case.
func linesOf(ctx context.Context, q db.Querier, cases ...int64) (map[int64][]Line, error) {
	byCase := map[int64][]Line{}
	if len(cases) == 0 {
		return byCase, nil
	}
	all, err := caseLines.Find(ctx, q, "r.aftersale_id IN ? ORDER BY r.aftersale_id, r.id", cases)
	if err != nil {
		return nil, fmt.Errorf("read the lines of cases %v: %w", cases, err)
	}
	for _, l := range all {
		byCase[l.CaseID] = append(byCase[l.CaseID], l)
	}
	return byCase, nil
}

// Holding is an order line with what after-sale cases have done about its pieces.
type Holding struct {
	order.Line
	// Paid is what was paid for the line; for one that was sent in exchange, what was paid for what it replaces.
	Paid money.Amount
	// Refunded and Exchanged are how many of its pieces cases have dealt with.
	Refunded, Exchanged int
	// Sent reports that it was sent in exchange.
	Sent bool
}

// Left is how many pieces of the line no case has dealt with.
func (h Holding) Left() int { return h.Number - h.Refunded - h.Exchanged }

// history is the live cases of an order, the oldest first, with their lines.
type history struct {
	cases []Case
	lines map[int64][]Line
}

// historyOf reads the live cases of an order. Their lines are read only if withLines says so.
func historyOf(ctx context.Context, q db.Querier, order int64, withLines bool) (history, error) {
	rows, err := cases.Find(ctx, q, "r.order_id = ? AND r.deleted = 0 ORDER BY r.id", order)
	if err != nil {
		return history{}, fmt.Errorf("read the cases of order %d: %w", order, err)
	}
	var h history
	var ids []int64
	for _, r := range rows {
		h.cases, ids = append(h.cases, r.asCase()), append(ids, r.ID)
	}
	if withLines {
		h.lines, err = linesOf(ctx, q, ids...)
	}
	return h, err
}

// newest is the case whose state the order shows, the zero Case for none. Imported data may have several open ones.
func (h history) newest() Case {
	if len(h.cases) == 0 {
		return Case{}
	}
	return h.cases[len(h.cases)-1]
}

// settled returns a case that has ended with a refund or an exchange.
func (h history) settled() (Case, bool) {
	i := slices.IndexFunc(h.cases, func(c Case) bool { return c.Status.Settled() })
	if i < 0 {
		return Case{}, false
	}
	return h.cases[i], true
}

// refunded is what the cases have refunded.
func (h history) refunded() (sum money.Amount) {
	for _, c := range h.cases {
		if c.Status == Refunded {
			sum += c.Amount
		}
	}
	return sum
}

// holdings returns the lines of an order with what its settled cases have done about them.
func (h history) holdings(o order.Order, lines []order.Line, in money.Currency) []Holding {
	sent := map[int64]money.Amount{}
	for _, l := range slices.Concat(h.all()...) {
		if l.SentID != 0 {
			sent[l.SentID] = l.Worth
		}
	}
	bought := slices.DeleteFunc(slices.Clone(lines), func(l order.Line) bool { _, ok := sent[l.ID]; return ok })
	shares := o.Shares(bought, in)
	all := make([]Holding, len(lines))
	for i, l := range lines {
		paid, ok := sent[l.ID]
		if !ok {
			paid, shares = shares[0], shares[1:]
		}
		all[i] = Holding{Line: l, Paid: paid, Sent: ok}
		all[i].Refunded, all[i].Exchanged = h.dealt(l)
	}
	return all
}

func (h history) all() (lists [][]Line) {
	for _, c := range h.cases {
		lists = append(lists, h.lines[c.ID])
	}
	return lists
}

// dealt counts the pieces of an order line that settled cases have refunded and exchanged.
func (h history) dealt(of order.Line) (refunded, exchanged int) {
	for _, c := range h.cases {
		if c.Status == Refunded && c.Type == Returned && len(h.lines[c.ID]) == 0 {
			return of.Number, 0 // the whole order came back
		}
		for _, l := range h.lines[c.ID] {
			switch {
			case l.LineID != of.ID:
			case c.Status == Refunded:
				refunded += l.Number
			case c.Status == Exchanged:
				exchanged += l.Number
			}
		}
	}
	return refunded, exchanged
}

// find returns the holding of an order line.
func find(all []Holding, line int64) (Holding, bool) {
	i := slices.IndexFunc(all, func(h Holding) bool { return h.ID == line })
	if i < 0 {
		return Holding{}, false
	}
	return all[i], true
}

// part is what was paid for the next n pieces of a line.
func (h Holding) part(n int, in money.Currency) money.Amount {
	return h.Part(h.Paid, h.Refunded+h.Exchanged, n, in)
}
