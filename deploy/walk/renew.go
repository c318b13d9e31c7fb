package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// coded waits for the code that was sent to a mobile.
func (s *step) coded(mobile string) (code string) {
	within(5*time.Second, func() bool { code = readCode(s.w.options.messages, mobile); return code != "" })
	if code == "" {
		s.fatalf(nil, "no code for the mobile in the messages of the log sender within 5 s")
	}
	return code
}

// renewed plays a shopper who gets another mobile, and one who has forgotten his password. Both need a code.
func (w *walk) renewed(c *chapter) {
	c.step("another mobile, by a code that was sent there", func(s *step) {
		me, path := w.newcomer.agent, "/wx/auth/resetPhone"
		other := s.login(w.newcomer.username, w.options.password)
		mobile := fmt.Sprintf("138%08d", rand.IntN(100_000_000))
		s.post(w.guest, "/wx/auth/captcha", fields{"mobile": mobile, "type": "bind-mobile"}).fails(501)
		s.post(me, "/wx/auth/captcha", fields{"mobile": mobile}).fails(401)
		s.post(me, "/wx/auth/captcha", fields{"mobile": mobile, "type": "bind-mobile"}).none()
		body := fields{"mobile": mobile, "password": w.options.password, "code": s.coded(mobile)}
		wrong := fields{"mobile": mobile, "password": "not-this-one", "code": body["code"]}
		s.post(me, path, wrong).fails(700)
		s.post(me, path, body).none()
		info := s.get(me, "/wx/auth/info").ok()
		equal(s, info.ex, "mobile", mobile, info.at("mobile").text())
		s.get(other.agent, "/wx/auth/info").fails(501)
		s.post(me, path, body).fails(703)
	})
	c.try("a forgotten password, by a code", func(s *step) {
		old := s.login(fmt.Sprintf("demo%d", rand.IntN(demoShoppers)+1), w.options.password)
		mobile := s.get(old.agent, "/wx/auth/info").ok().at("mobile").text()
		s.post(w.guest, "/wx/auth/regCaptcha", fields{"mobile": mobile}).none()
		code := s.coded(mobile)
		body := fields{"mobile": mobile, "password": w.options.password, "code": otherCode(code)}
		s.post(w.guest, "/wx/auth/reset", body).fails(703)
		body["code"] = code
		s.post(w.guest, "/wx/auth/reset", body).none()
		s.get(old.agent, "/wx/auth/info").fails(501)
		s.login(old.username, w.options.password)
	})
}

// platform plays what needs the app platform, which a demo shop has not: every call is refused in the contract's words.
func (w *walk) platform(c *chapter) {
	c.try("without the app platform", func(s *step) {
		s.need(w.first != nil, "shopper")
		s.post(w.guest, "/wx/auth/login_by_weixin", fields{"code": "x", "userInfo": fields{}}).fails(503)
		s.post(w.first.agent, "/wx/auth/bindPhone", fields{"iv": "x", "encryptedData": "x"}).fails(503)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			ex := s.raw(w.guest, call{method: method, path: "/wx/msg/config", query: []any{"signature", "x"}})
			equal(s, ex, "answer to an unsigned call", "fail", string(ex.got))
		}
	})
}
