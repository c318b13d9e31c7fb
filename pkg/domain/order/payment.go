package order

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
)

// Prepay creates the payment of the shopper's unpaid order at the platform and returns what the client needs to start
// it. It fails with errno.OrderUnknown, OrderInvalidOperation for an order that can no longer be paid,
// AuthOpenIDUnaccess for a shopper without an identity at the platform, and OrderPayFailed if the platform refuses. The
// order does not change.
func (s *Service) Prepay(ctx context.Context, shopper, id int64, address string) (payment.PrepayParams, error) {
	o, p, openID, err := s.beginPayment(ctx, shopper, id, inApp)
	if err != nil {
		return payment.PrepayParams{}, err
	}
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return payment.PrepayParams{}, err
	}
	prepayID, err := s.Payments.Announce(ctx, p, payment.PrepayRequest{
		Description: text.PaymentFor.In(s.Language, o.SN), OpenID: openID, Address: address,
		Expire: o.AddTime.Add(v.UnpaidFor),
	})
	if err != nil {
		return payment.PrepayParams{}, s.whyNotAnnounced(ctx, shopper, id, err)
	}
	return s.Payments.Ticket(ctx, prepayID)
}

// whyNotAnnounced explains why a payment was closed before the platform's number was known: its order can no longer be
// paid, or is being paid in another way.
func (s *Service) whyNotAnnounced(ctx context.Context, shopper, id int64, cause error) error {
	if !errors.Is(cause, errno.Stale) {
		return cause
	}
	o, err := s.Load(ctx, s.DB, id, actor.Shopper(shopper), Unlocked)
	if err != nil {
		return err
	}
	if _, ok := o.Status.Next(Pay); ok {
		return cause
	}
	return refusal(actor.Shopper(shopper), o.Status, cause)
}

// payer returns the shopper's identity at the platform for a payment in the app, empty if it needs none. It fails with
// errno.LoginRequired for an account that may not be used.
func (s *Service) payer(ctx context.Context, q db.Querier, shopper int64, tradeType string) (string, error) {
	id, err := s.Accounts.OpenID(ctx, q, shopper)
	needed := tradeType == inApp && s.Payments.Gateway().NeedsOpenID()
	if !needed && (err == nil || errors.Is(err, errno.AuthOpenIDUnaccess)) {
		return "", nil
	}
	return id, err
}

// beginPayment inserts the payment while the order is locked, so that no payment begins for an order that is being
// cancelled.
func (s *Service) beginPayment(
	ctx context.Context, shopper, id int64, tradeType string,
) (o Order, p payment.Payment, openID string, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		r, _, err := orders.One(ctx, tx, "r.id = ? AND r.user_id = ? FOR UPDATE", id, shopper)
		if err != nil {
			return fmt.Errorf("lock order %d: %w", id, err)
		}
		if o = r.order(); o.gone(actor.Shopper(shopper)) {
			return fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.OrderUnknown)
		}
		if _, payable := o.Status.Next(Pay); !payable {
			return refusal(actor.Shopper(shopper), o.Status, fmt.Errorf("pay order %d in %d", id, o.Status))
		}
		if openID, err = s.payer(ctx, tx, shopper, tradeType); err != nil {
			return err
		}
		due := o.due()
		due.TradeType = tradeType
		p, err = s.Payments.Begin(ctx, tx, due)
		return err
	})
	return o, p, openID, err
}

// ErrNotTaken says that a notification was rejected: the platform must send it again or check what it sent.
var ErrNotTaken = payment.ErrNotTaken

// HandleNotification handles a notification of the payment platform: it checks the signature, then applies it to the
// order. nil means accepted; a repetition of an accepted notification is accepted again and changes nothing. It fails
// with ErrNotTaken for a notification that is forged or does not match; any other error is internal. Money for an order
// that is closed or paid already is refunded.
func (s *Service) HandleNotification(ctx context.Context, header func(string) string, body []byte) error {
	n, err := s.Payments.Gateway().Read(ctx, header, body, s.Now())
	switch {
	case errors.Is(err, payment.ErrSignature):
		return errors.Join(fmt.Errorf("%w: %w", ErrNotTaken, err), s.Payments.RecordForged(ctx, body))
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
	switch {
	case !ok:
		return refuse(Order{}, text.AlarmNoPayment.With(n.OutTradeNo))
	case !found || o.ID != p.OrderID:
		return refuse(Order{}, text.AlarmNoOrder.With(n.OutTradeNo))
	case n.Currency != "CNY" || n.Amount != p.Amount:
		return refuse(o, text.AlarmAmount.With(n.OutTradeNo, n.Amount, n.Currency, p.Amount))
	case o.PayID == n.TransactionID:
		return verdict{result: payment.NotificationRepeated}, nil
	}
	_, payable := o.Status.Next(Pay)
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

// The platform's names of the ways to pay.
const (
	inApp     = "JSAPI"
	inBrowser = "MWEB"
)

// PrepayH5 creates the payment of the shopper's unpaid order and returns the address at which a browser pays it. It
// fails as Prepay does, but needs no identity at the platform.
func (s *Service) PrepayH5(ctx context.Context, shopper, id int64, address string) (string, error) {
	o, p, _, err := s.beginPayment(ctx, shopper, id, inBrowser)
	if err != nil {
		return "", err
	}
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return "", err
	}
	to, err := s.Payments.AnnounceH5(ctx, p, payment.PrepayRequest{
		Description: text.PaymentFor.In(s.Language, o.SN), Address: address, Expire: o.AddTime.Add(v.UnpaidFor),
	})
	if err != nil {
		return "", s.whyNotAnnounced(ctx, shopper, id, err)
	}
	return to, nil
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

// PayOffline records that an unpaid order was paid without a platform; the amount received becomes the price of the
// order. Everything that a payment implies follows. It fails with errno.Invalid for an unknown order and with
// errno.OrderConfirmNotAllowed for one that is not unpaid.
func (s *Service) PayOffline(ctx context.Context, by actor.Actor, id int64, amount money.Amount) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Locked)
		if err != nil {
			return err
		}
		before := o
		if err := s.paidOffline(ctx, tx, &o, by, amount); err != nil {
			return err
		}
		return s.record(ctx, tx, before, text.LogPaid.Stored(before.Price.Actual, amount))
	})
}

func (s *Service) paidOffline(ctx context.Context, tx *db.Tx, o *Order, by actor.Actor, amount money.Amount) error {
	number := fmt.Sprintf("%s-%d-%s", payment.Offline, by.ID, o.SN)
	set := table.Set{"actual_price": amount, "pay_id": number, "pay_channel": payment.Offline}
	err := s.pay(ctx, tx, o, by, set, func() error {
		o.Price.Actual = amount
		return s.Payments.CollectOffline(ctx, tx, o.due(), number)
	})
	if err != nil {
		return err
	}
	return s.settle(ctx, tx, o)
}
