package payment

import (
	"context"
	"database/sql"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

type row struct {
	ID, OrderID, UserID            int64
	OutTradeNo, Channel, TradeType string
	Amount                         money.Amount
	Status                         Status
	PrepayID                       string
	PrepayExpire                   sql.NullTime
	TransactionID                  string
	PaidAmount, RefundedAmount     money.Amount
}

func (r row) payment() Payment {
	return Payment{
		ID: r.ID, OrderID: r.OrderID, UserID: r.UserID, OutTradeNo: r.OutTradeNo, Channel: r.Channel, TradeType: r.TradeType,
		Amount: r.Amount, Status: r.Status, PrepayID: r.PrepayID, PrepayExpire: r.PrepayExpire.Time,
		TransactionID: r.TransactionID, PaidAmount: r.PaidAmount, RefundedAmount: r.RefundedAmount,
	}
}

const columns = "id, order_id, user_id, out_trade_no, channel, trade_type, amount, status, " +
	"COALESCE(prepay_id, '') AS prepay_id, prepay_expire, COALESCE(transaction_id, '') AS transaction_id, " +
	"paid_amount, refunded_amount"

func one(query *gorm.DB) (Payment, bool, error) {
	var rows []row
	if err := query.Scan(&rows).Error; err != nil || len(rows) == 0 {
		return Payment{}, false, err
	}
	return rows[0].payment(), true, nil
}

// activeOf finds the open or paid payment of an order; there is one at most.
func activeOf(ctx context.Context, q db.Querier, order int64) (Payment, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM payment WHERE order_id = ? AND active_mark = 0", order))
}

func byID(ctx context.Context, q db.Querier, id int64) (Payment, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM payment WHERE id = ?", id))
}

func byNumber(ctx context.Context, q db.Querier, outTradeNo string) (Payment, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM payment WHERE out_trade_no = ?", outTradeNo))
}

func countOf(ctx context.Context, q db.Querier, order int64) (n int, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM payment WHERE order_id = ?", order).Scan(&n).Error
	return n, err
}

func transactionKnown(ctx context.Context, q db.Querier, channel, transaction string) (bool, error) {
	var n int
	err := q.G(ctx).Raw("SELECT COUNT(*) FROM payment WHERE channel = ? AND transaction_id = ?", channel, transaction).
		Scan(&n).Error
	return n > 0, err
}

func insert(ctx context.Context, tx *db.Tx, p Payment, now time.Time) (int64, error) {
	paid := sql.NullTime{Time: now, Valid: p.Status == Paid}
	return db.Insert(ctx, tx, "INSERT INTO payment (order_id, user_id, out_trade_no, channel, trade_type, amount, "+
		"status, paid_time, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		p.OrderID, p.UserID, p.OutTradeNo, p.Channel, p.TradeType, p.Amount, p.Status, paid, now, now)
}

// insertLate stores a second transaction under a number of its own; it never occupies the one place of its order.
func insertLate(ctx context.Context, tx *db.Tx, p Payment, n Notification, now time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO payment (order_id, user_id, out_trade_no, channel, trade_type, amount, "+
		"status, transaction_id, paid_amount, paid_time, active_mark, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, -?, ?, ?)", p.OrderID, p.UserID, p.OutTradeNo, p.Channel, p.TradeType,
		p.Amount,
		Late, n.TransactionID, n.Amount, n.Time, now.UnixNano(), now, now)
	if err != nil {
		return 0, err
	}
	return id, tx.G(ctx).Exec("UPDATE payment SET active_mark = id WHERE id = ?", id).Error
}

// The statements below name the states that an event may begin in, so that a payment in another one stays as it is.

func issue(ctx context.Context, q db.Querier, id int64, prepayID string, expire, now time.Time) (bool, error) {
	res := q.G(ctx).Exec(`UPDATE payment SET status = ?, prepay_id = ?, prepay_expire = ?, version = version + 1,
		update_time = ?
		WHERE id = ? AND status IN ?`,
		transitions.To(Issue), prepayID, expire, now, id, transitions.From(Issue))
	return res.RowsAffected == 1, res.Error
}

func collect(ctx context.Context, tx *db.Tx, id int64, n Notification, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE payment SET status = ?, transaction_id = ?, paid_amount = ?, paid_time = ?,
		active_mark = 0, version = version + 1, update_time = ?
		WHERE id = ? AND status IN ?`,
		transitions.To(Collect), n.TransactionID, n.Amount, n.Time, now, id, transitions.From(Collect))
	return res.RowsAffected == 1, res.Error
}

func arriveLate(ctx context.Context, tx *db.Tx, id int64, n Notification, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE payment SET status = ?, transaction_id = ?, paid_amount = ?, paid_time = ?,
		active_mark = id, version = version + 1, update_time = ?
		WHERE id = ? AND status IN ?`,
		transitions.To(ArriveLate), n.TransactionID, n.Amount, n.Time, now, id, transitions.From(ArriveLate))
	return res.RowsAffected == 1, res.Error
}

func closeRow(ctx context.Context, tx *db.Tx, id int64, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE payment SET status = ?, active_mark = id, version = version + 1, update_time = ?
		WHERE id = ? AND status IN ?`, transitions.To(Close), now, id, transitions.From(Close))
	return res.RowsAffected == 1, res.Error
}

func lockPayment(ctx context.Context, tx *db.Tx, id int64) error {
	var locked int64
	return tx.G(ctx).Raw("SELECT id FROM payment WHERE id = ? FOR UPDATE", id).Scan(&locked).Error
}

// reserve counts an amount as going back, if so much was paid and not returned yet.
func reserve(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE payment SET refunded_amount = refunded_amount + ?, version = version + 1, "+
		"update_time = ? WHERE id = ? AND refunded_amount + ? <= paid_amount", amount, now, id, amount)
	return res.RowsAffected == 1, res.Error
}

func unreserve(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE payment SET refunded_amount = refunded_amount - ?, version = version + 1, "+
		"update_time = ? WHERE id = ? AND refunded_amount >= ?", amount, now, id, amount).Error
}
