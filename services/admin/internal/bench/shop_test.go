// Package bench measures the administration as it is delivered, on a shop of a million orders and one of a million
// goods in separate databases, which `make bench` provides. It contains nothing else.
package bench

import (
	"database/sql"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/deployment"
	"shop.internal/pkg/domain/domaintest"
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

// open starts the delivered program on the database of the long lists.
func open(b *testing.B) *shop {
	b.Helper()
	s, c := stocked(b)
	delivered(b, c)
	return s
}

// stocked is the shop of the long lists, and the configuration of a service on it.
func stocked(b *testing.B) (*shop, app.Config) {
	b.Helper()
	return serving(b, domaintest.OpenBench(b, "ADMIN_MYSQL_DSN").Database(b, "_lists"), (*shop).fill)
}

// serving is a shop in a database, after a step of its own, and the configuration of a service on it.
func serving(b *testing.B, dsn string, step func(*shop, *testing.B)) (*shop, app.Config) {
	b.Helper()
	c, err := app.LoadConfig(shipped)
	require.NoError(b, err)
	c.Jobs.Enabled = false
	c.Listen, c.Ops.Listen = ratio.FreePort(b), ratio.FreePort(b)
	c.MySQL.DSN = dsn
	s := &shop{address: c.Listen, db: connect(b, c.MySQL.DSN)}
	s.token = s.prepare(b, c, step)
	return s, c
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

// prepare migrates the database, takes a step, and logs an operator in.
func (s *shop) prepare(b *testing.B, c app.Config, step func(*shop, *testing.B)) (token string) {
	b.Helper()
	d, err := app.OpenDomain(c, deployment.Surroundings{Now: time.Now, Log: slog.New(slog.DiscardHandler)}, nil)
	require.NoError(b, err)
	defer d.Close()
	require.NoError(b, d.Migrate(b.Context(), func(string) {}))
	step(s, b)
	for left := 1; left > 0; {
		left, err = d.Orders.IndexRecipients(b.Context())
		require.NoError(b, err)
	}
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
