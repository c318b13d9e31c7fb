package main

import (
	"slices"
	"strings"
	"time"
)

// board plays what staff shows and tells: coupons, banners, topics, questions, search words, notices.
func (w *walk) board(c *chapter) {
	c.step("staff is there", func(s *step) { w.staff(s) })
	c.try("a coupon with a code, exchanged by a shopper", w.coded)
	c.try("banners", w.banners)
	c.try("topics, cleaned of what can run", w.staffTopics)
	c.try("common questions and search words", func(s *step) {
		issue := s.makes("issue", fields{"question": w.mark("walk asks "), "answer": "The walk."}).shape(issueShape)
		s.alone("issue", "question", w.mark("walk asks "), issueShape)
		s.post(w.super, "/admin/issue/update", fields{"id": issue.at("id").integer(), "answer": " "}).fails(401)
		s.get(w.super, "/admin/issue/read", "id", issue.at("id").integer()).ok().shape(issueShape)
		better := s.post(w.super, "/admin/issue/update", fields{"id": issue.at("id").integer(), "answer": "Walk on."}).ok()
		equal(s, better.ex, "answer", "Walk on.", better.at("answer").text())
		s.gone("issue", issue.at("id").integer())
		word := s.makes("keyword", fields{"keyword": w.mark("walkword"), "isHot": true}).shape(keywordShape)
		s.alone("keyword", "keyword", w.mark("walkword"), keywordShape)
		found := s.get(w.guest, "/wx/search/helper", "keyword", w.mark("walkword")).ok()
		equal(s, found.ex, "the word is offered", true, slices.Contains(found.texts(), w.mark("walkword")))
		s.get(w.super, "/admin/keyword/read", "id", word.at("id").integer()).ok().shape(keywordShape)
		cool := fields{"id": word.at("id").integer(), "isHot": false}
		s.post(w.super, "/admin/keyword/update", cool).ok().shape(keywordShape)
		s.gone("keyword", word.at("id").integer())
	})
	c.try("a notice, read by an operator", w.notices)
	c.try("several notices at once", w.letters)
}

// alone expects one row in a list of staff.
func (s *step) alone(area, filter, text, shape string) {
	list := s.get(s.w.super, "/admin/"+area+"/list", filter, text).page()
	rows := list.each(shape)
	if len(rows) != 1 {
		s.fatalf(list.ex, "%s with %s %q: expected 1, got %d", area, filter, text, len(rows))
	}
}

func (w *walk) coded(s *step) {
	s.need(w.first != nil, "shopper")
	body := fields{"name": w.mark("walk coupon "), "type": 2, "total": 1, "discount": "3.00", "min": "10.00", "days": 3}
	row := s.makes("coupon", body).shape(staffCoupon)
	id, code := row.at("id").integer(), row.at("code").text()
	equal(s, row.ex, "length of the code", 8, len(code))
	s.post(w.first.agent, exchangePath, fields{"code": code}).none()
	s.post(w.second.agent, exchangePath, fields{"code": code}).fails(740)
	holders := s.get(w.super, "/admin/coupon/listuser", "couponId", id).page()
	equal(s, holders.ex, "holders", 1, len(holders.each("id int, userId int, couponId int, status int"+stamps)))
	equal(s, s.last, "holders in the file, and the header", 2, len(s.rows("/admin/coupon/export", "couponId", id)))
	s.post(w.super, "/admin/coupon/update", fields{"id": id, "discount": "-1"}).fails(402)
	s.post(w.super, "/admin/coupon/update", fields{"id": id, "tag": "walked"}).ok().shape(staffCoupon)
	s.get(w.super, "/admin/coupon/read", "id", id).ok().shape(staffCoupon)
	s.alone("coupon", "name", w.mark("walk coupon "), staffCoupon)
	s.gone("coupon", id)
	s.post(w.second.agent, exchangePath, fields{"code": code}).fails(742)
}

func (w *walk) banners(s *step) {
	picture := s.stock()[0].products[0].picture
	body := fields{"name": w.mark("walk banner "), "content": "made by the walk", "url": picture, "enabled": true}
	id := s.makes("ad", body).shape(staffBanner).at("id").integer()
	list := s.get(w.super, "/admin/ad/list", "name", w.mark("walk banner "))
	equal(s, list.ex, "banners of the list", 1, len(list.page().list))
	equal(s, list.ex, "items of the list", 1, len(list.data.at("items").each(staffBanner)))
	shown := func() bool {
		rows := s.get(w.guest, "/wx/home/index").ok().at("banner").list()
		return slices.Contains(idsOf(rows), id)
	}
	s.soon("the banner on the home page", shown)
	s.get(w.super, "/admin/ad/read", "id", id).ok().shape(staffBanner)
	off := s.post(w.super, "/admin/ad/update", fields{"id": id, "enabled": 0}).ok().shape(staffBanner)
	equal(s, off.ex, "enabled", false, off.at("enabled").truth())
	s.soon("the home page without the banner", func() bool { return !shown() })
	s.gone("ad", id)
}

func (w *walk) staffTopics(s *step) {
	x := s.stock()[0]
	row := s.makes("topic", fields{
		"title": w.mark("walk topic "), "price": "1.00", "goods": []int64{x.id, missing, x.id},
		"content": `<p>Read.</p><script>alert(1)</script><a href="javascript:x()">on</a>`,
	})
	id, content := row.at("id").integer(), row.at("content").text()
	if !strings.Contains(content, "<p>Read.</p>") || strings.Contains(content, "script") {
		s.failf(row.ex, "content: expected the text without what can run, got %q", content)
	}
	equal(s, row.ex, "goods that are there, once", 1, len(row.at("goods").list()))
	read := s.get(w.super, "/admin/topic/read", "id", id).ok()
	equal(s, read.ex, "goodsList", 1, len(read.at("goodsList").each(goodsSummary)))
	shown := s.get(w.guest, "/wx/topic/detail", "id", id).ok()
	equal(s, shown.ex, "content at the storefront", content, shown.at("topic.content").text())
	stale := fields{"id": id, "title": "x", "updateTime": "2001-01-01 00:00:00"}
	s.post(w.super, "/admin/topic/update", stale).fails(504)
	renamed := s.post(w.super, "/admin/topic/update", fields{"id": id, "subtitle": "walked"}).ok()
	equal(s, renamed.ex, "subtitle", "walked", renamed.at("subtitle").text())
	list := s.get(w.super, "/admin/topic/list", "title", w.mark("walk topic ")).page()
	equal(s, list.ex, "topics of this title", 1, len(list.list))
	s.post(w.super, "/admin/topic/batch-delete", fields{"ids": []int64{id, missing}}).none()
	s.get(w.super, "/admin/topic/read", "id", id).fails(402)
}

func (w *walk) notices(s *step) {
	title := w.mark("walk notice ")
	before := s.get(w.clerk, "/admin/profile/nnotice").ok().integer()
	id := s.makes("notice", fields{"title": title, "content": "<b>Hear.</b>"}).at("id").integer()
	s.post(w.super, "/admin/notice/update", fields{"id": id, "content": "<b>Hear.</b><script>x()</script>"}).ok()
	equal(s, s.last, "unread notices", before+1, s.get(w.clerk, "/admin/profile/nnotice").ok().integer())
	list := s.get(w.clerk, "/admin/profile/lsnotice", "title", title, "type", "unread").page()
	rows := list.each("id int, noticeId int, noticeTitle text, adminId int, readTime time|null" + stamps)
	if len(rows) != 1 {
		s.fatalf(list.ex, "unread notices of this title: expected 1, got %d", len(rows))
	}
	told := s.post(w.clerk, "/admin/profile/catnotice", fields{"noticeId": id}).ok()
	told.shape("title text, content text, time time, admin text, avatar text")
	equal(s, told.ex, "admin", w.super.name, told.at("admin").text())
	equal(s, told.ex, "content", "<b>Hear.</b>", told.at("content").text())
	equal(s, s.last, "unread notices after it was read", before, s.get(w.clerk, "/admin/profile/nnotice").ok().integer())
	s.post(w.super, "/admin/notice/update", fields{"id": id, "title": title + " more"}).fails(402)
	receipts := s.get(w.super, "/admin/notice/read", "id", id).ok()
	equal(s, receipts.ex, "a receipt for each operator", true, len(receipts.at("noticeAdminList").list()) >= 3)
	s.post(w.clerk, "/admin/profile/rmnotice", fields{"id": rows[0].at("id").integer()}).none()
	s.gone("notice", id)
}

// letters reads, and puts away, several notices at once.
func (w *walk) letters(s *step) {
	title := w.mark("walk letters ")
	ids, receipts := []int64{}, []int64{}
	for _, n := range []string{"1", "2"} {
		ids = append(ids, s.makes("notice", fields{"title": title + n, "content": n}).at("id").integer())
	}
	equal(s, s.last, "notices of the list", 2, len(s.get(w.super, "/admin/notice/list", "title", title).page().list))
	for _, row := range s.get(w.clerk, "/admin/profile/lsnotice", "title", title).page().list {
		receipts = append(receipts, row.at("id").integer())
	}
	unread := func() int64 { return s.get(w.clerk, "/admin/profile/nnotice").ok().integer() }
	before := unread()
	s.post(w.clerk, "/admin/profile/bcatnotice", fields{"ids": receipts}).none()
	equal(s, s.last, "unread notices", before-2, unread())
	s.post(w.clerk, "/admin/profile/brmnotice", fields{"ids": receipts}).none()
	equal(s, s.last, "notices left", 0, len(s.get(w.clerk, "/admin/profile/lsnotice", "title", title).page().list))
	s.post(w.super, "/admin/notice/batch-delete", fields{"ids": append(ids, missing)}).none()
	equal(s, s.last, "notices of the list", 0, len(s.get(w.super, "/admin/notice/list", "title", title).page().list))
}

// counter plays what staff does for shoppers by hand: money taken, orders put away, comments answered, freight, files.
func (w *walk) counter(c *chapter) {
	c.step("staff is there", func(s *step) { w.staff(s) })
	c.try("money taken by hand, the parcel, the reply to the comment", w.byHand)
	c.try("the freight of the settings counts, and is put back", w.newFreight)
	c.try("files of staff", w.staffFiles)
	c.try("settings, statistics, dashboard", w.figures)
	c.try("the log of operators tells of it", w.logged)
}

func (w *walk) byHand(s *step) {
	s.need(w.first != nil, "shopper")
	sh, p := w.first, s.plenty()[1]
	s.emptyCart(sh)
	id := s.ordered(s.submit(sh, s.fast(sh, p, 1), -1, nil))
	s.post(w.super, "/admin/order/delete", fields{"orderId": id}).fails(620)
	s.post(w.super, "/admin/order/pay", fields{"orderId": id}).fails(401)
	s.post(w.super, "/admin/order/pay", fields{"orderId": id, "newMoney": "-1"}).fails(402)
	s.post(w.super, "/admin/order/pay", fields{"orderId": id, "newMoney": "5.55"}).none()
	s.post(w.super, "/admin/order/pay", fields{"orderId": id, "newMoney": "5.55"}).fails(620)
	order := s.staffDetail(w.super, id).at("order")
	equal(s, order.ex, "actualPrice", 5_55, order.at("actualPrice").money())
	equal(s, order.ex, "payId names the operator", true, strings.HasPrefix(order.at("payId").text(), "offline-"))
	s.post(w.super, "/admin/order/ship", parcel(id)).none()
	s.post(sh.agent, "/wx/order/confirm", fields{"orderId": id}).none()
	line := s.get(sh.agent, "/wx/order/detail", "orderId", id).ok().at("orderGoods").list()[0].at("id").integer()
	words := w.mark("as expected ")
	s.post(sh.agent, "/wx/order/comment", fields{"orderGoodsId": line, "content": words, "star": 5}).none()
	comment := s.get(sh.agent, "/wx/order/goods", "ogid", line).ok().at("comment").integer()
	s.post(w.super, "/admin/order/reply", fields{"commentId": missing, "content": "x"}).fails(402)
	s.post(w.super, "/admin/order/reply", fields{"commentId": comment, "content": "Thank you."}).none()
	s.post(w.super, "/admin/order/reply", fields{"commentId": comment, "content": "Again."}).fails(622)
	list := s.get(w.guest, "/wx/comment/list", "type", 0, "valueId", p.goods, "limit", 1).page()
	equal(s, list.ex, "content of the newest comment", words, list.list[0].at("content").text())
	equal(s, list.ex, "reply", "Thank you.", list.list[0].at("adminContent").text())
	s.post(w.super, "/admin/comment/delete", fields{"id": comment}).none()
	s.post(w.super, "/admin/order/delete", fields{"orderId": id}).none()
	s.post(w.super, "/admin/order/delete", fields{"orderId": id}).fails(402)
	s.get(sh.agent, "/wx/order/detail", "orderId", id).fails(720)
	equal(s, s.last, "deleted", true, s.get(w.super, "/admin/order/detail", "id", id).ok().at("order.deleted").truth())
}

func (w *walk) newFreight(s *step) {
	s.need(w.second != nil, "shopper")
	path, key, sh := "/admin/config/express", "litemall_express_freight_value", w.second
	old := s.get(w.super, path).ok().at(key).text()
	s.post(w.super, path, fields{key: "much"}).fails(402)
	s.post(w.super, path, fields{"litemall_mall_name": "x"}).fails(402)
	s.post(w.super, path, fields{}).fails(401)
	s.emptyCart(sh)
	row := s.fast(sh, s.plenty()[0], 1)
	asked := func() cents {
		preview := s.get(sh.agent, "/wx/cart/checkout", "cartId", row, "addressId", s.addressOf(sh)).ok()
		return preview.at("freightPrice").money()
	}
	before := asked()
	s.later(path, fields{key: old})
	s.post(w.super, path, fields{key: "9.50"}).none()
	changed := within(pageLag, func() bool { return asked() == 9_50 })
	equal(s, s.last, "the new freight is asked for", true, changed)
	s.post(w.super, path, fields{key: old}).none()
	restored := within(pageLag, func() bool { return asked() == before })
	equal(s, s.last, "the old freight is asked for again", true, restored)
	s.emptyCart(sh)
}

func (w *walk) staffFiles(s *step) {
	c := s.form("file", "staff.png", "text/plain", s.picture())
	c.path = "/admin/storage/create"
	row := s.send(w.super, c).ok().shape(storedShape)
	key := row.at("key").text()
	s.later("/admin/storage/delete", fields{"key": key})
	w.loadUploaded(s, row.at("url").text())
	list := s.get(w.super, "/admin/storage/list", "key", key).page()
	equal(s, list.ex, "files of this key", 1, len(list.each(storedShape)))
	bad := s.form("file", "x.png", "image/png", []byte("<html><script>alert(1)</script></html>"))
	bad.path = c.path
	s.send(w.super, bad).fails(402)
	for _, method := range []string{"GET", "POST"} {
		s.send(w.super, call{method: method, path: "/admin/storage/read", query: []any{"id", row.at("id").integer()}}).ok().
			shape(storedShape)
	}
	named := s.post(w.super, "/admin/storage/update", fields{"id": row.at("id").integer(), "name": "new.png"}).ok()
	equal(s, named.ex, "name", "new.png", named.at("name").text())
	for range 2 {
		s.post(w.super, "/admin/storage/delete", fields{"key": key}).none()
	}
	equal(s, s.last, "files of a deleted key", 0, len(s.get(w.super, "/admin/storage/list", "key", key).page().list))
	if !within(15*time.Second, func() bool {
		return s.raw(w.guest, call{method: "GET", path: "/wx/storage/fetch/" + key}).status == 404
	}) {
		s.failf(s.last, "a deleted file is still served")
	}
}

func (w *walk) figures(s *step) {
	for _, group := range []string{"mall", "express", "order", "wx"} {
		settings := s.get(w.super, "/admin/config/"+group).ok()
		for key := range settings.object() {
			settings.at(key).text()
			equal(s, settings.ex, key+" is of its group", true, strings.HasPrefix(key, "litemall_"+group+"_"))
		}
	}
	for name, columns := range map[string]string{
		"user": "day users", "order": "day orders customers amount pcr", "goods": "day orders products amount",
	} {
		data := s.get(w.super, "/admin/stat/"+name).ok()
		equal(s, data.ex, "columns", columns, strings.Join(data.at("columns").texts(), " "))
		day := ""
		for _, row := range data.at("rows").list() {
			if next := row.at("day").text(); next <= day {
				s.failf(data.ex, "%s: the days do not ascend", row.path)
			} else {
				day = next
			}
		}
		equal(s, data.ex, "some days", true, day != "")
	}
	s.get(w.clerk, "/admin/dashboard").ok().shape("userTotal int, goodsTotal int, productTotal int, orderTotal int")
}

// logged expects what this walk did among the newest entries of the log.
func (w *walk) logged(s *step) {
	list := s.get(w.super, "/admin/log/list", "name", w.super.name, "limit", 100).page()
	seen := map[string]bool{}
	shape := "id int, admin text, ip text, type int, action text, status bool, result text, comment text" + stamps
	for _, row := range list.each(shape) {
		seen[row.at("action").text()] = true
	}
	for _, action := range []string{"收款", "删除", "回复评论", "修改配置", "删除文件"} {
		equal(s, list.ex, "the log tells of "+action, true, seen[action])
	}
}
