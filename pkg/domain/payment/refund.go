package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/outbox"
)

// Refund is money going back to the shopper.
type Refund struct {
	ID, OrderID, PaymentID, AftersaleID, UserID int64
	OutRefundNo                                 string
	Amount                                      money.Amount
	Status                                      RefundStatus
	Attempts                                    int
	UpdateTime                                  time.Time
	// OrderedBy is the packed call of the operator who released it, empty if the shop did.
	OrderedBy string `table:"null"`
}

const (
	// TopicRefund sends a released refund to the platform. The area that owns what the refund ends handles it.
	TopicRefund = "refund.send"
	// answerTimeout is how long a released refund is left to the request that released it.
	answerTimeout = 5 * time.Minute
	// platformTimeout bounds one refund call to the platform; the console's own timeout is five seconds.
	platformTimeout = 4 * time.Second
	// untilTaken is how long the outbox leaves a released refund to the request that finishes it.
	untilTaken = 30 * time.Second
)

// AskRefund records that a refund of a paid order was requested. The order's row must be locked.
func (s *Service) AskRefund(ctx context.Context, tx *db.Tx, d Due) error {
	p, _, err := activeOf(ctx, tx, d.OrderID)
	if err != nil {
		return fmt.Errorf("read the payment of order %d: %w", d.OrderID, err)
	}
	return s.newRefund(ctx, tx, p, d.OrderSN, Refund{
		OrderID: d.OrderID, UserID: d.UserID, PaymentID: p.ID,
		Amount: d.Amount,
	})
}

func (s *Service) newRefund(ctx context.Context, tx *db.Tx, p Payment, orderSN string, r Refund) error {
	n, err := countRefunds(ctx, tx, r.OrderID)
	if err != nil {
		return fmt.Errorf("count the refunds of order %d: %w", r.OrderID, err)
	}
	r.OutRefundNo = numbered("refund_"+orderSN, n)
	if r.ID, err = insertRefund(ctx, tx, r, "", s.now()); err != nil {
		return fmt.Errorf("record refund %s: %w", r.OutRefundNo, err)
	}
	if r.Status != RefundReleased {
		return nil
	}
	if ok, err := reserve(ctx, tx, p.ID, r.Amount, s.now()); err != nil || !ok {
		return errors.Join(fmt.Errorf("payment %d cannot return %s", p.ID, r.Amount), err)
	}
	return s.outbox.Add(ctx, tx, TopicRefund, refundKey(r), r.ID, nil)
}

// returnLate releases the refund of a late payment.
func (s *Service) returnLate(ctx context.Context, tx *db.Tx, p Payment, orderSN string, amount money.Amount) error {
	return s.newRefund(ctx, tx, p, orderSN, Refund{
		OrderID: p.OrderID, UserID: p.UserID, PaymentID: p.ID, Amount: amount, Status: RefundReleased, Attempts: 1,
	})
}

// refundKey identifies one release, so that every release has its own event in the outbox.
func refundKey(r Refund) string {
	return TopicRefund + ":" + strconv.FormatInt(r.ID, 10) + ":" + strconv.Itoa(r.Attempts)
}

// Release releases the requested refund of an order, so that exactly one caller sends it to the platform. The order's
// row must be locked. It fails with errno.Stale while another release waits for its answer.
func (s *Service) Release(ctx context.Context, tx *db.Tx, order, operator int64) (Refund, error) {
	r, ok, err := liveRefund(ctx, tx, order)
	if err != nil {
		return r, fmt.Errorf("read the refund of order %d: %w", order, err)
	}
	if !ok || r.Status == RefundDone {
		return r, fmt.Errorf("order %d has no refund to release: %w", order, errno.OrderConfirmNotAllowed)
	}
	return s.payCompensation(ctx, tx, r, operator)
}

// Reject rejects the requested refund of an order. It fails with errno.Stale while one is released.
func (s *Service) Reject(ctx context.Context, tx *db.Tx, order, operator int64) error {
	r, ok, err := liveRefund(ctx, tx, order)
	if err != nil || !ok {
		return err // imported orders may have none
	}
	return s.reject(ctx, tx, r, operator)
}

// reject rejects a refund. It fails with errno.Stale once it is released.
func (s *Service) reject(ctx context.Context, tx *db.Tx, r Refund, operator int64) error {
	if r.Status == RefundReleased || r.Status == RefundDone {
		return fmt.Errorf("refund %d is on its way: %w", r.ID, errno.Stale)
	}
	ok, err := rejectRow(ctx, tx, r, operator, s.now())
	if err != nil {
		return fmt.Errorf("reject refund %d: %w", r.ID, err)
	}
	if !ok {
		return fmt.Errorf("refund %d was modified concurrently: %w", r.ID, errno.Stale)
	}
	return nil
}

// RefundByID finds a refund.
func (s *Service) RefundByID(ctx context.Context, q db.Querier, id int64) (Refund, bool, error) {
	r, ok, err := refundByID(ctx, q, id)
	if err != nil {
		return r, false, fmt.Errorf("read refund %d: %w", id, err)
	}
	return r, ok, nil
}

// Sent is a refund that was paid.
type Sent struct {
	// PlatformID is the platform's number, empty without a platform.
	PlatformID string
	// Way says in the record of the order how it was paid.
	Way string
	// Late says that it refunds a late payment.
	Late bool
}

// Send asks the platform to pay a released refund. It makes a network call, so it must run outside any transaction. It
// fails with ErrRefused if the platform refuses; after any other error the outcome is unknown.
func (s *Service) Send(ctx context.Context, r Refund) (Sent, error) {
	p, ok, err := byID(ctx, s.db, r.PaymentID)
	if err != nil {
		return Sent{}, fmt.Errorf("read payment %d: %w", r.PaymentID, err)
	}
	sent := Sent{Late: p.Status == Late, Way: text.RefundByHand.Stored()}
	c, open := s.channels.Of(p.Channel)
	switch {
	case r.Amount == 0:
		return sent, nil
	case !ok: // it is unknown whether a platform holds the money, so it is not recorded as refunded
		return sent, fmt.Errorf("refund %s: payment %d is not there: %w", r.OutRefundNo, r.PaymentID, ErrRefused)
	case p.Channel == Offline || p.Channel == Free:
		return sent, nil
	case !open: // it is asked for again, until the channel is configured
		return sent, fmt.Errorf("refund %s by %s: %w", r.OutRefundNo, p.Channel, errClosed)
	case c.WholeRefunds && r.Amount < p.PaidAmount:
		return sent, fmt.Errorf("refund %s: %s refunds whole payments only: %w", r.OutRefundNo, c.Code, ErrRefused)
	}
	currency, err := s.settings.Currency(ctx, s.db)
	if err != nil {
		return Sent{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, platformTimeout)
	defer cancel()
	sent.Way = c.RefundName.Stored()
	a := RefundRequest{
		OutRefundNo: r.OutRefundNo, TransactionID: p.TransactionID, OutTradeNo: p.OutTradeNo,
		Total: p.PaidAmount, Amount: r.Amount, Currency: currency,
	}
	sent.PlatformID, err = c.Refund(ctx, a)
	if errors.Is(err, ErrRefused) {
		sent.PlatformID, err = c.confirmRefusal(ctx, a, err)
	}
	if err != nil {
		return Sent{}, fmt.Errorf("refund %s: %w", r.OutRefundNo, err)
	}
	return sent, nil
}

// confirmRefusal checks whether a refused request repeats one that the platform has accepted and whose answer was lost,
// so that paid money is not recorded as refused.
func (c Channel) confirmRefusal(ctx context.Context, a RefundRequest, refusal error) (string, error) {
	id, err := c.RefundStatus(ctx, a)
	if errors.Is(err, ErrRefused) {
		return "", refusal
	}
	return id, err
}

// Unrefunded is the error of a request whose refund was not paid: errno.OrderRefundFailed, with its own text while the
// platform has not decided and the shop keeps asking.
func Unrefunded(cause error) error {
	if errors.Is(cause, ErrRefused) {
		return errno.OrderRefundFailed
	}
	return errno.OrderRefundFailed.Because(text.RefundInProgress)
}

// subject identifies the refund that the idempotency keys of requests wait for.
func (r Refund) subject() string { return "refund:" + strconv.FormatInt(r.ID, 10) }

// Done records that a released refund was paid, and answers the requests that wait for it. It returns false if it was
// recorded before.
func (s *Service) Done(ctx context.Context, tx *db.Tx, r Refund, platformID string) (bool, error) {
	ok, err := doneRow(ctx, tx, r.ID, platformID, s.now())
	if err != nil {
		return false, fmt.Errorf("finish refund %d: %w", r.ID, err)
	}
	if !ok {
		return false, nil
	}
	return true, idempotency.Settle(ctx, tx, r.subject())
}

// Fail records that the platform refuses a released refund, which can then be released again.
func (s *Service) Fail(ctx context.Context, r Refund, cause error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.failIn(ctx, tx, r, cause.Error()) })
}

func (s *Service) failIn(ctx context.Context, tx *db.Tx, r Refund, cause string) error {
	if r.PaymentID != 0 {
		if err := lockPayment(ctx, tx, r.PaymentID); err != nil {
			return fmt.Errorf("lock payment %d: %w", r.PaymentID, err)
		}
	}
	ok, err := failRow(ctx, tx, r.ID, cause, s.now())
	if err != nil || !ok {
		return err
	}
	if err := idempotency.Release(ctx, tx, r.subject()); err != nil || r.PaymentID == 0 {
		return err
	}
	if err := unreserve(ctx, tx, r.PaymentID, r.Amount, s.now()); err != nil {
		return fmt.Errorf("free the amount of refund %d: %w", r.ID, err)
	}
	return nil
}

// RefundRetries finishes a released refund in the area that owns what it ends.
type RefundRetries func(ctx context.Context, r Refund) error

// OnRefund registers what finishes released refunds of orders for the outbox and the jobs.
func (s *Service) OnRefund(finish RefundRetries) { s.finishRefund = finish }

// OnCompensation registers the same for after-sale cases.
func (s *Service) OnCompensation(finish RefundRetries) { s.finishCompensation = finish }

// retryRefund is the outbox handler for a released refund.
func (s *Service) retryRefund(ctx context.Context, e outbox.Event) error {
	r, ok, err := s.RefundByID(ctx, s.db, e.Aggregate)
	if err != nil || !ok || r.Status != RefundReleased {
		return err
	}
	return s.finish(ctx, r)
}

// finish passes a released refund to the area that owns what it ends. Its audit record belongs to the operator who
// released it, under their request.
func (s *Service) finish(ctx context.Context, r Refund) error {
	ctx, err := audit.Unpacked(ctx, r.OrderedBy, s.now())
	if err != nil {
		return fmt.Errorf("finish refund %d: %w", r.ID, err)
	}
	if r.AftersaleID != 0 {
		return s.finishCompensation(ctx, r)
	}
	return s.finishRefund(ctx, r)
}

// refundRow is a refund as stored.
type refundRow struct {
	Refund
	Reason          string
	ChannelRefundID string `table:"null"`
	LastError       string
	OperatorID      int64
	DoneTime        time.Time `table:"null"`
	// ReleasedTime is since when it waits for the platform; UpdateTime moves with each further attempt.
	ReleasedTime time.Time `table:"null"`
	// ActiveMark is the own id for a rejected refund, and 0 for every other.
	ActiveMark int64
	AddTime    time.Time
	Deleted    bool
	Version    int
}

var refunds = table.Of[refundRow]("refund",
	table.Refers("order_id", "orders"),
	table.MayRefer("payment_id", "payment"),
	table.MayRefer("aftersale_id", "aftersale"),
	table.Refers("user_id", "user"),
	table.MayRefer("operator_id", "admin"),
	table.RefersToNone("channel_refund_id", "the platform's number of a refund"),
)

func refundsOf(rows []refundRow) []Refund {
	list := make([]Refund, len(rows))
	for i, r := range rows {
		list[i] = r.Refund
	}
	return list
}

// liveRefund finds the refund that an order in the state RefundAsked waits for. Late payments have refunds of their
// own.
func liveRefund(ctx context.Context, tx *db.Tx, order int64) (Refund, bool, error) {
	r, found, err := refunds.One(ctx, tx, `r.order_id = ? AND r.aftersale_id = 0 AND r.active_mark = 0
		AND r.payment_id NOT IN (SELECT id FROM payment WHERE order_id = ? AND status = ?)`, order, order, Late)
	return r.Refund, found, err
}

func refundOfCase(ctx context.Context, tx *db.Tx, order, aftersale int64) (Refund, bool, error) {
	r, found, err := refunds.One(ctx, tx, "r.order_id = ? AND r.aftersale_id = ? AND r.active_mark = 0", order, aftersale)
	return r.Refund, found, err
}

func refundByID(ctx context.Context, q db.Querier, id int64) (Refund, bool, error) {
	r, found, err := refunds.Get(ctx, q, id)
	return r.Refund, found, err
}

// refundByNumber locks a refund by our number, after its payment as the lock order demands.
func refundByNumber(ctx context.Context, tx *db.Tx, outRefundNo string) (Refund, bool, error) {
	const numbered = "r.out_refund_no = ?"
	r, found, err := refunds.One(ctx, tx, numbered, outRefundNo)
	if err != nil || !found {
		return r.Refund, false, err
	}
	if err := lockPayment(ctx, tx, r.PaymentID); err != nil {
		return r.Refund, false, err
	}
	r, found, err = refunds.One(ctx, tx, numbered+" FOR UPDATE", outRefundNo)
	return r.Refund, found, err
}

func countRefunds(ctx context.Context, tx *db.Tx, order int64) (int, error) {
	n, err := refunds.Count(ctx, tx, "r.order_id = ? AND r.aftersale_id = 0", order)
	return int(n), err
}

func sumCompensations(ctx context.Context, tx *db.Tx, order, except int64) (money.Amount, error) {
	var sum money.Amount
	err := table.Scan(ctx, tx, &sum, `SELECT COALESCE(SUM(amount), 0) FROM refund
		WHERE order_id = ? AND aftersale_id NOT IN (0, ?) AND status IN (?, ?)`,
		order, except, RefundReleased, RefundDone)
	return sum, err
}

func insertRefund(ctx context.Context, tx *db.Tx, r Refund, reason string, now time.Time) (int64, error) {
	r.UpdateTime = now
	row := refundRow{Refund: r, Reason: reason, AddTime: now}
	if r.Status == RefundReleased {
		row.ReleasedTime = now
	}
	db.Count(tx, meter.Refunds, 1, meter.Asked)
	return refunds.Insert(ctx, tx, row)
}
