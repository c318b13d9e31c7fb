package statistics_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/statistics"
)

func TestMain(m *testing.M) {
	os.Exit(optest.Main(m, statistics.Ops(statistics.Deps{})...))
}

const (
	dashboard = "/admin/dashboard"
	users     = "/admin/stat/user"
	orders    = "/admin/stat/order"
	goods     = "/admin/stat/goods"
)

func TestDashboard(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("nobody")
	s := w.Shop
	lin := s.Shopper("lin")
	s.Shopper("gone")
	tea := s.Product("tea", money.Yuan(5), 9)
	s.Product("milk", money.Yuan(5), 9)
	for range 3 {
		s.Order(lin, tea)
	}
	s.Exec("UPDATE user SET deleted = 1 WHERE username = 'gone'")
	s.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = 1")
	s.Exec("UPDATE goods SET deleted = 1 WHERE id = 2")
	s.Exec("UPDATE orders SET deleted = 1 WHERE id = 2")
	c.GET(dashboard).OK().Golden("dashboard")
	w.Nobody().GET(dashboard).Fails(errno.LoginRequired)
}

// The days are in order, one row for each with any order.
func TestStatistics(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	s, ctx := w.Shop, t.Context()
	analyst := func(name string) *optest.Client {
		return w.Operator(name, "admin:stat:user", "admin:stat:order", "admin:stat:goods")
	}
	c := analyst("early")
	c.GET(users).OK().Golden("users_none")
	c.GET(orders).OK().Golden("orders_none")
	c.GET(goods).OK().Golden("goods_none")
	lin, mei, bo := s.Shopper("lin"), s.Shopper("mei"), s.Shopper("bo")
	tea := s.Product("tea", money.Yuan(10), 99)
	var ids []int64
	for _, shopper := range []int64{lin, mei, bo} {
		id := s.Order(shopper, tea)
		s.Pay(shopper, id)
		require.NoError(t, s.Orders.Ship(ctx, actor.Operator(1), id, "ZTO", "1"))
		ids = append(ids, id)
	}
	s.Clock.Move(50 * time.Hour) // a day without orders, and then one with one order
	c = analyst("late")
	last := s.Order(lin, tea)
	s.Pay(lin, last)
	c.GET(users).OK().Golden("users")
	c.GET(orders).OK()
	c.GET(goods).OK().Golden("goods")
	require.NoError(t, s.Orders.Confirm(ctx, lin, ids[0]))
	require.NoError(t, s.Orders.Confirm(ctx, mei, ids[1]))
	require.NoError(t, s.Orders.Confirm(ctx, bo, ids[2]))
	s.Exec("UPDATE orders SET actual_price = 18.01 WHERE id = 1")
	c.GET(orders).OK().Golden("orders")
	c.GET(orders).OK() // two days are recomputed, whatever they contain
}

// The best sellers of some days are those of its orders that are paid and not refunded.
func TestBestSellers(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	s := w.Shop
	c := w.Operator("analyst", "admin:bestseller:list", "admin:bestseller:export")
	c.GET("/admin/bestseller/list").OK().Golden("best_none")
	lin := s.Shopper("lin")
	tea, pot := s.Product("tea", money.Yuan(30), 99), s.Product("pot", money.Yuan(100), 99)
	for _, number := range []int{2, 1} {
		tea.Number = number
		s.Pay(lin, s.Order(lin, tea))
	}
	pot.Number = 2
	s.Pay(lin, s.Order(lin, pot))
	pot.Number = 9
	s.Order(lin, pot) // never paid
	s.Clock.Move(24 * time.Hour)
	pot.Number = 1
	s.Pay(lin, s.Order(lin, pot))
	_, err := s.Rollup.Refresh(t.Context())
	require.NoError(t, err)
	c = w.Operator("later", "admin:bestseller:list", "admin:bestseller:export")
	c.GET("/admin/bestseller/list").OK().Golden("best")
	require.Equal(t, []int64{2}, c.GET("/admin/bestseller/list?page=2&limit=1").IDs())
	for span, want := range map[string][]int64{
		"start=2030-01-03%2000:00:00":                            {2},
		"end=2030-01-03%2000:00:00":                              {1, 2},
		"start=2030-01-02%2000:00:00&end=2030-01-03%2023:59:59":  {1, 2},
		"start=2030-01-04%2000:00:00":                            {},
		"end=2030-01-02%2000:00:00":                              {},
		"start=2030-01-03%2000:00:00&end=2030-01-04%2000:00:00&": {2},
	} {
		require.Equal(t, want, c.GET("%s", "/admin/bestseller/list?"+span).IDs(), span)
	}
	file := c.GET("/admin/bestseller/export?end=2030-01-03%2000:00:00")
	require.Equal(t, "\ufeffgoodsId,goodsName,pieces,orders,amount\n1,tea,3,2,90.00\n2,pot,2,1,200.00\n", string(file.Body))
	for _, query := range []string{"list?page=0", "list?start=x", "list?end=x", "export?start=x"} {
		c.GET("%s", "/admin/bestseller/"+query).Fails(errno.Invalid)
	}
	w.Operator("reader", "admin:bestseller:list").GET("/admin/bestseller/export").Fails(errno.NoPermission)
}
