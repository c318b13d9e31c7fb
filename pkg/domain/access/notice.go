package access

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
)

// Notify puts a notice of the system into the box of every live operator.
func (s *Service) Notify(ctx context.Context, title, content string) error {
	now := s.now()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err := db.Insert(ctx, tx, "INSERT INTO notice (title, content, admin_id, add_time, update_time) VALUES (?, "+
			"?, 0, ?, ?)",
			title, content, now, now)
		if err != nil {
			return err
		}
		return tx.G(ctx).Exec("INSERT INTO notice_admin (notice_id, notice_title, admin_id, add_time, update_time) "+
			"SELECT ?, ?, id, ?, ? FROM admin WHERE deleted = 0", id, title, now, now).Error
	})
	if err != nil {
		return fmt.Errorf("notify the operators: %w", err)
	}
	return nil
}
