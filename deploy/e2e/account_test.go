package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// code waits for the newest code that was sent to a mobile.
func (s *scenario) code(mobile string) (code string) {
	s.t.Helper()
	s.eventually("a code is sent to "+mobile, func() bool {
		sent, err := os.ReadFile(messages)
		if err != nil {
			return false
		}
		if at := strings.LastIndex(string(sent), mobile); at >= 0 {
			line, _, _ := strings.Cut(string(sent[at+len(mobile):]), "\n")
			code = sixDigits.FindString(line)
		}
		return code != ""
	})
	return code
}

// A new shopper registers, signs in by mobile and by name, changes profile and mobile, and signs out.
func TestAccount(t *testing.T) {
	s := begin(t, "account: registered by a code, profile and mobile changed")
	guest, name := s.guest(), fmt.Sprintf("e2e%x", rand.Uint64())
	first, second := fmt.Sprintf("139%08d", rand.IntN(1e8)), fmt.Sprintf("138%08d", rand.IntN(1e8))
	login := func(body fields) caller {
		t.Helper()
		me := guest
		me.name = name
		me.token = guest.post("/wx/auth/login", body).ok().Get("token").String()
		return me
	}

	guest.post("/wx/auth/regCaptcha", fields{"mobile": first}).ok()
	guest.post("/wx/auth/regCaptcha", fields{"mobile": first}).fails(702)
	account := fields{"username": name, "password": password, "mobile": first, "code": s.code(first)}
	guest.post("/wx/auth/register", account).ok()
	guest.post("/wx/auth/register", account).fails(703) // a code is valid once
	me := login(fields{"mobile": first, "password": password})
	equal(s, "mobile", first, me.get("/wx/auth/info").ok().Get("mobile").String())
	me.post("/wx/auth/profile", fields{"nickName": "Wanderer", "gender": 2}).ok()
	equal(s, "nickname", "Wanderer", me.get("/wx/auth/info").ok().Get("nickName").String())

	other := login(fields{"username": name, "password": password})
	me.post("/wx/auth/captcha", fields{"mobile": second, "type": "bind-mobile"}).ok()
	me.post("/wx/auth/resetPhone", fields{"mobile": second, "password": password, "code": s.code(second)}).ok()
	equal(s, "mobile", second, me.get("/wx/auth/info").ok().Get("mobile").String())
	other.get("/wx/auth/info").fails(501)

	me.post("/wx/auth/logout", fields{}).ok()
	me.get("/wx/auth/info").fails(501)
}

// A shopper who has forgotten the password sets a new one with a code; earlier sessions end.
func TestForgottenPassword(t *testing.T) {
	s := begin(t, "account: a forgotten password set anew by a code")
	me := s.shopper()
	mobile := me.get("/wx/auth/info").ok().Get("mobile").String()
	s.guest().post("/wx/auth/regCaptcha", fields{"mobile": mobile}).ok()
	body := fields{"mobile": mobile, "password": password, "code": s.code(mobile)}
	s.guest().post("/wx/auth/reset", body).ok()
	me.get("/wx/auth/info").fails(501)
	s.guest().post("/wx/auth/reset", body).fails(703) // a code is valid once
}
