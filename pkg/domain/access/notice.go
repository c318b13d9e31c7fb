package access

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
)

// Notify puts a notice of the system into the box of every live operator.
func (s *Service) Notify(ctx context.Context, title, content string) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := insertNotice(ctx, tx, Notice{Title: title, Content: content}, s.now())
		return err
	})
	if err != nil {
		return fmt.Errorf("notify the operators: %w", err)
	}
	return nil
}
