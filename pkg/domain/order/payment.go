package order

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
)

// Prepay announces the payment of the shopper's unpaid order at the platform and returns what their client needs to
// start it. It fails with errno.OrderUnknown, OrderInvalidOperation for an order past paying, AuthOpenIDUnaccess for
// a shopper unknown to the platform, and OrderPayFailed where the platform refuses. The order does not change.
func (s *Service) Prepay(ctx context.Context, shopper, id int64, address string) (payment.PrepayParams, error) {
	o, err := s.Load(ctx, s.DB, id, Shopper(shopper), Unlocked)
	if err != nil {
		return payment.PrepayParams{}, err
	}
	if _, ok := o.Status.Next(Pay); !ok {
		return payment.PrepayParams{}, refusal(Shopper(shopper), o.Status, fmt.Errorf("pay order %d in %d", id, o.Status))
	}
	openID, err := s.openID(ctx, shopper)
	if err != nil {
		return payment.PrepayParams{}, err
	}
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return payment.PrepayParams{}, err
	}
	p, err := s.beginPayment(ctx, shopper, id, inApp)
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

// whyNotAnnounced finds out why a payment was closed before the platform's number for it was known: its order may no
// longer wait for money, or may be being paid in another way.
func (s *Service) whyNotAnnounced(ctx context.Context, shopper, id int64, cause error) error {
	if !errors.Is(cause, errno.Stale) {
		return cause
	}
	o, err := s.Load(ctx, s.DB, id, Shopper(shopper), Unlocked)
	if err != nil {
		return err
	}
	if _, ok := o.Status.Next(Pay); ok {
		return cause
	}
	return refusal(Shopper(shopper), o.Status, cause)
}

func (s *Service) openID(ctx context.Context, shopper int64) (string, error) {
	if !s.Payments.Gateway().NeedsOpenID() {
		return "", nil
	}
	id, err := s.Accounts.OpenID(ctx, s.DB, shopper)
	if err == nil && id == "" {
		err = fmt.Errorf("shopper %d has no identity at the platform: %w", shopper, errno.AuthOpenIDUnaccess)
	}
	return id, err
}

// beginPayment makes the payment's row under the lock of the order, so that no payment begins for an order that is
// being cancelled.
func (s *Service) beginPayment(
	ctx context.Context, shopper, id int64, tradeType string,
) (p payment.Payment, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		o, ok, err := byID(ctx, tx, id, Locked)
		if err != nil {
			return fmt.Errorf("lock order %d: %w", id, err)
		}
		if _, payable := o.Status.Next(Pay); !ok || !payable || o.gone(Shopper(shopper)) {
			return refusal(Shopper(shopper), o.Status, fmt.Errorf("pay order %d in %d", id, o.Status))
		}
		due := o.due()
		due.TradeType = tradeType
		p, err = s.Payments.Begin(ctx, tx, due)
		return err
	})
	return p, err
}

// ErrNotTaken says that a notice was not taken: the platform must send it again or look at what it sent.
var ErrNotTaken = errors.New("the notice is not taken")

// HandleNotification deals with a notice of the payment platform: signature first, then the order it is about. nil
// means taken, and a repetition of a taken notice is taken again without any change. It fails with ErrNotTaken for a
// notice that is forged or does not fit; any other error is ours. Money for an order that was closed, or paid already,
// is sent back.
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
	var why error
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		why = nil
		before, err := s.Payments.Receive(ctx, tx, n, body)
		if err != nil || before == payment.NotificationApplied || before == payment.NotificationRepeated {
			return err
		}
		apply := s.applyNotification
		if n.Refund {
			apply = s.applyRefundNotification
		}
		verdict, err := apply(ctx, tx, n, &why)
		if err != nil {
			return err
		}
		return s.Payments.SetResult(ctx, tx, n, verdict)
	})
	if err != nil {
		return err
	}
	return why
}

// refuseNotification keeps a well signed notice that makes no sense to us.
func (s *Service) refuseNotification(ctx context.Context, n payment.Notification, body []byte, cause error) error {
	if n.ID == "" {
		return nil
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		before, err := s.Payments.Receive(ctx, tx, n, body)
		if err != nil || before != payment.NotificationReceived {
			return err
		}
		if err := s.Payments.SetResult(ctx, tx, n, payment.NotificationRefused); err != nil {
			return err
		}
		return s.alarm(ctx, tx, n.ID, Order{}, text.AlarmUnreadable.With(n.ID, cause.Error()))
	})
}

// applyNotification applies a payment to its order. A refusal is set in why and committed: the notice stays on record.
func (s *Service) applyNotification(
	ctx context.Context, tx *db.Tx, n payment.Notification, why *error,
) (payment.Result, error) {
	refuse := func(o Order, reason text.Phrase) (payment.Result, error) {
		*why = fmt.Errorf("%w: %s", ErrNotTaken, reason.In(text.English))
		return payment.NotificationRefused, s.alarm(ctx, tx, n.ID, o, reason)
	}
	p, ok, err := s.Payments.ByNumber(ctx, tx, n.OutTradeNo)
	if err != nil {
		return 0, err
	}
	if !ok {
		return refuse(Order{}, text.AlarmNoPayment.With(n.OutTradeNo))
	}
	// The order's row is locked before the payment's: whoever cancels it comes before us or after us, never between.
	o, ok, err := byID(ctx, tx, p.OrderID, Locked)
	if err != nil {
		return 0, fmt.Errorf("lock order %d: %w", p.OrderID, err)
	}
	if p, _, err = s.Payments.ByNumber(ctx, tx, n.OutTradeNo); err != nil {
		return 0, err
	}
	switch {
	case !ok:
		return refuse(Order{}, text.AlarmNoOrder.With(n.OutTradeNo))
	case n.Currency != "CNY" || n.Amount != p.Amount:
		return refuse(o, text.AlarmAmount.With(n.OutTradeNo, n.Amount, n.Currency, p.Amount))
	case o.PayID == n.TransactionID:
		return payment.NotificationRepeated, nil
	}
	_, payable := o.Status.Next(Pay)
	// A closed payment of an order that still waits is money all the same: the payer was faster than the closing.
	collectable := []payment.Status{payment.Created, payment.Issued, payment.Closed}
	if !payable || !slices.Contains(collectable, p.Status) {
		if err := s.alarm(ctx, tx, n.ID, o, text.AlarmLate.With()); err != nil {
			return 0, err
		}
		return payment.NotificationApplied, s.Payments.ArrivedLate(ctx, tx, p, o.SN, n)
	}
	return payment.NotificationApplied, s.paid(ctx, tx, &o, p, n)
}

// paid is what a payment means for its order.
func (s *Service) paid(ctx context.Context, tx *db.Tx, o *Order, p payment.Payment, n payment.Notification) error {
	set := table.Set{"pay_id": n.TransactionID, "pay_channel": p.Channel}
	by := Actor{Type: ByPlatform}
	err := s.pay(ctx, tx, o, by, set, func() error { return s.Payments.Collected(ctx, tx, p, n) })
	if err != nil {
		return err
	}
	return s.settle(ctx, tx, o)
}

// pay moves an order that is paid, has its money booked, and tells of it.
func (s *Service) pay(
	ctx context.Context, tx *db.Tx, o *Order, by Actor, set table.Set, collect func() error,
) error {
	if err := s.apply(ctx, tx, o, Pay, by, set); err != nil {
		return err
	}
	if err := collect(); err != nil {
		return err
	}
	return s.announce(ctx, tx, TopicPaid, *o)
}

// The platform's words for the ways of paying.
const (
	inApp     = "JSAPI"
	inBrowser = "MWEB"
)

// PrepayH5 announces the payment of the shopper's unpaid order and returns the address at which a browser pays it. It
// fails as Prepay does, but asks for no identity at the platform.
func (s *Service) PrepayH5(ctx context.Context, shopper, id int64, address string) (string, error) {
	o, err := s.Load(ctx, s.DB, id, Shopper(shopper), Unlocked)
	if err != nil {
		return "", err
	}
	if _, ok := o.Status.Next(Pay); !ok {
		return "", refusal(Shopper(shopper), o.Status, fmt.Errorf("pay order %d in %d", id, o.Status))
	}
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return "", err
	}
	p, err := s.beginPayment(ctx, shopper, id, inBrowser)
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

// applyRefundNotification applies a notice about a refund. A refusal is set in why and committed, as for payments.
func (s *Service) applyRefundNotification(
	ctx context.Context, tx *db.Tx, n payment.Notification, why *error,
) (payment.Result, error) {
	verdict, alarm, err := s.Payments.HandleRefundNotification(ctx, tx, n)
	if err != nil {
		return verdict, err
	}
	if verdict == payment.NotificationRefused {
		*why = fmt.Errorf("%w: %s", ErrNotTaken, alarm.In(text.English))
	}
	if alarm.Entry == nil {
		return verdict, nil
	}
	return verdict, s.alarm(ctx, tx, n.ID, Order{}, alarm)
}

// applyFinding deals with money that the platform tells of when it is asked, as with a notice that has come.
func (s *Service) applyFinding(ctx context.Context, n payment.Notification) error {
	var why error
	err := s.DB.InTx(ctx, func(tx *db.Tx) error {
		why = nil
		_, err := s.applyNotification(ctx, tx, n, &why)
		return err
	})
	if err != nil {
		return err
	}
	return why
}

// PayOffline records that an unpaid order's money was handed over without a platform; what was handed over is what the
// order costs from now on. All that a payment means for an order follows. It fails with errno.Invalid for an unknown
// order and with errno.OrderConfirmNotAllowed for one that does not wait for money.
func (s *Service) PayOffline(ctx context.Context, by Actor, id int64, amount money.Amount) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Locked)
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
