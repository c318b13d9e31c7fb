package token

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/domain/platform/ratelimit"
)

const attemptWindow = 15 * time.Minute

// AttemptLimiter counts failed logins of one audience and says when there have been too many: for one account, or from
// one client address. A window begins with its first failure and ends a quarter of an hour later, whatever happens in
// it.
type AttemptLimiter struct {
	rdb                    redis.UniversalClient
	audience               string
	perAccount, perAddress int
}

// NewAttemptLimiter returns the guard of an audience with the failures that a window allows for one account and for one
// client address; 0 switches a limit off.
func NewAttemptLimiter(rdb redis.UniversalClient, audience string, perAccount, perAddress int) *AttemptLimiter {
	return &AttemptLimiter{rdb: rdb, audience: audience, perAccount: perAccount, perAddress: perAddress}
}

// Blocked reports whether account, the comparison form of a login name, or address has used its failures up. To be
// exact while many tries run at once it is asked twice: before a password is compared, and before a match is
// believed.
func (g *AttemptLimiter) Blocked(ctx context.Context, account, address string) (bool, error) {
	for _, c := range g.counters(account, address) {
		n, err := g.rdb.Get(ctx, c.key).Int()
		if err != nil && !errors.Is(err, redis.Nil) {
			return false, fmt.Errorf("read the failed logins: %w", err)
		}
		if n >= c.limit {
			return true, nil
		}
	}
	return false, nil
}

// Announce reports whether the refusals of a window have not been announced yet, and marks them as announced: so that
// what is written down of them does not grow with every try.
func (g *AttemptLimiter) Announce(ctx context.Context, account, address string) (bool, error) {
	first := false
	for _, c := range g.counters(account, address) {
		n, err := g.rdb.Get(ctx, c.key).Int()
		if err != nil && !errors.Is(err, redis.Nil) {
			return false, fmt.Errorf("read the failed logins: %w", err)
		}
		if n < c.limit {
			continue
		}
		err = g.rdb.SetArgs(ctx, c.key+":told", 1, redis.SetArgs{Mode: "NX", TTL: attemptWindow}).Err()
		if err != nil && !errors.Is(err, redis.Nil) {
			return false, fmt.Errorf("announce refused logins: %w", err)
		}
		first = first || err == nil
	}
	return first, nil
}

// countScript adds one failure and starts the window with the first. ARGV: the milliseconds of a window.
var countScript = redis.NewScript(`
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return n`)

// Failed counts one failed login.
func (g *AttemptLimiter) Failed(ctx context.Context, account, address string) error {
	for _, c := range g.counters(account, address) {
		if err := countScript.Run(ctx, g.rdb, []string{c.key}, attemptWindow.Milliseconds()).Err(); err != nil {
			return fmt.Errorf("count a failed login: %w", err)
		}
	}
	return nil
}

type counter struct {
	key   string
	limit int
}

// counters returns the counters that are switched on.
func (g *AttemptLimiter) counters(account, address string) []counter {
	var on []counter
	if g.perAccount > 0 {
		on = append(on, counter{"guard:{" + g.audience + ":" + short(account) + "}", g.perAccount})
	}
	if g.perAddress > 0 {
		on = append(on, counter{"guard:{" + g.audience + ":ip:" + ratelimit.AddressKey(address) + "}", g.perAddress})
	}
	return on
}

// short lets a name stand by its hash where it is longer than any stored name, or where it could be mistaken for the
// counter of an address: else a login as "ip:..." would count against everybody behind that address.
func short(account string) string {
	if len(account) <= 191 && !strings.HasPrefix(account, "ip:") {
		return account
	}
	sum := sha256.Sum256([]byte(account))
	return hex.EncodeToString(sum[:])
}
