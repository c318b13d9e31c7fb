package auth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/notify"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/auth"
)

func TestCaptcha(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me, path := s.Shopper("lin"), "/wx/auth/captcha"
	me.POST(path, `{"mobile":"13900000001","type":"bind-mobile"}`).OK()
	require.Len(t, s.Domain.Messages.Code(mobile), 6)
	me.POST(path, `{"mobile":"13900000001","type":"change-password"}`).
		Fails(errno.AuthCaptchaFrequency)
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13900000001"}`).Fails(errno.AuthCaptchaFrequency)
	for body, want := range map[string]*errno.Code{
		``:                                    errno.Missing,
		`{"mobile":"13900000002"}`:            errno.Missing,
		`{"mobile":"13900000002","type":" "}`: errno.Missing,
		`{"type":"bind-mobile"}`:              errno.Missing,
		`{"mobile":"1390000000","type":"x"}`:  errno.Invalid,
		`{"mobile":"13900000002","type":"` + strings.Repeat("x", 32) + `"}`: errno.Invalid,
	} {
		me.POST(path, "%s", body).Fails(want)
	}
	s.Guest().POST(path, `{"mobile":"13900000002","type":"x"}`).Fails(errno.LoginRequired)
	s.Domain.Messages.Fail(notify.ErrUnsupported)
	me.POST(path, `{"mobile":"13900000003","type":"x"}`).Fails(errno.AuthCaptchaUnsupported)
}

// One address gets a limited number of codes, whoever asks and for whichever mobile.
func TestCodesOfOneAddress(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := s.Shopper("lin")
	for i := range 100 {
		me.POST("/wx/auth/captcha", `{"mobile":"139%08d","type":"x"}`, i).OK()
	}
	me.POST("/wx/auth/captcha", `{"mobile":"13800000000","type":"x"}`).Fails(errno.AuthCaptchaFrequency)
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13800000000"}`).Fails(errno.AuthCaptchaFrequency)
	// A forwarded address from an untrusted client does not count as another address.
	s.Guest().With("X-Forwarded-For", "198.51.100.7").With("X-Real-IP", "198.51.100.8").
		POST("/wx/auth/regCaptcha", `{"mobile":"13800000000"}`).Fails(errno.AuthCaptchaFrequency)
}

// Changing the password ends the sessions of a stolen token.
func TestReset(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	old := entered(t, register(s, "lin", mobile, code(t, s, mobile)), "register_lin")
	me := s.Guest().With(auth.Header, old)
	good := resend(t, s, mobile)
	body := `{"password":"new-password","mobile":"13900000001","code":"` + good + `"}`
	s.Guest().POST("/wx/auth/reset", "%s", body).OK()
	me.GET("/wx/auth/info").Fails(errno.LoginRequired)
	s.Guest().POST("/wx/auth/reset", "%s", body).Fails(errno.AuthCaptchaUnmatched)
	s.Guest().POST("/wx/auth/login", `{"username":"lin","password":"test-password-1"}`).Fails(errno.AuthInvalidAccount)
	s.Guest().POST("/wx/auth/login", `{"username":"lin","password":"new-password"}`).OK()
}

// resend requests a second code for a mobile, as after the interval.
func resend(t *testing.T, s *apitest.Shop, mobile string) string {
	t.Helper()
	s.Domain.Forget("rate:{code:" + mobile + "}")
	return code(t, s, mobile)
}

func TestResetRefused(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	good := code(t, s, mobile)
	wrong := "000000"
	if good == wrong {
		wrong = "000001"
	}
	for _, tt := range []struct {
		body string
		want *errno.Code
	}{
		{``, errno.Missing},
		{`{"password":"1","mobile":"1"}`, errno.Missing},
		{`{"password":"1","mobile":" ","code":"CODE"}`, errno.Missing},
		{`{"password":"12345","mobile":"13900000001","code":"CODE"}`, errno.Invalid},
		{`{"password":"` + strings.Repeat("x", 65) + `","mobile":"13900000001","code":"CODE"}`, errno.Invalid},
		{`{"password":"` + strings.Repeat("林", 25) + `","mobile":"13900000001","code":"CODE"}`, errno.Invalid},
		{`{"password":"new-password","mobile":"139","code":"CODE"}`, errno.Invalid},
		{`{"password":["new-password"],"mobile":"13900000001","code":"CODE"}`, errno.Invalid},
		{`{"password":"new-password","mobile":"13900000001","code":"WRONG"}`, errno.AuthCaptchaUnmatched},
		{`{"password":"new-password","mobile":"13900000002","code":"CODE"}`, errno.AuthCaptchaUnmatched},
		{`{"password":"new-password","mobile":"13900000001","code":"CODE"}`, errno.AuthMobileUnregistered},
		{`{"password":"new-password","mobile":"13900000001","code":"CODE"}`, errno.AuthMobileUnregistered},
	} {
		body := strings.NewReplacer("CODE", good, "WRONG", wrong).Replace(tt.body)
		a := s.Guest().POST("/wx/auth/reset", "%s", body).Fails(tt.want)
		if tt.want == errno.AuthMobileUnregistered {
			a.Fails(errno.AuthMobileUnregistered)
		}
	}
	register(s, "lin", mobile, good).OK() // the refusals have not used up the code
}

// A shop that sends no codes says so in every operation with a code, rather than that the code is wrong.
func TestNoCodesWithoutSender(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := s.Shopper("lin")
	s.Domain.Messages.Fail(notify.ErrUnsupported)
	register(s, "mei", mobile, "123456").Fails(errno.AuthCaptchaUnsupported)
	s.Guest().POST("/wx/auth/reset", `{"password":"new-password","mobile":"13900000001","code":"123456"}`).
		Fails(errno.AuthCaptchaUnsupported)
	me.POST("/wx/auth/resetPhone", `{"password":"test-password-1","mobile":"13900000001","code":"123456"}`).
		Fails(errno.AuthCaptchaUnsupported)
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM user"))
}

// Five wrong codes invalidate the right one, whatever they were tried for.
func TestGuessedCodes(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	register(s, "lin", mobile, code(t, s, mobile)).OK()
	good := resend(t, s, mobile)
	for i, guess := 0, 0; i < 5; guess++ {
		if text := []string{"000000", "000001", "000002", "000003", "000004", "000005"}[guess]; text != good {
			s.Guest().POST("/wx/auth/reset", `{"password":"new-password","mobile":"%s","code":"%s"}`, mobile, text).
				Fails(errno.AuthCaptchaUnmatched)
			i++
		}
	}
	s.Guest().POST("/wx/auth/reset", `{"password":"new-password","mobile":"%s","code":"%s"}`, mobile, good).
		Fails(errno.AuthCaptchaUnmatched)
}

func TestResetPhone(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	const next = "13900000005"
	register(s, "lin", mobile, code(t, s, mobile)).OK()
	id := s.Domain.Int("SELECT id FROM user")
	me, other := s.As(id), s.As(id)
	me.POST("/wx/auth/resetPhone", `{"password":"test-password-1","mobile":"%s","code":"%s"}`, next, code(t, s, next)).
		OK()
	var i auth.Info
	me.GET("/wx/auth/info").Data(&i)
	require.Equal(t, next, i.Mobile)
	other.GET("/wx/auth/info").Fails(errno.LoginRequired)
	s.Guest().POST("/wx/auth/login", `{"mobile":"%s","password":"test-password-1"}`, mobile).Fails(errno.AuthInvalidAccount)
	s.Guest().POST("/wx/auth/login", `{"mobile":"%s","password":"test-password-1"}`, next).OK()
	me.POST("/wx/auth/resetPhone", `{"password":"test-password-1","mobile":"%s","code":"%s"}`, next, resend(t, s, next)).OK()
	me.GET("/wx/auth/info").OK()
	me.POST("/wx/auth/logout", ``).OK()
	me.GET("/wx/auth/info").Fails(errno.LoginRequired)
}

func TestResetPhoneRefused(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	const next, taken = "13900000005", "13900000006"
	register(s, "mei", taken, code(t, s, taken)).OK()
	me, path := s.Shopper("lin"), "/wx/auth/resetPhone"
	good, other := code(t, s, next), resend(t, s, taken)
	wrong := "000000"
	if good == wrong {
		wrong = "000001"
	}
	for _, tt := range []struct {
		body string
		want *errno.Code
	}{
		{``, errno.Missing},
		{`{"password":"x","mobile":"1"}`, errno.Missing},
		{`{"password":" ","mobile":"1","code":"1"}`, errno.Missing},
		{`{"password":"x","mobile":"1390000000x","code":"1"}`, errno.AuthInvalidMobile},
		{`{"password":"x","mobile":"NEXT","code":"WRONG"}`, errno.AuthInvalidAccount},
		{`{"password":"test-password-1","mobile":"NEXT","code":"WRONG"}`, errno.AuthCaptchaUnmatched},
		{`{"password":"test-password-1","mobile":"NEXT","code":"OTHER"}`, errno.AuthCaptchaUnmatched},
		{`{"password":"test-password-1","mobile":"TAKEN","code":"OTHER"}`, errno.AuthMobileRegistered},
		{`{"password":"test-password-1","mobile":"TAKEN","code":"OTHER"}`, errno.AuthMobileRegistered},
	} {
		body := strings.NewReplacer("WRONG", wrong, "OTHER", other, "NEXT", next, "TAKEN", taken).Replace(tt.body)
		me.POST(path, "%s", body).Fails(tt.want)
	}
	viaApp(t, s, "app").POST(path, `{"password":"x","mobile":"%s","code":"%s"}`, next, good).Fails(errno.AuthInvalidAccount)
	s.Guest().POST(path, `{`).Fails(errno.LoginRequired)
	me.POST(path, `{"password":"test-password-1","mobile":"%s","code":"%s"}`, next, good).OK()
}
