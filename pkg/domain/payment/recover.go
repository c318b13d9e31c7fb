package payment

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
)

// Ask queries the platform for the payment of an unpaid order: under the number of its open payment or, if there is
// none, under the number that its next payment would get. It fails with ErrUnpaid if the platform has no money.
func (s *Service) Ask(ctx context.Context, d Due) (Notification, error) {
	p, known, n, err := attemptsOf(ctx, s.db, d.OrderID)
	if err != nil {
		return Notification{}, fmt.Errorf("read the payment of order %d: %w", d.OrderID, err)
	}
	number := p.OutTradeNo
	switch {
	case !known:
		number = numbered(d.OrderSN, n)
	case p.Channel != s.gateway.Channel():
		return Notification{}, ErrUnpaid // another platform, which is not configured any more, knows
	}
	ctx, cancel := context.WithTimeout(ctx, platformTimeout)
	defer cancel()
	return s.gateway.Query(ctx, number)
}

// Recover inserts a payment that the platform knows and the database does not, so that its money can be recorded. It
// does nothing if the number is known. The row of the order must be locked.
func (s *Service) Recover(ctx context.Context, tx *db.Tx, d Due, number string) error {
	_, known, err := s.ByNumber(ctx, tx, number)
	if err != nil || known {
		return err
	}
	p := Payment{
		OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: number, Channel: s.gateway.Channel(), TradeType: d.TradeType,
		Amount: d.Amount,
	}
	if _, err := insert(ctx, tx, p, s.now()); err != nil {
		return fmt.Errorf("recover payment %s: %w", number, err)
	}
	return nil
}
