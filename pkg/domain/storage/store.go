package storage

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

type objectRow struct {
	ID                  int64
	StorageKey, Name    string
	Type                string
	Size                int64
	URL, Hash           string
	OwnerType           int
	OwnerID             int64
	AddTime, UpdateTime time.Time
}

// objectColumns are those of objectRow, with the alias r.
const objectColumns = "r.id, r.storage_key, r.name, r.type, r.size, COALESCE(r.url, '') AS url, " +
	"COALESCE(r.sha256, '') AS hash, r.owner_type, r.owner_id, r.add_time, r.update_time"

func (r objectRow) object() Object {
	return Object{
		ID: r.ID, Key: r.StorageKey, Name: r.Name, Type: r.Type, Size: r.Size, URL: r.URL, SHA256: r.Hash,
		Owner: Owner{Kind: OwnerKind(r.OwnerType), ID: r.OwnerID}, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
}

func findObject(ctx context.Context, q db.Querier, key string) (Object, error) {
	return findOne(ctx, q, "r.storage_key = ? AND r.del_mark = 0", key)
}

// findOne reads the one object that a condition names. It fails with ErrUnknown.
func findOne(ctx context.Context, q db.Querier, condition string, arg any) (Object, error) {
	var rows []objectRow
	err := q.G(ctx).Raw("SELECT "+objectColumns+" FROM storage r WHERE "+condition, arg).Scan(&rows).Error
	if err == nil && len(rows) == 0 {
		err = ErrUnknown
	}
	if err != nil {
		return Object{}, fmt.Errorf("read object %v: %w", arg, err)
	}
	return rows[0].object(), nil
}

func insertObject(ctx context.Context, tx *db.Tx, o Object) (int64, error) {
	var unused *time.Time
	if o.Owner.Kind == Shopper && o.Owner.ID > 0 {
		unused = &o.AddTime
	}
	id, err := db.Insert(ctx, tx, "INSERT INTO storage (storage_key, name, type, size, url, sha256, owner_type, "+
		"owner_id, unused_since, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", o.Key, o.Name, o.Type,
		o.Size, o.URL,
		o.SHA256, int(o.Owner.Kind), o.Owner.ID, unused, o.AddTime, o.UpdateTime)
	if err != nil {
		return 0, fmt.Errorf("record object %s: %w", o.Key, err)
	}
	return id, nil
}

func removeObject(ctx context.Context, tx *db.Tx, key string, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE storage SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE storage_key = ? AND del_mark = 0", now, key).Error
}
