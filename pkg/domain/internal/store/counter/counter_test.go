package counter_test

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/lag"
	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

func exec(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	require.NoError(t, dbtest.Exec(t.Context(), d, statement, args...))
}

func words(t *testing.T, d *db.DB, n int) {
	t.Helper()
	for range n {
		exec(t, d, "INSERT INTO keyword (keyword, add_time, update_time) VALUES ('x', '2030-01-01', '2030-01-01')")
	}
}

func all(large int64) counter.Count {
	return counter.Count{Scope: "keyword:all", From: "keyword WHERE id > ?", Args: []any{0}, Large: large}
}

func ask(t *testing.T, d *db.DB, counts ...counter.Count) []counter.Total {
	t.Helper()
	totals, err := counter.Totals(t.Context(), d, counts...)
	require.NoError(t, err)
	return totals
}

func TestFewAreCountedEachTime(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	words(t, d, 3)
	none := counter.Count{Scope: "keyword:none", From: "keyword WHERE id < 0"}
	require.Equal(t, []counter.Total{{N: 3}, {N: 0}}, ask(t, d, all(4), none))
	words(t, d, 1)
	ctx, sent := db.WithCounter(t.Context())
	totals, err := counter.Totals(ctx, d, none, all(5))
	require.NoError(t, err)
	require.Equal(t, []counter.Total{{N: 0}, {N: 4}}, totals)
	require.Equal(t, 1, sent.Count())
}

func TestManyAreKept(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	words(t, d, 3)
	require.Equal(t, []counter.Total{{N: 3}}, ask(t, d, all(2)))
	words(t, d, 1)
	require.Equal(t, []counter.Total{{N: 3, Cached: true}}, ask(t, d, all(2)))
	exec(t, d, "UPDATE list_counter SET refresh_time = refresh_time - INTERVAL 31 SECOND")
	require.Equal(t, []counter.Total{{N: 4}}, ask(t, d, all(2)))
	require.Equal(t, []counter.Total{{N: 4, Cached: true}}, ask(t, d, all(2)))
}

// Of the callers that find a total due, one counts; the others use the old total.
func TestOneCountsAnew(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	words(t, d, 3)
	ask(t, d, all(2))
	words(t, d, 1)
	exec(t, d, "UPDATE list_counter SET refresh_time = refresh_time - INTERVAL 25 SECOND")
	seen, wait := make([]counter.Total, 8), sync.WaitGroup{}
	for i := range seen {
		wait.Go(func() {
			totals, err := counter.Totals(t.Context(), d, all(2))
			if err == nil {
				seen[i] = totals[0]
			}
		})
	}
	wait.Wait()
	counted := 0
	for _, total := range seen {
		if !total.Cached {
			counted++
			require.EqualValues(t, 4, total.N)
		}
	}
	require.Equal(t, 1, counted)
	require.Equal(t, []counter.Total{{N: 4, Cached: true}}, ask(t, d, all(2)))
}

// A caller that claims a count and dies blocks nobody for long.
func TestDeadClaim(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	words(t, d, 3)
	ask(t, d, all(2))
	words(t, d, 1)
	exec(t, d, "UPDATE list_counter SET refresh_time = refresh_time - INTERVAL 21 SECOND")
	exec(t, d, "INSERT INTO list_counter (scope, total, refresh_time) VALUES ('claim:keyword:all', 0, UTC_TIMESTAMP(3))")
	require.True(t, ask(t, d, all(2))[0].Cached)
	exec(t, d, "UPDATE list_counter SET refresh_time = refresh_time - INTERVAL 6 SECOND WHERE scope LIKE 'claim:%'")
	require.Equal(t, []counter.Total{{N: 4}}, ask(t, d, all(2)))
}

// What is stored for everybody is counted on the primary, also if a replica has answered, which may lack rows.
func TestNothingThatLagsIsKept(t *testing.T) {
	t.Parallel()
	copied := dbtest.DSN(t)
	replica, err := db.Open(db.Options{DSN: copied})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, replica.Close()) })
	d, err := db.Open(db.Options{DSN: dbtest.DSN(t), Replicas: db.Replicas{
		DSNs: []string{copied}, MaxLag: time.Minute, Clock: time.Now,
	}})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		d.WatchReplicas(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-watched
		require.NoError(t, d.Close())
	})
	exec(t, replica, "INSERT INTO replica_beat (id, beat) VALUES (1, ?)", int64(math.MaxInt64)) // as if it had everything
	require.Eventually(t, func() bool { return d.ReplicaState(0).Serves }, time.Minute, 20*time.Millisecond)
	words(t, d, 3)
	words(t, replica, 2)
	lagging := func(large int64) []counter.Total {
		totals, err := counter.Totals(lag.Allow(t.Context(), nil), d, all(large))
		require.NoError(t, err)
		return totals
	}
	require.Equal(t, []counter.Total{{N: 2}}, lagging(3), "few are counted by the replica")
	require.Equal(t, []counter.Total{{N: 3, Cached: true}}, lagging(2))
	require.Equal(t, []counter.Total{{N: 3, Cached: true}}, ask(t, d, all(2)), "stored")
	require.Equal(t, []counter.Total{{N: 2}}, lagging(2), "another one has just counted")
	require.Equal(t, []counter.Total{{N: 3, Cached: true}}, ask(t, d, all(2)))
}

func TestEachStopsCounting(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	words(t, d, 4)
	exec(t, d, "UPDATE keyword SET sort_order = 7 WHERE id > 1")
	exec(t, d, "UPDATE keyword SET sort_order = 8 WHERE id = 1")
	ctx, sent := db.WithCounter(t.Context())
	got, err := counter.Each(ctx, d, 2, "keyword WHERE sort_order = ?", []int{7, 8, 9})
	require.NoError(t, err)
	require.Equal(t, map[int]int64{7: 2, 8: 1, 9: 0}, got)
	require.Equal(t, 1, sent.Count())
}
