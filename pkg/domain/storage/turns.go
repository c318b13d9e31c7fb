package storage

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"shop.internal/pkg/base/errno"
)

// turns lets each owner draw one picture at a time, so that one who sends many makes nobody else wait for more than
// one of them.
type turns struct {
	mu   sync.Mutex
	held map[Owner]*turn
	wait time.Duration
}

// turn is the place of an owner; it is removed when no request has it or waits for it.
type turn struct {
	place chan struct{}
	users int
}

func newTurns(wait time.Duration) *turns { return &turns{held: map[Owner]*turn{}, wait: wait} }

// take waits for the place of an owner, which leave gives back. It fails with errno.ErrBusy if the wait times out, and
// with the error of ctx if the caller has left.
func (t *turns) take(ctx context.Context, who Owner) (leave func(), err error) {
	t.mu.Lock()
	own := t.held[who]
	if own == nil {
		own = &turn{place: make(chan struct{}, 1)}
		t.held[who] = own
	}
	own.users++
	t.mu.Unlock()
	forget := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.users--; own.users == 0 {
			delete(t.held, who)
		}
	}
	waiting, cancel := context.WithTimeout(ctx, t.wait)
	defer cancel()
	select {
	case own.place <- struct{}{}:
		return func() { <-own.place; forget() }, nil
	case <-waiting.Done():
		forget()
	}
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("wait for one's other uploads: %w", err)
	}
	return nil, fmt.Errorf("wait for one's other uploads: %w", errno.ErrBusy)
}
