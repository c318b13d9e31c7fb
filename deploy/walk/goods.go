package main

import (
	"net/http"
	"slices"
	"strings"
)

// goodsLists plays the list of goods with every filter, keyword, order and page.
func (w *walk) goodsLists(c *chapter) {
	c.try("goods list, all pages", func(s *step) {
		total := s.get(w.guest, "/wx/goods/list", "limit", 1).page().total
		rows := s.all(w.guest, "/wx/goods/list", max(7, int(total)/10))
		for _, row := range rows {
			row.shape(goodsSummary)
		}
		counted := s.get(w.guest, "/wx/goods/count").ok()
		equal(s, counted.ex, "goods/count against the rows counted", int64(len(rows)), counted.integer())
	})
	c.try("goods list, every filter", w.filters)
	c.try("goods list, keywords", w.keywords)
	c.try("goods list, every order", w.orders)
	c.try("goods list, edges of the pages", func(s *step) {
		list := s.get(w.guest, "/wx/goods/list").page()
		equal(s, list.ex, "limit by default", 10, list.limit)
		equal(s, list.ex, "page by default", 1, list.page)
		list = s.get(w.guest, "/wx/goods/list", "limit", 1001).page()
		equal(s, list.ex, "limit above the most", 1000, list.limit)
		list = s.get(w.guest, "/wx/goods/list", "limit", 0).page()
		equal(s, list.ex, "limit 0", 1000, list.limit)
		list = s.get(w.guest, "/wx/goods/list", "page", 100_000).page()
		equal(s, list.ex, "a page behind the last", 100_000, list.page)
		equal(s, list.ex, "rows behind the last page", 0, len(list.list))
		list = s.get(w.guest, "/wx/goods/list", "page", "", "limit", "undefined", "brandId", "null", "isNew", "NaN").page()
		equal(s, list.ex, "limit where the text means absent", 10, list.limit)
	})
}

// narrowed asks for a filtered list and compares it with what the catalogue says.
func (w *walk) narrowed(s *step, match func(ware) bool, query ...any) {
	wares := s.stock()
	query = append(query, "limit", 1000, "sort", "id", "order", "asc")
	a := s.get(w.guest, "/wx/goods/list", query...)
	list := a.page()
	list.each(goodsSummary)
	filter := a.data.at("filterCategoryList").each(categoryShape)
	for _, category := range filter {
		if category.at("pid").integer() == 0 {
			s.failf(a.ex, "%s: only second-level categories belong here", category.path)
		}
	}
	want, known := []int64{}, map[int64]bool{}
	for _, x := range wares {
		known[x.id] = true
		if match(x) {
			want = append(want, x.id)
		}
	}
	got := idsOf(list.list)
	if !w.whole {
		got = slices.DeleteFunc(got, func(id int64) bool { return !known[id] })
	}
	slices.Sort(want)
	if (w.whole || list.total <= list.limit) && !slices.Equal(want, got) {
		s.failf(a.ex, "goods by %v: expected the ids %v, got %v", query, want, got)
	}
}

// filterCategories gives the ids of filterCategoryList without repetition, in order.
func (w *walk) filterCategories(s *step, query ...any) []int64 {
	a := s.get(w.guest, "/wx/goods/list", query...)
	a.page()
	ids := idsOf(a.data.at("filterCategoryList").list())
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		s.failf(a.ex, "filterCategoryList names a category twice")
	}
	return ids
}

// filters narrows the list by each filter alone and by several together.
func (w *walk) filters(s *step) {
	x := s.stock()[0]
	w.narrowed(s, func(g ware) bool { return g.isNew }, "isNew", true)
	w.narrowed(s, func(g ware) bool { return !g.isNew }, "isNew", "false")
	w.narrowed(s, func(g ware) bool { return g.isHot }, "isHot", 1)
	w.narrowed(s, func(g ware) bool { return !g.isHot }, "isHot", "FALSE")
	w.narrowed(s, func(g ware) bool { return g.category == x.category }, "categoryId", x.category)
	w.narrowed(s, func(ware) bool { return true }, "categoryId", 0, "brandId", 0, "keyword", " ")
	w.narrowed(s, func(ware) bool { return false }, "categoryId", missing)
	for _, g := range s.stock() {
		if g.brand != 0 {
			x = g
			break
		}
	}
	w.narrowed(s, func(g ware) bool { return g.brand == x.brand || x.brand == 0 }, "brandId", x.brand)
	w.narrowed(s, func(g ware) bool { return g.isNew == x.isNew && g.category == x.category }, "isNew", x.isNew,
		"categoryId", x.category)
	if !w.whole {
		return
	}
	want := []int64{}
	for _, g := range s.stock() {
		want = append(want, g.category)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	for _, got := range [][]int64{w.filterCategories(s), w.filterCategories(s, "categoryId", x.category)} {
		if !slices.Equal(want, got) {
			s.failf(nil, "filterCategoryList (categoryId ignored): expected %v, got %v", want, got)
		}
	}
	if got := w.filterCategories(s, "keyword", "no goods has this name"); len(got) > 0 {
		s.failf(nil, "filterCategoryList of no goods: expected none, got %v", got)
	}
}

// keywords searches names and keywords; wildcards of the database mean themselves.
func (w *walk) keywords(s *step) {
	x := s.stock()[len(s.stock())/2]
	contains := func(text string) func(ware) bool {
		text = strings.ToLower(text)
		return func(g ware) bool {
			return strings.Contains(strings.ToLower(g.name), text) || strings.Contains(strings.ToLower(g.keywords), text)
		}
	}
	words := []string{x.name, strings.ToUpper(x.name), "%", "_", `\`, "'", "no goods has this name"}
	if runes := []rune(x.name); len(runes) > 2 {
		words = append(words, string(runes[1:3]))
	}
	if word, _, _ := strings.Cut(x.keywords, ","); strings.TrimSpace(word) != "" {
		words = append(words, strings.TrimSpace(word))
	}
	for _, word := range words {
		if strings.TrimSpace(word) == word {
			w.narrowed(s, contains(word), "keyword", word)
		}
	}
}

// orders sorts the list by each word that is allowed.
func (w *walk) orders(s *step) {
	for _, order := range []string{"asc", "desc"} {
		for _, sort := range []string{"add_time", "id", "retail_price", "name", "RETAIL_PRICE"} {
			list := s.get(w.guest, "/wx/goods/list", "sort", sort, "order", order, "limit", 50).page()
			for i := 1; i < len(list.list); i++ {
				before, here := list.list[i-1], list.list[i]
				if order == "desc" {
					before, here = here, before
				}
				byPrice := before.at("retailPrice").money() > here.at("retailPrice").money()
				byID := before.at("id").integer() > here.at("id").integer()
				if sort == "id" && byID || strings.EqualFold(sort, "retail_price") && byPrice {
					s.failf(list.ex, "%s: not in the order %s %s", list.list[i].path, sort, order)
				}
			}
		}
	}
}

const detailMembers = "info object, specificationList list, productList list, attribute list, issue list, " +
	"comment object, groupon list, brand object, userHasCollect int, shareImage text, share bool"

// goodsPages plays the page of one goods, its neighbours, its comments, and loads pictures.
func (w *walk) goodsPages(c *chapter) {
	c.try("goods detail", w.goodsDetail)
	c.try("related goods", func(s *step) {
		x := s.stock()[0]
		list := s.get(w.guest, "/wx/goods/related", "id", x.id).page()
		equal(s, list.ex, "limit by default", 6, list.limit)
		known := map[int64]ware{}
		for _, g := range s.stock() {
			known[g.id] = g
		}
		for _, row := range list.each(goodsSummary) {
			id := row.at("id").integer()
			if g, ok := known[id]; id == x.id || ok && g.category != x.category {
				s.failf(list.ex, "%s: not another goods of the same category", row.path)
			}
		}
		s.get(w.guest, "/wx/goods/related").fails(401)
		s.get(w.guest, "/wx/goods/related", "id", missing).fails(712)
	})
	c.try("comments agree with their count", w.comments)
	c.try("pictures load", w.loadPictures)
}

// goodsDetail checks every member of the page of several goods.
func (w *walk) goodsDetail(s *step) {
	wares := s.stock()
	for i := 0; i < len(wares); i += max(1, len(wares)/8) {
		data := s.get(w.guest, "/wx/goods/detail", "id", wares[i].id).ok().shape(detailMembers)
		info := data.at("info").shape(goodsInfo)
		equal(s, data.ex, "info.isOnSale", true, info.at("isOnSale").truth())
		equal(s, data.ex, "userHasCollect of a guest", 0, data.at("userHasCollect").integer())
		groups := data.at("specificationList").each("name text, valueList list")
		for _, group := range groups {
			for _, choice := range group.at("valueList").each(specShape) {
				equal(s, data.ex, choice.path, group.at("name").text(), choice.at("specification").text())
			}
		}
		products := data.at("productList").each(productShape)
		if len(products) == 0 {
			s.failf(data.ex, "productList is empty")
		}
		for _, p := range products {
			w.specifications(s, p, groups)
		}
		data.at("attribute").each(attribute)
		if issues := data.at("issue").each(issueShape); len(issues) > 4 {
			s.failf(data.ex, "issue: expected at most 4, got %d", len(issues))
		}
		if brand := data.at("brand"); len(brand.object()) > 0 {
			brand.shape(brandFull)
		}
		newest := data.at("comment.data").each(commentDetail)
		count := data.at("comment.count").integer()
		equal(s, data.ex, "comments on the page", min(2, count), int64(len(newest)))
		s.see(data)
	}
	s.get(w.guest, "/wx/goods/detail").fails(401)
	s.get(w.guest, "/wx/goods/detail", "id", missing).fails(712)
}

// specifications checks that a product names one value of each group, in the order of the groups.
func (w *walk) specifications(s *step, p value, groups []value) {
	chosen := p.at("specifications").texts()
	equal(s, p.ex, p.path+".specifications", len(groups), len(chosen))
	for i := range min(len(groups), len(chosen)) {
		known := slices.ContainsFunc(groups[i].at("valueList").list(), func(v value) bool {
			return v.at("value").text() == chosen[i]
		})
		if !known {
			s.failf(p.ex, "%s: %q is no value of the group %q", p.path, chosen[i], groups[i].at("name").text())
		}
	}
}

// comments counts the comments of every goods and compares.
func (w *walk) comments(s *step) {
	some := false
	for _, x := range s.stock() {
		count := s.get(w.guest, "/wx/comment/count", "type", 0, "valueId", x.id).ok().shape("hasPicCount int, allCount int")
		all := s.get(w.guest, "/wx/comment/list", "type", 0, "valueId", x.id).page()
		equal(s, all.ex, "total of all comments", count.at("allCount").integer(), all.total)
		if all.total == 0 {
			continue
		}
		some = true
		for _, row := range s.all(w.guest, "/wx/comment/list", 5, "type", 0, "valueId", x.id, "showType", 0) {
			row.shape(commentEntry).at("userInfo").shape("nickName text, avatarUrl text")
			s.see(row)
		}
		withPictures := s.all(w.guest, "/wx/comment/list", 5, "type", 0, "valueId", x.id, "showType", 1)
		equal(s, count.ex, "hasPicCount", int64(len(withPictures)), count.at("hasPicCount").integer())
		for _, row := range withPictures {
			if len(row.at("picList").texts()) == 0 {
				s.failf(row.ex, "%s: a comment with pictures has none", row.path)
			}
		}
	}
	if !some {
		s.failf(nil, "no goods of the demo shop has a comment")
	}
	s.get(w.guest, "/wx/comment/list", "type", 0).fails(401)
	s.get(w.guest, "/wx/comment/count", "valueId", 1).fails(401)
	s.get(w.guest, "/wx/comment/list", "type", 2, "valueId", 1).fails(402)
	s.get(w.guest, "/wx/comment/list", "type", 0, "valueId", 1, "showType", 2).fails(402)
}

// loadPictures loads pictures by the very addresses that the answers named.
func (w *walk) loadPictures(s *step) {
	addresses := w.pictureAddresses(60)
	if len(addresses) == 0 {
		s.fatalf(nil, "no answer named a picture")
	}
	for _, address := range addresses {
		ex := s.raw(agent{name: "guest", base: ""}, call{method: http.MethodGet, path: address})
		equal(s, ex, "HTTP status of a picture", http.StatusOK, ex.status)
		if !isPicture(ex.header.Get("Content-Type")) || len(ex.got) == 0 {
			s.failf(ex, "Content-Type of %d bytes: expected a picture, got %q", len(ex.got), ex.header.Get("Content-Type"))
		}
		equal(s, ex, "X-Content-Type-Options", "nosniff", ex.header.Get("X-Content-Type-Options"))
		if ex.header.Get("Cache-Control") == "" {
			s.failf(ex, "Cache-Control: expected a long one, got none")
		}
	}
	for _, key := range []string{"aaaaaaaaaaaaaaaaaaaaaaaaa.png", "..%2f..%2fetc%2fpasswd"} {
		ex := s.raw(w.guest, call{method: http.MethodGet, path: "/wx/storage/fetch/" + key})
		equal(s, ex, "HTTP status of an unknown picture", http.StatusNotFound, ex.status)
		if key[0] == 'a' {
			equal(s, ex, "bytes of an unknown picture", 0, len(ex.got))
		}
	}
}
