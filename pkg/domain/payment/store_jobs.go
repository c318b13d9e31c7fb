package payment

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// silent finds payments that are open although their order waits for the money.
func silent(
	ctx context.Context, q db.Querier, channel string, due time.Time, awaited, ready clause.Expr, limit int,
) ([]row, error) {
	return payments.Find(ctx, q, `r.status IN ? AND r.update_time <= ? AND r.channel = ? AND ? AND ?
		ORDER BY r.update_time, r.id LIMIT ?`, transitions.From(Close), due, channel, awaited, ready, limit)
}

func claimOpen(ctx context.Context, q db.Querier, id int64, due, now time.Time) (bool, error) {
	return payments.Moved(ctx, q, table.Set{"update_time": now}, "id = ? AND status IN ? AND update_time <= ?",
		id, transitions.From(Close), due)
}

func refundsBefore(
	ctx context.Context, q db.Querier, status RefundStatus, due time.Time, ready clause.Expr, limit int,
) ([]Refund, error) {
	rows, err := refunds.Find(ctx, q, "r.status = ? AND r.update_time <= ? AND ? ORDER BY r.update_time, r.id LIMIT ?",
		status, due, ready, limit)
	return refundsOf(rows), err
}

func lateRefundsBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) ([]Refund, error) {
	rows, err := refunds.Find(ctx, q, `r.status = ? AND r.update_time <= ?
			AND EXISTS (SELECT 1 FROM payment p WHERE p.id = r.payment_id AND p.status = ?)
			AND ?
		ORDER BY r.update_time, r.id LIMIT ?`, RefundFailed, due, Late, ready, limit)
	return refundsOf(rows), err
}
