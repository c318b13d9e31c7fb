package audit

import (
	"context"
	"fmt"
	"time"
)

// purgedLog is the most entries of the business log that one batch removes.
const purgedLog = 5000

// PurgeLog removes entries of the business log that were written before a moment, at most one batch, and reports how
// many. The audit records, which are chained, are not touched.
func (s *Service) PurgeLog(ctx context.Context, before time.Time) (int, error) {
	var ids []int64
	err := s.db.G(ctx).Raw("SELECT id FROM log WHERE add_time <= ? ORDER BY add_time, id LIMIT ?", before, purgedLog).
		Scan(&ids).Error
	if err != nil {
		return 0, fmt.Errorf("look for old log entries: %w", err)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	res := s.db.G(ctx).Exec("DELETE FROM log WHERE id IN ?", ids)
	if res.Error != nil {
		return 0, fmt.Errorf("purge log entries: %w", res.Error)
	}
	return int(res.RowsAffected), nil
}
