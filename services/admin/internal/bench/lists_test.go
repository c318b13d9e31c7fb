package bench

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/test/bench/ratio"
	"shop.internal/services/admin/internal/app"
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

// BenchmarkSearch measures searches by a part of a name: the recipients of a million orders, and a million goods. Each
// name is asked for once in each round, by one operator at a time.
func BenchmarkSearch(b *testing.B) {
	long := open(b)
	many, c := goodsShop(b)
	delivered(b, c)
	for b.Loop() {
		given, family := []string{"一典", "三军", "云华", "伟哲", "佳城", "信天", "健好", "丰冬", "之勇"}, []string{"王", "李", "张", "陈", "黄"}
		long.search(b, "orders by part of the recipient's name", "/admin/order/list?limit=10&consignee=", given)
		long.search(b, "orders by the recipient's family name", "/admin/order/list?limit=10&consignee=", family)
		rare := []string{"水杯 9173", "餐盘 5181", "台灯 7110", "抱枕 3317", "围巾 8412", "背包 6633", "花瓶 2750"}
		frequent := []string{"水杯", "餐盘", "台灯", "抱枕", "围巾", "背包", "花瓶"}
		many.search(b, "goods by part of the name", "/admin/goods/list?limit=10&name=", rare)
		many.search(b, "goods by a frequent part of the name", "/admin/goods/list?limit=10&name=", frequent)
	}
}

// goodsShop is the shop of a million goods.
func goodsShop(b *testing.B) (*shop, app.Config) {
	b.Helper()
	dsn, took := domaintest.OpenBench(b, "ADMIN_MYSQL_DSN").Shop(b, orders)
	if took > 0 {
		ratio.Figure(b, "demo --goods 1000000", took.Minutes(), 5, "min")
	}
	return serving(b, dsn, func(*shop, *testing.B) {})
}

// search measures the first page for each of some texts, which must find something, several times.
func (s *shop) search(b *testing.B, name, path string, texts []string) {
	b.Helper()
	connection, err := ratio.Dial(b.Context(), s.address)
	require.NoError(b, err)
	defer connection.Close()
	var took ratio.Latencies
	for round := range rounds {
		for _, text := range texts {
			request := fmt.Sprintf("GET %s%s HTTP/1.1\r\nHost: bench\r\n%s: %s\r\n\r\n", path, url.QueryEscape(text), auth.Header, s.token)
			start := time.Now()
			body, err := connection.Do([]byte(request))
			if round > 0 { // the first warms up
				took.Add(time.Since(start))
			}
			require.NoError(b, err)
			require.Regexp(b, `^{"errno":0,.*"total":[1-9]`, string(body), text)
		}
	}
	ratio.Figure(b, name+", median", took.Median(), 20, "ms")
	ratio.Figure(b, name+", p99", took.Percentile(99), 20, "ms")
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
