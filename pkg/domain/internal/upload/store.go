package upload

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// markUsed ends the time that uploads have been unused for and returns how many it ended. It waits for whoever is
// removing one of them.
func markUsed(ctx context.Context, tx *db.Tx, keys []string) (int, error) {
	res := tx.G(ctx).Exec("UPDATE storage SET unused_since = NULL WHERE storage_key IN ? AND del_mark = 0 "+
		"AND unused_since IS NOT NULL", keys)
	if res.Error != nil {
		return 0, fmt.Errorf("mark uploads as used: %w", res.Error)
	}
	return int(res.RowsAffected), nil
}

// removed reports whether one of the uploads was removed unused.
func removed(ctx context.Context, tx *db.Tx, keys []string) (gone bool, err error) {
	err = tx.G(ctx).Raw("SELECT EXISTS (SELECT 1 FROM storage WHERE storage_key IN ? AND deleted = 1 "+
		"AND unused_since IS NOT NULL)", keys).Scan(&gone).Error
	if err != nil {
		return false, fmt.Errorf("look for removed uploads: %w", err)
	}
	return gone, nil
}

// Unused is an upload that nothing is known to use.
type Unused struct {
	ID         int64
	StorageKey string
	OwnerID    int64
	AddTime    time.Time
}

// LongUnused returns uploads that nothing has used since before a moment, the oldest first.
func LongUnused(ctx context.Context, q db.Querier, before time.Time, limit int) (keys []string, err error) {
	err = q.G(ctx).Raw("SELECT storage_key FROM storage WHERE deleted = 0 AND unused_since < ? "+
		"ORDER BY unused_since, id LIMIT ?", before, limit).Scan(&keys).Error
	if err != nil {
		return nil, fmt.Errorf("look for unused uploads: %w", err)
	}
	return keys, nil
}

// LockUnused keeps those of the uploads that are still unused; whoever wants to use one waits.
func LockUnused(ctx context.Context, tx *db.Tx, before time.Time, keys []string) (list []Unused, err error) {
	err = tx.G(ctx).Raw("SELECT id, storage_key, owner_id, add_time FROM storage WHERE storage_key IN ? "+
		"AND del_mark = 0 AND unused_since < ? ORDER BY storage_key FOR UPDATE", keys, before).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("lock unused uploads: %w", err)
	}
	return list, nil
}

// MarkUsed is markUsed for uploads that are found to be used though nobody has said so.
func MarkUsed(ctx context.Context, tx *db.Tx, keys []string) error {
	_, err := markUsed(ctx, tx, keys)
	return err
}

// Remove marks locked uploads as removed.
func Remove(ctx context.Context, tx *db.Tx, ids []int64, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE storage SET deleted = 1, del_mark = id, update_time = ? WHERE id IN ? "+
		"AND unused_since IS NOT NULL", at, ids).Error
	if err != nil {
		return fmt.Errorf("remove unused uploads: %w", err)
	}
	return nil
}

// Forget deletes the rows of uploads that were removed unused, by the time since when they had been so, and returns how
// many.
func Forget(ctx context.Context, q db.Querier, before time.Time, limit int) (int, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT id FROM storage WHERE deleted = 1 AND unused_since < ? ORDER BY unused_since, id LIMIT ?",
		before, limit).Scan(&ids).Error
	if err == nil && len(ids) > 0 {
		err = q.G(ctx).Exec("DELETE FROM storage WHERE id IN ? AND deleted = 1", ids).Error
	}
	if err != nil {
		return 0, fmt.Errorf("forget removed uploads: %w", err)
	}
	return len(ids), nil
}
