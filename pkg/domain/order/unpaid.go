package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// UnpaidLimits bound what one shopper holds back from all others without paying; 0 is any number.
type UnpaidLimits struct {
	// Orders is the most unpaid orders of a shopper, Pieces the most pieces in all of them together.
	Orders, Pieces int
}

// none says that there is nothing to watch.
func (l UnpaidLimits) none() bool { return l.Orders == 0 && l.Pieces == 0 }

// held is what a shopper has in unpaid orders.
type held struct{ Orders, Pieces int }

// queue makes the submissions of one shopper run one after the other, so that what each of them counts is still so when
// it commits. The shopper's row comes before all others that a submission locks.
func (s *Service) queue(ctx context.Context, tx *db.Tx, shopper int64) error {
	return s.Accounts.Lock(ctx, tx, shopper)
}

// room refuses one more unpaid order of so many lines where the shopper, who is locked, would then hold too much. It
// fails with errno.OrderCheckoutFailed.
func (s *Service) room(ctx context.Context, tx *db.Tx, shopper int64, lines []cart.Line) error {
	if s.Unpaid.none() {
		return nil
	}
	h, err := unpaidOf(ctx, tx, shopper)
	if err != nil {
		return fmt.Errorf("count the unpaid orders of shopper %d: %w", shopper, err)
	}
	if most := s.Unpaid.Orders; most > 0 && h.Orders >= most {
		return fmt.Errorf("shopper %d has %d unpaid orders: %w", shopper, h.Orders,
			errno.OrderCheckoutFailed.Because(text.UnpaidOrders, most))
	}
	for _, l := range lines {
		h.Pieces += l.Number
	}
	if most := s.Unpaid.Pieces; most > 0 && h.Pieces > most {
		return fmt.Errorf("shopper %d would hold %d unpaid pieces: %w", shopper, h.Pieces,
			errno.OrderCheckoutFailed.Because(text.UnpaidPieces, most))
	}
	return nil
}

// unpaidOf counts by an index that has all of an order that is asked for here.
func unpaidOf(ctx context.Context, tx *db.Tx, shopper int64) (h held, err error) {
	err = tx.G(ctx).Raw("SELECT COUNT(DISTINCT o.id) AS orders, COALESCE(SUM(l.number), 0) AS pieces FROM orders o "+
		"JOIN order_goods l ON l.order_id = o.id WHERE o.user_id = ? AND o.order_status = ? AND o.deleted = 0",
		shopper, Unpaid).Scan(&h).Error
	return h, err
}
