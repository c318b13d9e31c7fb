package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// Cancel ends the shopper's unpaid order and gives its stock and coupon back. It fails with errno.OrderUnknown for an
// order that is not the shopper's, and with errno.OrderInvalidOperation for one past paying.
func (s *Service) Cancel(ctx context.Context, shopper, id int64) error {
	return s.shopperMoves(ctx, shopper, id, Cancel, changes{"end_time": s.Now()}, func(tx *db.Tx, o Order) error {
		return s.release(ctx, tx, o, Shopper(shopper), catalog.CancelledByShopper)
	})
}

// Hide removes an order from the shopper's lists; operators go on seeing it. It fails with errno.OrderUnknown, also for
// an order that is hidden already, and with errno.OrderInvalidOperation for one that is still under way.
func (s *Service) Hide(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		return s.hide(ctx, tx, shopper, id)
	})
}

func (s *Service) hide(ctx context.Context, tx *db.Tx, shopper, id int64) error {
	o, err := s.mine(ctx, tx, shopper, id)
	if err != nil {
		return err
	}
	if !o.deletable() {
		return refusal(Shopper(shopper), o.Status, fmt.Errorf("hide order %d in %d", id, o.Status))
	}
	hidden, err := hide(ctx, tx, o, s.Now())
	if err != nil {
		return fmt.Errorf("hide order %d: %w", id, err)
	}
	if hidden {
		return nil
	}
	if o, err = s.mine(ctx, tx, shopper, id); err != nil { // hidden by the same shopper's other request
		return err
	}
	if !o.deletable() {
		return refusal(Shopper(shopper), o.Status, fmt.Errorf("hide order %d in %d", id, o.Status))
	}
	return fmt.Errorf("hide order %d: %w", id, errno.Stale)
}

func hide(ctx context.Context, tx *db.Tx, o Order, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE orders SET user_deleted = 1, version = version + 1, update_time = ? WHERE id = ? "+
		"AND user_id = ? AND order_status = ? AND aftersale_status = ? AND deleted = 0 AND user_deleted = 0",
		now, o.ID, o.UserID, o.Status, o.Aftersale)
	return res.RowsAffected == 1, res.Error
}

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
