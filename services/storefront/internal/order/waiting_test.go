package order_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/freight"
	domainorder "shop.internal/pkg/domain/order"
)

func TestRemind(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.lin.POST(remind, ref(99)).Fails(errno.OrderUnknown)
	id := w.in(domainorder.Paid)
	w.conflict("INSERT INTO order_note")
	w.lin.POST(remind, ref(id)).Fails(errno.Stale)
	w.API.Count = domaintest.Count
	w.lin.POST(remind, ref(id)).OK()
	w.lin.POST(remind, ref(id)).Fails(errno.OrderInvalidOperation).Says("今天已经提醒过商家发货")
}

// Another address is taken until the parcel is sent, where the freight that was paid is enough and goods are delivered.
func TestReaddress(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	body := func(order, address int64) string { return fmt.Sprintf(`{"orderId":%d,"addressId":%d}`, order, address) }
	w.lin.POST(readdress, body(99, to)).Fails(errno.OrderUnknown)
	id := w.in(domainorder.Paid)
	w.lin.POST(readdress, body(id, to+1)).Fails(errno.Invalid)
	w.conflict("UPDATE orders")
	w.lin.POST(readdress, body(id, to)).Fails(errno.Stale)
	w.API.Count = domaintest.Count
	w.lin.POST(readdress, body(id, to)).OK()
	before := w.Domain.Text("SELECT CONCAT_WS('/', freight_price, order_price) FROM orders")
	w.Domain.Exec("UPDATE orders SET order_price = order_price - freight_price, freight_price = 0")
	w.lin.POST(readdress, body(id, to)).Fails(errno.OrderInvalidOperation).Says("寄到新地址的运费为 ¥8.00，高于已支付的 ¥0.00")
	w.Domain.Exec("UPDATE orders SET order_price = order_price + 8, freight_price = 8")
	require.Equal(t, before, w.Domain.Text("SELECT CONCAT_WS('/', freight_price, order_price) FROM orders"))
	none, err := w.Domain.Freight.Create(t.Context(), freight.Template{
		Name: "none", Charge: freight.ByPieces, Rules: []freight.Rule{{First: 1, Further: 1, Refused: true}},
	})
	require.NoError(t, err)
	w.Domain.Exec("UPDATE goods SET freight_id = ?", none.ID)
	w.lin.POST(readdress, body(id, to)).Fails(errno.OrderCheckoutFailed)
	require.NoError(t, w.Domain.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "75001"))
	w.lin.POST(readdress, body(id, to)).Fails(errno.OrderInvalidOperation).Says("订单当前为「已发货」，不能进行该操作")
}
