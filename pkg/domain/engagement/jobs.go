package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// purged is the most traces that one batch removes.
const purged = 5000

// PurgeFootprints removes footprints of goods that were last looked at before a moment, at most one batch, and reports
// how many.
func (s *Service) PurgeFootprints(ctx context.Context, before time.Time) (int, error) {
	n, err := purge(ctx, s.db, "footprint", "view_time", before)
	if err != nil {
		return n, fmt.Errorf("purge footprints: %w", err)
	}
	return n, nil
}

// PurgeSearches removes searches that were last made before a moment, as PurgeFootprints does.
func (s *Service) PurgeSearches(ctx context.Context, before time.Time) (int, error) {
	n, err := purge(ctx, s.db, "search_history", "update_time", before)
	if err != nil {
		return n, fmt.Errorf("purge searches: %w", err)
	}
	return n, nil
}

// PurgeFeedback removes what shoppers wrote to the shop before a moment, as PurgeFootprints does.
func (s *Service) PurgeFeedback(ctx context.Context, before time.Time) (int, error) {
	n, err := purge(ctx, s.db, "feedback", "update_time", before)
	if err != nil {
		return n, fmt.Errorf("purge feedback: %w", err)
	}
	return n, nil
}

// purge reads the rows first, so that what it locks is named by key. Nothing is last used before it was made, so the
// index by that time leads to the old rows.
func purge(ctx context.Context, q db.Querier, table, used string, before time.Time) (int, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT id FROM "+table+" WHERE add_time <= ? AND "+used+" <= ? ORDER BY add_time, id LIMIT ?",
		before, before, purged).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	res := q.G(ctx).Exec("DELETE FROM "+table+" WHERE id IN ? AND "+used+" <= ?", ids, before)
	return int(res.RowsAffected), res.Error
}
