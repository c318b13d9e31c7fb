package payment

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/internal/store/db"
)

// Ask queries the channel of an unpaid order's open payment or, if there is none, every channel, under the number that
// the next payment would get. It fails with ErrUnpaid if none has money.
func (s *Service) Ask(ctx context.Context, d Due) (Notification, error) {
	p, known, n, err := attemptsOf(ctx, s.db, d.OrderID)
	if err != nil {
		return Notification{}, fmt.Errorf("read the payment of order %d: %w", d.OrderID, err)
	}
	if known {
		return s.query(ctx, p.Channel, p.ref())
	}
	failed := error(nil)
	for _, code := range s.channels.asked() {
		found, err := s.query(ctx, code, Ref{OutTradeNo: numbered(d.OrderSN, n)})
		if err == nil {
			return found, nil
		}
		if !errors.Is(err, ErrUnpaid) {
			failed = errors.Join(failed, err)
		}
	}
	if failed != nil {
		return Notification{}, failed
	}
	return Notification{}, ErrUnpaid
}

// Recover inserts a payment that a channel knows and the database does not, so that its money can be recorded. It
// does nothing if the number is known. The row of the order must be locked.
func (s *Service) Recover(ctx context.Context, tx *db.Tx, d Due, n Notification) error {
	_, known, err := s.ByNumber(ctx, tx, n.OutTradeNo)
	if err != nil || known {
		return err
	}
	c, _ := s.channels.Of(n.Channel)
	p := Payment{
		OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: n.OutTradeNo, Channel: n.Channel, Amount: d.Amount,
	}
	if len(c.Methods) > 0 { // no notification says by which one it was paid
		p.TradeType = c.Methods[0].TradeType
	}
	if _, err := insert(ctx, tx, p, s.now()); err != nil {
		return fmt.Errorf("recover payment %s: %w", n.OutTradeNo, err)
	}
	return nil
}
