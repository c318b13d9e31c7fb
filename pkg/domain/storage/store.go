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

func findObject(ctx context.Context, q db.Querier, key string) (Object, error) {
	var rows []objectRow
	err := q.G(ctx).Raw("SELECT id, storage_key, name, type, size, COALESCE(url, '') AS url, "+
		"COALESCE(sha256, '') AS hash, owner_type, owner_id, add_time, update_time "+
		"FROM storage WHERE storage_key = ? AND del_mark = 0", key).Scan(&rows).Error
	if err != nil {
		return Object{}, fmt.Errorf("read object %s: %w", key, err)
	}
	if len(rows) == 0 {
		return Object{}, fmt.Errorf("read object %s: %w", key, ErrUnknown)
	}
	r := rows[0]
	return Object{
		ID: r.ID, Key: r.StorageKey, Name: r.Name, Type: r.Type, Size: r.Size, URL: r.URL, SHA256: r.Hash,
		Owner: Owner{Kind: OwnerKind(r.OwnerType), ID: r.OwnerID}, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}, nil
}

func insertObject(ctx context.Context, tx *db.Tx, o Object) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO storage (storage_key, name, type, size, url, sha256, owner_type, "+
		"owner_id, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", o.Key, o.Name, o.Type, o.Size, o.URL,
		o.SHA256, int(o.Owner.Kind), o.Owner.ID, o.AddTime, o.UpdateTime)
	if err != nil {
		return 0, fmt.Errorf("record object %s: %w", o.Key, err)
	}
	return id, nil
}

func removeObject(ctx context.Context, tx *db.Tx, key string, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE storage SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE storage_key = ? AND del_mark = 0", now, key).Error
}
