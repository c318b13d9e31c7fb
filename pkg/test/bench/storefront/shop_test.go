// Package storefront measures the storefront as it is delivered, on the demo shops that `make bench` loads: pages against a
// handler that only writes their bytes, purchases against the bare statements, and lists of a million goods against
// those of ten thousand. The clients share one processor, in a process of their own. It contains nothing else.
package storefront

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/test/bench/ratio"
)

const (
	shoppers = 32
	rounds   = 9
	turn     = 500 * time.Millisecond
)

// The numbers of goods of the measured shops.
const (
	small  = 240
	medium = domaintest.Medium
	large  = 1_000_000
)

// shop is a running storefront, and its database as nobody but a measurement may see it.
type shop struct {
	address, ops string
	process      int

	provided domaintest.Bench
	dsn      string
	db       *sql.DB
	goods    int
	// ready is the time from the start of the program until it answers lists from memory.
	ready time.Duration
}

// open starts the delivered program on the shop of a number of goods, with further settings as environment variables,
// and returns once its lists are answered from memory. Few shoppers submit most of what is measured, and never pay, so
// the limits of unpaid orders and of writes are off; delivered has them as they are delivered.
func open(b *testing.B, goods int, settings ...string) *shop {
	b.Helper()
	provided := domaintest.OpenBench(b, "STOREFRONT_MYSQL_DSN")
	dsn, took := provided.Shop(b, goods)
	if goods == large && took > 0 {
		ratio.Figure(b, "demo --goods 1000000", took.Minutes(), 5, "min")
	}
	s := &shop{
		provided: provided, dsn: dsn, db: database(b, dsn), goods: goods, address: ratio.FreePort(b), ops: ratio.FreePort(b),
	}
	began := time.Now()
	p := ratio.Start(b, s.ops, append([]string{
		"STOREFRONT_MYSQL_DSN=" + dsn, "STOREFRONT_REDIS_DB=" + strconv.Itoa(redisOf(goods)),
		"STOREFRONT_LISTEN=" + s.address, "STOREFRONT_OPS_LISTEN=" + s.ops,
		"STOREFRONT_PAYMENT_NOTIFY_URL=http://" + s.address + "/wx/order/pay-notify",
		"STOREFRONT_ORDER_MAX_UNPAID=0", "STOREFRONT_ORDER_MAX_UNPAID_PIECES=0",
		"STOREFRONT_LOGIN_PER_ADDRESS=0", "STOREFRONT_LOGIN_PER_ACCOUNT=0",
	}, settings...), provided.Program("storefront"), "--config", shipped)
	s.process = p.Process.Pid
	b.Cleanup(func() { _ = p.Wait() })
	ratio.AwaitGauge(b, s.ops, "catalog_index_goods", 1, 2*time.Minute)
	s.ready = time.Since(began)
	return s
}

// delivered are the settings with the limits of unpaid orders and of writes as they are delivered. The clients have
// addresses of their own.
func delivered(b *testing.B) []string {
	b.Helper()
	text, err := os.ReadFile(shipped)
	require.NoError(b, err)
	settings := []string{"STOREFRONT_PROXIES_TRUSTED=127.0.0.1"}
	for variable, key := range map[string]string{
		"ORDER_MAX_UNPAID": "max-unpaid", "ORDER_MAX_UNPAID_PIECES": "max-unpaid-pieces",
		"RATE_WRITES_PER_SHOPPER": "writes-per-shopper", "RATE_WRITES_PER_ADDRESS": "writes-per-address",
	} {
		value := regexp.MustCompile(`(?m)^  ` + key + `: ([1-9]\d*)$`).FindSubmatch(text)
		require.NotNil(b, value, key)
		settings = append(settings, "STOREFRONT_"+variable+"="+string(value[1]))
	}
	return settings
}

// shipped is the configuration that is delivered with the program.
const shipped = "../../../../deploy/storefront/config.yaml"

// redisOf keeps the tokens and limits of the shops apart.
func redisOf(goods int) int { return map[int]int{small: 1, medium: 0, large: 2}[goods] }

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

// verify requires that the books of the shop agree after a load.
func (s *shop) verify(b *testing.B) {
	b.Helper()
	s.provided.Shopctl(b, s.dsn, "verify")
}

// get is a request as it goes over the wire; token is empty for a guest.
func get(path, token string) []byte {
	if token != "" {
		token = "X-Shop-Token: " + token + "\r\n"
	}
	return []byte("GET " + path + " HTTP/1.1\r\nHost: bench\r\n" + token + "\r\n")
}

// post is a shopper's request as it goes over the wire.
func post(path, token string, body any, headers ...string) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // a literal of this package
	}
	more := ""
	for _, h := range headers {
		more += h + "\r\n"
	}
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\nX-Shop-Token: %s\r\nContent-Type: application/json\r\n"+
		"%sContent-Length: %d\r\n\r\n%s", path, token, more, len(text), text)
}
