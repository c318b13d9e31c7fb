package e2e

import "testing"

// A shopper requests a refund of a paid order; an operator first rejects it, then pays it.
func TestRefund(t *testing.T) {
	s := begin(t, "refund: asked for, rejected, asked for again, paid back; the pieces come back")
	g := s.goods(20_00, 10)
	clerk := s.operator("admin:order:read", "admin:order:ship", "admin:order:refund", "admin:order:reject")
	me := s.shopper()
	order := me.order(g, 2)
	me.pay(order)
	actual := 40_00 + s.freight(40_00)
	money := func(cents int64) fields { return fields{"orderId": order, "refundMoney": amount(cents)} }

	clerk.post("/admin/order/refund", money(actual)).fails(620)
	me.does("remind", order).ok()
	me.does("remind", order).fails(725)
	me.post("/wx/order/readdress", fields{"orderId": order, "addressId": me.newAddress()}).ok()
	me.does("refund", order).ok()
	me.is(order, refundRequested)
	clerk.post("/admin/order/ship", parcel(order)).fails(620)
	clerk.post("/admin/order/reject", fields{"orderId": order, "reason": "already packed"}).ok()
	me.is(order, paid)
	s.stock(g, 8)

	me.does("refund", order).ok()
	clerk.post("/admin/order/refund", money(actual+1)).fails(402)
	clerk.post("/admin/order/refund", money(actual-1)).fails(402)
	clerk.post("/admin/order/refund", money(actual)).ok()
	clerk.post("/admin/order/refund", money(actual)).fails(620)
	me.is(order, refunded)
	row := clerk.get("/admin/order/detail", "id", order).ok().Get("order")
	equal(s, "money paid back", actual, cents(row.Get("refundAmount")))
	s.stock(g, 10)
	me.does("delete", order).ok()
}
