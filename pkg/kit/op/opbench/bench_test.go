// Package opbench measures what a typed operation costs: its requests per second beside those of a plain Gin handler
// that reads the same request and answers the same bytes, over loopback with keep-alive, both in one run and in turns,
// so that a busy machine slows both. It holds nothing but its benchmark.
package opbench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
)

const bar = 0.85

// run prints a line for each kind of request and reports whether all ratios reach the bar.
func run(w io.Writer, connections, rounds int, turn time.Duration) (bool, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	logged := server.Done(logging.New(logging.NewBuffer(io.Discard), slog.LevelInfo), server.NewMetrics())
	var addresses []string
	for _, engine := range []func() (handler, error){
		plain, written,
		func() (handler, error) { return typed(func(op.Result) {}) },
		func() (handler, error) { return typed(logged) },
	} {
		h, err := engine()
		if err != nil {
			return false, err
		}
		address, err := listen(ctx, h)
		if err != nil {
			return false, err
		}
		addresses = append(addresses, address)
	}
	ok := true
	_, _ = fmt.Fprintf(w, "%-28s %10s %10s %8s %8s %14s %12s\n",
		"typed operation", "plain/s", "typed/s", "ratio", "bar", "with log/plain", "bytes only/s")
	for _, kind := range []request{get, post} {
		rates, err := measure(ctx, addresses, kind, connections, rounds, turn)
		if err != nil {
			return false, err
		}
		ratio := median(rates, 2)
		_, _ = fmt.Fprintf(w, "%-28s %10.0f %10.0f %8.2f %8.2f %14.2f %12.0f\n",
			kind.name, rate(rates, 0), rate(rates, 2), ratio, bar, median(rates, 3), rate(rates, 1))
		ok = ok && ratio >= bar
	}
	return ok, nil
}

// measure returns the rates of all handlers for each round. The order of the handlers changes from round to round.
func measure(
	ctx context.Context, addresses []string, kind request, connections, rounds int, turn time.Duration,
) ([][]float64, error) {
	var answers [][]byte
	for _, address := range addresses {
		if err := once(ctx, address, kind, &answers); err != nil {
			return nil, err
		}
	}
	for _, answer := range answers {
		if !bytes.Equal(answer, answers[0]) {
			return nil, fmt.Errorf("%s: the handlers differ:\n%s\n%s", kind.name, answers[0], answer)
		}
	}
	rates := make([][]float64, rounds)
	for i := range rates {
		rates[i] = make([]float64, len(addresses))
		for j := range addresses {
			n := (i + j) % len(addresses)
			r, err := load(ctx, addresses[n], kind, connections, turn)
			if err != nil {
				return nil, err
			}
			rates[i][n] = r
		}
	}
	return rates, nil
}

// rate is the median of a handler's rates.
func rate(rates [][]float64, handler int) float64 {
	return middle(rates, func(r []float64) float64 { return r[handler] })
}

// median is the median of a handler's share of the plain handler, round by round.
func median(rates [][]float64, handler int) float64 {
	return middle(rates, func(r []float64) float64 { return r[handler] / r[0] })
}

func middle(rates [][]float64, of func([]float64) float64) float64 {
	values := make([]float64, len(rates))
	for i, r := range rates {
		values[i] = of(r)
	}
	slices.SortFunc(values, cmp.Compare[float64])
	return values[len(values)/2]
}

// TestTheHandlersAgree keeps the measurement honest: all handlers answer the same bytes.
func TestTheHandlersAgree(t *testing.T) {
	var out strings.Builder
	_, err := run(&out, 2, 1, 10*time.Millisecond)
	require.NoError(t, err)
	require.Contains(t, out.String(), "GET, 6 parameters")
	require.Contains(t, out.String(), "POST, 5 members")
}

// BenchmarkTypedOperation measures over loopback, prints the table of the program, and fails below the bar.
func BenchmarkTypedOperation(b *testing.B) {
	var out strings.Builder
	for range b.N {
		out.Reset()
		ok, err := run(&out, 32, 15, 200*time.Millisecond)
		require.NoError(b, err)
		if !ok {
			b.Error("a typed operation falls below its bar")
		}
	}
	b.Log("\n" + out.String())
}

// nowhere is a client that costs nothing.
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
