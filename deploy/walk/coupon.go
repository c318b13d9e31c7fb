package main

import (
	"slices"
	"strconv"
)

// gift is a coupon that a shopper holds and that fits what is in his cart.
type gift struct {
	id, coupon    int64 // the user coupon and the coupon
	min, discount cents
}

// take receives a coupon that is on offer, one that the shopper does not hold yet.
func (s *step) take(sh *shopper) bool {
	held := map[int64]bool{}
	for _, row := range s.holdings(sh) {
		held[row.at("cid").integer()] = true
	}
	for _, row := range s.get(sh.agent, "/wx/coupon/list", "limit", 0).page().each(couponShape) {
		id := row.at("id").integer()
		if held[id] {
			continue
		}
		a := s.post(sh.agent, "/wx/coupon/receive", fields{"couponId": id})
		if a.errno == 740 {
			continue // somebody else took the last one
		}
		a.none()
		s.checkTaken(sh, row)
		return true
	}
	return false
}

// checkTaken expects a coupon that was just received among the unused ones of the shopper.
func (s *step) checkTaken(sh *shopper, coupon value) {
	for _, row := range s.holdings(sh, "status", 0) {
		if row.at("cid").integer() != coupon.at("id").integer() {
			continue
		}
		equal(s, row.ex, "status", 0, row.at("status").integer())
		equal(s, row.ex, "available", true, row.at("available").truth())
		equal(s, row.ex, "couponId", row.at("cid").integer(), row.at("couponId").integer())
		equal(s, row.ex, "discount", coupon.at("discount").money(), row.at("discount").moneyText())
		equal(s, row.ex, "min", coupon.at("min").money(), row.at("min").moneyText())
		return
	}
	s.failf(coupon.ex, "the coupon %d is not among the unused ones after it was received", coupon.at("id").integer())
}

// holdings reads the coupons of a shopper.
func (s *step) holdings(sh *shopper, query ...any) []value {
	return s.get(sh.agent, "/wx/coupon/mylist", append(query, "limit", 0)...).page().each(userCoupon)
}

// holding finds one of them by its id.
func (s *step) holding(sh *shopper, id int64, query ...any) (value, bool) {
	for _, row := range s.holdings(sh, query...) {
		if row.at("id").integer() == id {
			return row, true
		}
	}
	return value{}, false
}

// fitting puts as many pieces into the cart as an unused coupon of the shopper needs, and gives that coupon and the
// row. A shopper without a fitting one receives one first, if there is one left for him.
func (s *step) fitting(sh *shopper, p product) (g gift, row int64, ok bool) {
	for {
		for _, g := range s.unused(sh) {
			number := piecesFor(g.min, p.price)
			if number > p.number/4 {
				continue
			}
			row = s.fast(sh, p, number)
			usable := s.usable(sh, row)
			if slices.ContainsFunc(usable, func(v value) bool { return v.at("id").integer() == g.id }) {
				return g, row, true
			}
		}
		if !s.take(sh) {
			return gift{}, 0, false
		}
	}
}

// unused gives the unused coupons of a shopper, those that ask least first.
func (s *step) unused(sh *shopper) []gift {
	gifts := []gift{}
	for _, row := range s.holdings(sh, "status", 0) {
		if row.at("available").truth() {
			gifts = append(gifts, gift{
				id: row.at("id").integer(), coupon: row.at("cid").integer(), min: row.at("min").moneyText(),
				discount: row.at("discount").moneyText(),
			})
		}
	}
	slices.SortStableFunc(gifts, func(a, b gift) int { return int(a.min - b.min) })
	return gifts
}

// usable reads the coupons that fit a purchase: an unpaged list, all of them available, the largest first.
func (s *step) usable(sh *shopper, row int64) []value {
	list := s.get(sh.agent, "/wx/coupon/selectlist", "cartId", row).page()
	equal(s, list.ex, "limit of an unpaged list", list.total, list.limit)
	equal(s, list.ex, "page of an unpaged list", 1, list.page)
	rows := list.each(userCoupon)
	for i, v := range rows {
		equal(s, list.ex, v.path+".available", true, v.at("available").truth())
		if i > 0 && rows[i-1].at("discount").moneyText() < v.at("discount").moneyText() {
			s.failf(list.ex, "%s: the larger discounts come first", v.path)
		}
	}
	return rows
}

// couponSteps plays a coupon from the offer to the preview of a purchase, and gives it. The cart then holds what it
// needs.
func (w *walk) couponSteps(c *chapter, p *product) (g gift) {
	var row int64
	c.step("receive a coupon", func(s *step) {
		s.need(w.first != nil, "shopper")
		*p = s.plenty()[0]
		p.number = s.number(w.first.agent, *p)
		s.emptyCart(w.first)
		if !s.take(w.first) {
			w.printf("      (%s has had every coupon on offer; an unused one serves)\n", w.first.name)
		}
		s.post(w.first.agent, "/wx/coupon/receive", fields{"couponId": missing}).fails(402)
		s.post(w.first.agent, "/wx/coupon/receive", fields{}).fails(401)
		s.get(w.first.agent, "/wx/coupon/mylist", "status", 3).fails(402)
	})
	c.step("find the coupons that fit", func(s *step) {
		var found bool
		if g, row, found = s.fitting(w.first, *p); !found {
			s.fatalf(nil, "%s holds and can take no coupon that fits %q", w.first.name, p.name)
		}
		data := s.get(w.first.agent, "/wx/cart/checkout", "cartId", row).ok()
		equal(s, data.ex, "availableCouponLength", int64(len(s.usable(w.first, row))),
			data.at("availableCouponLength").integer())
	})
	c.step("preview with that coupon, to the cent", func(s *step) {
		data := s.get(w.first.agent, "/wx/cart/checkout", "cartId", row, "couponId", g.coupon, "userCouponId", g.id).ok()
		b := s.checkBill(data.shape(checkoutShape), g.coupon)
		equal(s, data.ex, "couponId", g.coupon, data.at("couponId").integer())
		equal(s, data.ex, "userCouponId", g.id, data.at("userCouponId").integer())
		equal(s, data.ex, "couponPrice", min(g.discount, b.goods+b.freight), b.coupon)
	})
	c.step("preview with the best coupon", func(s *step) {
		best := s.usable(w.first, row)[0].at("discount").moneyText()
		data := s.get(w.first.agent, "/wx/cart/checkout", "cartId", row, "couponId", 0).ok().shape(checkoutShape)
		b := s.checkBill(data, 0)
		equal(s, data.ex, "couponPrice of the best", min(best, b.goods+b.freight), b.coupon)
		again := s.get(w.first.agent, "/wx/cart/checkout", "cartId", row, "couponId", missing)
		s.same("a coupon that does not fit is replaced by the best", again, answer{
			ex: data.ex, errmsg: w.success, data: data,
		})
	})
	c.step("preview on both sides of free freight", func(s *step) {
		for _, number := range []int64{1, piecesFor(freightFree, p.price)} {
			one := strconv.FormatInt(s.fast(w.first, *p, number), 10)
			data := s.get(w.first.agent, "/wx/cart/checkout", "cartId", one, "addressId", w.first.address).ok()
			b := s.checkBill(data.shape(checkoutShape), -1)
			equal(s, data.ex, "goodsTotalPrice", p.price*cents(number), b.goods)
			equal(s, data.ex, "addressId", w.first.address, data.at("addressId").integer())
			equal(s, data.ex, "cartId", one, strconv.FormatInt(data.at("cartId").integer(), 10))
			data.at("checkedAddress").shape(addressShape)
			all := s.get(w.first.agent, "/wx/cart/checkout").ok()
			equal(s, all.ex, "goodsTotalPrice of all checked rows", b.goods, s.checkBill(all, -1).goods)
		}
		s.fast(w.first, *p, piecesFor(g.min, p.price))
	})
	return g
}
