package job

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/trace"
)

const (
	// defaultLease is the default length of a lease.
	defaultLease = 15 * time.Second
	// maxBatches bounds one run, so that a job with endless work releases its lease now and then.
	maxBatches = 200
)

// Runner runs jobs under their leases.
type Runner struct {
	db     *db.DB
	log    *slog.Logger
	holder string
	lease  time.Duration
	jobs   []Job
}

// NewRunner returns a runner for the jobs. No two runners have the same holder name. lease is the timeout of a lease, 0
// for the default; the jobs of a replica that dies wait for as long.
func NewRunner(d *db.DB, log *slog.Logger, lease time.Duration, jobs ...Job) *Runner {
	if lease == 0 {
		lease = defaultLease
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	for _, j := range jobs { // a series that begins with the first failure hides it from rates
		d.Meter().Add(meter.JobRuns, 0, j.Name, meter.OK)
		d.Meter().Add(meter.JobRuns, 0, j.Name, meter.Failed)
	}
	return &Runner{
		db: d, log: log, holder: fmt.Sprintf("%.80s/%d/%s", host, os.Getpid(), rand.Text()[:8]), lease: lease, jobs: jobs,
	}
}

// Run runs the jobs until ctx ends, then waits for the current batch and releases the leases.
func (r *Runner) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for _, j := range r.jobs {
		wg.Go(func() { r.loop(ctx, j) })
	}
	wg.Wait()
	return nil
}

func (r *Runner) loop(ctx context.Context, j Job) {
	tick := time.NewTicker(j.Every)
	defer tick.Stop()
	for {
		_, mine, err := r.once(ctx, j)
		if err != nil && ctx.Err() == nil {
			r.log.ErrorContext(ctx, "job", "job", j.Name, "err", err.Error())
		}
		var again <-chan time.Time
		if !mine { // if the holder died, the job must not wait for another period
			again = time.After(min(j.Every, r.lease))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-again:
		}
	}
}

// Once runs one job now unless another process holds it, and returns how many records it changed.
func (r *Runner) Once(ctx context.Context, j Job) (int, error) {
	total, _, err := r.once(ctx, j)
	return total, err
}

// Alone runs one job now, after waiting for another process that holds it, until ctx ends.
func (r *Runner) Alone(ctx context.Context, j Job) error {
	const again = 200 * time.Millisecond
	for {
		_, mine, err := r.once(ctx, j)
		if err != nil || mine {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for job %s of another process: %w", j.Name, context.Cause(ctx))
		case <-time.After(again):
		}
	}
}

// once is Once and also reports whether it got the lease.
func (r *Runner) once(ctx context.Context, j Job) (total int, mine bool, err error) {
	ctx = trace.With(ctx, "job", j.Name)
	mine, err = acquire(ctx, r.db, j.Name, r.holder, r.lease)
	if (mine || err != nil) && ctx.Err() != nil {
		return 0, false, errors.Join(context.Cause(ctx), err, release(ctx, r.db, j.Name, r.holder, "not begun"))
	}
	if err != nil || !mine {
		return 0, false, err
	}
	watch := r.db.Meter()
	began := watch.Now()
	total, runErr := r.batches(ctx, j)
	watch.Took(meter.Jobs, began, j.Name)
	watch.Count(meter.JobRuns, j.Name, meter.Result(runErr))
	watch.Add(meter.JobChanges, int64(total), j.Name)
	note := fmt.Sprintf("%d changed", total)
	if runErr != nil {
		note = fmt.Sprintf("%d changed, then: %.200s", total, runErr)
	}
	if err := release(ctx, r.db, j.Name, r.holder, note); err != nil {
		return total, true, err
	}
	if total > 0 {
		r.log.InfoContext(ctx, "job", "job", j.Name, "changed", total)
	}
	return total, true, runErr
}

func (r *Runner) batches(ctx context.Context, j Job) (int, error) {
	total := 0
	var failed error // a failed record does not stop the job while it makes progress
	for range maxBatches {
		changed, err := r.batch(ctx, j)
		total += changed
		if err != nil {
			failed = err
		}
		if changed == 0 || ctx.Err() != nil {
			return total, failed
		}
		mine, err := acquire(ctx, r.db, j.Name, r.holder, r.lease)
		if err != nil || !mine {
			return total, errors.Join(failed, err)
		}
	}
	return total, failed
}

// batch runs one batch, at most for the length of the lease.
func (r *Runner) batch(ctx context.Context, j Job) (changed int, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.lease*2/3)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("job %s: panic: %v", j.Name, p)
		}
	}()
	if changed, err = j.Run(ctx); err != nil {
		err = fmt.Errorf("job %s: %w", j.Name, err)
	}
	return changed, err
}
