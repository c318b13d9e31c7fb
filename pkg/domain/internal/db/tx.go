package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/errno"
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
	pause    = 10 * time.Millisecond
)

// InTx runs fn in one transaction at READ COMMITTED: it commits when fn returns nil and rolls back otherwise, also
// when fn panics. Where the database picks the transaction as the victim of a conflict, fn runs again, at most three
// times, with short pauses; after that it fails with errno.Stale. So fn must bear running twice: no message, no
// HTTP, no Redis.
func (d *DB) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	var err error
	for i := range attempts {
		var tx *Tx
		err = d.g.WithContext(ctx).Transaction(func(g *gorm.DB) error {
			tx = &Tx{g: g}
			return fn(tx)
		})
		if err == nil {
			for _, done := range tx.onCommit {
				done()
			}
			return nil
		}
		if !retryable(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Duration(i+1) * pause):
		}
	}
	return fmt.Errorf("%w: %w", errno.Stale, err)
}
