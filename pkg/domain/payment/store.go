package payment

import (
	"context"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/money"
)

// row is a payment as it is stored.
type row struct {
	Payment
	PaidTime time.Time `table:"null"`
	// ActiveMark is 0 for the one payment of an order that is open or paid, and the id of every other.
	ActiveMark          int64
	AddTime, UpdateTime time.Time
	Deleted             bool
	Version             int
}

var payments = table.Of[row]("payment")

// activeOf finds the open or paid payment of an order; there is one at most.
func activeOf(ctx context.Context, q db.Querier, order int64) (Payment, bool, error) {
	r, found, err := payments.One(ctx, q, "r.order_id = ? AND r.active_mark = 0", order)
	return r.Payment, found, err
}

func byID(ctx context.Context, q db.Querier, id int64) (Payment, bool, error) {
	r, found, err := payments.Get(ctx, q, id)
	return r.Payment, found, err
}

func byNumber(ctx context.Context, q db.Querier, outTradeNo string) (Payment, bool, error) {
	r, found, err := payments.One(ctx, q, "r.out_trade_no = ?", outTradeNo)
	return r.Payment, found, err
}

func countOf(ctx context.Context, q db.Querier, order int64) (int, error) {
	n, err := payments.Count(ctx, q, "r.order_id = ?", order)
	return int(n), err
}

func transactionKnown(ctx context.Context, q db.Querier, channel, transaction string) (bool, error) {
	return payments.Exists(ctx, q, "r.channel = ? AND r.transaction_id = ?", channel, transaction)
}

func insert(ctx context.Context, tx *db.Tx, p Payment, now time.Time) (int64, error) {
	r := row{Payment: p, AddTime: now, UpdateTime: now}
	if p.Status == Paid {
		r.PaidTime = now
	}
	return payments.Insert(ctx, tx, r)
}

// insertLate stores a second transaction under a number of its own; it never occupies the one place of its order.
func insertLate(ctx context.Context, tx *db.Tx, p Payment, n Notification, now time.Time) (int64, error) {
	id, err := payments.Insert(ctx, tx, row{
		Payment: Payment{
			OrderID: p.OrderID, UserID: p.UserID, OutTradeNo: p.OutTradeNo, Channel: p.Channel, TradeType: p.TradeType,
			Amount: p.Amount, Status: Late, TransactionID: n.TransactionID, PaidAmount: n.Amount,
		},
		PaidTime: n.Time, ActiveMark: -now.UnixNano(), AddTime: now, UpdateTime: now,
	})
	if err != nil {
		return 0, err
	}
	_, err = payments.Update(ctx, tx, table.Set{"active_mark": id}, "id = ?", id)
	return id, err
}

// transition moves a payment, unless it is in a state in which the event cannot happen.
func transition(ctx context.Context, q db.Querier, id int64, event Event, set table.Set, now time.Time) (bool, error) {
	set["status"], set["update_time"] = transitions.To(event), now
	return payments.Moved(ctx, q, set, "id = ? AND status IN ?", id, transitions.From(event))
}

func issue(ctx context.Context, q db.Querier, id int64, prepayID string, expire, now time.Time) (bool, error) {
	return transition(ctx, q, id, Issue, table.Set{"prepay_id": prepayID, "prepay_expire": expire}, now)
}

func collect(ctx context.Context, tx *db.Tx, id int64, n Notification, now time.Time) (bool, error) {
	return transition(ctx, tx, id, Collect, table.Set{
		"transaction_id": n.TransactionID, "paid_amount": n.Amount, "paid_time": n.Time, "active_mark": 0,
	}, now)
}

func arriveLate(ctx context.Context, tx *db.Tx, id int64, n Notification, now time.Time) (bool, error) {
	return transition(ctx, tx, id, ArriveLate, table.Set{
		"transaction_id": n.TransactionID, "paid_amount": n.Amount, "paid_time": n.Time, "active_mark": id,
	}, now)
}

func closeRow(ctx context.Context, tx *db.Tx, id int64, now time.Time) (bool, error) {
	return transition(ctx, tx, id, Close, table.Set{"active_mark": id}, now)
}

func lockPayment(ctx context.Context, tx *db.Tx, id int64) error {
	_, _, err := payments.Lock(ctx, tx, id)
	return err
}

// reserve counts an amount as going back, if so much was paid and not returned yet.
func reserve(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) (bool, error) {
	set := table.Set{"refunded_amount": gorm.Expr("refunded_amount + ?", amount), "update_time": now}
	return payments.Moved(ctx, tx, set, "id = ? AND refunded_amount + ? <= paid_amount", id, amount)
}

func unreserve(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) error {
	set := table.Set{"refunded_amount": gorm.Expr("refunded_amount - ?", amount), "update_time": now}
	_, err := payments.Update(ctx, tx, set, "id = ? AND refunded_amount >= ?", id, amount)
	return err
}
