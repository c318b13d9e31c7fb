package aftersale

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// drop deletes the cases of an order that an operator deletes, in the same transaction.
func (s *Service) drop(ctx context.Context, tx *db.Tx, order int64) error {
	if err := retireAll(ctx, tx, order, s.Now()); err != nil {
		return fmt.Errorf("delete the cases of order %d: %w", order, err)
	}
	return nil
}

func retireAll(ctx context.Context, tx *db.Tx, order int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE aftersale SET deleted = 1, open_mark = id, version = version + 1, update_time = ? "+
		"WHERE order_id = ? AND deleted = 0", now, order).Error
}
