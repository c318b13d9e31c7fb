package payment

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Compensation is a refund for an after-sale case, while the order stays sold.
type Compensation struct {
	AftersaleID, OrderID, UserID int64
	// AftersaleSN is the base of the refund's number at the platform.
	AftersaleSN, Reason string
	Amount              money.Amount
}

// Compensate releases the refund of an after-sale case to the platform, as Release does for the refund of an order: a
// refund that failed, or was not answered in time, is released again under its number. The order's row must be locked.
// It fails with errno.Stale while another release waits for its answer.
func (s *Service) Compensate(ctx context.Context, tx *db.Tx, c Compensation, operator int64) (Refund, error) {
	r, ok, err := refundOfCase(ctx, tx, c.OrderID, c.AftersaleID)
	if err != nil {
		return r, fmt.Errorf("read the refund of case %d: %w", c.AftersaleID, err)
	}
	switch {
	case ok && r.Status == RefundDone:
		return r, fmt.Errorf("case %d is refunded: %w", c.AftersaleID, errno.OrderConfirmNotAllowed)
	case ok:
		return s.payCompensation(ctx, tx, r, operator)
	}
	p, ok, err := activeOf(ctx, tx, c.OrderID)
	if err != nil {
		return r, fmt.Errorf("read the payment of order %d: %w", c.OrderID, err)
	}
	if ok && p.Status != Paid {
		return r, fmt.Errorf("payment %d is not paid: %w", p.ID, errno.OrderConfirmNotAllowed)
	}
	r = Refund{
		OrderID: c.OrderID, PaymentID: p.ID, AftersaleID: c.AftersaleID, UserID: c.UserID,
		OutRefundNo: "aftersale_" + c.AftersaleSN, Amount: c.Amount, UpdateTime: s.now(),
	}
	if r.ID, err = insertRefund(ctx, tx, r, c.Reason, s.now()); err != nil {
		return r, fmt.Errorf("record refund %s: %w", r.OutRefundNo, err)
	}
	return s.payCompensation(ctx, tx, r, operator)
}

// DropCompensation gives up the refund of an after-sale case that the platform has refused, if there is one. The
// order's row must be locked. It fails with errno.Stale while the refund waits for the platform.
func (s *Service) DropCompensation(ctx context.Context, tx *db.Tx, order, aftersale, operator int64) error {
	r, ok, err := refundOfCase(ctx, tx, order, aftersale)
	if err != nil {
		return fmt.Errorf("read the refund of case %d: %w", aftersale, err)
	}
	if !ok {
		return nil
	}
	return s.reject(ctx, tx, r, operator)
}

// Compensated sums what the other after-sale cases of an order have refunded or are refunding.
func (s *Service) Compensated(ctx context.Context, tx *db.Tx, order, except int64) (money.Amount, error) {
	sum, err := sumCompensations(ctx, tx, order, except)
	if err != nil {
		return 0, fmt.Errorf("add up the after-sale refunds of order %d: %w", order, err)
	}
	return sum, nil
}

// payCompensation releases a refund: it reserves the amount, updates the refund under the number of attempts it was
// read with, and adds the outbox event.
func (s *Service) payCompensation(ctx context.Context, tx *db.Tx, r Refund, operator int64) (Refund, error) {
	if r.Status == RefundReleased && r.UpdateTime.After(s.now().Add(-answerTimeout)) {
		return r, fmt.Errorf("refund %d is on its way: %w", r.ID, errno.Stale)
	}
	if r.Status != RefundReleased && r.PaymentID != 0 { // a repeated release has reserved the amount already
		if ok, err := reserve(ctx, tx, r.PaymentID, r.Amount, s.now()); err != nil || !ok {
			return r, errors.Join(fmt.Errorf("payment %d cannot return %s", r.PaymentID, r.Amount), err)
		}
	}
	call, err := audit.Packed(ctx)
	if err != nil {
		return r, err
	}
	ok, err := release(ctx, tx, r, operator, call, s.now())
	if err != nil {
		return r, fmt.Errorf("release refund %d: %w", r.ID, err)
	}
	if !ok {
		return r, fmt.Errorf("refund %d was modified concurrently: %w", r.ID, errno.Stale)
	}
	r.Status, r.Attempts = RefundReleased, r.Attempts+1
	if err := idempotency.Bind(ctx, tx, r.subject()); err != nil {
		return r, err
	}
	return r, s.outbox.AddAfter(ctx, tx, TopicRefund, refundKey(r), r.ID, nil, untilTaken)
}
