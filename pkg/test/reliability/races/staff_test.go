package races

import (
	"fmt"

	"github.com/tidwall/gjson"

	"shop.internal/pkg/test/reliability/client"
)

// accounts are the entries of shoppers' accounts, which have sessions and passwords of their own.
func accounts() []entry {
	person := func(s *subject) { s.person() }
	given := func(s *subject) { s.gift(); s.person() }
	self := func(s *subject) client.Caller { return s.person().Caller }
	sent := func(s *subject, path string, who client.Caller, mobile string) string {
		body := client.Fields{"mobile": mobile, "type": "bind-mobile"}
		if _, err := who.Post(ctx, path, body); err != nil {
			return "000000" // one was sent a moment ago
		}
		return s.l.code(mobile)
	}
	// code keeps a code for the first request that uses it.
	code := func(s *subject, key string, make func() (mobile, code string)) client.Fields {
		if _, ok := s.records[key]; !ok {
			mobile, code := make()
			s.records[key] = gjson.Parse(fmt.Sprintf(`{"mobile":"%s","code":"%s"}`, mobile, code))
		}
		r := s.records[key]
		return client.Fields{"mobile": r.Get("mobile").String(), "code": r.Get("code").String(), "password": client.Password}
	}
	register := func(s *subject) any {
		body := code(s, "register", func() (string, string) {
			mobile := s.l.mobile()
			return mobile, sent(s, "/wx/auth/regCaptcha", guest(s), mobile)
		})
		body["username"] = s.l.name("u")
		return body
	}
	reset := func(s *subject) any {
		return code(s, "reset", func() (string, string) {
			return s.person().mobile, sent(s, "/wx/auth/regCaptcha", guest(s), s.person().mobile)
		})
	}
	move := func(s *subject) any {
		return code(s, "move", func() (string, string) {
			mobile := s.l.mobile()
			return mobile, sent(s, "/wx/auth/captcha", self(s), mobile)
		})
	}
	return []entry{
		{path: "/wx/auth/login", slow: true, prepare: person, who: guest, body: func(s *subject) any {
			return client.Fields{"username": s.person().name, "password": client.Password}
		}},
		{path: "/wx/auth/login_by_weixin", who: guest, body: fixed(client.Fields{"code": "x", "userInfo": client.Fields{}})},
		{path: "/wx/auth/bindPhone", body: fixed(client.Fields{"iv": "x", "encryptedData": "x"})},
		{path: "/wx/auth/logout", slow: true, prepare: person, who: self, body: fixed(client.Fields{})},
		{path: "/wx/auth/profile", body: func(s *subject) any { return client.Fields{"nickName": s.me.Name, "gender": 1} }},
		{path: "/wx/auth/captcha", body: func(s *subject) any {
			return client.Fields{"mobile": s.l.mobile(), "type": "bind-mobile"}
		}},
		{path: "/wx/auth/regCaptcha", who: guest, body: func(s *subject) any { return client.Fields{"mobile": s.l.mobile()} }},
		{path: "/wx/auth/register", slow: true, prepare: func(s *subject) { register(s) }, who: guest, body: register},
		{path: "/wx/auth/reset", slow: true, prepare: func(s *subject) { reset(s) }, who: guest, body: reset},
		{path: "/wx/auth/resetPhone", slow: true, prepare: func(s *subject) { move(s) }, who: self, body: move},
		{path: "/admin/couponuser/create", slow: true, prepare: given, body: func(s *subject) any {
			return client.Fields{"userId": s.person().id, "couponId": s.gift()}
		}},
		{path: "/admin/user/update", slow: true, prepare: person, body: func(s *subject) any {
			return client.Fields{"id": s.person().id, "nickname": s.l.name("n")}
		}},
	}
}

// goodsAndFiles are the entries of goods, files and settings.
func goodsAndFiles() []entry {
	product := func(s *subject) { s.product() }
	stored := func(s *subject) {
		if _, ok := s.records["storage"]; !ok {
			r := upload("b.png", picture())
			r.Method, r.Path = "POST", "/admin/storage/create"
			a, err := s.l.super.Repeat(ctx, r)
			must(err)
			s.records["storage"] = value(a.OK(r.Path, nil))
		}
	}
	edit := func(s *subject) any {
		g := s.product()
		return client.Fields{"goods": client.Fields{"id": g.ID}, "products": []client.Fields{{
			"id": g.Product, "specifications": []string{"one"}, "price": client.Amount(price), "number": pieces + 2, "stockBase": pieces, "updateTime": "",
		}}}
	}
	list := []entry{
		{path: "/admin/goods/create", money: true, body: func(s *subject) any { return s.goodsBody(3) }},
		{path: "/admin/goods/update", money: true, prepare: product, body: edit},
		{path: "/admin/goods/delete", money: true, prepare: product, body: func(s *subject) any {
			return client.Fields{"id": s.product().ID}
		}},
		{path: "/admin/goods/hot", prepare: product, body: func(s *subject) any {
			return client.Fields{"productId": s.product().Product, "hotMode": 1}
		}},
		{path: "/admin/goods/batch", money: true, prepare: product, body: func(s *subject) any {
			return client.Fields{"ids": []int64{s.product().ID}, "priceAmount": 1}
		}},
		{path: "/admin/goods/batch/check", prepare: product, body: func(s *subject) any {
			return client.Fields{"ids": []int64{s.product().ID}, "isHot": true}
		}},
		{path: "/admin/goods/import", raw: func(s *subject) client.Request { return upload("goods.csv", s.goodsFile()) }},
		{path: "/admin/goods/import/check", raw: func(s *subject) client.Request { return upload("goods.csv", s.goodsFile()) }},
		{path: "/admin/storage/create", raw: func(*subject) client.Request { return upload("b.png", picture()) }},
		{path: "/admin/storage/read", prepare: stored, body: func(s *subject) any { return client.Fields{"id": s.records["storage"].Get("id").Int()} }},
		{path: "/admin/storage/update", prepare: stored, body: func(s *subject) any {
			return client.Fields{"id": s.records["storage"].Get("id").Int(), "name": s.l.name("n") + ".png"}
		}},
		{path: "/admin/storage/delete", prepare: stored, body: func(s *subject) any {
			return client.Fields{"key": s.records["storage"].Get("key").String()}
		}},
	}
	for _, group := range []string{"mall", "express", "order", "wx"} {
		list = append(list, entry{path: "/admin/config/" + group, body: func(s *subject) any { return s.l.settings[group] }})
	}
	list = append(list, entry{
		path: "/admin/channel/update", body: fixed(client.Fields{"channels": []string{"sandbox", "stripe"}}),
	})
	list = append(list, entry{path: "/admin/message/test", body: fixed(client.Fields{"channel": "sms", "recipient": "none"})})
	return list
}

// rights are the entries of operators, roles and what operators are told.
func rights() []entry {
	staff := func(s *subject) { s.staff() }
	role := func(s *subject) { s.record("role") }
	told := func(s *subject) {
		if _, ok := s.records["told"]; !ok {
			title := s.record("notice").Get("title").String()
			s.records["told"] = value(s.l.super.Get(ctx, "/admin/profile/lsnotice", "title", title)).Get("list.0")
		}
	}
	receipt := func(s *subject) int64 { return s.records["told"].Get("id").Int() }
	one := func(s *subject) any { return client.Fields{"id": receipt(s)} }
	some := func(s *subject) any { return client.Fields{"ids": []int64{receipt(s)}} }
	return []entry{
		{path: "/admin/auth/login", slow: true, prepare: func(s *subject) { s.record("admin") }, body: func(s *subject) any {
			return client.Fields{"username": s.record("admin").Get("username").String(), "password": client.Password}
		}},
		{path: "/admin/auth/logout", slow: true, prepare: staff, who: (*subject).staff, body: fixed(client.Fields{})},
		{path: "/admin/profile/password", slow: true, prepare: staff, who: (*subject).staff, body: fixed(client.Fields{
			"oldPassword": client.Password, "newPassword": client.Password + "-2",
		})},
		{path: "/admin/profile/catnotice", prepare: told, body: func(s *subject) any { return client.Fields{"noticeId": s.id("notice")} }},
		{path: "/admin/profile/bcatnotice", prepare: told, body: some},
		{path: "/admin/profile/rmnotice", prepare: told, body: one},
		{path: "/admin/profile/brmnotice", prepare: told, body: some},
		{path: "/admin/profile/view/save", body: fixed(client.Fields{"page": "mall/order", "name": "all", "query": ""})},
		{path: "/admin/profile/view/drop", body: fixed(client.Fields{"id": 1})},
		{path: "/admin/audit/takeback", body: fixed(client.Fields{"id": 1})},
		{path: "/admin/books/check", body: fixed(client.Fields{})},
		{path: "/admin/access/view", prepare: role, body: func(s *subject) any { return client.Fields{"roleId": s.id("role")} }},
		{path: "/admin/role/permissions", prepare: role, body: func(s *subject) any {
			return client.Fields{"roleId": s.id("role"), "permissions": []string{"admin:ad:list", "admin:ad:read"}}
		}},
	}
}
