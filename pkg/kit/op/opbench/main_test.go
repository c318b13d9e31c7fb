package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
)

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
