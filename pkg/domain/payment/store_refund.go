package payment

import (
	"context"
	"time"

	"shop.internal/pkg/domain/form"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/money"
)

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

// blame keeps what the platform says against a refund that it had taken.
func blame(ctx context.Context, tx *db.Tx, id int64, cause string, now time.Time) error {
	_, err := refunds.Update(ctx, tx, table.Set{"last_error": form.Truncate(cause, 255), "update_time": now}, "id = ?", id)
	return err
}
