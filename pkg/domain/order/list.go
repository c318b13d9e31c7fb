package order

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
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

// Listed is an order of a shopper's list.
type Listed struct {
	Detail
	// Group says that the order belongs to a group purchase, however it went.
	Group bool
}

// List returns a page of the shopper's orders. The lines of all orders of the page are read at once.
func (s *Service) List(ctx context.Context, shopper int64, tab Tab, q page.Query) (page.List[Listed], error) {
	commentsSince, err := s.commentsSince(ctx)
	if err != nil {
		return page.List[Listed]{}, err
	}
	cond, args := ofTab(shopper, tab, commentsSince)
	found, err := page.Fetch(q,
		func() (int64, error) { return countOrders(ctx, s.DB, cond, args) },
		func(q page.Query) ([]Order, error) { return pageOf(ctx, s.DB, cond, args, q) })
	if err != nil {
		return page.List[Listed]{}, fmt.Errorf("list the orders of shopper %d: %w", shopper, err)
	}
	details, err := s.withLines(ctx, found.Items)
	if err != nil {
		return page.List[Listed]{}, err
	}
	groups, err := s.Promotions.InGroups(ctx, ids(found.Items))
	if err != nil {
		return page.List[Listed]{}, err
	}
	listed := make([]Listed, len(details))
	for i, d := range details {
		listed[i] = Listed{Detail: d, Group: groups[d.ID]}
	}
	return page.List[Listed]{Items: listed, Total: found.Total, Query: found.Query}, nil
}

// commentsSince is the receipt before which comments are no longer taken.
func (s *Service) commentsSince(ctx context.Context) (time.Time, error) {
	v, err := s.Settings.Now(ctx)
	return s.Now().Add(-v.CommentFor), err
}

// sorts maps the sort words of order lists to columns.
var sorts = map[string]string{"add_time": "add_time", "id": "id"}

func ofTab(shopper int64, tab Tab, commentsSince time.Time) (string, []any) {
	cond, args := "user_id = ? AND deleted = 0 AND user_deleted = 0", []any{shopper}
	switch tab {
	case ToPay:
		return cond + " AND order_status = ?", append(args, Unpaid)
	case ToShip:
		return cond + " AND order_status = ?", append(args, Paid)
	case ToReceive:
		return cond + " AND order_status = ?", append(args, Shipped)
	case ToComment:
		return cond + " AND order_status IN (?, ?) AND comments > 0 AND confirm_time >= ?",
			append(args, Received, AutoReceived, commentsSince)
	case AllOrders:
	}
	return cond, args
}

func countOrders(ctx context.Context, q db.Querier, cond string, args []any) (n int64, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM orders WHERE "+cond, args...).Scan(&n).Error
	return n, err
}

// pageOf finds the ids of a page in an index, then reads these rows alone.
func pageOf(ctx context.Context, q db.Querier, cond string, args []any, p page.Query) ([]Order, error) {
	by := sorts[p.Sort] + " " + p.Direction() + ", id " + p.Direction()
	outer := "o." + sorts[p.Sort] + " " + p.Direction() + ", o.id " + p.Direction()
	return orders(q.G(ctx).Raw("SELECT "+columns+" FROM (SELECT id FROM orders WHERE "+cond+" ORDER BY "+by+
		" LIMIT ? OFFSET ?) w JOIN orders o ON o.id = w.id ORDER BY "+outer, append(args, p.Limit, p.Offset())...))
}

// Counts are how many orders wait for something, and how many of their lines for a comment.
type Counts struct{ Unpaid, Unshipped, Unreceived, Uncommented int64 }

// Counts counts what the shopper's orders wait for. The lines are those that the list of orders to comment on shows.
func (s *Service) Counts(ctx context.Context, shopper int64) (Counts, error) {
	commentsSince, err := s.commentsSince(ctx)
	if err != nil {
		return Counts{}, err
	}
	waiting, err := countByStatus(ctx, s.DB, shopper, Unpaid, Paid, Shipped)
	if err != nil {
		return Counts{}, err
	}
	c := Counts{Unpaid: waiting[Unpaid], Unshipped: waiting[Paid], Unreceived: waiting[Shipped]}
	c.Uncommented, err = sumComments(ctx, s.DB, shopper, commentsSince)
	return c, err
}

type statusCount struct {
	OrderStatus Status
	N           int64
}

// countByStatus is answered by the index of a shopper's orders alone.
func countByStatus(ctx context.Context, q db.Querier, shopper int64, statuses ...Status) (map[Status]int64, error) {
	var rows []statusCount
	err := q.G(ctx).Raw("SELECT order_status, COUNT(*) AS n FROM orders WHERE user_id = ? AND deleted = 0 AND "+
		"user_deleted = 0 AND order_status IN ? GROUP BY order_status", shopper, statuses).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count the orders of shopper %d: %w", shopper, err)
	}
	counts := make(map[Status]int64, len(rows))
	for _, r := range rows {
		counts[r.OrderStatus] = r.N
	}
	return counts, nil
}

func sumComments(ctx context.Context, q db.Querier, shopper int64, since time.Time) (int64, error) {
	cond, args := ofTab(shopper, ToComment, since)
	var n int64
	err := q.G(ctx).Raw("SELECT COALESCE(SUM(comments), 0) FROM orders WHERE "+cond, args...).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count the lines that shopper %d may comment on: %w", shopper, err)
	}
	return n, nil
}

// Filter narrows an operator's list; zero members do not.
type Filter struct {
	// Nickname and Consignee are contained, SN is exact.
	Nickname, Consignee, SN string
	// Start and End bound the time of the order: Start <= time < End.
	Start, End time.Time
	Statuses   []int
}

// mostCandidates is how many shoppers or orders a text may stand for to be taken one by one. A text that stands for
// more is found soon by looking at one order after the other.
const mostCandidates = 5000

// AdminList returns a page of all orders that operators have not deleted. The total of a list that nothing but states
// narrows may be half a minute old.
func (s *Service) AdminList(ctx context.Context, f Filter, q page.Query) (page.List[Detail], error) {
	list := ofAll(f)
	if f.SN == "" && f.Consignee != "" {
		ids, err := consigned(ctx, s.DB, f.Consignee, mostCandidates+1)
		if err != nil {
			return page.List[Detail]{}, fmt.Errorf("look for orders by consignee: %w", err)
		}
		list.toConsignee(f.Consignee, ids)
	}
	if f.Nickname != "" {
		shoppers, err := s.Accounts.Nicknamed(ctx, f.Nickname, mostCandidates+1)
		if err != nil {
			return page.List[Detail]{}, err
		}
		list.byNickname(f.Nickname, shoppers)
	}
	found, err := list.fetch(ctx, s.DB, q)
	if err != nil {
		return page.List[Detail]{}, fmt.Errorf("list orders: %w", err)
	}
	details, err := s.withLines(ctx, found.Items)
	return page.List[Detail]{Items: details, Total: found.Total, Query: found.Query}, err
}

// listed is an operator's list of orders. It is empty without a statement where nothing can be in it.
type listed struct {
	*listing.Query
	// narrow says that all its orders are known.
	empty, narrow bool
}

func ofAll(f Filter) *listed {
	l := listing.Of("orders", strings.ReplaceAll(columns, "o.", "r.")).Timed("ix_orders_time").Between(f.Start, f.End)
	if len(f.Statuses) > 0 {
		statuses := slices.Clone(f.Statuses)
		slices.Sort(statuses)
		values := []any{}
		for _, s := range slices.Compact(statuses) {
			values = append(values, s)
		}
		l.Among("order_status", "ix_orders_st", values...)
	}
	if f.SN != "" {
		l.Where("i.order_sn = ?", f.SN)
		if f.Consignee != "" {
			l.Contains("consignee", f.Consignee)
		}
	}
	return &listed{l, false, f.SN != ""}
}

const ofConsignee = "SELECT id FROM orders FORCE INDEX (ix_orders_consignee) WHERE consignee LIKE ?"

// consigned returns the ids of at most limit orders whose consignee contains a text. It reads an index alone.
func consigned(ctx context.Context, q db.Querier, text string, limit int) ([]int64, error) {
	var ids []int64
	err := q.G(ctx).Raw(ofConsignee+" LIMIT ?", db.Contains(text), limit).Scan(&ids).Error
	return ids, err
}

// toConsignee narrows the list to orders whose consignee contains a text: those found, unless they are too many.
func (l *listed) toConsignee(text string, found []int64) {
	switch {
	case len(found) == 0:
		l.empty = true
	case len(found) <= mostCandidates:
		l.narrow = true
		l.Where("i.id IN ?", found)
	default:
		l.Contains("consignee", text).Drawn("id", ofConsignee, db.Contains(text))
	}
}

// byNickname narrows the list to orders of shoppers whose nickname contains a text: those found, unless they are too
// many. The subquery has no form that the database would turn into a join, which it would begin at the shoppers.
func (l *listed) byNickname(text string, found []int64) {
	switch {
	case len(found) == 0:
		l.empty = true
	case len(found) <= mostCandidates:
		l.Where("i.user_id IN ?", found)
	default:
		l.Where("(SELECT u.nickname FROM user u WHERE u.id = i.user_id) LIKE ?", db.Contains(text))
		if !l.narrow {
			l.Drawn("user_id", "SELECT id FROM user WHERE nickname LIKE ?", db.Contains(text))
		}
	}
}

func (l *listed) fetch(ctx context.Context, q db.Querier, w page.Query) (page.List[Order], error) {
	if l.empty {
		return page.Fetch(w, func() (int64, error) { return 0, nil }, func(page.Query) ([]Order, error) { return nil, nil })
	}
	found, err := listing.Fetch[row](ctx, q, l.Query, w)
	return page.Map(found, row.order), err
}

// EachOrder hands over all orders that a filter chooses, newest first, with their lines, a batch at a time.
func (s *Service) EachOrder(ctx context.Context, f Filter, yield func([]Detail) error) error {
	where, args := f.where()
	return listing.Stretches(ctx, s.DB, "orders", func(low, high int64) error {
		found, err := orders(s.DB.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id > ? AND o.id <= ? AND "+where+
			" ORDER BY o.id DESC", append([]any{low, high}, args...)...))
		if err != nil {
			return fmt.Errorf("walk the orders: %w", err)
		}
		if len(found) == 0 {
			return nil
		}
		details, err := s.withLines(ctx, found)
		if err != nil {
			return err
		}
		return yield(details)
	})
}

// where is the condition of the filter on orders with the alias o.
func (f Filter) where() (string, []any) {
	conditions, args := []string{"o.deleted = 0"}, []any{}
	add := func(condition string, arg any) {
		conditions, args = append(conditions, condition), append(args, arg)
	}
	if f.SN != "" {
		add("o.order_sn = ?", f.SN)
	}
	if f.Consignee != "" {
		add("o.consignee LIKE ?", db.Contains(f.Consignee))
	}
	if f.Nickname != "" {
		add("(SELECT u.nickname FROM user u WHERE u.id = o.user_id) LIKE ?", db.Contains(f.Nickname))
	}
	if !f.Start.IsZero() {
		add("o.add_time >= ?", f.Start)
	}
	if !f.End.IsZero() {
		add("o.add_time < ?", f.End)
	}
	if len(f.Statuses) > 0 {
		add("o.order_status IN ?", f.Statuses)
	}
	return strings.Join(conditions, " AND "), args
}
