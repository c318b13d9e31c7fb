package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/platform/text"
)

// Refund is money going back.
type Refund struct {
	ID, OrderID, PaymentID, AftersaleID, UserID int64
	OutRefundNo                                 string
	Amount                                      money.Amount
	Status                                      RefundStatus
	Attempts                                    int
	UpdateTime                                  time.Time
	// OrderedBy is the packed call of the operator who has released it, empty for any other.
	OrderedBy string `table:"null"`
}

const (
	// TopicRefund is the effect of sending a released refund to the platform. Who owns what a refund ends handles it.
	TopicRefund = "refund.send"
	// answerTimeout is how long a released refund is left to the request that released it.
	answerTimeout = 5 * time.Minute
	// platformTimeout bounds one call for a refund: the console gives up after five seconds.
	platformTimeout = 4 * time.Second
	// untilTaken is how long the outbox leaves a release alone that is being finished by whoever asked for it.
	untilTaken = 30 * time.Second
)

// AskRefund records that the money of a paid order is asked back. The order's row must be locked.
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

// returnLate releases the refund of money that came too late.
func (s *Service) returnLate(ctx context.Context, tx *db.Tx, p Payment, orderSN string, amount money.Amount) error {
	return s.newRefund(ctx, tx, p, orderSN, Refund{
		OrderID: p.OrderID, UserID: p.UserID, PaymentID: p.ID, Amount: amount, Status: RefundReleased, Attempts: 1,
	})
}

// refundKey names one release, so that every release of a refund has its own effect in the outbox.
func refundKey(r Refund) string {
	return TopicRefund + ":" + strconv.FormatInt(r.ID, 10) + ":" + strconv.Itoa(r.Attempts)
}

// Release gives the refund that was asked for an order to the platform: from now on exactly one caller talks about it.
// The order's row must be locked. It fails with errno.Stale while another release waits for its answer.
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

// Reject ends the refund that was asked for an order. It fails with errno.Stale while one is on its way.
func (s *Service) Reject(ctx context.Context, tx *db.Tx, order, operator int64) error {
	r, ok, err := liveRefund(ctx, tx, order)
	if err != nil || !ok {
		return err // imported orders may have none
	}
	if r.Status == RefundReleased || r.Status == RefundDone {
		return fmt.Errorf("refund %d is on its way: %w", r.ID, errno.Stale)
	}
	if ok, err = rejectRow(ctx, tx, r, operator, s.now()); err != nil {
		return fmt.Errorf("reject refund %d: %w", r.ID, err)
	}
	if !ok {
		return fmt.Errorf("refund %d moved meanwhile: %w", r.ID, errno.Stale)
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

// Sent is a refund that has been paid.
type Sent struct {
	// PlatformID is the platform's number, empty where no platform is concerned.
	PlatformID string
	// Late says that the money went back because its order did not wait for it.
	Late bool
}

// Send asks the platform for a released refund. It makes a network call and so belongs outside any transaction. It
// fails with ErrRefused where the platform has decided against it; after another error the outcome is unknown.
func (s *Service) Send(ctx context.Context, r Refund) (Sent, error) {
	p, ok, err := byID(ctx, s.db, r.PaymentID)
	if err != nil {
		return Sent{}, fmt.Errorf("read payment %d: %w", r.PaymentID, err)
	}
	sent := Sent{Late: p.Status == Late}
	switch {
	case r.Amount == 0:
		return sent, nil
	case !ok: // nobody knows whether a platform holds the money, so nobody says that it has gone back
		return sent, fmt.Errorf("refund %s: payment %d is not there: %w", r.OutRefundNo, r.PaymentID, ErrRefused)
	case p.Channel == Offline || p.Channel == Free:
		return sent, nil
	}
	ctx, cancel := context.WithTimeout(ctx, platformTimeout)
	defer cancel()
	sent.PlatformID, err = s.gateway.Refund(ctx, RefundRequest{
		OutRefundNo: r.OutRefundNo, TransactionID: p.TransactionID, OutTradeNo: p.OutTradeNo,
		Total: p.PaidAmount, Amount: r.Amount,
	})
	if errors.Is(err, ErrRefused) {
		sent.PlatformID, err = s.confirmRefusal(ctx, r, err)
	}
	if err != nil {
		return Sent{}, fmt.Errorf("refund %s: %w", r.OutRefundNo, err)
	}
	return sent, nil
}

// confirmRefusal finds out whether a refused request was the repetition of one that the platform has taken, its answer
// having been lost. Money that has gone must not be booked as refused.
func (s *Service) confirmRefusal(ctx context.Context, r Refund, refusal error) (string, error) {
	id, err := s.gateway.RefundStatus(ctx, r.OutRefundNo)
	if errors.Is(err, ErrRefused) {
		return "", refusal
	}
	return id, err
}

// Unrefunded is the refusal of a request whose refund has not been paid: errno.OrderRefundFailed, with a sentence of
// its own where the platform has not decided and the shop goes on asking.
func Unrefunded(cause error) error {
	if errors.Is(cause, ErrRefused) {
		return errno.OrderRefundFailed
	}
	return errno.OrderRefundFailed.Because(text.RefundUnderWay)
}

// subject is what the idempotency keys of the requests that have released a refund wait for.
func (r Refund) subject() string { return "refund:" + strconv.FormatInt(r.ID, 10) }

// Done records that a released refund has been paid, and answers the requests that wait for it. It reports false where
// it was recorded before.
func (s *Service) Done(ctx context.Context, tx *db.Tx, r Refund, platformID string) (bool, error) {
	ok, err := doneRow(ctx, tx, r.ID, platformID, s.now())
	if err != nil {
		return false, fmt.Errorf("finish refund %d: %w", r.ID, err)
	}
	if !ok {
		return false, nil
	}
	return true, idempotency.Settle(ctx, tx, r.subject(), struct{}{})
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

// RefundRetries is how a refund that is still on its way is handled by the area whose matter it ends.
type RefundRetries func(ctx context.Context, r Refund) error

// OnRefund names who finishes released refunds of orders that the outbox or a job finds.
func (s *Service) OnRefund(finish RefundRetries) { s.finishRefund = finish }

// OnCompensation names who finishes those of after-sale cases.
func (s *Service) OnCompensation(finish RefundRetries) { s.finishCompensation = finish }

// retryRefund is what the outbox does with a refund that is still on its way.
func (s *Service) retryRefund(ctx context.Context, e outbox.Event) error {
	r, ok, err := s.RefundByID(ctx, s.db, e.Aggregate)
	if err != nil || !ok || r.Status != RefundReleased {
		return err
	}
	return s.finish(ctx, r)
}

// finish hands a released refund to the area whose matter it ends. The money moves by order of the operator who has
// released it, so the record of that is theirs, under their own request.
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

// refundRow is a refund as it is stored.
type refundRow struct {
	Refund
	Reason          string
	ChannelRefundID string `table:"null"`
	LastError       string
	OperatorID      int64
	DoneTime        time.Time `table:"null"`
	// ActiveMark is the id of a refund that was rejected, and 0 for every other.
	ActiveMark int64
	AddTime    time.Time
	Deleted    bool
	Version    int
}

var refunds = table.Of[refundRow]("refund")

func refundsOf(rows []refundRow) []Refund {
	list := make([]Refund, len(rows))
	for i, r := range rows {
		list[i] = r.Refund
	}
	return list
}

// liveRefund finds the refund that an order in the state "refund asked for" waits for. Money that came late has refunds
// of its own, of payments that are not the order's.
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

// refundByNumber locks a refund by our number, and its payment before it, as the lock order has it.
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
	err := tx.G(ctx).Raw(`SELECT COALESCE(SUM(amount), 0) FROM refund
		WHERE order_id = ? AND aftersale_id NOT IN (0, ?) AND status IN (?, ?)`,
		order, except, RefundReleased, RefundDone).Scan(&sum).Error
	return sum, err
}

func insertRefund(ctx context.Context, tx *db.Tx, r Refund, reason string, now time.Time) (int64, error) {
	r.UpdateTime = now
	return refunds.Insert(ctx, tx, refundRow{Refund: r, Reason: reason, AddTime: now})
}

// transitionRefund moves a refund, unless it is in a state in which the event cannot happen, or a further condition
// does not hold.
func transitionRefund(
	ctx context.Context, tx *db.Tx, id int64, event RefundEvent, set table.Set, now time.Time,
) (bool, error) {
	set["status"], set["update_time"] = refundTransitions.To(event), now
	return refunds.Moved(ctx, tx, set, "id = ? AND status IN ?", id, refundTransitions.From(event))
}

// release also names the number of attempts that the refund was read with, so that of two operators one wins.
func release(ctx context.Context, tx *db.Tx, r Refund, operator int64, call string, now time.Time) (bool, error) {
	if _, ok := refundTransitions.Next(r.Status, ReleaseRefund); !ok {
		return false, nil
	}
	set := table.Set{
		"status": refundTransitions.To(ReleaseRefund), "attempts": r.Attempts + 1, "operator_id": operator,
		"ordered_by": call, "update_time": now,
	}
	return refunds.Moved(ctx, tx, set, "id = ? AND status = ? AND attempts = ?", r.ID, r.Status, r.Attempts)
}

// takeUp is a release by the shop itself, which names the time of the one before as well.
func takeUp(ctx context.Context, tx *db.Tx, r Refund, now time.Time) (bool, error) {
	set := table.Set{
		"status": refundTransitions.To(ReleaseRefund), "attempts": r.Attempts + 1, "update_time": now,
	}
	return refunds.Moved(ctx, tx, set, "id = ? AND status = ? AND attempts = ? AND update_time = ?",
		r.ID, r.Status, r.Attempts, r.UpdateTime)
}

func rejectRow(ctx context.Context, tx *db.Tx, r Refund, operator int64, now time.Time) (bool, error) {
	return transitionRefund(ctx, tx, r.ID, RejectRefund, table.Set{"active_mark": r.ID, "operator_id": operator}, now)
}

func doneRow(ctx context.Context, tx *db.Tx, id int64, platformID string, now time.Time) (bool, error) {
	return transitionRefund(ctx, tx, id, FinishRefund, table.Set{
		"channel_refund_id": platformID, "done_time": now, "last_error": "", "ordered_by": "",
	}, now)
}

func failRow(ctx context.Context, tx *db.Tx, id int64, cause string, now time.Time) (bool, error) {
	return transitionRefund(ctx, tx, id, FailRefund, table.Set{"last_error": form.Truncate(cause, 255)}, now)
}

// saveError keeps what the platform says against a refund that it had taken.
func saveError(ctx context.Context, tx *db.Tx, id int64, cause string, now time.Time) error {
	_, err := refunds.Update(ctx, tx, table.Set{"last_error": form.Truncate(cause, 255), "update_time": now}, "id = ?", id)
	return err
}
