package aftersale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Refund pays the refund of an accepted case. It uses only stored values: amount and type are the shopper's, as
// accepted by an operator. It fails with errno.Invalid for no case, or if more than was paid for the goods would be
// refunded, with errno.OrderConfirmNotAllowed in any state but Accepted or for an exchange, with errno.Stale while
// another refund of the case waits for the platform, and with errno.OrderRefundFailed if the platform refuses or does
// not answer; the case then stays unchanged.
//
// The idempotency key belongs to the refund: a repeated request answers errno.Stale until the platform has answered,
// and then its success; after a refusal it runs again.
//
// The claim, the call and the result are three steps, since no transaction may wait for a platform. The claim adds an
// event to the outbox, which finishes a refund whose process died between the steps.
func (s *Service) Refund(ctx context.Context, by actor.Actor, id int64) error {
	var r payment.Refund
	var result string
	v, err := s.Orders.Settings.Now(ctx)
	if err != nil {
		return err
	}
	answered, err := idempotency.Begin(ctx, s.Once, func(tx *db.Tx) error {
		o, c, err := s.lock(ctx, tx, id, func(Case) bool { return true })
		if err != nil {
			return err
		}
		if _, ok := c.Status.Next(Refund); !ok {
			return refusal(by, Refund, c)
		}
		if c.Type == Replacement {
			return fmt.Errorf("refund case %d: %w", id, errno.OrderConfirmNotAllowed.Because(text.CaseOfExchange))
		}
		if err := s.affordable(ctx, tx, o, c, v.Currency); err != nil {
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

// affordable refuses a case whose refund would exceed what was paid for the goods, or for one of its lines.
func (s *Service) affordable(ctx context.Context, tx *db.Tx, o order.Order, c Case, in money.Currency) error {
	before, err := s.Payments.Compensated(ctx, tx, o.ID, c.ID)
	if err != nil {
		return err
	}
	if c.Amount > 0 && o.Owed() {
		return fmt.Errorf("order %d is not paid: %w", o.ID, errno.OrderConfirmNotAllowed.Because(text.MoneyNotRecorded))
	}
	if sum := before + c.Amount; c.Amount < 0 || sum > o.PaidForGoods() {
		return fmt.Errorf("%s back of order %d: %w", sum, o.ID, errno.Invalid.Because(text.CaseAmount,
			in.Text(max(0, o.PaidForGoods()-before))))
	}
	about, err := linesOf(ctx, tx, c.ID)
	if err != nil || len(about[c.ID]) == 0 {
		return err
	}
	_, err = s.held(ctx, tx, o, about[c.ID], in)
	return err
}

// held returns the lines of an order that lines of an open case are about. It fails with errno.Invalid if there are
// fewer pieces left, or if the amount of one exceeds what was paid for its pieces.
func (s *Service) held(
	ctx context.Context, tx *db.Tx, o order.Order, about []Line, in money.Currency,
) ([]Holding, error) {
	lines, err := s.Orders.Lines(ctx, tx, o.ID)
	if err != nil {
		return nil, err
	}
	h, err := historyOf(ctx, tx, o.ID, true)
	if err != nil {
		return nil, err
	}
	all := h.holdings(o, lines, in)
	of := make([]Holding, len(about))
	for i, l := range about {
		found, known := find(all, l.LineID)
		switch {
		case !known || l.Number < 1 || l.Number > found.Left():
			return nil, fmt.Errorf("%d pieces of line %d: %w", l.Number, l.LineID,
				errno.Invalid.Because(text.CasePieces, found.GoodsName, found.Left()))
		case l.Amount < 0 || l.Amount > found.part(l.Number, in):
			return nil, fmt.Errorf("%s back of line %d: %w", l.Amount, l.LineID,
				errno.Invalid.Because(text.CaseAmount, in.Text(found.part(l.Number, in))))
		}
		of[i] = found
	}
	return of, nil
}

// finish is the outbox handler for a released refund without an answer.
func (s *Service) finish(ctx context.Context, r payment.Refund) error {
	return s.send(ctx, r, actor.System)
}

// toRecord is the timeout for recording the platform's answer.
const toRecord = 10 * time.Second

// send requests the refund from the platform and records the answer. Without an answer the refund stays released, and
// the outbox sends it again with the same number.
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
		return s.refunded(ctx, tx, r, sent, by)
	})
}

// refunded records a completed refund, unless it is recorded already.
func (s *Service) refunded(
	ctx context.Context, tx *db.Tx, r payment.Refund, sent payment.Sent, by actor.Actor,
) error {
	o, c, err := s.lock(ctx, tx, r.AftersaleID, func(Case) bool { return true })
	if err != nil {
		return err
	}
	if c.Status == Refunded {
		return nil
	}
	before := c
	if err := s.apply(ctx, tx, by, &o, &c, Refund, nil); err != nil {
		return err
	}
	if first, err := s.Payments.Done(ctx, tx, r, sent.PlatformID); err != nil || !first {
		return errors.Join(fmt.Errorf("refund %d was modified concurrently: %w", r.ID, errno.Stale), err)
	}
	if err := s.record(ctx, tx, before, named(o, c)); err != nil {
		return err
	}
	about, err := linesOf(ctx, tx, c.ID)
	if err != nil {
		return err
	}
	pieces := map[int64]int{}
	for _, l := range about[c.ID] {
		pieces[l.LineID] = l.Number
	}
	return s.Orders.Compensated(ctx, tx, &o, by, int(c.Status), order.Compensation{
		Amount: r.Amount, Sent: sent, CaseID: c.ID, Returned: c.Type == Returned, Pieces: pieces,
	})
}
