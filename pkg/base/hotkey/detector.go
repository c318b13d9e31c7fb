// Package hotkey finds the keys that are used most at a moment, and handles many requests for one of them at once. It
// knows nothing of what the keys are and of what is done with them.
package hotkey

import (
	"sync"
	"sync/atomic"
	"time"
)

// Mode says what decides whether a key is hot.
type Mode int

// The modes.
const (
	// ByLoad is how often it was used.
	ByLoad Mode = iota
	Always
	Never
)

// cooldown is how long a key stays hot after the last second in which it was used often enough.
const cooldown = 30 * time.Second

// Detector knows which keys are hot in this process.
type Detector struct {
	after int
	now   func() time.Time
	// hot is the number of hot keys, so that a process without any does not wait for the lock.
	hot atomic.Int64

	mu sync.Mutex
	// used counts uses in the current second.
	second int64
	used   map[int64]int
	until  map[int64]time.Time
}

// NewDetector returns a detector. A key that is used more than after times within a second becomes hot; 0 is never.
func NewDetector(after int, now func() time.Time) *Detector {
	return &Detector{after: after, now: now, used: map[int64]int{}, until: map[int64]time.Time{}}
}

// Observe counts a use of a key. The mode acts from the next use on.
func (d *Detector) Observe(key int64, mode Mode) {
	now := d.now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if second := now.Unix(); second != d.second {
		d.second = second
		clear(d.used)
		d.expire(now)
	}
	d.used[key]++
	switch mode {
	case Never:
		delete(d.until, key)
	case Always:
		d.until[key] = now.Add(cooldown)
	case ByLoad:
		if d.after > 0 && d.used[key] > d.after {
			d.until[key] = now.Add(cooldown)
		}
	}
	d.hot.Store(int64(len(d.until)))
}

// expire forgets the keys whose cooldown has ended.
func (d *Detector) expire(now time.Time) {
	for key, until := range d.until {
		if !now.Before(until) {
			delete(d.until, key)
		}
	}
	d.hot.Store(int64(len(d.until)))
}

// Any reports whether a key may be hot.
func (d *Detector) Any() bool { return d.hot.Load() > 0 }

// Hot reports whether a key is hot.
func (d *Detector) Hot(key int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, ok := d.until[key]
	return ok && d.now().Before(until)
}

// Count is the number of keys that are hot now.
func (d *Detector) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire(d.now())
	return len(d.until)
}
