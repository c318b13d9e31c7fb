package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// onDelivery reports whether an order is shipped before it is paid in a way.
func onDelivery(o payment.Offer) bool { return o.Method.Kind == payment.KindDelivery }

// payLater moves an unpaid order on that is to be paid on delivery. It fails with errno.OrderPayFailed for a shopper
// who may not owe more, and for a group purchase, whose price holds only once it is paid.
func (s *Service) payLater(ctx context.Context, tx *db.Tx, o *Order, w payment.Offer) error {
	trust, err := s.trustIn(ctx, tx, *o)
	if err != nil {
		return err
	}
	if why := trust.refusal(w.Method); why != nil {
		return fmt.Errorf("pay order %d on delivery: %w", o.ID, errno.OrderPayFailed.Because(why))
	}
	set := table.Set{"pay_channel": w.Channel.Code, "pay_before": nil}
	if err := s.apply(ctx, tx, o, PayLater, actor.Shopper(o.UserID), set); err != nil {
		return err
	}
	o.PayChannel = w.Channel.Code
	return nil
}

// trust is what decides whether a shopper may pay on delivery.
type trust struct {
	// Owed are the shopper's orders whose money is not recorded yet, Refused those that came back within a year.
	Owed, Refused int
	// Group says that the order is a group purchase.
	Group bool
}

// refusedFor is how long a refused parcel counts against a shopper.
const refusedFor = 365 * 24 * time.Hour

// refusal returns why a way to pay is not open, nil if it is.
func (t trust) refusal(m payment.Method) *text.Text {
	switch {
	case t.Group:
		return text.PaidBeforeGroup
	case m.MaxOwed > 0 && t.Owed >= m.MaxOwed:
		return text.OwesTooMuch
	case m.MaxRefused > 0 && t.Refused >= m.MaxRefused:
		return text.RefusedTooOften
	}
	return nil
}

// trustIn reads what decides whether the shopper of an order may pay it on delivery.
func (s *Service) trustIn(ctx context.Context, q db.Querier, o Order) (t trust, err error) {
	err = table.Scan(ctx, q, &t, `SELECT
			CAST(COALESCE(SUM(`+Owed("o")+` AND o.order_status IN @sold), 0) AS SIGNED) AS owed,
			CAST(COALESCE(SUM(`+Owed("o")+` AND o.order_status = @dropped AND o.ship_time >= @since), 0) AS SIGNED) AS refused
		FROM orders o
		WHERE o.user_id = @shopper AND o.add_time >= @since`, map[string]any{
		"sold": sold, "dropped": moves.To(CallOff), "shopper": o.UserID, "since": s.Now().Add(-refusedFor),
	})
	if err != nil {
		return t, fmt.Errorf("read what shopper %d owes: %w", o.UserID, err)
	}
	_, t.Group, err = s.Promotions.MemberOf(ctx, q, o.ID)
	return t, err
}

// CallOff ends an order that is to be paid on delivery and is not paid: the parcel came back, or is not sent. Stock and
// coupon are given back. It fails with errno.Invalid for an unknown order and with errno.OrderConfirmNotAllowed for one
// that is paid or received.
func (s *Service) CallOff(ctx context.Context, by actor.Actor, id int64, note string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Locked)
		if err != nil {
			return err
		}
		if err := s.apply(ctx, tx, &o, CallOff, by, nil); err != nil {
			return err
		}
		return s.remark(ctx, tx, id, by, note)
	})
}

// collectOwed records the money of an order that was to be paid on delivery. The order keeps its state; its history
// says when it was paid.
func (s *Service) collectOwed(
	ctx context.Context, tx *db.Tx, o *Order, by actor.Actor, number string, r Receipt,
) error {
	before, now := *o, s.Now()
	set := table.Set{
		"actual_price": r.Amount, "pay_id": number, "pay_channel": payment.Offline, "pay_time": now, "update_time": now,
	}
	ok, err := update(ctx, tx, *o, o.Status, set)
	if err == nil && !ok {
		err = errno.Stale
	}
	if err != nil {
		return fmt.Errorf("record the money of order %d: %w", o.ID, err)
	}
	o.PayChannel, o.PayTime, o.Price.Actual, o.version = payment.Offline, now, r.Amount, o.version+1
	if err := s.logMove(ctx, tx, *o, o.Status, by, string(Pay)); err != nil {
		return err
	}
	if err := s.statisticsChanged(ctx, tx, before, *o); err != nil {
		return err
	}
	due := o.due()
	due.Channel = before.PayChannel
	err = s.Payments.CollectOffline(ctx, tx, due, payment.Receipt{Number: number, Reference: r.Reference})
	if err != nil {
		return err
	}
	return s.announce(ctx, tx, TopicPaid, *o)
}
