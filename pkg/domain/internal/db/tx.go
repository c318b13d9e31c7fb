package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/platform/errno"
)

// Tx is an open transaction. A function that takes a *Tx takes part in its caller's transaction; nothing outside this
// package can make one.
type Tx struct {
	g        *gorm.DB
	onCommit []func()
}

// G returns GORM on the transaction.
func (t *Tx) G(ctx context.Context) *gorm.DB { return t.g.WithContext(ctx) }

// OnCommit has fn run after the transaction has committed, and not at all if it rolls back. It is for what this process
// alone keeps, such as dropping a cached page; what the world must learn goes through the outbox.
func (t *Tx) OnCommit(fn func()) { t.onCommit = append(t.onCommit, fn) }

const (
	attempts = 4 // the first and three more
	// Between attempts lie 10 to 50 ms, for each caller another time: those who met would else meet again.
	leastPause, mostPause = 10 * time.Millisecond, 50 * time.Millisecond
	// slack is what an attempt must have left after it has waited for a lock, to answer in time all the same.
	slack = 500 * time.Millisecond
)

// InTx runs fn in one transaction at READ COMMITTED: it commits when fn returns nil and rolls back otherwise, also
// when fn panics. Where the database picks the transaction as the victim of a conflict, fn runs again, at most three
// times, with short pauses; after that it fails with errno.Stale. It does so at once where ctx leaves no time for
// another attempt: what cannot have its locks says so, and is not cut off. fn also runs again where the connection led
// to a server that refuses writes. So fn must bear running twice: no message, no HTTP, no Redis.
func (d *DB) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	var tx *Tx
	err := d.try(ctx, func() error {
		return d.g.WithContext(ctx).Transaction(func(g *gorm.DB) error {
			tx = &Tx{g: g}
			return fn(tx)
		})
	})
	if err != nil {
		return err
	}
	for _, done := range tx.onCommit {
		done()
	}
	return nil
}

// try runs what changes the database, again where that was lost for a reason that may be gone; see InTx.
func (d *DB) try(ctx context.Context, attempt func() error) error {
	var lost error // what the last attempt was lost by
	for range attempts {
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
		case <-time.After(leastPause + rand.N(mostPause-leastPause)): //nolint:gosec // it is no secret
		}
	}
	if conflict(lost) {
		return fmt.Errorf("%w: %w", errno.Stale, lost)
	}
	return lost
}

// again reports whether ctx leaves time for an attempt after one that was lost. One that has waited for a lock in vain
// is likely to wait as long again.
func (d *DB) again(ctx context.Context, lost error) bool {
	need := slack
	if waited(lost) {
		need += d.lockWait
	}
	end, limited := ctx.Deadline()
	return !limited || time.Until(end) > need
}
