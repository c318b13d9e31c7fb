package db

import (
	"context"
	"errors"
	"fmt"
)

// exec runs a write outside of a transaction. It is a transaction of its own, and retried for the same reasons as InTx:
// it fails with errno.Stale if every attempt lost a conflict.
func (d *DB) exec(ctx context.Context, text string, args []any) (Result, error) {
	if err := d.ahead(ctx).settle(ctx); err != nil {
		return Result{}, err
	}
	d.leave(ctx)
	var r Result
	err := d.try(ctx, func() (err error) {
		r, err = resultOf(d.sql.ExecContext(ctx, text, args...))
		return err
	})
	return r, err
}

// ErrReadOnly says that the server refuses writes.
var ErrReadOnly = errors.New("the database is read-only")

// Writable checks that the server answers and accepts writes. A connection to a server that refuses them may date from
// before a failover: then all idle connections are closed, and a new one is tried.
func (d *DB) Writable(ctx context.Context) error {
	for range 2 {
		var readOnly string
		if err := d.sql.QueryRowContext(ctx, "SELECT @@global.read_only").Scan(&readOnly); err != nil {
			return fmt.Errorf("ask the database whether it takes writes: %w", err)
		}
		if readOnly == "0" || readOnly == "OFF" {
			return nil
		}
		d.closeIdle()
	}
	return ErrReadOnly
}

// closeIdle closes the idle connections. After a failover all of them lead to the wrong server, and each would fail one
// request before the driver drops it.
func (d *DB) closeIdle() {
	d.sql.SetMaxIdleConns(0)
	d.sql.SetMaxIdleConns(d.idle)
}
