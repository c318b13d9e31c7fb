package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// unpaidTotals are a shopper's unpaid orders and the total quantity in them.
type unpaidTotals struct {
	UserID         int64
	Orders, Pieces int
}

// queue serializes the submissions of one shopper by locking the account's row, before all other rows that a submission
// locks, so that the counts of unpaid orders still hold at the commit.
func (s *Service) queue(ctx context.Context, tx *db.Tx, shoppers ...int64) error {
	return s.Accounts.Lock(ctx, tx, shoppers...)
}

// checkUnpaidLimits fails with errno.OrderCheckoutFailed if a purchase would exceed the limits of its shopper, whose
// row is locked. An order that costs nothing is paid at once.
func (s *Service) checkUnpaidLimits(held []unpaidTotals, all []*purchase) error {
	totals := make(map[int64]unpaidTotals, len(held))
	for _, h := range held {
		totals[h.UserID] = h
	}
	for _, p := range all {
		if p.order.Price.Actual > 0 {
			p.err = s.Unpaid.check(totals[p.shopper], p)
		}
	}
	return anyRefused(all)
}

func (l UnpaidLimits) check(h unpaidTotals, p *purchase) error {
	if most := l.Orders; most > 0 && h.Orders >= most {
		return fmt.Errorf("shopper %d has %d unpaid orders: %w", p.shopper, h.Orders,
			errno.OrderCheckoutFailed.Because(text.UnpaidOrders, most))
	}
	for _, line := range p.lines {
		h.Pieces += line.Number
	}
	if most := l.Pieces; most > 0 && h.Pieces > most {
		return fmt.Errorf("shopper %d would hold %d unpaid pieces: %w", p.shopper, h.Pieces,
			errno.OrderCheckoutFailed.Because(text.UnpaidPieces, most))
	}
	return nil
}

// unpaidLater counts on a covering index, with the next statement of a transaction that has queued the lock of the
// shoppers. Shoppers without unpaid orders are missing in the result, and all of them without limits.
func (s *Service) unpaidLater(ctx context.Context, tx *db.Tx, shoppers []int64) (func() []unpaidTotals, error) {
	if s.Unpaid.none() {
		return func() []unpaidTotals { return nil }, nil
	}
	return table.SelectLater[unpaidTotals](ctx, tx, `SELECT o.user_id, COUNT(DISTINCT o.id) AS orders,
			CAST(COALESCE(SUM(l.number), 0) AS SIGNED) AS pieces
		FROM orders o
		JOIN order_goods l ON l.order_id = o.id
		WHERE o.user_id IN ? AND o.order_status IN ? AND o.deleted = 0
		GROUP BY o.user_id`, shoppers, moves.From(Pay))
}
