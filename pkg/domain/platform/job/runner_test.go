package job_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/job"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// Three replicas run one job; at any moment at most one of them works.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var working, most, runs atomic.Int64
	j := job.Job{Name: "checkOrderUnpaid", Every: time.Millisecond, Run: func(context.Context) (int, error) {
		if n := working.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(2 * time.Millisecond) // lasts: the work of the job
		working.Add(-1)
		if runs.Add(1) == 30 {
			stop()
		}
		return 0, nil
	}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { _ = job.NewRunner(d, quiet(), 0, j).Run(ctx) })
	}
	wg.Wait()
	require.Equal(t, int64(1), most.Load())
	require.GreaterOrEqual(t, runs.Load(), int64(30))
}

func TestTakeOver(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	runs := 0
	j := job.Job{Name: "outbox", Every: time.Second, Run: func(context.Context) (int, error) { runs++; return 0, nil }}
	exec := func(sql string) { require.NoError(t, d.G(t.Context()).Exec(sql).Error) }
	exec("INSERT INTO job_lease (name, holder, fence, lease_until) " +
		"VALUES ('outbox', 'dead', 4, UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)")

	_, err := job.NewRunner(d, quiet(), 0, j).Once(t.Context(), j)
	require.NoError(t, err)
	require.Zero(t, runs, "another process holds the lease")

	exec("UPDATE job_lease SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND")
	_, err = job.NewRunner(d, quiet(), 0, j).Once(t.Context(), j)
	require.NoError(t, err)
	require.Equal(t, 1, runs, "its lease has ended")
	var fence int64
	require.NoError(t, d.G(t.Context()).Raw("SELECT fence FROM job_lease").Scan(&fence).Error)
	require.Equal(t, int64(5), fence)
}

// A job whose holder died is taken over when the lease ends, however long its period is.
func TestTakeOverBeforeTheNextPeriod(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ran := false
	j := job.Job{Name: "purge", Every: time.Hour, Run: func(context.Context) (int, error) { ran = true; cancel(); return 0, nil }}
	require.NoError(t, d.G(ctx).Exec("INSERT INTO job_lease (name, holder, fence, lease_until) "+
		"VALUES ('purge', 'dead', 1, UTC_TIMESTAMP(3) + INTERVAL 300000 MICROSECOND)").Error)
	require.NoError(t, job.NewRunner(d, quiet(), 200*time.Millisecond, j).Run(ctx))
	require.True(t, ran)
}

func TestBatchesGoOnWhileThereIsWork(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	left := 5
	j := job.Job{Name: "purge", Every: time.Hour, Run: func(context.Context) (int, error) {
		if left == 0 {
			return 0, errors.New("nothing left")
		}
		left--
		return 1, nil
	}}
	changed, err := job.NewRunner(d, quiet(), 0, j).Once(t.Context(), j)
	require.ErrorContains(t, err, "nothing left")
	require.Equal(t, 5, changed)
}

// A record that always fails does not end a run: the job continues while it changes others, and reports the failure.
func TestFailuresHoldUpNothing(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	left := 5
	broken := errors.New("a record that cannot be handled")
	j := job.Job{Name: "checkOrderUnpaid", Every: time.Hour, Run: func(context.Context) (int, error) {
		if left == 0 {
			return 0, broken
		}
		left--
		return 1, broken
	}}
	changed, err := job.NewRunner(d, quiet(), 0, j).Once(t.Context(), j)
	require.ErrorIs(t, err, broken)
	require.Equal(t, 5, changed)
	require.Zero(t, left)
}

// A process that stops while it takes a lease waits for the answer, and then gives the lease up. Otherwise the database, which may
// be late, would execute the statements in the other order, and nobody would run the job until the end of the lease.
func TestALeaseThatIsTakenDuringTheStopIsGivenUp(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	j := job.Job{Name: "outbox", Every: time.Second, Run: func(context.Context) (int, error) { return 0, nil }}
	r := job.NewRunner(d, quiet(), time.Minute, j)
	_, err := r.Once(t.Context(), j)
	require.NoError(t, err)
	held, err := d.SQL().BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = held.ExecContext(t.Context(), "SELECT fence FROM job_lease WHERE name = 'outbox' FOR UPDATE")
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := r.Once(ctx, j)
		ended <- err
	}()
	count := func(query string, values ...any) (n int64) {
		require.NoError(t, d.G(t.Context()).Raw(query, values...).Scan(&n).Error)
		return n
	}
	waiting := func(statement string) int64 {
		return count("SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE ? "+
			"AND id <> CONNECTION_ID()", statement)
	}
	require.Eventually(t, func() bool { return waiting("%UPDATE job_lease%SET fence%") == 1 }, 20*time.Second, 10*time.Millisecond)
	stop()
	time.Sleep(200 * time.Millisecond) // lasts: one that did not wait for the answer would give the lease up meanwhile
	require.Zero(t, waiting("%last_note%"))
	require.NoError(t, held.Rollback())
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Zero(t, count("SELECT COUNT(*) FROM job_lease WHERE lease_until > UTC_TIMESTAMP(3)"))
}
