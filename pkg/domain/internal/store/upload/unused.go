package upload

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Unused is an upload that is not used.
type Unused struct {
	ID      int64
	Key     string `gorm:"column:storage_key"`
	OwnerID int64
	AddTime time.Time
}

var unused = table.Part[Unused](rows)

// LongUnused returns the keys of uploads that have been unused since before a time, oldest first.
func LongUnused(ctx context.Context, q db.Querier, before time.Time, limit int) ([]string, error) {
	list, err := unused.Find(ctx, q, "r.deleted = 0 AND r.unused_since < ? ORDER BY r.unused_since, r.id LIMIT ?",
		before, limit)
	keys := make([]string, len(list))
	for i, u := range list {
		keys[i] = u.Key
	}
	return keys, err
}

// LockUnused locks those of the uploads that are still unused; a concurrent use waits.
func LockUnused(ctx context.Context, tx *db.Tx, before time.Time, keys []string) ([]Unused, error) {
	return unused.Find(ctx, tx, `r.storage_key IN ? AND r.del_mark = 0 AND r.unused_since < ?
		ORDER BY r.storage_key
		FOR UPDATE`, keys, before)
}

// RemoveUnused soft-deletes locked uploads.
func RemoveUnused(ctx context.Context, tx *db.Tx, ids []int64, at time.Time) error {
	_, err := rows.Remove(ctx, tx, table.Set{"update_time": at}, "id IN ? AND unused_since IS NOT NULL", ids)
	return err
}

// Forget deletes the rows of uploads that were removed unused, by the time since when they were unused, and returns how
// many.
func Forget(ctx context.Context, q db.Querier, before time.Time, limit int) (int, error) {
	ids, err := rows.IDs(ctx, q, "r.deleted = 1 AND r.unused_since < ? ORDER BY r.unused_since, r.id LIMIT ?",
		before, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	_, err = rows.Delete(ctx, q, "id IN ? AND deleted = 1", ids)
	return len(ids), err
}
