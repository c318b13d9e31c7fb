package app_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collected "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"shop.internal/pkg/kit/tracing"
	"shop.internal/services/storefront/internal/apitest"
)

// collector takes traces by OTLP over HTTP.
type collector struct {
	*httptest.Server
	mu   sync.Mutex
	raw  bytes.Buffer
	all  []*spans.Span
	auth []string
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		zipped, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(zipped)
		var batch collected.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(body, &batch) != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s is no export of traces", r.URL)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw.Write(body)
		c.auth = append(c.auth, r.Header.Get("Authorization"))
		for _, of := range batch.GetResourceSpans() {
			for _, scope := range of.GetScopeSpans() {
				c.all = append(c.all, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// named returns the spans whose name begins so.
func (c *collector) named(name string) (found []*spans.Span) {
	for _, s := range c.all {
		if strings.HasPrefix(s.GetName(), name) {
			found = append(found, s)
		}
	}
	return found
}

// attribute returns an attribute of a span as a text.
func attribute(s *spans.Span, key string) string {
	for _, a := range s.GetAttributes() {
		if a.GetKey() == key {
			return a.GetValue().GetStringValue()
		}
	}
	return ""
}

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan  = "00f067aa0ba902b7"
)

// A purchase is one trace from the caller's span through the statements, Redis and the payment platform; what the
// outbox does later is a trace of its own, linked to it. Nothing in what is exported names a person.
func TestAPurchaseIsTraced(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	shop := apitest.Open(t)
	traces, err := tracing.Open(t.Context(), tracing.Config{
		Endpoint: c.URL, Ratio: 0, Parent: "follow", Authorization: "Bearer opensesame",
	}, "storefront", "v1", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	traced, d := shop.Traced(traces.Tracer)
	id := shop.Domain.Shopper("lin")
	to, tea := shop.Domain.Address(id), shop.Domain.Product("tea", 9900, 5)
	row, err := shop.Domain.Cart.Set(t.Context(), id, tea)
	require.NoError(t, err)
	token := shop.Domain.Token(id)
	client := traced.Guest().With("X-Shop-Token", token)
	client.GET("/wx/user/index").OK() // of which the ratio records nothing
	client = client.With("Traceparent", "00-"+callersTrace+"-"+callersSpan+"-01")
	var placed struct {
		OrderID int64 `json:"orderId"`
	}
	client.POST("/wx/order/submit", `{"cartId":%d,"addressId":%d,"couponId":0}`, row, to).OK().Data(&placed)
	client.POST("/wx/order/prepay", `{"orderId":%d}`, placed.OrderID).OK()
	client.POST("/wx/order/cancel", `{"orderId":%d}`, placed.OrderID).OK()
	done, err := d.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Positive(t, done, "in a trace of its own, which the ratio does not record")
	require.NoError(t, traces.Close(t.Context()))

	for _, path := range []string{"submit", "prepay", "cancel"} {
		found := c.named("POST /wx/order/" + path)
		require.Len(t, found, 1, path)
		request := found[0]
		require.Equal(t, callersTrace, hex.EncodeToString(request.GetTraceId()))
		require.Equal(t, callersSpan, hex.EncodeToString(request.GetParentSpanId()), "the caller's span is the parent")
		statements := 0
		for _, s := range c.all {
			if bytes.Equal(s.GetParentSpanId(), request.GetSpanId()) && attribute(s, "db.query.text") != "" {
				statements++
			}
		}
		require.Positive(t, statements, path)
	}
	prepay := c.named("payment platform prepay")
	require.Len(t, prepay, 1)
	require.Equal(t, c.named("POST /wx/order/prepay")[0].GetSpanId(), prepay[0].GetParentSpanId())
	require.NotEmpty(t, c.named("redis "))
	for _, s := range c.named("redis ") {
		require.Contains(t, []string{"redis GET", "redis script", "redis pipeline"}, s.GetName(), "a key is told")
	}
	require.NotEmpty(t, c.named("mysql insert"))
	require.Empty(t, c.named("GET "), "a request whose caller has not decided is left to the ratio")
	for _, s := range c.all {
		require.Equal(t, callersTrace, hex.EncodeToString(s.GetTraceId()), s.GetName())
	}
	for _, secret := range []string{"13900000001", token, "林一", "文三路", "lin", "opensesame", "192.0.2."} {
		require.False(t, bytes.Contains(c.raw.Bytes(), []byte(secret)), secret)
	}
	require.Equal(t, "Bearer opensesame", c.auth[0])
}

// A delivery is a trace of its own, linked to the request that queued the event.
func TestADeliveryIsLinked(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	shop := apitest.Open(t)
	traces, err := tracing.Open(t.Context(), tracing.Config{Endpoint: c.URL, Ratio: 1, Parent: "ignore"},
		"storefront", "v1", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	traced, d := shop.Traced(traces.Tracer)
	id := shop.Domain.Shopper("lin")
	order := shop.Domain.Order(id, shop.Domain.Product("tea", 9900, 5))
	client := traced.As(id).With("Traceparent", "00-"+callersTrace+"-"+callersSpan+"-01")
	client.POST("/wx/order/prepay", `{"orderId":%d}`, order).OK()
	client.POST("/wx/order/cancel", `{"orderId":%d}`, order).OK()
	done, err := d.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Positive(t, done)
	require.NoError(t, traces.Close(t.Context()))

	cancel := c.named("POST /wx/order/cancel")
	require.Len(t, cancel, 1)
	require.NotEqual(t, callersTrace, hex.EncodeToString(cancel[0].GetTraceId()), "callers are ignored")
	linked := 0
	for _, s := range c.named("deliver ") {
		require.NotEqual(t, cancel[0].GetTraceId(), s.GetTraceId())
		for _, l := range s.GetLinks() {
			if bytes.Equal(l.GetSpanId(), cancel[0].GetSpanId()) && bytes.Equal(l.GetTraceId(), cancel[0].GetTraceId()) {
				linked++
			}
		}
	}
	require.Positive(t, linked)
	closing := c.named("payment platform close")
	require.Len(t, closing, 1)
	require.Equal(t, c.named("deliver payment.close")[0].GetSpanId(), closing[0].GetParentSpanId())
}

// Without a collector nothing is traced: no event remembers a trace, and a statement costs no allocation more.
func TestNothingIsTracedByDefault(t *testing.T) {
	t.Parallel()
	traces, err := tracing.Open(t.Context(), tracing.Config{}, "storefront", "v1", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Nil(t, traces.Tracer)
	shop := apitest.Open(t)
	id := shop.Domain.Shopper("lin")
	order := shop.Domain.Order(id, shop.Domain.Product("tea", 9900, 5))
	client := shop.As(id).With("Traceparent", "00-"+callersTrace+"-"+callersSpan+"-01")
	client.POST("/wx/order/prepay", `{"orderId":%d}`, order).OK()
	client.POST("/wx/order/cancel", `{"orderId":%d}`, order).OK()
	require.Positive(t, shop.Domain.Int("SELECT COUNT(*) FROM outbox_event"))
	require.Zero(t, shop.Domain.Int("SELECT COUNT(*) FROM outbox_event WHERE trace_parent IS NOT NULL"))
	require.NoError(t, traces.Close(t.Context()))
}
