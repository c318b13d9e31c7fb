package express_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	domainexpress "shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
	"shop.internal/services/storefront/internal/express"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, express.Ops(express.Deps{})...)) }

const query = "/wx/express/query"

// carrier knows one parcel, unless it fails.
type carrier struct {
	asked int
	err   error
}

func (c *carrier) Track(_ context.Context, p domainexpress.Parcel) (domainexpress.Track, error) {
	c.asked++
	if p.Number != "75001" {
		return domainexpress.Track{Reason: "no such parcel"}, c.err
	}
	return domainexpress.Track{Success: true, State: "2", Traces: []domainexpress.Trace{
		{Station: "杭州", Time: "2030-01-02 12:00:00"}, {Station: "上海", Time: "2030-01-02 18:00:00"},
	}}, c.err
}

// open is a storefront with a provider, a shopper, a shipped order of theirs and one that is not shipped.
func open(t *testing.T, p domainexpress.Provider) (s *apitest.Shop, lin *optest.Client, shipped, paid int64) {
	t.Helper()
	s = apitest.Open(t)
	d := *s.Domain.Domain
	d.Parcels = domainexpress.New(p, nil, s.Domain.Clock.Now, slog.New(slog.DiscardHandler))
	var c app.Config
	c.Shop.Language, c.Shop.Zone, c.Limits.Body, c.Storage.UploadRequiresLogin = "zh", "Asia/Shanghai", 1<<20, true
	h, err := app.NewHandler(&d, c, app.HandlerDeps{
		Now: s.Domain.Clock.Now, Clock: s.Domain.Clock.Now, Done: func(op.Result) {}, Timeout: optest.Patience,
	})
	require.NoError(t, err)
	s.API.Handler = h
	id := s.Domain.Shopper("lin")
	tea := s.Domain.Product("tea", 10000, 100)
	shipped, paid = s.Domain.Order(id, tea), s.Domain.Order(id, tea)
	s.Domain.Pay(id, shipped)
	s.Domain.Pay(id, paid)
	require.NoError(t, s.Domain.Orders.Ship(t.Context(), actor.Operator(1), shipped, "ZTO", "75001"))
	return s, s.As(id), shipped, paid
}

func TestQuery(t *testing.T) {
	t.Parallel()
	s, lin, shipped, paid := open(t, &carrier{})
	lin.POST(query, `{"orderId":%d}`, shipped).OK().Golden("query")
	lin.POST(query, `{"expCode":"zto","expNo":" 75001 "}`).OK().Golden("query")
	lin.POST(query, `{"orderId":%d}`, paid).OK().Golden("query_not_shipped")
	lin.POST(query, `{}`).Fails(errno.Missing).Says("缺少订单")
	lin.POST(query, `{"expCode":"ZTO"}`).Fails(errno.Missing)
	lin.POST(query, `{"expNo":"75001"}`).Fails(errno.Missing)
	lin.POST(query, `{"orderId":999}`).Fails(errno.Invalid).Says("订单不存在或已删除")
	lin.POST(query, `{"expCode":"ZTO","expNo":"1"}`).Fails(errno.Invalid)
	lin.POST(query, `{"expCode":"YTO","expNo":"75001"}`).Fails(errno.Invalid)
	s.Guest().POST(query, `{"orderId":%d}`, shipped).Fails(errno.LoginRequired)
	wang := s.Shopper("wang")
	wang.POST(query, `{"orderId":%d}`, shipped).Fails(errno.Invalid)
	wang.POST(query, `{"expCode":"ZTO","expNo":"75001"}`).Fails(errno.Invalid)
}

// Showing an order must not wait for an external server each time.
func TestAnOrderTellsWhereItsParcelIs(t *testing.T) {
	t.Parallel()
	p := &carrier{}
	_, lin, shipped, paid := open(t, p)
	type detail struct{ ExpressInfo express.Info }
	var of detail
	for range 3 {
		lin.GET("/wx/order/detail?orderId=%d", shipped).Data(&of)
		require.Equal(t, express.Info{
			LogisticCode: "75001", ShipperCode: "ZTO", ShipperName: "中通快递", State: "2", Success: true,
			Traces: []express.Trace{{"杭州", "2030-01-02 12:00:00"}, {"上海", "2030-01-02 18:00:00"}},
		}, of.ExpressInfo)
	}
	require.Equal(t, 1, p.asked)
	of = detail{}
	lin.GET("/wx/order/detail?orderId=%d", paid).Data(&of)
	require.Equal(t, express.Info{Traces: []express.Trace{}}, of.ExpressInfo)
	lin.POST("/wx/order/confirm", `{"orderId":%d}`, shipped).OK()
	of = detail{}
	lin.GET("/wx/order/detail?orderId=%d", shipped).Data(&of)
	require.Equal(t, express.Info{Traces: []express.Trace{}}, of.ExpressInfo, "it has arrived")
}

func TestAProviderOutOfOrder(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]domainexpress.Provider{"failing": &carrier{err: errors.New("out of order")}, "none": nil} {
		t.Run(name, func(t *testing.T) {
			_, lin, shipped, _ := open(t, p)
			a := lin.GET("/wx/order/detail?orderId=%d", shipped).OK()
			require.Contains(t, string(a.Body), `"Traces":[]`)
			lin.POST(query, `{"orderId":%d}`, shipped).OK().Golden("query_unknown")
		})
	}
}
