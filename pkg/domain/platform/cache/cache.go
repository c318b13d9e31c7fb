// Package cache keeps values in memory, for a bounded time and in bounded number. Callers that miss the same value
// concurrently share one load.
package cache

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

// Options are the properties of a cache.
type Options[V any] struct {
	// TTL is how long a value is served, counted from before its load. A value with a TTL of 0 is returned only to the
	// callers that waited for its load.
	TTL func(V) time.Duration
	// MaxSize is the maximum number of values, or with Weigh the maximum sum of their weights.
	MaxSize uint32
	Weigh   func(V) uint32
	// Deadline is the timeout of a load. It is independent of the caller's context, since others wait for the same load.
	Deadline time.Duration
	// Ahead is the age from which a read renews a value in the background, so that nobody waits for the load of a value
	// that is read often; 0 is never.
	Ahead time.Duration
	// Stale is how long after its TTL a value is still served where its source does not answer: the load fails, other than
	// with an answer of the shop, or has taken longer than Patience.
	Stale, Patience time.Duration
	// Sweep frees expired values within about a second, in a goroutine that ends when the cache is no longer used; without
	// it later loads free them.
	Sweep bool
	// Now is the clock of the TTL.
	Now func() time.Time
}

// For is the TTL of a cache that serves all values for the same time.
func For[V any](ttl time.Duration) func(V) time.Duration {
	return func(V) time.Duration { return ttl }
}

// Cache is a cache of values by key.
type Cache[K comparable, V any] struct {
	entries *otter.Cache[slot[K], entry[V]]
	load    otter.LoaderFunc[slot[K], entry[V]]
	ttl     func(V) time.Duration
	now     func() time.Time
	flights flights[K, V]

	ahead, stale, patience time.Duration
	// invalidations counts all invalidations, so that a reload that began before one stores nothing; clears counts those
	// of all values.
	invalidations, clears atomic.Int64
}

// slot is where the value of a key is stored. Invalidating all values switches to new slots, so that nobody joins a
// load that began before.
type slot[K comparable] struct {
	key    K
	clears int64
}

func (c *Cache[K, V]) slot(key K) slot[K] { return slot[K]{key, c.clears.Load()} }

type entry[V any] struct {
	value V
	// loaded is the time before the load. An entry from the future, after the clock was set back, is not fresh.
	loaded, until time.Time
}

func (e entry[V]) fresh(now time.Time) bool { return e.servable(now, 0) }

// servable is fresh for a value that may be older than its TTL.
func (e entry[V]) servable(now time.Time, stale time.Duration) bool {
	return !now.Before(e.loaded) && now.Before(e.until.Add(stale))
}

// New returns a cache of the values that load returns. A failed load stores nothing.
func New[K comparable, V any](o Options[V], load func(context.Context, K) (V, error)) *Cache[K, V] {
	at := &clock{now: o.Now, sweep: o.Sweep}
	at.read()
	options := &otter.Options[slot[K], entry[V]]{
		Clock: at,
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[slot[K], entry[V]]) time.Duration {
			return max(e.Value.until.Sub(e.Value.loaded)+o.Stale, 1)
		}),
	}
	if o.Weigh == nil {
		options.MaximumSize = int(o.MaxSize)
	} else {
		options.MaximumWeight = uint64(o.MaxSize)
		options.Weigher = func(_ slot[K], e entry[V]) uint32 { return min(o.Weigh(e.value), o.MaxSize) }
	}
	c := &Cache[K, V]{ttl: o.TTL, ahead: o.Ahead, stale: o.Stale, patience: o.Patience}
	c.entries, c.now = otter.Must(options), at.read
	c.load = func(ctx context.Context, of slot[K]) (entry[V], error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Deadline)
		defer cancel()
		start := at.read()
		value, err := load(ctx, of.key)
		if err != nil {
			return entry[V]{}, err
		}
		return entry[V]{value, start, start.Add(o.TTL(value))}, nil
	}
	return c
}

// Get returns the value of a key, loaded at most its TTL ago, or TTL and Stale where its source does not answer. A
// caller that waits for another caller's load stops waiting when ctx ends.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (V, error) {
	at := c.slot(key)
	old, found := c.entries.GetIfPresent(at)
	switch now := c.now(); {
	case found && old.fresh(now):
		if c.ahead > 0 && now.Sub(old.loaded) >= c.ahead {
			c.begin(ctx, at)
		}
		return old.value, nil
	case found && old.servable(now, c.stale):
		return c.renewed(ctx, at, old)
	case found:
		c.removeStale(at)
	}
	e, err := c.entries.Get(ctx, at, c.load)
	return e.value, err
}

// GetAll returns the values of the keys that have one, loading those that are not cached together. Concurrent callers
// may load the same ones; Ahead and Stale do not apply.
func (c *Cache[K, V]) GetAll(
	ctx context.Context, keys []K, load func(context.Context, []K) (map[K]V, error),
) (map[K]V, error) {
	all := make(map[K]V, len(keys))
	var missing []K
	for _, key := range keys {
		if v, ok := c.Cached(key); ok {
			all[key] = v
		} else {
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return all, nil
	}
	before, start := c.invalidations.Load(), c.now()
	loaded, err := load(ctx, missing)
	if err != nil {
		return nil, err
	}
	for key, v := range loaded {
		all[key] = v
		e := entry[V]{v, start, start.Add(c.ttl(v))}
		c.entries.Compute(c.slot(key), func(old entry[V], _ bool) (entry[V], otter.ComputeOp) {
			if c.invalidations.Load() != before {
				return old, otter.CancelOp
			}
			return e, otter.WriteOp
		})
	}
	return all, nil
}

// Cached returns the value of a key if no load is needed.
func (c *Cache[K, V]) Cached(key K) (v V, ok bool) {
	e, ok := c.entries.GetIfPresent(c.slot(key))
	if !ok || !e.fresh(c.now()) {
		return v, false
	}
	return e.value, true
}

// removeStale removes an entry that otter's expiry has not removed yet, so that it is loaded again.
func (c *Cache[K, V]) removeStale(at slot[K]) {
	c.entries.ComputeIfPresent(at, func(e entry[V]) (entry[V], otter.ComputeOp) {
		if e.fresh(c.now()) {
			return e, otter.CancelOp
		}
		return e, otter.InvalidateOp
	})
}

// Reload loads the value of a key now, stores it for Get and returns it.
func (c *Cache[K, V]) Reload(ctx context.Context, key K) (V, error) {
	before, at := c.invalidations.Load(), c.slot(key)
	e, err := c.load(ctx, at)
	if err != nil {
		return e.value, err
	}
	c.entries.Compute(at, func(old entry[V], found bool) (entry[V], otter.ComputeOp) {
		if c.invalidations.Load() != before || found && old.loaded.After(e.loaded) && old.fresh(c.now()) {
			return old, otter.CancelOp
		}
		return e, otter.WriteOp
	})
	return e.value, nil
}

// Invalidate removes the value of a key. Results of loads in progress are not stored either.
func (c *Cache[K, V]) Invalidate(key K) {
	c.invalidations.Add(1)
	at := c.slot(key)
	c.abandon(at)
	c.entries.Invalidate(at)
}

// InvalidateAll removes every value. Results of loads in progress are not stored either.
func (c *Cache[K, V]) InvalidateAll() {
	c.invalidations.Add(1)
	c.clears.Add(1)
	c.entries.InvalidateAll()
}

// Len returns the number of values that have not expired.
func (c *Cache[K, V]) Len() int {
	c.entries.CleanUp()
	return c.entries.EstimatedSize()
}

// clock is the clock of otter's expiry, which frees memory. Without sweep it is the time of the latest call, so that
// only callers read the clock.
type clock struct {
	now    func() time.Time
	sweep  bool
	latest atomic.Int64
}

func (c *clock) read() time.Time {
	t := c.now()
	c.latest.Store(t.UnixNano())
	return t
}

func (c *clock) NowNano() int64 {
	if c.sweep {
		return c.now().UnixNano()
	}
	return c.latest.Load()
}

func (c *clock) Tick(every time.Duration) <-chan time.Time {
	if !c.sweep {
		return nil
	}
	return time.NewTicker(every).C // freed with the channel
}
