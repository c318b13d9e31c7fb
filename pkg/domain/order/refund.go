package order

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// AskRefund requests a refund of a paid order that was not shipped, or that waits to be collected; an operator decides.
// A member leaves an incomplete group, and an opener dissolves it. It fails as Cancel does.
func (s *Service) AskRefund(ctx context.Context, shopper, id int64) error {
	return retryIfGroupChanged(ctx, func() error {
		member, grouped, err := s.Promotions.MemberOf(ctx, s.DB, id)
		switch {
		case err != nil:
			return err
		case grouped:
			return s.requestGroupRefund(ctx, shopper, member)
		}
		return s.shopperMoves(ctx, shopper, id, AskRefund)
	})
}

// Refund pays the refund that the shopper has requested and ends the order. The amount must be the amount paid
// (errno.Invalid). It fails with errno.OrderConfirmNotAllowed in any other state, with errno.Stale while another refund
// of the order waits for the platform, and with errno.OrderRefundFailed if the platform refuses or does not answer; the
// order then stays unchanged.
//
// The idempotency key belongs to the refund: a repeated request answers errno.Stale until the platform has answered,
// and then its success; after a refusal it runs again.
//
// The claim, the call and the result are three steps, since no transaction may wait for a platform. The claim adds an
// event to the outbox, which finishes a refund whose process died between the steps.
func (s *Service) Refund(ctx context.Context, by actor.Actor, id int64, amount money.Amount) error {
	var r payment.Refund
	var sn string
	answered, err := idempotency.Begin(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Locked)
		if err != nil {
			return err
		}
		if _, ok := o.next(Refund); !ok {
			return refusal(by, o.Status, fmt.Errorf("refund order %d in %d", id, o.Status))
		}
		if amount != o.Price.Actual {
			currency, err := s.Settings.Currency(ctx, tx)
			if err != nil {
				return err
			}
			return errno.Invalid.Because(text.RefundSum, currency.Text(o.Price.Actual))
		}
		sn = o.SN
		r, err = s.Payments.Release(ctx, tx, id, by.ID)
		return err
	})
	if answered || err != nil {
		return err
	}
	if err := s.send(ctx, r, by); err != nil {
		err = fmt.Errorf("refund order %d: %w: %w", id, payment.Unrefunded(err), err)
		return errors.Join(err, audit.NoteFailure(ctx, s.DB, logName(sn), ""))
	}
	return nil
}

// finishRefund is the outbox handler for a released refund without an answer.
func (s *Service) finishRefund(ctx context.Context, r payment.Refund) error {
	return s.send(ctx, r, actor.System)
}

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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		return s.refunded(ctx, tx, r, sent, by)
	})
}

// refunded records a completed refund and ends its order. The order of a late payment has ended already.
func (s *Service) refunded(ctx context.Context, tx *db.Tx, r payment.Refund, sent payment.Sent, by actor.Actor) error {
	o, ok, err := byID(ctx, tx, r.OrderID, Locked)
	if err != nil || !ok {
		return errors.Join(fmt.Errorf("lock order %d of refund %d", r.OrderID, r.ID), err)
	}
	first, err := s.Payments.Done(ctx, tx, r, sent.PlatformID)
	if err != nil || !first || sent.Late {
		return err
	}
	return s.apply(ctx, tx, &o, Refund, by, refundColumns(r.Amount, sent))
}

// refundColumns returns the order's columns about a refund. A refund of zero is recorded too.
func refundColumns(amount money.Amount, sent payment.Sent) table.Set {
	return table.Set{
		"refund_amount": gorm.Expr("?", amount), "refund_type": sent.Way, "refund_content": sent.PlatformID,
	}
}

// RejectRefund rejects the refund that a shopper has requested; the order is to be shipped again. It fails with
// errno.OrderConfirmNotAllowed in any other state or if the order's group has failed, and with errno.Stale while a
// refund is in progress.
func (s *Service) RejectRefund(ctx context.Context, by actor.Actor, id int64, reason string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Unlocked)
		if err != nil {
			return err
		}
		member, grouped, err := s.Promotions.MemberOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if grouped && member.Status == promotion.MemberFailed { // its price is not valid without a group
			return refused(by, text.OrderGroupFailed, fmt.Errorf("reject the refund of order %d of a failed group", id))
		}
		return s.apply(ctx, tx, &o, RejectRefund, by, table.Set{"refund_content": reason})
	})
}

// The effects of an after-sale case, which belongs to another area, on its order. Each starts by locking the order,
// which serializes the changes of a case.

// MarkAftersale sets the state of the case on the order, which must be locked.
func (s *Service) MarkAftersale(ctx context.Context, tx *db.Tx, o *Order, status int) error {
	return s.mark(ctx, tx, o, status, nil)
}

// Compensation is a completed refund of an after-sale case.
type Compensation struct {
	Amount money.Amount
	// Sent is how it was paid.
	Sent payment.Sent
	// CaseID is the case. Returned says that the goods came back: all of them, or of some lines the pieces in Pieces.
	CaseID   int64
	Returned bool
	Pieces   map[int64]int
}

// Compensated records a compensation on the order, which must be locked, returns the goods to stock and notifies the
// shopper. The order keeps its state and its coupon, and adds up what was compensated.
func (s *Service) Compensated(
	ctx context.Context, tx *db.Tx, o *Order, by actor.Actor, status int, c Compensation,
) error {
	set := refundColumns(o.RefundAmount+c.Amount, c.Sent)
	set["refund_time"] = s.Now()
	if err := s.mark(ctx, tx, o, status, set); err != nil {
		return err
	}
	if c.Returned {
		back, err := pieces(ctx, tx, o.ID)
		if err != nil {
			return err
		}
		if len(c.Pieces) > 0 {
			back = c.some(back)
		}
		if err := s.Stock.GiveBack(ctx, tx, by, catalog.Returned, back); err != nil {
			return err
		}
	}
	return s.announce(ctx, tx, TopicRefunded, *o)
}

// some are the pieces that came back of lines.
func (c Compensation) some(all []catalog.StockLine) []catalog.StockLine {
	var back []catalog.StockLine
	for _, l := range all {
		if n := c.Pieces[l.LineID]; n > 0 {
			l.Number, l.CaseID = n, c.CaseID
			back = append(back, l)
		}
	}
	return back
}

// mark sets the state of the case and its columns on an order whose own state does not change.
func (s *Service) mark(ctx context.Context, tx *db.Tx, o *Order, status int, of table.Set) error {
	set := table.Set{"aftersale_status": status, "update_time": s.Now()}
	maps.Copy(set, of)
	marked, err := update(ctx, tx, *o, o.Status, set)
	if err == nil && !marked {
		err = errno.Stale
	}
	if err != nil {
		return fmt.Errorf("mark order %d: %w", o.ID, err)
	}
	o.Aftersale, o.version = status, o.version+1
	return nil
}
