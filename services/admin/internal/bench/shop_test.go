// Package bench measures the administration as it runs in production, on a shop of a million orders in a separate
// database, which `make bench` provides. It contains nothing else.
package bench

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/ratio"
	"shop.internal/services/admin/internal/app"
)

// shipped is the configuration that is delivered with the program.
const shipped = "../../../../deploy/admin/config.yaml"

// shop is a running administration with the token of an operator who may do everything, and its database.
type shop struct {
	address, token string
	db             *sql.DB
}

// open starts the whole service in this process, on the database of the long lists.
func open(b *testing.B) *shop {
	b.Helper()
	s, c := stocked(b)
	ratio.Serve(b, c.Ops.Listen, func(ctx context.Context, log io.Writer) error {
		return app.Run(ctx, c, program.Deps{Now: time.Now, Clock: time.Now, Out: log})
	})
	return s
}

// stocked is the shop of the long lists, and the configuration of a service on it.
func stocked(b *testing.B) (*shop, app.Config) {
	b.Helper()
	if os.Getenv("ADMIN_MYSQL_DSN") == "" {
		b.Skip("needs servers of its own: run `make bench`")
	}
	c, err := app.LoadConfig(shipped)
	require.NoError(b, err)
	c.Jobs.Enabled = false
	c.Listen, c.Ops.Listen = ratio.FreePort(b), ratio.FreePort(b)
	c.MySQL.DSN = ownDatabase(b, c.MySQL.DSN)
	s := &shop{address: c.Listen, db: connect(b, c.MySQL.DSN)}
	s.token = s.prepare(b, c)
	return s, c
}

// ownDatabase makes the database beside the one of a DSN, and returns the DSN of it.
func ownDatabase(b *testing.B, dsn string) string {
	b.Helper()
	c, err := mysql.ParseDSN(dsn)
	require.NoError(b, err)
	c.DBName += "_lists"
	_, err = connect(b, dsn).ExecContext(b.Context(), "CREATE DATABASE IF NOT EXISTS "+c.DBName+" CHARACTER SET utf8mb4")
	require.NoError(b, err)
	return c.FormatDSN()
}

// connect is the plain driver in its fastest configuration, with interpolated parameters.
func connect(b *testing.B, dsn string) *sql.DB {
	b.Helper()
	c, err := mysql.ParseDSN(dsn)
	require.NoError(b, err)
	c.InterpolateParams = true
	c.Collation = "utf8mb4_general_ci"
	connector, err := mysql.NewConnector(c)
	require.NoError(b, err)
	d := sql.OpenDB(connector)
	b.Cleanup(func() { require.NoError(b, d.Close()) })
	return d
}

// prepare migrates the database, fills it, and logs an operator in.
func (s *shop) prepare(b *testing.B, c app.Config) (token string) {
	b.Helper()
	d, err := app.OpenDomain(c, time.Now, slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	defer d.Close()
	require.NoError(b, d.Migrate(b.Context(), func(string) {}))
	s.fill(b)
	name, password := fmt.Sprintf("bench%d", time.Now().Unix()), "a password of this run 1"
	_, err = d.Access.Appoint(b.Context(), access.Appointment{
		Username: name, Password: password, Role: "role of " + name, Values: []string{access.Super},
	})
	require.NoError(b, err)
	_, token, err = d.Sessions.LogIn(b.Context(), access.Credentials{
		Username: name, Password: password, Address: "127.0.0.1",
	})
	require.NoError(b, err)
	return token
}
