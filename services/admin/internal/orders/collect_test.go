package orders_test

import (
	"testing"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/admin/internal/apitest"
)

const collect = "/admin/order/collect"

// collecting is withOrders with a fifth order, paid, to be collected with the code 00000005.
func collecting(t *testing.T) *apitest.Env {
	t.Helper()
	w := withOrders(t)
	s := w.Shop
	w.Super().POST("/admin/config/express", `{"litemall_express_ways":"parcel,collect",`+
		`"litemall_express_collect_address":"1 Main Street","litemall_express_collect_hours":"9 to 6"}`).OK()
	lin := s.Int("SELECT id FROM user WHERE username = 'lin'")
	id := s.OrderBy("collect", lin, s.Product("lamp", 900, 5))
	s.Exec("UPDATE orders SET collect_code = '00000005', order_sn = '20300102000005' WHERE id = ?", id)
	s.Pay(lin, id)
	return w
}

// An order that is collected is noted as ready without a parcel, found by its way, and handed over by its code.
func TestCollect(t *testing.T) {
	t.Parallel()
	w := collecting(t)
	c := w.Operator("counter", "admin:order:list", "admin:order:read", "admin:order:ship", "admin:order:collect")
	for _, body := range []string{`{}`, `{"orderId":5}`, `{"code":""}`} {
		c.POST(collect, "%s", body).Fails(errno.Missing)
	}
	for _, body := range []string{`{"code":"00000001"}`, `{"code":"123456789"}`, `{"code":"00000005","orderId":2}`} {
		c.POST(collect, "%s", body).Fails(errno.Invalid)
	}
	c.POST(collect, `{"code":"00000001"}`).Fails(errno.Invalid).Says("取货码不正确，或订单已经取走")
	c.POST(ship, `{"orderId":5,"shipChannel":"ZTO","shipSn":"1"}`).Fails(errno.Invalid)
	c.POST(ship, `{"orderId":5}`).OK().Golden("ready")
	c.GET(list + "?delivery=collect").OK().Golden("list_collect")
	c.GET(list + "?delivery=courier").Empty()
	c.GET(list + "?delivery=drone").Fails(errno.Invalid)
	c.GET(detail + "?id=5").OK().Golden("detail_ready")
	w.Operator("packer", "admin:order:ship").POST(collect, `{"code":"00000005"}`).Fails(errno.NoPermission)
	w.Shop.Exec("UPDATE orders SET order_status = 202 WHERE id = 5")
	c.POST(collect, `{"code":"00000005"}`).Fails(errno.OrderConfirmNotAllowed).Says("订单当前为「订单取消，退款中」，不能进行该操作")
	w.Shop.Exec("UPDATE orders SET order_status = 301 WHERE id = 5")
	keyed := c.With("Idempotency-Key", "collect-5")
	keyed.POST(collect, `{"code":"0000 0005"}`).OK().Golden("collect")
	keyed.POST(collect, `{"code":"0000 0005"}`).OK()
	c.POST(collect, `{"code":"00000005"}`).Fails(errno.Invalid)
	w.Shop.Agree()
	w.Shop.Exec("UPDATE orders SET order_status = 301, collect_code = '00000005' WHERE id = 5")
	w.Conflict("UPDATE orders")
	c.POST(collect, `{"code":"00000005"}`).Fails(errno.Stale)
}
