package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/outbox"
)

// ErrNotTaken says that a payment which the platform has told of was rejected, and waits for staff.
var ErrNotTaken = errors.New("the notification is rejected")

const topicClose = "payment.close"

// Begin finds or creates the payment of an unpaid order, whose row must be locked. A payment of another amount, by
// another channel or trade type, or with an expired number at the platform, is closed and replaced by one with a new
// number.
func (s *Service) Begin(ctx context.Context, tx *db.Tx, d Due) (Payment, error) {
	p, ok, n, err := attemptsOf(ctx, tx, d.OrderID)
	if err != nil {
		return p, fmt.Errorf("read the payment of order %d: %w", d.OrderID, err)
	}
	if ok {
		fresh := p.Status == Created || p.Status == Issued && p.PrepayExpire.After(s.now())
		if fresh && p.Amount == d.Amount && p.TradeType == d.TradeType && p.Channel == d.Channel {
			return p, nil
		}
		if err := s.CloseOpen(ctx, tx, d.OrderID); err != nil {
			return p, err
		}
	}
	p = Payment{
		OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: numbered(d.OrderSN, n), Channel: d.Channel,
		TradeType: d.TradeType, Amount: d.Amount,
	}
	if p.ID, err = insert(ctx, tx, p, s.now()); err != nil {
		return p, fmt.Errorf("begin the payment of order %d: %w", d.OrderID, err)
	}
	return p, nil
}

// numbered is the n-th number derived from a base: the base itself, then with the suffixes -2, -3 and so on.
func numbered(base string, before int) string {
	if before == 0 {
		return base
	}
	return base + "-" + strconv.Itoa(before+1)
}

// Start asks the platform for its number of a payment, unless it is known, stores it, and returns what the client needs
// to make the payment. It makes a network call, so it must run outside any transaction. It fails with
// errno.OrderPayFailed if the platform refuses or is unreachable, and with errno.Stale if the payment was closed
// concurrently.
func (s *Service) Start(ctx context.Context, p Payment, o Offer, a PrepayRequest) (Answer, error) {
	c, ok := s.channels.Of(p.Channel)
	if !ok {
		return Answer{}, fmt.Errorf("payment %s by %s: %w: %w", p.OutTradeNo, p.Channel, errno.OrderPayFailed, errClosed)
	}
	currency, err := s.settings.Currency(ctx, s.db)
	if err != nil {
		return Answer{}, err
	}
	a.OutTradeNo, a.Amount, a.Currency, a.TradeType = p.OutTradeNo, p.Amount, currency, p.TradeType
	start := StartRequest{PrepayRequest: a, Kind: o.Method.Kind, Number: p.PrepayID, Now: s.now()}
	number, answer, err := c.start(ctx, start)
	if err != nil {
		return Answer{}, err
	}
	if p.Status != Issued {
		until := a.Expire
		if !answer.Expire.IsZero() && answer.Expire.Before(until) {
			until = answer.Expire
		}
		start.Number, err = s.issued(ctx, p, number, until)
		if err == nil && start.Number != number { // of two concurrent requests the other one was faster
			_, answer, err = c.start(ctx, start)
		}
	}
	answer.Channel, answer.Kind, answer.Expire = c.Info, o.Method.Kind, a.Expire
	return answer, err
}

// startTimeout bounds the call that begins a payment.
const startTimeout = 5 * time.Second

func (c Channel) start(ctx context.Context, a StartRequest) (string, Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	number, answer, err := c.Start(ctx, a)
	if err == nil && number == "" {
		err = errors.New("the platform gives no number")
	}
	if err != nil {
		return "", Answer{}, fmt.Errorf("prepay %s: %w: %w", a.OutTradeNo, errno.OrderPayFailed, err)
	}
	return number, answer, nil
}

// issued stores the platform's number of a payment.
func (s *Service) issued(ctx context.Context, p Payment, prepayID string, expire time.Time) (string, error) {
	ok, err := issue(ctx, s.db, p.ID, prepayID, expire, s.now())
	if err != nil {
		return "", fmt.Errorf("store the platform's number of %s: %w", p.OutTradeNo, err)
	}
	if ok {
		return prepayID, nil
	}
	now, found, err := byID(ctx, s.db, p.ID)
	if err != nil {
		return "", fmt.Errorf("read payment %d: %w", p.ID, err)
	}
	if !found || now.Status != Issued { // a concurrent request may have stored it; otherwise the order has moved on
		return "", fmt.Errorf("payment %d is closed: %w", p.ID, errno.Stale)
	}
	return now.PrepayID, nil
}

// ByNumber finds a payment by our number at the platform.
func (s *Service) ByNumber(ctx context.Context, q db.Querier, outTradeNo string) (Payment, bool, error) {
	p, ok, err := byNumber(ctx, q, outTradeNo)
	if err != nil {
		return p, false, fmt.Errorf("find payment %s: %w", outTradeNo, err)
	}
	return p, ok, nil
}

// Collected marks a payment as paid, in the transaction that marks its order. A payment that was closed replaces the
// open one that followed it.
func (s *Service) Collected(ctx context.Context, tx *db.Tx, p Payment, n Notification) error {
	if p.Status == Closed {
		if err := s.CloseOpen(ctx, tx, p.OrderID); err != nil {
			return err
		}
	}
	ok, err := collect(ctx, tx, p.ID, n, s.now())
	if err != nil {
		return fmt.Errorf("mark payment %d paid: %w", p.ID, err)
	}
	if !ok {
		return fmt.Errorf("payment %d is not open: %w", p.ID, errno.Stale)
	}
	return nil
}

// CollectFree records the payment of an order that costs nothing.
func (s *Service) CollectFree(ctx context.Context, tx *db.Tx, d Due) error {
	p := Payment{OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: d.OrderSN, Channel: Free, Status: Paid}
	if _, err := insert(ctx, tx, p, s.now()); err != nil {
		return fmt.Errorf("record the free order %d: %w", d.OrderID, err)
	}
	return nil
}

// CloseOpen closes the open payment of an order, if any, and queues its close at the platform.
func (s *Service) CloseOpen(ctx context.Context, tx *db.Tx, order int64) error {
	_, err := s.closeOpen(ctx, tx, order)
	return err
}

// closeOpen is CloseOpen; it returns the payment that was closed, the zero one if there was none.
func (s *Service) closeOpen(ctx context.Context, tx *db.Tx, order int64) (Payment, error) {
	p, ok, err := activeOf(ctx, tx, order)
	if err != nil {
		return p, fmt.Errorf("read the payment of order %d: %w", order, err)
	}
	if !ok || p.Status == Paid {
		return Payment{}, nil
	}
	if _, err := closeRow(ctx, tx, p.ID, s.now()); err != nil { // it may be closed already
		return p, fmt.Errorf("close payment %d: %w", p.ID, err)
	}
	if p.Channel == Free || p.Channel == Offline {
		return p, nil
	}
	return p, s.outbox.Add(ctx, tx, topicClose, topicClose+":"+strconv.FormatInt(p.ID, 10), p.ID, nil)
}

// closeAtPlatform closes a payment at the platform. If the platform refuses because the payer was faster, the payment
// is handled at once, without waiting for its notification.
func (s *Service) closeAtPlatform(ctx context.Context, e outbox.Event) error {
	p, ok, err := byID(ctx, s.db, e.Aggregate)
	if err != nil || !ok || p.Status != Closed {
		return err // paid in the meantime; the notification was applied
	}
	c, ok := s.channels.Of(p.Channel)
	if !ok {
		return nil // no gateway is left to close it or to notify of it
	}
	err = c.Close(ctx, p.ref())
	if errors.Is(err, ErrRefused) {
		err = s.queryOne(ctx, p)
		if errors.Is(err, ErrNotTaken) { // a case for staff, who settle it; asking again would tell nothing new
			return nil
		}
		return err
	}
	if err != nil {
		return fmt.Errorf("close %s at the platform: %w", p.OutTradeNo, err)
	}
	return nil
}

// ArrivedLate records a late payment and releases its refund. The order's row must be locked. A transaction that is
// recorded already is skipped.
func (s *Service) ArrivedLate(
	ctx context.Context, tx *db.Tx, p Payment, orderSN string, n Notification,
) (Result, error) {
	known, err := transactionKnown(ctx, tx, p.Channel, n.TransactionID)
	if err != nil {
		return NotificationReceived, fmt.Errorf("find transaction %s: %w", n.TransactionID, err)
	}
	if known {
		return NotificationRepeated, nil
	}
	if p.TransactionID == "" {
		var ok bool
		if ok, err = arriveLate(ctx, tx, p.ID, n, s.now()); err == nil && !ok {
			err = errno.Stale
		}
	} else { // the platform collected twice under one of our numbers
		p.OutTradeNo, p.Status = fmt.Sprintf("%.40s~%.20s", p.OutTradeNo, n.TransactionID), Late
		p.TransactionID, p.PaidAmount, p.Amount = n.TransactionID, n.Amount, n.Amount
		p.ID, err = insertLate(ctx, tx, p, n, s.now())
	}
	if err != nil {
		return NotificationReceived, fmt.Errorf("record the late payment %s: %w", n.TransactionID, err)
	}
	p.PaidAmount, p.TransactionID = n.Amount, n.TransactionID
	return NotificationApplied, s.returnLate(ctx, tx, p, orderSN, n.Amount)
}

// Receipt is money that staff have received. Number is ours, Reference that of the bank or the till, if there is one.
type Receipt struct{ Number, Reference string }

// CollectOffline records that an order was paid without a platform. The order's row must be locked. An open payment at
// a platform is closed; if it is paid all the same, it is a late payment. If the order waited for money by hand, or
// owes it by the channel of the due amount, the payment keeps that channel as its trade type.
func (s *Service) CollectOffline(ctx context.Context, tx *db.Tx, d Due, r Receipt) error {
	open, err := s.closeOpen(ctx, tx, d.OrderID)
	if err != nil {
		return err
	}
	n, err := countOf(ctx, tx, d.OrderID)
	if err != nil {
		return fmt.Errorf("count the payments of order %d: %w", d.OrderID, err)
	}
	p := Payment{
		OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: numbered(d.OrderSN, n), Channel: Offline, Amount: d.Amount,
		TradeType: d.Channel, Status: Paid, TransactionID: r.Number, Reference: r.Reference, PaidAmount: d.Amount,
	}
	if s.channels.byHand(open) {
		p.TradeType = open.Channel
	}
	if _, err := insert(ctx, tx, p, s.now()); err != nil {
		return fmt.Errorf("record the offline payment of order %d: %w", d.OrderID, err)
	}
	return nil
}

// Shown is how an order is paid, as people read it.
type Shown struct {
	Channel *text.Text
	// Reference is what the bank or the till calls the payment, or what the shopper was asked to state.
	Reference string
}

// ShownOf returns how an order is or was paid, the zero Shown if no payment has begun.
func (s *Service) ShownOf(ctx context.Context, order int64) (Shown, error) {
	p, ok, err := activeOf(ctx, s.db, order)
	if err != nil || !ok {
		return Shown{}, err
	}
	shown := Shown{Channel: s.channels.name(p), Reference: p.Reference}
	if s.channels.byHand(p) {
		shown.Reference = p.OutTradeNo
	}
	return shown, nil
}
