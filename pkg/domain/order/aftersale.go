package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

// What an after-sale case, which is not of this area, does to its order. The order's row is locked first in all of
// it, so whoever moves the case moves alone.

// Lock finds a shopper's order and keeps it for the transaction. It fails with errno.OrderUnknown.
func (s *Service) Lock(ctx context.Context, tx *db.Tx, shopper, id int64) (Order, error) {
	o, ok, err := lock(ctx, tx, id)
	if err != nil {
		return o, fmt.Errorf("lock order %d: %w", id, err)
	}
	if !ok || o.gone(Shopper(shopper)) {
		return Order{}, fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.OrderUnknown)
	}
	return o, nil
}

// LockAny is Lock for whoever may see all orders, one that its shopper has hidden too. It fails with errno.Invalid.
func (s *Service) LockAny(ctx context.Context, tx *db.Tx, id int64) (Order, error) {
	o, ok, err := lock(ctx, tx, id)
	if err != nil {
		return o, fmt.Errorf("lock order %d: %w", id, err)
	}
	if !ok || o.Deleted {
		return Order{}, fmt.Errorf("order %d: %w", id, errno.NoSuch("orderId"))
	}
	return o, nil
}

// MarkAftersale writes the state of the order's case beside the order, which must be locked.
func (s *Service) MarkAftersale(ctx context.Context, tx *db.Tx, o *Order, status int) error {
	return s.mark(ctx, tx, o, status, nil)
}

// Compensation is the money of an after-sale case that has gone back.
type Compensation struct {
	Amount money.Amount
	// PlatformID is the platform's number, empty where people hand the money over, or there is none.
	PlatformID string
	// Returned says that the goods came back too.
	Returned bool
}

// Compensated writes a compensation beside the order, which must be locked, puts returned goods back on the shelf and
// has the shopper told. The order stays in its state and keeps its coupon.
func (s *Service) Compensated(ctx context.Context, tx *db.Tx, o *Order, by Actor, status int, c Compensation) error {
	if err := s.mark(ctx, tx, o, status, changes{
		"refund_amount": c.Amount, "refund_type": refundType(c.PlatformID), "refund_content": nullText(c.PlatformID),
		"refund_time": s.Now(),
	}); err != nil {
		return err
	}
	if c.Returned {
		pieces, err := s.pieces(ctx, tx, o.ID)
		if err != nil {
			return err
		}
		if err := s.Stock.GiveBack(ctx, tx, by.mover(), catalog.Returned, pieces); err != nil {
			return err
		}
	}
	return s.announce(ctx, tx, TopicRefunded, *o)
}

// mark is move for an order that stays in its state.
func (s *Service) mark(ctx context.Context, tx *db.Tx, o *Order, status int, also changes) error {
	set := changes{"aftersale_status": status}
	for column, v := range also {
		set[column] = v
	}
	moved, err := move(ctx, tx, *o, o.Status, set, s.Now())
	if err != nil {
		return fmt.Errorf("mark order %d: %w", o.ID, err)
	}
	if !moved {
		return fmt.Errorf("mark order %d: %w", o.ID, errno.Stale)
	}
	o.Aftersale, o.version = status, o.version+1
	return nil
}

// LinesOf returns the lines of several orders, read in one statement.
func (s *Service) LinesOf(ctx context.Context, orders []int64) (map[int64][]Line, error) {
	all, err := linesIn(ctx, s.DB, orders)
	if err != nil {
		return nil, fmt.Errorf("read order lines: %w", err)
	}
	byOrder := make(map[int64][]Line, len(orders))
	for _, l := range all {
		byOrder[l.OrderID] = append(byOrder[l.OrderID], l)
	}
	return byOrder, nil
}

// NewNumber draws a number of the form that order numbers have. The caller's unique key tells whether it is free.
func (s *Service) NewNumber() string { return s.number(s.Now()) }
