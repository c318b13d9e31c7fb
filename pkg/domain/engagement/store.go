package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

func hasCollected(ctx context.Context, q db.Querier, shopper int64, kind Kind, id int64) (bool, error) {
	var n int64
	err := q.G(ctx).Raw("SELECT COUNT(*) FROM collect WHERE user_id = ? AND type = ? AND value_id = ? AND deleted = 0",
		shopper, int(kind), id).Scan(&n).Error
	if err != nil {
		return false, fmt.Errorf("read a favourite of shopper %d: %w", shopper, err)
	}
	return n > 0, nil
}

func seeGoods(ctx context.Context, q db.Querier, shopper, goods int64, at time.Time) error {
	err := q.G(ctx).Exec("INSERT INTO footprint (user_id, goods_id, view_time, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE view_time = GREATEST(view_time, ?), view_count = view_count + 1, "+
		"update_time = ?, deleted = 0",
		shopper, goods, at, at, at, at, at).Error
	if err != nil {
		return fmt.Errorf("record the footprint of shopper %d on goods %d: %w", shopper, goods, err)
	}
	return nil
}

func remember(ctx context.Context, q db.Querier, shopper int64, keyword string, at time.Time) error {
	err := q.G(ctx).Exec("INSERT INTO search_history (user_id, keyword, source, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE times = times + 1, update_time = ?, deleted = 0",
		shopper, keyword, source, at, at, at).Error
	if err != nil {
		return fmt.Errorf("record a search of shopper %d: %w", shopper, err)
	}
	return nil
}
