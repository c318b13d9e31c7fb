package e2e

import (
	"net/url"
	"testing"
)

// A shopper adds goods to the cart, pays with a coupon, gets the parcel and comments; operators ship and reply.
func TestPurchase(t *testing.T) {
	s := begin(t, "purchase: cart, coupon, payment, parcel, comment, reply")
	g := s.goods(30_00, 20)
	coupon := s.coupon(g, 5_00)
	clerk := s.operator("admin:order:list", "admin:order:read", "admin:order:ship", "admin:order:reply")
	me, guest := s.shopper(), s.guest()

	// The cart.
	add := func(number int) fields { return fields{"goodsId": g.id, "productId": g.product, "number": number} }
	equal(s, "pieces in the cart", 3, me.post("/wx/cart/add", add(3)).ok().Int())
	left := me.post("/wx/cart/delete", fields{"productIds": []int64{g.product}}).ok()
	equal(s, "items in the cart", 0, len(left.Get("cartList").Array()))
	equal(s, "pieces in the cart", 1, me.post("/wx/cart/add", add(1)).ok().Int())
	item := me.get("/wx/cart/index").ok().Get("cartList.0")
	equal(s, "product in the cart", g.product, item.Get("productId").Int())
	more := add(2)
	more["id"] = item.Get("id").Int()
	me.post("/wx/cart/update", more).ok()
	equal(s, "pieces in the cart", 2, me.get("/wx/cart/goodscount").ok().Int())
	off := me.post("/wx/cart/checked", fields{"productIds": []int64{g.product}, "isChecked": 0}).ok()
	equal(s, "pieces chosen", 0, off.Get("cartTotal.checkedGoodsCount").Int())
	on := me.post("/wx/cart/checked", fields{"productIds": []int64{g.product}, "isChecked": 1}).ok()
	equal(s, "amount chosen", 60_00, cents(on.Get("cartTotal.checkedGoodsAmount")))
	me.post("/wx/cart/add", add(1_000_000)).fails(711)

	// The preview, exact to the cent.
	me.post("/wx/coupon/receive", fields{"couponId": coupon}).ok()
	mine := me.get("/wx/coupon/selectlist", "cartId", 0).ok().Get("list.#(cid==" + text(coupon) + ").id").Int()
	chosen := []any{"cartId", 0, "addressId", me.address, "couponId", coupon, "userCouponId", mine}
	preview := me.get("/wx/cart/checkout", chosen...).ok()
	actual := 60_00 - 5_00 + s.freight(60_00)
	equal(s, "price of the goods", 60_00, cents(preview.Get("goodsTotalPrice")))
	equal(s, "freight", s.freight(60_00), cents(preview.Get("freightPrice")))
	equal(s, "worth of the coupon", 5_00, cents(preview.Get("couponPrice")))
	equal(s, "price to pay", actual, cents(preview.Get("actualPrice")))

	// The order, once although it is sent twice.
	body := fields{
		"cartId": 0, "addressId": me.address, "couponId": coupon, "userCouponId": mine, "message": "please ring twice",
		"grouponRulesId": 0, "grouponLinkId": 0,
	}
	key := unique("purchase")
	order := me.post("/wx/order/submit", body, "Idempotency-Key", key).ok().Get("orderId").Int()
	again := me.post("/wx/order/submit", body, "Idempotency-Key", key).ok().Get("orderId").Int()
	equal(s, "order of the same idempotency key", order, again)
	me.post("/wx/order/submit", body).fails(402) // the cart is empty
	seen := me.is(order, unpaid)
	equal(s, "price to pay", actual, cents(seen.Get("orderInfo.actualPrice")))
	equal(s, "message", "please ring twice", seen.Get("orderInfo.message").String())
	equal(s, "pieces", 2, seen.Get("orderGoods.0.number").Int())
	used := me.get("/wx/coupon/mylist", "status", 1, "limit", 0).ok()
	equal(s, "the coupon is used", true, used.Get("list.#(id=="+text(mine)+")").Exists())
	s.stock(g, 18)

	// The payment.
	me.does("confirm", order).fails(725)
	me.pay(order)
	me.does("prepay", order).fails(725)
	equal(s, "orders to ship", true, me.get("/wx/user/index").ok().Get("order.unship").Int() > 0)

	// An operator finds the order and ships it.
	number := seen.Get("orderInfo.orderSn").String()
	found := clerk.get("/admin/order/list", "orderSn", number, "orderStatusArray", "201,301").ok()
	equal(s, "orders of this number", 1, found.Get("total").Int())
	equal(s, "price to pay", actual, cents(found.Get("list.0.actualPrice")))
	clerk.post("/admin/order/ship", parcel(order)).ok()
	clerk.post("/admin/order/ship", parcel(order)).fails(620)
	found = clerk.get("/admin/order/detail", "id", order).ok()
	equal(s, "state of the order", shipped, found.Get("order.orderStatus").Int())

	// The parcel.
	equal(s, "number of the parcel", "E2E"+text(order), me.is(order, shipped).Get("orderInfo.expNo").String())
	s.super().post("/admin/order/reship", fields{"orderId": order, "shipChannel": "SF", "shipSn": "SF" + text(order)}).ok()
	equal(s, "corrected number", "SF"+text(order), me.is(order, shipped).Get("orderInfo.expNo").String())
	me.post("/wx/express/query", fields{"orderId": order}).ok()
	me.does("refund", order).fails(725)
	me.does("confirm", order).ok()
	line := me.is(order, received).Get("orderGoods.0.id").Int()

	// The comment, visible to everybody, and the reply.
	found = me.get("/wx/order/goods", "orderId", order, "goodsId", g.id).ok()
	equal(s, "the line to comment", line, found.Get("id").Int())
	words := unique("good and quick, 很好")
	comment := fields{"orderGoodsId": line, "content": words, "star": 4, "hasPicture": false}
	me.post("/wx/order/comment", comment).ok()
	me.post("/wx/order/comment", comment).fails(726)
	id := me.get("/wx/order/goods", "ogid", line).ok().Get("comment").Int()
	clerk.post("/admin/order/reply", fields{"commentId": id, "content": "Thank you."}).ok()
	s.eventually("everybody sees the comment and the reply", func() bool {
		first := guest.get("/wx/comment/list", "type", 0, "valueId", g.id).ok().Get("list.0")
		return first.Get("content").String() == words && first.Get("adminContent").String() == "Thank you."
	})
	equal(s, "comments", 1, guest.get("/wx/comment/count", "type", 0, "valueId", g.id).ok().Get("allCount").Int())

	// The shopper hides the order; operators still see it.
	me.does("delete", order).ok()
	me.does("delete", order).fails(720)
	clerk.get("/admin/order/detail", "id", order).ok()
}

// A shopper pays on the payment page of a browser.
func TestBrowserPayment(t *testing.T) {
	s := begin(t, "payment in a browser: refused once, then paid")
	g := s.goods(12_00, 5)
	me := s.shopper()
	order := me.order(g, 1)
	link, err := url.Parse(me.does("h5pay", order).ok().Get("mwebUrl").String())
	if err != nil {
		s.stop("the address of the payment page: %v", err)
	}
	page := link.RequestURI()
	press := func(button string) {
		t.Helper()
		s.guest().declared("GET", page, "", nil)
		ex := s.guest().declared("POST", page, "application/x-www-form-urlencoded", []byte("action="+button))
		equal(s, "the button "+button+" is answered", true, ex.status < 400)
	}
	press("refuse")
	me.is(order, unpaid)
	press("pay")
	me.becomes(order, paid)
	me.does("h5pay", order).fails(725)
}

// An operator records a cash payment of another amount for an order.
func TestOfflinePayment(t *testing.T) {
	s := begin(t, "payment offline: the staff collects the money, ships, deletes the order")
	g := s.goods(12_00, 5)
	clerk := s.operator("admin:order:read", "admin:order:pay", "admin:order:ship", "admin:order:delete")
	me := s.shopper()
	order := me.order(g, 1)
	clerk.post("/admin/order/delete", fields{"orderId": order}).fails(620)
	clerk.post("/admin/order/pay", fields{"orderId": order, "newMoney": amount(5_55)}).ok()
	clerk.post("/admin/order/pay", fields{"orderId": order, "newMoney": amount(5_55)}).fails(620)
	equal(s, "price to pay", 5_55, cents(me.is(order, paid).Get("orderInfo.actualPrice")))
	clerk.post("/admin/order/ship", parcel(order)).ok()
	me.does("confirm", order).ok()
	clerk.post("/admin/order/delete", fields{"orderId": order}).ok()
	me.get("/wx/order/detail", "orderId", order).fails(720)
	equal(s, "deleted", true, clerk.get("/admin/order/detail", "id", order).ok().Get("order.deleted").Bool())
}
