// Package lag says which reads may see the database as it was a moment ago, as a read replica shows it.
package lag

import (
	"context"
	"sync"
	"sync/atomic"
)

type key struct{}

// turn spreads requests over replicas.
var turn atomic.Uint64

// Reads are the reads of one request that may lag. All of them go to one replica and, once one had to leave it, to the
// primary, so that none sees less than one before it.
type Reads struct {
	turn uint64
	may  func(context.Context) bool

	mu      sync.Mutex
	decided bool
	replica int
}

// Allow returns a context whose queries may lag if may agrees when the first one is sent, except those of a transaction
// and those after a write. A nil may agrees always.
func Allow(ctx context.Context, may func(context.Context) bool) context.Context {
	return context.WithValue(ctx, key{}, &Reads{turn: turn.Add(1), may: may})
}

// Forbid returns a context whose queries see every write that has ended: what they find is kept for other callers, or
// decides about a change.
func Forbid(ctx context.Context) context.Context {
	if Of(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, (*Reads)(nil))
}

// Of returns the reads of a context that may lag, nil for none.
func Of(ctx context.Context) *Reads {
	r, _ := ctx.Value(key{}).(*Reads)
	return r
}

// primary is the place of the database itself.
const primary = -1

// Replica returns the replica of the reads, negative for the primary. The first call decides: pick finds a replica that
// serves, beginning with a turn, or a negative number.
func (r *Reads) Replica(ctx context.Context, pick func(turn uint64) int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.decided {
		r.decided, r.replica = true, pick(r.turn)
		if r.replica >= 0 && r.may != nil && !r.may(ctx) {
			r.replica = primary
		}
	}
	return r.replica
}

// Leave sends all further reads to the primary.
func (r *Reads) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decided, r.replica = true, primary
}
