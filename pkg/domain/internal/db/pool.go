package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// pool is what GORM runs on outside of transactions: a single write is a transaction of its own, and is tried again for
// the same reasons as InTx tries one.
type pool struct {
	*sql.DB
	retries *DB
}

// ExecContext runs one write. It fails with errno.Stale where the database refused it for a conflict each time.
func (p pool) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	var res sql.Result
	err := p.retries.try(ctx, func() (err error) {
		res, err = p.DB.ExecContext(ctx, statement, args...)
		return err
	})
	return res, err
}

// errReadOnly says that the server takes no writes.
var errReadOnly = errors.New("the database is read-only")

// Writable reports whether the server answers and takes writes. A connection to a server that no longer does may be a
// left-over from before a failover: then all idle connections are closed, and a new one is asked.
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
	return errReadOnly
}

// closeIdle closes the connections that nobody uses. After a failover all of them lead to the wrong server, and each
// would fail one request before the driver gives it up.
func (d *DB) closeIdle() {
	d.sql.SetMaxIdleConns(0)
	d.sql.SetMaxIdleConns(d.idle)
}
