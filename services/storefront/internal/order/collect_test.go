package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/settings"
)

// The checkout lists the ways of delivery with their prices, and who collects is shown the code, where and when.
func TestCollect(t *testing.T) {
	t.Parallel()
	w := open(t)
	_, err := w.Domain.Settings.Fill(t.Context())
	require.NoError(t, err)
	w.Domain.Exec(`UPDATE system_config SET key_value = CASE key_name WHEN 'litemall_express_ways' THEN 'parcel,collect'
		WHEN 'litemall_express_collect_address' THEN '人民路 1 号' ELSE '9:00–18:00' END
		WHERE key_name IN ('litemall_express_ways', 'litemall_express_collect_address', 'litemall_express_collect_hours')`)
	_, err = w.Domain.Settings.Fresh(t.Context())
	require.NoError(t, err)
	w.row(w.Domain.Product("pot", 1000, 9), 1)
	to := w.Domain.Address(w.shopper)
	w.lin.GET(checkout + "?delivery=collect").OK().Golden("checkout_collect")
	w.lin.GET(checkout + "?delivery=drone").Fails(errno.Invalid)
	const order = `{"cartId":0,"addressId":%d,"couponId":0,"delivery":"%s"}`
	w.lin.POST(submit, order, to, "drone").Fails(errno.Invalid)
	w.lin.POST(submit, order, to, "courier").Fails(errno.OrderCheckoutFailed).
		Says("配送方式「本店配送」目前不提供，请返回重新选择")
	w.lin.POST(submit, order, to, "collect").OK()
	id := w.Domain.Int("SELECT MAX(id) FROM orders")
	require.EqualValues(t, settings.Collect, w.Domain.Int("SELECT delivery FROM orders"))
	w.Domain.Exec("UPDATE orders SET collect_code = '12345678', order_sn = '20300102000001'")
	w.Domain.Pay(w.shopper, id)
	require.NoError(t, w.Domain.Orders.Ship(t.Context(), actor.Operator(1), id, "", ""))
	w.lin.GET("/wx/order/detail?orderId=%d", id).OK().Golden("detail_ready")
	w.lin.GET("/wx/order/list").OK().Golden("list_ready")
	_, err = w.Domain.Orders.CheckOff(t.Context(), actor.Operator(1), id, "12345678")
	require.NoError(t, err)
	var seen struct {
		OrderInfo struct{ CollectCode, CollectAddress string }
	}
	w.lin.GET("/wx/order/detail?orderId=%d", id).Data(&seen)
	require.Empty(t, seen.OrderInfo.CollectCode)
	require.NotEmpty(t, seen.OrderInfo.CollectAddress)
}
