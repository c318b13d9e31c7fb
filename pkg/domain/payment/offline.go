package payment

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
)

// CollectOffline records that the money of an order was handed over without a platform, under a number of ours. The
// order's row must be locked. A payment that is under way at a platform is closed; what comes of it after all is late
// money.
func (s *Service) CollectOffline(ctx context.Context, tx *db.Tx, d Due, number string) error {
	if err := s.CloseOpen(ctx, tx, d.OrderID); err != nil {
		return err
	}
	n, err := countOf(ctx, tx, d.OrderID)
	if err != nil {
		return fmt.Errorf("count the payments of order %d: %w", d.OrderID, err)
	}
	p := Payment{
		OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: numbered(d.OrderSN, n), Channel: Offline, Amount: d.Amount,
		Status: Paid, TransactionID: number, PaidAmount: d.Amount,
	}
	if _, err := insert(ctx, tx, p, s.now()); err != nil {
		return fmt.Errorf("record the offline payment of order %d: %w", d.OrderID, err)
	}
	return nil
}
