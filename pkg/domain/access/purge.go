package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// purged is the most records that one batch removes.
const purged = 5000

// PurgeAudit removes records of what operators changed before a moment, at most one batch, and reports how many.
func (s *Service) PurgeAudit(ctx context.Context, before time.Time) (int, error) {
	n, err := purgeAudit(ctx, s.db, before)
	if err != nil {
		return n, fmt.Errorf("purge the audit log: %w", err)
	}
	return n, nil
}

func purgeAudit(ctx context.Context, q db.Querier, before time.Time) (int, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT id FROM audit_log WHERE add_time <= ? ORDER BY add_time, id LIMIT ?", before, purged).
		Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	res := q.G(ctx).Exec("DELETE FROM audit_log WHERE id IN ?", ids)
	return int(res.RowsAffected), res.Error
}
