package account

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// KnownAccount identifies an account by what it was created with; the login name is in lower case.
type KnownAccount struct{ Username, Mobile string }

// OpenTo returns the ids of usable accounts of a list that still have a published password. An account counts as one of
// the list if it has the mobile of the list, or shares its stored hash with another one of the list, so that a shopper
// who registers under such a name and password does not count.
func (s *Service) OpenTo(ctx context.Context, list []KnownAccount, password string) ([]int64, error) {
	mobiles := make(map[string]string, len(list))
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = m.Username
		mobiles[names[i]] = m.Mobile
	}
	rows, err := accounts.Find(ctx, s.db, `
		r.username_key IN ? AND r.del_mark = 0 AND r.status = ? AND r.password_hash <> ''
		ORDER BY r.id`, names, Usable)
	if err != nil {
		return nil, fmt.Errorf("find accounts with a published password: %w", err)
	}
	byHash := map[string][]account{}
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
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := accounts.Update(ctx, tx, table.Set{
			"status": Disabled, "token_version": nextVersion, "update_time": s.now(),
		}, "id IN ? AND status = ?", ids, Usable)
		return err
	})
	if err != nil {
		return fmt.Errorf("disable %d accounts: %w", len(ids), err)
	}
	var left []error // their version invalidates them anyway
	for _, id := range ids {
		left = append(left, s.tokens.RevokeAll(ctx, id, ""))
	}
	return errors.Join(left...)
}
