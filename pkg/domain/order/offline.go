package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/payment"
)

// PayOffline records that an unpaid order's money was handed over without a platform; what was handed over is what the
// order costs from now on. All that a payment means for an order follows. It fails with errno.Invalid for an unknown
// order and with errno.OrderConfirmNotAllowed for one that does not wait for money.
func (s *Service) PayOffline(ctx context.Context, by Actor, id int64, amount money.Amount) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.lockForOperator(ctx, tx, id)
		if err != nil {
			return err
		}
		before := o
		if err := s.paidOffline(ctx, tx, &o, by, amount); err != nil {
			return err
		}
		return s.record(ctx, tx, before, fmt.Sprintf("应付 %s，实收 %s", before.Price.Actual, amount))
	})
}

func (s *Service) paidOffline(ctx context.Context, tx *db.Tx, o *Order, by Actor, amount money.Amount) error {
	number := fmt.Sprintf("%s-%d-%s", payment.Offline, by.ID, o.SN)
	if err := s.apply(ctx, tx, o, Pay, by, changes{
		"actual_price": amount, "pay_id": number, "pay_time": s.Now(), "pay_channel": payment.Offline,
	}); err != nil {
		return err
	}
	o.Price.Actual = amount
	if err := s.Payments.CollectOffline(ctx, tx, o.due(), number); err != nil {
		return err
	}
	if err := s.announce(ctx, tx, TopicPaid, *o); err != nil {
		return err
	}
	return s.settle(ctx, tx, o)
}

// lockForOperator is forOperator for a move of several steps: the order is kept for the transaction.
func (s *Service) lockForOperator(ctx context.Context, tx *db.Tx, id int64) (Order, error) {
	o, ok, err := lock(ctx, tx, id)
	if err != nil {
		return o, fmt.Errorf("lock order %d: %w", id, err)
	}
	if !ok || o.Deleted {
		return o, errno.NoSuch("orderId")
	}
	return o, nil
}
