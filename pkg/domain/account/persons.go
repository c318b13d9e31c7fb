package account

import "context"

// Persons is People for the services, which hold no connection.
func (s *Service) Persons(ctx context.Context, ids []int64) (map[int64]Person, error) {
	return s.People(ctx, s.db, ids)
}
