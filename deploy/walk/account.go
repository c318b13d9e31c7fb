package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// shopper is a signed-in buyer and what the walk has made for him.
type shopper struct {
	agent

	username string
	address  int64
	made     []int64 // addresses to take away at the end
	home     fields  // the address that was his default before the walk
}

// party is everybody who takes part.
type party struct {
	guest, nobody         agent // at the storefront and at the administration, without a token
	newcomer              *shopper
	first, second         *shopper
	others                []*shopper // further demo shoppers, signed in when a chapter wants company
	super, clerk, catalog agent
}

// meet gives those who need no login their addresses.
func (w *walk) meet() {
	w.guest = agent{name: "guest", base: w.options.storefront, header: shopHeader}
	w.nobody = agent{name: "nobody", base: w.options.admin, header: staffHeader}
}

const (
	loginShape   = "userInfo object, token text"
	profileShape = "gender int, nickName text, mobile text, avatar text"
)

// login signs a shopper in.
func (s *step) login(username, password string) *shopper {
	data := s.post(s.w.guest, "/wx/auth/login", fields{"username": username, "password": password}).ok()
	return s.welcome(username, data)
}

// welcome reads what a login or a registration answers.
func (s *step) welcome(username string, data value) *shopper {
	data.shape(loginShape)
	data.at("userInfo").shape("nickName text, avatarUrl text")
	token := data.at("token").text()
	if len(token) < 43 {
		s.failf(nil, "the token has %d characters, too few for 256 random bits", len(token))
	}
	return &shopper{
		agent:    agent{name: username, base: s.w.guest.base, header: shopHeader, token: token},
		username: username,
	}
}

// register plays a new account from its code to its logout. It needs the file of the log sender.
func (w *walk) register(c *chapter) {
	if w.options.messages == "" {
		w.printf("      (registration is not walked: no -messages)\n")
		w.accountRefusals(c)
		return
	}
	username := fmt.Sprintf("walk%x", rand.Uint64())
	mobile := fmt.Sprintf("139%08d", rand.IntN(100_000_000))
	var code string
	c.step("ask for a registration code", func(s *step) {
		s.post(w.guest, "/wx/auth/regCaptcha", fields{"mobile": mobile}).none()
		s.post(w.guest, "/wx/auth/regCaptcha", fields{"mobile": mobile}).fails(702)
		code = s.coded(mobile)
	})
	body := func(name, word, tel, digits string) fields {
		return fields{"username": name, "password": word, "mobile": tel, "code": digits}
	}
	c.step("registrations that must be refused", func(s *step) {
		path, word := "/wx/auth/register", w.options.password
		s.post(w.guest, path, fields{"username": username, "password": word, "mobile": mobile}).fails(401)
		s.post(w.guest, path, body(username, "short", mobile, code)).fails(402)
		s.post(w.guest, path, body(username, word, "12345", code)).fails(707)
		s.post(w.guest, path, body(username, word, mobile, otherCode(code))).fails(703)
		s.post(w.guest, path, body("demo1", word, mobile, code)).fails(704)
	})
	c.step("register a shopper", func(s *step) {
		data := s.post(w.guest, "/wx/auth/register", body(username, w.options.password, mobile, code)).ok()
		w.newcomer = s.welcome(username, data)
		data = s.get(w.newcomer.agent, "/wx/auth/info").ok().shape(profileShape)
		equal(s, data.ex, "nickName of the new account", username, data.at("nickName").text())
		equal(s, data.ex, "mobile of the new account", mobile, data.at("mobile").text())
		s.post(w.guest, "/wx/auth/register", body(username+"x", w.options.password, mobile, code)).fails(703)
	})
	w.ownAccount(c, username, mobile)
	w.renewed(c)
	w.accountRefusals(c)
}

// ownAccount plays login and logout of the new account.
func (w *walk) ownAccount(c *chapter, username, mobile string) {
	c.step("sign in by name and by mobile", func(s *step) {
		byMobile := s.post(w.guest, "/wx/auth/login", fields{"mobile": mobile, "password": w.options.password}).ok()
		s.welcome(username, byMobile)
		w.newcomer = s.login(strings.ToUpper(username), w.options.password)
		s.post(w.guest, "/wx/auth/login", fields{"username": username, "password": "not-this-one"}).fails(700)
	})
	c.step("logout makes the token invalid", func(s *step) {
		old := w.newcomer.agent
		s.post(old, "/wx/auth/logout", fields{"username": username}).none()
		s.get(old, "/wx/auth/info").fails(501)
		s.post(old, "/wx/auth/logout", "").fails(501)
		w.newcomer = s.login(username, w.options.password)
	})
}

// accountRefusals plays logins that must be refused, all with one text.
func (w *walk) accountRefusals(c *chapter) {
	c.try("logins that must be refused", func(s *step) {
		name := fmt.Sprintf("nobody%x", rand.Uint64())
		s.post(w.guest, "/wx/auth/login", fields{"username": name, "password": "whatever-1"}).fails(700)
		s.post(w.guest, "/wx/auth/login", fields{"username": name}).fails(401)
		s.post(w.guest, "/wx/auth/login", fields{"password": "whatever-1"}).fails(401)
		s.post(w.guest, "/wx/auth/login", fields{"username": []int{1}, "password": "whatever-1"}).fails(402)
		s.post(w.guest, "/wx/auth/regCaptcha", fields{}).fails(401)
		s.post(w.guest, "/wx/auth/regCaptcha", fields{"mobile": "12345"}).fails(402)
		s.get(w.guest, "/wx/auth/info").fails(501)
	})
}

// readCode finds the newest code for a mobile in the file of the log sender. It answers nothing where there is none.
func readCode(file, mobile string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "" // not written yet: the caller asks again and reports in the end
	}
	return findCode(string(text), mobile)
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// findCode gives the six digits behind the mobile in the last line that names it, else those before it.
func findCode(text, mobile string) string {
	code := ""
	for line := range strings.Lines(text) {
		before, after, found := strings.Cut(line, mobile)
		if !found {
			continue
		}
		if code = sixDigits.FindString(after); code == "" {
			code = sixDigits.FindString(before)
		}
	}
	return code
}

// otherCode gives six digits that are not the code.
func otherCode(code string) string {
	n, err := strconv.Atoi(code)
	if err != nil {
		return "000000"
	}
	return fmt.Sprintf("%06d", (n+1)%1_000_000)
}

// signIn finds two shoppers who can play: the newcomer or the one named, and another.
func (w *walk) signIn(c *chapter) {
	c.step("sign in a shopper", func(s *step) {
		switch {
		case w.options.shopper != "":
			w.first = s.login(w.options.shopper, w.options.password)
		case w.newcomer != nil:
			w.first = w.newcomer
		default:
			w.first = s.anyShopper("")
		}
		me := s.get(w.first.agent, "/wx/auth/info").ok().shape(profileShape)
		if me.at("nickName").text() == "" {
			s.failf(me.ex, "nickName: expected a text")
		}
	})
	c.try("change the profile and back", w.profile)
	c.step("sign in a second shopper", func(s *step) {
		w.second = s.anyShopper(w.first.username)
	})
	c.step("both start with an empty cart", func(s *step) {
		for _, sh := range []*shopper{w.first, w.second} {
			s.emptyCart(sh)
		}
	})
}

// profile changes what the shopper shows of himself, and changes it back.
func (w *walk) profile(s *step) {
	me := w.first.agent
	read := func() value { return s.get(me, "/wx/auth/info").ok().shape(profileShape) }
	before := read()
	picture := s.get(w.guest, "/wx/goods/list", "limit", 1).page().list[0].at("picUrl").text()
	avatar := picture
	if old := before.at("avatar").text(); old != "" {
		avatar = old // blank text keeps the stored one, so an avatar that is there could not be taken away again
	}
	s.post(me, "/wx/auth/profile", fields{"nickName": "Walker", "gender": "2", "avatar": picture}).none()
	s.post(me, "/wx/auth/profile", fields{"nickName": " ", "gender": nil}).none()
	s.post(me, "/wx/auth/profile", fields{"gender": 3}).fails(402)
	after := read()
	equal(s, after.ex, "nickName", "Walker", after.at("nickName").text())
	equal(s, after.ex, "gender", 2, after.at("gender").integer())
	equal(s, after.ex, "avatar", picture, after.at("avatar").text())
	equal(s, after.ex, "mobile", before.at("mobile").text(), after.at("mobile").text())
	s.post(me, "/wx/auth/profile", fields{
		"nickname": before.at("nickName").text(), "gender": before.at("gender").integer(), "avatar": avatar,
	}).none()
	equal(s, after.ex, "nickName changed back", before.at("nickName").text(), read().at("nickName").text())
}

const (
	demoShoppers = 200
	candidates   = 40
)

// anyShopper signs in a random demo shopper who has or can still take a coupon that fits what the walk buys.
func (s *step) anyShopper(but string) *shopper {
	p := s.plenty()[0]
	for _, n := range rand.Perm(demoShoppers)[:candidates] {
		name := fmt.Sprintf("demo%d", n+1)
		if name == but {
			continue
		}
		sh := s.login(name, s.w.options.password)
		s.emptyCart(sh)
		if _, _, found := s.fitting(sh, p); found {
			return sh
		}
	}
	s.fatalf(nil, "none of %d demo shoppers can take a coupon that fits %q: the demo shop is used up", candidates, p.name)
	return nil
}

// company gives so many demo shoppers beside the first two, always the same ones first.
func (s *step) company(count int) []*shopper {
	w := s.w
	s.need(w.first != nil && w.second != nil, "shoppers")
	taken := map[string]bool{w.first.username: true, w.second.username: true}
	for _, sh := range w.others {
		taken[sh.username] = true
	}
	for _, n := range rand.Perm(demoShoppers) {
		if len(w.others) >= count {
			break
		}
		name := fmt.Sprintf("demo%d", n+1)
		if taken[name] {
			continue
		}
		sh := s.login(name, w.options.password)
		w.others = append(w.others, sh)
		s.emptyCart(sh)
	}
	return w.others[:count]
}

// leave takes away what the walk has made and signs everybody out.
func (w *walk) leave(c *chapter) {
	c.try("leave the demo shop tidy and sign out", func(s *step) {
		for _, sh := range append([]*shopper{w.first, w.second}, w.others...) {
			if sh == nil {
				continue
			}
			s.emptyCart(sh)
			for _, id := range sh.made {
				s.post(sh.agent, "/wx/address/delete", fields{"id": id}).none()
			}
			if sh.home != nil {
				s.post(sh.agent, "/wx/address/save", sh.home).ok()
			}
			s.post(sh.agent, "/wx/auth/logout", fields{}).none()
			s.get(sh.agent, "/wx/cart/index").fails(501)
		}
		for _, a := range []agent{w.super, w.clerk, w.catalog} {
			if a.token == "" {
				continue
			}
			s.post(a, "/admin/auth/logout", "").none()
			s.get(a, "/admin/auth/info").fails(501)
			s.post(a, "/admin/auth/logout", "").fails(501)
		}
	})
}
