package listing

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
)

// stretch is how many ids one statement of a walk looks at: it bounds the rows in memory and the time of the statement,
// whatever the conditions let through.
const stretch = 2000

// Each reads all rows of a list, newest first, and hands them over a batch at a time. Rows that are added meanwhile are
// not among them.
func Each[R any](ctx context.Context, q db.Querier, l *Query, yield func([]R) error) error {
	where, args := l.where()
	return Stretches(ctx, q, l.table, func(low, high int64) error {
		var rows []R
		all := append([]any{low, high}, args...)
		err := q.G(ctx).Raw("SELECT "+l.columns+" FROM "+l.table+" i JOIN "+l.table+" r ON r.id = i.id "+
			"WHERE i.id > ? AND i.id <= ? AND "+where+" ORDER BY r.id DESC", all...).Scan(&rows).Error
		if err != nil {
			return fmt.Errorf("walk the rows of %s: %w", l.table, err)
		}
		if len(rows) == 0 {
			return nil
		}
		return yield(rows)
	})
}

// Stretches calls do for the ids of a table from the highest down, each time for those above low up to high.
func Stretches(ctx context.Context, q db.Querier, table string, do func(low, high int64) error) error {
	var top int64
	if err := q.G(ctx).Raw("SELECT COALESCE(MAX(id), 0) FROM " + table).Scan(&top).Error; err != nil {
		return fmt.Errorf("look for the last row of %s: %w", table, err)
	}
	for ; top > 0; top -= stretch {
		if err := do(max(top-stretch, 0), top); err != nil {
			return err
		}
	}
	return nil
}
