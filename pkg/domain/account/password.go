package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// passwords hashes and compares passwords. Both are slow by design, so only as many run at once as there are
// processors; a burst of logins waits here, and leaves the other requests their share. A client that disconnects stops
// waiting.
type passwords struct {
	cost  int
	slots chan struct{}
	// dummyHash is a hash that no password has. Comparing with it takes as long as with a real one, so the time of an
	// answer does not reveal whether an account exists.
	dummyHash []byte
}

func newPasswords(cost, slots int) passwords {
	nobody := fmt.Sprintf("$2a$%02d$%s", cost, strings.Repeat(".", 22)+strings.Repeat("u", 31))
	return passwords{cost: cost, slots: make(chan struct{}, slots), dummyHash: []byte(nobody)}
}

// acquire waits for a slot and returns the function that releases it.
func (p passwords) acquire(ctx context.Context) (leave func(), err error) {
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to check a password: %w", ctx.Err())
	}
}

// match reports whether password matches hash; hash is empty for an account that has no password or does not exist. The
// caller holds a slot.
func (p passwords) match(hash, password string) (bool, error) {
	against := []byte(hash)
	if hash == "" {
		against = p.dummyHash
	}
	err := bcrypt.CompareHashAndPassword(against, []byte(password))
	switch {
	case errors.Is(err, bcrypt.ErrMismatchedHashAndPassword):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("compare a password: %w", err)
	}
	// bcrypt ignores further bytes, so longer passwords must not match: two with the same beginning would open one
	// account.
	return hash != "" && len(password) <= passwordSize, nil
}

// hash returns a new hash of password. The caller holds a slot.
func (p passwords) hash(password string) (string, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(password), p.cost)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return string(hash), nil
}

// weak reports whether a hash has a lower cost than a new one.
func (p passwords) weak(hash string) bool {
	cost, err := bcrypt.Cost([]byte(hash))
	return err == nil && cost < p.cost
}

// newHash waits for a slot and hashes a password.
func (s *Service) newHash(ctx context.Context, password string) (string, error) {
	leave, err := s.passwords.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.passwords.hash(password)
}

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
