package payment

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

func refundOfCase(ctx context.Context, tx *db.Tx, order, aftersale int64) (Refund, bool, error) {
	return oneRefund(tx.G(ctx).Raw("SELECT "+refundColumns+" FROM refund WHERE order_id = ? AND aftersale_id = ? "+
		"AND active_mark = 0", order, aftersale))
}

func sumCompensations(ctx context.Context, tx *db.Tx, order, except int64) (money.Amount, error) {
	var sum money.Amount
	err := tx.G(ctx).Raw("SELECT COALESCE(SUM(amount), 0) FROM refund WHERE order_id = ? AND aftersale_id NOT IN (0, ?) "+
		"AND status IN (?, ?)", order, except, RefundReleased, RefundDone).Scan(&sum).Error
	return sum, err
}

func insertCompensation(ctx context.Context, tx *db.Tx, r Refund, reason string, now time.Time) (int64, error) {
	return db.Insert(ctx, tx, "INSERT INTO refund (out_refund_no, order_id, payment_id, aftersale_id, user_id, amount, "+
		"reason, status, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		r.OutRefundNo, r.OrderID, r.PaymentID, r.AftersaleID, r.UserID, r.Amount, reason, r.Status, now, now)
}
