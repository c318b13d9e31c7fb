package dbtest

import (
	"sync/atomic"
	"time"
)

// Clock is a clock that a test moves while goroutines of the service read it, such as those of a cache.
type Clock struct{ at atomic.Pointer[time.Time] }

// At returns a clock that shows a time.
func At(t time.Time) *Clock {
	c := &Clock{}
	c.Set(t)
	return c
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time { return *c.at.Load() }

// Set makes the clock show a time.
func (c *Clock) Set(t time.Time) { c.at.Store(&t) }

// Tick moves the clock by a second and returns its new time.
func (c *Clock) Tick() time.Time {
	c.Set(c.Now().Add(time.Second))
	return c.Now()
}
