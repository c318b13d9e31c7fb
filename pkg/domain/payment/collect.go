package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/outbox"
)

// ErrNotTaken says that a payment which the platform has told of was rejected, and waits for staff.
var ErrNotTaken = errors.New("the notification is rejected")

const topicClose = "payment.close"

// Begin finds or creates the payment of an unpaid order, whose row must be locked. A payment of another amount or trade
// type, or with an expired number at the platform, is closed and replaced by one with a new number.
func (s *Service) Begin(ctx context.Context, tx *db.Tx, d Due) (Payment, error) {
	p, ok, n, err := attemptsOf(ctx, tx, d.OrderID)
	if err != nil {
		return p, fmt.Errorf("read the payment of order %d: %w", d.OrderID, err)
	}
	if ok {
		fresh := p.Status == Created || p.Status == Issued && p.PrepayExpire.After(s.now())
		if fresh && p.Amount == d.Amount && p.TradeType == d.TradeType && p.Channel == s.gateway.Channel() {
			return p, nil
		}
		if err := s.CloseOpen(ctx, tx, d.OrderID); err != nil {
			return p, err
		}
	}
	p = Payment{
		OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: numbered(d.OrderSN, n), Channel: s.gateway.Channel(),
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

// Announce asks the platform for its number of a payment, unless it is known, and stores it. It makes a network call,
// so it must run outside any transaction. It fails with errno.OrderPayFailed if the platform refuses or is unreachable,
// and with errno.Stale if the payment was closed concurrently.
func (s *Service) Announce(ctx context.Context, p Payment, a PrepayRequest) (string, error) {
	if p.Status == Issued {
		return p.PrepayID, nil
	}
	prepayID := ""
	err := s.announce(ctx, p, &a, func(ctx context.Context) (err error) {
		prepayID, err = s.gateway.Prepay(ctx, a)
		return err
	})
	if err != nil {
		return "", err
	}
	return s.issued(ctx, p, prepayID, a.Expire)
}

// AnnounceH5 asks the platform for the address at which a browser pays. Addresses are short-lived, so every call asks
// for a new one; our number keeps it the same payment.
func (s *Service) AnnounceH5(ctx context.Context, p Payment, a PrepayRequest) (string, error) {
	address := ""
	err := s.announce(ctx, p, &a, func(ctx context.Context) (err error) {
		if address, err = s.gateway.H5(ctx, a); err == nil && address == "" {
			err = errors.New("the platform gives no address")
		}
		return err
	})
	if err != nil || p.Status == Issued {
		return address, err
	}
	_, err = s.issued(ctx, p, p.OutTradeNo, a.Expire)
	return address, err
}

func (s *Service) announce(ctx context.Context, p Payment, a *PrepayRequest, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	a.OutTradeNo, a.Amount, a.TradeType = p.OutTradeNo, p.Amount, p.TradeType
	if err := call(ctx); err != nil {
		return fmt.Errorf("prepay %s: %w: %w", p.OutTradeNo, errno.OrderPayFailed, err)
	}
	return nil
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

// Ticket returns what a client needs to start a payment.
func (s *Service) Ticket(ctx context.Context, prepayID string) (PrepayParams, error) {
	t, err := s.gateway.Sign(ctx, prepayID, s.now())
	if err != nil {
		return t, fmt.Errorf("sign the payment: %w: %w", errno.OrderPayFailed, err)
	}
	return t, nil
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
	p, ok, err := activeOf(ctx, tx, order)
	if err != nil {
		return fmt.Errorf("read the payment of order %d: %w", order, err)
	}
	if !ok || p.Status == Paid {
		return nil
	}
	if _, err := closeRow(ctx, tx, p.ID, s.now()); err != nil { // it may be closed already
		return fmt.Errorf("close payment %d: %w", p.ID, err)
	}
	if p.Channel == Free || p.Channel == Offline {
		return nil
	}
	return s.outbox.Add(ctx, tx, topicClose, topicClose+":"+strconv.FormatInt(p.ID, 10), p.ID, nil)
}

// closeAtPlatform closes a payment at the platform. If the platform refuses because the payer was faster, the payment
// is handled at once, without waiting for its notification.
func (s *Service) closeAtPlatform(ctx context.Context, e outbox.Event) error {
	p, ok, err := byID(ctx, s.db, e.Aggregate)
	if err != nil || !ok || p.Status != Closed {
		return err // paid in the meantime; the notification was applied
	}
	err = s.gateway.Close(ctx, p.OutTradeNo)
	if errors.Is(err, ErrRefused) {
		err = s.queryOne(ctx, p.OutTradeNo)
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

// CollectOffline records that an order was paid without a platform, under a number of ours. The order's row must be
// locked. An open payment at a platform is closed; if it is paid all the same, it is a late payment.
func (s *Service) CollectOffline(ctx context.Context, tx *db.Tx, d Due, number string) error {
	if err := s.CloseOpen(ctx, tx, d.OrderID); err != nil {
		return err
	}
	n, err := countOf(ctx, tx, d.OrderID)
	if err != nil {
		return fmt.Errorf("count the payments of order %d: %w", d.OrderID, err)
	}
	p := Payment{
		OrderID: d.OrderID, UserID: d.UserID, OutTradeNo: numbered(d.OrderSN, n), Channel: Offline, Amount: d.Amount,
		Status: Paid, TransactionID: number, PaidAmount: d.Amount,
	}
	if _, err := insert(ctx, tx, p, s.now()); err != nil {
		return fmt.Errorf("record the offline payment of order %d: %w", d.OrderID, err)
	}
	return nil
}
