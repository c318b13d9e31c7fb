package orders_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/admin/internal/apitest"
)

// bought adds n orders of goods 5, each with a line, that were paid with 1 to n yuan.
func bought(w *apitest.Env, n int) {
	w.Shop.Exec("INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price, "+
		"coupon_price, order_price, actual_price, add_time, update_time) SELECT 1, CONCAT('many', n), IF(n = 3, 402, 201), '', "+
		"'', '', 1, 0, 0, 1, n, '2029-01-01', '2029-01-01' FROM (SELECT ROW_NUMBER() OVER () AS n FROM "+
		"(SELECT 1 FROM information_schema.columns LIMIT 1000) a, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL "+
		"SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6) b) c WHERE n <= ?", n)
	w.Shop.Exec("INSERT INTO order_goods (order_id, goods_id, product_id, number, price, specifications, add_time, " +
		"update_time) SELECT id, 5, 1, 1, 1, '[]', add_time, add_time FROM orders WHERE order_sn LIKE 'many%'")
}

// Goods that very many orders have are found as well; by amount only where something else leaves few.
func TestGoodsOfVeryManyOrders(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := clerk(w)
	bought(w, 5001)
	var found struct {
		Total int
		List  []struct{ ID int64 }
	}
	c.GET(list + "?goodsId=5&limit=10").Data(&found)
	require.Equal(t, 5001, found.Total)
	require.Len(t, found.List, 10)
	require.Equal(t, []int64{7}, c.GET(list+"?goodsId=5&orderStatusArray=402").IDs())
	require.Equal(t, []int64{7}, c.GET(list+"?goodsId=5&orderStatusArray=402&sort=actual_price").IDs())
	c.GET(list + "?goodsId=5&sort=actual_price").Fails(errno.Invalid)
	c.GET(list + "?orderStatusArray=201&sort=actual_price").Fails(errno.Invalid)
	c.GET(list + "?end=2029-06-01%2000:00:00&sort=actual_price").Fails(errno.Invalid)
	require.Equal(t, []int64{4, 3, 2, 1}, c.GET(list+"?start=2029-06-01%2000:00:00&sort=id").IDs())
	require.Len(t, c.GET(list+"?start=2029-06-01%2000:00:00&sort=actual_price").IDs(), 4)
	require.Len(t, c.GET(list+"?userId=2&sort=actual_price&goodsId=1").IDs(), 3)
	require.Empty(t, c.GET(list+"?userId=2&sort=actual_price&goodsId=5").IDs())
}

// A deleted line does not count, and the file has the orders of the list.
func TestOrdersByGoods(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := w.Operator("exporter", "admin:order:list", "admin:order:export")
	w.Shop.Exec("UPDATE order_goods SET goods_id = 2 WHERE order_id = 3")
	w.Shop.Exec("UPDATE order_goods SET goods_id = 3, deleted = 1 WHERE order_id = 2")
	require.Empty(t, c.GET(list+"?goodsId=3").IDs())
	require.Equal(t, []int64{4, 1}, c.GET(list+"?goodsId=1").IDs())
	for goods, want := range map[string]int{"1": 2, "2": 1, "3": 0} {
		require.Equal(t, want+1, strings.Count(string(c.GET("%s", "/admin/order/export?goodsId="+goods).Body), "\n"), goods)
	}
}
