// Package bench measures the administration as it runs in production, on a shop of a million orders in a database of its
// own, which `make bench` provides. It holds nothing else.
package bench

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/access"
	kit "shop.internal/pkg/kit/program"
	"shop.internal/services/admin/internal/app"
)

// shop is a running administration with the token of an operator who may do everything, and its database.
type shop struct {
	address, token string
	db             *sql.DB
}

// open starts the service in this process, whole, on the database of the long lists.
func open(b *testing.B) *shop {
	b.Helper()
	s, c := stocked(b)
	run(b, c)
	return s
}

// stocked is the shop of the long lists, and the configuration of a service that is to run on it.
func stocked(b *testing.B) (*shop, app.Config) {
	b.Helper()
	if os.Getenv("ADMIN_MYSQL_DSN") == "" {
		b.Skip("needs servers of its own: run `make bench`")
	}
	c, err := app.LoadConfig(filepath.Join("..", "..", "..", "..", "deploy", "admin", "config.yaml"))
	require.NoError(b, err)
	c.Jobs.Enabled = false
	c.Listen, c.Ops.Listen = freePort(b), freePort(b)
	c.MySQL.DSN = ownDatabase(b, c.MySQL.DSN)
	s := &shop{address: c.Listen, db: connect(b, c.MySQL.DSN)}
	s.token = s.prepare(b, c)
	return s, c
}

// run serves until the benchmark ends; the log goes to a file, as in production.
func run(b *testing.B, c app.Config) {
	b.Helper()
	log, err := os.Create(filepath.Join(b.TempDir(), "log"))
	require.NoError(b, err)
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx, c, kit.World{Now: time.Now, Clock: time.Now, Out: log}) }()
	b.Cleanup(func() {
		stop()
		require.NoError(b, <-ended)
		require.NoError(b, log.Close())
	})
	requireReady(b, c)
}

// requireReady waits for a service.
func requireReady(b *testing.B, c app.Config) {
	b.Helper()
	client := http.Client{Timeout: time.Second}
	require.Eventually(b, func() bool {
		answer, err := client.Get("http://" + c.Ops.Listen + "/readyz")
		if err != nil {
			return false
		}
		return answer.Body.Close() == nil && answer.StatusCode == http.StatusOK
	}, 10*time.Second, 10*time.Millisecond)
}

func freePort(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	require.NoError(b, l.Close())
	return l.Addr().String()
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

// connect is the plain driver with what makes it fast: parameters in the text.
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

// prepare brings the database up to date, fills it, and logs an operator in.
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
