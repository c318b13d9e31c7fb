package cache

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
)

// flight is the load of a value that is renewed while its old copy is served.
type flight struct {
	done chan struct{}
	// late is closed when the flight has taken longer than maxWait.
	late chan struct{}
	// abandoned says that the value was invalidated meanwhile, so that the result is not stored.
	abandoned atomic.Bool
	value     any
	err       error
}

// answered reports whether the flight has ended with something to tell: a value, or an error that is an answer of the
// shop, such as goods that are gone.
func (f *flight) answered() bool {
	select {
	case <-f.done:
		return f.err == nil || errno.Of(f.err) != errno.Internal
	default:
		return false
	}
}

// flights are the loads under way, at most one for each value.
type flights struct{ bySlot sync.Map }

func (l *flights) find(at slot) (*flight, bool) {
	f, ok := l.bySlot.Load(at)
	if !ok {
		return nil, false
	}
	return f.(*flight), true // nothing else is stored
}

// begin starts to renew a value, unless somebody does already.
func (c *values) begin(ctx context.Context, at slot) *flight {
	if f, ok := c.flights.find(at); ok {
		return f
	}
	f := &flight{done: make(chan struct{}), late: make(chan struct{})}
	if other, ok := c.flights.bySlot.LoadOrStore(at, f); ok {
		return other.(*flight) // nothing else is stored
	}
	go c.renew(context.WithoutCancel(ctx), at, f)
	return f
}

func (c *values) renew(ctx context.Context, at slot, f *flight) {
	defer time.AfterFunc(c.maxWait, func() { close(f.late) }).Stop()
	defer close(f.done)
	defer c.flights.bySlot.CompareAndDelete(at, f)
	ctx, end := admission.Background(ctx)
	defer end()
	e, err := c.guarded(ctx, at)
	f.value, f.err = e.value, err
	c.entries.Compute(at, func(old entry, found bool) (entry, otter.ComputeOp) {
		switch {
		case f.abandoned.Load():
			return old, otter.CancelOp
		case err == nil:
			return e, otter.WriteOp
		case errno.Of(err) != errno.Internal && found:
			return old, otter.InvalidateOp // there is no such value any more
		}
		return old, otter.CancelOp
	})
}

// guarded turns a panic of the load into an error, since no request is there to do so.
func (c *values) guarded(ctx context.Context, at slot) (e entry, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return c.load(ctx, at)
}

// abandon makes a load under way store nothing, and later callers begin another one.
func (c *values) abandon(at slot) {
	if f, ok := c.flights.find(at); ok {
		f.abandoned.Store(true)
		c.flights.bySlot.CompareAndDelete(at, f)
	}
}

// renewed returns a new value in place of one whose time is over, or the old one if its source does not answer. Once a
// load has taken longer than maxWait, no caller waits for it any more.
func (c *values) renewed(ctx context.Context, at slot, old entry) (any, error) {
	f := c.begin(ctx, at)
	select {
	case <-f.done:
	case <-f.late:
	case <-ctx.Done():
	}
	if f.answered() {
		return f.value, f.err
	}
	return old.value, nil
}
