package e2e

import "testing"

// A shopper cancels an unpaid order: stock and coupon are released.
func TestCancel(t *testing.T) {
	s := begin(t, "cancel: pieces and coupon of an unpaid order come back")
	g := s.goods(30_00, 10)
	coupon := s.coupon(g, 4_00)
	me, other := s.shopper(), s.shopper()
	me.post("/wx/coupon/receive", fields{"couponId": coupon}).ok()
	unused := func() bool {
		return me.get("/wx/coupon/mylist", "status", 0, "limit", 0).ok().Get("list.#(cid==" + text(coupon) + ")").Exists()
	}

	order := me.post("/wx/order/submit", fields{
		"cartId": me.put(g, 3), "addressId": me.address, "couponId": coupon, "userCouponId": 0,
	}).ok().Get("orderId").Int()
	equal(s, "worth of the coupon", 4_00, cents(me.is(order, unpaid).Get("orderInfo.couponPrice")))
	s.stock(g, 7)
	equal(s, "the coupon is unused", false, unused())

	other.does("cancel", order).fails(720)
	me.does("cancel", order).ok()
	me.is(order, cancelled)
	s.stock(g, 10)
	equal(s, "the coupon is unused", true, unused())
	me.does("cancel", order).fails(725)
	me.does("prepay", order).fails(725)
	me.does("delete", order).ok()
	me.does("cancel", order).fails(720)
}
