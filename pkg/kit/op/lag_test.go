package op_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
)

// Only declared reads may lag, and each change of an identified caller is told before its answer.
func TestReadsThatMayLag(t *testing.T) {
	type lagging struct{}
	var told []string
	hooks := func(h *op.Hooks) {
		h.AllowStale = func(ctx context.Context, who string) context.Context { return context.WithValue(ctx, lagging{}, who) }
		h.RecordWrite = func(_ context.Context, who string) { told = append(told, who) }
	}
	var seen []any
	see := func(ctx context.Context, _ op.None) (op.None, error) {
		seen = append(seen, ctx.Value(lagging{}))
		return op.None{}, nil
	}
	list := op.Read[op.None, op.None]{Path: "/thing/list", Title: "List", Access: op.SignedIn, AllowStale: true, Do: see}
	export := op.Stream[op.None]{
		Path: "/thing/export", Title: "Export", Access: op.SignedIn, AllowStale: true,
		Audit: op.Audit{Target: "things", Action: wording.LogLogin},
		Do: func(ctx context.Context, _ op.None, w http.ResponseWriter) error {
			_, _ = see(ctx, op.None{})
			w.Header().Set("Content-Type", envelope.ContentType)
			_, err := io.WriteString(w, "{}")
			return err
		},
	}
	s := mount(t, hooks, list, export,
		op.Read[op.None, op.None]{Path: "/thing/detail", Title: "Show", Access: op.SignedIn, Do: see},
		op.Write[op.None, op.None]{Path: "/thing/change", Title: "Change", Access: op.SignedIn, Do: see},
		op.Write[op.None, op.None]{Path: "/thing/ask", Title: "Ask", Access: op.Public, Do: see},
	)
	for _, path := range []string{"/thing/list", "/thing/export", "/thing/detail"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("X-Token", "t1")
		s.send(t, r)
	}
	require.Equal(t, []any{"clerk 1", "clerk 1", nil}, seen)
	require.Equal(t, []string{"clerk 1"}, told, "the record of the export")
	told = nil
	s.post(t, "/thing/ask", "{}")
	require.Empty(t, told)
	r := httptest.NewRequest(http.MethodPost, "/thing/change", strings.NewReader("{}"))
	r.Header.Set("X-Token", "t1")
	s.send(t, r)
	require.Equal(t, []string{"clerk 1"}, told)
	require.Equal(t, []any{"clerk 1", "clerk 1", nil, nil, nil}, seen)
}
