package order

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/settings"
)

// Filter narrows an operator's list and export; zero fields are ignored.
type Filter struct {
	// Nickname and Consignee are words that the names contain, in any order and case.
	Nickname, Consignee string
	// SN, Mobile, Parcel and Payment are the whole numbers of the order, of the recipient, of the carrier's parcel and of
	// the payment platform; Shopper is the account that ordered.
	SN, Mobile, Parcel, Payment string
	Shopper                     *int64
	// Goods are goods that the order has.
	Goods *int64
	// Start and End bound the time of the order: Start <= time < End.
	Start, End time.Time
	Statuses   []int
	// Delivery is the way of delivery.
	Delivery *settings.Way
}

// named reports whether a number says which orders are meant, so that they are few.
func (f Filter) named() bool {
	return f.SN != "" || f.Mobile != "" || f.Parcel != "" || f.Payment != ""
}

// list builds the query for all fields but the substring matches.
func (f Filter) list() *lists.Query {
	l := lists.Of(orders).TimeIndex("ix_orders_time").SortIndex("actual_price", "ix_orders_amount").Between(f.Start, f.End)
	if len(f.Statuses) > 0 {
		states := []any{}
		for _, status := range slices.Compact(slices.Sorted(slices.Values(f.Statuses))) {
			states = append(states, status)
		}
		l.In("order_status", "ix_orders_st", states...)
	}
	switch {
	case f.Delivery == nil:
	case len(f.Statuses) > 0:
		l.Where("i.delivery = ?", *f.Delivery)
	default:
		l.In("delivery", "ix_orders_delivery", *f.Delivery)
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

// AdminList returns a page of all orders that operators have not deleted. Sort is add_time, id or actual_price; the
// last with filters fails with errno.Invalid if they leave more than maxCandidates orders to sort. The total of a list
// that is filtered by states alone, or by a frequent part of the recipient's name alone, may be half a minute old. No
// page is read if a text matches nothing.
func (s *Service) AdminList(ctx context.Context, f Filter, q page.Query) (page.List[Detail], error) {
	l := f.list()
	alone := !f.named() && f.Shopper == nil && f.Goods == nil && f.Nickname == "" && f.Start.IsZero() && f.End.IsZero() &&
		len(f.Statuses) == 0 && f.Delivery == nil
	byRecipient, err := s.byRecipient(ctx, l, f, alone)
	if err != nil {
		return page.List[Detail]{}, err
	}
	byShopper, err := s.byShopper(ctx, l, f, byRecipient == few)
	if err != nil {
		return page.List[Detail]{}, err
	}
	byGoods, err := s.byGoods(ctx, l, f, byRecipient == few || byShopper == few)
	if err != nil {
		return page.List[Detail]{}, err
	}
	if byRecipient == none || byShopper == none || byGoods == none {
		return page.None[Detail](q), nil
	}
	if q.Sort == "actual_price" && byRecipient != few && byShopper != few && byGoods != few {
		if err := s.sortable(ctx, l, f); err != nil {
			return page.List[Detail]{}, err
		}
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
	err = table.Scan(ctx, s.DB, &ids, statement+" LIMIT ?", append(args[:len(args):len(args)], maxCandidates+1)...)
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

// withGoods is the condition on orders with an alias that have goods.
const withGoods = "EXISTS (SELECT 1 FROM order_goods l WHERE l.order_id = i.id AND l.goods_id = ? AND l.deleted = 0)"

func with(l *lists.Query, goods int64) { l.Where(withGoods, goods) }

// byGoods restricts a list to the orders that have the goods of a filter. short says that the list is short already.
func (s *Service) byGoods(ctx context.Context, l *lists.Query, f Filter, short bool) (matches, error) {
	if f.Goods == nil {
		return many, nil
	}
	const of = "SELECT DISTINCT order_id AS id FROM order_goods WHERE goods_id = ? AND deleted = 0"
	ids, err := table.Select[int64](ctx, s.DB, of+" LIMIT ?", *f.Goods, maxCandidates+1)
	switch {
	case err != nil:
		return none, fmt.Errorf("find orders by goods: %w", err)
	case len(ids) == 0:
		return none, nil
	case len(ids) <= maxCandidates:
		l.Where("i.id IN ?", ids)
		return few, nil
	}
	with(l, *f.Goods)
	if !short && !f.named() {
		l.CountVia("id", of, *f.Goods)
	}
	return many, nil
}

// sortable restricts a list that is sorted by another column than its filters' to the orders of one of the filters, if
// they are few, and fails with errno.Invalid if there is none.
func (s *Service) sortable(ctx context.Context, l *lists.Query, f Filter) error {
	type part struct {
		where string
		args  []any
	}
	var parts []part
	if f.Shopper != nil {
		parts = append(parts, part{"FORCE INDEX (ix_orders_user) WHERE user_id = ?", []any{*f.Shopper}})
	}
	if len(f.Statuses) > 0 {
		parts = append(parts, part{"FORCE INDEX (ix_orders_st) WHERE order_status IN ?", []any{f.Statuses}})
	}
	if f.Delivery != nil {
		parts = append(parts, part{"FORCE INDEX (ix_orders_delivery) WHERE delivery = ?", []any{*f.Delivery}})
	}
	if !f.Start.IsZero() || !f.End.IsZero() {
		start, end := f.Start, f.End
		if start.IsZero() {
			start = time.Unix(0, 0)
		}
		if end.IsZero() {
			end = s.Now().Add(time.Hour)
		}
		parts = append(parts, part{"FORCE INDEX (ix_orders_time) WHERE add_time >= ? AND add_time < ?", []any{start, end}})
	}
	if f.named() || len(parts) == 0 && f.Nickname == "" && f.Consignee == "" && f.Goods == nil {
		return nil
	}
	for _, p := range parts {
		ids, err := table.Select[int64](ctx, s.DB, "SELECT id FROM orders "+p.where+" AND deleted = 0 LIMIT ?",
			append(p.args, maxCandidates+1)...)
		if err != nil {
			return fmt.Errorf("find few orders: %w", err)
		}
		if len(ids) <= maxCandidates {
			l.Where("i.id IN ?", append(ids, 0))
			return nil
		}
	}
	return errno.Invalid.Because(text.ListNarrow)
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
	if f.Goods != nil {
		with(l, *f.Goods)
	}
	return lists.Each(ctx, s.DB, l, func(rows []row) error {
		details, err := s.withLines(ctx, ordersOf(rows))
		if err != nil {
			return err
		}
		return yield(details)
	})
}

// KnowsGoods returns those goods that lines of orders are of.
func KnowsGoods(ctx context.Context, q db.Querier, goods []int64) ([]int64, error) {
	return table.Select[int64](ctx, q, "SELECT DISTINCT goods_id FROM order_goods WHERE goods_id IN ?", goods)
}
