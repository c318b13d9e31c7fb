package payment

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// WithStaff reports whether a notification about the same payment waits for staff or was settled.
func (s *Service) WithStaff(ctx context.Context, tx *db.Tx, n Notification) (bool, error) {
	known, err := notifications.Exists(ctx, tx, "r.out_no = ? AND r.kind = ? AND r.result IN ?",
		n.OutTradeNo, aboutPayment, []Result{NotificationRefused, NotificationSettled})
	if err != nil {
		return false, fmt.Errorf("find a notification about payment %s: %w", n.OutTradeNo, err)
	}
	return known, nil
}

// ResolveNotification records that staff has dealt with a notification that was refused or unsettled. It fails with
// errno.Invalid for no notification, and with errno.Stale for one that needs nobody.
func (s *Service) ResolveNotification(ctx context.Context, tx *db.Tx, id int64, note string) error {
	n, found, err := notifications.Get(ctx, tx, id)
	if err != nil {
		return fmt.Errorf("read notification %d: %w", id, err)
	}
	if !found {
		return fmt.Errorf("notification %d: %w", id, errno.NoSuch(text.FieldID))
	}
	ok, err := notifications.Moved(ctx, tx, table.Set{"result": NotificationSettled}, "id = ? AND result IN ?", id,
		[]Result{NotificationRefused, NotificationUnsettled})
	if err != nil {
		return fmt.Errorf("settle notification %d: %w", id, err)
	}
	if !ok {
		return fmt.Errorf("notification %d needs nobody: %w", id, errno.Stale)
	}
	return audit.Record(ctx, tx, audit.Change{
		ID: id, Before: map[string]any{"result": n.Result},
		After: map[string]any{"result": NotificationSettled, "note": note}, Result: n.OutNo, Comment: note,
	})
}

// ReleaseByHand releases a refused refund that an operator has paid outside of the platform, for Done in the same
// transaction. The order's row must be locked. It fails with errno.Stale for a refund that is not refused: the platform
// may still pay it.
func (s *Service) ReleaseByHand(ctx context.Context, tx *db.Tx, r Refund, operator int64) (Refund, Sent, error) {
	if r.Status != RefundFailed {
		return r, Sent{}, fmt.Errorf("refund %d is not refused: %w", r.ID, errno.Stale)
	}
	p, _, err := byID(ctx, tx, r.PaymentID)
	if err != nil {
		return r, Sent{}, fmt.Errorf("read payment %d: %w", r.PaymentID, err)
	}
	if r.PaymentID != 0 {
		if ok, err := reserve(ctx, tx, r.PaymentID, r.Amount, s.now()); err != nil || !ok {
			return r, Sent{}, errors.Join(fmt.Errorf("payment %d cannot return %s", r.PaymentID, r.Amount), err)
		}
	}
	ok, err := release(ctx, tx, r, operator, "", s.now())
	if err != nil {
		return r, Sent{}, fmt.Errorf("release refund %d: %w", r.ID, err)
	}
	if !ok {
		return r, Sent{}, fmt.Errorf("refund %d was modified concurrently: %w", r.ID, errno.Stale)
	}
	r.Status, r.Attempts = RefundReleased, r.Attempts+1
	number := form.Truncate(fmt.Sprintf("%s%d-%s", byHand, operator, r.OutRefundNo), 64)
	return r, Sent{PlatformID: number, Way: text.RefundByHand.Stored(), Late: p.Status == Late}, nil
}

// byHand begins the number of a refund that was paid outside of the platform.
const byHand = Offline + "-"

// ByHandNumbers is the pattern of these numbers in SQL.
const ByHandNumbers = byHand + "%"
