package e2e

import (
	"strconv"
	"testing"
)

// text writes an id for a search in an answer.
func text(id int64) string { return strconv.FormatInt(id, 10) }

// coupon creates a coupon for goods that everybody may receive.
func (s *scenario) coupon(g goods, discount int64) int64 {
	s.t.Helper()
	return s.create(s.super(), "coupon", fields{
		"name": unique("e2e coupon"), "type": 0, "total": 10, "limit": 1, "discount": amount(discount),
		"min": amount(g.price), "goodsType": 2, "goodsValue": []int64{g.id}, "timeType": 0, "days": 3,
	}).Get("id").Int()
}

// A coupon with a code goes to the first shopper who redeems it.
func TestCouponCode(t *testing.T) {
	s := begin(t, "coupon with a code: one shopper gets the last one, the next does not")
	super := s.super()
	row := s.create(super, "coupon", fields{
		"name": unique("e2e coupon"), "type": 2, "total": 1, "discount": amount(3_00), "min": amount(10_00), "days": 3,
	})
	id, code := row.Get("id").Int(), row.Get("code").String()
	me, other := s.shopper(), s.shopper()

	me.post("/wx/coupon/exchange", fields{"code": code}).ok()
	other.post("/wx/coupon/exchange", fields{"code": code}).fails(740)
	equal(s, "holders", 1, super.get("/admin/coupon/listuser", "couponId", id).ok().Get("total").Int())
	equal(s, "holders in the file", 1, len(table(s, super.download("/admin/coupon/export", "couponId", id)))-1)

	// A coupon that fits no goods in the cart is not offered.
	g := s.goods(9_00, 5)
	fitting := func(number int) bool {
		list := me.get("/wx/coupon/selectlist", "cartId", me.put(g, number)).ok()
		return list.Get("list.#(cid==" + text(id) + ")").Exists()
	}
	equal(s, "the coupon fits goods of 9.00", false, fitting(1))
	equal(s, "the coupon fits goods of 18.00", true, fitting(2))

	super.post("/admin/coupon/delete", fields{"id": id}).ok()
	other.post("/wx/coupon/exchange", fields{"code": code}).fails(742)
}
