package lists

import (
	"context"
	"fmt"
	"math"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// rangeSize is the number of ids that one statement examines: it bounds the rows in memory and the time of the
// statement.
const rangeSize = 2000

// Each reads all rows of a list, newest first, and passes them to yield in batches. Rows that are added meanwhile are
// not included.
func Each[R any](ctx context.Context, q db.Querier, l *Query, yield func([]R) error) error {
	where, args := l.Condition()
	return IDRanges(ctx, q, l.table, func(low, high int64) error {
		all := append([]any{low, high}, args...)
		rows, err := table.Select[R](ctx, q, "SELECT "+l.columns+`
			FROM `+l.table+` i
			JOIN `+l.table+` r ON r.id = i.id
			WHERE i.id > ? AND i.id <= ? AND `+where+`
			ORDER BY r.id DESC`, all...)
		if err != nil {
			return fmt.Errorf("read the rows of %s: %w", l.table, err)
		}
		if len(rows) == 0 {
			return nil
		}
		return yield(rows)
	})
}

// IDRanges calls do for ranges of the ids of a table from the highest down: ids above low up to high. It skips gaps.
func IDRanges(ctx context.Context, q db.Querier, of string, do func(low, high int64) error) error {
	for below := int64(math.MaxInt64); ; {
		var high int64
		err := table.Scan(ctx, q, &high, "SELECT COALESCE(MAX(id), 0) FROM "+of+" WHERE id < ?", below)
		if err != nil {
			return fmt.Errorf("find the next row of %s: %w", of, err)
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
