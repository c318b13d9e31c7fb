package migrations

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

// open creates an empty database and opens a pool on it. Its defaults are deliberately wrong: a table or column without
// a character set or collation becomes latin1, which the schema test detects.
func open(t *testing.T) *sql.DB {
	t.Helper()
	dsn := os.Getenv("SHOP_TEST_MYSQL_DSN")
	if dsn == "" {
		t.Fatal("SHOP_TEST_MYSQL_DSN must name a MariaDB or MySQL server, like user:pass@tcp(host:port)/")
	}
	c, err := mysql.ParseDSN(dsn)
	require.NoError(t, err)
	c.ParseTime = true
	server, err := sql.Open("mysql", c.FormatDSN())
	require.NoError(t, err)
	name := "shop_test_migrations_" + strings.ToLower(rand.Text()[:10])
	_, err = server.ExecContext(t.Context(), "CREATE DATABASE `"+name+"` CHARACTER SET latin1 COLLATE latin1_bin")
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := server.ExecContext(context.Background(), "DROP DATABASE `"+name+"`")
		require.NoError(t, err)
		require.NoError(t, server.Close())
	})
	c.DBName = name
	return pool(t, c)
}

func pool(t *testing.T, c *mysql.Config) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", c.FormatDSN())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// replica opens another pool on the database of db, as another process would.
func replica(t *testing.T, db *sql.DB) *sql.DB {
	t.Helper()
	c, err := mysql.ParseDSN(os.Getenv("SHOP_TEST_MYSQL_DSN"))
	require.NoError(t, err)
	c.ParseTime = true
	c.DBName = one[string](t, db, "SELECT DATABASE()")
	return pool(t, c)
}

func one[T any](t *testing.T, db *sql.DB, query string, args ...any) T {
	t.Helper()
	var v T
	require.NoError(t, db.QueryRowContext(t.Context(), query, args...).Scan(&v))
	return v
}

func run(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

func stepNames(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(files, "*.sql")
	require.NoError(t, err)
	return names
}

func TestApply(t *testing.T) {
	db := open(t)
	have, err := Current(t.Context(), db)
	require.NoError(t, err)
	require.Zero(t, have, "an empty database is at step 0")
	require.Equal(t, &OlderError{Have: 0, Need: Version()}, Check(t.Context(), db))

	var seen []string
	begin := time.Now()
	require.NoError(t, Apply(t.Context(), db, func(name string) { seen = append(seen, name) }))
	t.Logf("applied %d steps in %v", len(seen), time.Since(begin).Round(time.Millisecond))
	require.Equal(t, stepNames(t), seen, "each step is reported once, in order, and version 0 is not")
	have, err = Current(t.Context(), db)
	require.NoError(t, err)
	require.Equal(t, Version(), have)
	require.NoError(t, Check(t.Context(), db))
	require.Zero(t, one[int](t, db, "SELECT COUNT(*) FROM schema_migration WHERE version = 0"))
	require.Zero(t, one[int](t, db, `SELECT COUNT(*) FROM schema_migration
		WHERE applied_time NOT BETWEEN UTC_TIMESTAMP() - INTERVAL 5 MINUTE AND UTC_TIMESTAMP() + INTERVAL 1 SECOND`))

	require.NoError(t, Apply(t.Context(), db, func(name string) { t.Errorf("%s was applied twice", name) }))
}

func TestSixReplicasApplyAtOnce(t *testing.T) {
	db := open(t)
	var mu sync.Mutex
	var seen []string
	errs := make([]error, 6)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range errs {
		mine := replica(t, db)
		wg.Go(func() {
			<-start
			errs[i] = Apply(context.Background(), mine, func(name string) {
				mu.Lock()
				defer mu.Unlock()
				seen = append(seen, name)
			})
		})
	}
	close(start)
	wg.Wait()
	for i, err := range errs {
		require.NoError(t, err, "replica %d", i)
	}
	require.Equal(t, stepNames(t), seen, "each step is applied by exactly one replica")
	require.NoError(t, Check(t.Context(), db))
}

// small is a schema of two migrations that tests may change.
func small() fstest.MapFS {
	file := func(sql string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("-- A table.\n-- +goose Up\n" + sql + ";\n")}
	}
	return fstest.MapFS{
		"0001_a.sql": file("CREATE TABLE IF NOT EXISTS a (id BIGINT PRIMARY KEY)"),
		"0002_b.sql": file("CREATE TABLE IF NOT EXISTS b (id BIGINT PRIMARY KEY)"),
	}
}

func TestApplyStopsAtAChangedStep(t *testing.T) {
	db := open(t)
	fsys := small()
	require.NoError(t, apply(t.Context(), db, fsys, nil))
	fsys["0003_c.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE c (id BIGINT PRIMARY KEY);\n")}

	changed := &fstest.MapFile{Data: append([]byte("-- Edited.\n"), fsys["0001_a.sql"].Data...)}
	kept := fsys["0001_a.sql"]
	fsys["0001_a.sql"] = changed
	var want *ChangedError
	err := apply(t.Context(), db, fsys, nil)
	require.ErrorAs(t, err, &want)
	require.Equal(t, &ChangedError{Version: 1, Name: "0001_a.sql", Now: "0001_a.sql"}, want)
	require.ErrorContains(t, err, "0001_a.sql")

	delete(fsys, "0001_a.sql")
	require.ErrorAs(t, apply(t.Context(), db, fsys, nil), &want)
	require.Equal(t, &ChangedError{Version: 1, Name: "0001_a.sql"}, want)
	require.Zero(t, one[int](t, db, "SELECT COUNT(*) FROM schema_migration WHERE version = 3"), "nothing was applied")

	fsys["0001_a.sql"] = kept
	require.NoError(t, apply(t.Context(), db, fsys, nil))
	require.Equal(t, 1, one[int](t, db, "SELECT COUNT(*) FROM schema_migration WHERE version = 3"))
}

func TestCheckRefusesAChangedStepAndAcceptsALaterRelease(t *testing.T) {
	db := open(t)
	require.NoError(t, Apply(t.Context(), db, nil))
	run(t, db, "INSERT INTO schema_migration VALUES (9999, '9999_later.sql', REPEAT('0', 64), UTC_TIMESTAMP(3))")
	require.NoError(t, Check(t.Context(), db))
	require.NoError(t, Apply(t.Context(), db, nil))

	run(t, db, "UPDATE schema_migration SET checksum = REPEAT('0', 64) WHERE version = 7")
	var changed *ChangedError
	require.ErrorAs(t, Check(t.Context(), db), &changed)
	require.Equal(t, int64(7), changed.Version)

	run(t, db, "DELETE FROM schema_migration WHERE version >= 7")
	require.Equal(t, &OlderError{Have: 6, Need: Version()}, Check(t.Context(), db))
}

// TestApplyGoesOnAfterAKill starts from every point at which a process can die in a migration: the migration is not
// recorded, and some of its tables exist.
func TestApplyGoesOnAfterAKill(t *testing.T) {
	db := open(t)
	fsys := fstest.MapFS{}
	for i, name := range stepNames(t) {
		body, err := files.ReadFile(name)
		require.NoError(t, err)
		fsys[name] = &fstest.MapFile{Data: body}
		list := statements(t, name)
		for made := range len(list) + 1 {
			if made > 0 {
				run(t, db, fmt.Sprintf("DELETE FROM schema_migration WHERE version = %d", i+1))
				for _, later := range list[made:] {
					run(t, db, "DROP TABLE "+regexp.MustCompile("(?m)^CREATE TABLE IF NOT EXISTS (`.*?`)").FindStringSubmatch(later)[1])
				}
			}
			var seen []string
			require.NoError(t, apply(t.Context(), db, fsys, func(name string) { seen = append(seen, name) }))
			require.Equal(t, []string{name}, seen)
		}
	}
	require.NoError(t, Check(t.Context(), db))
	whole := replica(t, open(t))
	require.NoError(t, Apply(t.Context(), whole, nil))
	const shape = "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE()"
	require.Equal(t, one[int](t, whole, shape), one[int](t, db, shape))

	run(t, db, "DELETE FROM schema_migration") // killed before anything was recorded
	require.NoError(t, Apply(t.Context(), db, nil))
	require.NoError(t, Check(t.Context(), db))
}

// TestApplyGoesOnAfterAKillAmidAChange does the same with migrations that alter a table, which have no "if not exists".
func TestApplyGoesOnAfterAKillAmidAChange(t *testing.T) {
	db := open(t)
	fsys := small()
	fsys["0003_c.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nALTER TABLE a ADD COLUMN c BIGINT NULL;\n")}
	fsys["0004_d.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nALTER TABLE a ADD KEY d (c);\n")}
	require.NoError(t, apply(t.Context(), db, fsys, nil))
	for version := 4; version > 0; version-- {
		run(t, db, fmt.Sprintf("DELETE FROM schema_migration WHERE version >= %d", version))
		require.NoError(t, apply(t.Context(), db, fsys, nil))
		require.Equal(t, 4, one[int](t, db, "SELECT COUNT(*) FROM schema_migration"))
	}
}

// TestApplyRefusesADatabaseOfOtherSteps uses migrations with our numbers and other names, like those from before the
// baseline.
func TestApplyRefusesADatabaseOfOtherSteps(t *testing.T) {
	db := open(t)
	fsys := small()
	fsys["0900_c.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE c (id BIGINT PRIMARY KEY);\n")}
	require.NoError(t, apply(t.Context(), db, fsys, nil))
	before := column(t, db, "SHOW TABLES")
	for _, err := range []error{Apply(t.Context(), db, nil), Check(t.Context(), db)} {
		require.ErrorContains(t, err, "0002_b.sql is not a step of this release, which has 0002_access.sql")
		require.ErrorContains(t, err, "needs a new database")
	}
	require.Equal(t, before, column(t, db, "SHOW TABLES"))
}

func TestApplyTellsWhichStepFailed(t *testing.T) {
	db := open(t)
	fsys := small()
	fsys["0002_b.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE b (id NONSENSE);\n")}
	require.ErrorContains(t, apply(t.Context(), db, fsys, nil), "0002_b.sql")
	have, err := Current(t.Context(), db)
	require.NoError(t, err)
	require.Equal(t, int64(1), have)
	require.NoError(t, apply(t.Context(), db, small(), nil), "a failure leaves no lock behind")
}

func TestApplyRefusesWhatItCannotServe(t *testing.T) {
	t.Run("a database of something else", func(t *testing.T) {
		db := open(t)
		run(t, db, "CREATE TABLE litter (id BIGINT PRIMARY KEY)")
		require.ErrorIs(t, Apply(t.Context(), db, nil), ErrForeign)
		require.Equal(t, 1, one[int](t, db,
			"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"), "nothing was made")
	})
	t.Run("a pool of one", func(t *testing.T) {
		db := open(t)
		db.SetMaxOpenConns(1)
		require.ErrorContains(t, Apply(t.Context(), db, nil), "two connections")
	})
	t.Run("times as text", func(t *testing.T) {
		db := open(t)
		c, err := mysql.ParseDSN(os.Getenv("SHOP_TEST_MYSQL_DSN"))
		require.NoError(t, err)
		c.DBName = one[string](t, db, "SELECT DATABASE()")
		require.ErrorContains(t, Apply(t.Context(), pool(t, c), nil), "parseTime")
	})
	t.Run("two steps of one number", func(t *testing.T) {
		fsys := small()
		fsys["0002_c.sql"] = fsys["0002_b.sql"]
		_, err := readSteps(fsys)
		require.ErrorContains(t, err, "one number")
	})
}

func TestApplyWaitsForTheLock(t *testing.T) {
	db := open(t)
	require.NoError(t, apply(t.Context(), db, small(), nil))
	run(t, db, `UPDATE goose_lock SET locked = 1, locked_by = 'another', lease_expires_at = NOW() + INTERVAL 1 HOUR`)
	fsys := small()
	fsys["0003_c.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE c (id BIGINT PRIMARY KEY);\n")}

	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	require.Error(t, apply(ctx, db, fsys, nil))
	require.Zero(t, one[int](t, db, "SELECT COUNT(*) FROM schema_migration WHERE version = 3"))

	// The holder dies. The attempt that was cut off may be at work on the server for another moment, and win against it.
	require.Eventually(t, func() bool {
		_, err := db.ExecContext(t.Context(), `UPDATE goose_lock SET lease_expires_at = NOW() - INTERVAL 1 SECOND`)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, apply(t.Context(), db, fsys, nil))
}

// statements are the structural statements of a migration.
func statements(t *testing.T, file string) []string {
	t.Helper()
	body, err := files.ReadFile(file)
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(body), "\n-- +goose Up\n")
	list := strings.SplitAfter(text, ";\n")
	require.Empty(t, list[len(list)-1], "%s: ends with a statement", file)
	return list[:len(list)-1]
}

// TestSteps checks the form of the files, which no server can report afterwards.
func TestSteps(t *testing.T) {
	names := stepNames(t)
	require.Equal(t, int64(len(names)), Version(), "numbers have no gaps")
	for i, name := range names {
		body, err := files.ReadFile(name)
		require.NoError(t, err)
		lines := strings.Split(string(body), "\n")
		require.True(t, strings.HasPrefix(name, fmt.Sprintf("%04d_", i+1)), "%s: the number", name)
		require.Regexp(t, `^-- [A-Z].*\.$`, lines[0], "%s: the first line says what the step is for", name)
		require.Equal(t, "-- +goose Up", lines[1], name)
		require.NotContains(t, string(body), "+goose Down", name)
		require.NotContains(t, string(body), "\r", "%s: the checksum must not depend on a checkout", name)
		list := statements(t, name)
		for _, statement := range list {
			if len(list) > 1 {
				require.Regexp(t, "(?m)^CREATE TABLE IF NOT EXISTS", statement, "%s: several statements only make tables", name)
			}
			if strings.Contains(statement, "CREATE TABLE") {
				const end = `(?m)^\) ENGINE = InnoDB .*DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;$`
				require.Regexp(t, end, statement, name)
			}
		}
	}
}
