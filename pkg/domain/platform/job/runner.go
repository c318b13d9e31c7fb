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
)

const (
	// defaultLease is how long a lease lasts where nothing else is said.
	defaultLease = 15 * time.Second
	// mostBatches bounds one run, so that a job with endless work still gives up its lease now and then.
	mostBatches = 200
)

// Runner runs jobs under their leases.
type Runner struct {
	db     *db.DB
	log    *slog.Logger
	holder string
	lease  time.Duration
	jobs   []Job
}

// NewRunner returns a runner for the jobs. Two runners never have the same holder name. lease is how long a run may
// take without a sign of life, 0 for the default; a replica that dies keeps its job for as long.
func NewRunner(d *db.DB, log *slog.Logger, lease time.Duration, jobs ...Job) *Runner {
	if lease == 0 {
		lease = defaultLease
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return &Runner{
		db: d, log: log, holder: fmt.Sprintf("%.80s/%d/%s", host, os.Getpid(), rand.Text()[:8]), lease: lease, jobs: jobs,
	}
}

// Run keeps the jobs going until ctx ends, then waits for the batch at work and gives the leases up.
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
		if !mine { // should its holder be dead, the work is not to wait for a whole period more
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

// Once runs one job now if no other process holds it, and reports how many records it changed.
func (r *Runner) Once(ctx context.Context, j Job) (int, error) {
	total, _, err := r.once(ctx, j)
	return total, err
}

// Alone runs one job now, and waits where another process holds it until that is done or ctx ends.
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

// once is Once and reports whether the lease could be had.
func (r *Runner) once(ctx context.Context, j Job) (total int, mine bool, err error) {
	mine, err = acquire(ctx, r.db, j.Name, r.holder, r.lease)
	if err != nil || !mine {
		return 0, false, err
	}
	total, runErr := r.batches(ctx, j)
	note := fmt.Sprintf("%d changed", total)
	if runErr != nil {
		note = fmt.Sprintf("%d changed, then: %.200s", total, runErr)
	}
	// The lease is given back even when ctx has just ended, else the next replica would wait for nothing.
	if err := release(context.WithoutCancel(ctx), r.db, j.Name, r.holder, note); err != nil {
		return total, true, err
	}
	if total > 0 {
		r.log.InfoContext(ctx, "job", "job", j.Name, "changed", total)
	}
	return total, true, runErr
}

func (r *Runner) batches(ctx context.Context, j Job) (int, error) {
	total := 0
	var failed error // a record that fails holds up no other: the job goes on while it gets anywhere
	for range mostBatches {
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

// batch runs one batch for no longer than the lease holds.
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
