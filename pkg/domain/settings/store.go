package settings

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

type row struct {
	KeyName, KeyValue string
}

func read(ctx context.Context, q db.Querier) (map[string]string, error) {
	var rows []row
	err := q.G(ctx).Raw("SELECT key_name, key_value FROM system_config WHERE deleted = 0").Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	stored := make(map[string]string, len(rows))
	for _, r := range rows {
		stored[r.KeyName] = r.KeyValue
	}
	return stored, nil
}

func fill(ctx context.Context, q db.Querier, name, value string, now time.Time) error {
	err := q.G(ctx).Exec("INSERT IGNORE INTO system_config (key_name, key_value, add_time, update_time) VALUES (?, ?, "+
		"?, ?)",
		name, value, now, now).Error
	return err
}
