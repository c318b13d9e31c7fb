package main

import "net/http"

// foreignIDs plays a shopper who puts the ids of another into every field: he gets the answer of a missing row, and
// nothing of the other's changes.
func (w *walk) foreignIDs(c *chapter) {
	var v victim
	c.step("a shopper with an address, a cart row, a coupon and an order", func(s *step) {
		s.need(w.first != nil && w.second != nil, "two shoppers")
		v = w.victim(s)
	})
	c.try("another's ids when reading", func(s *step) { w.foreignReads(s, v) })
	c.try("another's ids when writing", func(s *step) { w.foreignWrites(s, v) })
	c.try("another's ids when ordering", func(s *step) { w.foreignSubmit(s, v) })
	c.try("nothing of the other has changed", func(s *step) {
		for path, want := range v.seen {
			s.same(path, s.send(w.second.agent, call{method: http.MethodGet, path: path, query: v.queries[path]}), want)
		}
	})
	c.try("the order is cancelled again", func(s *step) {
		s.post(w.second.agent, "/wx/order/cancel", fields{"orderId": v.order}).none()
		s.waitNumber(w.second.agent, v.ordered, v.before)
		s.post(w.second.agent, "/wx/order/delete", fields{"orderId": v.order}).none()
	})
}

// victim is the shopper whose ids are tried, with what he sees of his own.
type victim struct {
	p, ordered                        product
	address, row, coupon, order, line int64
	before                            int64
	couponOf                          int64
	seen                              map[string]answer
	queries                           map[string][]any
}

// victim makes one of each thing that has an owner.
func (w *walk) victim(s *step) victim {
	sh := w.second
	two := s.plenty()
	v := victim{p: two[0], ordered: two[1], address: s.addressOf(sh), seen: map[string]answer{}}
	s.emptyCart(sh)
	v.before = s.number(sh.agent, v.ordered)
	v.order = s.ordered(s.submit(sh, s.fast(sh, v.ordered, 1), 0, nil))
	v.line = s.detail(sh, v.order).at("orderGoods").list()[0].at("id").integer()
	if held := s.unused(sh); len(held) > 0 {
		v.coupon, v.couponOf = held[0].id, held[0].coupon
	}
	v.row = s.fast(sh, v.p, 1)
	v.queries = map[string][]any{
		"/wx/address/detail": {"id", v.address},
		"/wx/cart/index":     nil,
		"/wx/order/detail":   {"orderId", v.order},
		"/wx/coupon/mylist":  {"limit", 0},
	}
	for path, query := range v.queries {
		ans := s.get(sh.agent, path, query...)
		ans.ok()
		v.seen[path] = ans
	}
	return v
}

// foreignReads compares, for every field of a query, another's id with one that nobody has.
func (w *walk) foreignReads(s *step, v victim) {
	me := w.first.agent
	tries := []struct {
		path, field string
		id          int64
		more        []any
	}{
		{"/wx/address/detail", "id", v.address, nil},
		{"/wx/order/detail", "orderId", v.order, nil},
		{"/wx/order/goods", "orderId", v.order, []any{"goodsId", v.ordered.goods}},
		{"/wx/order/goods", "ogid", v.line, nil},
		{"/wx/cart/checkout", "cartId", v.row, nil},
		{"/wx/cart/checkout", "addressId", v.address, nil},
		{"/wx/cart/checkout", "userCouponId", v.coupon, []any{"couponId", max(v.couponOf, 1)}},
		{"/wx/coupon/selectlist", "cartId", v.row, nil},
	}
	for _, t := range tries {
		if t.id == 0 {
			continue // he holds no coupon
		}
		theirs := s.get(me, t.path, append([]any{t.field, t.id}, t.more...)...)
		nobodys := s.get(me, t.path, append([]any{t.field, missing}, t.more...)...)
		s.same(t.path+" with another's "+t.field, theirs, nobodys)
	}
	s.get(me, "/wx/order/detail", "orderId", v.order).fails(720)
	s.get(me, "/wx/order/goods", "ogid", v.line).fails(402)
	s.get(me, "/wx/address/detail", "id", v.address).fails(402)
	s.get(me, "/wx/cart/checkout", "cartId", v.row).fails(402)
}

// foreignWrites does the same with every field of a body.
func (w *walk) foreignWrites(s *step, v victim) {
	me := w.first.agent
	address := fields(v.seen["/wx/address/detail"].data.object())
	renamed := fields{}
	for name, member := range address {
		renamed[name] = member
	}
	renamed["name"] = "Thief"
	tries := []struct {
		path, field string
		id, errno   int64
		more        fields
	}{
		{"/wx/address/save", "id", v.address, 402, renamed},
		{"/wx/address/delete", "id", v.address, 402, nil},
		{"/wx/cart/update", "id", v.row, 402, fields{"goodsId": v.p.goods, "productId": v.p.id, "number": 3}},
		{"/wx/order/cancel", "orderId", v.order, 720, nil},
		{"/wx/order/prepay", "orderId", v.order, 720, nil},
		{"/wx/order/refund", "orderId", v.order, 720, nil},
		{"/wx/order/confirm", "orderId", v.order, 720, nil},
		{"/wx/order/delete", "orderId", v.order, 720, nil},
		{"/wx/order/comment", "orderGoodsId", v.line, 402, fields{"content": "not mine", "star": 1}},
	}
	for _, t := range tries {
		theirs, nobodys := fields{}, fields{}
		for name, member := range t.more {
			theirs[name], nobodys[name] = member, member
		}
		theirs[t.field], nobodys[t.field] = t.id, missing
		one := s.post(me, t.path, theirs)
		one.fails(t.errno)
		s.same(t.path+" with another's "+t.field, one, s.post(me, t.path, nobodys))
	}
	// The products of the other's cart are nobody's secret, but his rows stay as they are.
	s.post(me, "/wx/cart/checked", fields{"productIds": []int64{v.p.id}, "isChecked": 0}).ok()
	s.post(me, "/wx/cart/delete", fields{"productIds": []int64{v.p.id}}).ok()
}

// foreignSubmit does the same with every field of an order, from a cart that could be ordered.
func (w *walk) foreignSubmit(s *step, v victim) {
	s.emptyCart(w.first)
	own, me := s.fast(w.first, v.p, 2), w.first.agent
	before := s.get(me, "/wx/cart/index")
	body := func(field string, id int64) fields {
		b := fields{"cartId": own, "addressId": s.addressOf(w.first), "couponId": 0, "message": "not mine"}
		if field == "userCouponId" {
			b["couponId"] = max(v.couponOf, 1)
		}
		b[field] = id
		return b
	}
	ids := map[string]int64{"addressId": v.address, "cartId": v.row, "couponId": v.coupon, "userCouponId": v.coupon}
	for field, id := range ids {
		if id == 0 {
			continue // he holds no coupon
		}
		one := s.post(me, "/wx/order/submit", body(field, id))
		one.fails(402)
		s.same("/wx/order/submit with another's "+field, one, s.post(me, "/wx/order/submit", body(field, missing)))
	}
	s.same("the own cart after refused orders", s.get(me, "/wx/cart/index"), before)
	s.emptyCart(w.first)
}
