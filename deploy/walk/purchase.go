package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// deal is one purchase as it goes its way.
type deal struct {
	p       product
	pieces  int64
	before  int64 // stock before
	id      int64
	sn      string
	actual  cents
	line    int64
	picture string
}

// purchase plays the main path: coupon, order, payment, shipment, receipt, comment.
func (w *walk) purchase(c *chapter) {
	var d deal
	g := w.couponSteps(c, &d.p)
	w.order(c, &d, g)
	c.step("pay", func(s *step) {
		s.pay(w.first, d.id)
		s.inState(w.first, d.id, paid())
		s.waitNumber(w.guest, d.p, d.before-d.pieces)
	})
	w.shipment(c, &d)
	c.step("confirm the receipt", func(s *step) {
		s.post(w.first.agent, "/wx/order/confirm", fields{"orderId": d.id}).none()
		s.inState(w.first, d.id, received())
	})
	w.comment(c, &d)
}

// order submits the cart with the coupon and looks at what came of it.
func (w *walk) order(c *chapter, d *deal, g gift) {
	c.step("submit the order", func(s *step) {
		me := w.first.agent
		d.pieces, d.before = piecesFor(g.min, d.p.price), s.number(me, d.p)
		preview := s.get(me, "/wx/cart/checkout", "couponId", g.coupon, "userCouponId", g.id).ok()
		d.actual = s.checkBill(preview, g.coupon).actual
		text := func(n int64) string { return strconv.FormatInt(n, 10) }
		body := fields{
			"cartId": "0", "addressId": text(s.addressOf(w.first)), "couponId": text(g.coupon),
			"userCouponId": text(g.id), "message": "please ring twice", "grouponRulesId": nil, "grouponLinkId": "",
		}
		a := s.post(me, "/wx/order/submit", body)
		d.id = s.ordered(a)
		s.post(me, "/wx/order/submit", body).fails(402)
		equal(s, a.ex, "rows left in the cart", 0, len(s.cart(s.get(me, "/wx/cart/index").ok())))
		s.waitNumber(me, d.p, d.before-d.pieces)
	})
	c.step("the order is unpaid and says so", func(s *step) {
		data := s.inState(w.first, d.id, unpaid())
		info := data.at("orderInfo")
		d.sn = info.at("orderSn").text()
		equal(s, data.ex, "actualPrice against the preview", d.actual, info.at("actualPrice").money())
		equal(s, data.ex, "message", "please ring twice", info.at("message").text())
		address := s.get(w.first.agent, "/wx/address/detail", "id", w.first.address).ok()
		equal(s, data.ex, "consignee", address.at("name").text(), info.at("consignee").text())
		equal(s, data.ex, "mobile", address.at("tel").text(), info.at("mobile").text())
		equal(s, data.ex, "address", address.at("province").text()+address.at("city").text()+
			address.at("county").text()+" "+address.at("addressDetail").text(), info.at("address").text())
		lines := data.at("orderGoods").list()
		if len(lines) != 1 {
			s.fatalf(data.ex, "orderGoods: expected 1 line, got %d", len(lines))
		}
		d.line, d.picture = lines[0].at("id").integer(), d.p.picture
		equal(s, data.ex, "productId of the line", d.p.id, lines[0].at("productId").integer())
		equal(s, data.ex, "number of the line", d.pieces, lines[0].at("number").integer())
		equal(s, data.ex, "comment of the line", 0, lines[0].at("comment").integer())
	})
	c.step("the coupon is used", func(s *step) {
		used, found := s.holding(w.first, g.id, "status", 1)
		if !found {
			s.fatalf(nil, "the coupon %d is not among the used ones", g.id)
		}
		equal(s, used.ex, "available", false, used.at("available").truth())
	})
}

// shipment lets staff find the order and send it, and the shopper see that.
func (w *walk) shipment(c *chapter, d *deal) {
	number := fmt.Sprintf("SF%012d", rand.Int64N(1_000_000_000_000))
	c.step("staff signs in", func(s *step) { w.staff(s) })
	c.step("staff finds the paid order", func(s *step) {
		list := s.get(w.super, "/admin/order/list", "orderSn", d.sn, "start", "", "orderStatusArray", "201,301").page()
		if len(list.list) != 1 {
			s.fatalf(list.ex, "orders with this orderSn: expected 1, got %d", len(list.list))
		}
		row := list.list[0].shape(staffOrderRow)
		row.at("goodsVoList").each(staffOrderGoods)
		equal(s, row.ex, "id", d.id, row.at("id").integer())
		equal(s, row.ex, "orderStatus", 201, row.at("orderStatus").integer())
		equal(s, row.ex, "actualPrice", d.actual, row.at("actualPrice").money())
		none := s.get(w.super, "/admin/order/list", "orderSn", d.sn, "orderStatusArray", 101).page()
		equal(s, none.ex, "the paid order among the unpaid", 0, none.total)
		data := s.staffDetail(w.super, d.id)
		equal(s, data.ex, "order.orderStatus", 201, data.at("order.orderStatus").integer())
		data.at("order").shape("payId text, payTime time")
		equal(s, data.ex, "order.actualPrice", d.actual, data.at("order.actualPrice").money())
	})
	c.step("staff ships it", func(s *step) {
		ship := fields{"orderId": d.id, "shipChannel": "ZTO", "shipSn": number}
		s.post(w.clerk, "/admin/order/ship", fields{"orderId": d.id, "shipChannel": "ZTO"}).fails(401)
		s.post(w.super, "/admin/order/refund", fields{"orderId": d.id, "refundMoney": d.actual.String()}).fails(620)
		s.post(w.clerk, "/admin/order/ship", ship).none()
		s.post(w.clerk, "/admin/order/ship", ship).fails(620)
		data := s.staffDetail(w.super, d.id)
		equal(s, data.ex, "order.orderStatus", 301, data.at("order.orderStatus").integer())
		equal(s, data.ex, "order.shipSn", number, data.at("order.shipSn").text())
		equal(s, data.ex, "order.shipChannel", "ZTO", data.at("order.shipChannel").text())
		data.at("order").shape("shipTime time")
	})
	c.step("the shopper sees the parcel", func(s *step) {
		info := s.inState(w.first, d.id, shipped()).at("orderInfo")
		equal(s, info.ex, "expNo", number, info.at("expNo").text())
		equal(s, info.ex, "expCode", "ZTO", info.at("expCode").text())
		equal(s, info.ex, "expName", "中通快递", info.at("expName").text())
	})
}

// staffDetail reads an order as staff sees it.
func (s *step) staffDetail(a agent, id int64) value {
	data := s.get(a, "/admin/order/detail", "id", id).ok()
	data.at("order").shape(staffOrder)
	data.at("orderGoods").each(orderLine)
	data.at("user").shape("nickname text, avatar text")
	return data
}

// comment plays the end of a purchase: the comment, and the order put away.
func (w *walk) comment(c *chapter, d *deal) {
	words := fmt.Sprintf("Good <b>and</b> quick, 很好 %x", rand.Uint32())
	var before value
	c.step("find the line to comment", func(s *step) {
		me := w.first.agent
		line := s.get(me, "/wx/order/goods", "orderId", d.id, "goodsId", d.p.goods).ok().shape(orderLine)
		equal(s, line.ex, "id", d.line, line.at("id").integer())
		other := s.get(me, "/wx/order/goods", "ogid", d.line, "orderId", "undefined")
		s.same("the line by its own id", other, answer{ex: line.ex, errmsg: w.success, data: line})
		s.get(me, "/wx/order/goods", "orderId", d.id).fails(401)
		before = s.get(me, "/wx/comment/count", "type", 0, "valueId", d.p.goods).ok()
	})
	c.step("comment with a star and a picture", func(s *step) {
		me := w.first.agent
		body := fields{"orderGoodsId": d.line, "content": words, "star": 6, "hasPicture": 1, "picUrls": []string{d.picture}}
		s.post(me, "/wx/order/comment", body).fails(402)
		body["star"], body["content"] = 4, " "
		s.post(me, "/wx/order/comment", body).fails(401)
		body["content"] = words
		s.post(me, "/wx/order/comment", body).none()
		s.post(me, "/wx/order/comment", body).fails(726)
		s.inState(w.first, d.id, commented())
		line := s.get(me, "/wx/order/goods", "ogid", d.line).ok()
		if line.at("comment").integer() <= 0 {
			s.failf(line.ex, "comment of the line: expected the id of the comment")
		}
	})
	c.step("everybody sees the comment", func(s *step) { w.seeComment(s, d, words, before) })
	c.step("put the order away", func(s *step) {
		me, body := w.first.agent, fields{"orderId": d.id}
		s.post(me, "/wx/order/delete", body).none()
		s.post(me, "/wx/order/delete", body).fails(720)
		s.get(me, "/wx/order/detail", "orderId", d.id).fails(720)
		_, found := s.listed(w.first, d.id, 0)
		equal(s, nil, "the order is still listed", false, found)
		s.staffDetail(w.super, d.id)
	})
}

// seeComment expects the comment in the list, in the counts and on the page of the goods.
func (w *walk) seeComment(s *step, d *deal, words string, before value) {
	all, pictures := before.at("allCount").integer(), before.at("hasPicCount").integer()
	want := map[bool]int64{true: 1, false: 0}[d.picture != ""]
	var count, row value
	shown := within(pageLag, func() bool {
		count = s.get(w.guest, "/wx/comment/count", "type", "0", "valueId", d.p.goods).ok()
		list := s.get(w.guest, "/wx/comment/list", "type", 0, "valueId", d.p.goods, "limit", 5).page()
		page := s.get(w.guest, "/wx/goods/detail", "id", d.p.goods).ok()
		if len(list.list) == 0 {
			return false
		}
		row = list.list[0]
		return row.at("content").text() == words && count.at("allCount").integer() == all+1 &&
			page.at("comment.count").integer() == all+1
	})
	if !shown {
		s.fatalf(count.ex, "the comment is not in list, count and page of the goods in time")
	}
	equal(s, count.ex, "hasPicCount", pictures+want, count.at("hasPicCount").integer())
	row.shape(commentEntry)
	equal(s, row.ex, "star", 4, row.at("star").integer())
	equal(s, row.ex, "adminContent", "", row.at("adminContent").text())
	equal(s, row.ex, "pictures of the comment", int(want), len(row.at("picList").texts()))
}
