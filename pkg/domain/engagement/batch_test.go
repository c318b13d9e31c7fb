package engagement_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// inBatches runs WriteBatches until the returned function is called.
func inBatches(t *testing.T, s *engagement.Service) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.WriteBatches(ctx, slog.New(slog.DiscardHandler))
	}()
	begun := func() bool { return engagement.Batching(s) }
	require.Eventually(t, begun, 20*time.Second, time.Millisecond)
	return func() {
		cancel()
		<-done
	}
}

// What shoppers look at and search for is counted once each, and none of it is lost when the service stops.
func TestGather(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := keeper(d, time.Now)
	stop := inBatches(t, s)
	var wg sync.WaitGroup
	const shoppers, views = 20, 30
	for shopper := range shoppers {
		wg.Go(func() {
			for i := range views {
				_ = s.SeeGoods(t.Context(), int64(shopper+1), int64(i%3+1))
				_ = s.Remember(t.Context(), int64(shopper+1), fmt.Sprint("tea", i%2))
			}
		})
	}
	wg.Wait()
	stop()
	require.EqualValues(t, shoppers*views, read[int64](t, d, "SELECT SUM(view_count) FROM footprint"))
	require.EqualValues(t, shoppers*3, read[int64](t, d, "SELECT COUNT(*) FROM footprint"))
	require.EqualValues(t, shoppers*views, read[int64](t, d, "SELECT SUM(times) FROM search_history"))
	require.NoError(t, s.SeeGoods(t.Context(), 1, 1)) // written at once
	require.EqualValues(t, shoppers*views+1, read[int64](t, d, "SELECT SUM(view_count) FROM footprint"))
}

// Shoppers see what they just did.
func TestGatheredTracesAreShown(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	require.NoError(t, dbtest.Exec(t.Context(), d, `INSERT INTO goods (id, goods_sn, name, add_time, update_time)
		VALUES (1, 'a', 'tea', NOW(3), NOW(3))`))
	s := keeper(d, time.Now)
	defer inBatches(t, s)()
	for range 3 {
		require.NoError(t, s.SeeGoods(t.Context(), 7, 1))
		require.NoError(t, s.Remember(t.Context(), 7, "tea"))
		list, err := s.Footprints(t.Context(), 7, page.Query{Page: 1, Limit: 10, Sort: "add_time", Desc: true})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		searches, err := s.Searches(t.Context(), 7, 10)
		require.NoError(t, err)
		require.Len(t, searches, 1)
		require.NoError(t, s.ForgetSearches(t.Context(), 7))
	}
	require.EqualValues(t, 3, read[int64](t, d, "SELECT view_count FROM footprint"))
}

// A shopper does not wait for the traces of others that are being written, and waits for their own no longer than the
// request lasts.
func TestNobodyWaitsForTheTracesOfOthers(t *testing.T) {
	t.Parallel()
	through, freeze := dbtest.Freezable(t, dbtest.DSN(t))
	frozen, err := db.Open(db.Options{DSN: through})
	require.NoError(t, err)
	t.Cleanup(func() { _ = frozen.Close() })
	s := keeper(frozen, time.Now)
	stop := inBatches(t, s)
	defer stop()
	thaw := freeze()
	require.NoError(t, s.Remember(t.Context(), 7, "tea"))
	require.True(t, engagement.Pending(s, 7))
	require.False(t, engagement.Pending(s, 8), "which would make shopper 8 wait")
	time.Sleep(500 * time.Millisecond) // lasts: the database hangs while the batch is written
	require.True(t, engagement.Pending(s, 7))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.Searches(ctx, 7, 10)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	thaw()
	searches, err := s.Searches(t.Context(), 7, 10)
	require.NoError(t, err)
	require.Len(t, searches, 1)
}
