package job

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// acquire takes or extends the lease. The clock is the database's, so clocks of replicas need not agree.
func acquire(ctx context.Context, q db.Querier, name, holder string, lease time.Duration) (bool, error) {
	us := lease.Microseconds()
	res := q.G(ctx).Exec("UPDATE job_lease SET fence = fence + IF(holder = ?, 0, 1), "+
		"last_start = IF(holder = ? AND lease_until > UTC_TIMESTAMP(3), last_start, UTC_TIMESTAMP(3)), "+
		"lease_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, holder = ? "+
		"WHERE name = ? AND (holder = ? OR lease_until <= UTC_TIMESTAMP(3))", holder, holder, us, holder, name, holder)
	if res.Error != nil {
		return false, fmt.Errorf("take the lease of %s: %w", name, res.Error)
	}
	if res.RowsAffected == 1 {
		return true, nil
	}
	return first(ctx, q, name, holder, us)
}

// first makes the row of a job that has never run. Where it exists another process holds the lease, or the very same
// lease was taken within this millisecond.
func first(ctx context.Context, q db.Querier, name, holder string, us int64) (bool, error) {
	res := q.G(ctx).Exec("INSERT IGNORE INTO job_lease (name, holder, fence, lease_until, last_start) "+
		"VALUES (?, ?, 1, UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, UTC_TIMESTAMP(3))", name, holder, us)
	if res.Error != nil {
		return false, fmt.Errorf("make the lease of %s: %w", name, res.Error)
	}
	if res.RowsAffected == 1 {
		return true, nil
	}
	var mine int64
	err := q.G(ctx).Raw("SELECT COUNT(*) FROM job_lease WHERE name = ? AND holder = ? AND lease_until > UTC_TIMESTAMP(3)",
		name, holder).Scan(&mine).Error
	if err != nil {
		return false, fmt.Errorf("look at the lease of %s: %w", name, err)
	}
	return mine == 1, nil
}

func release(ctx context.Context, q db.Querier, name, holder, note string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err := q.G(ctx).Exec("UPDATE job_lease SET lease_until = UTC_TIMESTAMP(3), last_end = UTC_TIMESTAMP(3), last_note "+
		"= ? "+
		"WHERE name = ? AND holder = ?", note, name, holder).Error
	if err != nil {
		return fmt.Errorf("give up the lease of %s: %w", name, err)
	}
	return nil
}
