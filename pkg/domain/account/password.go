package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/bcrypt"
)

// passwords hashes and compares. Both are slow by design, so only as many run at once as there are processors: a rush
// of logins waits here, where a client that goes away ends its wait, and leaves the rest of the service its share.
type passwords struct {
	cost  int
	slots chan struct{}
	// nobody is a hash that no password has. Comparing with it costs what comparing with a real one costs, so the time
	// of an answer does not tell whether there is such an account.
	nobody []byte
}

func newPasswords(cost, slots int) passwords {
	nobody := fmt.Sprintf("$2a$%02d$%s", cost, strings.Repeat(".", 22)+strings.Repeat("u", 31))
	return passwords{cost: cost, slots: make(chan struct{}, slots), nobody: []byte(nobody)}
}

// enter waits for a slot and returns what gives it back.
func (p passwords) enter(ctx context.Context) (leave func(), err error) {
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to check a password: %w", ctx.Err())
	}
}

// match reports whether password belongs to hash; hash is empty for an account that has no password or does not
// exist. The caller holds a slot.
func (p passwords) match(hash, password string) (bool, error) {
	against := []byte(hash)
	if hash == "" {
		against = p.nobody
	}
	err := bcrypt.CompareHashAndPassword(against, []byte(password))
	switch {
	case errors.Is(err, bcrypt.ErrMismatchedHashAndPassword):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("compare a password: %w", err)
	}
	// What bcrypt does not look at must not match: two passwords that begin alike would open one account.
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

// weak reports whether a hash is cheaper to attack than a new one would be.
func (p passwords) weak(hash string) bool {
	cost, err := bcrypt.Cost([]byte(hash))
	return err == nil && cost < p.cost
}
