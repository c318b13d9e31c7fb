// Package dbtest provides tests with an empty, migrated database of their own, on the server of SHOP_TEST_MYSQL_DSN.
// The databases are kept and emptied for the next test, also of another process, since emptying takes milliseconds and
// creating one takes a second.
package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"shop.internal/migrations"
	"shop.internal/pkg/domain/internal/db"
)

// pool holds the databases of this process that no test is using, for the life of the process.
var pool struct {
	sync.Mutex
	free   []string
	owner  *sql.Conn // holds the lock of each database of this process
	lowest int       // the number from which on the next database is looked for
}

// timeout is the timeout of a statement of these preparations.
const timeout = 5 * time.Minute

// Secret is the secret of a deployment that keys the hashes in the database.
var Secret = []byte("2c9f1be07a54d8636e10b7f5a3c84d92")

// Open returns a pool on an empty database that belongs to the test. Without a server the test fails.
func Open(t testing.TB) *db.DB {
	t.Helper()
	d, err := db.Open(db.Options{DSN: DSN(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// Seed is what a test draws by: SHOP_SEED, which make test sets, so that a failure can be repeated; otherwise 1.
func Seed(t testing.TB) uint64 {
	t.Helper()
	text := os.Getenv("SHOP_SEED")
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("SHOP_SEED: %v", err)
	}
	return seed
}

// setting returns the environment variable with the address of a server.
func setting(t testing.TB, variable string) string {
	t.Helper()
	address := os.Getenv(variable)
	if address == "" {
		t.Fatalf("%s is not set: run `make test`", variable)
	}
	return address
}

// DSN returns the address of an empty database that belongs to the test.
func DSN(t testing.TB) string {
	t.Helper()
	server := setting(t, "SHOP_TEST_MYSQL_DSN")
	cfg, err := mysql.ParseDSN(server)
	if err != nil {
		t.Fatal(err)
	}
	name := take()
	if name == "" {
		name = claimDatabase(t, server)
	}
	cfg.DBName = name
	dsn := cfg.FormatDSN()
	t.Cleanup(func() {
		empty(t, dsn)
		pool.Lock()
		defer pool.Unlock()
		pool.free = append(pool.free, name)
	})
	return dsn
}

func take() string {
	pool.Lock()
	defer pool.Unlock()
	n := len(pool.free)
	if n == 0 {
		return ""
	}
	name := pool.free[n-1]
	pool.free = pool.free[:n-1]
	return name
}

// claimDatabase returns an empty database that no other process uses. It belongs to the process that holds the lock of
// its name, which ends with the process.
func claimDatabase(t testing.TB, server string) string {
	t.Helper()
	pool.Lock()
	defer pool.Unlock()
	ctx := context.Background()
	if pool.owner == nil {
		conn, err := open(t, server).Conn(ctx) // for the life of the process
		if err != nil {
			t.Fatal(err)
		}
		pool.owner = conn
	}
	for {
		pool.lowest++
		name := fmt.Sprintf("shop_test_%d", pool.lowest)
		var ours sql.NullInt64
		if err := pool.owner.QueryRowContext(ctx, "SELECT GET_LOCK(?, 0)", name).Scan(&ours); err != nil {
			t.Fatal(err)
		}
		if ours.Int64 == 1 {
			prepare(t, server, name)
			return name
		}
	}
}

// prepare makes a database empty that an earlier process has left, possibly in the middle of a test or of another
// release, or creates it.
func prepare(t testing.TB, server, name string) {
	t.Helper()
	cfg, err := mysql.ParseDSN(server)
	if err != nil {
		t.Fatal(err)
	}
	cfg.DBName = name
	admin, dsn := dial(t, server), cfg.FormatDSN()
	if len(column(t, admin, "SHOW DATABASES LIKE '"+name+"'")) > 0 {
		d := dial(t, dsn)
		// A killed test may leave tables of its own.
		for _, table := range column(t, d, "SHOW TABLES LIKE 'copy\\_of\\_%'") {
			exec(t, d, "DROP TABLE "+table)
		}
		if v, err := migrations.Current(context.Background(), d); err == nil && v == migrations.Version() &&
			migrations.Check(context.Background(), d) == nil {
			empty(t, dsn)
			return
		}
	}
	exec(t, admin, "DROP DATABASE IF EXISTS "+name)
	exec(t, admin, "CREATE DATABASE "+name+" CHARACTER SET utf8mb4")
	if err := migrations.Apply(context.Background(), dial(t, dsn), func(string) {}); err != nil {
		t.Fatal(err)
	}
}

// firstID is the first id of each table whose ids do not begin at 1.
var firstID = map[string]int64{"coupon_user": 10_000_001}

// empty deletes all rows and resets the id counters, so that ids in golden files are stable. It truncates the tables
// that a test has used, which costs less than deleting the rows and altering the counter on a server whose tables share
// one file, as that of make test, and about as much where each has its own.
func empty(t testing.TB, dsn string) {
	t.Helper()
	d := dial(t, dsn)
	d.SetMaxOpenConns(1) // so that all statements are those of one session, which reads counters that are not a day old
	exec(t, d, "SET @mysql = 0"+onMySQL("information_schema_stats_expiry = 0"))
	used, next := map[string]bool{}, nextIDs(t, d)
	var ask []string
	for table, id := range next {
		used[table] = id.Valid && id.Int64 != max(firstID[table], 1)
		ask = append(ask, "SELECT '"+table+"' FROM DUAL WHERE EXISTS (SELECT 1 FROM `"+table+"`)")
	}
	for _, table := range column(t, d, strings.Join(ask, " UNION ALL ")) {
		used[table] = true
	}
	for table, used := range used {
		if !used {
			continue
		}
		exec(t, d, "TRUNCATE TABLE `"+table+"`")
		if id := firstID[table]; id != 0 {
			exec(t, d, fmt.Sprintf("ALTER TABLE `%s` AUTO_INCREMENT = %d", table, id))
		}
	}
}

// nextIDs returns the next id of each table that tests fill; it is not valid for a table without such a counter.
func nextIDs(t testing.TB, d *sql.DB) map[string]sql.NullInt64 {
	t.Helper()
	rows, err := d.QueryContext(context.Background(), `SELECT table_name, auto_increment
		FROM information_schema.tables
		WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
			AND table_name NOT IN ('schema_migration', 'goose_lock')`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	next := map[string]sql.NullInt64{}
	for rows.Next() {
		var table string
		var id sql.NullInt64
		if err := rows.Scan(&table, &id); err != nil {
			t.Fatal(err)
		}
		next[table] = id
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return next
}

// onMySQL returns the part of a SET statement that MySQL executes. For MariaDB, which does not know the variable, it is
// a comment.
func onMySQL(assignment string) string { return " /*!80000 , SESSION " + assignment + " */" }

// Plan returns the plan of a statement as JSON, in the first format of the server.
func Plan(t testing.TB, d *db.DB, statement string) string {
	t.Helper()
	var plan string
	err := d.InTx(t.Context(), func(tx *db.Tx) error { // for one connection
		set := "SET @mysql = 0" + onMySQL("explain_json_format_version = 1")
		if err := tx.G(t.Context()).Exec(set).Error; err != nil {
			return err
		}
		return tx.G(t.Context()).Raw("EXPLAIN FORMAT=JSON " + statement).Scan(&plan).Error
	})
	if err != nil {
		t.Fatalf("explain %s: %v", statement, err)
	}
	return plan
}

// dial opens a pool that is closed with the test.
func dial(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	d := open(t, dsn)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func open(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	cfg, err := db.Config(dsn)
	if err != nil {
		t.Fatal(err)
	}
	// Creating and dropping a database waits for the disk, possibly for long on a busy machine.
	cfg.ReadTimeout, cfg.WriteTimeout = timeout, timeout
	d, err := sql.Open("mysql", cfg.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func exec(t testing.TB, d *sql.DB, statement string) {
	t.Helper()
	if _, err := d.ExecContext(context.Background(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func column(t testing.TB, d *sql.DB, query string) []string {
	t.Helper()
	rows, err := d.QueryContext(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
