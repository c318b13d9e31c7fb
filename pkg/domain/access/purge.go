package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// purgedNotices is the most notices that one batch removes, with their receipts.
const purgedNotices = 500

// PurgeNotices removes notices to operators that were written before a moment, with their receipts, at most one batch,
// and reports how many notices.
func (s *Service) PurgeNotices(ctx context.Context, before time.Time) (n int, err error) {
	var ids []int64
	err = s.db.G(ctx).Raw("SELECT id FROM notice WHERE add_time <= ? ORDER BY add_time, id LIMIT ?",
		before, purgedNotices).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.G(ctx).Exec("DELETE FROM notice_admin WHERE notice_id IN ?", ids).Error; err != nil {
			return err
		}
		res := tx.G(ctx).Exec("DELETE FROM notice WHERE id IN ?", ids)
		n = int(res.RowsAffected)
		return res.Error
	})
	if err != nil {
		return 0, fmt.Errorf("purge notices: %w", err)
	}
	return n, nil
}
