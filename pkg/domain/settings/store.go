package settings

import (
	"context"
	"maps"
	"slices"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

type row struct {
	KeyName, KeyValue string
}

func read(ctx context.Context, q db.Querier) (map[string]string, error) {
	var rows []row
	err := q.G(ctx).Raw("SELECT key_name, key_value FROM system_config WHERE deleted = 0").Scan(&rows).Error
	return texts(rows), err
}

func fill(ctx context.Context, q db.Querier, name, value string, now time.Time) (bool, error) {
	made := q.G(ctx).Exec("INSERT IGNORE INTO system_config (key_name, key_value, add_time, update_time) "+
		"VALUES (?, ?, ?, ?)", name, value, now, now)
	return made.RowsAffected > 0, made.Error
}

// lock reads the settings of some keys and keeps them for the transaction. The keys are locked in the order of their
// index, so that two changes wait for each other and never both ways.
func lock(ctx context.Context, tx *db.Tx, of map[string]key) (map[string]string, error) {
	names := slices.Sorted(maps.Keys(of))
	var rows []row
	err := tx.G(ctx).Raw("SELECT key_name, key_value FROM system_config WHERE key_name IN ? AND del_mark = 0 "+
		"ORDER BY key_name FOR UPDATE", names).Scan(&rows).Error
	return texts(rows), err
}

// save writes a setting; one that was never filled in is added.
func save(ctx context.Context, tx *db.Tx, name, value string, now time.Time) error {
	return tx.G(ctx).Exec("INSERT INTO system_config (key_name, key_value, add_time, update_time) VALUES (?, ?, ?, ?) "+
		"ON DUPLICATE KEY UPDATE key_value = ?, update_time = ?, version = version + 1", name, value, now, now, value, now).
		Error
}

func texts(rows []row) map[string]string {
	stored := make(map[string]string, len(rows))
	for _, r := range rows {
		stored[r.KeyName] = r.KeyValue
	}
	return stored
}
