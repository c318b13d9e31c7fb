// Package migrations owns the schema: the migrations that build it, in the order of their numbers, and the record of
// those that a database has applied. Nothing else creates or alters a table.
//
// A migration is a file NNNN_name.sql. The first ones are the baseline, one per area: each creates the tables of the
// area "if not exists". A later one has one structural statement, because no supported engine can roll back such a
// statement together with others. So a process that was killed between a statement and its record can be completed by
// another one. Migrations go forward only and are never edited once released: the database stores a checksum of each,
// and a changed one stops Apply and Check.
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

// A replica tries to get the lock ten times a second, for half an hour. A holder that died loses the lock after half a
// minute.
const (
	lockInterval = 100 * time.Millisecond
	lockAttempts = 18000
)

// Version is the number of the newest migration of this program.
func Version() int64 {
	list, err := readSteps(files)
	if err != nil {
		panic(fmt.Sprintf("migrations: the embedded steps are unusable: %v", err))
	}
	return list.newest()
}

// Apply migrates the database that db is connected to up to Version. It calls progress, if any, with the file name of
// each migration once it is applied and recorded. Any number of replicas may call it concurrently: one works, the
// others wait and then find nothing to do. It fails with a *ChangedError if an applied migration was changed, and with
// ErrForeign on a database with other tables.
//
// The lock needs a second connection, to keep it alive, and parseTime=true in the DSN.
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
		goose.WithIsolateDDL(true), // A structural statement commits the transaction around it.
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

// madeBefore reports whether a migration failed because its column or key exists already, created by a process that
// died before it could record that. A migration that alters a table adds one of either.
func madeBefore(err error) bool {
	refused, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (refused.Number == duplicateColumn || refused.Number == duplicateKeyName)
}

// MySQL's error numbers for an existing column, key and row.
const (
	duplicateColumn  = 1060
	duplicateKeyName = 1061
	duplicateRow     = 1062
)

// suits refuses a pool with which the lock would time out without a reason.
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

// worthAsking reports whether the lock may be had by trying again after err. A server that refuses the statement
// itself, for lack of a privilege or because it is read-only, will refuse it again.
func worthAsking(err error) bool {
	refused, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	switch refused.Number {
	case 1213, 1205, 1020, 3101: // deadlock, lock timeout, row changed, conflict in a cluster
		return true
	default:
		return false
	}
}

// Current is the number of the newest migration applied to the database, 0 for an empty one.
func Current(ctx context.Context, db *sql.DB) (int64, error) {
	var s store
	ours, err := s.recorded(ctx, db)
	if err != nil || !ours {
		return 0, err
	}
	return s.GetLatestVersion(ctx, db)
}

// Applied is a migration that was applied to a database.
type Applied struct {
	Version int64
	// Name is the file name of the migration.
	Name string
	// At is when it was recorded, by the server's clock.
	At time.Time
}

// After returns the migrations above a version that were applied to the database, by number.
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

// Check reports whether this program may use the database. It fails with an *OlderError if a migration is missing
// there, and with a *ChangedError if an applied one was changed. Newer migrations are fine: during an upgrade the old
// release runs on the new schema.
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
