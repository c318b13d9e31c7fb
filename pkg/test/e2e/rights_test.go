package e2e

import "testing"

// An operator with few permissions loses one, changes the password, and is deleted.
func TestRights(t *testing.T) {
	s := begin(t, "rights: an operator loses a permission, changes the password, is deleted")
	super, name := s.super(), username()
	body := fields{"name": unique("e2e role"), "desc": "end-to-end test", "enabled": true}
	role := super.post("/admin/role/create", body).ok().Get("id").Int()
	grant := func(permissions ...string) {
		t.Helper()
		super.post("/admin/role/permissions", fields{"roleId": role, "permissions": permissions}).ok()
	}
	grant("admin:order:list", "admin:brand:list", "admin:brand:create")
	account := fields{"username": name, "password": password, "roleIds": []int64{role}}
	id := super.post("/admin/admin/create", account).ok().Get("id").Int()
	super.post("/admin/admin/create", account).fails(602)
	me := s.staff(name, password)

	// What the role grants, and nothing else.
	perms := me.get("/admin/auth/info").ok().Get("perms")
	equal(s, "operations", 3, len(perms.Array()))
	equal(s, "may list orders", true, perms.Get(`#(=="GET /admin/order/list")`).Exists())
	me.get("/admin/order/list", "limit", 1).ok()
	me.get("/admin/goods/list").fails(506)
	me.get("/admin/admin/list").fails(506)
	me.post("/admin/role/permissions", fields{"roleId": role, "permissions": []string{"admin:order:ship"}}).fails(506)

	// A revoked permission takes effect within a second.
	brand := func() int64 {
		return me.post("/admin/brand/create", fields{}).errno // 401: permitted, but a value is missing
	}
	equal(s, "errno of a brand without a name", 401, brand())
	grant("admin:order:list", "admin:brand:list")
	s.eventually("the permission is gone", func() bool { return brand() == 506 })
	me.get("/admin/brand/list").ok()

	// A new password ends the other sessions.
	other, fresh := s.staff(name, password), unique("another-one")
	me.post("/admin/profile/password", fields{"oldPassword": "not-this-one", "newPassword": fresh}).fails(605)
	me.post("/admin/profile/password", fields{"oldPassword": password, "newPassword": fresh}).ok()
	me.get("/admin/auth/info").ok()
	other.get("/admin/auth/info").fails(501)
	s.visitor().post("/admin/auth/login", fields{"username": name, "password": password}).fails(605)
	again := s.staff(name, fresh)
	again.post("/admin/auth/logout", fields{}).ok()
	again.get("/admin/auth/info").fails(501)

	// A deleted operator is logged out.
	super.post("/admin/role/delete", fields{"id": role}).fails(642)
	super.post("/admin/admin/delete", fields{"id": id}).ok()
	s.eventually("the token is refused", func() bool { return me.get("/admin/brand/list").errno == 501 })
	super.post("/admin/role/delete", fields{"id": role}).ok()
}

// A token opens one service only, until its owner logs out, and protected operations require one.
func TestTokens(t *testing.T) {
	s := begin(t, "tokens: each opens its own service until it is given back, none opens nothing")
	shopper := s.shopper()
	old := shopper.caller
	old.token = s.guest().post("/wx/auth/login", fields{"username": shopper.username, "password": password}).ok().
		Get("token").String()
	name := old.get("/wx/auth/info").ok().Get("nickName").String()
	old.post("/wx/auth/profile", fields{"nickName": name}).ok()
	old.post("/wx/auth/logout", fields{}).ok()
	old.get("/wx/auth/info").fails(501)
	shopper.get("/wx/auth/info").ok()

	s.visitor().get("/admin/order/list").fails(501)
	s.guest().get("/wx/cart/index").fails(501)
	crossed := s.visitor()
	crossed.name, crossed.token = "shopper among staff", shopper.token
	crossed.get("/admin/order/list").fails(501)
	crossed = s.guest()
	crossed.name, crossed.token = "operator among shoppers", s.super().token
	crossed.get("/wx/cart/index").fails(501)
	crossed.get("/wx/home/index").ok() // public operations ignore it
}
