package promotion

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

// lockOffer locks the one running offer on goods, by the unique key that makes it the only one.
func lockOffer(ctx context.Context, tx *db.Tx, goods int64) (int64, error) {
	var ids []int64
	err := tx.G(ctx).Raw("SELECT id FROM groupon_rules WHERE goods_id = ? AND active_mark = 0 FOR UPDATE", goods).
		Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// reductionOn reads by the same key, without a lock.
func reductionOn(ctx context.Context, q db.Querier, goods int64) (off money.Amount, err error) {
	err = q.G(ctx).Raw("SELECT COALESCE(MAX(discount), 0) FROM groupon_rules WHERE goods_id = ? AND active_mark = 0 "+
		"AND status = 0 AND deleted = 0", goods).Scan(&off).Error
	return off, err
}

func relabel(ctx context.Context, tx *db.Tx, offer int64, name, picURL string, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE groupon_rules SET goods_name = ?, pic_url = ?, version = version + 1, update_time = ? "+
		"WHERE id = ?", name, picURL, now, offer).Error
}
