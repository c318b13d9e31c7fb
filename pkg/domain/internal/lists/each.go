package lists

import (
	"context"
	"fmt"
	"math"

	"shop.internal/pkg/domain/internal/db"
)

// rangeSize is how many ids one statement looks at: it bounds the rows in memory and the time of the statement,
// whatever the conditions let through.
const rangeSize = 2000

// Each reads all rows of a list, newest first, and hands them over a batch at a time. Rows that are added while it runs
// are not among them.
func Each[R any](ctx context.Context, q db.Querier, l *Query, yield func([]R) error) error {
	where, args := l.Condition()
	return IDRanges(ctx, q, l.table, func(low, high int64) error {
		var rows []R
		all := append([]any{low, high}, args...)
		err := q.G(ctx).Raw("SELECT "+l.columns+" FROM "+l.table+" i JOIN "+l.table+" r ON r.id = i.id "+
			"WHERE i.id > ? AND i.id <= ? AND "+where+" ORDER BY r.id DESC", all...).Scan(&rows).Error
		if err != nil {
			return fmt.Errorf("read the rows of %s: %w", l.table, err)
		}
		if len(rows) == 0 {
			return nil
		}
		return yield(rows)
	})
}

// IDRanges calls do for the ids of a table from the highest down, each time for those above low up to high. It skips
// gaps of missing ids.
func IDRanges(ctx context.Context, q db.Querier, table string, do func(low, high int64) error) error {
	for below := int64(math.MaxInt64); ; {
		var high int64
		err := q.G(ctx).Raw("SELECT COALESCE(MAX(id), 0) FROM "+table+" WHERE id < ?", below).Scan(&high).Error
		if err != nil {
			return fmt.Errorf("look for the next row of %s: %w", table, err)
		}
		if high == 0 {
			return nil
		}
		low := max(high-rangeSize, 0)
		if err := do(low, high); err != nil {
			return err
		}
		below = low + 1
	}
}
