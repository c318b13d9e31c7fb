package order

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/settings"
)

// Tab is a tab of the shopper's order list.
type Tab int

// The tabs.
const (
	AllOrders Tab = iota
	ToPay
	ToShip
	ToReceive
	ToComment
)

// tabs are the states of the orders in each tab. AllOrders has no entry and shows every state.
var tabs = map[Tab][]Status{
	ToPay: moves.From(Pay), ToShip: moves.From(Ship), ToReceive: moves.From(Receive), ToComment: received,
}

// inTab builds the list of the shopper's orders in a tab.
func inTab(shopper int64, tab Tab, commentsSince time.Time) *lists.Query {
	l := lists.Of(summaries).Equals("user_id", shopper).Covered("i.user_deleted = 0")
	if states, ok := tabs[tab]; ok {
		l.Covered("i.order_status IN ?", states)
	}
	if tab == ToComment {
		l.Covered("i.comments > 0 AND i.confirm_time >= ?", commentsSince)
	}
	return l
}

// Listed is an order in a shopper's list, with what the list shows.
type Listed struct {
	Summary
	Lines []LineSummary
	// Group reports that the order belongs to a group purchase, in whatever state.
	Group bool
}

// Summary is the part of an Order that lists of shoppers show.
type Summary struct {
	ID          int64
	SN          string       `gorm:"column:order_sn"`
	Status      Status       `gorm:"column:order_status"`
	Aftersale   int          `gorm:"column:aftersale_status"`
	Actual      money.Amount `gorm:"column:actual_price"`
	Delivery    settings.Way
	Comments    int
	ConfirmTime time.Time `table:"null"`
	PayChannel  string    `table:"null"`
	PayTime     time.Time `table:"null"`
}

// order is the order as far as the summary has it.
func (s Summary) order() Order {
	return Order{
		Status: s.Status, Aftersale: s.Aftersale, Comments: s.Comments, ConfirmTime: s.ConfirmTime,
		Delivery: s.Delivery, PayChannel: s.PayChannel, PayTime: s.PayTime,
	}
}

// Text returns the label that a shopper sees.
func (s Summary) Text(language string) string { return s.order().Text(language) }

// Owed reports whether the money is still to be collected.
func (s Summary) Owed() bool { return s.order().Owed() }

// Options returns the operations that are allowed now, as those of the whole order.
func (s Summary) Options(now time.Time, commentFor time.Duration) Options {
	return s.order().Options(now, commentFor)
}

// LineSummary is the part of a Line that lists of shoppers show.
type LineSummary struct {
	ID, OrderID, GoodsID int64
	GoodsName            string
	Number               int
	Price                money.Amount
	Specifications       []string `gorm:"serializer:list"`
	PicURL               string
}

var (
	summaries     = table.Part[Summary](orders)
	lineSummaries = table.Part[LineSummary](orderLines)
)

// List returns a page of the shopper's orders. What belongs to its orders is read in one round trip.
func (s *Service) List(ctx context.Context, shopper int64, tab Tab, w page.Query) (page.List[Listed], error) {
	commentsSince, err := s.commentsSince(ctx)
	if err != nil {
		return page.List[Listed]{}, err
	}
	listed := func() []Listed { return nil }
	more := func(q db.Queue, all []Summary) error {
		listed, err = s.listedLater(ctx, q, all)
		return err
	}
	found, err := lists.FetchWith(ctx, s.lists, inTab(shopper, tab, commentsSince), w, more)
	if err != nil {
		return page.List[Listed]{}, fmt.Errorf("list the orders of shopper %d: %w", shopper, err)
	}
	return page.List[Listed]{Items: listed(), Total: found.Total, Query: found.Query}, nil
}

// listedLater reads what belongs to orders with what else is queued; the function returns the orders with it.
func (s *Service) listedLater(ctx context.Context, q db.Queue, all []Summary) (func() []Listed, error) {
	if len(all) == 0 {
		return func() []Listed { return nil }, nil
	}
	ids := make([]int64, len(all))
	for i, o := range all {
		ids[i] = o.ID
	}
	lines, err := lineSummaries.FindLater(ctx, q, linesOfOrders, ids)
	if err != nil {
		return nil, err
	}
	grouped, err := s.Promotions.InGroupsLater(ctx, q, ids)
	return func() []Listed {
		byOrder, groups := make(map[int64][]LineSummary, len(all)), grouped()
		for _, l := range lines() {
			byOrder[l.OrderID] = append(byOrder[l.OrderID], l)
		}
		listed := make([]Listed, len(all))
		for i, o := range all {
			listed[i] = Listed{Summary: o, Lines: byOrder[o.ID], Group: groups[o.ID]}
		}
		return listed
	}, err
}

// commentsSince is the earliest receipt for which comments are still accepted.
func (s *Service) commentsSince(ctx context.Context) (time.Time, error) {
	v, err := s.Settings.Now(ctx)
	return s.Now().Add(-v.CommentFor), err
}

// Counts are numbers of orders by the step they wait for, and of lines without a comment.
type Counts struct{ Unpaid, Unshipped, Unreceived, Uncommented int64 }

// Counts returns the counts of the shopper's orders. Uncommented counts the lines that the tab ToComment shows.
func (s *Service) Counts(ctx context.Context, shopper int64) (Counts, error) {
	commentsSince, err := s.commentsSince(ctx)
	if err != nil {
		return Counts{}, err
	}
	waiting, err := countByStatus(ctx, s.DB, shopper, slices.Concat(tabs[ToPay], tabs[ToShip], tabs[ToReceive]))
	if err != nil {
		return Counts{}, err
	}
	in := func(tab Tab) (n int64) {
		for _, status := range tabs[tab] {
			n += waiting[status]
		}
		return n
	}
	c := Counts{Unpaid: in(ToPay), Unshipped: in(ToShip), Unreceived: in(ToReceive)}
	where, args := inTab(shopper, ToComment, commentsSince).Condition()
	err = table.Scan(ctx, s.DB, &c.Uncommented, "SELECT COALESCE(SUM(i.comments), 0) FROM orders i WHERE "+where, args...)
	if err != nil {
		return Counts{}, fmt.Errorf("count the lines that shopper %d may comment on: %w", shopper, err)
	}
	return c, nil
}

// countByStatus counts on the covering index of a shopper's orders.
func countByStatus(ctx context.Context, q db.Querier, shopper int64, states []Status) (map[Status]int64, error) {
	var rows []struct {
		OrderStatus Status
		N           int64
	}
	err := table.Scan(ctx, q, &rows, `SELECT order_status, COUNT(*) AS n FROM orders
		WHERE user_id = ? AND deleted = 0 AND user_deleted = 0 AND order_status IN ?
		GROUP BY order_status`, shopper, states)
	if err != nil {
		return nil, fmt.Errorf("count the orders of shopper %d: %w", shopper, err)
	}
	counts := make(map[Status]int64, len(rows))
	for _, r := range rows {
		counts[r.OrderStatus] = r.N
	}
	return counts, nil
}

// MostCounted is the highest number that CountByState gives: it stands for as many orders, or more.
const MostCounted = 1000

// CountByState returns for every state how many orders operators see in it, up to MostCounted. It reads no more entries
// of an index for a state, but those of deleted orders, which are few: operators delete one after the other.
func (s *Service) CountByState(ctx context.Context) (map[Status]int64, error) {
	return counter.Each(ctx, s.DB, MostCounted,
		"orders FORCE INDEX (ix_orders_st) WHERE order_status = ? AND deleted = 0", moves.States())
}
