package engagement

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// purged bounds the traces that one batch removes.
const purged = 5000

// PurgeFootprints deletes a batch of footprints whose latest view was before a time, and returns how many.
func (s *Service) PurgeFootprints(ctx context.Context, before time.Time) (int, error) {
	return purge(ctx, s.db, footprints, "view_time", before)
}

// PurgeSearches deletes keywords whose latest search was before a time, as PurgeFootprints does.
func (s *Service) PurgeSearches(ctx context.Context, before time.Time) (int, error) {
	return purge(ctx, s.db, searches, "update_time", before)
}

// PurgeFeedback deletes feedback written before a time, as PurgeFootprints does.
func (s *Service) PurgeFeedback(ctx context.Context, before time.Time) (int, error) {
	return purge(ctx, s.db, feedback, "update_time", before)
}

// purge reads the ids first, so that it locks rows by key. No row was last used before it was created, so the index by
// creation finds the old rows.
func purge[R any](ctx context.Context, q db.Querier, t table.Table[R], used string, before time.Time) (int, error) {
	ids, err := t.IDs(ctx, q, "add_time <= ? AND "+used+" <= ? ORDER BY add_time, id LIMIT ?", before, before, purged)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	n, err := t.Delete(ctx, q, "id IN ? AND "+used+" <= ?", ids, before)
	return int(n), err
}
