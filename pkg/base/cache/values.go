package cache

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"

	"shop.internal/pkg/base/lag"
	"shop.internal/pkg/base/meter"
)

// store is a Cache without the types of its keys and values. Generic code is compiled again in every package that uses
// it, and otter is large: with its types in those of Cache it took most of the time of a build.
type store interface {
	get(ctx context.Context, key any) (any, error)
	cached(key any) (any, bool)
	reload(ctx context.Context, key any) (any, error)
	// missed counts reads that cached did not answer and that load their values themselves.
	missed(n int)
	// reading returns the context of a load for a caller's.
	reading(ctx context.Context) context.Context
	// begun returns what put needs of the moment before a load.
	begun() (invalidations int64, start time.Time)
	// put stores a value unless one was invalidated since its load began.
	put(key, v any, start time.Time, invalidations int64)
	invalidate(key any)
	invalidateAll()
	len() int
}

type values struct {
	entries *otter.Cache[slot, entry]
	load    otter.LoaderFunc[slot, entry]
	ttl     func(any) time.Duration
	now     func() time.Time
	flights flights
	// hits and misses count the reads.
	hits, misses prometheus.Counter

	ahead, stale, maxWait time.Duration
	allowStale            bool
	// invalidations counts all invalidations, so that a reload that began before one stores nothing; clears counts those
	// of all values.
	invalidations, clears atomic.Int64
}

// slot is where the value of a key is stored. Invalidating all values switches to new slots, so that no caller joins a
// load that began before.
type slot struct {
	key    any
	clears int64
}

func (c *values) slot(key any) slot { return slot{key, c.clears.Load()} }

type entry struct {
	value any
	// loaded is the time before the load. An entry from the future, after the clock was set back, is not fresh.
	loaded, until time.Time
}

func (e entry) fresh(now time.Time) bool { return e.servable(now, 0) }

// servable is fresh for a value that may be older than its TTL.
func (e entry) servable(now time.Time, stale time.Duration) bool {
	return !now.Before(e.loaded) && now.Before(e.until.Add(stale))
}

type untyped struct {
	Options[any]
	load func(context.Context, any) (any, error)
}

func newStore(o untyped) store {
	at := &clock{now: o.Now, sweep: o.Sweep}
	at.read()
	options := &otter.Options[slot, entry]{
		Clock: at,
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[slot, entry]) time.Duration {
			return max(e.Value.until.Sub(e.Value.loaded)+o.Stale, 1)
		}),
	}
	if o.Weigh == nil {
		options.MaximumSize = int(o.MaxSize)
	} else {
		options.MaximumWeight = uint64(o.MaxSize)
		options.Weigher = func(_ slot, e entry) uint32 { return min(o.Weigh(e.value), o.MaxSize) }
	}
	c := &values{
		ttl: o.TTL, ahead: o.Ahead, stale: o.Stale, maxWait: o.MaxWait, allowStale: o.AllowStale,
		hits:   o.Meter.Of(meter.CacheReads, o.Name, meter.Hit),
		misses: o.Meter.Of(meter.CacheReads, o.Name, meter.Miss),
	}
	c.entries, c.now = otter.Must(options), at.read
	c.load = func(ctx context.Context, of slot) (entry, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.reading(ctx)), o.Deadline)
		defer cancel()
		start := at.read()
		value, err := o.load(ctx, of.key)
		if err != nil {
			return entry{}, err
		}
		return entry{value, start, start.Add(o.TTL(value))}, nil
	}
	return c
}

func (c *values) reading(ctx context.Context) context.Context {
	if c.allowStale {
		return ctx
	}
	return lag.Forbid(ctx)
}

func (c *values) get(ctx context.Context, key any) (any, error) {
	at := c.slot(key)
	old, found := c.entries.GetIfPresent(at)
	switch now := c.now(); {
	case found && old.fresh(now):
		if c.ahead > 0 && now.Sub(old.loaded) >= c.ahead {
			c.begin(ctx, at)
		}
		c.hits.Inc()
		return old.value, nil
	case found && old.servable(now, c.stale):
		c.misses.Inc()
		return c.renewed(ctx, at, old)
	case found:
		c.removeStale(at)
	}
	c.misses.Inc()
	e, err := c.entries.Get(ctx, at, c.load)
	return e.value, err
}

func (c *values) missed(n int) { c.misses.Add(float64(n)) }

func (c *values) begun() (invalidations int64, start time.Time) {
	return c.invalidations.Load(), c.now()
}

func (c *values) put(key, v any, start time.Time, before int64) {
	e := entry{v, start, start.Add(c.ttl(v))}
	c.entries.Compute(c.slot(key), func(old entry, _ bool) (entry, otter.ComputeOp) {
		if c.invalidations.Load() != before {
			return old, otter.CancelOp
		}
		return e, otter.WriteOp
	})
}

func (c *values) cached(key any) (any, bool) {
	e, ok := c.entries.GetIfPresent(c.slot(key))
	if !ok || !e.fresh(c.now()) {
		return nil, false
	}
	c.hits.Inc()
	return e.value, true
}

// removeStale removes an entry that otter's expiry has not removed yet, so that it is loaded again.
func (c *values) removeStale(at slot) {
	c.entries.ComputeIfPresent(at, func(e entry) (entry, otter.ComputeOp) {
		if e.fresh(c.now()) {
			return e, otter.CancelOp
		}
		return e, otter.InvalidateOp
	})
}

func (c *values) reload(ctx context.Context, key any) (any, error) {
	before, at := c.invalidations.Load(), c.slot(key)
	e, err := c.load(ctx, at)
	if err != nil {
		return e.value, err
	}
	c.entries.Compute(at, func(old entry, found bool) (entry, otter.ComputeOp) {
		if c.invalidations.Load() != before || found && old.loaded.After(e.loaded) && old.fresh(c.now()) {
			return old, otter.CancelOp
		}
		return e, otter.WriteOp
	})
	return e.value, nil
}

func (c *values) invalidate(key any) {
	c.invalidations.Add(1)
	at := c.slot(key)
	c.abandon(at)
	c.entries.Invalidate(at)
}

func (c *values) invalidateAll() {
	c.invalidations.Add(1)
	c.clears.Add(1)
	c.entries.InvalidateAll()
}

func (c *values) len() int {
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
