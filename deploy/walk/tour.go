package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// A right that was taken away acts within a second; a slow machine gets some more.
const rightLag = 2500 * time.Millisecond

// made is something that the tour of the administration has made, with the call that takes it away again.
type made struct {
	path string
	body fields
}

// tour is what the chapters on the administration hand on to each other.
type tour struct {
	tag             string // names what this walk makes
	made            []made
	deputy          agent
	role, deputyID  int64
	brand, category int64
	goods           int64
	product         product
}

// mark names something so that no other walk has it.
func (w *walk) mark(what string) string {
	if w.tour.tag == "" {
		w.tour.tag = fmt.Sprintf("%06x", rand.IntN(1<<24))
	}
	return what + w.tour.tag
}

// makes creates something, sees to its end, and gives it.
func (s *step) makes(area string, body fields) value {
	base := "/admin/" + area
	row := s.post(s.w.super, base+"/create", body).ok()
	id := row.at("id").integer()
	s.later(base+"/delete", fields{"id": id})
	return row
}

// later notes how something is taken away when the walk ends.
func (s *step) later(path string, body fields) {
	s.w.tour.made = append(s.w.tour.made, made{path, body})
}

// gone takes something away, twice, and expects that it cannot be read any more.
func (s *step) gone(area string, id int64) {
	base := "/admin/" + area
	s.post(s.w.super, base+"/delete", fields{"id": id}).none()
	s.post(s.w.super, base+"/delete", fields{"id": id}).none()
	s.get(s.w.super, base+"/read", "id", id).fails(402)
}

// clear takes away what the tour has made, the last first. What is gone already is no failure.
func (w *walk) clear(c *chapter) {
	c.try("take away what staff has made", func(s *step) {
		slices.Reverse(w.tour.made)
		for _, m := range w.tour.made {
			a := s.post(w.super, m.path, m.body)
			equal(s, a.ex, "errno", 0, a.errno)
		}
	})
}

// deputy plays an operator with a few permissions, who then loses one.
func (w *walk) deputy(c *chapter) {
	held := []string{"admin:order:list", "admin:brand:list", "admin:brand:create"}
	grant := func(s *step, values ...string) {
		s.post(w.super, "/admin/role/permissions", fields{"roleId": w.tour.role, "permissions": values}).none()
	}
	c.step("make a role of a few permissions", func(s *step) { w.makeRole(s, held, grant) })
	c.step("make an operator with that role", func(s *step) { w.makeDeputy(s) })
	c.step("he sees and may do just that", func(s *step) {
		w.tour.deputy = s.enlist(w.mark("walk_"))
		info := s.get(w.tour.deputy, "/admin/auth/info").ok()
		perms := info.at("perms").texts()
		for _, operation := range []string{"GET /admin/order/list", "GET /admin/brand/list", "POST /admin/brand/create"} {
			equal(s, info.ex, "perms has "+operation, true, slices.Contains(perms, operation))
		}
		equal(s, info.ex, "operations in perms", len(held), len(perms))
		for _, g := range guardedOperations() {
			want := int64(506)
			if slices.Contains(perms, g.method+" "+g.path) {
				want = 0
			}
			s.send(w.tour.deputy, g.call()).fails(want)
		}
		s.get(w.tour.deputy, "/admin/admin/list").fails(506)
		s.post(w.tour.deputy, "/admin/role/permissions", fields{
			"roleId": w.tour.role, "permissions": append(slices.Clone(held), "admin:order:ship"),
		}).fails(506)
	})
	c.step("his role and he himself are looked up and changed", w.colleagues)
	c.step("he changes his password", w.ownPassword)
	c.step("a permission taken away acts in time", func(s *step) {
		s.post(w.tour.deputy, "/admin/brand/create", fields{}).fails(401)
		grant(s, held[:2]...)
		if !within(rightLag, func() bool {
			return s.post(w.tour.deputy, "/admin/brand/create", fields{}).errno == 506
		}) {
			s.fatalf(s.last, "the permission acts %s after it was taken away", rightLag)
		}
		s.get(w.tour.deputy, "/admin/brand/list").page()
	})
	c.step("an operator who is deleted is out", func(s *step) {
		s.post(w.super, "/admin/role/delete", fields{"id": w.tour.role}).fails(642)
		s.gone("admin", w.tour.deputyID)
		if !within(rightLag, func() bool { return s.get(w.tour.deputy, "/admin/brand/list").errno == 501 }) {
			s.fatalf(s.last, "the token of a deleted operator is good after %s", rightLag)
		}
		s.gone("role", w.tour.role)
	})
}

// makeRole makes a role and gives it its permissions.
func (w *walk) makeRole(s *step, held []string, grant func(*step, ...string)) {
	w.staff(s)
	body := fields{"name": w.mark("walk role "), "desc": "made by the walk", "enabled": true}
	row := s.makes("role", body).shape(roleShape)
	w.tour.role = row.at("id").integer()
	s.post(w.super, "/admin/role/create", body).fails(640)
	s.post(w.super, "/admin/role/create", fields{"name": " "}).fails(401)
	path := "/admin/role/permissions"
	s.post(w.super, path, fields{"roleId": w.tour.role, "permissions": []string{"*"}}).fails(641)
	s.post(w.super, path, fields{"roleId": w.tour.role, "permissions": []string{"admin:no:such"}}).fails(402)
	grant(s, held...)
	data := s.get(w.super, path, "roleId", w.tour.role).ok()
	got := data.at("assignedPermissions").texts()
	slices.Sort(got)
	want := slices.Sorted(slices.Values(held))
	if !slices.Equal(want, got) {
		s.failf(data.ex, "assignedPermissions: expected %v, got %v", want, got)
	}
	for _, top := range data.at("systemPermissions").each("id text, label text, children list") {
		for _, page := range top.at("children").each("id text, label text, children list") {
			page.at("children").each("id text, label text, api text, description text")
		}
	}
}

// makeDeputy makes the operator who has the role.
func (w *walk) makeDeputy(s *step) {
	name := w.mark("walk_")
	body := fields{"username": name, "password": w.options.password, "roleIds": []int64{w.tour.role}}
	row := s.makes("admin", body).shape(operatorShape)
	w.tour.deputyID = row.at("id").integer()
	equal(s, row.ex, "username", name, row.at("username").text())
	s.post(w.super, "/admin/admin/create", body).fails(602)
	s.post(w.super, "/admin/admin/create", fields{"username": "no", "password": w.options.password}).fails(601)
	s.post(w.super, "/admin/admin/create", fields{"username": name + "x", "password": "short"}).fails(602)
	list := s.get(w.super, "/admin/admin/list", "username", name).page()
	equal(s, list.ex, "operators of that name", 1, len(list.each(operatorShape)))
}

// colleagues looks the role and the operator of the deputy up, and changes them.
func (w *walk) colleagues(s *step) {
	role := w.tour.role
	s.get(w.super, "/admin/role/list", "name", w.mark("walk role ")).page().each(roleShape)
	s.get(w.super, "/admin/role/read", "id", role).ok().shape(roleShape)
	options := s.get(w.super, "/admin/role/options").page()
	names := []string{}
	for _, o := range options.each("value int, label text") {
		names = append(names, o.at("label").text())
	}
	equal(s, options.ex, "the role can be chosen", true, slices.Contains(names, w.mark("walk role ")))
	changed := s.post(w.super, "/admin/role/update", fields{"id": role, "desc": "changed by the walk"}).ok()
	equal(s, changed.shape(roleShape).ex, "desc", "changed by the walk", changed.at("desc").text())
	s.post(w.super, "/admin/role/update", fields{"id": role, "name": " "}).fails(401)
	s.get(w.super, "/admin/admin/read", "id", w.tour.deputyID).ok().shape(operatorShape)
	picture := s.stock()[0].products[0].picture
	after := s.post(w.super, "/admin/admin/update", fields{"id": w.tour.deputyID, "avatar": picture}).ok()
	after.shape(operatorShape)
	equal(s, after.ex, "avatar", picture, after.at("avatar").text())
	equal(s, after.ex, "roles that were not sent", 1, len(after.at("roleIds").list()))
}

// ownPassword lets the deputy change his password: his other session is over, the one that calls stays.
func (w *walk) ownPassword(s *step) {
	path, other := "/admin/profile/password", s.enlist(w.mark("walk_"))
	old, fresh := w.options.password, "another-one-"+w.mark("")
	s.post(w.tour.deputy, path, fields{"oldPassword": old}).fails(401)
	s.post(w.tour.deputy, path, fields{"oldPassword": "not-this-one", "newPassword": fresh}).fails(605)
	s.post(w.tour.deputy, path, fields{"oldPassword": old, "newPassword": "short"}).fails(602)
	s.post(w.tour.deputy, path, fields{"oldPassword": old, "newPassword": fresh}).none()
	s.get(w.tour.deputy, "/admin/auth/info").ok()
	s.get(other, "/admin/auth/info").fails(501)
	login := func(password string) answer {
		return s.post(w.nobody, "/admin/auth/login", fields{"username": w.mark("walk_"), "password": password})
	}
	login(old).fails(605)
	gone := other
	gone.token = login(fresh).ok().at("token").text()
	s.post(gone, "/admin/auth/logout", fields{}).none()
	s.get(gone, "/admin/auth/info").fails(501)
}
