// Package bench measures the storefront as it runs in production, on the demo shop that `make bench` has loaded: pages
// against a handler that only writes their bytes, and purchases against the bare statements. It contains nothing else.
package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/ratio"
	"shop.internal/services/storefront/internal/app"
)

const (
	shoppers = 32
	rounds   = 9
)

// shipped is the configuration that is delivered with the program.
const shipped = "../../../../deploy/storefront/config.yaml"

// shop is a running storefront, and its database as nobody but a measurement may see it.
type shop struct {
	address string
	db      *sql.DB
}

// config is the configuration of the service.
func config(b *testing.B) app.Config {
	b.Helper()
	if os.Getenv("STOREFRONT_MYSQL_DSN") == "" {
		b.Skip("needs a demo shop of its own: run `make bench`")
	}
	c, err := app.LoadConfig(shipped)
	require.NoError(b, err)
	c.Order.MaxUnpaid, c.Order.MaxUnpaidPieces = 0, 0 // few shoppers submit everything that is measured, and never pay
	return c
}

// open starts the whole service in this process: its ports, limits and metrics, and its log, which goes to a file.
func open(b *testing.B, c app.Config) *shop {
	b.Helper()
	c.Listen, c.Ops.Listen = ratio.FreePort(b), ratio.FreePort(b)
	ratio.Serve(b, c.Ops.Listen, func(ctx context.Context, log io.Writer) error {
		return app.Run(ctx, c, program.Deps{Now: time.Now, Clock: time.Now, Out: log})
	})
	return &shop{address: c.Listen, db: database(b, c.MySQL.DSN)}
}

// database is the plain driver with what makes it fast: parameters in the text, several statements in one, and enough
// connections.
func database(b *testing.B, dsn string) *sql.DB {
	b.Helper()
	c, err := mysql.ParseDSN(dsn)
	require.NoError(b, err)
	c.InterpolateParams, c.MultiStatements = true, true
	c.Collation = "utf8mb4_general_ci"
	c.Params = map[string]string{"time_zone": "'+00:00'"}
	connector, err := mysql.NewConnector(c)
	require.NoError(b, err)
	d := sql.OpenDB(connector)
	d.SetMaxIdleConns(2 * shoppers)
	b.Cleanup(func() { require.NoError(b, d.Close()) })
	return d
}

// get is a guest's request as it goes over the wire.
func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: bench\r\n\r\n" }

// post is a shopper's request as it goes over the wire.
func post(path, token string, body any) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // a literal of this package
	}
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\nX-Shop-Token: %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\n\r\n%s", path, token, len(text), text)
}
