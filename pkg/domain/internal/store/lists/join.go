package lists

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Join is a list whose order no index has, often because its conditions stand on several tables: the database finds all
// of its rows before it sorts them. It is meant for lists that an owner, or what is on offer, keeps short.
type Join struct {
	// Columns is the select list, From follows FROM: the tables and the condition, with its arguments.
	Columns, From string
	Args          []any
	// Order follows ORDER BY.
	Order func(page.Query) string
}

// FetchJoin reads a page of a join: one statement counts, one reads the rows.
func FetchJoin[R any](ctx context.Context, q db.Querier, j Join, w page.Query) (page.List[R], error) {
	count := func() (n int64, err error) {
		if err = table.Scan(ctx, q, &n, "SELECT COUNT(*) FROM "+j.From, j.Args...); err != nil {
			err = fmt.Errorf("count the rows of a list: %w", err)
		}
		return n, err
	}
	return page.Fetch(w, count, func(w page.Query) ([]R, error) {
		args := append(j.Args[:len(j.Args):len(j.Args)], w.Limit, w.Offset())
		rows, err := table.Select[R](ctx, q, `SELECT `+j.Columns+`
			FROM `+j.From+`
			ORDER BY `+j.Order(w)+`
			LIMIT ? OFFSET ?`, args...)
		if err != nil {
			err = fmt.Errorf("read the rows of a list: %w", err)
		}
		return rows, err
	})
}
