package job

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// lease is the holder of a job and the end of its lease. Fence counts the holders.
type lease struct {
	Name               string `gorm:"primaryKey"`
	Holder             string
	Fence              int64
	LeaseUntil         time.Time
	LastStart, LastEnd time.Time `table:"null"`
	LastNote           string
}

var leases = table.Of[lease]("job_lease")

// answerWithin is the timeout for taking a lease and for giving it up.
const answerWithin = 5 * time.Second

// acquire takes or extends the lease, by the clock of the database. Assignments are evaluated in order: those that read
// the old holder come first. The end of ctx does not interrupt it: the database may execute a statement that nobody
// waits for after the one that gives the lease up.
func acquire(ctx context.Context, q db.Querier, name, holder string, lasts time.Duration) (bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
	defer cancel()
	us := lasts.Microseconds()
	res := q.G(ctx).Exec(`
		UPDATE job_lease
		SET fence = fence + IF(holder = @holder, 0, 1),
			last_start = IF(holder = @holder AND lease_until > UTC_TIMESTAMP(3), last_start, UTC_TIMESTAMP(3)),
			lease_until = UTC_TIMESTAMP(3) + INTERVAL @us MICROSECOND,
			holder = @holder
		WHERE name = @name AND (holder = @holder OR lease_until <= UTC_TIMESTAMP(3))`,
		sql.Named("name", name), sql.Named("holder", holder), sql.Named("us", us))
	if res.Error != nil {
		return false, fmt.Errorf("take the lease of %s: %w", name, res.Error)
	}
	if res.RowsAffected == 1 {
		return true, nil
	}
	return first(ctx, q, name, holder, us)
}

// first inserts the row of a job that has never run. If it exists, another process holds the lease, or the same lease
// was taken in this millisecond.
func first(ctx context.Context, q db.Querier, name, holder string, us int64) (bool, error) {
	res := q.G(ctx).Exec(`
		INSERT IGNORE INTO job_lease (name, holder, fence, lease_until, last_start)
		VALUES (?, ?, 1, UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, UTC_TIMESTAMP(3))`, name, holder, us)
	if res.Error != nil {
		return false, fmt.Errorf("make the lease of %s: %w", name, res.Error)
	}
	if res.RowsAffected == 1 {
		return true, nil
	}
	mine, err := leases.Count(ctx, q, "r.name = ? AND r.holder = ? AND r.lease_until > UTC_TIMESTAMP(3)", name, holder)
	if err != nil {
		return false, fmt.Errorf("look at the lease of %s: %w", name, err)
	}
	return mine == 1, nil
}

// release gives up the lease, also after the end of ctx; otherwise the next replica would wait until the lease ends.
func release(ctx context.Context, q db.Querier, name, holder, note string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
	defer cancel()
	now := gorm.Expr("UTC_TIMESTAMP(3)")
	_, err := leases.Update(ctx, q, table.Set{"lease_until": now, "last_end": now, "last_note": note},
		"name = ? AND holder = ?", name, holder)
	if err != nil {
		return fmt.Errorf("give up the lease of %s: %w", name, err)
	}
	return nil
}
