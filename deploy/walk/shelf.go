package main

import "time"

// shelf plays goods from the empty shelf to the storefront, through their changes, and off again.
func (w *walk) shelf(c *chapter) {
	c.step("make a brand and two categories", w.makeTree)
	c.step("make goods, all in one", w.makeGoods)
	c.step("everybody sees the new goods", func(s *step) {
		s.soon("the new goods", func() bool {
			return s.get(w.guest, "/wx/goods/detail", "id", w.tour.goods).errno == 0
		})
		x := s.ware(w.guest, w.tour.goods)
		equal(s, s.last, "price", 50_00, x.price)
		equal(s, s.last, "category", w.tour.category, x.category)
		equal(s, s.last, "brand", w.tour.brand, x.brand)
		if len(x.products) != 2 {
			s.fatalf(s.last, "products: expected 2, got %d", len(x.products))
		}
		w.tour.product = x.products[0]
		detail := s.get(w.guest, "/wx/goods/detail", "id", w.tour.goods).ok().at("info.detail").text()
		equal(s, s.last, "detail without what can run", "<p>Fine.</p>", detail)
	})
	c.step("change price and stock by difference", w.changeGoods)
	c.try("a groupon offer on the new goods", w.offered)
	c.try("goods and orders as files", w.files)
	c.try("goods from a file, tried and taken", w.sheet)
	c.step("goods off the shelf are gone", func(s *step) {
		s.post(w.super, "/admin/brand/delete", fields{"id": w.tour.brand}).fails(402)
		s.post(w.super, "/admin/category/delete", fields{"id": w.tour.category}).fails(402)
		for range 2 {
			s.post(w.super, "/admin/goods/delete", fields{"id": w.tour.goods}).none()
		}
		s.get(w.super, "/admin/goods/detail", "id", w.tour.goods).fails(402)
		s.soon("the end of the goods", func() bool {
			return s.get(w.guest, "/wx/goods/detail", "id", w.tour.goods).errno != 0
		})
		s.get(w.guest, "/wx/goods/detail", "id", w.tour.goods).fails(712)
	})
}

// soon expects something at the storefront, with the lag that a page from memory may have.
func (s *step) soon(what string, ask func() bool) {
	if !within(pageLag, ask) {
		s.fatalf(s.last, "%s: not seen within %s", what, pageLag)
	}
}

func (w *walk) makeTree(s *step) {
	w.staff(s)
	brand := s.makes("brand", fields{"name": w.mark("walk brand "), "desc": "made by the walk", "floorPrice": "9.90"})
	w.tour.brand = brand.shape(brandFull).at("id").integer()
	s.post(w.super, "/admin/brand/create", fields{"name": "x", "desc": "x"}).fails(401)
	s.post(w.super, "/admin/brand/update", fields{"id": missing, "name": "x"}).fails(505)
	changed := s.post(w.super, "/admin/brand/update", fields{"id": w.tour.brand, "desc": "changed"}).ok()
	changed.shape(brandFull)
	equal(s, changed.ex, "desc", "changed", changed.at("desc").text())
	equal(s, changed.ex, "floorPrice that was not sent", 9_90, changed.at("floorPrice").money())
	s.get(w.super, "/admin/brand/read", "id", w.tour.brand).ok().shape(brandFull)
	top := s.makes("category", fields{"name": w.mark("walk top "), "level": "L1"}).shape(categoryShape)
	parent := top.at("id").integer()
	s.post(w.super, "/admin/category/create", fields{"name": "x", "level": "L2"}).fails(401)
	s.post(w.super, "/admin/category/create", fields{"name": "x", "level": "L3"}).fails(402)
	sub := s.makes("category", fields{"name": w.mark("walk sub "), "level": "L2", "pid": parent}).shape(categoryShape)
	w.tour.category = sub.at("id").integer()
	s.post(w.super, "/admin/category/delete", fields{"id": parent}).fails(402)
	s.post(w.super, "/admin/category/update", fields{"id": parent, "level": "L2", "pid": w.tour.category}).fails(402)
	s.post(w.super, "/admin/category/update", fields{"id": w.tour.category, "desc": "changed"}).ok()
	read := s.get(w.super, "/admin/category/read", "id", w.tour.category).ok().shape(categoryShape)
	equal(s, read.ex, "desc", "changed", read.at("desc").text())
	equal(s, read.ex, "level that was not sent", "L2", read.at("level").text())
	choice := s.get(w.super, "/admin/goods/catAndBrand").ok()
	choice.at("categoryList").each("value int, label text, children list")
	choice.at("brandList").each("value int, label text")
}

// allInOne is the body that makes goods with two products.
func (w *walk) allInOne() fields {
	spec := func(value string) fields { return fields{"specification": "size", "value": value} }
	item := func(id int, value, price string, number int) fields {
		return fields{"id": id, "specifications": []string{value}, "price": price, "number": number}
	}
	return fields{
		"goods": fields{
			"name": w.mark("walk goods "), "goodsSn": w.mark("W"), "categoryId": w.tour.category, "brandId": w.tour.brand,
			"detail": `<p onclick="x()">Fine.</p><script>alert(1)</script>`, "isOnSale": true, "counterPrice": "80.00",
		},
		"specifications": []fields{spec("small"), spec("large")},
		"products":       []fields{item(0, "small", "50.00", 20), item(1, "large", "60.00", 20)},
		"attributes":     []fields{{"attribute": "made by", "value": "the walk"}},
	}
}

func (w *walk) makeGoods(s *step) {
	body, path := w.allInOne(), "/admin/goods/create"
	s.post(w.super, path, fields{"goods": body["goods"]}).fails(401)
	w.tour.goods = s.post(w.super, path, body).ok().at("id").integer()
	s.later("/admin/goods/delete", fields{"id": w.tour.goods})
	s.post(w.super, path, body).fails(611)
	data := s.get(w.super, "/admin/goods/detail", "id", w.tour.goods).ok()
	equal(s, data.ex, "retailPrice", 50_00, data.at("goods").shape(staffGoods).at("retailPrice").money())
	data.at("specifications").each(specShape)
	data.at("attributes").each(attribute)
	for _, p := range data.at("products").each(productShape) {
		equal(s, data.ex, p.path+".stockBase", p.at("number").integer(), p.at("stockBase").integer())
	}
	equal(s, data.ex, "categoryIds", 2, len(data.at("categoryIds").list()))
}

// changeGoods raises a price and adds pieces while one is sold, so that the sale is not lost.
func (w *walk) changeGoods(s *step) {
	s.need(w.second != nil, "shopper")
	path := "/admin/goods/update"
	sh := w.second
	s.emptyCart(sh)
	order := s.ordered(s.submit(sh, s.fast(sh, w.tour.product, 1), -1, nil))
	body := func(row fields) fields {
		row["id"], row["updateTime"], row["specifications"] = w.tour.product.id, "", []string{"small"}
		return fields{"goods": fields{"id": w.tour.goods}, "products": []fields{row}}
	}
	s.post(w.super, path, body(fields{"price": "45.50", "number": 25, "stockBase": 20})).none()
	s.post(w.super, path, body(fields{"price": "45.50", "number": 0, "stockBase": 25})).fails(504)
	s.post(w.super, path, fields{"goods": fields{"id": missing}}).fails(505)
	s.post(w.super, path, fields{"goods": fields{"name": "x"}}).fails(401)
	s.waitNumber(w.guest, w.tour.product, 24)
	equal(s, s.last, "price at the storefront", 45_50, s.ware(w.guest, w.tour.goods).price)
	s.post(sh.agent, "/wx/order/cancel", fields{"orderId": order}).none()
	s.waitNumber(w.guest, w.tour.product, 25)
}

// offered plays a groupon offer on the new goods.
func (w *walk) offered(s *step) {
	path := "/admin/groupon"
	end := time.Now().Add(48 * time.Hour).Format(time.DateTime)
	body := fields{"goodsId": w.tour.goods, "discount": 5, "discountMember": 2, "expireTime": end}
	s.post(w.super, path+"/create", fields{"goodsId": w.tour.goods, "discount": 5}).fails(401)
	rule := s.makes("groupon", body).shape(grouponRule)
	id := rule.at("id").integer()
	equal(s, rule.ex, "expireTime", end, rule.at("expireTime").text())
	if again := s.post(w.super, path+"/create", body); again.errno == 0 {
		s.failf(again.ex, "a second offer on the same goods")
	}
	list := s.get(w.super, path+"/list", "goodsId", w.tour.goods).page()
	equal(s, list.ex, "offers on the goods", 1, len(list.each(grouponRule)))
	changed := s.post(w.super, path+"/update", fields{"id": id, "discount": 7}).ok().shape(grouponRule)
	equal(s, changed.ex, "discount", 7, changed.at("discount").integer())
	equal(s, changed.ex, "discountMember that was not sent", 2, changed.at("discountMember").integer())
	shown := s.get(w.guest, "/wx/groupon/query", "goodsId", w.tour.goods).ok().each(grouponRule)
	equal(s, s.last, "offers at the storefront", 1, len(shown))
	for range 2 {
		s.post(w.super, path+"/delete", fields{"id": id}).none()
	}
	equal(s, s.last, "offers at the storefront after the end", 0,
		len(s.get(w.guest, "/wx/groupon/query", "goodsId", w.tour.goods).ok().list()))
}
