package main

import (
	"net/http"
	"strings"
)

// operation is an address of the shop, its method and who may call it.
type operation struct {
	method, path string
	token        bool
}

// shopOperations lists what the storefront offers on the way of a purchase.
func shopOperations() []operation {
	out := []operation{}
	add := func(method string, token bool, paths string) {
		for path := range strings.FieldsSeq(paths) {
			out = append(out, operation{method, "/wx/" + path, token})
		}
	}
	add(http.MethodPost, false, "auth/login auth/register auth/regCaptcha")
	add(http.MethodPost, true, "auth/profile cart/add cart/fastadd cart/update cart/checked cart/delete order/submit "+
		"order/cancel order/prepay order/confirm order/delete order/refund order/comment address/save address/delete "+
		"coupon/receive")
	add(http.MethodGet, false, "home/index catalog/index catalog/current catalog/all goods/list goods/detail "+
		"goods/related goods/category goods/count brand/list brand/detail cart/goodscount region/list coupon/list "+
		"comment/list comment/count")
	add(http.MethodGet, true, "auth/info cart/index cart/checkout order/list order/detail order/goods address/list "+
		"address/detail coupon/mylist coupon/selectlist")
	return out
}

// staffOperations lists what the administration offers for it.
func staffOperations() []operation {
	return []operation{
		{http.MethodPost, "/admin/auth/login", false},
		{http.MethodGet, "/admin/auth/info", true},
		{http.MethodGet, "/admin/order/list", true},
		{http.MethodGet, "/admin/order/detail", true},
		{http.MethodPost, "/admin/order/ship", true},
		{http.MethodPost, "/admin/order/refund", true},
		{http.MethodPost, "/admin/order/reject", true},
		{http.MethodGet, "/admin/goods/list", true},
	}
}

// badInput plays requests that no honest client sends: every answer is the envelope with the right code.
func (w *walk) badInput(c *chapter) {
	c.step("everybody is signed in", func(s *step) {
		s.need(w.first != nil, "shopper")
		w.staff(s)
	})
	c.try("wrong methods and unknown paths", func(s *step) {
		both := func(a agent, operations []operation) {
			for _, o := range operations {
				other := http.MethodPost
				if o.method == http.MethodPost {
					other = http.MethodGet
				}
				s.send(a, call{method: other, path: o.path}).fails(405)
				s.send(a, call{method: http.MethodDelete, path: o.path}).fails(405)
			}
		}
		both(w.first.agent, shopOperations())
		both(w.super, staffOperations())
		for _, path := range []string{"/wx/no/such/path", "/wx/goods/list/", "/wx/", "/wx/order"} {
			s.get(w.guest, path).fails(404)
		}
	})
	c.try("no token where one is needed", func(s *step) {
		for _, o := range shopOperations() {
			if o.token {
				s.send(w.guest, call{method: o.method, path: o.path, body: "{broken"}).fails(501)
			}
		}
		for _, o := range staffOperations() {
			if o.token {
				s.send(w.nobody, call{method: o.method, path: o.path, body: "{broken"}).fails(501)
			}
		}
	})
	c.try("a body that is too large", func(s *step) {
		large := func(size int) string { return `{"x":"` + strings.Repeat("a", size) + `"}` }
		w.bodies(s, large(2<<20), large(5<<20), http.StatusRequestEntityTooLarge)
	})
	c.try("10,000 nested brackets", func(s *step) {
		deep := strings.Repeat("[", 10_000)
		w.bodies(s, deep, deep, http.StatusOK)
		deep = `{"x":` + deep + strings.Repeat("]", 10_000) + `}`
		w.bodies(s, deep, deep, http.StatusOK)
	})
	c.try("bodies that are no JSON object", func(s *step) {
		for _, body := range []string{"[]", "null", `"text"`, "7", "{", `{"a":1}}`, "\x00", "<xml/>"} {
			w.bodies(s, body, body, http.StatusOK)
		}
	})
	c.try("bad pages and orders of lists", w.badPages)
	c.try("text where a number belongs, nothing where something belongs", w.badMembers)
	c.try("a forged payment notification", w.forged)
}

// bodies sends a body to every operation that takes one and expects 402.
func (w *walk) bodies(s *step, shop, staff string, status int) {
	send := func(a agent, operations []operation, body string) {
		for _, o := range operations {
			if o.method != http.MethodPost {
				continue
			}
			ans := s.post(a, o.path, body)
			ans.fails(402)
			equal(s, ans.ex, "HTTP status", status, ans.ex.status)
		}
	}
	send(w.first.agent, shopOperations(), shop)
	send(w.super, staffOperations(), staff)
}

// badPages sends what no list takes.
func (w *walk) badPages(s *step) {
	x := s.stock()[0]
	lists := []struct {
		agent agent
		path  string
		query []any
	}{
		{w.guest, "/wx/goods/list", nil},
		{w.guest, "/wx/goods/related", []any{"id", x.id}},
		{w.guest, "/wx/brand/list", nil},
		{w.guest, "/wx/coupon/list", nil},
		{w.guest, "/wx/comment/list", []any{"type", 0, "valueId", x.id}},
		{w.first.agent, "/wx/coupon/mylist", nil},
		{w.first.agent, "/wx/order/list", nil},
		{w.first.agent, "/wx/address/list", nil},
		{w.super, "/admin/order/list", nil},
		{w.super, "/admin/goods/list", nil},
	}
	bad := [][]any{
		{"limit", -1},
		{"limit", "abc"},
		{"limit", "1.5"},
		{"limit", "9999999999"},
		{"page", 0},
		{"page", -1},
		{"page", "x"},
		{"sort", "password"},
		{"sort", "id;drop table goods"},
		{"sort", "add_time,id"},
		{"order", "DESC"},
		{"order", "sideways"},
	}
	for _, l := range lists {
		for _, b := range bad {
			s.get(l.agent, l.path, append(append([]any{}, l.query...), b...)...).fails(402)
		}
		ans := s.get(l.agent, l.path, append(append([]any{}, l.query...), "page", "", "limit", "", "other", "x")...)
		ans.page()
	}
}

// badMembers sends requests in which one thing is wrong. The errno is behind each.
func (w *walk) badMembers(s *step) {
	me := w.first.agent
	reads := []struct {
		path  string
		query []any
		errno int64
	}{
		{"/wx/goods/list", []any{"brandId", "abc"}, 402},
		{"/wx/goods/list", []any{"categoryId", "1 or 1=1"}, 402},
		{"/wx/goods/list", []any{"isNew", "maybe"}, 402},
		{"/wx/goods/detail", []any{"id", "abc"}, 402},
		{"/wx/goods/detail", []any{"id", "9007199254740993"}, 402},
		{"/wx/goods/detail", []any{"id", ""}, 401},
		{"/wx/goods/related", []any{"id", "abc"}, 402},
		{"/wx/goods/category", []any{"id", "1e3"}, 402},
		{"/wx/catalog/current", []any{"id", "abc"}, 402},
		{"/wx/brand/detail", nil, 401},
		{"/wx/brand/detail", []any{"id", "abc"}, 402},
		{"/wx/brand/detail", []any{"id", missing}, 402},
		{"/wx/region/list", []any{"pid", "abc"}, 402},
		{"/wx/comment/list", []any{"type", "abc", "valueId", 1}, 402},
		{"/wx/comment/count", []any{"type", 0, "valueId", "abc"}, 402},
		{"/wx/cart/checkout", []any{"cartId", "abc"}, 402},
		{"/wx/cart/checkout", []any{"cartId", missing}, 402},
		{"/wx/cart/checkout", []any{"couponId", "abc"}, 402},
		{"/wx/cart/checkout", []any{"addressId", "abc"}, 402},
		{"/wx/coupon/mylist", []any{"status", "abc"}, 402},
		{"/wx/coupon/selectlist", []any{"cartId", "abc"}, 402},
		{"/wx/order/list", []any{"showType", 5}, 402},
		{"/wx/order/list", []any{"showType", "abc"}, 402},
		{"/wx/order/detail", nil, 401},
		{"/wx/order/detail", []any{"orderId", "abc"}, 402},
		{"/wx/order/goods", []any{"ogid", "abc"}, 402},
		{"/wx/order/goods", nil, 401},
		{"/wx/address/detail", nil, 401},
		{"/wx/address/detail", []any{"id", "abc"}, 402},
	}
	for _, r := range reads {
		s.get(me, r.path, r.query...).fails(r.errno)
	}
	for _, b := range badBodies() {
		s.post(me, b.path, b.body).fails(b.errno)
	}
	for _, b := range badStaffBodies() {
		s.post(w.super, b.path, b.body).fails(b.errno)
	}
	s.get(w.super, "/admin/order/detail").fails(401)
	s.get(w.super, "/admin/order/detail", "id", "abc").fails(402)
	s.get(w.super, "/admin/order/list", "orderStatusArray", "abc").fails(402)
	s.get(w.super, "/admin/order/list", "start", "yesterday").fails(402)
	s.get(w.super, "/admin/goods/list", "goodsId", "abc").fails(402)
}

// forged sends payment notifications that the platform did not sign.
func (w *walk) forged(s *step) {
	body := `{"id":"forged","create_time":"2026-01-01T00:00:00+08:00","event_type":"TRANSACTION.SUCCESS",` +
		`"resource_type":"encrypt-resource","resource":{"algorithm":"AEAD_AES_256_GCM","ciphertext":"AAAA",` +
		`"associated_data":"transaction","nonce":"000000000000"}}`
	signed := map[string]string{
		"Wechatpay-Timestamp": "1767196800", "Wechatpay-Nonce": "abc", "Wechatpay-Signature": "AAAA", "Wechatpay-Serial": "1",
	}
	for _, header := range []map[string]string{nil, signed} {
		for _, text := range []string{body, "", "{", strings.Repeat("[", 10_000), strings.Repeat("a", 100<<10)} {
			ex := s.raw(w.guest, call{method: http.MethodPost, path: "/wx/order/pay-notify", body: text, header: header})
			if ex.status < 400 || ex.status > 499 {
				s.failf(ex, "HTTP status of a forged notification: expected 4xx, got %d", ex.status)
			}
			answer := s.object(ex)
			answer.shape("code text, message text")
			if found := internals.FindString(answer.at("message").text()); found != "" {
				s.failf(ex, "the message names something internal: %q", found)
			}
		}
	}
}
