package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-sql-driver/mysql"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// PingMySQL checks that the database does what requests need of it: it accepts writes, which the old primary of a
// failover does not, and the account of the service can read every table and write.
func (d *Domain) PingMySQL(ctx context.Context) error {
	if err := d.db.Writable(ctx); err != nil {
		return err
	}
	if err := table.Readable(ctx, d.db); err != nil {
		return err
	}
	err := d.once.Writable(ctx)
	if err != nil && ctx.Err() == nil { // it has just answered; its driver tells such a refusal as a broken connection
		return fmt.Errorf("%w: %w", db.ErrReadOnly, err)
	}
	return err
}

// unavailable are the errors by which a server or its proxy says that it is unavailable: too many connections, not
// in the cluster, shutting down, too many of the account, interrupted, killed, out of time, offline.
var unavailable = []uint16{1040, 1047, 1053, 1203, 1205, 1226, 1317, 1927, 1969, 3024, 3032}

// Away reports whether the check of the database failed because it does not answer. One that answers and refuses, since
// it is read-only or the account lacks a right, may be the wrong server, and another replica may have the right one.
func Away(err error) bool {
	if err == nil || errors.Is(err, db.ErrReadOnly) {
		return false
	}
	refusal, answered := errors.AsType[*mysql.MySQLError](err)
	return !answered || slices.Contains(unavailable, refusal.Number)
}
