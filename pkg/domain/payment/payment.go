// Package payment owns payments, payment notifications and refunds. It changes no order; the order area applies what a
// payment means for an order, in the same transaction.
package payment

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/settings"
)

// Channels without a provider: what costs nothing, and what staff have recorded.
const (
	Free    = "free"
	Offline = "offline"
)

// Payment is one attempt to collect the money of an order.
type Payment struct {
	ID, OrderID, UserID            int64
	OutTradeNo, Channel, TradeType string
	Amount                         money.Amount
	Status                         Status
	PrepayID                       string    `table:"null"`
	PrepayExpire                   time.Time `table:"null"`
	TransactionID                  string    `table:"null"`
	// Reference is what the bank or the till calls a payment that staff have recorded.
	Reference                  string `table:"null"`
	PaidAmount, RefundedAmount money.Amount
}

func (p Payment) ref() Ref { return Ref{OutTradeNo: p.OutTradeNo, Number: p.PrepayID} }

// Due is an amount that an order must pay.
type Due struct {
	OrderID, UserID int64
	OrderSN         string
	Amount          money.Amount
	// Channel and TradeType say how it is to be paid, for a payment that begins.
	Channel, TradeType string
}

// Service collects and refunds money.
type Service struct {
	db       *db.DB
	channels *Channels
	settings *settings.Service
	outbox   *outbox.Service
	failures *job.Failures
	now      func() time.Time
	forged   forged
	// paid handles payments that a query found paid; awaited chooses the open ones to query.
	paid    Finding
	awaited clause.Expr
	// finishRefund and finishCompensation finish the released refunds of orders and of after-sale cases.
	finishRefund, finishCompensation RefundRetries
}

// New returns the service on the shop's channels.
func New(
	d *db.DB, c *Channels, v *settings.Service, o *outbox.Service, failures *job.Failures, now func() time.Time,
) *Service {
	s := &Service{db: d, channels: c, settings: v, outbox: o, failures: failures, now: now}
	o.Handle(topicClose, s.closeAtPlatform)
	o.Handle(TopicRefund, s.retryRefund)
	return s
}

// Channels returns the shop's channels.
func (s *Service) Channels() *Channels { return s.channels }

// row is a payment as stored.
type row struct {
	Payment
	PaidTime time.Time `table:"null"`
	// ActiveMark is 0 for an order's open or paid payment, of which there is at most one, and the own id for others.
	ActiveMark          int64
	AddTime, UpdateTime time.Time
	Deleted             bool
	Version             int
}

var payments = table.Of[row]("payment",
	table.Refers("order_id", "orders"),
	table.Refers("user_id", "user"),
	table.RefersToNone("prepay_id", "the platform's number of a payment"),
	table.RefersToNone("transaction_id", "the number of the transaction at the platform"),
)

// activeOf finds the open or paid payment of an order; there is at most one.
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

// attempt is a payment of an order with the number of all its payments.
type attempt struct {
	Payment    `gorm:"embedded"`
	ActiveMark int64
	Total      int
}

// attemptsOf returns the open or paid payment of an order, if there is one, and the number of all its payments.
func attemptsOf(ctx context.Context, q db.Querier, order int64) (active Payment, found bool, total int, err error) {
	all, err := table.Select[attempt](ctx, q, "SELECT "+payments.Columns("r")+`, COUNT(*) OVER () AS total
		FROM payment r
		WHERE r.order_id = ?
		ORDER BY r.active_mark = 0 DESC LIMIT 1`, order)
	if err != nil || len(all) == 0 {
		return active, false, 0, err
	}
	return all[0].Payment, all[0].ActiveMark == 0, all[0].Total, nil
}

// OrderOf is an expression for the id of the order of a payment, by our number at the platform, for statements of other
// areas.
func OrderOf(outTradeNo string) clause.Expr {
	return gorm.Expr("(SELECT p.order_id FROM payment p WHERE p.out_trade_no = ?)", outTradeNo)
}

func transactionKnown(ctx context.Context, q db.Querier, channel, transaction string) (bool, error) {
	return payments.Exists(ctx, q, "r.channel = ? AND r.transaction_id = ?", channel, transaction)
}

func insert(ctx context.Context, tx *db.Tx, p Payment, now time.Time) (int64, error) {
	r := row{Payment: p, AddTime: now, UpdateTime: now}
	if p.Status == Paid {
		r.PaidTime = now
		db.Count(tx, meter.Payments, 1, string(Collect))
	}
	return payments.Insert(ctx, tx, r)
}

// insertLate stores a second transaction as a payment with a number of its own, never active.
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
	db.Count(tx, meter.Payments, 1, string(ArriveLate))
	_, err = payments.Update(ctx, tx, table.Set{"active_mark": id}, "id = ?", id)
	return id, err
}

// transition moves a payment if its state allows the event.
func transition(ctx context.Context, q db.Querier, id int64, event Event, set table.Set, now time.Time) (bool, error) {
	set["status"], set["update_time"] = transitions.To(event), now
	moved, err := payments.Moved(ctx, q, set, "id = ? AND status IN ?", id, transitions.From(event))
	if moved && err == nil {
		db.Count(q, meter.Payments, 1, string(event))
	}
	return moved, err
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

// reserve adds an amount to the refunded amount of a payment, if enough was paid and not refunded yet.
func reserve(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) (bool, error) {
	set := table.Set{"refunded_amount": gorm.Expr("refunded_amount + ?", amount), "update_time": now}
	return payments.Moved(ctx, tx, set, "id = ? AND refunded_amount + ? <= paid_amount", id, amount)
}

func unreserve(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) error {
	set := table.Set{"refunded_amount": gorm.Expr("refunded_amount - ?", amount), "update_time": now}
	_, err := payments.Update(ctx, tx, set, "id = ? AND refunded_amount >= ?", id, amount)
	return err
}
