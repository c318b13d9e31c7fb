package engagement

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// purged is the most traces that one batch removes.
const purged = 5000

// PurgeFootprints removes footprints of goods that were last looked at before a moment, at most one batch, and reports
// how many.
func (s *Service) PurgeFootprints(ctx context.Context, before time.Time) (int, error) {
	return purge(ctx, s.db, footprints, "view_time", before)
}

// PurgeSearches removes searches that were last made before a moment, as PurgeFootprints does.
func (s *Service) PurgeSearches(ctx context.Context, before time.Time) (int, error) {
	return purge(ctx, s.db, searches, "update_time", before)
}

// PurgeFeedback removes what shoppers wrote to the shop before a moment, as PurgeFootprints does.
func (s *Service) PurgeFeedback(ctx context.Context, before time.Time) (int, error) {
	return purge(ctx, s.db, feedback, "update_time", before)
}

// purge reads the rows first, so that what it locks is named by key. Nothing is last used before it was made, so the
// index by that time leads to the old rows.
func purge[R any](ctx context.Context, q db.Querier, t table.Table[R], used string, before time.Time) (int, error) {
	ids, err := t.IDs(ctx, q, "add_time <= ? AND "+used+" <= ? ORDER BY add_time, id LIMIT ?", before, before, purged)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	n, err := t.Delete(ctx, q, "id IN ? AND "+used+" <= ?", ids, before)
	return int(n), err
}
