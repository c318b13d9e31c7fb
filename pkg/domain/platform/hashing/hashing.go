// Package hashing hashes and compares passwords. Both take a processor for a tenth of a second by design, so only half
// of the processors do so at once, and they rest in between while the process has other work. Which passwords are
// allowed is decided by the areas that own accounts.
package hashing

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/form"
)

// MaxBytes is the number of bytes of a password that bcrypt looks at. Longer ones match nothing: two with the same
// beginning would open one account.
const MaxBytes = 72

const (
	// Bookkeeping is the time that must be left after a hash, for the counters, records and tokens of a login. Without it
	// none is begun: the work would be for nothing, and a failed attempt might not count.
	Bookkeeping = 3 * time.Second
	// expected is the time of a hash before one was measured.
	expected = 250 * time.Millisecond
	// share is the part of all processors, one in so many, that hashing takes on average while there is other work.
	share = 10
)

// Hasher hashes and compares passwords. It is safe for concurrent use.
type Hasher struct {
	cost int
	// slots has an element for each hash under way, and for each rest.
	slots chan struct{}
	// took is the time of the latest hash.
	took atomic.Int64
	now  func() time.Time
	// dummy is a hash that no password has. Comparing with it takes as long as with a real one, so the time of an answer
	// does not reveal whether an account exists.
	dummy []byte
}

// New returns a hasher; cost is the bcrypt cost of new hashes, 0 for DefaultCost. now measures durations.
func New(cost int, now func() time.Time) *Hasher {
	if cost == 0 {
		cost = DefaultCost
	}
	h := &Hasher{cost: cost, slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), now: now}
	h.dummy = fmt.Appendf(nil, "$2a$%02d$%s", cost, strings.Repeat(".", 22)+strings.Repeat("u", 31))
	h.took.Store(int64(expected))
	return h
}

// Weak reports whether a hash has a lower cost than a new one.
func (h *Hasher) Weak(hash string) bool {
	cost, err := bcrypt.Cost([]byte(hash))
	return err == nil && cost < h.cost
}

// Hash returns a new hash of password, in a turn of its own.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	t, err := h.Turn(ctx)
	if err != nil {
		return "", err
	}
	defer t.Leave()
	return t.Hash(password)
}

// Turn is the right to hash. Its caller hashes, one hash at a time, and leaves.
type Turn struct {
	h    *Hasher
	ctx  context.Context // of the request that has the turn, like the turn itself
	took time.Duration
}

// errClass is a mistake in a declaration: the operation hashes without the places and the queue of logins.
var errClass = errors.New("hash a password in a request of another class than admission.Login")

// Turn waits for a turn. It fails with errno.ErrBusy if ctx leaves no time for a hash then, and always in a request of
// another class than admission.Login.
func (h *Hasher) Turn(ctx context.Context) (*Turn, error) {
	if !admission.Within(ctx, admission.Login) {
		return nil, errClass
	}
	waiting := ctx
	if end, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		waiting, cancel = context.WithDeadline(ctx, end.Add(-h.needed()))
		defer cancel()
	}
	if waiting.Err() == nil {
		select {
		case h.slots <- struct{}{}:
			return &Turn{h: h, ctx: ctx}, nil
		case <-waiting.Done():
		}
	}
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("wait to hash a password: %w", err)
	}
	return nil, fmt.Errorf("wait to hash a password: %w", errno.ErrBusy)
}

// needed is the time that must be left when a hash begins.
func (h *Hasher) needed() time.Duration { return time.Duration(h.took.Load()) + Bookkeeping }

// Match reports whether password matches hash; hash is empty for an account that has no password or does not exist. It
// fails with errno.ErrBusy if no time is left for it.
func (t *Turn) Match(hash, password string) (match bool, err error) {
	against := []byte(hash)
	if hash == "" {
		against = t.h.dummy
	}
	// Earlier releases hashed passwords as they came.
	for _, tried := range slices.Compact([]string{form.Secret(password), password}) {
		err = t.run(func() error { return bcrypt.CompareHashAndPassword(against, []byte(tried)) })
		switch {
		case err == nil && len(tried) <= MaxBytes:
			return hash != "", nil
		case err != nil && !errors.Is(err, bcrypt.ErrMismatchedHashAndPassword):
			return false, fmt.Errorf("compare a password: %w", err)
		}
	}
	return false, nil
}

// Hash returns a new hash of password. It fails with errno.ErrBusy if no time is left for it.
func (t *Turn) Hash(password string) (string, error) {
	var hash []byte
	err := t.run(func() (err error) {
		hash, err = bcrypt.GenerateFromPassword([]byte(form.Secret(password)), t.h.cost)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return string(hash), nil
}

// run runs a hash, unless it would leave less than the time for its bookkeeping.
func (t *Turn) run(hash func() error) error {
	if end, limited := t.ctx.Deadline(); limited && time.Until(end) < t.h.needed() {
		return errno.ErrBusy
	}
	start := t.h.now()
	err := hash()
	took := t.h.now().Sub(start)
	t.took += took
	t.h.took.Store(int64(took))
	return err
}

// Leave ends the turn. The next one begins at once if the process has nothing else to do, else after a rest that leaves
// hashing its share of the processors.
func (t *Turn) Leave() {
	leave := func() { <-t.h.slots }
	if !admission.Beside(t.ctx) {
		leave()
		return
	}
	processors := runtime.GOMAXPROCS(0)
	rest := t.took * time.Duration(max(0, share*cap(t.h.slots)-processors)) / time.Duration(processors)
	time.AfterFunc(rest, leave)
}

// Keep returns a context for the bookkeeping after a hash, which must not fail because the time is used up or the
// client has left: an attempt that is not counted could be repeated for ever.
func Keep(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), Bookkeeping)
}
