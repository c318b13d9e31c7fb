// Package named writes names beside the ids of rows, so that staff read whom and what a row is about.
package named

import (
	"context"
	"slices"
)

// Beside fills the names of the rows of a page with one statement. at returns the id of a row and where its name
// belongs, nil for a row that has none; find returns the names of ids, and leaves unknown ones out.
func Beside[V any](
	ctx context.Context, rows []V, at func(*V) (id int64, name *string),
	find func(ctx context.Context, ids []int64) (map[int64]string, error),
) error {
	var ids []int64
	for i := range rows {
		if id, name := at(&rows[i]); name != nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	names, err := find(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for i := range rows {
		if id, name := at(&rows[i]); name != nil {
			*name = names[id]
		}
	}
	return nil
}
