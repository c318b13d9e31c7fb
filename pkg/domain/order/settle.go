package order

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// What staff does about open cases; package report lists them.

// ResolveNotification records that staff has dealt with a payment notification that was refused or needs staff. It
// fails with errno.Invalid for no notification, and with errno.Stale for one that needs no action.
func (s *Service) ResolveNotification(ctx context.Context, id int64, note string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error { return s.Payments.ResolveNotification(ctx, tx, id, note) })
}

// RetryEvent makes a dead letter of the outbox due again. It fails with errno.Invalid for no event, and with
// errno.Stale for one that is no dead letter.
func (s *Service) RetryEvent(ctx context.Context, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error { return s.Outbox.Revive(ctx, tx, id) })
}

// DismissEvent ends a dead letter of the outbox that need not be delivered any more. It fails as RetryEvent does.
func (s *Service) DismissEvent(ctx context.Context, id int64, note string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error { return s.Outbox.Dismiss(ctx, tx, id, note) })
}

// RefundByHand records that staff has paid a refund that the platform refuses, of an order or of a late payment, and
// ends an order that waits for it. It fails with errno.Invalid for no refund or one of an after-sale case, and with
// errno.Stale for one that is not refused.
func (s *Service) RefundByHand(ctx context.Context, by actor.Actor, id int64, note string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		r, ok, err := s.Payments.RefundByID(ctx, tx, id)
		if err != nil {
			return err
		}
		if !ok || r.AftersaleID != 0 {
			return fmt.Errorf("refund %d of an order: %w", id, errno.NoSuch(text.FieldID))
		}
		o, ok, err := byID(ctx, tx, r.OrderID, Locked)
		if err != nil || !ok {
			return errors.Join(fmt.Errorf("lock order %d of refund %d", r.OrderID, id), err)
		}
		r, sent, err := s.Payments.ReleaseByHand(ctx, tx, r, by.ID)
		if err != nil {
			return err
		}
		if err := s.refunded(ctx, tx, r, sent, by); err != nil {
			return err
		}
		if !sent.Late { // the end of the order is recorded
			return audit.Note(ctx, tx, logName(o.SN), note)
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: o.ID, After: map[string]any{"refund": r.OutRefundNo, "amount": r.Amount, "note": note}, Result: logName(o.SN),
			Comment: note,
		})
	})
}
