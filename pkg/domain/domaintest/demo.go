package domaintest

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

// Bench is what `make bench` provides: a demo shop of Medium goods at DSN, and the built programs in a folder.
type Bench struct{ DSN, Programs string }

// Medium is the number of goods of the shop that `make bench` prepares.
const Medium = 10_000

// OpenBench returns what `make bench` provides, and skips the benchmark outside of it. variable names the DSN.
func OpenBench(b *testing.B, variable string) Bench {
	b.Helper()
	w := Bench{DSN: os.Getenv(variable), Programs: os.Getenv("SHOP_BENCH_PROGRAMS")}
	if w.DSN == "" || w.Programs == "" {
		b.Skip("needs a demo shop of its own: run `make bench`")
	}
	return w
}

// Program is the path of a built program.
func (w Bench) Program(name string) string { return filepath.Join(w.Programs, name) }

// Database creates a database beside that of the DSN, unless it exists, and returns its DSN.
func (w Bench) Database(b *testing.B, suffix string) string {
	b.Helper()
	c, err := mysql.ParseDSN(w.DSN)
	require.NoError(b, err)
	c.DBName += suffix
	_, err = connect(b, w.DSN).ExecContext(b.Context(), "CREATE DATABASE IF NOT EXISTS "+c.DBName+" CHARACTER SET utf8mb4")
	require.NoError(b, err)
	return c.FormatDSN()
}

// Shop returns the DSN of a demo shop with a number of goods, and the time that it took to make it: it is made once and
// kept for the next run, which 0 means.
func (w Bench) Shop(b *testing.B, goods int) (dsn string, took time.Duration) {
	b.Helper()
	if goods == Medium {
		return w.DSN, 0
	}
	dsn = w.Database(b, fmt.Sprintf("_%d", goods))
	have := 0
	err := connect(b, dsn).QueryRowContext(b.Context(), "SELECT COUNT(*) FROM goods").Scan(&have)
	if err == nil && have >= goods {
		return dsn, 0
	}
	began := time.Now()
	w.Shopctl(b, dsn, "migrate")
	w.Shopctl(b, dsn, "demo", "--goods", fmt.Sprint(goods))
	return dsn, time.Since(began)
}

// Shopctl runs shopctl on a database; a failure ends the benchmark.
func (w Bench) Shopctl(b *testing.B, dsn string, args ...string) {
	b.Helper()
	p := exec.CommandContext(b.Context(), w.Program("shopctl"),
		append([]string{"--config", "../../../../deploy/admin/config.yaml"}, args...)...)
	p.Env = append(os.Environ(), "ADMIN_MYSQL_DSN="+dsn)
	out, err := p.CombinedOutput()
	require.NoError(b, err, string(out))
}

func connect(b *testing.B, dsn string) *sql.DB {
	b.Helper()
	d, err := sql.Open("mysql", dsn)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, d.Close()) })
	return d
}
