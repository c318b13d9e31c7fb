package job_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/job"
)

// bench is a job on the table of leases: due are rows with a fence below 100, oldest first.
type bench struct {
	t    *testing.T
	db   *db.DB
	now  time.Time
	all  *job.Failures
	told []job.Failure
	// broken are the rows that fail, with their errors; tried are those that were handled.
	broken map[int64]error
	tried  []int64
}

func openBench(t *testing.T, rows int) *bench {
	t.Helper()
	b := &bench{t: t, db: dbtest.Open(t), now: time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC), broken: map[int64]error{}}
	for i := range rows {
		require.NoError(t, dbtest.Exec(t.Context(), b.db, "INSERT INTO job_lease (name, fence, lease_until) VALUES (?, ?, ?)",
			fmt.Sprintf("row%04d", i+1), i+1, b.now))
	}
	b.all = job.NewFailures(b.db, func() time.Time { return b.now })
	b.all.OnRepeated(func(_ context.Context, _ *db.Tx, f job.Failure) error {
		b.told = append(b.told, f)
		return nil
	})
	return b
}

// each runs the job on at most two rows.
func (b *bench) each() (int, error) {
	b.tried = nil
	return b.all.Each(b.t.Context(), job.Batch{
		Job: "count", Key: "job_lease.fence",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) (ids []int64, err error) {
			err = table.Scan(ctx, q, &ids, "SELECT fence FROM job_lease WHERE fence < 100 AND ? ORDER BY fence LIMIT 2", ready)
			return ids, err
		},
		Handle: func(ctx context.Context, id int64) error {
			b.tried = append(b.tried, id)
			if err := b.broken[id]; err != nil {
				return err
			}
			return dbtest.Exec(ctx, b.db, "UPDATE job_lease SET fence = fence + 100 WHERE fence = ?", id)
		},
	})
}

func (b *bench) list() []job.Failure {
	b.t.Helper()
	all, err := b.all.List(b.t.Context(), 10)
	require.NoError(b.t, err)
	return all
}

// Rows that always fail are retried once at once, then set aside so that they block no others.
func TestFailingRowsHoldUpNoOthers(t *testing.T) {
	t.Parallel()
	b := openBench(t, 4)
	down := errors.New("down")
	b.broken[1], b.broken[2] = down, down
	for range 2 {
		done, err := b.each()
		require.ErrorIs(t, err, down)
		require.Zero(t, done)
		require.Equal(t, []int64{1, 2}, b.tried)
	}
	done, err := b.each()
	require.NoError(t, err)
	require.Equal(t, 2, done)
	require.Equal(t, []int64{3, 4}, b.tried)
	require.Len(t, b.list(), 2)
	require.Equal(t, job.Failure{
		Job: "count", RowID: 1, Tries: 2, RetryTime: b.now.Add(time.Minute), LastError: "down", AddTime: b.now,
	}, b.list()[0])
	b.now = b.now.Add(time.Minute)
	delete(b.broken, 1)
	_, err = b.each()
	require.ErrorIs(t, err, down)
	require.Equal(t, []int64{1, 2}, b.tried)
	require.Equal(t, int64(2), b.list()[0].RowID, "what was handled is forgotten")
}

// The pauses grow to a day, and operators are notified once.
func TestPausesOfARow(t *testing.T) {
	t.Parallel()
	b := openBench(t, 1)
	b.broken[1] = errors.New("down")
	var pauses []time.Duration
	for range 10 {
		_, err := b.each()
		require.Error(t, err)
		pause := b.list()[0].RetryTime.Sub(b.now)
		if pause > 0 {
			b.now = b.now.Add(pause - time.Millisecond)
			_, err = b.each()
			require.NoError(t, err)
			require.Empty(t, b.tried, "set aside")
			b.now = b.now.Add(time.Millisecond)
		}
		pauses = append(pauses, pause)
	}
	const m = time.Minute
	require.Equal(t, []time.Duration{0, m, 4 * m, 16 * m, 64 * m, 256 * m, 1024 * m, 24 * 60 * m, 24 * 60 * m, 24 * 60 * m}, pauses)
	require.Len(t, b.told, 1)
	require.Equal(t, 4, b.told[0].Tries)
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		ok, err := b.all.Retry(t.Context(), tx, "count", 1)
		require.True(t, ok)
		return err
	}))
	_, err := b.each()
	require.Error(t, err)
	require.Equal(t, []int64{1}, b.tried, "due again at once")
}

// A row that moved concurrently is no failure; one that is refused is, but only broken rows are reported.
func TestMovedAndRefusedRows(t *testing.T) {
	t.Parallel()
	b := openBench(t, 2)
	b.broken[1], b.broken[2] = fmt.Errorf("shipped: %w", job.ErrMoved), errno.Stale
	done, err := b.each()
	require.NoError(t, err)
	require.Zero(t, done)
	require.Len(t, b.list(), 1)
	require.Equal(t, int64(2), b.list()[0].RowID)
	b.broken[2] = job.ErrMoved
	_, err = b.each()
	require.NoError(t, err)
	require.Empty(t, b.list(), "it is due no longer")
}

// A failure whose row is no longer due is kept for two days after its time.
func TestPurgeFailures(t *testing.T) {
	t.Parallel()
	b := openBench(t, 1)
	b.broken[1] = errors.New("down")
	_, err := b.each()
	require.Error(t, err)
	b.now = b.now.Add(48 * time.Hour)
	n, err := b.all.Purge(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	b.now = b.now.Add(time.Millisecond)
	n, err = b.all.Purge(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Empty(t, b.list())
}
