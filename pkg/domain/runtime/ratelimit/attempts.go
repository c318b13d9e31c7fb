package ratelimit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

const attemptWindow = 15 * time.Minute

// Attempts limits failed attempts of one kind, such as the logins of an audience, by account and by client address. A
// window begins with its first failure and ends a quarter of an hour later. If Redis does not answer, an attempt is
// refused with a plain error.
type Attempts struct {
	limiter                *Limiter
	kind                   string
	perAccount, perAddress int
}

// NewAttempts returns the limits of one kind of attempt: the failures that a window allows for one account and for one
// client address; 0 switches a limit off.
func NewAttempts(l *Limiter, kind string, perAccount, perAddress int) *Attempts {
	return &Attempts{limiter: l, kind: kind, perAccount: perAccount, perAddress: perAddress}
}

// Blocked reports whether account, the normalized login name, or address has used up its failures. To be exact under
// concurrent attempts it is called twice: before a password is compared, and before a match is accepted.
func (a *Attempts) Blocked(ctx context.Context, account, address string) (bool, error) {
	used, err := a.limiter.usedUp(ctx, a.limits(account, address))
	if err != nil {
		return false, fmt.Errorf("read the failed attempts: %w", err)
	}
	return len(used) > 0, nil
}

// FirstRefusal reports whether the refusals of a window have not been announced yet, and marks them as announced, so
// that what is logged about them does not grow with every attempt.
func (a *Attempts) FirstRefusal(ctx context.Context, account, address string) (bool, error) {
	used, err := a.limiter.usedUp(ctx, a.limits(account, address))
	if err != nil {
		return false, fmt.Errorf("read the failed attempts: %w", err)
	}
	for i := range used {
		used[i].Key, used[i].Max = "announced:"+used[i].Key, 1
	}
	first, err := a.limiter.take(ctx, used)
	if err != nil {
		return false, fmt.Errorf("announce refused attempts: %w", err)
	}
	for _, f := range first {
		if f.allowed() {
			return true, nil
		}
	}
	return false, nil
}

// Failed counts one failed attempt.
func (a *Attempts) Failed(ctx context.Context, account, address string) error {
	if err := a.limiter.count(ctx, a.limits(account, address)); err != nil {
		return fmt.Errorf("count a failed attempt: %w", err)
	}
	return nil
}

func (a *Attempts) limits(account, address string) []Limit {
	return []Limit{
		{Key: "attempt:" + a.kind + ":" + short(account), Max: a.perAccount, Window: attemptWindow},
		{Key: "attempt:" + a.kind + ":ip:" + AddressKey(address), Max: a.perAddress, Window: attemptWindow},
	}
}

// short replaces a name by its hash if it is longer than any stored name, or could be confused with the counter of an
// address: a login as "ip:..." would otherwise count against everybody behind that address.
func short(account string) string {
	if len(account) <= 191 && !strings.HasPrefix(account, "ip:") {
		return account
	}
	sum := sha256.Sum256([]byte(account))
	return hex.EncodeToString(sum[:])
}
