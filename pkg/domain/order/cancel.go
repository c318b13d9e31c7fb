package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Cancel cancels the shopper's unpaid order and releases its stock and coupon. It fails with errno.OrderUnknown for an
// order of another shopper and with errno.OrderInvalidOperation for one that can no longer be cancelled.
func (s *Service) Cancel(ctx context.Context, shopper, id int64) error {
	return s.shopperMoves(ctx, shopper, id, Cancel)
}

// Hide removes an order from the shopper's lists; operators still see it. It fails with errno.OrderUnknown for an order
// of another shopper or one that is hidden already, and with errno.OrderInvalidOperation for one that is still in
// progress.
func (s *Service) Hide(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error { return s.hide(ctx, tx, shopper, id) })
}

func (s *Service) hide(ctx context.Context, tx *db.Tx, shopper, id int64) error {
	o, err := s.deletable(ctx, tx, shopper, id)
	if err != nil {
		return err
	}
	set := table.Set{"user_deleted": true, "update_time": s.Now()}
	hidden, err := orders.Moved(ctx, tx, set, `id = ? AND user_id = ? AND order_status = ? AND aftersale_status = ?
		AND deleted = 0 AND user_deleted = 0`, o.ID, o.UserID, o.Status, o.Aftersale)
	if err != nil || hidden {
		return err
	}
	if _, err := s.deletable(ctx, tx, shopper, id); err != nil { // hidden by a concurrent request of the same shopper
		return err
	}
	return fmt.Errorf("hide order %d: %w", id, errno.Stale)
}

// deletable finds an order that its shopper may hide now.
func (s *Service) deletable(ctx context.Context, tx *db.Tx, shopper, id int64) (Order, error) {
	o, err := s.Load(ctx, tx, id, actor.Shopper(shopper), Unlocked)
	if err == nil && o.Status.Done() && o.pending() {
		err = refused(actor.Shopper(shopper), text.OrderCaseOpen, fmt.Errorf("hide order %d, case in %d", id, o.Aftersale))
	} else if err == nil && !o.deletable() {
		err = refusal(actor.Shopper(shopper), o.Status, fmt.Errorf("hide order %d in %d", id, o.Status))
	}
	return o, err
}

// Delete soft-deletes a finished order with its lines and its after-sale cases. It fails with errno.Invalid for an
// unknown order and with errno.OrderConfirmNotAllowed for one that is in progress or has a case that an operator must
// still handle.
func (s *Service) Delete(ctx context.Context, by actor.Actor, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Locked)
		if err != nil {
			return err
		}
		if o.pending() {
			return refused(by, text.OrderCaseOpen, fmt.Errorf("delete order %d, case in %d", id, o.Aftersale))
		}
		if !o.Status.Ended() && !o.Status.Done() {
			return refusal(by, o.Status, fmt.Errorf("delete order %d in %d", id, o.Status))
		}
		if err := s.remove(ctx, tx, o); err != nil {
			return fmt.Errorf("delete order %d: %w", id, err)
		}
		if err := s.dropCases(ctx, tx, id); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: o, After: nil, Result: logName(o.SN), Comment: ""})
	})
}

// remove deletes an order and then its lines. It fails with errno.Stale if the order has changed since it was read.
func (s *Service) remove(ctx context.Context, tx *db.Tx, o Order) error {
	set := table.Set{"update_time": s.Now()}
	n, err := orders.Remove(ctx, tx, set, "id = ? AND order_status = ? AND aftersale_status = ? AND version = ?",
		o.ID, o.Status, o.Aftersale, o.version)
	if err != nil {
		return err
	}
	if n == 0 {
		return errno.Stale
	}
	_, err = orderLines.Remove(ctx, tx, set, "order_id = ?", o.ID)
	return err
}
