package outbox

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

const (
	// doneKept is how long effects are kept that are done; those given up stay until somebody has dealt with them.
	doneKept = 7 * 24 * time.Hour
	// purged is the most effects that one batch removes.
	purged = 5000
)

// Purge removes effects that were done long ago, at most one batch, and reports how many.
func (s *Service) Purge(ctx context.Context) (int, error) {
	n, err := purge(ctx, s.db, s.now().Add(-doneKept), purged)
	if err != nil {
		return n, fmt.Errorf("purge effects: %w", err)
	}
	return n, nil
}

// purge reads the rows first, so that what it locks is named by key.
func purge(ctx context.Context, q db.Querier, before time.Time, limit int) (int, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT id FROM outbox_event WHERE state = ? AND available_time <= ? "+
		"ORDER BY available_time, id LIMIT ?", stateDone, before, limit).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	res := q.G(ctx).Exec("DELETE FROM outbox_event WHERE id IN ? AND state = ?", ids, stateDone)
	return int(res.RowsAffected), res.Error
}
