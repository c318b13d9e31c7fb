package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

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

// HasReceived reports whether the shopper has ever received an order with the goods.
func (s *Service) HasReceived(ctx context.Context, shopper, goods int64) (bool, error) {
	var found []int64
	err := s.DB.G(ctx).Raw("SELECT o.id FROM orders o JOIN order_goods l ON l.order_id = o.id AND l.deleted = 0 "+
		"WHERE o.user_id = ? AND o.deleted = 0 AND o.order_status IN (?, ?) AND l.goods_id = ? LIMIT 1",
		shopper, Received, AutoReceived, goods).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("look for goods %d among what shopper %d received: %w", goods, shopper, err)
	}
	return len(found) > 0, nil
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
