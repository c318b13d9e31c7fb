package main

import (
	"encoding/json"
	"slices"
)

const (
	caseShape = "id int, aftersaleSn text, orderId int, userId int, type int, reason text, amount money, " +
		"pictures texts, comment text, status int, handleTime time?" + stamps
	staffCase = "id int, aftersaleSn text, orderId int, userId int, type int, reason text, amount money, " +
		"pictures texts, comment text, status int, handleTime time|null" + stamps
	caseOrder = "id int, orderSn text, orderStatus int, aftersaleStatus int, actualPrice money, freightPrice money"
)

// complaint is an order with a case of after-sale.
type complaint struct {
	w       *walk
	sh      *shopper
	p       product
	order   int64
	id      int64 // the live case
	highest cents
	before  int64 // stock before the order
}

// aftersale plays a case whole: asked for, replaced, cancelled, rejected, accepted, and paid back with the goods.
func (w *walk) aftersale(c *chapter) {
	x := &complaint{w: w}
	c.step("an order that has arrived", func(s *step) { x.arrive(s) })
	c.step("cases that must be refused", func(s *step) { x.refusals(s) })
	c.step("ask for a case, replace it, cancel it", func(s *step) {
		x.submit(s, 1, "too small", x.highest-1)
		first := x.id
		x.submit(s, 1, "too small, and the wrong colour", x.highest)
		if first == x.id {
			s.failf(s.last, "the second request has not replaced the first")
		}
		s.post(x.sh.agent, "/wx/aftersale/cancel", fields{"id": first}).fails(402)
		s.post(x.sh.agent, "/wx/aftersale/cancel", fields{"id": x.id}).none()
		s.post(x.sh.agent, "/wx/aftersale/cancel", fields{"id": x.id}).fails(752)
		x.stands(s, 5, received())
		x.act(s, "recept", 620)
	})
	c.step("staff rejects a case", func(s *step) {
		x.submit(s, 2, "it came broken", x.highest)
		x.act(s, "refund", 620)
		x.act(s, "reject", 0)
		x.stands(s, 4, received())
		x.act(s, "reject", 620)
	})
	c.step("ask again, staff rejects several at once", func(s *step) {
		x.submit(s, 2, "it came broken, really", x.highest)
		s.post(w.super, "/admin/aftersale/batch-reject", fields{"ids": []int64{}}).fails(401)
		s.post(w.super, "/admin/aftersale/batch-reject", fields{"ids": []int64{x.id, missing}}).none()
		x.stands(s, 4, received())
	})
	c.step("ask again, staff accepts", func(s *step) {
		x.submit(s, 2, "it came broken, see the picture", x.highest)
		s.post(w.super, "/admin/aftersale/batch-recept", fields{"ids": []int64{x.id}}).none()
		x.stands(s, 2, underCase())
		s.post(x.sh.agent, "/wx/aftersale/submit", x.body(2, "once more", x.highest)).fails(752)
		s.post(x.sh.agent, "/wx/aftersale/cancel", fields{"id": x.id}).fails(752)
		x.act(s, "recept", 620)
		s.waitNumber(x.sh.agent, x.p, x.before-2)
	})
	c.step("staff pays back, the goods are in stock again", func(s *step) {
		x.act(s, "refund", 0)
		x.stands(s, 3, received())
		x.act(s, "refund", 620)
		s.post(x.sh.agent, "/wx/aftersale/submit", x.body(2, "once more", x.highest)).fails(752)
		order := s.staffDetail(w.super, x.order).at("order")
		equal(s, order.ex, "refundAmount", x.highest, order.at("refundAmount").money())
		s.waitNumber(x.sh.agent, x.p, x.before)
	})
	c.step("a case of another order, accepted by itself, money only", func(s *step) {
		y := &complaint{w: w}
		y.arrive(s)
		y.submit(s, 1, "too small", 100)
		y.act(s, "recept", 0)
		y.stands(s, 2, underCase())
		y.act(s, "refund", 0)
		y.stands(s, 3, received())
	})
}

// arrive buys two pieces and has them sent. Before they are here, nothing can be asked.
func (x *complaint) arrive(s *step) {
	w := x.w
	w.staff(s)
	x.sh, x.p = s.company(1)[0], s.plenty()[1]
	s.emptyCart(x.sh)
	x.before = s.number(x.sh.agent, x.p)
	x.order = s.ordered(s.submit(x.sh, s.fast(x.sh, x.p, 2), -1, nil))
	s.pay(x.sh, x.order)
	s.post(x.sh.agent, "/wx/aftersale/submit", x.body(1, "too early", 100)).fails(750)
	s.post(w.clerk, "/admin/order/ship", parcel(x.order)).none()
	way := s.post(x.sh.agent, "/wx/express/query", fields{"orderId": x.order}).ok()
	equal(s, way.ex, "expNo", "ZT0000000001", way.shape("expCode text, expNo text, expName text").at("expNo").text())
	way.at("Traces").list()
	s.post(w.second.agent, "/wx/express/query", fields{"orderId": x.order}).fails(402)
	s.post(x.sh.agent, "/wx/order/confirm", fields{"orderId": x.order}).none()
	info := s.inState(x.sh, x.order, received()).at("orderInfo")
	x.highest = info.at("actualPrice").money() - info.at("freightPrice").money()
	none := s.get(x.sh.agent, "/wx/aftersale/detail", "orderId", x.order).ok()
	equal(s, none.ex, "aftersale.status where there is none", 0, none.at("aftersale.status").integer())
	equal(s, none.ex, "pictures where there is no case", 0, len(none.at("aftersale.pictures").texts()))
}

// body is a request for a case. Clients compute the amount in floating point: the cents count.
func (x *complaint) body(kind int, reason string, amount cents) fields {
	return fields{
		"orderId": x.order, "type": kind, "typeDesc": "as the clients send it", "reason": reason,
		"amount": json.Number(amount.String() + "0000001"), "pictures": x.w.pictured(), "comment": "from the walk",
	}
}

// pictured gives the picture that the walk has uploaded, or none.
func (w *walk) pictured() []string {
	if w.uploaded == "" {
		return []string{}
	}
	return []string{w.uploaded}
}

func (x *complaint) refusals(s *step) {
	me, path := x.sh.agent, "/wx/aftersale/submit"
	s.post(me, path, x.body(1, "more than it cost", x.highest+1)).fails(751)
	body := x.body(1, "less than nothing", x.highest)
	body["amount"] = json.Number("-0.01")
	s.post(me, path, body).fails(751)
	s.post(me, path, x.body(3, "of no known type", x.highest)).fails(402)
	s.post(me, path, x.body(1, " ", x.highest)).fails(401)
	s.post(me, path, fields{"orderId": x.order, "type": 1, "reason": "no amount"}).fails(401)
	s.post(x.w.second.agent, path, x.body(1, "not my order", x.highest)).fails(720)
	s.post(me, "/wx/aftersale/cancel", fields{"id": missing}).fails(402)
	s.get(me, "/wx/aftersale/detail").fails(401)
	s.get(x.w.second.agent, "/wx/aftersale/detail", "orderId", x.order).fails(720)
	s.get(me, "/wx/aftersale/list", "status", 6).fails(402)
	s.get(x.w.guest, "/wx/aftersale/list").fails(501)
	s.post(x.w.super, "/admin/aftersale/recept", fields{"id": missing}).fails(402)
	s.post(x.w.super, "/admin/aftersale/recept", fields{}).fails(401)
}

// submit asks for a case and finds it.
func (x *complaint) submit(s *step, kind int, reason string, amount cents) {
	s.post(x.sh.agent, "/wx/aftersale/submit", x.body(kind, reason, amount)).none()
	data := s.get(x.sh.agent, "/wx/aftersale/detail", "orderId", x.order).ok()
	found := data.at("aftersale").shape(caseShape)
	x.id = found.at("id").integer()
	equal(s, data.ex, "type", int64(kind), found.at("type").integer())
	equal(s, data.ex, "reason", reason, found.at("reason").text())
	equal(s, data.ex, "amount", amount, found.at("amount").money())
	if !slices.Equal(found.at("pictures").texts(), x.w.pictured()) {
		s.failf(data.ex, "pictures: expected %v", x.w.pictured())
	}
	equal(s, data.ex, "handleTime before anybody handled it", false, found.has("handleTime"))
	x.stands(s, 1, underCase())
}

// stands checks that the case is in a status wherever the shopper and staff see it.
func (x *complaint) stands(s *step, status int64, st state) {
	me := x.sh.agent
	data := s.get(me, "/wx/aftersale/detail", "orderId", x.order).ok()
	equal(s, data.ex, "aftersale.status", status, data.at("aftersale").shape(caseShape).at("status").integer())
	equal(s, data.ex, "handleTime is there", status > 1 && status < 5, data.at("aftersale").has("handleTime"))
	equal(s, data.ex, "order.id", x.order, data.at("order").shape(caseOrder).at("id").integer())
	equal(s, data.ex, "order.aftersaleStatus", status, data.at("order.aftersaleStatus").integer())
	data.at("orderGoods").each(orderLine)
	info := s.inState(x.sh, x.order, st).at("orderInfo")
	equal(s, info.ex, "orderInfo.aftersaleStatus", status, info.at("aftersaleStatus").integer())
	for other := range int64(6) {
		found := false
		for _, row := range s.get(me, "/wx/aftersale/list", "status", other).page().each("aftersale object, goodsList list") {
			row.at("goodsList").each(orderLine)
			found = found || row.at("aftersale").shape(caseShape).at("id").integer() == x.id
		}
		equal(s, s.last, "the case is listed under its status", other == status, found)
	}
	list := s.get(x.w.super, "/admin/aftersale/list", "orderId", x.order, "status", status).page()
	rows := list.each(staffCase)
	if len(rows) != 1 || rows[0].at("id").integer() != x.id {
		s.failf(list.ex, "staff: expected the case %d alone", x.id)
	}
}

// act lets staff do something with the case.
func (x *complaint) act(s *step, what string, errno int64) {
	a := s.post(x.w.super, "/admin/aftersale/"+what, fields{"id": x.id, "status": 3, "amount": "0.00"})
	if errno != 0 {
		a.fails(errno)
		return
	}
	a.none()
}
