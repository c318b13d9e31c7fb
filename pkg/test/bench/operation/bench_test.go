// Package operation measures the cost of a typed operation: its requests per second beside those of a plain Gin handler
// that binds the same request and answers the same bytes, over loopback with keep-alive connections, alternating within
// one run, so that a busy machine slows both. It contains only its benchmark.
package operation

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/test/bench/ratio"
)

// comparisons are a typed operation, with and without request log and metrics, against a plain handler without them,
// for both kinds of request; and, as an upper bound, a handler that only writes the bytes against the plain one.
func comparisons(tb testing.TB) []ratio.Comparison {
	tb.Helper()
	logged := server.Done(logging.New(logging.NewBuffer(io.Discard), slog.LevelInfo), server.NewMetrics(meter.New(time.Now)))
	serve := func(h handler, err error) string {
		require.NoError(tb, err)
		address, err := ratio.Listen(tb.Context(), h)
		require.NoError(tb, err)
		return address
	}
	baseline := serve(plain())
	var all []ratio.Comparison
	for _, kind := range []request{get, post} {
		load := func(address string) ratio.Way {
			return ratio.Load{Address: address, Connections: 32, Next: ratio.Same(kind.text), Now: time.Now}.Turn
		}
		requireSameAnswer(tb, kind, baseline, serve(typed(func(op.Result) {})), serve(typed(logged)), serve(written()))
		for _, c := range []ratio.Comparison{
			{Name: "typed operation, " + kind.name, Bar: 0.85, Ours: load(serve(typed(func(op.Result) {})))},
			{Name: "  with request log and metrics", Ours: load(serve(typed(logged)))},
			{Name: "  the bytes alone, nothing read", Ours: load(serve(written()))},
		} {
			c.Baseline = load(baseline)
			all = append(all, c)
		}
	}
	return all
}

// requireSameAnswer ensures that both handlers do the same work.
func requireSameAnswer(tb testing.TB, kind request, addresses ...string) {
	tb.Helper()
	var answers []string
	for _, address := range addresses {
		c, err := ratio.Dial(tb.Context(), address)
		require.NoError(tb, err)
		body, err := c.Do([]byte(kind.text))
		require.NoError(tb, err)
		require.NoError(tb, c.Close())
		answers = append(answers, string(body))
		require.Equal(tb, answers[0], string(body), kind.name)
	}
}

func TestTheHandlersAgree(t *testing.T) {
	require.Len(t, comparisons(t), 6)
}

// BenchmarkTypedOperation measures over loopback.
func BenchmarkTypedOperation(b *testing.B) {
	for b.Loop() {
		for _, c := range comparisons(b) {
			r, err := c.Measure(b.Context(), 15, 200*time.Millisecond)
			require.NoError(b, err)
			ratio.Report(b, r)
		}
	}
}

// nowhere is a client without costs.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header       { return n.header }
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) WriteHeader(int)             {}

func BenchmarkHandlers(b *testing.B) {
	p, err := plain()
	require.NoError(b, err)
	y, err := typed(func(op.Result) {})
	require.NoError(b, err)
	body := post.text[strings.Index(post.text, "{"):]
	for name, h := range map[string]handler{"plain": p, "typed": y} {
		b.Run("get/"+name, func(b *testing.B) {
			b.ReportAllocs()
			r := httptest.NewRequest(http.MethodGet,
				listPath+"?categoryId=1005000&keyword=cup+of+tea&isNew=true&page=1&limit=5&sort=add_time", nil)
			for b.Loop() {
				h.ServeHTTP(nowhere{http.Header{}}, r)
			}
		})
		b.Run("post/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(nowhere{http.Header{}}, httptest.NewRequest(http.MethodPost, addPath, strings.NewReader(body)))
			}
		})
	}
}
