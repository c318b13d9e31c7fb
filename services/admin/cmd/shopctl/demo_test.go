package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/domaintest"
)

// database creates an empty database for the commands, which the environment then names.
func database(t *testing.T) *sql.DB {
	t.Helper()
	server := os.Getenv("SHOP_TEST_MYSQL_DSN")
	require.NotEmpty(t, server, "SHOP_TEST_MYSQL_DSN is not set: run `make test`")
	cfg, err := mysql.ParseDSN(server)
	require.NoError(t, err)
	cfg.DBName = fmt.Sprintf("shop_test_%d_shopctl", os.Getpid())
	db, err := sql.Open("mysql", server)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "DROP DATABASE IF EXISTS "+cfg.DBName) // of a process that crashed
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE "+cfg.DBName+" CHARACTER SET utf8mb4")
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP DATABASE "+cfg.DBName)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	})
	t.Setenv("ADMIN_MYSQL_DSN", cfg.FormatDSN())
	redis, number := domaintest.Redis(t)
	t.Setenv("ADMIN_REDIS_ADDR", redis)
	t.Setenv("ADMIN_REDIS_DB", strconv.Itoa(number))
	t.Setenv("ADMIN_SECRETS_IDEMPOTENCY", "q8Vt3ZkYw1Hs6RbN0xLc5PjD7gUf2MeAiT9o")
	t.Setenv("ADMIN_STORAGE_DIR", t.TempDir())
	t.Setenv("ADMIN_STORAGE_BASE_URL", "http://127.0.0.1:8080/wx/storage/fetch/")
	own, err := sql.Open("mysql", cfg.FormatDSN())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	return own
}

// shopctl runs one command and returns its output.
func shopctl(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c := root(&program{now: now})
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(append([]string{"--config", ""}, args...))
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestDemoAndVerify(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "demo")
	require.ErrorContains(t, err, "shopctl setup")
	_, err = shopctl(t, "migrate")
	require.NoError(t, err)
	_, err = shopctl(t, "demo")
	require.ErrorIs(t, err, errNoDemo, "a shop that is no demo gets no accounts with a published password")

	t.Setenv("ADMIN_DEMO", "true")
	out, err := shopctl(t, "demo", "--goods", "70", "--orders", "20")
	require.NoError(t, err, out)
	require.Contains(t, out, "the demo shop is ready")
	require.Contains(t, out, "orders: 20 of 20")
	out, err = shopctl(t, "demo", "--goods", "70", "--orders", "20")
	require.NoError(t, err, out)
	require.Contains(t, out, "there already")
	var records int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit_log WHERE method_path = 'shopctl demo'").
		Scan(&records))
	require.Equal(t, 2, records, "one for each run")

	out, err = shopctl(t, "verify")
	require.NoError(t, err, out)
	require.Empty(t, out, "books that agree are silent")

	_, err = shopctl(t, "verify", "--apply")
	require.ErrorContains(t, err, "--repair")
	_, err = db.ExecContext(t.Context(), "UPDATE coupon SET received = received + 1 WHERE id = 1")
	require.NoError(t, err)
	for range 2 { // a plan changes nothing
		out, err = shopctl(t, "verify", "--repair")
		require.ErrorIs(t, err, errDisagree)
		require.Regexp(t, `^coupon 1: received is \d+, should be \d+ \(a repair sets it\)\n$`, out)
	}
	out, err = shopctl(t, "verify", "--repair", "--apply")
	require.NoError(t, err)
	require.Regexp(t, `^coupon 1: received is \d+, should be \d+ \(repaired\)\n$`, out)
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit_log WHERE method_path = 'shopctl verify' "+
		"AND target_type = 'coupon' AND target_id = 1").Scan(&records))
	require.Equal(t, 1, records)

	_, err = db.ExecContext(t.Context(), "UPDATE goods_product SET number = number - 1 WHERE id = 3")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE payment SET paid_amount = paid_amount + 1 WHERE id = 2")
	require.NoError(t, err)
	out, err = shopctl(t, "verify", "--repair", "--apply")
	require.ErrorIs(t, err, errDisagree)
	require.Contains(t, out, "(no repair: find the cause)")
	out, err = shopctl(t, "verify")
	require.ErrorIs(t, err, errDisagree)
	require.Contains(t, out, "goods_product 3: number (with its buckets) is 4999, should be 5000\n")
	require.Contains(t, out, "payment 2: paid_amount is ")
	require.Contains(t, out, "orders 2: actual_price (against its payment) is ")
	require.Equal(t, 3, bytes.Count([]byte(out), []byte("\n")), out)
}

// A former demo shop refuses the published password, and nothing else.
func TestDemoRemove(t *testing.T) {
	db := database(t)
	t.Setenv("ADMIN_DEMO", "true")
	out, err := shopctl(t, "setup", "--demo")
	require.NoError(t, err, out)
	t.Setenv("ADMIN_DEMO", "false")
	_, err = shopctl(t, "demo", "remove")
	require.ErrorIs(t, err, domain.ErrLastSuper)
	enabled := func() (n int) {
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT (SELECT COUNT(*) FROM user WHERE status = 0) + "+
			"(SELECT COUNT(*) FROM admin WHERE status = 0)").Scan(&n))
		return n
	}
	require.Equal(t, 203, enabled(), "a refused removal changes nothing")

	_, err = shopctl(t, "admin", "create", "owner_one")
	require.NoError(t, err)
	_, err = shopctl(t, "admin", "password", "goods")
	require.NoError(t, err)
	out, err = shopctl(t, "demo", "remove")
	require.NoError(t, err)
	require.Equal(t, "disabled 200 shoppers and 2 operators of the demo shop; their sessions are over\n", out)
	require.Equal(t, 2, enabled(), "the owner and an operator with a password of their own")
	out, err = shopctl(t, "demo", "remove")
	require.NoError(t, err)
	require.Equal(t, "no account of the demo shop is open\n", out)
	out, err = shopctl(t, "verify")
	require.NoError(t, err, out)
	require.Empty(t, out)
}
