package access

import (
	"context"
	"fmt"

	"golang.org/x/crypto/bcrypt"
)

// OpenTo returns those of some login names whose operators are live, not locked, and let in by a published password.
func (s *Service) OpenTo(ctx context.Context, names []string, password string) ([]string, error) {
	var open []string
	for _, name := range names {
		row, found, err := findOperator(ctx, s.db, "username_key = ?", Key(name))
		if err != nil {
			return nil, fmt.Errorf("look for operators with a published password: %w", err)
		}
		if found && row.Status == 0 && bcrypt.CompareHashAndPassword([]byte(row.PasswordHash), []byte(password)) == nil {
			open = append(open, name)
		}
	}
	return open, nil
}
