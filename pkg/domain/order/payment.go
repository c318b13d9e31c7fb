package order

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/settings"
)

// What the operations answer: the kinds of the contract, and those that a client gets that names the channel.
var (
	prepayKinds      = []payment.Kind{payment.KindApp}
	moreOfPrepay     = []payment.Kind{payment.KindQR, payment.KindOffline, payment.KindDelivery}
	prepayInBrowsers = []payment.Kind{payment.KindPage, payment.KindRedirect}
)

// Prepay creates the payment of the shopper's unpaid order and returns what the client needs to make it: in the app, or
// if the client names a channel, by its code or by hand. channel is empty for the first one that pays in the app, kind
// for the channel's first one that fits. A channel that is paid on delivery moves the order on, and begins no payment.
// It fails with errno.OrderUnknown, OrderInvalidOperation for an order that can no longer be paid, AuthOpenIDUnaccess
// for a shopper without an identity at the platform, and OrderPayFailed if no such channel is offered or the platform
// refuses.
func (s *Service) Prepay(
	ctx context.Context, shopper, id int64, address, channel string, kind payment.Kind,
) (payment.Answer, error) {
	c := payment.Choice{Channel: channel, Kind: kind, Plain: prepayKinds, Special: moreOfPrepay}
	return s.startPayment(ctx, shopper, id, address, "", c)
}

// PrepayH5 creates the payment of the shopper's unpaid order and returns the address at which a browser pays it. back
// is the address to which the browser returns then, empty for none. It fails as Prepay does.
func (s *Service) PrepayH5(
	ctx context.Context, shopper, id int64, address, back, channel string, kind payment.Kind,
) (payment.Answer, error) {
	c := payment.Choice{Channel: channel, Kind: kind, Plain: prepayInBrowsers}
	return s.startPayment(ctx, shopper, id, address, back, c)
}

func (s *Service) startPayment(
	ctx context.Context, shopper, id int64, address, back string, c payment.Choice,
) (payment.Answer, error) {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return payment.Answer{}, err
	}
	c.Shown = v.Channels
	b, err := s.beginPayment(ctx, shopper, id, c)
	if err != nil || b.offer.Method.Kind == payment.KindDelivery {
		return payment.Answer{Channel: b.offer.Channel, Kind: b.offer.Method.Kind}, err
	}
	answer, err := s.Payments.Start(ctx, b.payment, b.offer, payment.PrepayRequest{
		Description: text.PaymentFor.In(s.Language, b.order.SN), OpenID: b.openID, Address: address,
		Expire: b.order.PayableUntil(v), Back: back,
	})
	if err != nil {
		return answer, s.explainClosedPayment(ctx, shopper, id, err)
	}
	return answer, nil
}

// PayableUntil is until when an unpaid order waits for its money.
func (o Order) PayableUntil(v settings.Values) time.Time {
	if usual := o.AddTime.Add(v.UnpaidFor); usual.After(o.PayBefore) {
		return usual
	}
	return o.PayBefore
}

// PaymentOffers returns how the shopper's unpaid order can be paid, in the order in which the shop offers it. It fails
// as Prepay does for an order that cannot be paid.
func (s *Service) PaymentOffers(ctx context.Context, shopper, id int64) ([]payment.Offer, error) {
	o, err := s.Load(ctx, s.DB, id, actor.Shopper(shopper), Unlocked)
	if err != nil {
		return nil, err
	}
	if _, payable := o.next(Pay); !payable {
		return nil, refusal(actor.Shopper(shopper), o.Status, fmt.Errorf("pay order %d in %d", id, o.Status))
	}
	_, err = s.Accounts.OpenID(ctx, s.DB, shopper)
	unknown := errors.Is(err, errno.AuthOpenIDUnaccess)
	if err != nil && !unknown {
		return nil, err
	}
	offers, err := s.Payments.Offers(ctx, id, o.Price.Actual)
	offers = slices.DeleteFunc(offers, func(one payment.Offer) bool { return unknown && one.Method.NeedsOpenID })
	if err != nil || !slices.ContainsFunc(offers, onDelivery) {
		return offers, err
	}
	trust, err := s.trustIn(ctx, s.DB, o)
	return slices.DeleteFunc(offers, func(one payment.Offer) bool {
		return onDelivery(one) && trust.refusal(one.Method) != nil
	}), err
}

// explainClosedPayment explains why a payment was closed before the platform's number was known: its order can no
// longer be paid, or is being paid in another way.
func (s *Service) explainClosedPayment(ctx context.Context, shopper, id int64, cause error) error {
	if !errors.Is(cause, errno.Stale) {
		return cause
	}
	o, err := s.Load(ctx, s.DB, id, actor.Shopper(shopper), Unlocked)
	if err != nil {
		return err
	}
	if _, ok := o.next(Pay); ok {
		return cause
	}
	return refusal(actor.Shopper(shopper), o.Status, cause)
}

// payer returns the shopper's identity at the platform, empty if the payment needs none. It fails with
// errno.LoginRequired for an account that may not be used.
func (s *Service) payer(ctx context.Context, q db.Querier, shopper int64, m payment.Method) (string, error) {
	id, err := s.Accounts.OpenID(ctx, q, shopper)
	if !m.NeedsOpenID && (err == nil || errors.Is(err, errno.AuthOpenIDUnaccess)) {
		return "", nil
	}
	return id, err
}

// begun is a payment that has begun.
type begun struct {
	order   Order
	payment payment.Payment
	offer   payment.Offer
	openID  string
}

// beginPayment inserts the payment while the order is locked, so that no payment begins for an order that is being
// cancelled.
func (s *Service) beginPayment(ctx context.Context, shopper, id int64, c payment.Choice) (b begun, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		later := s.Payments.Channels().OnDelivery(c)
		if later { // two orders at once must not pass the bounds of a shopper
			if err := s.queue(ctx, tx, shopper); err != nil {
				return err
			}
		}
		r, _, err := orders.One(ctx, tx, "r.id = ? AND r.user_id = ? FOR UPDATE", id, shopper)
		if err != nil {
			return fmt.Errorf("lock order %d: %w", id, err)
		}
		if b.order = r.order(); b.order.gone(actor.Shopper(shopper)) {
			return fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.OrderUnknown)
		}
		repeated := later && b.order.Owed() && b.order.PayChannel == c.Channel
		if _, payable := b.order.next(Pay); !payable && !repeated {
			return refusal(actor.Shopper(shopper), b.order.Status, fmt.Errorf("pay order %d in %d", id, b.order.Status))
		}
		currency, err := s.Settings.Currency(ctx, tx)
		if err != nil {
			return err
		}
		if b.offer, err = s.Payments.Channels().Choose(c, b.order.Price.Actual, currency); err != nil {
			return err
		}
		switch {
		case repeated:
			return nil
		case later:
			return s.payLater(ctx, tx, &b.order, b.offer)
		}
		if b.openID, err = s.payer(ctx, tx, shopper, b.offer.Method); err != nil {
			return err
		}
		if err := s.wait(ctx, tx, &b.order, b.offer.Method); err != nil {
			return err
		}
		due := b.order.due()
		due.Channel, due.TradeType = b.offer.Channel.Code, b.offer.Method.TradeType
		b.payment, err = s.Payments.Begin(ctx, tx, due)
		return err
	})
	return b, err
}

// wait sets how long an order waits for money of a method, unless it is set already.
func (s *Service) wait(ctx context.Context, tx *db.Tx, o *Order, m payment.Method) error {
	var until time.Time
	set := table.Set{"pay_before": nil, "update_time": s.Now()}
	if m.Wait > 0 {
		until = o.AddTime.Add(m.Wait)
		set["pay_before"] = until
	}
	if until.Equal(o.PayBefore) {
		return nil
	}
	ok, err := update(ctx, tx, *o, o.Status, set)
	if err != nil || !ok {
		return errors.Join(fmt.Errorf("set how long order %d waits: %w", o.ID, errno.Stale), err)
	}
	o.PayBefore, o.version = until, o.version+1
	return nil
}

// ErrNotTaken says that a notification was rejected: the platform must send it again or check what it sent.
var ErrNotTaken = payment.ErrNotTaken

// HandleNotification handles a notification that was sent to the address of a channel, or to the common one if channel
// is empty: it checks the signature, then applies it to the order. nil means accepted; a repetition of an accepted
// notification is accepted again and changes nothing. It fails with ErrNotTaken for a notification that is forged or
// does not match; any other error is internal. One that reports nothing is accepted and not stored. Money for an order
// that is closed or paid already is refunded.
func (s *Service) HandleNotification(
	ctx context.Context, channel string, header func(string) string, body []byte,
) error {
	n, err := s.Payments.Read(ctx, channel, header, body)
	switch {
	case errors.Is(err, payment.ErrSignature):
		return errors.Join(fmt.Errorf("%w: %w", ErrNotTaken, err), s.Payments.RecordForged(ctx, n.Channel, body))
	case errors.Is(err, payment.ErrNoNews):
		return nil
	case errors.Is(err, payment.ErrRefused):
		return errors.Join(fmt.Errorf("%w: %w", ErrNotTaken, err), s.refuseNotification(ctx, n, body, err))
	case err != nil:
		return err
	}
	var v verdict
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		v = verdict{}
		before, err := s.Payments.Receive(ctx, tx, n, body)
		if err != nil || before.Final() {
			return err
		}
		apply := s.applyNotification
		if n.Refund {
			apply = s.applyRefundNotification
		}
		if v, err = apply(ctx, tx, n); err != nil {
			return err
		}
		return s.Payments.SetResult(ctx, tx, n, v.result, v.why.In(s.Language))
	})
	if err != nil {
		return err
	}
	return v.refusal()
}

// verdict is what became of a notification, and why if staff must act.
type verdict struct {
	result payment.Result
	why    text.Phrase
}

// refusal returns why a notification is refused, nil if it is not. A refusal is committed, so that the notification
// stays on record.
func (v verdict) refusal() error {
	if v.result != payment.NotificationRefused {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrNotTaken, v.why.In(text.English))
}

// refuseNotification stores a notification with a valid signature whose content is not usable.
func (s *Service) refuseNotification(ctx context.Context, n payment.Notification, body []byte, cause error) error {
	if n.ID == "" {
		return nil
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		before, err := s.Payments.Receive(ctx, tx, n, body)
		if err != nil || before != payment.NotificationReceived {
			return err
		}
		why := text.AlarmUnreadable.With(n.ID, cause.Error())
		if err := s.Payments.SetResult(ctx, tx, n, payment.NotificationRefused, why.In(s.Language)); err != nil {
			return err
		}
		return s.alarm(ctx, tx, n.ID, Order{}, why)
	})
}

// applyNotification applies a payment to its order.
func (s *Service) applyNotification(ctx context.Context, tx *db.Tx, n payment.Notification) (verdict, error) {
	refuse := func(o Order, why text.Phrase) (verdict, error) {
		return verdict{payment.NotificationRefused, why}, s.alarm(ctx, tx, n.ID, o, why)
	}
	// The order is locked before the payment, so that a concurrent cancel happens before or after, never between.
	locked, err := orders.OneLater(ctx, tx, "r.id = ? FOR UPDATE", payment.OrderOf(n.OutTradeNo))
	if err != nil {
		return verdict{}, fmt.Errorf("lock the order of payment %s: %w", n.OutTradeNo, err)
	}
	p, ok, err := s.Payments.ByNumber(ctx, tx, n.OutTradeNo)
	if err != nil {
		return verdict{}, err
	}
	r, found := locked()
	o := r.order()
	var currency money.Currency
	if found {
		if currency, err = s.Settings.Currency(ctx, tx); err != nil {
			return verdict{}, err
		}
	}
	switch {
	case !ok || p.Channel != n.Channel: // a channel proves its own payments only
		return refuse(Order{}, text.AlarmNoPayment.With(n.OutTradeNo))
	case !found || o.ID != p.OrderID:
		return refuse(Order{}, text.AlarmNoOrder.With(n.OutTradeNo))
	case n.Currency != currency || n.Amount != p.Amount:
		return refuse(o, text.AlarmAmount.With(n.OutTradeNo, n.Amount, n.Currency, p.Amount, currency))
	case o.PayID == n.TransactionID:
		return verdict{result: payment.NotificationRepeated}, nil
	}
	_, payable := o.next(Pay)
	// A closed payment of an order that is still unpaid is collected too: the payer was faster than the close.
	collectable := []payment.Status{payment.Created, payment.Issued, payment.Closed}
	if !payable || !slices.Contains(collectable, p.Status) {
		if err := s.alarm(ctx, tx, n.ID, o, text.AlarmLate.With()); err != nil {
			return verdict{}, err
		}
		result, err := s.Payments.ArrivedLate(ctx, tx, p, o.SN, n)
		return verdict{result: result}, err
	}
	return verdict{result: payment.NotificationApplied}, s.paid(ctx, tx, &o, p, n)
}

// paid applies a payment to its order.
func (s *Service) paid(ctx context.Context, tx *db.Tx, o *Order, p payment.Payment, n payment.Notification) error {
	set := table.Set{"pay_id": n.TransactionID, "pay_channel": p.Channel}
	by := actor.Platform
	err := s.pay(ctx, tx, o, by, set, func() error { return s.Payments.Collected(ctx, tx, p, n) })
	if err != nil {
		return err
	}
	return s.settle(ctx, tx, o)
}

// pay moves an order to paid, records the payment and announces it.
func (s *Service) pay(
	ctx context.Context, tx *db.Tx, o *Order, by actor.Actor, set table.Set, collect func() error,
) error {
	if err := s.apply(ctx, tx, o, Pay, by, set); err != nil {
		return err
	}
	if err := collect(); err != nil {
		return err
	}
	return s.announce(ctx, tx, TopicPaid, *o)
}

// applyRefundNotification applies a notification about a refund.
func (s *Service) applyRefundNotification(ctx context.Context, tx *db.Tx, n payment.Notification) (verdict, error) {
	result, alarm, err := s.Payments.HandleRefundNotification(ctx, tx, n)
	v := verdict{result, alarm}
	if err != nil || alarm.Entry == nil {
		return v, err
	}
	return v, s.alarm(ctx, tx, n.ID, Order{}, alarm)
}

// applyFinding applies a payment that a query of the platform has found, and stores it like a notification, so that
// every payment has the row that it came from. A refused one waits for staff, unless another notification about the
// payment does or was settled.
func (s *Service) applyFinding(ctx context.Context, n payment.Notification) error {
	var v verdict
	err := s.DB.InTx(ctx, func(tx *db.Tx) error {
		v = verdict{}
		before, err := s.Payments.Receive(ctx, tx, n, nil)
		if err != nil || before == payment.NotificationApplied || before == payment.NotificationRepeated {
			return err
		}
		if v, err = s.applyNotification(ctx, tx, n); err != nil {
			return err
		}
		if v.result == payment.NotificationRefused {
			known, err := s.Payments.WithStaff(ctx, tx, n)
			if err != nil || known {
				return errors.Join(v.refusal(), err) // nothing is stored
			}
		}
		return s.Payments.SetResult(ctx, tx, n, v.result, v.why.In(s.Language))
	})
	if err != nil {
		return err
	}
	return v.refusal()
}
