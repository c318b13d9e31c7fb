package payment

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

type refundRow struct {
	ID, OrderID, PaymentID, AftersaleID, UserID int64
	OutRefundNo                                 string
	Amount                                      money.Amount
	Status                                      RefundStatus
	Attempts                                    int
	UpdateTime                                  time.Time
	OrderedBy                                   string
}

const refundColumns = "id, order_id, payment_id, aftersale_id, user_id, out_refund_no, amount, status, attempts, " +
	"update_time, COALESCE(ordered_by, '') AS ordered_by"

func oneRefund(query *gorm.DB) (Refund, bool, error) {
	var rows []refundRow
	if err := query.Scan(&rows).Error; err != nil || len(rows) == 0 {
		return Refund{}, false, err
	}
	return Refund(rows[0]), true, nil
}

// liveRefund finds the refund that an order in the state "refund asked for" waits for. Money that came late has refunds
// of its own, of payments that are not the order's.
func liveRefund(ctx context.Context, tx *db.Tx, order int64) (Refund, bool, error) {
	return oneRefund(tx.G(ctx).Raw("SELECT "+refundColumns+" FROM refund WHERE order_id = ? AND aftersale_id = 0 "+
		"AND active_mark = 0 AND payment_id NOT IN (SELECT id FROM payment WHERE order_id = ? AND status = ?)", order, order,
		Late))
}

func refundByID(ctx context.Context, q db.Querier, id int64) (Refund, bool, error) {
	return oneRefund(q.G(ctx).Raw("SELECT "+refundColumns+" FROM refund WHERE id = ?", id))
}

func countRefunds(ctx context.Context, tx *db.Tx, order int64) (n int, err error) {
	err = tx.G(ctx).Raw("SELECT COUNT(*) FROM refund WHERE order_id = ? AND aftersale_id = 0", order).Scan(&n).Error
	return n, err
}

func insertRefund(ctx context.Context, tx *db.Tx, r Refund, now time.Time) (int64, error) {
	return db.Insert(ctx, tx, "INSERT INTO refund (out_refund_no, order_id, payment_id, user_id, amount, status, "+
		"attempts, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		r.OutRefundNo, r.OrderID, r.PaymentID, r.UserID, r.Amount, r.Status, r.Attempts, now, now)
}

// The statements below name the states that an event may begin in, so that a refund in another one stays as it is.

// release also names the number of attempts that the refund was read with, so that of two operators one wins.
func release(ctx context.Context, tx *db.Tx, r Refund, operator int64, call string, now time.Time) (bool, error) {
	if _, ok := refundTransitions.Next(r.Status, ReleaseRefund); !ok {
		return false, nil
	}
	res := tx.G(ctx).Exec(`UPDATE refund SET status = ?, attempts = attempts + 1, operator_id = ?, ordered_by = ?,
		version = version + 1, update_time = ?
		WHERE id = ? AND status = ? AND attempts = ?`,
		refundTransitions.To(ReleaseRefund), operator, sql.NullString{String: call, Valid: call != ""}, now,
		r.ID, r.Status, r.Attempts)
	return res.RowsAffected == 1, res.Error
}

func rejectRow(ctx context.Context, tx *db.Tx, r Refund, operator int64, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE refund SET status = ?, active_mark = id, operator_id = ?, version = version + 1,
		update_time = ?
		WHERE id = ? AND status IN ?`,
		refundTransitions.To(RejectRefund), operator, now, r.ID, refundTransitions.From(RejectRefund))
	return res.RowsAffected == 1, res.Error
}

func doneRow(ctx context.Context, tx *db.Tx, id int64, platformID string, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE refund SET status = ?, channel_refund_id = ?, done_time = ?, last_error = '',
		ordered_by = NULL, version = version + 1, update_time = ?
		WHERE id = ? AND status IN ?`,
		refundTransitions.To(FinishRefund), sql.NullString{String: platformID, Valid: platformID != ""}, now, now,
		id, refundTransitions.From(FinishRefund))
	return res.RowsAffected == 1, res.Error
}

func failRow(ctx context.Context, tx *db.Tx, id int64, cause string, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE refund SET status = ?, last_error = ?, version = version + 1, update_time = ?
		WHERE id = ? AND status IN ?`,
		refundTransitions.To(FailRefund), cut(cause, 255), now, id, refundTransitions.From(FailRefund))
	return res.RowsAffected == 1, res.Error
}

func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "?")
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
