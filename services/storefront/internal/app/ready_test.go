package app_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/pkg/kit/server"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

// serve runs a storefront on a shop, and returns what reads an address of one of its ports.
func serve(t *testing.T, shop *apitest.Shop, d *domain.Domain) (get func(path string) (status int, body string)) {
	t.Helper()
	var config app.Config
	config.Shop.Language, config.Shop.Zone, config.Limits.Body = "zh", "Asia/Shanghai", 1<<20
	now := shop.Domain.Clock.Now
	h, err := app.NewHandler(d, config, app.HandlerDeps{Now: now, Clock: now, Done: func(op.Result) {}, Timeout: optest.Patience})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ports, ended := make(chan [2]net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- server.Run(ctx, server.Options{
			Name: "storefront", Listen: "127.0.0.1:0", OpsListen: "127.0.0.1:0", Handler: h, Ready: h.Ready(d),
			Log:     slog.New(slog.DiscardHandler),
			Started: func(public, private net.Addr) { ports <- [2]net.Addr{public, private} },
		})
	}()
	t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
	at := <-ports
	return func(path string) (int, string) {
		t.Helper()
		address := at[0]
		if strings.HasPrefix(path, "/readyz") {
			address = at[1]
		}
		answer, err := http.Get("http://" + address.String() + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(body)
	}
}

// A balancer keeps a replica that guests can still use while MySQL is away, for as long as they can.
func TestReadyWhilePagesAreInMemory(t *testing.T) {
	t.Parallel()
	shop := apitest.Open(t)
	d, freeze := shop.Domain.Freezable()
	get := serve(t, shop, d)
	says := func(path string, wantStatus int, want string) {
		t.Helper()
		status, body := get(path)
		require.Equal(t, wantStatus, status, body)
		require.JSONEq(t, want, body)
	}
	says("/readyz?strict", 200, `{"ready":true}`)
	thaw := freeze()
	says("/readyz", 503, `{"ready":false,"wrong":["mysql"]}`) // no page has been asked for yet
	thaw()
	says("/readyz", 200, `{"ready":true}`)

	_, before := get("/wx/home/index")
	require.Contains(t, before, `"errno":0`)
	thaw = freeze()
	says("/readyz", 200, `{"ready":true,"degraded":["mysql"]}`)
	says("/readyz?strict", 503, `{"ready":false,"degraded":["mysql"]}`)
	shop.Domain.Clock.Move(30 * time.Second)
	says("/readyz", 200, `{"ready":true,"degraded":["mysql"]}`)
	_, still := get("/wx/home/index")
	require.Equal(t, before, still)
	shop.Domain.Clock.Move(2 * time.Second)
	says("/readyz", 503, `{"ready":false,"wrong":["mysql"]}`)
	thaw()
	says("/readyz", 200, `{"ready":true}`)
}

// A database that answers and takes no writes may be the old primary, and another replica may have found the new one.
func TestNotReadyWithAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	shop := apitest.Open(t)
	setting := "transaction_read_only"
	if strings.Contains(shop.Domain.Text("SELECT VERSION()"), "MariaDB") {
		setting = "tx_read_only"
	}
	get := serve(t, shop, shop.Domain.With(func(c *domain.Config) { c.MySQLDSN += "?" + setting + "=1" }))
	_, page := get("/wx/home/index")
	require.Contains(t, page, `"errno":0`)
	status, body := get("/readyz")
	require.Equal(t, 503, status)
	require.JSONEq(t, `{"ready":false,"wrong":["mysql"]}`, body)
}
