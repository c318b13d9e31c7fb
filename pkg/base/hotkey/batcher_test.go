package hotkey_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/hotkey"
)

// hold returns a Batcher whose batches wait for a word before they end, and what they contained.
func hold(l hotkey.Limits) (g *hotkey.Batcher[int], proceed chan struct{}, batches func() [][]int) {
	var mu sync.Mutex
	var all [][]int
	proceed = make(chan struct{})
	g = hotkey.NewBatcher(l, func(batch []int) {
		mu.Lock()
		all = append(all, batch)
		mu.Unlock()
		<-proceed
	})
	return g, proceed, func() [][]int {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

var few = hotkey.Limits{Queue: 3, Batch: 2, Wait: 2 * time.Millisecond}

// The first request of a key waits for others; those that come during a batch form the next ones, in their order.
func TestBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, proceed, batches := hold(few)
		var ended sync.WaitGroup
		do := func(key int64, value int) {
			ended.Go(func() { require.NoError(t, g.Do(t.Context(), key, value)) })
			synctest.Wait()
		}
		do(1, 1)
		require.Empty(t, batches(), "it waits for another")
		do(1, 2)
		require.Equal(t, [][]int{{1, 2}}, batches(), "a full batch waits for nothing")
		do(2, 9)
		time.Sleep(few.Wait)
		synctest.Wait()
		require.Equal(t, [][]int{{1, 2}, {9}}, batches(), "another key does not wait for the first, and a lonely one not for long")
		do(1, 3)
		do(1, 4)
		do(1, 5)
		require.ErrorIs(t, g.Do(t.Context(), 1, 6), hotkey.ErrFull)
		close(proceed)
		ended.Wait()
		require.Equal(t, [][]int{{1, 2}, {9}, {3, 4}, {5}}, batches())
		require.Equal(t, hotkey.State{Queued: 0, Batches: 4, Handled: 6, Refused: 1}, g.State())
	})
}

// A caller that leaves takes its request along, unless that has begun.
func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, proceed, batches := hold(few)
		ctx, leave := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		ended.Go(func() { require.ErrorIs(t, g.Do(ctx, 1, 1), context.Canceled) })
		time.Sleep(few.Wait)
		synctest.Wait()
		ended.Go(func() { require.ErrorIs(t, g.Do(ctx, 1, 2), context.Canceled) })
		synctest.Wait()
		ended.Go(func() { require.NoError(t, g.Do(t.Context(), 1, 3)) })
		synctest.Wait()
		leave()
		synctest.Wait()
		close(proceed)
		ended.Wait()
		require.Equal(t, [][]int{{1}, {3}}, batches())
	})
}

// Close waits for what was accepted, and accepts nothing else.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, proceed, batches := hold(hotkey.Limits{Queue: 3, Batch: 2, Wait: time.Hour})
		var ended sync.WaitGroup
		ended.Go(func() { require.NoError(t, g.Do(t.Context(), 1, 1)) })
		synctest.Wait()
		closed := make(chan struct{})
		go func() { g.Close(); close(closed) }()
		synctest.Wait()
		require.Equal(t, [][]int{{1}}, batches(), "it does not wait for others any more")
		require.ErrorIs(t, g.Do(t.Context(), 1, 2), hotkey.ErrClosed)
		select {
		case <-closed:
			t.Fatal("closed before the batch ended")
		default:
		}
		close(proceed)
		<-closed
		ended.Wait()
		g.Close()
	})
}
