package idempotency

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// purged is the most answers that one batch removes.
const purged = 5000

// Purge removes answers whose time is over, at most one batch, and reports how many.
func (s *Store) Purge(ctx context.Context) (int, error) {
	n, err := purge(ctx, s.db, s.now(), purged)
	if err != nil {
		return n, fmt.Errorf("purge answers: %w", err)
	}
	return n, nil
}

// purge reads the rows first, so that what it locks is named by key.
func purge(ctx context.Context, q db.Querier, now time.Time, limit int) (int, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT id FROM idempotency WHERE expire_time <= ? ORDER BY expire_time LIMIT ?", now, limit).
		Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	res := q.G(ctx).Exec("DELETE FROM idempotency WHERE id IN ? AND expire_time <= ?", ids, now)
	return int(res.RowsAffected), res.Error
}
