package main

import (
	"slices"
	"strconv"
	"strings"
)

// window plays what everybody sees before he buys: the home page, the categories, brands, coupons, regions.
func (w *walk) window(c *chapter) {
	c.try("home page", w.homePage)
	c.try("categories", w.categories)
	c.try("one category and its siblings", w.oneCategory)
	c.try("brands", func(s *step) {
		for _, brand := range s.all(w.guest, "/wx/brand/list", 3) {
			brand.shape(brandShape)
			s.see(brand)
			id := brand.at("id").integer()
			full := s.get(w.guest, "/wx/brand/detail", "id", id).ok().shape(brandFull)
			equal(s, full.ex, "id", id, full.at("id").integer())
			equal(s, full.ex, "name", brand.at("name").text(), full.at("name").text())
			equal(s, full.ex, "floorPrice", brand.at("floorPrice").money(), full.at("floorPrice").money())
		}
	})
	c.try("coupons on offer", func(s *step) {
		rows := s.all(w.guest, "/wx/coupon/list", 3)
		if len(rows) == 0 {
			s.fatalf(nil, "the shop offers no coupon")
		}
		for _, row := range rows {
			row.shape(couponShape)
			if row.at("days").integer() == 0 && (!row.has("startTime") || !row.has("endTime")) {
				s.failf(row.ex, "a coupon without days must have its dates")
			}
		}
	})
	c.try("regions", func(s *step) {
		provinces := s.regions(0)
		if len(provinces) == 0 {
			s.fatalf(nil, "no provinces")
		}
		cities := s.regions(provinces[0].at("id").integer())
		if len(cities) == 0 {
			s.fatalf(nil, "no cities in the first province")
		}
		s.regions(cities[0].at("id").integer())
	})
}

// regions reads the children of a region: a bare array in the order of their codes.
func (s *step) regions(parent int64) []value {
	rows := s.get(s.w.guest, "/wx/region/list", "pid", parent).ok().each(regionRow)
	for i, row := range rows {
		equal(s, row.ex, row.path+".pid", parent, row.at("pid").integer())
		if i > 0 && rows[i-1].at("code").integer() > row.at("code").integer() {
			s.failf(row.ex, "%s: the codes do not ascend", row.path)
		}
	}
	return rows
}

// homePage checks that every member of the home page is there, filled, and within its count.
func (w *walk) homePage(s *step) {
	data := s.get(w.guest, "/wx/home/index").ok()
	members := []struct {
		name, shape string
		most        int
	}{
		{"banner", bannerShape, 0},
		{"channel", channelShape, 0},
		{"couponList", couponShape, 3},
		{"newGoodsList", goodsSummary, 6},
		{"hotGoodsList", goodsSummary, 6},
		{"brandList", brandShape, 4},
		{"topicList", topicShape, 4},
		{"grouponList", grouponGoods, 5},
		{"floorGoodsList", floorShape, 4},
	}
	for _, m := range members {
		rows := data.at(m.name).each(m.shape)
		if len(rows) == 0 {
			s.failf(data.ex, "%s is empty in the demo shop", m.name)
		}
		if m.most > 0 && len(rows) > m.most {
			s.failf(data.ex, "%s: expected at most %d, got %d", m.name, m.most, len(rows))
		}
	}
	for _, row := range data.at("newGoodsList").list() {
		equal(s, data.ex, row.path+".isNew", true, row.at("isNew").truth())
	}
	for _, row := range data.at("hotGoodsList").list() {
		equal(s, data.ex, row.path+".isHot", true, row.at("isHot").truth())
	}
	for _, row := range data.at("banner").list() {
		equal(s, data.ex, row.path+".position", 1, row.at("position").integer())
		equal(s, data.ex, row.path+".enabled", true, row.at("enabled").truth())
	}
	for _, row := range data.at("grouponList").list() {
		want := max(0, row.at("retailPrice").money()-cents(row.at("grouponDiscount").integer())*100)
		equal(s, data.ex, row.path+".grouponPrice", want, row.at("grouponPrice").money())
	}
	for _, floor := range data.at("floorGoodsList").list() {
		if rows := floor.at("goodsList").each(goodsSummary); len(rows) > 4 {
			s.failf(data.ex, "%s: expected at most 4 goods, got %d", floor.path, len(rows))
		}
	}
	s.see(data)
}

// categories checks the tree of categories, which has two levels.
func (w *walk) categories(s *step) {
	index := s.get(w.guest, "/wx/catalog/index").ok()
	tops := index.at("categoryList").each(categoryShape)
	if len(tops) == 0 {
		s.fatalf(index.ex, "no categories")
	}
	firstID := tops[0].at("id").integer()
	equal(s, index.ex, "currentCategory without an id", firstID, index.at("currentCategory.id").integer())
	all := s.get(w.guest, "/wx/catalog/all").ok()
	equal(s, all.ex, "categories of both pages", len(tops), len(all.at("categoryList").each(categoryShape)))
	all.at("currentCategory").shape(categoryShape)
	all.at("currentSubCategory").each(categoryShape)
	for _, top := range tops {
		id := top.at("id").integer()
		equal(s, index.ex, top.path+".pid", 0, top.at("pid").integer())
		current := s.get(w.guest, "/wx/catalog/current", "id", id).ok()
		current.at("currentCategory").shape(categoryShape)
		equal(s, current.ex, "currentCategory.id", id, current.at("currentCategory.id").integer())
		ids := idsOf(current.at("currentSubCategory").each(categoryShape))
		for _, child := range current.at("currentSubCategory").list() {
			equal(s, current.ex, child.path+".pid", id, child.at("pid").integer())
		}
		listed := all.at("allList").at(strconv.FormatInt(id, 10))
		if !slices.Equal(ids, idsOf(listed.list())) {
			s.failf(all.ex, "allList and catalog/current differ in the children of %d", id)
		}
		again := s.get(w.guest, "/wx/catalog/index", "id", id).ok()
		if !slices.Equal(ids, idsOf(again.at("currentSubCategory").list())) {
			s.failf(again.ex, "catalog/index and catalog/current differ in the children of %d", id)
		}
	}
	s.see(index)
	s.get(w.guest, "/wx/catalog/current").fails(401)
	s.get(w.guest, "/wx/catalog/current", "id", missing).fails(402)
	s.get(w.guest, "/wx/catalog/index", "id", missing).fails(402)
}

// oneCategory checks the answer for a first-level and for a second-level category.
func (w *walk) oneCategory(s *step) {
	index := s.get(w.guest, "/wx/catalog/index").ok()
	top, children := index.at("currentCategory"), index.at("currentSubCategory").list()
	if len(children) == 0 {
		s.fatalf(index.ex, "the first category has no children")
	}
	want := idsOf(children)
	check := func(id, current int64) {
		data := s.get(w.guest, "/wx/goods/category", "id", id).ok()
		data.at("parentCategory").shape(categoryShape)
		equal(s, data.ex, "parentCategory", top.at("id").integer(), data.at("parentCategory.id").integer())
		equal(s, data.ex, "currentCategory", current, data.at("currentCategory").shape(categoryShape).at("id").integer())
		if got := idsOf(data.at("brotherCategory").each(categoryShape)); !slices.Equal(want, got) {
			s.failf(data.ex, "brotherCategory: expected %v, got %v", want, got)
		}
	}
	check(top.at("id").integer(), want[0])
	check(want[len(want)-1], want[len(want)-1])
	s.get(w.guest, "/wx/goods/category").fails(401)
	s.get(w.guest, "/wx/goods/category", "id", missing).fails(402)
}

// idsOf gives the ids of rows in their order.
func idsOf(rows []value) []int64 {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.at("id").integer()
	}
	return ids
}

// missing is an id that no row has.
const missing = int64(1_999_999_999)

// pictureAddresses gives some of the pictures seen, spread over all of them.
func (m *market) pictureAddresses(most int) []string {
	all := make([]string, 0, len(m.pictures))
	for address := range m.pictures {
		all = append(all, address)
	}
	slices.Sort(all)
	if len(all) <= most {
		return all
	}
	some := make([]string, 0, most)
	for i := range most {
		some = append(some, all[i*len(all)/most])
	}
	return some
}

// isPicture tells whether a content type is that of a picture.
func isPicture(contentType string) bool {
	return strings.HasPrefix(contentType, "image/")
}
