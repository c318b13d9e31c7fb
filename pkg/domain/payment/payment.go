// Package payment owns the money: the attempts to collect it, the notices of the platform about it, and its way
// back. It moves no order; what a payment means for an order is the order's to say, in the same transaction.
package payment

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/outbox"
)

// Channels that need no platform.
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
	PaidAmount, RefundedAmount     money.Amount
}

// Due is what an order owes.
type Due struct {
	OrderID, UserID int64
	OrderSN         string
	Amount          money.Amount
	// TradeType is the platform's word for the way of paying, such as JSAPI.
	TradeType string
}

// Service collects and returns money.
type Service struct {
	db       *db.DB
	gateway  Gateway
	outbox   *outbox.Service
	failures *job.Failures
	now      func() time.Time
	forged   forged
	// paid deals with payments that are found to have been made; awaited says which of the open ones to ask about.
	paid    Finding
	awaited clause.Expr
	// These end what a released refund is about: an order, or an after-sale case.
	finishRefund, finishCompensation RefundRetries
}

// New returns the payments of a database, made through one gateway.
func New(d *db.DB, g Gateway, o *outbox.Service, failures *job.Failures, now func() time.Time) *Service {
	s := &Service{db: d, gateway: g, outbox: o, failures: failures, now: now}
	o.Handle(topicClose, s.closeAtPlatform)
	o.Handle(TopicRefund, s.retryRefund)
	return s
}

// Gateway returns the platform.
func (s *Service) Gateway() Gateway { return s.gateway }

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
