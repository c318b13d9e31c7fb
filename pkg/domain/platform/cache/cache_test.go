package cache_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/cache"
	"shop.internal/pkg/domain/platform/lag"
)

// source counts its loads; a load takes a given time, and its value is the number of the load.
type source struct {
	loads atomic.Int64
	slow  time.Duration
	err   error
}

func (s *source) load(ctx context.Context, _ string) (int64, error) {
	n := s.loads.Add(1)
	select {
	case <-time.After(s.slow):
	case <-ctx.Done():
		return n, ctx.Err()
	}
	return n, s.err
}

func options(now func() time.Time) cache.Options[int64] {
	return cache.Options[int64]{TTL: cache.For[int64](time.Minute), MaxSize: 100, Deadline: time.Second, Now: now}
}

func get(t *testing.T, c *cache.Cache[string, int64], key string) int64 {
	t.Helper()
	v, err := c.Get(t.Context(), key)
	require.NoError(t, err)
	return v
}

func TestAValueIsServedForItsTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{slow: 500 * time.Millisecond}
		c := cache.New(options(time.Now), s.load)
		_, ok := c.Cached("a")
		require.False(t, ok)
		require.EqualValues(t, 1, get(t, c, "a"))
		time.Sleep(59*time.Second + 499*time.Millisecond) // counted from before the load
		require.EqualValues(t, 1, get(t, c, "a"))
		require.EqualValues(t, 2, get(t, c, "b"), "another key")
		time.Sleep(time.Millisecond)
		require.EqualValues(t, 3, get(t, c, "a"))
	})
}

// clock is a time that a test moves while the cache reads it.
type clock struct{ nano atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.nano.Store(time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func (c *clock) now() time.Time { return time.Unix(0, c.nano.Load()) }

func (c *clock) move(by time.Duration) { c.nano.Add(int64(by)) }

// After the clock was set back, nothing is served until it has caught up.
func TestAValueFromTheFutureIsNotServed(t *testing.T) {
	at, s := newClock(), new(source)
	c := cache.New(options(at.now), s.load)
	require.EqualValues(t, 1, get(t, c, "a"))
	at.move(-time.Hour)
	require.EqualValues(t, 2, get(t, c, "a"))
	require.EqualValues(t, 2, get(t, c, "a"))
	at.move(time.Hour)
	require.EqualValues(t, 3, get(t, c, "a"))
}

func TestSomeValuesAreNotStored(t *testing.T) {
	at, s := newClock(), new(source)
	o := options(at.now)
	o.TTL = func(v int64) time.Duration { return time.Duration(v-1) * time.Minute }
	c := cache.New(o, s.load)
	require.EqualValues(t, 1, get(t, c, "a"))
	require.EqualValues(t, 2, get(t, c, "a"), "the first had no time to live")
	require.EqualValues(t, 2, get(t, c, "a"))
	s.err = errors.New("broken")
	at.move(time.Minute)
	_, err := c.Get(t.Context(), "a")
	require.ErrorIs(t, err, s.err)
	s.err = nil
	require.EqualValues(t, 4, get(t, c, "a"), "nor is a failure stored")
}

func TestManyWaitForOneLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{slow: 500 * time.Millisecond}
		c := cache.New(options(time.Now), s.load)
		first, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.Get(first, "a") })
		synctest.Wait()
		for range 20 {
			wg.Go(func() {
				if v, err := c.Get(t.Context(), "a"); err != nil || v != 1 {
					t.Error(v, err)
				}
			})
		}
		synctest.Wait()
		cancel() // the load does not end with the caller that began it
		wg.Wait()
		require.EqualValues(t, 1, s.loads.Load())
	})
}

func TestALoadHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{slow: time.Hour}
		c := cache.New(options(time.Now), s.load)
		start := time.Now()
		_, err := c.Get(t.Context(), "a")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(start))
	})
}

// The result of a load that began before an invalidation is not served after it.
func TestInvalidationDuringALoad(t *testing.T) {
	for name, invalidate := range map[string]func(*cache.Cache[string, int64]){
		"one": func(c *cache.Cache[string, int64]) { c.Invalidate("a") },
		"all": func(c *cache.Cache[string, int64]) { c.InvalidateAll() },
	} {
		for load, call := range map[string]func(*cache.Cache[string, int64], context.Context, string) (int64, error){
			"get": (*cache.Cache[string, int64]).Get, "reload": (*cache.Cache[string, int64]).Reload,
		} {
			t.Run(name+" "+load, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &source{slow: 500 * time.Millisecond}
					c := cache.New(options(time.Now), s.load)
					go func() { _, _ = call(c, t.Context(), "a") }()
					synctest.Wait()
					invalidate(c)
					require.Greater(t, get(t, c, "a"), int64(1))
				})
			})
		}
	}
}

func TestReload(t *testing.T) {
	s := new(source)
	c := cache.NewOne(options(time.Now), func(ctx context.Context) (int64, error) { return s.load(ctx, "") })
	for want, call := range []func(context.Context) (int64, error){c.Get, c.Reload, c.Get, c.Reload} {
		v, err := call(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int64{1, 2, 2, 3}[want], v)
	}
	c.Invalidate()
	_, ok := c.Cached()
	require.False(t, ok)
}

func TestValuesAreBounded(t *testing.T) {
	for name, weigh := range map[string]func(int64) uint32{"by number": nil, "by weight": func(int64) uint32 { return 10 }} {
		t.Run(name, func(t *testing.T) {
			s := new(source)
			o := options(time.Now)
			o.Weigh = weigh
			c := cache.New(o, s.load)
			for i := range 1000 {
				get(t, c, time.Duration(i).String())
			}
			want := 100
			if weigh != nil {
				want = 10
			}
			require.LessOrEqual(t, c.Len(), want)
		})
	}
}

// Weighed values are freed without another load.
func TestSweep(t *testing.T) {
	o := options(time.Now)
	o.TTL, o.Sweep = cache.For[int64](10*time.Millisecond), true
	c := cache.New(o, new(source).load)
	get(t, c, "a")
	require.Eventually(t, func() bool { return c.Size() == 0 }, time.Minute, 20*time.Millisecond)
}

func TestGetAll(t *testing.T) {
	at := newClock()
	o := cache.Options[int]{TTL: cache.For[int](time.Second), MaxSize: 10, Deadline: time.Second, Now: at.now}
	c := cache.New(o, func(context.Context, int) (int, error) { return 0, nil })
	var asked [][]int
	during := func() {}
	get := func(keys ...int) map[int]int {
		all, err := c.GetAll(t.Context(), keys, func(_ context.Context, missing []int) (map[int]int, error) {
			asked = append(asked, missing)
			during()
			found := map[int]int{}
			for _, key := range missing {
				if key < 10 {
					found[key] = key * 100
				}
			}
			return found, nil
		})
		require.NoError(t, err)
		return all
	}
	require.Equal(t, map[int]int{1: 100, 2: 200}, get(1, 2, 10))
	require.Equal(t, map[int]int{1: 100, 2: 200, 3: 300}, get(1, 2, 3))
	require.Equal(t, map[int]int{3: 300}, get(3))
	c.Invalidate(1)
	during = func() { c.Invalidate(2) } // a load that began before must not be kept
	get(1, 2)
	during = func() {}
	get(1, 2, 3)
	at.move(time.Second)
	get(3)
	require.Equal(t, [][]int{{1, 2, 10}, {3}, {1}, {1, 2}, {3}}, asked)
	_, err := c.GetAll(t.Context(), []int{7}, func(context.Context, []int) (map[int]int, error) { return nil, context.Canceled })
	require.ErrorIs(t, err, context.Canceled)
}

// A value is loaded for everybody, so its load never lags, also if the caller may.
func TestALoadDoesNotLag(t *testing.T) {
	var lagged []bool
	load := func(ctx context.Context) {
		may := lag.Of(ctx) != nil
		lagged = append(lagged, may)
	}
	c := cache.New(options(time.Now), func(ctx context.Context, _ string) (int64, error) {
		load(ctx)
		return 1, nil
	})
	ctx := lag.Allow(t.Context(), nil)
	_, err := c.Get(ctx, "a")
	require.NoError(t, err)
	_, err = c.Reload(ctx, "a")
	require.NoError(t, err)
	_, err = c.GetAll(ctx, []string{"b"}, func(ctx context.Context, _ []string) (map[string]int64, error) {
		load(ctx)
		return map[string]int64{"b": 1}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []bool{false, false, false}, lagged)

	o := options(time.Now)
	o.MayLag = true
	c = cache.New(o, func(ctx context.Context, _ string) (int64, error) {
		load(ctx)
		return 1, nil
	})
	lagged = nil
	for _, ctx := range []context.Context{ctx, t.Context()} {
		_, err = c.Reload(ctx, "a")
		require.NoError(t, err)
	}
	require.Equal(t, []bool{true, false}, lagged)
}
