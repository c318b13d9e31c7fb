package db_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// FuzzSeveral lets the server decide: of a text that passes as one statement it executes no more than one.
func FuzzSeveral(f *testing.F) {
	for _, text := range []string{
		"SELECT 1; SELECT 2", "SELECT ';'; SELECT 2", `SELECT "\";", ';'';'; SELECT 2`, "SELECT 1 AS `;`; SELECT 2",
		"SELECT 1 -- '\n; SELECT 2 -- '", "SELECT 1 # '\n; SELECT 2", "SELECT 1 /* ' */; SELECT 2 /* ' */",
		"SELECT 1 /*! ; SELECT 2 */", "SELECT ';", "-- it's one\nSELECT 1;\n", "SELECT '\\\\'; SELECT 2", "SELECT 1--1; SELECT 2",
	} {
		f.Add(text)
	}
	cfg, err := mysql.ParseDSN(dbtest.DSN(f))
	require.NoError(f, err)
	cfg.MultiStatements = true
	connector, err := mysql.NewConnector(cfg)
	require.NoError(f, err)
	pool := sql.OpenDB(connector)
	f.Cleanup(func() { _ = pool.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		if db.Several(text) {
			return
		}
		ctx := context.Background()
		server, err := pool.Conn(ctx)
		require.NoError(t, err)
		defer server.Close()
		statements := func() (n int64) {
			var name string
			require.NoError(t, server.QueryRowContext(ctx, "SHOW SESSION STATUS LIKE 'Questions'").Scan(&name, &n))
			return n
		}
		before := statements()
		_, _ = server.ExecContext(ctx, "DO 0; "+text) // most texts are no SQL
		require.LessOrEqual(t, statements()-before-1, int64(2), "statements besides that which counts them")
	})
}
