package access

import (
	"context"

	"shop.internal/pkg/domain/internal/store/table"
)

type nameRow struct {
	ID       int64
	Username string
}

var names = table.Part[nameRow](admins)

// Usernames returns the login names of operators, deleted ones included, in one statement; unknown ids are left out.
func (s *Service) Usernames(ctx context.Context, ids []int64) (map[int64]string, error) {
	byID := map[int64]string{}
	if len(ids) == 0 {
		return byID, nil
	}
	found, err := names.Find(ctx, s.db, "r.id IN ?", ids)
	for _, o := range found {
		byID[o.ID] = o.Username
	}
	return byID, err
}
