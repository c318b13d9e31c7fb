package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Failure is a row that a job could not handle. It is set aside until RetryTime, so that rows that always fail do not
// hold up others.
type Failure struct {
	// Job is the job's name, followed by a dot and a word if the job handles rows of several tables.
	Job   string `gorm:"primaryKey"`
	RowID int64  `gorm:"primaryKey;autoIncrement:false"`
	// Tries counts the failures since the row was last handled.
	Tries     int
	RetryTime time.Time
	// LastError is the cause, at most 255 characters.
	LastError string
	// AddTime is the time of the first failure.
	AddTime time.Time
}

var failures = table.Of[Failure]("job_failure",
	table.RefersToNone("row_id", "a row of the table that the job reads"),
)

const (
	// firstPause is the interval after the second failure. After the first, which is often transient, the row is retried
	// at once.
	firstPause = time.Minute
	// maxPause is the longest interval; each is four times the previous one.
	maxPause = 24 * time.Hour
	// repeated is the failure at which operators are notified.
	repeated = 4
	// forgotten is how long after its retry time a failure is kept whose row no job has found again: it is no longer due.
	forgotten = 2 * maxPause
	// purgedFailures bounds the failures that one batch removes.
	purgedFailures = 5000
)

// ErrMoved is returned by the handler of a row that is no longer due.
var ErrMoved = errors.New("the row is no longer due")

// MovedUnless is the result of a handler after a conditional update: ErrMoved if it matched no row.
func MovedUnless(found bool, err error) error {
	if err == nil && !found {
		return ErrMoved
	}
	return err
}

// Unfinished is returned by the handler of a row that was claimed and whose own columns say when it is due again. The
// row counts as handled and is not set aside; cause is only reported.
func Unfinished(cause error) error { return unfinishedError{cause} }

type unfinishedError struct{ cause error }

func (e unfinishedError) Error() string { return e.cause.Error() }
func (e unfinishedError) Unwrap() error { return e.cause }

// Failures stores the rows that jobs could not handle.
type Failures struct {
	db         *db.DB
	now        func() time.Time
	onRepeated func(ctx context.Context, tx *db.Tx, f Failure) error
}

// NewFailures returns the failures in a database.
func NewFailures(d *db.DB, now func() time.Time) *Failures {
	return &Failures{db: d, now: now, onRepeated: func(context.Context, *db.Tx, Failure) error { return nil }}
}

// OnRepeated registers a function that is called once for a row that has failed several times, in the transaction that
// records it.
func (f *Failures) OnRepeated(fn func(ctx context.Context, tx *db.Tx, f Failure) error) {
	f.onRepeated = fn
}

// Batch is one batch of rows that are handled one by one.
type Batch struct {
	// Job names the work as in Failure.
	Job string
	// Key is the column of the row's id in the query of Find, for ready; empty if Find does not use ready.
	Key string
	// Find finds due rows. ready is a condition for its query that excludes the rows set aside.
	Find func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error)
	// Max bounds the rows handled if Find does not, 0 for all.
	Max int
	// Handle handles one row in a transaction of its own. Any error except ErrMoved and Unfinished
	// sets the row aside.
	Handle func(ctx context.Context, id int64) error
	// Workers is how many rows are handled at once, 0 for one after the other in the order of Find.
	Workers int
}

// Each handles the rows of a batch until ctx ends, and returns how many. A row that fails does not stop the others. It
// returns the last error with errno.Internal, since other codes mean that a row was not as it was found, and the last
// Unfinished.
func (f *Failures) Each(ctx context.Context, b Batch) (done int, failed error) {
	ids, err := b.Find(ctx, f.db, ready(b.Job, b.Key, f.now()))
	if err != nil {
		return 0, fmt.Errorf("find the rows of %s: %w", b.Job, err)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	r := run{f: f, Batch: b}
	if r.known, err = failuresOf(ctx, f.db, b.Job, ids); err != nil {
		return 0, fmt.Errorf("find the failures of %s: %w", b.Job, err)
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { return r.known[id].RetryTime.After(f.now()) })
	if b.Max > 0 && len(ids) > b.Max {
		ids = ids[:b.Max]
	}
	r.handleAll(ctx, ids)
	if _, err := forget(ctx, f.db, b.Job, r.over); err != nil {
		r.failed = errors.Join(r.failed, fmt.Errorf("forget the failures of %s: %w", b.Job, err))
	}
	return r.done, errors.Join(r.failed, r.unfinished)
}

// run is the progress of a batch.
type run struct {
	Batch

	f *Failures
	// known are the failures of the rows, over those that are resolved.
	known map[int64]Failure

	mu                 sync.Mutex
	done               int
	over               []int64
	failed, unfinished error
}

// handleAll handles rows with the workers of the batch, and returns when all of them have ended.
func (r *run) handleAll(ctx context.Context, ids []int64) {
	var workers sync.WaitGroup
	var next atomic.Int64
	var panicked atomic.Value
	for range max(1, r.Workers) {
		workers.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(fmt.Sprintf("%v\n%s", p, debug.Stack()))
				}
			}()
			for i := int(next.Add(1)) - 1; i < len(ids) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				r.handle(ctx, ids[i])
			}
		})
	}
	workers.Wait()
	if p := panicked.Load(); p != nil {
		panic(p) // for the runner of the job
	}
}

// handle handles one row.
func (r *run) handle(ctx context.Context, id int64) {
	before, again := r.known[id]
	err := r.Handle(ctx, id)
	later, unfinished := errors.AsType[unfinishedError](err)
	if unfinished {
		err = nil
	}
	failed := r.f.failed(ctx, r.Job, id, before, err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if unfinished {
		r.unfinished = later.cause
	}
	if err == nil {
		r.done++
	}
	if again && (err == nil || errors.Is(err, ErrMoved)) {
		r.over = append(r.over, id)
	}
	r.failed = cmp.Or(failed, r.failed)
}

// failed sets a row aside after a failure, and returns the error for the job's result.
func (f *Failures) failed(ctx context.Context, job string, id int64, before Failure, cause error) error {
	if cause == nil || errors.Is(cause, ErrMoved) || ctx.Err() != nil {
		return nil
	}
	now := f.now()
	next := Failure{
		Job: job, RowID: id, Tries: before.Tries + 1, LastError: fmt.Sprintf("%.255s", cause), AddTime: before.AddTime,
	}
	if before.Tries == 0 {
		next.AddTime = now
	}
	next.RetryTime = now.Add(pause(next.Tries))
	err := f.db.InTx(ctx, func(tx *db.Tx) error {
		if err := saveFailure(ctx, tx, next); err != nil || next.Tries != repeated {
			return err
		}
		return f.onRepeated(ctx, tx, next)
	})
	if err != nil {
		return fmt.Errorf("set %s %d aside: %w", job, id, err)
	}
	if errno.Of(cause) != errno.Internal {
		return nil
	}
	return fmt.Errorf("%s %d: %w", job, id, cause)
}

// pause is the interval after so many failures.
func pause(tries int) time.Duration {
	if tries < 2 {
		return 0
	}
	return min(firstPause<<(2*min(tries-2, 10)), maxPause)
}

// List returns at most limit failures, oldest first.
func (f *Failures) List(ctx context.Context, limit int) ([]Failure, error) {
	all, err := failures.Find(ctx, f.db, "TRUE ORDER BY r.add_time, r.job, r.row_id LIMIT ?", limit)
	if err != nil {
		return nil, fmt.Errorf("list the failures of jobs: %w", err)
	}
	return all, nil
}

// Retry makes a failed row due again. It reports whether there was one.
func (f *Failures) Retry(ctx context.Context, tx *db.Tx, job string, id int64) (bool, error) {
	n, err := forget(ctx, tx, job, []int64{id})
	if err != nil {
		return false, fmt.Errorf("retry %s %d: %w", job, id, err)
	}
	return n == 1, nil
}

// Purge deletes a batch of failures whose rows are no longer due, and returns how many.
func (f *Failures) Purge(ctx context.Context) (int, error) {
	n, err := forgetBefore(ctx, f.db, f.now().Add(-forgotten), purgedFailures)
	if err != nil {
		return 0, fmt.Errorf("purge the failures of jobs: %w", err)
	}
	return n, nil
}

// ready is the condition of a query that excludes the rows set aside.
func ready(job, key string, now time.Time) clause.Expr {
	return gorm.Expr("NOT EXISTS (SELECT 1 FROM job_failure aside WHERE aside.job = ? AND aside.row_id = "+key+
		" AND aside.retry_time > ?)", job, now)
}

func failuresOf(ctx context.Context, q db.Querier, job string, ids []int64) (map[int64]Failure, error) {
	found, err := failures.Find(ctx, q, "r.job = ? AND r.row_id IN ?", job, ids)
	byID := make(map[int64]Failure, len(found))
	for _, f := range found {
		byID[f.RowID] = f
	}
	return byID, err
}

func saveFailure(ctx context.Context, tx *db.Tx, f Failure) error {
	_, err := failures.Upsert(ctx, tx, f,
		"tries = VALUES(tries), retry_time = VALUES(retry_time), last_error = VALUES(last_error)")
	return err
}

func forget(ctx context.Context, q db.Querier, job string, ids []int64) (int64, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	return failures.Delete(ctx, q, "job = ? AND row_id IN ?", job, ids)
}

func forgetBefore(ctx context.Context, q db.Querier, due time.Time, limit int) (int, error) {
	n, err := failures.Delete(ctx, q, "retry_time < ? ORDER BY retry_time LIMIT ?", due, limit)
	return int(n), err
}
