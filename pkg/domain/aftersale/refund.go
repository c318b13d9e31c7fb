package aftersale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/text"
)

// Refund pays the refund of an accepted case. It uses only stored values: amount and type are the shopper's, as
// accepted by an operator. It fails with errno.Invalid for no case, or if more than was paid for the goods would be
// refunded, with errno.OrderConfirmNotAllowed in any state but Accepted, with errno.Stale while another refund of the
// case waits for the platform, and with errno.OrderRefundFailed if the platform refuses or does not answer; the case
// then stays unchanged.
//
// The idempotency key belongs to the refund: a repeated request answers errno.Stale until the platform has answered,
// and then its success; after a refusal it runs again.
//
// The claim, the call and the result are three steps, since no transaction may wait for a platform. The claim adds an
// event to the outbox, which finishes a refund whose process died between the steps.
func (s *Service) Refund(ctx context.Context, by actor.Actor, id int64) error {
	var r payment.Refund
	var result string
	answered, err := idempotency.Begin(ctx, s.Once, func(tx *db.Tx) error {
		o, c, err := s.lock(ctx, tx, id, func(Case) bool { return true })
		if err != nil {
			return err
		}
		if _, ok := c.Status.Next(Refund); !ok {
			return refusal(by, Refund, c)
		}
		if err := s.affordable(ctx, tx, o, c); err != nil {
			return err
		}
		result = named(o, c)
		r, err = s.Payments.Compensate(ctx, tx, payment.Compensation{
			AftersaleID: c.ID, OrderID: o.ID, UserID: c.UserID, AftersaleSN: c.SN, Reason: c.Reason, Amount: c.Amount,
		}, by.ID)
		return err
	})
	if answered || err != nil {
		return err
	}
	if err := s.send(ctx, r, by); err != nil {
		err = fmt.Errorf("refund case %d: %w: %w", id, payment.Unrefunded(err), err)
		return errors.Join(err, audit.NoteFailure(ctx, s.DB, result, ""))
	}
	return nil
}

// named is the name of a refunded case in the business log.
func named(o order.Order, c Case) string { return text.LogOrderCase.Stored(o.SN, c.SN) }

// affordable refuses a case whose refund would exceed what was paid for the goods.
func (s *Service) affordable(ctx context.Context, tx *db.Tx, o order.Order, c Case) error {
	before, err := s.Payments.Compensated(ctx, tx, o.ID, c.ID)
	if err != nil {
		return err
	}
	if sum := before + c.Amount; c.Amount < 0 || sum > most(o) {
		return fmt.Errorf("%s back of order %d: %w", sum, o.ID, errno.Invalid.Because(text.CaseAmount, max(0,
			most(o)-before)))
	}
	return nil
}

// finish is the outbox handler for a released refund without an answer.
func (s *Service) finish(ctx context.Context, r payment.Refund) error {
	return s.send(ctx, r, actor.System)
}

// toRecord is the timeout for recording the platform's answer.
const toRecord = 10 * time.Second

// send asks the platform to refund and records the answer. Without an answer the refund stays released, and the outbox
// asks again with the same number.
func (s *Service) send(ctx context.Context, r payment.Refund, by actor.Actor) error {
	sent, err := s.Payments.Send(ctx, r)
	if errors.Is(err, payment.ErrRefused) {
		return errors.Join(err, s.Payments.Fail(ctx, r, err))
	}
	if err != nil {
		return err
	}
	// The money has moved: neither a disconnected client nor a shutdown may prevent its recording.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), toRecord)
	defer cancel()
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		return s.refunded(ctx, tx, r, sent.PlatformID, by)
	})
}

// refunded records a completed refund, unless it is recorded already.
func (s *Service) refunded(
	ctx context.Context, tx *db.Tx, r payment.Refund, platformID string, by actor.Actor,
) error {
	o, c, err := s.lock(ctx, tx, r.AftersaleID, func(Case) bool { return true })
	if err != nil {
		return err
	}
	if c.Status == Refunded {
		return nil
	}
	before := c
	if err := s.apply(ctx, tx, by, &o, &c, Refund); err != nil {
		return err
	}
	if first, err := s.Payments.Done(ctx, tx, r, platformID); err != nil || !first {
		return errors.Join(fmt.Errorf("refund %d was modified concurrently: %w", r.ID, errno.Stale), err)
	}
	if err := s.record(ctx, tx, before, named(o, c)); err != nil {
		return err
	}
	return s.Orders.Compensated(ctx, tx, &o, by, int(c.Status), order.Compensation{
		Amount: r.Amount, PlatformID: platformID, Returned: c.Type == Returned,
	})
}
