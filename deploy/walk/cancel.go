package main

import (
	"fmt"
	"math/rand/v2"
)

// cancellation plays an order that is cancelled before it is paid: stock and coupon come back.
func (w *walk) cancellation(c *chapter) {
	var (
		p       product
		g       gift
		row, id int64
		pieces  int64
		before  int64
		key     = fmt.Sprintf("walk-%x", rand.Uint64())
	)
	c.step("order with a coupon, twice under one Idempotency-Key", func(s *step) {
		s.need(w.second != nil, "second shopper")
		me, found := w.second, false
		p = s.plenty()[0]
		p.number = s.number(me.agent, p)
		s.emptyCart(me)
		if g, row, found = s.fitting(me, p); !found {
			s.fatalf(nil, "%s holds and can take no coupon that fits %q", me.name, p.name)
		}
		pieces, before = piecesFor(g.min, p.price), p.number
		header := map[string]string{"Idempotency-Key": key}
		first := s.submit(me, row, g.coupon, header)
		id = s.ordered(first)
		s.same("the same key and body", s.submit(me, row, g.coupon, header), first)
		s.submit(me, row, 0, header).fails(402)
		s.inState(me, id, unpaid())
		s.waitNumber(me.agent, p, before-pieces)
		if _, found = s.holding(me, g.id, "status", 0); found {
			s.failf(nil, "the coupon %d is still among the unused ones", g.id)
		}
	})
	c.step("cancel the order", func(s *step) {
		s.post(w.second.agent, "/wx/order/cancel", fields{"orderId": fmt.Sprint(id)}).none()
		s.post(w.second.agent, "/wx/order/cancel", fields{"orderId": id}).fails(725)
		s.inState(w.second, id, cancelled())
	})
	c.try("the stock is back", func(s *step) {
		s.waitNumber(w.second.agent, p, before)
		s.waitNumber(w.guest, p, before)
	})
	c.try("the coupon can be used again", func(s *step) {
		held, found := s.holding(w.second, g.id, "status", 0)
		if !found {
			s.fatalf(nil, "the coupon %d is not among the unused ones", g.id)
		}
		equal(s, held.ex, "available", true, held.at("available").truth())
		again := s.fast(w.second, p, pieces)
		for _, v := range s.usable(w.second, again) {
			if v.at("id").integer() == g.id {
				s.emptyCart(w.second)
				return
			}
		}
		s.failf(nil, "the coupon %d does not fit the same purchase any more", g.id)
	})
	c.try("delete the cancelled order", func(s *step) {
		s.post(w.second.agent, "/wx/order/delete", fields{"orderId": id}).none()
		s.post(w.second.agent, "/wx/order/cancel", fields{"orderId": id}).fails(720)
	})
}

// refund plays a paid order whose refund is asked for, refused, asked for again and granted.
func (w *walk) refund(c *chapter) {
	var (
		p      product
		id     int64
		before int64
		actual cents
	)
	c.step("order and pay at once, without a coupon", func(s *step) {
		s.need(w.first != nil, "shopper")
		w.staff(s)
		p = s.plenty()[1]
		s.emptyCart(w.first)
		before = s.number(w.first.agent, p)
		row := s.fast(w.first, p, 2)
		id = s.ordered(s.submit(w.first, row, -1, nil))
		info := s.inState(w.first, id, unpaid()).at("orderInfo")
		actual = reckon([]piece{{p.price, 2}}, 0).actual
		equal(s, info.ex, "actualPrice", actual, info.at("actualPrice").money())
		equal(s, info.ex, "couponPrice", 0, info.at("couponPrice").money())
		s.pay(w.first, id)
		s.inState(w.first, id, paid())
	})
	money := func(amount cents) fields { return fields{"orderId": id, "refundMoney": amount.String()} }
	c.step("ask for a refund", func(s *step) {
		s.post(w.super, "/admin/order/reject", fields{"orderId": id}).fails(620)
		s.post(w.super, "/admin/order/refund", money(actual)).fails(620)
		s.post(w.first.agent, "/wx/order/refund", fields{"orderId": id}).none()
		s.inState(w.first, id, asked())
		s.post(w.super, "/admin/order/ship", fields{"orderId": id, "shipChannel": "ZTO", "shipSn": "1"}).fails(620)
	})
	c.step("staff refuses, the order stays paid", func(s *step) {
		s.post(w.super, "/admin/order/reject", fields{"orderId": id, "reason": "already packed"}).none()
		s.inState(w.first, id, paid())
		s.post(w.super, "/admin/order/reject", fields{"orderId": id}).fails(620)
		s.waitNumber(w.first.agent, p, before-2)
	})
	c.step("ask again, staff pays back", func(s *step) {
		s.post(w.first.agent, "/wx/order/refund", fields{"orderId": id}).none()
		s.post(w.super, "/admin/order/refund", fields{"orderId": id}).fails(401)
		s.post(w.super, "/admin/order/refund", money(actual+1)).fails(402)
		s.post(w.super, "/admin/order/refund", money(actual-1)).fails(402)
		s.inState(w.first, id, asked())
		s.post(w.super, "/admin/order/refund", money(actual)).none()
		s.inState(w.first, id, refunded())
		s.post(w.super, "/admin/order/refund", money(actual)).fails(620)
		order := s.staffDetail(w.super, id).at("order")
		equal(s, order.ex, "refundAmount", actual, order.at("refundAmount").money())
		order.shape("refundType text, refundTime time, endTime time")
	})
	c.try("the stock is back after the refund", func(s *step) {
		s.waitNumber(w.first.agent, p, before)
		s.waitNumber(w.guest, p, before)
	})
	c.try("delete the refunded order", func(s *step) {
		s.post(w.first.agent, "/wx/order/delete", fields{"orderId": id}).none()
		s.post(w.first.agent, "/wx/order/delete", fields{"orderId": id}).fails(720)
	})
}
