package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/ratio"
	"shop.internal/services/admin/internal/auth"
)

const rounds = 9

// BenchmarkLists compares pages of the list of a million orders, with the total and the lines of each order, requested
// sequentially by one operator, with reading one order by its primary key through the driver alone.
func BenchmarkLists(b *testing.B) {
	s := open(b)
	for b.Loop() {
		for _, page := range []struct{ name, query string }{
			{"first page", "page=1"},
			{"page 1,000", "page=1000"},
			{"page 50,000", "page=50000"},
			{"first page of two states", "page=1&orderStatusArray=401&orderStatusArray=402"},
			{"first page of a rare state", "page=1&orderStatusArray=203"},
		} {
			request := fmt.Sprintf("GET /admin/order/list?limit=10&%s HTTP/1.1\r\nHost: bench\r\n%s: %s\r\n\r\n",
				page.query, auth.Header, s.token)
			s.requireFull(b, request)
			result, err := ratio.Comparison{
				Name: "orders, " + page.name, Baseline: s.single, Bar: 0,
				Ours: ratio.Load{Address: s.address, Connections: 1, Next: ratio.Same(request), Now: time.Now}.Turn,
			}.Measure(b.Context(), rounds, time.Second)
			require.NoError(b, err)
			ratio.Report(b, result)
		}
	}
}

// requireFull checks that the answer is a page of ten orders, with the total.
func (s *shop) requireFull(b *testing.B, request string) {
	b.Helper()
	connection, err := ratio.Dial(b.Context(), s.address)
	require.NoError(b, err)
	defer connection.Close()
	body, err := connection.Do([]byte(request))
	require.NoError(b, err)
	require.Regexp(b, `"total":\d{4,}`, string(body))
	require.Regexp(b, `("orderSn":.*){10}`, string(body))
}

// single reads one order after the other by its primary key, on one connection.
func (s *shop) single(ctx context.Context, turn time.Duration) (float64, error) {
	return ratio.Workers(ctx, 1, turn, time.Now, func(ctx context.Context, _ int) (func() error, func(), error) {
		conn, err := s.db.Conn(ctx)
		if err != nil {
			return nil, nil, err
		}
		id := 0
		return func() error {
			id = (id + 7919) % orders
			var sn, consignee, address string
			return conn.QueryRowContext(ctx, "SELECT order_sn, consignee, address FROM orders WHERE id = ?", id+1).
				Scan(&sn, &consignee, &address)
		}, func() { _ = conn.Close() }, nil
	})
}
