package cache

import "context"

// One is a cache of a single value.
type One[V any] struct{ values *Cache[only, V] }

// only is the key of the single value.
type only struct{}

// NewOne returns a cache of the value that load returns. A failed load stores nothing.
func NewOne[V any](o Options[V], load func(context.Context) (V, error)) *One[V] {
	return &One[V]{New(o, func(ctx context.Context, _ only) (V, error) { return load(ctx) })}
}

// Get returns the value, loaded at most its TTL ago.
func (o *One[V]) Get(ctx context.Context) (V, error) { return o.values.Get(ctx, only{}) }

// Cached returns the value if no load is needed.
func (o *One[V]) Cached() (V, bool) { return o.values.Cached(only{}) }

// Reload loads the value now, stores it for Get and returns it.
func (o *One[V]) Reload(ctx context.Context) (V, error) { return o.values.Reload(ctx, only{}) }

// Len is 1 while there is a value that has not expired, else 0.
func (o *One[V]) Len() int { return o.values.Len() }

// Invalidate removes the value. Results of loads in progress are not stored either.
func (o *One[V]) Invalidate() { o.values.Invalidate(only{}) }
