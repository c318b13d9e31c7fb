package report_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/report"
)

func TestMain(m *testing.M) {
	os.Exit(optest.Main(m, report.Ops(report.Deps{})...))
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
	w.Anonymous().GET(dashboard).Fails(errno.LoginRequired)
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
