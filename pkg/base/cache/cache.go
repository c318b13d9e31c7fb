// Package cache keeps values in memory, for a bounded time and in bounded number. Callers that miss the same value
// concurrently share one load.
package cache

import (
	"context"
	"time"

	"shop.internal/pkg/base/meter"
)

// Options are the properties of a cache.
type Options[V any] struct {
	// Name is the cache's label in metrics, Meter counts its reads; nil does not.
	Name  string
	Meter *meter.Meter
	// TTL is how long a value is served, counted from before its load. A value with a TTL of 0 is returned only to the
	// callers that waited for its load.
	TTL func(V) time.Duration
	// MaxSize is the maximum number of values, or with Weigh the maximum sum of their weights.
	MaxSize uint32
	Weigh   func(V) uint32
	// Deadline is the timeout of a load. It is independent of the caller's context, since others wait for the same load.
	Deadline time.Duration
	// Ahead is the age from which a read renews a value in the background, so that no caller waits for the load of a value
	// that is read often; 0 is never.
	Ahead time.Duration
	// Stale is how long after its TTL a value is still served where its source does not answer: the load fails, other than
	// with an answer of the shop, or has taken longer than MaxWait.
	Stale, MaxWait time.Duration
	// AllowStale lets a load lag if the read of its caller may. It is for values that their readers do not change, and
	// that may be older than TTL by what a read replica may lag. Every other load sees all writes that ended before
	// it.
	AllowStale bool
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
type Cache[K comparable, V any] struct{ values store }

// New returns a cache of the values that load returns. A failed load stores nothing.
func New[K comparable, V any](o Options[V], load func(context.Context, K) (V, error)) *Cache[K, V] {
	u := untyped{
		Options: Options[any]{
			Name: o.Name, Meter: o.Meter,
			TTL: func(v any) time.Duration { return o.TTL(as[V](v)) }, MaxSize: o.MaxSize, Deadline: o.Deadline,
			Ahead: o.Ahead, Stale: o.Stale, MaxWait: o.MaxWait, AllowStale: o.AllowStale, Sweep: o.Sweep, Now: o.Now,
		},
		load: func(ctx context.Context, key any) (any, error) { return load(ctx, as[K](key)) },
	}
	if o.Weigh != nil {
		u.Weigh = func(v any) uint32 { return o.Weigh(as[V](v)) }
	}
	return &Cache[K, V]{newStore(u)}
}

// as returns what was stored as a T, and the zero T for nil, which is what an interface without a value was stored as.
func as[T any](v any) T {
	t, _ := v.(T)
	return t
}

// Get returns the value of a key, loaded at most its TTL ago, or TTL and Stale where its source does not answer. A
// caller that waits for another caller's load stops waiting when ctx ends.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (V, error) {
	v, err := c.values.get(ctx, key)
	return as[V](v), err
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
	c.values.missed(len(missing))
	before, start := c.values.begun()
	loaded, err := load(c.values.reading(ctx), missing)
	if err != nil {
		return nil, err
	}
	for key, v := range loaded {
		all[key] = v
		c.values.put(key, v, start, before)
	}
	return all, nil
}

// Cached returns the value of a key if no load is needed.
func (c *Cache[K, V]) Cached(key K) (V, bool) {
	v, ok := c.values.cached(key)
	return as[V](v), ok
}

// Loading begins a load by the caller, for whom Cached had no value. The function stores its result, unless the value
// was invalidated meanwhile.
func (c *Cache[K, V]) Loading(key K) (store func(V)) {
	c.values.missed(1)
	before, start := c.values.begun()
	return func(v V) { c.values.put(key, v, start, before) }
}

// Reload loads the value of a key now, stores it for Get and returns it.
func (c *Cache[K, V]) Reload(ctx context.Context, key K) (V, error) {
	v, err := c.values.reload(ctx, key)
	return as[V](v), err
}

// Invalidate removes the value of a key. Results of loads in progress are not stored either.
func (c *Cache[K, V]) Invalidate(key K) { c.values.invalidate(key) }

// InvalidateAll removes every value. Results of loads in progress are not stored either.
func (c *Cache[K, V]) InvalidateAll() { c.values.invalidateAll() }

// Len returns the number of values that have not expired, also for a source that does not answer.
func (c *Cache[K, V]) Len() int { return c.values.len() }
