package op

import (
	"context"
	"sync"
	"time"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/trace"
)

// requestContext is the context of one operation: it carries the call, and ends with the request or after the
// operation's timeout. It starts a timer only when something waits for it, since most operations that are answered from
// memory never do and timers are expensive.
type requestContext struct {
	context.Context // of the HTTP request
	call            Call
	work            trace.Work
	ticket          admission.Ticket
	now             func() time.Time
	start           time.Time
	limit           time.Duration

	mu     sync.Mutex
	timed  context.Context // nil until something waits
	cancel context.CancelFunc
	over   bool
}

// timer returns the context with the deadline, created on the first call.
func (c *requestContext) timer() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timed == nil {
		c.timed, c.cancel = context.WithTimeout(c.Context, c.limit-c.now().Sub(c.start))
		if c.over {
			c.cancel()
		}
	}
	return c.timed
}

// end ends the context.
func (c *requestContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if c.cancel != nil {
		c.cancel()
	}
}

// Deadline implements context.Context.
func (c *requestContext) Deadline() (time.Time, bool) { return c.timer().Deadline() }

// Done implements context.Context.
func (c *requestContext) Done() <-chan struct{} { return c.timer().Done() }

// Err implements context.Context.
func (c *requestContext) Err() error { return c.timer().Err() }

// Value implements context.Context. It also asks the timer, if any, so that derived contexts find it and need no
// goroutine to follow it.
func (c *requestContext) Value(key any) any {
	switch key {
	case callKey{}:
		return &c.call
	case admission.Key{}:
		return &c.ticket
	case trace.Key{}:
		return &c.work
	}
	c.mu.Lock()
	timed := c.timed
	c.mu.Unlock()
	if timed != nil {
		return timed.Value(key)
	}
	return c.Context.Value(key)
}
