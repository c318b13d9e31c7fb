package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// enlist signs an operator in and checks what he is told about himself.
func (s *step) enlist(username string) agent {
	a := s.w.nobody
	a.name = username
	data := s.post(a, "/admin/auth/login", fields{
		"username": username, "password": s.w.options.password, "code": "from the console",
	}).ok().shape("adminInfo object, token text")
	data.at("adminInfo").shape("nickName text, avatar text")
	a.token = data.at("token").text()
	info := s.get(a, "/admin/auth/info").ok().shape("name text, avatar text, roles texts, perms texts")
	equal(s, info.ex, "name", username, info.at("name").text())
	if len(info.at("roles").texts()) == 0 || len(info.at("perms").texts()) == 0 {
		s.failf(info.ex, "roles and perms must not be empty")
	}
	return a
}

// staff signs the operators in who are not there yet.
func (w *walk) staff(s *step) {
	for name, a := range map[string]*agent{w.options.operator: &w.super, "clerk": &w.clerk, "goods": &w.catalog} {
		if a.token == "" {
			*a = s.enlist(name)
		}
	}
}

// guarded is an operation of the administration that needs a permission, with a request that changes nothing and
// answers with the errno where the permission is held.
type guarded struct {
	method, path string
	query        []any
	body         fields
	errno        int64
}

func guardedOperations() []guarded {
	return []guarded{
		{http.MethodGet, "/admin/order/list", nil, nil, 0},
		{http.MethodGet, "/admin/order/detail", []any{"id", missing}, nil, 402},
		{http.MethodPost, "/admin/order/ship", nil, fields{"orderId": missing, "shipChannel": "ZTO", "shipSn": "1"}, 402},
		{http.MethodPost, "/admin/order/refund", nil, fields{"orderId": missing, "refundMoney": "1.00"}, 402},
		{http.MethodPost, "/admin/order/reject", nil, fields{"orderId": missing}, 402},
		{http.MethodGet, "/admin/goods/list", []any{"limit", 2}, nil, 0},
	}
}

// call makes the request.
func (g guarded) call() call {
	c := call{method: g.method, path: g.path, query: g.query}
	if g.body != nil {
		c.body = g.body
	}
	return c
}

// permissions plays who may do what at the administration, and whose token counts where.
func (w *walk) permissions(c *chapter) {
	c.try("the picture of the login page", func(s *step) {
		data := s.get(w.nobody, "/admin/auth/kaptcha").ok()
		if !strings.HasPrefix(data.text(), "data:image/") {
			s.failf(data.ex, "expected a data URI of a picture")
		}
	})
	c.try("logins of staff that must be refused", func(s *step) {
		s.post(w.nobody, "/admin/auth/login", fields{"username": "nobody-here", "password": "whatever-1"}).fails(605)
		s.post(w.nobody, "/admin/auth/login", fields{"username": "super"}).fails(401)
		s.post(w.nobody, "/admin/auth/login", fields{"username": "", "password": "x"}).fails(401)
	})
	c.step("operators sign in", func(s *step) { w.staff(s) })
	c.try("the super operator holds everything", func(s *step) {
		info := s.get(w.super, "/admin/auth/info").ok()
		if got := info.at("perms").texts(); !slices.Equal(got, []string{"*"}) {
			s.failf(info.ex, `perms: expected exactly ["*"], got %v`, got)
		}
	})
	for _, who := range []struct {
		title string
		agent *agent
		ships bool
	}{
		{"the goods editor may not ship", &w.catalog, false},
		{"the order clerk may ship", &w.clerk, true},
	} {
		c.try(who.title, func(s *step) {
			info := s.get(*who.agent, "/admin/auth/info").ok()
			perms := info.at("perms").texts()
			equal(s, info.ex, "perms name the shipment", who.ships, slices.Contains(perms, "POST /admin/order/ship"))
			for _, g := range guardedOperations() {
				want := int64(506)
				if slices.Contains(perms, g.method+" "+g.path) {
					want = g.errno
				}
				s.send(*who.agent, g.call()).fails(want)
			}
		})
	}
	c.try("the super operator may do everything", func(s *step) {
		for _, g := range guardedOperations() {
			s.send(w.super, g.call()).fails(g.errno)
		}
	})
	c.try("lists of the administration", w.staffLists)
	c.try("tokens count only where they belong", w.tokens)
}

// staffLists checks paging as the console needs it: behind the last page comes the last page.
func (w *walk) staffLists(s *step) {
	for path, shape := range map[string]string{"/admin/order/list": staffOrderRow, "/admin/goods/list": staffGoods} {
		list := s.get(w.super, path, "limit", 3).page()
		list.each(shape)
		equal(s, list.ex, "limit", 3, list.limit)
		last := s.get(w.super, path, "limit", 3, "page", 1_000_000).page()
		equal(s, last.ex, "page behind the last", last.pages, last.page)
		if last.total > 0 && len(last.list) == 0 {
			s.failf(last.ex, "the last page is empty")
		}
		s.get(w.super, path, "limit", 10_001).fails(402)
		s.get(w.super, path, "sort", "ID").fails(402)
	}
	x := s.stock()[0]
	one := s.get(w.super, "/admin/goods/list", "goodsId", x.id, "name", "").page()
	if len(one.list) != 1 {
		s.fatalf(one.ex, "goods with the id %d: expected 1, got %d", x.id, len(one.list))
	}
	equal(s, one.ex, "id", x.id, one.list[0].at("id").integer())
	equal(s, one.ex, "name", x.name, one.list[0].at("name").text())
	named := s.get(w.super, "/admin/goods/list", "name", x.name).page()
	if !slices.Contains(idsOf(named.list), x.id) {
		s.failf(named.ex, "the goods %d is not found by its name", x.id)
	}
}

// tokens shows tokens of one audience to the other, none at all, and the names of headers that are aliases.
func (w *walk) tokens(s *step) {
	for _, g := range guardedOperations() {
		s.send(w.nobody, g.call()).fails(501)
	}
	s.get(w.nobody, "/admin/auth/info").fails(501)
	s.get(w.nobody, "/admin/no/such/path").fails(501)
	s.get(w.super, "/admin/no/such/path").fails(404)
	s.need(w.first != nil, "shopper")
	crossed := w.nobody
	crossed.name, crossed.token = "shopper among staff", w.first.token
	s.get(crossed, "/admin/order/list").fails(501)
	crossed.header = shopHeader
	s.get(crossed, "/admin/order/list").fails(501)
	crossed = w.guest
	crossed.name, crossed.token = "staff among shoppers", w.super.token
	s.get(crossed, "/wx/cart/index").fails(501)
	alias := w.first.agent
	alias.header = "X-Litemall-Token"
	s.get(alias, "/wx/cart/index").ok()
	alias = w.super
	alias.header = "X-Litemall-Admin-Token"
	s.get(alias, "/admin/auth/info").ok()
	both := w.super
	both.token = "wrong"
	s.send(both, call{method: http.MethodGet, path: "/admin/auth/info", header: map[string]string{
		"X-Litemall-Admin-Token": w.super.token,
	}}).fails(501)
	s.send(w.nobody, call{method: http.MethodGet, path: "/admin/auth/info", header: map[string]string{
		"Cookie": fmt.Sprintf("%s=%s; X-Litemall-Admin-Token=%s", staffHeader, w.super.token, w.super.token),
	}}).fails(501)
	empty := map[string]string{shopHeader: ""}
	s.send(w.guest, call{method: http.MethodGet, path: "/wx/cart/index", header: empty}).fails(501)
	wrong := w.guest
	wrong.token = "wrong"
	s.get(wrong, "/wx/home/index").ok()
	s.get(wrong, "/wx/cart/index").fails(501)
}
