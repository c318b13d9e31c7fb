package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// pool is what GORM runs on outside of transactions: a single write is a transaction of its own, and is retried for the
// same reasons as InTx.
type pool struct {
	*sql.DB
	retries *DB
}

// ExecContext runs one write. It fails with errno.Stale if every attempt lost a conflict.
func (p pool) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if err := p.retries.ahead(ctx).settle(ctx); err != nil {
		return nil, err
	}
	p.retries.leave(ctx)
	var res sql.Result
	err := p.retries.try(ctx, func() (err error) {
		res, err = p.DB.ExecContext(ctx, statement, args...)
		return err
	})
	return res, err
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
