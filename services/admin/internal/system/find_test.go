package system_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/system"
)

const path = "/admin/find?keyword="

// TestFind finds each kind by its number or name, and nothing of a kind that the caller may not list.
func TestFind(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	lin := w.Shop.Shopper("lin")
	w.Shop.Exec("UPDATE user SET mobile = '13900000001' WHERE id = ?", lin)
	shirt := w.Shop.Product("shirt", money.Yuan(99), 50)
	id := w.Shop.Order(lin, shirt)
	w.Shop.Pay(lin, id)
	require.NoError(t, w.Shop.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "SF123"))
	w.Shop.Exec("UPDATE orders SET order_sn = '20300102000001', mobile = '13900000001', pay_id = 'pay-7' WHERE id = ?", id)
	w.Shop.Exec("UPDATE goods SET goods_sn = 'sku-9', name = 'green shirt'")
	w.Shop.Exec("INSERT INTO aftersale (aftersale_sn, order_id, user_id, type, reason, amount, pictures, comment, status, " +
		"add_time, update_time) SELECT '20300102000009', id, user_id, 0, 'too small', 1, '[]', '', 1, add_time, add_time FROM orders")
	all := w.Operator("all", "admin:find:list", "admin:order:list", "admin:aftersale:list", "admin:goods:list", "admin:user:list")
	some := w.Operator("some", "admin:find:list", "admin:user:list")

	order := system.Hit{Kind: "order", ID: id, Title: "20300102000001", Note: "lin"}
	user := system.Hit{Kind: "user", ID: lin, Title: "lin", Note: "13900000001"}
	goods := system.Hit{Kind: "goods", ID: w.Shop.Int("SELECT id FROM goods"), Title: "green shirt", Note: "sku-9"}
	order.Note = w.Shop.Text("SELECT consignee FROM orders")
	for word, want := range map[string][]system.Hit{
		"20300102000001": {order}, "SF123": {order}, "pay-7": {order}, "13900000001": {order, user}, "%20lin%20": {user},
		"sku-9": {goods}, "shirt": {goods}, "nothing": {}, "20300102000009": {{
			Kind: "aftersale", ID: w.Shop.Int("SELECT id FROM aftersale"), Title: "20300102000009", Note: "too small",
		}},
	} {
		var hits []system.Hit
		all.GET("%s", path+word).Data(&hits)
		require.Equal(t, want, hits, word)
	}
	var hits []system.Hit
	some.GET("%s", path+"13900000001").Data(&hits)
	require.Equal(t, []system.Hit{user}, hits)
	some.GET("%s", path+"13900000001").OK().Golden("find/find")
	some.GET("%s", path).Fails(errno.Missing)
}
