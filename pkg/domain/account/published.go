package account

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/internal/db"
)

// Made names an account by what it was made with; the login name is in lower case.
type Made struct{ Username, Mobile string }

// OpenTo returns the ids of usable accounts of a list that a published password still opens. An account counts as the
// one that was made where it has the mobile of the list, or shares its stored hash with another one of the list, which
// two people never do: so nobody can pretend to be one of them by registering under its name and password.
func (s *Service) OpenTo(ctx context.Context, list []Made, password string) ([]int64, error) {
	mobiles := make(map[string]string, len(list))
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = m.Username
		mobiles[names[i]] = m.Mobile
	}
	rows, err := usableNamed(ctx, s.db, names)
	if err != nil {
		return nil, fmt.Errorf("look for accounts with a published password: %w", err)
	}
	byHash := map[string][]namedRow{}
	for _, r := range rows {
		byHash[r.PasswordHash] = append(byHash[r.PasswordHash], r)
	}
	var open []int64
	for hash, same := range byHash {
		if len(same) == 1 && same[0].Mobile != mobiles[same[0].UsernameKey] {
			continue
		}
		if bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) != nil {
			continue
		}
		for _, r := range same {
			open = append(open, r.ID)
		}
	}
	return open, nil
}

// DisableAll disables accounts, which ends all their logins. What they have bought stays.
func (s *Service) DisableAll(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	if err := s.db.InTx(ctx, func(tx *db.Tx) error { return disableAll(ctx, tx, ids, s.now()) }); err != nil {
		return fmt.Errorf("disable %d accounts: %w", len(ids), err)
	}
	var left []error // their version refuses them all the same
	for _, id := range ids {
		left = append(left, s.tokens.RevokeAll(ctx, id, ""))
	}
	return errors.Join(left...)
}
