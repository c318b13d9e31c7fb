package orders_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	pay     = "/admin/order/pay"
	callOff = "/admin/order/call-off"
	remove  = "/admin/order/delete"
	reply   = "/admin/order/reply"
)

func cashier(w *apitest.Env) *optest.Client {
	return w.Operator("cashier", "admin:order:pay", "admin:order:delete", "admin:order:reply", "admin:order:list",
		"admin:order:read")
}

func TestPay(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := cashier(w)
	for _, body := range []string{`{}`, `{"orderId":1}`, `{"newMoney":1}`, `{"orderId":1,"newMoney":""}`} {
		c.POST(pay, "%s", body).Fails(errno.Missing)
	}
	for _, body := range []string{
		`{"orderId":99,"newMoney":1}`, `{"orderId":"x","newMoney":1}`, `{"orderId":1,"newMoney":-0.01}`,
		`{"orderId":1,"newMoney":1.001}`, `{"orderId":1,"newMoney":"much"}`, `{"orderId":1,"newMoney":100000000}`,
	} {
		c.POST(pay, "%s", body).Fails(errno.Invalid)
	}
	c.POST(pay, `{"orderId":2,"newMoney":1}`).Fails(errno.OrderConfirmNotAllowed).Says("订单当前为「已付款」，不能进行该操作")
	// The console sends more than is read.
	const body = `{"orderId":1,"newMoney":"88.80","orderSn":"x","oldMoney":99,"goodsList":[{"id":1}]}`
	keyed := c.With("Idempotency-Key", "pay-1")
	keyed.POST(pay, body).OK().Golden("pay")
	keyed.POST(pay, body).OK()
	c.POST(pay, `{"orderId":1,"newMoney":1}`).Fails(errno.OrderConfirmNotAllowed)
	c.GET(detail + "?id=1").OK().Golden("detail_paid_offline")
	w.Shop.Agree()
	w.Shop.Exec("UPDATE orders SET order_status = 101 WHERE id = 2")
	w.Conflict("UPDATE orders")
	c.POST(pay, `{"orderId":2,"newMoney":1}`).Fails(errno.Stale)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := cashier(w)
	s := w.Shop
	c.POST(remove, `{}`).Fails(errno.Missing)
	for _, body := range []string{`{"orderId":99}`, `{"orderId":"x"}`, `{"orderId":0}`, `{"orderId":1.5}`} {
		c.POST(remove, "%s", body).Fails(errno.Invalid)
	}
	for id := 1; id <= 4; id++ {
		c.POST(remove, `{"orderId":%d}`, id).Fails(errno.OrderConfirmNotAllowed)
	}
	lin := s.Int("SELECT id FROM user WHERE username = 'lin'")
	require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), 2, "ZTO", "1"))
	require.NoError(t, s.Orders.Confirm(t.Context(), lin, 2))
	_, err := s.Aftersales.Submit(t.Context(), lin, aftersale.Submission{OrderID: 2, Type: aftersale.RefundOnly, Amount: new(money.Amount(100))})
	require.NoError(t, err)
	c.POST(remove, `{"orderId":2}`).Fails(errno.OrderConfirmNotAllowed).Says("订单的售后尚未处理完，不能删除")
	require.NoError(t, s.Aftersales.Cancel(t.Context(), lin, 1))
	c.POST(remove, `{"orderId":2,"orderSn":"x"}`).OK().Golden("delete")
	c.POST(remove, `{"orderId":2}`).Fails(errno.Invalid)
	c.GET(list + "?orderSn=20300102000002").Empty()
	c.GET(detail + "?id=2").OK().Golden("detail_deleted")
	s.Agree()
	require.NoError(t, s.Orders.Cancel(t.Context(), s.Int("SELECT user_id FROM orders WHERE id = 1"), 1))
	w.Conflict("UPDATE orders")
	c.POST(remove, `{"orderId":1}`).Fails(errno.Stale)
}

// A comment has one reply, from whoever writes it first.
func TestReply(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := cashier(w)
	id, err := w.Shop.Reviews.Create(t.Context(), review.Comment{ValueID: 1, UserID: 1, Content: "good", Star: 5})
	require.NoError(t, err)
	topic, err := w.Shop.Reviews.Create(t.Context(), review.Comment{ValueID: 1, UserID: 1, Kind: review.Topic, Star: 5})
	require.NoError(t, err)
	for _, body := range []string{
		`{}`, `{"content":"thanks"}`, `{"commentId":0,"content":"thanks"}`, `{"commentId":1}`, `{"commentId":1,"content":" "}`,
	} {
		c.POST(reply, "%s", body).Fails(errno.Missing)
	}
	c.POST(reply, `{"commentId":99,"content":"thanks"}`).Fails(errno.Invalid)
	c.POST(reply, `{"commentId":1,"content":"%0512d"}`, 1).Fails(errno.Invalid)
	answers := make(chan *optest.Answer)
	const clerks = 8
	for range clerks {
		go func() { answers <- c.POST(reply, `{"commentId":%d,"content":"thanks"}`, topic) }()
	}
	won := 0
	for range clerks {
		if a := <-answers; a.Code() == errno.OK {
			won++
		} else {
			require.Equal(t, errno.OrderReplyExists, a.Code())
		}
	}
	require.Equal(t, 1, won)
	c.POST(reply, `{"commentId":%d,"content":"谢谢惠顾"}`, id).OK().Golden("reply")
	c.POST(reply, `{"commentId":%d,"content":"again"}`, id).Fails(errno.OrderReplyExists)
	require.Equal(t, "谢谢惠顾", w.Shop.Text("SELECT admin_content FROM comment WHERE id = ?", id))
	w.Shop.Exec("UPDATE comment SET deleted = 1 WHERE id = ?", id)
	c.POST(reply, `{"commentId":%d,"content":"again"}`, id).Fails(errno.Invalid)
	w.Conflict("UPDATE comment")
	c.POST(reply, `{"commentId":%d,"content":"again"}`, topic).Fails(errno.Stale)
}

// An order that is paid on delivery is shown as owed, and is called off when its parcel is refused.
func TestCallOff(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := w.Operator("door", "admin:order:call-off", "admin:order:list", "admin:order:read", "admin:order:ship")
	c.POST(callOff, `{}`).Fails(errno.Missing)
	for _, body := range []string{`{"orderId":99}`, `{"orderId":"x"}`, `{"orderId":0}`} {
		c.POST(callOff, "%s", body).Fails(errno.Invalid)
	}
	for id := 1; id <= 4; id++ {
		c.POST(callOff, `{"orderId":%d}`, id).Fails(errno.OrderConfirmNotAllowed)
	}
	shopper := w.Shop.Int("SELECT user_id FROM orders WHERE id = 1")
	_, err := w.Shop.Orders.Prepay(t.Context(), shopper, 1, "192.0.2.1", "sandbox", payment.KindDelivery)
	require.NoError(t, err)
	c.POST(ship, `{"orderId":1,"shipChannel":"ZTO","shipSn":"1"}`).OK()
	c.GET(detail + "?id=1").OK().Golden("detail_owed")
	c.POST(callOff, `{"orderId":1,"note":"nobody at home"}`).OK().Golden("call_off")
	c.POST(callOff, `{"orderId":1}`).Fails(errno.OrderConfirmNotAllowed).Says("订单当前为「已取消(管理员)」，不能进行该操作")
	w.Shop.Agree()
	w.Shop.Exec("UPDATE orders SET order_status = 301 WHERE id = 1")
	w.Conflict("UPDATE orders")
	c.POST(callOff, `{"orderId":1}`).Fails(errno.Stale)
}
