package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// Dropping deletes what another area keeps of an order, in the transaction that deletes the order, whose row is locked.
type Dropping func(ctx context.Context, tx *db.Tx, order int64) error

// OnDelete names who deletes the after-sale cases of an order along with it.
func (s *Service) OnDelete(drop Dropping) { s.dropCases = drop }

// Delete takes an order that is over out of everybody's lists, with its lines and its after-sale cases. It fails with
// errno.Invalid for an unknown order and with errno.OrderConfirmNotAllowed for one that is under way, or whose case an
// operator must still act on.
func (s *Service) Delete(ctx context.Context, by Actor, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.lockForOperator(ctx, tx, id)
		if err != nil {
			return err
		}
		if o.pending() {
			return refused(by, text.OrderCase, fmt.Errorf("delete order %d, case in %d", id, o.Aftersale))
		}
		if !o.Status.Ended() && !o.Status.Done() {
			return refusal(by, o.Status, fmt.Errorf("delete order %d in %d", id, o.Status))
		}
		deleted, err := remove(ctx, tx, o, s.Now())
		if err == nil && !deleted {
			err = errno.Stale
		}
		if err != nil {
			return fmt.Errorf("delete order %d: %w", id, err)
		}
		if err := s.dropCases(ctx, tx, id); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Before: o, After: nil, Result: logName(o.SN), Comment: "",
		})
	})
}

// remove deletes an order, if it is still as it was read, and then its lines.
func remove(ctx context.Context, tx *db.Tx, o Order, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE orders SET deleted = 1, version = version + 1, update_time = ? WHERE id = ? AND "+
		"order_status = ? AND aftersale_status = ? AND version = ? AND deleted = 0",
		now, o.ID, o.Status, o.Aftersale, o.version)
	if res.Error != nil || res.RowsAffected == 0 {
		return false, res.Error
	}
	err := tx.G(ctx).Exec("UPDATE order_goods SET deleted = 1, update_time = ? WHERE order_id = ? AND deleted = 0",
		now, o.ID).Error
	return true, err
}

// linesEver returns the lines of an order, deleted ones too: those of a deleted order are shown with it.
func linesEver(ctx context.Context, q db.Querier, order int64) ([]Line, error) {
	return lines(q.G(ctx).Raw("SELECT "+lineColumns+" FROM order_goods WHERE order_id = ? ORDER BY id", order))
}
