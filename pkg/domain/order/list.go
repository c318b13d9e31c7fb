package order

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
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
	Comments    int
	ConfirmTime time.Time `table:"null"`
}

// Options returns the operations that are allowed now, as those of the whole order.
func (s Summary) Options(now time.Time, commentFor time.Duration) Options {
	o := Order{Status: s.Status, Aftersale: s.Aftersale, Comments: s.Comments, ConfirmTime: s.ConfirmTime}
	return o.Options(now, commentFor)
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
	err = s.DB.G(ctx).Raw("SELECT COALESCE(SUM(i.comments), 0) FROM orders i WHERE "+where, args...).
		Scan(&c.Uncommented).Error
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
	err := q.G(ctx).Raw(`SELECT order_status, COUNT(*) AS n FROM orders
		WHERE user_id = ? AND deleted = 0 AND user_deleted = 0 AND order_status IN ?
		GROUP BY order_status`, shopper, states).Scan(&rows).Error
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

// Filter narrows an operator's list and export; zero fields are ignored.
type Filter struct {
	// Nickname and Consignee are words that the names contain, in any order and case.
	Nickname, Consignee string
	// SN, Mobile, Parcel and Payment are the whole numbers of the order, of the recipient, of the carrier's parcel and of
	// the payment platform; Shopper is the account that ordered.
	SN, Mobile, Parcel, Payment string
	Shopper                     *int64
	// Start and End bound the time of the order: Start <= time < End.
	Start, End time.Time
	Statuses   []int
}

// named reports whether a number says which orders are meant, so that they are few.
func (f Filter) named() bool {
	return f.SN != "" || f.Mobile != "" || f.Parcel != "" || f.Payment != ""
}

// list builds the query for all fields but the substring matches.
func (f Filter) list() *lists.Query {
	l := lists.Of(orders).TimeIndex("ix_orders_time").Between(f.Start, f.End)
	if len(f.Statuses) > 0 {
		states := []any{}
		for _, status := range slices.Compact(slices.Sorted(slices.Values(f.Statuses))) {
			states = append(states, status)
		}
		l.In("order_status", "ix_orders_st", states...)
	}
	for _, exact := range []struct{ column, value string }{
		{"order_sn", f.SN}, {"mobile", f.Mobile}, {"ship_sn", f.Parcel}, {"pay_id", f.Payment},
	} {
		if exact.value != "" {
			l.Equals(exact.column, exact.value)
		}
	}
	return l.ID("user_id", f.Shopper)
}

// maxCandidates bounds the matching shoppers or orders that are looked up by id. With more matches, a scan of the
// orders finds a page sooner.
const maxCandidates = 5000

// frequentTotal is the number of orders from which the total of a part of the recipient's name is cached.
const frequentTotal = 20_000

// AdminList returns a page of all orders that operators have not deleted. The total of a list that is filtered by
// states alone, or by a frequent part of the recipient's name alone, may be half a minute old. No page is read if a
// text matches nothing.
func (s *Service) AdminList(ctx context.Context, f Filter, q page.Query) (page.List[Detail], error) {
	l := f.list()
	alone := !f.named() && f.Shopper == nil && f.Nickname == "" && f.Start.IsZero() && f.End.IsZero() &&
		len(f.Statuses) == 0
	byRecipient, err := s.byRecipient(ctx, l, f, alone)
	if err != nil {
		return page.List[Detail]{}, err
	}
	byShopper, err := s.byShopper(ctx, l, f, byRecipient == few)
	if err != nil {
		return page.List[Detail]{}, err
	}
	if byRecipient == none || byShopper == none {
		return page.None[Detail](q), nil
	}
	found, err := lists.Fetch[row](ctx, s.lists, l, q)
	if err != nil {
		return page.List[Detail]{}, fmt.Errorf("list orders: %w", err)
	}
	details, err := s.withLines(ctx, ordersOf(found.Items))
	return page.List[Detail]{Items: details, Total: found.Total, Query: found.Query}, err
}

// matches is how many orders a text may match.
type matches int

const (
	none matches = iota
	few
	many
)

// byRecipient restricts a list to the orders whose recipient's name contains the text of a filter; alone says that the
// filter has nothing else.
func (s *Service) byRecipient(ctx context.Context, l *lists.Query, f Filter, alone bool) (matches, error) {
	switch {
	case f.Consignee == "":
		return many, nil
	case f.named():
		sentTo(l, f.Consignee)
		return few, nil
	}
	statement, args, err := s.idsSentTo(ctx, f.Consignee)
	if err != nil {
		return none, err
	}
	var ids []int64
	err = s.DB.G(ctx).Raw(statement+" LIMIT ?", append(args[:len(args):len(args)], maxCandidates+1)...).Scan(&ids).Error
	switch {
	case err != nil:
		return none, fmt.Errorf("find orders by the recipient: %w", err)
	case len(ids) == 0:
		return none, nil
	case len(ids) <= maxCandidates:
		l.Where("i.id IN ?", ids)
		return few, nil
	}
	sentTo(l, f.Consignee)
	if alone {
		l.Found(f.Consignee, frequentTotal, statement, args...)
	} else {
		l.CountVia("id", statement, args...)
	}
	return many, nil
}

// byShopper restricts a list to the orders of the shoppers whose nickname contains the text of a filter. short says
// that the list is short already. The condition is written so that the database does not turn it into a join that
// starts at the accounts.
func (s *Service) byShopper(ctx context.Context, l *lists.Query, f Filter, short bool) (matches, error) {
	if f.Nickname == "" {
		return many, nil
	}
	ids, err := s.Accounts.Nicknamed(ctx, f.Nickname, maxCandidates+1)
	switch {
	case err != nil:
		return none, fmt.Errorf("find orders by the shopper: %w", err)
	case len(ids) == 0:
		return none, nil
	case len(ids) <= maxCandidates:
		l.Where("i.user_id IN ?", ids)
		return few, nil
	}
	orderedBy(l, f.Nickname)
	if !short && !f.named() {
		statement, args := account.WithNickname(f.Nickname)
		l.CountVia("user_id", statement, args...)
	}
	return many, nil
}

// orderedBy restricts a list to the orders of shoppers whose nickname contains all words of a text, sentTo to those
// whose recipient's name does.
func orderedBy(l *lists.Query, nickname string) {
	matches, args := account.OfNicknamed("i.user_id", nickname)
	l.Where(matches, args...)
}

func sentTo(l *lists.Query, recipient string) {
	matches, args := db.Matches(recipient, "i.consignee")
	l.Where(matches, args...)
}

// EachOrder passes all orders of a filter to yield, newest first, with their lines, in batches.
func (s *Service) EachOrder(ctx context.Context, f Filter, yield func([]Detail) error) error {
	l := f.list()
	if f.Consignee != "" {
		sentTo(l, f.Consignee)
	}
	if f.Nickname != "" {
		orderedBy(l, f.Nickname)
	}
	return lists.Each(ctx, s.DB, l, func(rows []row) error {
		details, err := s.withLines(ctx, ordersOf(rows))
		if err != nil {
			return err
		}
		return yield(details)
	})
}
