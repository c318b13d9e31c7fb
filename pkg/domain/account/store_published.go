package account

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

type namedRow struct {
	ID                                int64
	UsernameKey, Mobile, PasswordHash string
}

// usableNamed reads the usable accounts of some names that have a password.
func usableNamed(ctx context.Context, q db.Querier, names []string) ([]namedRow, error) {
	var rows []namedRow
	err := q.G(ctx).Raw("SELECT id, username_key, COALESCE(mobile, '') AS mobile, password_hash FROM user "+
		"WHERE username_key IN ? AND del_mark = 0 AND status = 0 AND password_hash <> '' ORDER BY id",
		names).Scan(&rows).Error
	return rows, err
}

func disableAll(ctx context.Context, tx *db.Tx, ids []int64, at time.Time) error {
	return tx.G(ctx).Exec("UPDATE user SET status = ?, token_version = token_version + 1, update_time = ?, "+
		"version = version + 1 WHERE id IN ? AND status = 0", int(Disabled), at, ids).Error
}
