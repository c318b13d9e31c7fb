package payment

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
)

// silent finds payments that are open for an order that waits for its money.
func silent(
	ctx context.Context, q db.Querier, channel string, due time.Time, ready clause.Expr, limit int,
) ([]Payment, error) {
	var rows []row
	err := q.G(ctx).Raw("SELECT "+columns+" FROM payment p WHERE status IN (?, ?) AND update_time <= ? AND channel = ? "+
		"AND EXISTS (SELECT 1 FROM orders o WHERE o.id = p.order_id AND o.order_status = 101) "+
		"AND ? ORDER BY update_time, id LIMIT ?", Created, Issued, due, channel, ready, limit).Scan(&rows).Error
	payments := make([]Payment, len(rows))
	for i, r := range rows {
		payments[i] = r.payment()
	}
	return payments, err
}

func claimOpen(ctx context.Context, q db.Querier, id int64, due, now time.Time) (bool, error) {
	res := q.G(ctx).Exec("UPDATE payment SET update_time = ?, version = version + 1 WHERE id = ? AND status IN (?, ?) "+
		"AND update_time <= ?", now, id, Created, Issued, due)
	return res.RowsAffected == 1, res.Error
}

func refunds(ctx context.Context, q db.Querier, query string, args ...any) ([]Refund, error) {
	var rows []refundRow
	err := q.G(ctx).Raw(query, args...).Scan(&rows).Error
	found := make([]Refund, len(rows))
	for i, r := range rows {
		found[i] = Refund(r)
	}
	return found, err
}

func refundsBefore(
	ctx context.Context, q db.Querier, status RefundStatus, due time.Time, ready clause.Expr, limit int,
) ([]Refund, error) {
	return refunds(ctx, q, "SELECT "+refundColumns+" FROM refund r WHERE status = ? AND update_time <= ? AND ? "+
		"ORDER BY update_time, id LIMIT ?", status, due, ready, limit)
}

func lateRefundsBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) ([]Refund, error) {
	return refunds(ctx, q, "SELECT "+refundColumns+" FROM refund r WHERE status = ? AND update_time <= ? "+
		"AND EXISTS (SELECT 1 FROM payment p WHERE p.id = r.payment_id AND p.status = ?) "+
		"AND ? ORDER BY update_time, id LIMIT ?", RefundFailed, due, Late, ready, limit)
}

func takeUp(ctx context.Context, tx *db.Tx, r Refund, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE refund SET status = ?, attempts = attempts + 1, version = version + 1, update_time = ?
		WHERE id = ? AND status = ? AND attempts = ? AND update_time = ?`,
		refundTransitions.To(ReleaseRefund), now, r.ID, r.Status, r.Attempts, r.UpdateTime)
	return res.RowsAffected == 1, res.Error
}

// refundByNumber locks a refund by our number, and its payment before it, as the lock order has it.
func refundByNumber(ctx context.Context, tx *db.Tx, outRefundNo string) (Refund, bool, error) {
	const query = "SELECT " + refundColumns + " FROM refund WHERE out_refund_no = ?"
	r, ok, err := oneRefund(tx.G(ctx).Raw(query, outRefundNo))
	if err != nil || !ok {
		return r, ok, err
	}
	if err := lockPayment(ctx, tx, r.PaymentID); err != nil {
		return r, false, err
	}
	return oneRefund(tx.G(ctx).Raw(query+" FOR UPDATE", outRefundNo))
}

// blame keeps what the platform says against a refund that it had taken.
func blame(ctx context.Context, tx *db.Tx, id int64, cause string, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE refund SET last_error = ?, version = version + 1, update_time = ? WHERE id = ?",
		cut(cause, 255), now, id).Error
}
