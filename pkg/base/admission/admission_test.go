package admission_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
)

// request is a request in a context of its own.
type request struct {
	*admission.Ticket
	ctx    context.Context
	cancel context.CancelFunc
}

func requestOf(c *admission.Controller, class admission.Class) request {
	ctx, cancel := context.WithCancel(context.Background())
	r := request{&admission.Ticket{}, nil, cancel}
	c.Issue(r.Ticket, class)
	r.ctx = context.WithValue(ctx, admission.Key{}, r.Ticket)
	return r
}

func small() *admission.Controller {
	return admission.New(map[admission.Class]admission.Limits{
		admission.Memory: {Places: 100, Queue: 0, Wait: 0},
		admission.Read:   {Places: 2, Queue: 3, Wait: time.Second},
		admission.Load:   {Places: 1, Queue: 0, Wait: 0},
	})
}

// What finds no place and no room in the queue is refused at once; who waits gets the place of who leaves, or is
// refused after the wait.
func TestPlacesAndQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := small()
		holders := []request{requestOf(c, admission.Read), requestOf(c, admission.Read)}
		for _, h := range holders {
			require.NoError(t, h.Begin(h.ctx))
			require.NoError(t, admission.Use(h.ctx))
			require.NoError(t, admission.Use(h.ctx), "one place for all its statements")
		}
		results := make(chan error, 3)
		for range 3 {
			go func() {
				r := requestOf(c, admission.Read)
				results <- admission.Use(r.ctx)
			}()
		}
		synctest.Wait()
		require.Equal(t, admission.State{Places: 2, Held: 2, Queued: 3}, c.State(admission.Read))
		late := requestOf(c, admission.Read)
		require.ErrorIs(t, admission.Use(late.ctx), errno.ErrBusy, "at once, since the clock stands still")
		require.ErrorIs(t, admission.Use(late.ctx), errno.ErrBusy)
		holders[0].End()
		require.NoError(t, <-results)
		time.Sleep(time.Second)
		require.ErrorIs(t, <-results, errno.ErrBusy)
		require.ErrorIs(t, <-results, errno.ErrBusy)
		require.Equal(t, admission.State{Places: 2, Held: 2, Refused: 3}, c.State(admission.Read))
	})
}

// A request is in one class at a time: those that use the database leave room for pages from memory.
func TestARequestMovesToItsClass(t *testing.T) {
	c := small()
	r := requestOf(c, admission.Read)
	require.NoError(t, r.Begin(r.ctx))
	require.Equal(t, 1, c.State(admission.Memory).Held)
	require.NoError(t, admission.Use(r.ctx))
	require.Equal(t, 0, c.State(admission.Memory).Held)
	require.Equal(t, 1, c.State(admission.Read).Held)
	r.Leave() // its client is sending the body
	require.Equal(t, 0, c.State(admission.Read).Held)
	require.NoError(t, r.Begin(r.ctx))
	require.Equal(t, 1, c.State(admission.Memory).Held)
	require.NoError(t, admission.Use(r.ctx))
	require.Equal(t, 1, c.State(admission.Read).Held)
	r.End()
	require.NoError(t, admission.Use(r.ctx), "what it left behind needs no place")
	for _, class := range admission.Classes() {
		require.Equal(t, 0, c.State(class).Held, class)
	}
}

func TestWhoLeavesStopsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := small()
		for range 2 {
			require.NoError(t, admission.Use(requestOf(c, admission.Read).ctx))
		}
		gone := requestOf(c, admission.Read)
		result := make(chan error)
		go func() { result <- admission.Use(gone.ctx) }()
		synctest.Wait()
		gone.cancel()
		require.ErrorIs(t, <-result, context.Canceled)
		require.Equal(t, admission.State{Places: 2, Held: 2}, c.State(admission.Read), "nobody was refused")

		slow := requestOf(c, admission.Read)
		ctx, cancel := context.WithTimeout(slow.ctx, 100*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, admission.Use(ctx), errno.ErrBusy, "a deadline in the queue is no internal error")
	})
}

// Work in the background has places of its own, also once its request has ended.
func TestBackground(t *testing.T) {
	c := small()
	r := requestOf(c, admission.Read)
	first, end := admission.Background(r.ctx)
	r.End()
	require.NoError(t, admission.Use(first))
	require.Equal(t, 1, c.State(admission.Load).Held)
	second, endSecond := admission.Background(r.ctx)
	defer endSecond()
	require.ErrorIs(t, admission.Use(second), errno.ErrBusy)
	require.True(t, admission.Beside(r.ctx))
	end()
	require.False(t, admission.Beside(r.ctx))
	plain, end := admission.Background(t.Context())
	defer end()
	require.NoError(t, admission.Use(plain), "no request, no ticket")
}

// Never more than the places, whatever ends while others begin.
func TestNeverMoreThanThePlaces(t *testing.T) {
	c := admission.New(map[admission.Class]admission.Limits{admission.Write: {Places: 3, Queue: 100, Wait: time.Minute}})
	var wg sync.WaitGroup
	var mu sync.Mutex
	now, most := 0, 0
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		now += by
		most = max(most, now)
	}
	for range 50 {
		wg.Go(func() {
			for range 50 {
				r := requestOf(c, admission.Write)
				var parallel sync.WaitGroup
				for range 2 { // statements of one request
					parallel.Go(func() {
						if err := admission.Use(r.ctx); err != nil {
							t.Error(err)
						}
					})
				}
				parallel.Wait()
				count(1)
				count(-1)
				r.End()
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, most, 3)
	require.Equal(t, admission.State{Places: 3}, c.State(admission.Write))
}

// full is a class without room, whose refusals are held, and a request that it has just let in.
func full() (*admission.Controller, request) {
	c := admission.New(map[admission.Class]admission.Limits{admission.Write: {Places: 1, Wait: time.Second, Hold: true}})
	return c, requestOf(c, admission.Write)
}

// What the queue has no room for is refused after the wait, since its client asks again at once.
func TestARefusalIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, first := full()
		require.NoError(t, admission.Use(first.ctx))
		began := time.Now()
		require.ErrorIs(t, admission.Use(requestOf(c, admission.Write).ctx), errno.ErrBusy)
		require.Equal(t, time.Second, time.Since(began))
		require.Equal(t, admission.State{Places: 1, Held: 1, Refused: 1}, c.State(admission.Write))
		require.Zero(t, c.Delayed())

		slow := requestOf(c, admission.Write)
		ctx, cancel := context.WithTimeout(slow.ctx, 100*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, admission.Use(ctx), errno.ErrBusy)
		require.Equal(t, 1100*time.Millisecond, time.Since(began), "no longer than its deadline")
	})
}

// Who leaves is held no longer, nor is anybody once the process stops.
func TestTheHeldLeaveAndStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, first := full()
		require.NoError(t, admission.Use(first.ctx))
		began := time.Now()
		gone, stays := requestOf(c, admission.Write), requestOf(c, admission.Write)
		left, stopped := make(chan error), make(chan error)
		go func() { left <- admission.Use(gone.ctx) }()
		go func() { stopped <- admission.Use(stays.ctx) }()
		synctest.Wait()
		require.Equal(t, 2, c.Delayed())
		gone.cancel()
		require.ErrorIs(t, <-left, context.Canceled)
		c.Stop()
		c.Stop()
		require.ErrorIs(t, <-stopped, errno.ErrBusy)
		require.ErrorIs(t, admission.Use(requestOf(c, admission.Write).ctx), errno.ErrBusy)
		require.Equal(t, began, time.Now())
		require.Zero(t, c.Delayed())
	})
}

// The requests that are held take memory, so there is a bound.
func TestTheHeldAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, first := full()
		require.NoError(t, admission.Use(first.ctx))
		results := make(chan error, admission.MaxHeld)
		for range admission.MaxHeld {
			go func() { results <- admission.Use(requestOf(c, admission.Write).ctx) }()
		}
		synctest.Wait()
		began := time.Now()
		require.ErrorIs(t, admission.Use(requestOf(c, admission.Write).ctx), errno.ErrBusy)
		require.Equal(t, began, time.Now(), "at once")
		require.Equal(t, admission.MaxHeld, c.Delayed())
		for range admission.MaxHeld {
			require.ErrorIs(t, <-results, errno.ErrBusy)
		}
	})
}
