package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/domain/internal/store/hosted"
)

// Tx is an open transaction. A function with a *Tx parameter takes part in its caller's transaction; only this package
// creates one.
type Tx struct {
	db  *DB
	sql *sql.Tx
	// later are the statements that are sent with the next one; broken is the failure of an earlier batch.
	later    []queued
	broken   error
	onCommit []func()
}

// Files returns the base addresses of the shop's files.
func (t *Tx) Files() *hosted.Bases { return t.db.files }

// OnCommit registers fn to run after the commit; it does not run after a rollback. It is for state of this process,
// such as dropping a cached page; everything else goes through the outbox.
func (t *Tx) OnCommit(fn func()) { t.onCommit = append(t.onCommit, fn) }

const (
	attempts = 4 // one attempt and three retries
	// Retries wait 10 to 50 ms, with jitter so that conflicting transactions do not collide again.
	minPause, maxPause = 10 * time.Millisecond, 50 * time.Millisecond
	// slack is the time that an attempt must have left after waiting for a lock, to answer in time.
	slack = 500 * time.Millisecond
)

// InTx runs fn in one transaction at READ COMMITTED: it commits if fn returns nil and rolls back otherwise, also if fn
// panics. If the database aborts the transaction because of a conflict, fn is retried at most three times, with short
// intervals; then InTx fails with errno.Stale, and at once if ctx leaves no time for another attempt. fn is also
// retried if the connection led to a server that refuses writes. So fn must be safe to run twice: no message, no HTTP,
// no Redis.
func (d *DB) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	if err := admission.Use(ctx); err != nil {
		return err
	}
	if err := d.ahead(ctx).settle(ctx); err != nil {
		return err
	}
	d.leave(ctx)
	var tx *Tx
	err := d.try(ctx, func() (err error) {
		tx, err = d.attempt(ctx, fn)
		return err
	})
	if err != nil {
		return err
	}
	for _, done := range tx.onCommit {
		done()
	}
	return nil
}

// attempt runs fn in a transaction once.
func (d *DB) attempt(ctx context.Context, fn func(tx *Tx) error) (*Tx, error) {
	begun, err := d.sql.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = begun.Rollback() }() // also if fn panics; it does nothing after a commit
	tx := &Tx{db: d, sql: begun}
	if err := fn(tx); err != nil {
		return nil, err
	}
	return tx, tx.commit(ctx)
}

// try runs what changes the database and retries it after a transient failure; see InTx.
func (d *DB) try(ctx context.Context, attempt func() error) error {
	var lost error // the failure of the last attempt
	for n := range attempts {
		if n > 0 {
			d.meter.Count(meter.Conflicts, meter.Retried)
		}
		err := attempt()
		switch {
		case err == nil:
			return nil
		case unused(err):
			d.closeIdle()
		case !conflict(err):
			if conflict(lost) && errors.Is(err, context.DeadlineExceeded) {
				return fmt.Errorf("%w: %w, and no time is left: %w", errno.Stale, lost, err)
			}
			return err
		}
		lost = err
		if !d.again(ctx, err) {
			break
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(minPause + rand.N(maxPause-minPause)): //nolint:gosec // no secret
		}
	}
	if conflict(lost) {
		d.meter.Count(meter.Conflicts, meter.Lost)
		return fmt.Errorf("%w: %w", errno.Stale, lost)
	}
	return lost
}

// again reports whether ctx leaves time for another attempt. After a lock timeout the next attempt is likely to wait as
// long.
func (d *DB) again(ctx context.Context, lost error) bool {
	need := slack
	if waited(lost) {
		need += d.lockWait
	}
	end, limited := ctx.Deadline()
	return !limited || time.Until(end) > need
}
