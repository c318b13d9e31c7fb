package main

import (
	"math/rand/v2"
	"strconv"
)

// addresses plays the address book of the first shopper.
func (w *walk) addresses(c *chapter) {
	c.step("save an address from the regions", func(s *step) {
		s.need(w.first != nil, "shopper")
		for _, row := range s.all(w.first.agent, "/wx/address/list", 50) {
			if row.shape(addressShape).at("isDefault").truth() {
				w.first.home = fields(row.object())
			}
		}
		w.first.address = s.newAddress(w.first)
		data := s.get(w.first.agent, "/wx/address/detail", "id", w.first.address).ok().shape(addressShape)
		equal(s, data.ex, "isDefault", false, data.at("isDefault").truth())
		equal(s, data.ex, "postalCode of an address without one", "", data.at("postalCode").text())
	})
	c.step("change it into the one default address", func(s *step) {
		me := w.first.agent
		data := s.get(me, "/wx/address/detail", "id", w.first.address).ok()
		body := fields(data.object())
		body["isDefault"], body["name"], body["id"] = 1, "Walk Two", strconv.FormatInt(w.first.address, 10)
		saved := s.post(me, "/wx/address/save", body).ok()
		equal(s, saved.ex, "id of the saved address", w.first.address, saved.integer())
		list := s.get(me, "/wx/address/list").page()
		equal(s, list.ex, "limit by default", 1000, list.limit)
		defaults := 0
		for _, row := range list.each(addressShape) {
			if row.at("isDefault").truth() {
				defaults++
			}
		}
		equal(s, list.ex, "default addresses", 1, defaults)
		equal(s, list.ex, "first of the list", w.first.address, list.list[0].at("id").integer())
		equal(s, list.ex, "name after the change", "Walk Two", list.list[0].at("name").text())
	})
	c.try("delete an address", func(s *step) {
		me, id := w.first.agent, s.newAddress(w.first)
		s.post(me, "/wx/address/delete", fields{"id": id}).none()
		s.get(me, "/wx/address/detail", "id", id).fails(402)
		s.post(me, "/wx/address/delete", fields{"id": id}).fails(402)
		w.first.made = w.first.made[:len(w.first.made)-1]
	})
}

// newAddress writes an address in a place that the region list names.
func (s *step) newAddress(sh *shopper) int64 {
	province := s.regions(0)[0]
	city := s.firstRegion(province)
	county := s.firstRegion(city)
	saved := s.post(sh.agent, "/wx/address/save", fields{
		"id": 0, "name": "Walk One", "tel": "13800000000", "province": province.at("name").text(),
		"city": city.at("name").text(), "county": county.at("name").text(),
		"areaCode":      strconv.FormatInt(county.at("code").integer(), 10),
		"addressDetail": "Long Street " + strconv.Itoa(rand.IntN(1000)), "isDefault": false,
	}).ok().integer()
	sh.made = append(sh.made, saved)
	return saved
}

// firstRegion gives the first child of a region, or the region itself where it has none.
func (s *step) firstRegion(parent value) value {
	if rows := s.regions(parent.at("id").integer()); len(rows) > 0 {
		return rows[0]
	}
	return parent
}

// addressOf gives the address that a shopper orders to, and writes one first where he has none of the walk.
func (s *step) addressOf(sh *shopper) int64 {
	s.need(sh != nil, "shopper")
	if sh.address == 0 {
		sh.address = s.newAddress(sh)
	}
	return sh.address
}

// cart reads the cart, checks its sums, and gives its rows.
func (s *step) cart(data value) []value {
	rows := data.at("cartList").each(cartRow)
	totals := data.at("cartTotal").shape(cartTotals)
	var count, checkedCount int64
	var amount, checkedAmount cents
	for _, row := range rows {
		n := row.at("number").integer()
		price := row.at("price").money() * cents(n)
		count, amount = count+n, amount+price
		if row.at("checked").truth() {
			checkedCount, checkedAmount = checkedCount+n, checkedAmount+price
		}
	}
	equal(s, data.ex, "goodsCount", count, totals.at("goodsCount").integer())
	equal(s, data.ex, "goodsAmount", amount, totals.at("goodsAmount").money())
	equal(s, data.ex, "checkedGoodsCount", checkedCount, totals.at("checkedGoodsCount").integer())
	equal(s, data.ex, "checkedGoodsAmount", checkedAmount, totals.at("checkedGoodsAmount").money())
	return rows
}

// emptyCart takes everything out of the cart.
func (s *step) emptyCart(sh *shopper) {
	rows := s.cart(s.get(sh.agent, "/wx/cart/index").ok())
	if len(rows) == 0 {
		return
	}
	products := []int64{}
	for _, row := range rows {
		products = append(products, row.at("productId").integer())
	}
	left := s.cart(s.post(sh.agent, "/wx/cart/delete", fields{"productIds": products}).ok())
	equal(s, nil, "rows left in the cart", 0, len(left))
}

// fast puts a product into the cart for immediate purchase and gives the id of the row.
func (s *step) fast(sh *shopper, p product, number int64) int64 {
	body := fields{"goodsId": p.goods, "productId": p.id, "number": number}
	return s.post(sh.agent, "/wx/cart/fastadd", body).ok().integer()
}

// rowOf finds the row of a product.
func (s *step) rowOf(rows []value, p product) value {
	for _, row := range rows {
		if row.at("productId").integer() == p.id {
			return row
		}
	}
	s.fatalf(nil, "the product %d is not in the cart", p.id)
	return value{}
}

// carts plays the seven operations of the cart.
func (w *walk) carts(c *chapter) {
	var two []product
	var me agent
	c.step("put goods into the cart", func(s *step) {
		s.need(w.first != nil, "shopper")
		me, two = w.first.agent, s.plenty()
		s.emptyCart(w.first)
		total := s.post(me, "/wx/cart/add", fields{"goodsId": two[0].goods, "productId": two[0].id, "number": 1}).ok()
		equal(s, total.ex, "pieces in the cart", 1, total.integer())
		total = s.post(me, "/wx/cart/add", fields{
			"goodsId": strconv.FormatInt(two[0].goods, 10), "productId": strconv.FormatInt(two[0].id, 10), "number": "2",
		}).ok()
		equal(s, total.ex, "pieces after adding as text", 3, total.integer())
		count := s.get(me, "/wx/cart/goodscount").ok()
		equal(s, count.ex, "goodscount", 3, count.integer())
		count = s.get(w.guest, "/wx/cart/goodscount").ok()
		equal(s, count.ex, "goodscount of a guest", 0, count.integer())
	})
	c.step("immediate purchase replaces the number", func(s *step) {
		id := s.fast(w.first, two[1], 5)
		equal(s, nil, "row of the same product", id, s.fast(w.first, two[1], 2))
		row := s.rowOf(s.cart(s.get(me, "/wx/cart/index").ok()), two[1])
		equal(s, row.ex, "number", 2, row.at("number").integer())
		equal(s, row.ex, "id", id, row.at("id").integer())
		equal(s, row.ex, "price", two[1].price, row.at("price").money())
		equal(s, row.ex, "goodsName", two[1].name, row.at("goodsName").text())
	})
	c.step("change the number", func(s *step) { w.cartUpdate(s, two) })
	c.step("check and uncheck", func(s *step) {
		body := fields{"productIds": []int64{two[0].id, missing}, "isChecked": 0}
		rows := s.cart(s.post(me, "/wx/cart/checked", body).ok())
		equal(s, nil, "checked after unchecking", false, s.rowOf(rows, two[0]).at("checked").truth())
		equal(s, nil, "the other row is still checked", true, s.rowOf(rows, two[1]).at("checked").truth())
		body["isChecked"] = true
		rows = s.cart(s.post(me, "/wx/cart/checked", body).ok())
		equal(s, nil, "checked after checking", true, s.rowOf(rows, two[0]).at("checked").truth())
	})
	c.step("refuse more than there is", func(s *step) {
		for path, want := range map[string]int64{"/wx/cart/add": 711, "/wx/cart/fastadd": 711} {
			s.post(me, path, fields{"goodsId": two[0].goods, "productId": two[0].id, "number": 100_000_000}).fails(want)
			s.post(me, path, fields{"goodsId": missing, "productId": two[0].id, "number": 1}).fails(710)
			s.post(me, path, fields{"goodsId": two[0].goods, "productId": two[1].id, "number": 1}).fails(713)
			s.post(me, path, fields{"goodsId": two[0].goods, "productId": missing, "number": 1}).fails(713)
			s.post(me, path, fields{"goodsId": two[0].goods, "productId": two[0].id, "number": 0}).fails(402)
			s.post(me, path, fields{"goodsId": two[0].goods, "productId": two[0].id, "number": -1}).fails(402)
			s.post(me, path, fields{"goodsId": two[0].goods, "productId": two[0].id}).fails(401)
		}
	})
	c.step("take goods out of the cart", func(s *step) {
		rows := s.cart(s.post(me, "/wx/cart/delete", fields{"productIds": []int64{two[0].id}}).ok())
		equal(s, nil, "rows left", 1, len(rows))
		s.post(me, "/wx/cart/delete", fields{"productIds": []int64{}}).fails(401)
		s.emptyCart(w.first)
	})
	c.try("preview of an empty cart", func(s *step) {
		data := s.get(me, "/wx/cart/checkout").ok().shape(checkoutShape)
		s.checkBill(data, -1)
		equal(s, data.ex, "checkedGoodsList", 0, len(data.at("checkedGoodsList").list()))
		s.post(me, "/wx/order/submit", fields{"cartId": 0, "addressId": w.first.address, "couponId": 0}).fails(402)
	})
}

// cartUpdate changes a number, and fails where the ids do not belong together.
func (w *walk) cartUpdate(s *step, two []product) {
	me := w.first.agent
	row := s.rowOf(s.cart(s.get(me, "/wx/cart/index").ok()), two[0])
	body := func(goods, product, number int64) fields {
		return fields{"id": row.at("id").integer(), "goodsId": goods, "productId": product, "number": number}
	}
	s.post(me, "/wx/cart/update", body(two[0].goods, two[0].id, 4)).none()
	s.post(me, "/wx/cart/update", body(two[0].goods, two[0].id, 4)).none()
	row = s.rowOf(s.cart(s.get(me, "/wx/cart/index").ok()), two[0])
	equal(s, row.ex, "number", 4, row.at("number").integer())
	s.post(me, "/wx/cart/update", body(two[1].goods, two[0].id, 4)).fails(402)
	s.post(me, "/wx/cart/update", body(two[0].goods, two[1].id, 4)).fails(402)
	s.post(me, "/wx/cart/update", body(two[0].goods, two[0].id, 0)).fails(402)
	s.post(me, "/wx/cart/update", body(two[0].goods, two[0].id, 100_000_000)).fails(711)
	s.post(me, "/wx/cart/update", fields{"id": row.at("id").integer()}).fails(401)
}

// checkBill checks every amount of a preview against its lines. couponID is what was asked for.
func (s *step) checkBill(data value, couponID int64) bill {
	pieces := []piece{}
	for _, row := range data.at("checkedGoodsList").each(cartRow) {
		pieces = append(pieces, piece{row.at("price").money(), row.at("number").integer()})
	}
	coupon := data.at("couponPrice").money()
	want := reckon(pieces, coupon)
	equal(s, data.ex, "goodsTotalPrice", want.goods, data.at("goodsTotalPrice").money())
	equal(s, data.ex, "freightPrice", want.freight, data.at("freightPrice").money())
	equal(s, data.ex, "couponPrice", want.coupon, coupon)
	equal(s, data.ex, "orderTotalPrice", want.actual, data.at("orderTotalPrice").money())
	equal(s, data.ex, "actualPrice", want.actual, data.at("actualPrice").money())
	equal(s, data.ex, "grouponPrice", 0, data.at("grouponPrice").money())
	if couponID < 0 {
		equal(s, data.ex, "couponId where none was wanted", -1, data.at("couponId").integer())
		equal(s, data.ex, "userCouponId where none was wanted", -1, data.at("userCouponId").integer())
		equal(s, data.ex, "couponPrice where none was wanted", 0, coupon)
	}
	return want
}
