package catalog

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/store/table"
)

// Changed are goods on sale with the time of their last change.
type Changed struct {
	ID         int64
	UpdateTime time.Time
}

var changed = table.Part[Changed](goodsRows)

// OnSaleBetween returns the goods on sale with ids of a range, both included, in ascending order.
func (s *Service) OnSaleBetween(ctx context.Context, first, last int64) ([]Changed, error) {
	list, err := changed.Find(ctx, s.db, "r.id BETWEEN ? AND ? AND r.deleted = 0 AND r.is_on_sale = 1 ORDER BY r.id",
		first, last)
	if err != nil {
		return nil, fmt.Errorf("read the goods from %d to %d: %w", first, last, err)
	}
	return list, nil
}

// Ranges returns the numbers of the ranges of ids that may have goods, in ascending order: range n has size ids and
// ends with n * size. Without an index in memory these are all up to the greatest id.
func (s *Service) Ranges(ctx context.Context, size int64) ([]int64, error) {
	if x := s.index.Current(); x != nil {
		return x.Ranges(size), nil
	}
	last, err := largestID(ctx, s.db)
	if err != nil {
		return nil, err
	}
	all := []int64{}
	for n := int64(1); (n-1)*size < last; n++ {
		all = append(all, n)
	}
	return all, nil
}

// Existed reports whether there are or were goods with an id.
func (s *Service) Existed(ctx context.Context, id int64) (bool, error) {
	return goodsRows.Exists(ctx, s.db, "id = ?", id)
}
