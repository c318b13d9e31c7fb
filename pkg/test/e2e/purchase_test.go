package e2e

import (
	"net/url"
	"testing"

	"github.com/tidwall/gjson"
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
	s.super().post("/admin/order/remark", fields{"orderId": order, "content": "fragile"}).ok()
	clerk.post("/admin/order/printed", fields{"ids": []int64{order}}).ok()
	clerk.post("/admin/order/ship", parcel(order)).ok()
	s.super().get("/admin/order/parcel", "id", order).ok()
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
	press := s.pageAt(me.does("h5pay", order).ok().Get("mwebUrl").String())
	press("refuse")
	me.is(order, unpaid)
	press("pay")
	me.becomes(order, paid)
	me.does("h5pay", order).fails(725)
}

// pageAt returns what presses a button on the payment page at an address.
func (s *scenario) pageAt(address string) func(button string) {
	s.t.Helper()
	link, err := url.Parse(address)
	if err != nil {
		s.stop("the address of the payment page: %v", err)
	}
	page := link.RequestURI()
	return func(button string) {
		s.t.Helper()
		s.guest().declared("GET", page, "", nil)
		ex := s.guest().declared("POST", page, "application/x-www-form-urlencoded", []byte("action="+button))
		equal(s, "the button "+button+" is answered", true, ex.status < 400)
	}
}

// A shopper pays on a page in any browser, and another by a code that a phone scans.
func TestPaymentByFurtherKinds(t *testing.T) {
	s := begin(t, "payment by a page in any browser and by a code: both say how the order was paid")
	g := s.goods(12_00, 5)
	me := s.shopper()
	for kind, of := range map[string][2]string{"redirect": {"h5pay", "mwebUrl"}, "qr": {"prepay", "code"}} {
		order := me.order(g, 1)
		by := me.get("/wx/order/channels", "orderId", order).ok().Get(`#(kind=="` + kind + `")`)
		how := me.post("/wx/order/"+of[0], fields{"orderId": order, "channel": by.Get("code").String(), "kind": kind}).ok()
		s.pageAt(how.Get(of[1]).String())("pay")
		me.becomes(order, paid)
		shown := me.get("/wx/order/detail", "orderId", order).ok().Get("orderInfo.payChannel").String()
		equal(s, "how it was paid", by.Get("name").String(), shown)
	}
}

// An operator records a cash payment of another amount for an order.
func TestOfflinePayment(t *testing.T) {
	s := begin(t, "payment offline: the staff collects the money, ships, deletes the order")
	g := s.goods(12_00, 5)
	clerk := s.operator("admin:order:read", "admin:order:pay", "admin:order:ship", "admin:order:delete")
	me := s.shopper()
	order := me.order(g, 1)
	clerk.post("/admin/order/delete", fields{"orderId": order}).fails(620)
	by := me.get("/wx/order/channels", "orderId", order).ok().Get(`#(kind=="offline").code`).String()
	how := me.post("/wx/order/prepay", fields{"orderId": order, "channel": by, "kind": "offline"}).ok()
	equal(s, "what the shopper states", true, how.Get("reference").String() != "")
	waiting := clerk.get("/admin/order/detail", "id", order).ok()
	equal(s, "what staff looks for", how.Get("reference").String(), waiting.Get("reference").String())
	clerk.post("/admin/order/pay", fields{
		"orderId": order, "newMoney": amount(5_55), "reference": "B-1", "note": "cash",
	}).ok()
	equal(s, "what the bank calls it", "B-1", clerk.get("/admin/order/detail", "id", order).ok().Get("reference").String())
	clerk.post("/admin/order/pay", fields{"orderId": order, "newMoney": amount(5_55)}).fails(620)
	equal(s, "price to pay", 5_55, cents(me.is(order, paid).Get("orderInfo.actualPrice")))
	clerk.post("/admin/order/ship", parcel(order)).ok()
	me.does("confirm", order).ok()
	clerk.post("/admin/order/delete", fields{"orderId": order}).ok()
	me.get("/wx/order/detail", "orderId", order).fails(720)
	equal(s, "deleted", true, clerk.get("/admin/order/detail", "id", order).ok().Get("order.deleted").Bool())
}

// An order is collected in the shop: staff note that it is ready, and hand it over to who shows its code. Where the
// shop's own courier does not go, the checkout says so.
func TestCollected(t *testing.T) {
	s := begin(t, "an order is collected in the shop by its code")
	owner := s.super()
	here := owner.post("/admin/freight/create", fields{"name": unique("near"), "charge": 2, "rules": []fields{
		{"firstPrice": 3, "regions": []int{310000}}, {"refused": true},
	}}).ok().Get("id").Int()
	offer := fields{
		"litemall_express_ways": "parcel,collect,courier", "litemall_express_courier_freight": here,
		"litemall_express_collect_address": "1 Main Street", "litemall_express_collect_hours": "9 to 6",
	}
	owner.post("/admin/config/express", offer).ok()
	s.t.Cleanup(func() { owner.post("/admin/config/express", fields{"litemall_express_ways": "parcel"}).ok() })
	clerk := s.operator("admin:order:list", "admin:order:read", "admin:order:ship", "admin:order:collect")
	me, g := s.shopper(), s.goods(8_00, 2)
	row, to := me.put(g, 1), me.address
	var seen gjson.Result
	s.eventually("three ways are offered", func() bool {
		seen = me.get("/wx/cart/checkout", "cartId", row, "addressId", to, "delivery", "courier").ok()
		return seen.Get("deliveries.#").Int() == 3
	})
	equal(s, "the courier comes", false, seen.Get(`deliveries.#(code=="courier").delivered`).Bool())
	equal(s, "rows that the courier does not bring", 1, seen.Get("undeliverableGoodsList.#").Int())
	body := fields{"cartId": row, "addressId": to, "couponId": 0, "delivery": "courier"}
	me.post("/wx/order/submit", body).fails(722)
	body["delivery"] = "collect"
	order := me.post("/wx/order/submit", body).ok().Get("orderId").Int()
	me.pay(order)
	clerk.post("/admin/order/ship", fields{"orderId": order}).ok()
	info := me.is(order, shipped).Get("orderInfo")
	equal(s, "where", "1 Main Street", info.Get("collectAddress").String())
	code := info.Get("collectCode").String()
	clerk.post("/admin/order/collect", fields{"code": code, "orderId": order + 1}).fails(402)
	clerk.post("/admin/order/collect", fields{"code": code}).ok()
	me.is(order, received)
	clerk.post("/admin/order/collect", fields{"code": code}).fails(402)
}

// Orders that are paid on delivery: one is received and its money recorded, one comes back.
func TestPaidOnDelivery(t *testing.T) {
	s := begin(t, "orders that are paid on delivery: received and collected, refused and called off")
	g := s.goods(8_00, 2)
	clerk := s.operator("admin:order:read", "admin:order:pay", "admin:order:ship", "admin:order:call-off")
	me := s.shopper()
	order := func() int64 {
		id := me.order(g, 1)
		by := me.get("/wx/order/channels", "orderId", id).ok().Get(`#(kind=="delivery").code`).String()
		me.post("/wx/order/prepay", fields{"orderId": id, "channel": by, "kind": "delivery"}).ok()
		equal(s, "it is owed", true, me.is(id, paid).Get("orderInfo.owed").Bool())
		clerk.post("/admin/order/ship", parcel(id)).ok()
		return id
	}
	collected, refused := order(), order()
	me.does("confirm", collected).ok()
	clerk.post("/admin/order/call-off", fields{"orderId": collected}).fails(620)
	clerk.post("/admin/order/pay", fields{"orderId": collected, "newMoney": amount(8_00)}).ok()
	equal(s, "it is paid", false, me.get("/wx/order/detail", "orderId", collected).ok().Get("orderInfo.owed").Bool())
	clerk.post("/admin/order/call-off", fields{"orderId": refused, "note": "nobody at home"}).ok()
	me.is(refused, 104)
}
