package storage

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// rename writes the name of an object that its caller has locked.
func rename(ctx context.Context, tx *db.Tx, o Object) error {
	err := tx.G(ctx).Exec("UPDATE storage SET name = ?, update_time = ? WHERE id = ? AND deleted = 0",
		o.Name, o.UpdateTime, o.ID).Error
	if err != nil {
		return fmt.Errorf("rename object %s: %w", o.Key, err)
	}
	return nil
}

// deleteObject deletes the row of an object that its caller has locked.
func deleteObject(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE storage SET deleted = 1, del_mark = id, update_time = ? WHERE id = ? AND deleted = 0",
		at, id).Error
	if err != nil {
		return fmt.Errorf("delete object %d: %w", id, err)
	}
	return nil
}
