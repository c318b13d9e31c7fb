package order

import (
	"context"
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
