package bench

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/ratio"
)

// BenchmarkPages compares the pages that guests request most, once they are cached, with a handler that only writes the
// same bytes under as many headers.
func BenchmarkPages(b *testing.B) {
	s := open(b, config(b))
	var goods int64
	require.NoError(b, s.db.QueryRowContext(b.Context(), "SELECT MIN(id) FROM goods WHERE is_on_sale = 1").Scan(&goods))
	for b.Loop() {
		for _, path := range []string{"/wx/home/index", fmt.Sprintf("/wx/goods/detail?id=%d", goods)} {
			bare, err := ratio.Listen(b.Context(), written(b, "http://"+s.address+path))
			require.NoError(b, err)
			load := func(address string) ratio.Way {
				return ratio.Load{Address: address, Connections: shoppers, Next: ratio.Same(get(path)), Now: time.Now}.Turn
			}
			result, err := ratio.Comparison{
				Name: "GET " + path + ", guest", Baseline: load(bare), Ours: load(s.address), Bar: 0.6,
			}.Measure(b.Context(), rounds, 500*time.Millisecond)
			require.NoError(b, err)
			ratio.Report(b, result)
		}
	}
}

// written answers every request with the present answer of an address.
func written(b *testing.B, address string) http.Handler {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(b, err)
	request.Header.Set("Accept-Encoding", "identity") // as the load asks; the client would unpack the answer
	answer, err := http.DefaultClient.Do(request)
	require.NoError(b, err)
	defer answer.Body.Close()
	require.Equal(b, http.StatusOK, answer.StatusCode)
	body, err := io.ReadAll(answer.Body)
	require.NoError(b, err)
	header := answer.Header.Clone()
	header.Del("Date") // net/http writes it by itself
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), header)
		_, _ = w.Write(body)
	})
}
