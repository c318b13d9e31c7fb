package order

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

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

func ofFilter(f Filter, shoppers []int64) (string, []any) {
	cond, args := []string{"deleted = 0"}, []any{}
	add := func(c string, arg any) { cond, args = append(cond, c), append(args, arg) }
	if len(shoppers) > 0 {
		add("user_id IN ?", shoppers)
	}
	if f.Consignee != "" {
		add("consignee LIKE ?", db.Contains(f.Consignee))
	}
	if f.SN != "" {
		add("order_sn = ?", f.SN)
	}
	if !f.Start.IsZero() {
		add("add_time >= ?", f.Start)
	}
	if !f.End.IsZero() {
		add("add_time < ?", f.End)
	}
	if len(f.Statuses) > 0 {
		add("order_status IN ?", f.Statuses)
	}
	return strings.Join(cond, " AND "), args
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

func ordersByID(ctx context.Context, q db.Querier, ids []int64) ([]Order, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return orders(q.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id IN ?", ids))
}
