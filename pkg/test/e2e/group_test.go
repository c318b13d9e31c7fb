package e2e

import (
	"testing"
	"time"
)

// offer creates a group-buy rule for goods, and returns it.
func (s *scenario) offer(g goods, discount, members int) int64 {
	s.t.Helper()
	return s.create(s.super(), "groupon", fields{
		"goodsId": g.id, "discount": discount, "discountMember": members,
		"expireTime": time.Now().Add(48 * time.Hour).Format(time.DateTime),
	}).Get("id").Int()
}

// enter submits an order of one piece for a group, a new one if the link is 0.
func (me shopper) enter(g goods, rule, link int64) answer {
	me.s.t.Helper()
	return me.post("/wx/order/submit", fields{
		"cartId": me.put(g, 1), "addressId": me.address, "couponId": -1, "grouponRulesId": rule, "grouponLinkId": link,
	})
}

// joins enters a group and returns the order and the group.
func (me shopper) joins(g goods, rule, link int64) (order, group int64) {
	me.s.t.Helper()
	data := me.enter(g, rule, link).ok()
	return data.Get("orderId").Int(), data.Get("grouponLinkId").Int()
}

// Three shoppers buy together: nothing is shipped before the group is complete.
func TestGroup(t *testing.T) {
	s := begin(t, "group purchase: opened, joined, complete, shipped")
	g := s.goods(50_00, 20)
	rule := s.offer(g, 10, 3)
	clerk := s.operator("admin:order:ship")
	opener, second, third, late := s.shopper(), s.shopper(), s.shopper(), s.shopper()
	price := 40_00 + s.freight(40_00)

	s.eventually("the offer is shown", func() bool {
		return s.guest().get("/wx/groupon/query", "goodsId", g.id).ok().Get("0.id").Int() == rule
	})
	preview := opener.get("/wx/cart/checkout", "cartId", opener.put(g, 1), "couponId", -1, "grouponRulesId", rule).ok()
	equal(s, "price to pay", price, cents(preview.Get("actualPrice")))
	first, group := opener.joins(g, rule, 0)
	equal(s, "price to pay", price, cents(opener.is(first, unpaid).Get("orderInfo.actualPrice")))
	second.enter(g, rule, group).fails(402) // nobody joins before the opener has paid
	opener.pay(first)
	opener.enter(g, rule, group).fails(733)
	clerk.post("/admin/order/ship", parcel(first)).fails(620)

	shown := s.guest().get("/wx/groupon/join", "grouponId", group).ok()
	equal(s, "goods of the group", g.id, shown.Get("goods.id").Int())
	equal(s, "free places", 2, shown.Get("missing").Int())
	open := s.guest().get("/wx/groupon/open", "goodsId", g.id).ok()
	equal(s, "the group is offered to join", group, open.Get("0.groupon.id").Int())
	orders := map[int64]shopper{first: opener}
	for _, member := range []shopper{second, third} {
		order, _ := member.joins(g, rule, group)
		member.pay(order)
		orders[order] = member
	}
	late.enter(g, rule, group).fails(732)
	for order, member := range orders {
		clerk.post("/admin/order/ship", parcel(order)).ok()
		member.is(order, shipped)
		equal(s, "members", 3, len(member.get("/wx/groupon/detail", "grouponId", group).ok().Get("joiners").Array()))
	}
	mine := opener.get("/wx/groupon/my", "showType", 0).ok().Get("list.#(orderId==" + text(first) + ")")
	equal(s, "the group is mine", true, mine.Get("isCreator").Bool())
	late.get("/wx/groupon/detail", "grouponId", group).fails(402)
}

// The opener leaves: the group ends for all, and everybody who has paid is refunded.
func TestBrokenGroup(t *testing.T) {
	s := begin(t, "group purchase: the opener leaves, the group ends for all")
	g := s.goods(50_00, 20)
	rule := s.offer(g, 10, 5)
	clerk := s.operator("admin:order:refund", "admin:order:reject")
	opener, payer, waiting, late := s.shopper(), s.shopper(), s.shopper(), s.shopper()
	price := 40_00 + s.freight(40_00)

	first, group := opener.joins(g, rule, 0)
	opener.pay(first)
	second, _ := payer.joins(g, rule, group)
	payer.pay(second)
	third, _ := waiting.joins(g, rule, group)
	s.stock(g, 17)

	opener.does("refund", first).ok()
	opener.is(first, refundRequested)
	payer.is(second, refundRequested)
	waiting.is(third, expired)
	late.enter(g, rule, group).fails(730)
	s.stock(g, 18)
	for order, member := range map[int64]shopper{first: opener, second: payer} {
		clerk.post("/admin/order/reject", fields{"orderId": order}).fails(620)
		clerk.post("/admin/order/refund", fields{"orderId": order, "refundMoney": amount(price)}).ok()
		member.is(order, refunded)
	}
	s.stock(g, 20)
}
