package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/pressly/goose/v3/database"
)

// table records the applied migrations. It cannot be created by a migration, because it must exist before the first one
// is recorded.
const table = "schema_migration"

const createTable = `CREATE TABLE IF NOT EXISTS schema_migration (
  version      BIGINT NOT NULL,
  name         VARCHAR(191) NOT NULL,
  checksum     CHAR(64) COLLATE utf8mb4_bin NOT NULL,
  applied_time DATETIME(3) NOT NULL,
  PRIMARY KEY (version)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci`

// store implements goose's store in schema_migration. goose expects a version 0 that records the creation of the table;
// store returns it without storing it.
type store struct {
	steps    steps
	progress func(name string) // may be nil
}

var _ database.StoreExtender = (*store)(nil)

// Tablename names the table for goose.
func (*store) Tablename() string { return table }

// TableExists reports whether the table exists. It fails with ErrForeign if only other tables do.
func (s *store) TableExists(ctx context.Context, db database.DBTxConn) (bool, error) {
	ours, err := s.recorded(ctx, db)
	if err != nil || ours {
		return ours, err
	}
	const others = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"
	var n int
	if err := db.QueryRowContext(ctx, others).Scan(&n); err != nil {
		return false, fmt.Errorf("looking for tables: %w", err)
	}
	if n == 0 {
		return false, nil
	}
	// Another replica may have started between the two queries. It creates our table before any other.
	ours, err = s.recorded(ctx, db)
	if err == nil && !ours {
		err = ErrForeign
	}
	return ours, err
}

// recorded reports whether the table exists, with or without others.
func (*store) recorded(ctx context.Context, db database.DBTxConn) (bool, error) {
	const query = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?"
	var n int
	if err := db.QueryRowContext(ctx, query, table).Scan(&n); err != nil {
		return false, fmt.Errorf("looking for %s: %w", table, err)
	}
	return n == 1, nil
}

// CreateVersionTable creates the table. Replicas that start together all get here before one of them has the lock.
func (*store) CreateVersionTable(ctx context.Context, db database.DBTxConn) error {
	if _, err := db.ExecContext(ctx, createTable); err != nil {
		return fmt.Errorf("creating %s: %w", table, err)
	}
	return nil
}

// Insert records an applied migration, and reports it. The time is the server's, in UTC, so that all replicas use one
// clock.
func (s *store) Insert(ctx context.Context, db database.DBTxConn, req database.InsertRequest) error {
	if req.Version == 0 {
		return nil
	}
	done, ok := s.steps[req.Version]
	if !ok {
		return fmt.Errorf("recording migration %d: there is no such step", req.Version)
	}
	const insert = "INSERT INTO schema_migration (version, name, checksum, applied_time) " +
		"VALUES (?, ?, ?, UTC_TIMESTAMP(3))"
	if _, err := db.ExecContext(ctx, insert, req.Version, done.name, done.checksum); err != nil {
		return fmt.Errorf("recording migration %s: %w", done.name, err)
	}
	if s.progress != nil {
		s.progress(done.name)
	}
	return nil
}

// made records a migration that was applied before. Another replica may do the same concurrently.
func (s *store) made(ctx context.Context, db database.DBTxConn, version int64) error {
	err := s.Insert(ctx, db, database.InsertRequest{Version: version})
	if refused, ok := errors.AsType[*mysql.MySQLError](err); ok && refused.Number == duplicateRow {
		return nil
	}
	return err
}

// Delete fails: migrations go forward only.
func (*store) Delete(_ context.Context, _ database.DBTxConn, version int64) error {
	return fmt.Errorf("taking back migration %d: steps go forward only", version)
}

// GetMigration looks up one migration.
func (*store) GetMigration(
	ctx context.Context, db database.DBTxConn, version int64,
) (*database.GetMigrationResult, error) {
	if version == 0 {
		return &database.GetMigrationResult{IsApplied: true}, nil
	}
	// As text, because the owner of the connection decides whether the driver parses times.
	const query = "SELECT DATE_FORMAT(applied_time, '%Y-%m-%d %T.%f') FROM schema_migration WHERE version = ?"
	var text string
	err := db.QueryRowContext(ctx, query, version).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, database.ErrVersionNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("looking up migration %d: %w", version, err)
	}
	at, err := time.Parse("2006-01-02 15:04:05.000000", text)
	if err != nil {
		return nil, fmt.Errorf("reading the time of migration %d: %w", version, err)
	}
	return &database.GetMigrationResult{Timestamp: at, IsApplied: true}, nil
}

// GetLatestVersion returns the newest applied migration, 0 if there is none.
func (*store) GetLatestVersion(ctx context.Context, db database.DBTxConn) (int64, error) {
	const query = "SELECT COALESCE(MAX(version), 0) FROM schema_migration"
	var version int64
	if err := db.QueryRowContext(ctx, query).Scan(&version); err != nil {
		return 0, fmt.Errorf("reading the version of the schema: %w", err)
	}
	return version, nil
}

// ListMigrations lists all applied migrations, newest first, with goose's version 0 at the end. It fails with a
// *ChangedError at the first one that was changed; goose calls it before it applies anything.
func (s *store) ListMigrations(ctx context.Context, db database.DBTxConn) ([]*database.ListMigrationsResult, error) {
	const query = "SELECT version, name, checksum FROM schema_migration ORDER BY version DESC"
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("listing applied migrations: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err below tells what matters
	var list []*database.ListMigrationsResult
	for rows.Next() {
		var version int64
		var name, checksum string
		if err := rows.Scan(&version, &name, &checksum); err != nil {
			return nil, fmt.Errorf("listing applied migrations: %w", err)
		}
		if err := s.steps.verify(version, name, checksum); err != nil {
			return nil, err
		}
		list = append(list, &database.ListMigrationsResult{Version: version, IsApplied: true})
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("listing applied migrations: %w", err)
	}
	return append(list, &database.ListMigrationsResult{Version: 0, IsApplied: true}), nil
}
