package order

import (
	"context"
	"slices"
	"strings"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

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
