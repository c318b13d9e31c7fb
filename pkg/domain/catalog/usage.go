package catalog

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/store/table"
)

// Shown is how much there is that the home page may show. Each number is counted up to mostShown.
type Shown struct{ New, Hot, Brands, Categories int64 }

const mostShown = 1000

// Shown counts what the home page may show, from the indexes that it reads.
func (s *Service) Shown(ctx context.Context) (Shown, error) {
	found, err := table.Select[Shown](ctx, s.db, `SELECT
		(SELECT COUNT(*) FROM (SELECT 1 FROM goods WHERE is_new = 1 AND deleted = 0 AND is_on_sale = 1 LIMIT ?) d) AS new,
		(SELECT COUNT(*) FROM (SELECT 1 FROM goods WHERE is_hot = 1 AND deleted = 0 AND is_on_sale = 1 LIMIT ?) d) AS hot,
		(SELECT COUNT(*) FROM (SELECT 1 FROM brand WHERE deleted = 0 LIMIT ?) d) AS brands,
		(SELECT COUNT(*) FROM (SELECT 1 FROM category WHERE level = ? AND deleted = 0 LIMIT ?) d) AS categories`,
		mostShown, mostShown, mostShown, FirstLevel, mostShown)
	if err != nil {
		return Shown{}, fmt.Errorf("count what the home page may show: %w", err)
	}
	return found[0], nil
}
