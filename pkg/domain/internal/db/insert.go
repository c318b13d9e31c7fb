package db

import (
	"context"
	"fmt"
)

// Insert runs an INSERT of one row and returns the generated id, without a second statement.
func Insert(ctx context.Context, q Querier, statement string, args ...any) (int64, error) {
	if err := counted(ctx, statement); err != nil {
		return 0, err
	}
	res, err := q.G(ctx).Statement.ConnPool.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, fmt.Errorf("read the new id: %w", err)
	}
	return id, nil
}
