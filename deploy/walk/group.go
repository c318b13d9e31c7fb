package main

import "slices"

// group plays a group that succeeds: one opens it, others join, everybody pays, and then staff may ship.
func (w *walk) group(c *chapter) {
	var (
		o     offer
		parts []part
		late  *shopper
	)
	c.step("groups, what they offer", func(s *step) {
		w.staff(s)
		o = s.offerFor(2)
		late = s.company(int(o.members))[o.members-1]
		w.previewGroup(s, o)
	})
	c.try("groups that nobody may see", w.unknownGroups)
	c.step("open a group", func(s *step) {
		s.refused(w.second, o, missing, 402)
		s.enter(w.second, s.plenty()[0], o.rule, 0).fails(402)
		s.enter(w.second, o.p, missing, 0).fails(402)
		s.emptyCart(w.second)
		opener := s.takePart(w.second, o, 0)
		if opener.link <= 0 {
			s.fatalf(s.last, "grouponLinkId of a new group: expected an id, got %d", opener.link)
		}
		s.get(w.guest, "/wx/groupon/join", "grouponId", opener.link).fails(402)
		s.refused(late, o, opener.link, 402)
		s.pay(w.second, opener.order)
		parts = append(parts, opener)
		s.inState(w.second, opener.order, paid())
		s.inGroup(opener, o, partOpen, 1)
		s.shown(opener.link, o, partOpen)
		s.refused(w.second, o, opener.link, 733)
		s.get(late.agent, "/wx/groupon/detail", "grouponId", opener.link).fails(402)
	})
	c.step("an open group is not shipped", func(s *step) {
		s.post(w.clerk, "/admin/order/ship", parcel(parts[0].order)).fails(620)
	})
	c.step("join until it is full, and pay", func(s *step) {
		link := parts[0].link
		for _, sh := range s.company(int(o.members) - 1) {
			p := s.takePart(sh, o, link)
			parts = append(parts, p)
			s.pay(sh, p.order)
		}
		s.refused(late, o, link, 732)
	})
	c.step("the group has succeeded for everybody", func(s *step) {
		for _, p := range parts {
			s.inState(p.sh, p.order, paid())
			s.inGroup(p, o, partDone, o.members)
		}
		s.shown(parts[0].link, o, partDone)
	})
	c.step("staff ships the orders of the group", func(s *step) {
		for _, p := range parts {
			s.post(w.clerk, "/admin/order/ship", parcel(p.order)).none()
			s.inState(p.sh, p.order, shipped())
			s.inGroup(p, o, partDone, o.members)
		}
	})
}

// unknownGroups asks for groups that are not there.
func (w *walk) unknownGroups(s *step) {
	s.get(w.guest, "/wx/groupon/query").fails(401)
	s.get(w.guest, "/wx/groupon/query", "goodsId", missing).fails(712)
	s.get(w.guest, "/wx/groupon/join").fails(401)
	s.get(w.guest, "/wx/groupon/join", "grouponId", missing).fails(402)
	s.get(w.guest, "/wx/groupon/my").fails(501)
	s.get(w.second.agent, "/wx/groupon/detail", "grouponId", missing).fails(402)
}

// parcel is the body that ships an order.
func parcel(id int64) fields {
	return fields{"orderId": id, "shipChannel": "ZTO", "shipSn": "ZT0000000001"}
}

// previewGroup checks the preview of a purchase by a group, which costs less by the piece.
func (w *walk) previewGroup(s *step, o offer) {
	row := s.fast(w.second, o.p, 2)
	data := s.get(w.second.agent, "/wx/cart/checkout", "cartId", row, "couponId", -1, "grouponRulesId", o.rule).ok()
	want := reckon([]piece{{o.price(), 2}}, 0)
	equal(s, data.ex, "grouponRulesId", o.rule, data.shape(checkoutShape).at("grouponRulesId").integer())
	equal(s, data.ex, "grouponPrice", o.off, data.at("grouponPrice").money())
	equal(s, data.ex, "goodsTotalPrice", want.goods, data.at("goodsTotalPrice").money())
	equal(s, data.ex, "freightPrice", want.freight, data.at("freightPrice").money())
	equal(s, data.ex, "actualPrice", want.actual, data.at("actualPrice").money())
	s.get(w.second.agent, "/wx/cart/checkout", "cartId", row, "grouponRulesId", missing).fails(402)
	s.emptyCart(w.second)
}

// brokenGroup plays a group whose opener leaves it: it ends for everybody, and staff pays back.
func (w *walk) brokenGroup(c *chapter) {
	var (
		o      offer
		parts  []part
		before int64
	)
	c.step("open another group, one joins and pays, one does not pay", func(s *step) {
		w.staff(s)
		o = s.offerFor(3)
		before = s.number(w.second.agent, o.p)
		three := s.company(3)
		opener := s.takePart(three[0], o, 0)
		s.pay(opener.sh, opener.order)
		paying := s.takePart(three[1], o, opener.link)
		s.pay(paying.sh, paying.order)
		s.refused(three[1], o, opener.link, 733)
		waiting := s.takePart(three[2], o, opener.link)
		s.refused(three[2], o, opener.link, 733)
		parts = []part{opener, paying, waiting}
		s.inGroup(opener, o, partOpen, 2)
		s.inGroup(paying, o, partOpen, 2)
		if o.members == 3 {
			s.refused(w.second, o, opener.link, 732)
		}
		s.waitNumber(w.second.agent, o.p, before-3)
	})
	c.step("the opener asks for his money: the group ends for all", func(s *step) {
		s.post(parts[0].sh.agent, "/wx/order/refund", fields{"orderId": parts[0].order}).none()
		s.inState(parts[0].sh, parts[0].order, asked())
		s.inState(parts[1].sh, parts[1].order, asked())
		s.inState(parts[2].sh, parts[2].order, lapsed())
		for _, p := range parts[:2] {
			s.inGroup(p, o, partFailed, 0)
		}
		s.refused(w.second, o, parts[0].link, 730)
		s.waitNumber(w.second.agent, o.p, before-2)
	})
	c.step("staff pays back, and cannot refuse to", func(s *step) {
		want := reckon([]piece{{o.price(), 1}}, 0).actual
		for _, p := range parts[:2] {
			s.post(w.super, "/admin/order/reject", fields{"orderId": p.order}).fails(620)
			s.post(w.super, "/admin/order/refund", fields{"orderId": p.order, "refundMoney": want.String()}).none()
			s.inState(p.sh, p.order, refunded())
		}
		s.waitNumber(w.second.agent, o.p, before)
	})
	c.try("put the orders of the group away", func(s *step) {
		for _, p := range parts {
			s.post(p.sh.agent, "/wx/order/delete", fields{"orderId": p.order}).none()
		}
		list := s.get(parts[0].sh.agent, "/wx/groupon/my").page()
		if slices.ContainsFunc(list.list, func(v value) bool { return v.at("orderId").integer() == parts[0].order }) {
			s.failf(list.ex, "a group whose order was put away is still listed")
		}
	})
}
