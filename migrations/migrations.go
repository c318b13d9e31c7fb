// Package migrations owns the schema: the steps that build it, in the order of their numbers, and the record of
// which of them a database has seen. Nothing else creates or alters a table.
//
// A step is a file NNNN_name.sql. The first ones are the baseline, one for each area: each makes the tables of the area
// "if not exists". A later step has one structural statement, because no engine we support can roll such a statement
// back together with others. Either way a process that was killed between a statement and the record can be followed by
// another one. Steps go forward only and are never edited once released: the record keeps a checksum of each, and a
// step that changed afterwards stops Apply and Check.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// How long a replica asks for the lock while another one holds it: ten times a second, for half an hour. A holder that
// died loses the lock after half a minute.
const (
	lockInterval = 100 * time.Millisecond
	lockAttempts = 18000
)

// Version is the number of the newest step this program knows.
func Version() int64 {
	list, err := readSteps(files)
	if err != nil {
		panic(fmt.Sprintf("migrations: the embedded steps are unusable: %v", err))
	}
	return list.newest()
}

// Apply brings the database that db is connected to up to Version. It calls progress, if there is one, with the file
// name of each step as soon as that step is applied and recorded. Any number of replicas may call it at once: one
// works, the others wait and then find nothing to do. It fails with a *ChangedError if an applied step is no longer
// what it was, and with ErrForeign on a database that holds tables of something else.
//
// The lock asks two things of db: a second connection, to keep it alive, and parseTime=true in the DSN.
func Apply(ctx context.Context, db *sql.DB, progress func(name string)) error {
	return apply(ctx, db, files, progress)
}

func apply(ctx context.Context, db *sql.DB, fsys fs.FS, progress func(name string)) error {
	if err := suits(ctx, db); err != nil {
		return fmt.Errorf("applying migrations: %w", err)
	}
	list, err := readSteps(fsys)
	if err != nil {
		return err
	}
	locker, err := lock.NewMySQLTableLocker(
		lock.WithTableLockTimeout(lockInterval, lockAttempts),
		lock.WithTableRetryPolicy(worthAsking),
	)
	if err != nil {
		return fmt.Errorf("preparing the lock of migrations: %w", err)
	}
	records := &store{steps: list, progress: progress}
	provider, err := goose.NewProvider(goose.DialectCustom, db, fsys,
		goose.WithStore(records),
		goose.WithLocker(locker),
		goose.WithIsolateDDL(true), // A transaction around a structural statement is committed by that statement.
		goose.WithDisableGlobalRegistry(true),
		goose.WithSlog(slog.New(slog.DiscardHandler)),
	)
	if err != nil {
		return fmt.Errorf("preparing migrations: %w", err)
	}
	for {
		_, err = provider.Up(ctx)
		stopped, partial := errors.AsType[*goose.PartialError](err)
		switch {
		case partial && madeBefore(stopped.Err):
			if err := records.made(ctx, db, stopped.Failed.Source.Version); err != nil {
				return err
			}
		case partial:
			return fmt.Errorf("applying migration %s: %w", stopped.Failed.Source.Path, stopped.Err)
		case err != nil:
			return fmt.Errorf("applying migrations: %w", err)
		default:
			return nil
		}
	}
}

// madeBefore reports whether a step failed because it has been made already, by a process that died before it could
// record that: its column or its key is there. A step that changes a table adds one of either.
func madeBefore(err error) bool {
	refused, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (refused.Number == duplicateColumn || refused.Number == duplicateKeyName)
}

// What the server says to a column and a key that are there already, and to a row.
const (
	duplicateColumn  = 1060
	duplicateKeyName = 1061
	duplicateRow     = 1062
)

// suits refuses a pool with which the lock would wait until it gave up, without saying why.
func suits(ctx context.Context, db *sql.DB) error {
	if db.Stats().MaxOpenConnections == 1 {
		return errors.New("the pool must allow two connections, one that works and one that keeps the lock")
	}
	var now any
	if err := db.QueryRowContext(ctx, "SELECT NOW(6)").Scan(&now); err != nil {
		return fmt.Errorf("asking the server for its time: %w", err)
	}
	if _, ok := now.(time.Time); !ok {
		return errors.New("the connection must parse times: add parseTime=true to the DSN")
	}
	return nil
}

// worthAsking tells whether the lock may be had by asking again after err. A server that refuses the statement itself,
// for want of a right or a writable node, will refuse it the next time as well.
func worthAsking(err error) bool {
	refused, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	switch refused.Number {
	case 1213, 1205, 1020, 3101: // deadlock, lock wait, row changed meanwhile, conflict in a cluster
		return true
	default:
		return false
	}
}

// Current is the number of the newest step that was applied to the database, 0 for an empty database.
func Current(ctx context.Context, db *sql.DB) (int64, error) {
	var s store
	ours, err := s.recorded(ctx, db)
	if err != nil || !ours {
		return 0, err
	}
	return s.GetLatestVersion(ctx, db)
}

// Applied is a step that was applied to a database.
type Applied struct {
	Version int64
	// Name is the file name of the step.
	Name string
	// At is when it was recorded, by the server's clock.
	At time.Time
}

// After returns the steps above a version that were applied to the database, in the order of their numbers.
func After(ctx context.Context, db *sql.DB, version int64) ([]Applied, error) {
	const query = "SELECT version, name, applied_time FROM schema_migration WHERE version > ? ORDER BY version"
	rows, err := db.QueryContext(ctx, query, version)
	if err != nil {
		return nil, fmt.Errorf("listing applied migrations: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err below tells what matters
	var list []Applied
	for rows.Next() {
		var a Applied
		if err := rows.Scan(&a.Version, &a.Name, &a.At); err != nil {
			return nil, fmt.Errorf("listing applied migrations: %w", err)
		}
		list = append(list, a)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("listing applied migrations: %w", err)
	}
	return list, nil
}

// Check tells whether this program may work on the database. It fails with an *OlderError if a step is missing there,
// and with a *ChangedError if an applied step is no longer what it was. Newer steps than ours are fine: during an
// upgrade the old release runs on the new schema.
func Check(ctx context.Context, db *sql.DB) error {
	have, err := Current(ctx, db)
	if err != nil {
		return err
	}
	if need := Version(); have < need {
		return &OlderError{Have: have, Need: need}
	}
	list, err := readSteps(files)
	if err != nil {
		return err
	}
	_, err = (&store{steps: list}).ListMigrations(ctx, db)
	return err
}
