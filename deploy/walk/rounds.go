package main

import (
	"slices"
)

const (
	userShape = "id int, username text, gender int, birthday text|null, lastLoginTime time|null, lastLoginIp text, " +
		"userLevel int, nickname text, mobile text, avatar text, status int" + stamps
	staffRecord = "id int, orderId int, grouponId int, rulesId int, userId int, shareUrl text, creatorUserId int, " +
		"creatorUserTime time|null, status int" + stamps
)

// rounds plays what staff looks up about shoppers and the shop, and the small changes nobody else of the walk makes.
func (w *walk) rounds(c *chapter) {
	c.step("staff is there", func(s *step) { w.staff(s) })
	c.try("a shopper as staff sees him, changed and changed back", w.customer)
	c.try("what a shopper has left, as staff sees it", w.left)
	c.try("groups as staff sees them", func(s *step) {
		for _, g := range s.get(w.super, "/admin/groupon/listRecord", "limit", 5).page().each(
			"groupon object, subGroupons list, rules object|null, goods object|null") {
			g.at("groupon").shape(staffRecord)
			g.at("subGroupons").each(staffRecord)
		}
	})
	c.try("regions, parcel services, categories to choose", func(s *step) {
		for _, province := range s.get(w.super, "/admin/region/list", "limit", 3).page().each(
			"id int, name text, type int, code int, children list") {
			province.at("children").each("id int, name text, type int, code int, children list")
		}
		provinces := s.get(w.super, "/admin/region/clist", "id", 0).page().each(regionRow)
		s.need(len(provinces) > 0, "province")
		s.get(w.super, "/admin/region/clist", "id", provinces[0].at("id").integer()).page().each(regionRow)
		services := s.get(w.super, "/admin/order/channel").ok().each("code text, name text")
		equal(s, s.last, "some parcel services", true, len(services) > 0)
		s.get(w.super, "/admin/category/l1").page().each("value int, label text")
		s.get(w.super, "/admin/category/list").page().each("id int, name text, level text, pid int, children list")
		first := s.get(w.guest, "/wx/catalog/getfirstcategory").ok().each(categoryShape)
		s.need(len(first) > 0, "category")
		s.get(w.guest, "/wx/catalog/getsecondcategory", "id", first[0].at("id").integer()).ok().each(categoryShape)
	})
	c.try("settings, written as they are", func(s *step) {
		for _, group := range []string{"mall", "order", "wx"} {
			path := "/admin/config/" + group
			s.post(w.super, path, s.get(w.super, path).ok().object()).none()
			s.post(w.super, path, fields{"litemall_" + group + "_no_such": "1"}).fails(402)
		}
	})
	c.try("a comment without an order, taken away by staff", func(s *step) {
		s.need(w.first != nil, "shopper")
		goods, words := s.stock()[0].id, w.mark("seen ")
		body := fields{"type": 0, "valueId": goods, "content": words, "star": 4, "hasPicture": false}
		id := s.post(w.first.agent, "/wx/comment/post", body).ok().at("id").integer()
		list := s.get(w.super, "/admin/comment/list", "valueId", goods, "limit", 1).page()
		rows := list.each("id int, userId int, valueId int, content text, star int" + stamps)
		if len(rows) != 1 || rows[0].at("id").integer() != id {
			s.fatalf(list.ex, "expected the comment %d first", id)
		}
		s.post(w.super, "/admin/comment/delete", fields{"id": id}).none()
	})
	c.try("addresses of the console that only tell", func(s *step) {
		s.get(w.nobody, "/admin/auth/index").none()
		s.get(w.nobody, "/admin/index/index").ok().text()
		s.get(w.nobody, "/admin/auth/401").fails(501)
		s.get(w.nobody, "/admin/auth/403").fails(506)
	})
}

// customer changes a shopper and changes him back; staff closes the account of nobody here.
func (w *walk) customer(s *step) {
	s.need(w.first != nil, "shopper")
	list := s.get(w.super, "/admin/user/list", "username", w.first.username).page()
	rows := list.each(userShape)
	at := slices.IndexFunc(rows, func(v value) bool { return v.at("username").text() == w.first.username })
	if at < 0 {
		s.fatalf(list.ex, "the shopper %s is not in the list", w.first.username)
	}
	id, path := rows[at].at("id").integer(), "/admin/user/update"
	before := s.get(w.super, "/admin/user/detail", "id", id).ok().shape(userShape).at("nickname").text()
	s.post(w.super, path, fields{"id": id, "userLevel": 3}).fails(402)
	s.post(w.super, path, fields{"id": id, "mobile": "12345"}).fails(632)
	s.post(w.super, path, fields{"id": missing, "nickname": "x"}).fails(505)
	name := w.mark("renamed ")
	equal(s, s.last, "data", 1, s.post(w.super, path, fields{"id": id, "nickname": name}).ok().integer())
	equal(s, s.last, "nickname", name, s.get(w.first.agent, "/wx/auth/info").ok().at("nickName").text())
	s.post(w.super, path, fields{"id": id, "nickname": before}).ok()
	found := false
	for _, row := range s.rows("/admin/user/export", "username", w.first.username) {
		found = found || slices.Contains(row, w.first.username)
	}
	equal(s, s.last, "the file names the shopper", true, found)
}

// left lists what shoppers leave, which staff sees and does not change.
func (w *walk) left(s *step) {
	for path, shape := range map[string]string{
		"/admin/address/list": "id int, name text, userId int, province text, city text, county text, " +
			"addressDetail text, areaCode text, postalCode text|null, tel text, isDefault bool",
		"/admin/collect/list":   "id int, userId int, valueId int, type int",
		"/admin/footprint/list": "id int, userId int, goodsId int",
		"/admin/history/list":   "id int, userId int, keyword text, from text",
		"/admin/feedback/list": "id int, userId int, username text, mobile text, feedType text, content text, " +
			"status int, hasPicture bool, picUrls texts",
	} {
		list := s.get(w.super, path, "limit", 4).page()
		for _, row := range list.each(shape + stamps) {
			mine := s.get(w.super, path, "userId", row.at("userId").integer(), "limit", 1).page()
			equal(s, mine.ex, "userId", row.at("userId").integer(), mine.list[0].at("userId").integer())
		}
		s.get(w.super, path, "userId", "x").fails(402)
	}
}
