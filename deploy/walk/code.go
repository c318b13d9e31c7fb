package main

import "math/rand/v2"

const exchangePath = "/wx/coupon/exchange"

// demoCode is the code that the demo shop gives coupons for, once to each shopper.
const demoCode = "SHOPDEMO"

// couponCode plays a coupon that is had for a code. Who has had it on an earlier walk cannot have it again.
func (w *walk) couponCode(c *chapter) {
	c.try("a coupon for a code, once to each shopper", func(s *step) {
		s.need(w.first != nil, "shopper")
		sh := w.first
		for next := range 12 {
			before := len(s.holdings(sh))
			a := s.post(sh.agent, exchangePath, fields{"code": "  shopdemo "})
			if a.errno == 740 && len(s.holdings(sh)) == before {
				sh = s.company(next + 1)[next]
				continue
			}
			a.none()
			after := s.holdings(sh, "status", 0)
			equal(s, s.last, "coupons after the exchange", before+1, len(s.holdings(sh)))
			equal(s, s.last, "an unused one among them", true, len(after) > 0)
			s.post(sh.agent, exchangePath, fields{"code": demoCode}).fails(740)
			equal(s, s.last, "coupons after the second exchange", before+1, len(s.holdings(sh)))
			return
		}
		s.fatalf(s.last, "12 shoppers have had the coupon for the code: the demo shop is used up")
	})
	c.try("codes that must be refused", func(s *step) {
		s.need(w.second != nil, "shopper")
		me := w.second.agent
		s.post(me, exchangePath, fields{"code": unknownCode()}).fails(742)
		s.post(me, exchangePath, fields{"code": " "}).fails(401)
		s.post(me, exchangePath, fields{}).fails(401)
		s.post(w.guest, exchangePath, fields{"code": demoCode}).fails(501)
	})
}

// unknownCode gives eight letters that are no code of the demo shop.
func unknownCode() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	code := "WALK"
	for len(code) < len(demoCode) {
		code += string(letters[rand.IntN(len(letters))])
	}
	return code
}
