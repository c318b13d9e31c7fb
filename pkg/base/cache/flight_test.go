package cache_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/errno"
)

// eager are the options of a cache whose values are read often: a second, renewed in its second half, and served for a
// minute more where the source does not answer within 200 ms.
func eager() cache.Options[int64] {
	return cache.Options[int64]{
		TTL: cache.For[int64](time.Second), MaxSize: 100, Deadline: 10 * time.Second, Now: time.Now,
		Ahead: time.Second / 2, Stale: time.Minute, MaxWait: 200 * time.Millisecond,
	}
}

// at runs the function in a bubble with a value that was loaded at its beginning.
func at(t *testing.T, s *source, f func(t *testing.T, c *cache.Cache[string, int64])) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := cache.New(eager(), s.load)
		require.EqualValues(t, 1, get(t, c, "a"))
		f(t, c)
	})
}

// No reader waits for the load of a value that is read often, and one load serves all.
func TestAValueIsRenewedAhead(t *testing.T) {
	s := new(source)
	at(t, s, func(t *testing.T, c *cache.Cache[string, int64]) {
		s.slow = 300 * time.Millisecond
		time.Sleep(499 * time.Millisecond)
		require.EqualValues(t, 1, get(t, c, "a"))
		synctest.Wait()
		require.EqualValues(t, 1, s.loads.Load(), "in its first half")
		time.Sleep(time.Millisecond)
		began := time.Now()
		for range 20 {
			require.EqualValues(t, 1, get(t, c, "a"))
		}
		require.Zero(t, time.Since(began))
		time.Sleep(301 * time.Millisecond)
		require.EqualValues(t, 2, get(t, c, "a"))
		require.EqualValues(t, 2, s.loads.Load())
		time.Sleep(600 * time.Millisecond) // counted from before the second load, which is older than a half again
		require.EqualValues(t, 2, get(t, c, "a"))
		time.Sleep(301 * time.Millisecond)
		require.EqualValues(t, 3, get(t, c, "a"))
	})
}

func TestAnOldValueIsServedWhileItsSourceFails(t *testing.T) {
	s := new(source)
	at(t, s, func(t *testing.T, c *cache.Cache[string, int64]) {
		s.err = errors.New("broken")
		time.Sleep(2 * time.Second)
		require.EqualValues(t, 1, get(t, c, "a"))
		s.err = nil
		require.EqualValues(t, 3, get(t, c, "a"), "it answers again")
		s.err = errors.New("broken")
		time.Sleep(time.Minute + 999*time.Millisecond)
		require.EqualValues(t, 3, get(t, c, "a"))
		time.Sleep(time.Millisecond)
		_, err := c.Get(t.Context(), "a")
		require.ErrorIs(t, err, s.err, "its time is over")
	})
}

// Who comes first waits for a source that hangs as long as MaxWait, who comes later does not.
func TestAnOldValueIsServedWhileItsSourceHangs(t *testing.T) {
	s := new(source)
	at(t, s, func(t *testing.T, c *cache.Cache[string, int64]) {
		s.slow = time.Hour
		time.Sleep(2 * time.Second)
		began := time.Now()
		require.EqualValues(t, 1, get(t, c, "a"))
		require.Equal(t, 200*time.Millisecond, time.Since(began))
		for range 20 {
			require.EqualValues(t, 1, get(t, c, "a"))
		}
		require.Equal(t, 200*time.Millisecond, time.Since(began))
		require.EqualValues(t, 2, s.loads.Load())
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		time.Sleep(10 * time.Second) // the load has ended with its deadline
		v, err := c.Get(ctx, "a")
		require.NoError(t, err)
		require.EqualValues(t, 1, v, "nor does a caller that leaves")
		time.Sleep(10 * time.Second)
	})
}

// That goods are gone is an answer, which no old copy hides.
func TestAnAnswerOfTheShopIsNoFailure(t *testing.T) {
	s := new(source)
	at(t, s, func(t *testing.T, c *cache.Cache[string, int64]) {
		s.err = errno.GoodsUnknown
		time.Sleep(2 * time.Second)
		for range 2 {
			_, err := c.Get(t.Context(), "a")
			require.ErrorIs(t, err, errno.GoodsUnknown)
		}
		s.err = nil
		require.EqualValues(t, 4, get(t, c, "a"))
	})
}

// The result of a renewal that began before an invalidation is not served after it.
func TestInvalidationDuringARenewal(t *testing.T) {
	for name, invalidate := range map[string]func(*cache.Cache[string, int64]){
		"one": func(c *cache.Cache[string, int64]) { c.Invalidate("a") },
		"all": func(c *cache.Cache[string, int64]) { c.InvalidateAll() },
	} {
		t.Run(name, func(t *testing.T) {
			s := new(source)
			at(t, s, func(t *testing.T, c *cache.Cache[string, int64]) {
				s.slow = 300 * time.Millisecond
				time.Sleep(600 * time.Millisecond)
				require.EqualValues(t, 1, get(t, c, "a"))
				synctest.Wait()
				invalidate(c)
				require.EqualValues(t, 3, get(t, c, "a"))
				time.Sleep(400 * time.Millisecond)
				require.EqualValues(t, 3, get(t, c, "a"))
				time.Sleep(time.Second) // the renewals have ended
			})
		})
	}
}

func TestAPanicOfARenewalIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken bool
		c := cache.New(eager(), func(context.Context, string) (int64, error) {
			if broken {
				panic("broken")
			}
			return 1, nil
		})
		get(t, c, "a")
		broken = true
		time.Sleep(2 * time.Second)
		require.EqualValues(t, 1, get(t, c, "a"))
	})
}

// Run with the race detector: readers, renewals and invalidations at once.
func TestRenewalsUnderLoad(t *testing.T) {
	o := eager()
	o.TTL, o.Ahead = cache.For[int64](2*time.Millisecond), time.Millisecond
	s := new(source)
	c := cache.New(o, s.load)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				if _, err := c.Get(t.Context(), "a"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		for range 200 {
			c.Invalidate("a")
			time.Sleep(50 * time.Microsecond)
		}
	})
	wg.Wait()
}
