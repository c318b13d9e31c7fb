package auth_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/auth"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, auth.Ops(auth.Deps{})...)) }

const mobile = "13900000001"

// entered reads the token of a login or a registration, and replaces it by a word before the answer is compared.
func entered(t *testing.T, a *optest.Answer, golden string) string {
	t.Helper()
	var e auth.Entry
	a.Data(&e)
	require.Regexp(t, `^[A-Za-z0-9_-]{43}$`, e.Token)
	a.Body = bytes.ReplaceAll(a.Body, []byte(e.Token), []byte("RANDOM"))
	a.Golden(golden)
	return e.Token
}

// code requests a verification code for a mobile and returns it.
func code(t *testing.T, s *apitest.Shop, mobile string) string {
	t.Helper()
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"%s"}`, mobile).OK()
	got := s.Domain.Messages.Code(mobile)
	require.Len(t, got, 6)
	return got
}

func register(s *apitest.Shop, username, mobile, code string) *optest.Answer {
	return s.Guest().POST("/wx/auth/register",
		`{"username":"%s","password":"test-password-1","mobile":"%s","code":"%s","repeatPassword":"other"}`,
		username, mobile, code)
}

func TestAnAccountFromItsCodeToItsLogout(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":13900000001}`).OK()
	token := entered(t, register(s, " Lin ", mobile, s.Domain.Messages.Code(mobile)), "register")
	me := s.Guest().With("x-shop-token", token)
	me.GET("/wx/auth/info").OK().Golden("info")
	me.POST("/wx/auth/profile", `{"nickName":"<b>小林</b>","avatar":"http://shop.test/a.png","gender":"2"}`).
		OK()
	me.GET("/wx/auth/info").OK().Golden("info_changed")
	token = entered(t, s.Guest().POST("/wx/auth/login", `{"username":"LIN","password":"test-password-1"}`), "login")
	me.POST("/wx/auth/logout", `{"username":"lin","password":"x"}`).OK()
	me.POST("/wx/auth/logout", ``).Fails(errno.LoginRequired)
	s.Guest().With(auth.Header, token).GET("/wx/auth/info").OK()
}

// A change of the profile leaves what it does not name.
func TestProfileLeavesWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	var lin auth.Entry
	register(s, "lin", mobile, code(t, s, mobile)).Data(&lin)
	me := s.Guest().With(auth.Header, lin.Token)
	const profile = "SELECT CONCAT_WS('|', nickname, avatar, gender) FROM user"
	me.POST("/wx/auth/profile", `{"nickName":"小林","avatar":"http://shop.test/a.png","gender":2}`).OK()
	for _, tt := range []struct{ body, want string }{
		{`{"nickName":"林"}`, "林|http://shop.test/a.png|2"},
		{`{"avatar":"http://shop.test/b.png","gender":null}`, "林|http://shop.test/b.png|2"},
		{`{"gender":1,"nickName":""}`, "林|http://shop.test/b.png|1"},
	} {
		me.POST("/wx/auth/profile", "%s", tt.body).OK()
		require.Equal(t, tt.want, s.Domain.Text(profile), tt.body)
	}
}

func TestLoginKeys(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	register(s, "lin", mobile, code(t, s, mobile)).OK()
	for name, body := range map[string]string{
		"name":                   `{"username":"lin","password":"test-password-1"}`,
		"mobile as a name":       `{"username":13900000001,"password":"test-password-1"}`,
		"mobile":                 `{"mobile":"13900000001","password":"test-password-1"}`,
		"name as a mail address": `{"email":"lin","password":"test-password-1"}`,
		"blank name, mobile":     `{"username":" ","mobile":"13900000001","password":"test-password-1"}`,
	} {
		t.Run(name, func(t *testing.T) { s.Guest().In(t).POST("/wx/auth/login", body).OK() })
	}
}

// An unknown account and a wrong password are answered alike.
func TestLoginRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body string
		want *errno.Code
	}{
		"nothing":               {``, errno.Missing},
		"no account":            {`{"password":"x"}`, errno.Missing},
		"blank account":         {`{"username":" ","mobile":"","email":null,"password":"x"}`, errno.Missing},
		"no password":           {`{"username":"lin"}`, errno.Missing},
		"blank password":        {`{"username":"lin","password":" "}`, errno.Missing},
		"a list as a name":      {`{"username":["lin"],"password":"x"}`, errno.Invalid},
		"an object as password": {`{"username":"lin","password":{"$ne":""}}`, errno.Invalid},
		"not an object":         {`[]`, errno.Invalid},
		"broken JSON":           {`{"username":`, errno.Invalid},
		"nested too deep":       {`{"username":` + strings.Repeat("[", 10_000), errno.Invalid},
		"unknown name":          {`{"username":"unknown","password":"test-password-1"}`, errno.AuthInvalidAccount},
		"unknown mobile":        {`{"mobile":"13900000009","password":"test-password-1"}`, errno.AuthInvalidAccount},
		"wrong password":        {`{"username":"lin","password":"x"}`, errno.AuthInvalidAccount},
		"closed account":        {`{"username":"mei","password":"test-password-1"}`, errno.AuthInvalidAccount},
		"SQL":                   {`{"username":"lin' or '1'='1","password":"x"}`, errno.AuthInvalidAccount},
	}
	s := apitest.Open(t)
	s.Shopper("lin")
	s.Shopper("mei")
	s.Domain.Exec("UPDATE user SET status = 2 WHERE username = 'mei'")
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := s.Guest().In(t).POST("/wx/auth/login", "%s", tt.body).Fails(tt.want)
			if tt.want == errno.AuthInvalidAccount {
				a.Fails(errno.AuthInvalidAccount) // one text for all of them
			}
		})
	}
}

// Only a request with the right code learns that a name is taken.
func TestRegisterRefused(t *testing.T) {
	t.Parallel()
	const full = `{"username":"mei","password":"test-password-1","mobile":"13900000002","code":"CODE"`
	tests := map[string]struct {
		body string
		want *errno.Code
	}{
		"nothing":                  {`{}`, errno.Missing},
		"blank name":               {`{"username":" ","password":"12345","mobile":"1","code":"1"}`, errno.Missing},
		"no code, and all wrong":   {`{"username":"#","password":"1","mobile":"1"}`, errno.Missing},
		"no mobile":                {`{"username":"mei","password":"test-password-1","code":"1"}`, errno.Missing},
		"short password":           {full + `,"password":"12345"}`, errno.Invalid},
		"long password":            {full + `,"password":"` + strings.Repeat("x", 65) + `"}`, errno.Invalid},
		"password too many bytes":  {full + `,"password":"` + strings.Repeat("林", 25) + `"}`, errno.Invalid},
		"long name":                {full + `,"username":"` + strings.Repeat("x", 64) + `"}`, errno.Invalid},
		"control character":        {full + `,"username":"m\u0007ei"}`, errno.Invalid},
		"another's number":         {full + `,"username":"13900000007"}`, errno.Invalid},
		"name before mobile":       {full + `,"username":"13900000007","mobile":"1"}`, errno.Invalid},
		"name is a list":           {full + `,"username":["mei"]}`, errno.Invalid},
		"malformed mobile":         {full + `,"mobile":"1390000000x"}`, errno.AuthInvalidMobile},
		"mobile before code":       {full + `,"mobile":"+8613900000","code":"0"}`, errno.AuthInvalidMobile},
		"wrong code":               {full + `,"code":"WRONG"}`, errno.AuthCaptchaUnmatched},
		"code of another mobile":   {full + `,"mobile":"13900000003"}`, errno.AuthCaptchaUnmatched},
		"code before taken name":   {full + `,"username":"lin","code":"WRONG"}`, errno.AuthCaptchaUnmatched},
		"taken name":               {full + `,"username":"LIN"}`, errno.AuthNameRegistered},
		"login code of a platform": {full + `,"wxCode":"x"}`, errno.AuthOpenIDUnaccess},
		"name before that":         {full + `,"username":"LIN","wxCode":"x"}`, errno.AuthNameRegistered},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := apitest.Open(t)
			s.Shopper("lin")
			good := code(t, s, "13900000002")
			wrong := "000000"
			if good == wrong {
				wrong = "000001"
			}
			body := strings.NewReplacer("CODE", good, "WRONG", wrong).Replace(tt.body)
			s.Guest().In(t).POST("/wx/auth/register", "%s", body).Fails(tt.want)
			require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM user"))
			register(s, "mei", "13900000002", good).OK() // the refusal has not used up the code
		})
	}
}

func TestRegisterTakenMobile(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Shopper("lin")
	s.Domain.Exec("UPDATE user SET mobile = ?", mobile)
	register(s, "mei", mobile, code(t, s, mobile)).Fails(errno.AuthMobileRegistered)
}

// The code never appears in an answer, and the answer is the same for a registered mobile.
func TestRegCaptcha(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	register(s, "lin", mobile, code(t, s, mobile)).OK()
	unknown := s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13900000002"}`).OK()
	s.Domain.Exec("UPDATE user SET mobile = '13900000003'")
	known := s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13900000003"}`).OK()
	require.Equal(t, string(unknown.Body), string(known.Body))
	require.NotContains(t, string(known.Body), s.Domain.Messages.Code("13900000003"))
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13900000003"}`).
		Fails(errno.AuthCaptchaFrequency)
	for body, want := range map[string]*errno.Code{
		``:                           errno.Missing,
		`{"mobile":" "}`:             errno.Missing,
		`{"mobile":"12345"}`:         errno.Invalid,
		`{"mobile":"139000000012"}`:  errno.Invalid,
		`{"mobile":["13900000001"]}`: errno.Invalid,
		`{"mobile":true}`:            errno.Invalid,
	} {
		s.Guest().POST("/wx/auth/regCaptcha", "%s", body).Fails(want)
	}
}

func TestRegCaptchaWithoutSender(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Domain.Messages.Fail(notify.ErrUnsupported)
	for range 2 {
		s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13900000001"}`).
			Fails(errno.AuthCaptchaUnsupported)
	}
	s.Domain.Messages.Fail(errors.New("the provider is down"))
	a := s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13900000001"}`).Fails(errno.Internal)
	require.NotContains(t, string(a.Body), "provider")
}

func TestProfile(t *testing.T) {
	t.Parallel()
	before := auth.Info{NickName: "lin"}
	tests := map[string]struct {
		body   string
		want   *errno.Code
		change func(*auth.Info)
	}{
		"nothing":               {``, errno.OK, nil},
		"null and blank":        {`{"nickName":" ","avatar":null,"gender":""}`, errno.OK, nil},
		"the alias":             {`{"nickname":"林"}`, errno.OK, func(i *auth.Info) { i.NickName = "林" }},
		"the name wins":         {`{"nickname":"林","nickName":"Lin"}`, errno.OK, func(i *auth.Info) { i.NickName = "Lin" }},
		"a number as a name":    {`{"nickName":5}`, errno.OK, func(i *auth.Info) { i.NickName = "5" }},
		"gender as text":        {`{"gender":"1"}`, errno.OK, func(i *auth.Info) { i.Gender = 1 }},
		"members not its own":   {`{"id":99,"username":"x","mobile":"13900000009","status":1,"password":"x"}`, errno.OK, nil},
		"long name":             {`{"nickName":"` + strings.Repeat("林", 64) + `"}`, errno.Invalid, nil},
		"avatar of no address":  {`{"avatar":"javascript:alert(1)"}`, errno.Invalid, nil},
		"long avatar":           {`{"avatar":"http://x/` + strings.Repeat("a", 255) + `"}`, errno.Invalid, nil},
		"unknown gender":        {`{"gender":3}`, errno.Invalid, nil},
		"half a gender":         {`{"gender":1.5}`, errno.Invalid, nil},
		"text as gender":        {`{"gender":"male"}`, errno.Invalid, nil},
		"nothing of a bad body": {`{"nickName":"x","gender":3}`, errno.Invalid, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := apitest.Open(t)
			lin := s.Shopper("lin").In(t)
			lin.POST("/wx/auth/profile", "%s", tt.body).Fails(tt.want)
			want := before
			if tt.change != nil {
				tt.change(&want)
			}
			var got auth.Info
			lin.GET("/wx/auth/info").Data(&got)
			require.Equal(t, want, got)
		})
	}
}

// CVE-2025-8974: no token can be forged outside the shop, and the state of the account is checked at each call.
func TestWhoGetsIn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		headers func(s *apitest.Shop, token string) map[string]string
		want    *errno.Code
	}{
		"no token":       {func(*apitest.Shop, string) map[string]string { return nil }, errno.LoginRequired},
		"an empty token": {headers(auth.Header, ""), errno.LoginRequired},
		"a made-up token": {
			headers(auth.Header, strings.Repeat("A", 43)), errno.LoginRequired,
		},
		"the token":                       {headers(auth.Header, "TOKEN"), errno.OK},
		"the token in other case":         {headers("x-SHOP-token", "TOKEN"), errno.OK},
		"the token in the alias":          {headers("X-Litemall-Token", "TOKEN"), errno.OK},
		"alias behind an empty header":    {headers(auth.Header, "", "X-Litemall-Token", "TOKEN"), errno.OK},
		"alias behind a bad token":        {headers(auth.Header, "x", "X-Litemall-Token", "TOKEN"), errno.LoginRequired},
		"the token in the staff's header": {headers("X-Shop-Admin-Token", "TOKEN"), errno.LoginRequired},
		"the token in a cookie":           {headers("Cookie", "X-Shop-Token=TOKEN"), errno.LoginRequired},
		"a JWT under the published key":   {headers("X-Litemall-Token", publishedJWT), errno.LoginRequired},
		"a JWT without a signature":       {headers(auth.Header, unsignedJWT), errno.LoginRequired},
		"an operator's token":             {operator, errno.LoginRequired},
		"a token past its end":            {later, errno.LoginRequired},
		"a token before its end":          {sooner, errno.OK},
		"a disabled shopper":              {after("status = 1"), errno.LoginRequired},
		"a cancelled shopper":             {after("status = 2"), errno.LoginRequired},
		"a deleted shopper":               {after("deleted = 1, del_mark = id"), errno.LoginRequired},
		"tokens ended by the account":     {after("token_version = token_version + 1"), errno.LoginRequired},
		"a shopper whose name changed":    {after("nickname = 'x'"), errno.OK},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := apitest.Open(t)
			token := s.Domain.Token(s.Domain.Shopper("lin"))
			client := s.Guest().In(t)
			for header, value := range tt.headers(s, token) {
				client = client.With(header, strings.ReplaceAll(value, "TOKEN", token))
			}
			client.GET("/wx/auth/info").Fails(tt.want)
			// The token is checked before the body.
			if tt.want == errno.LoginRequired {
				client.POST("/wx/auth/profile", `{"gender":`).Fails(errno.LoginRequired)
				client.POST("/wx/auth/logout", ``).Fails(errno.LoginRequired)
			}
		})
	}
}

const (
	publishedJWT = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJMSVRFTUFMTCIsImF1ZCI6Ik1QIiwidXNlcklkIjoxfQ.c2ln"
	unsignedJWT  = "eyJhbGciOiJub25lIn0.eyJ1c2VySWQiOjF9."
)

func headers(pairs ...string) func(*apitest.Shop, string) map[string]string {
	return func(*apitest.Shop, string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
}

func operator(s *apitest.Shop, _ string) map[string]string {
	return map[string]string{auth.Header: s.Domain.Operator("super", "*")}
}

func later(s *apitest.Shop, token string) map[string]string {
	s.Domain.Clock.Move(24 * time.Hour)
	return map[string]string{auth.Header: token}
}

func sooner(s *apitest.Shop, token string) map[string]string {
	s.Domain.Clock.Move(24*time.Hour - time.Second)
	return map[string]string{auth.Header: token}
}

func after(set string) func(*apitest.Shop, string) map[string]string {
	return func(s *apitest.Shop, token string) map[string]string {
		s.Domain.Exec("UPDATE user SET " + set + " WHERE username = 'lin'")
		return map[string]string{auth.Header: token}
	}
}

// Without Redis nobody is let in, and nobody is told to log in again.
func TestWithoutRedis(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	token := s.Token(s.Shopper("lin"))
	d := s.WithoutRedis()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/wx/auth/info", nil)
	require.NoError(t, err)
	r.Header.Set(auth.Header, token)
	ctx, who, err := auth.New(d.Tokens, d.Accounts, nil).Authenticate(t.Context(), r)
	require.Equal(t, errno.Internal, errno.Of(err))
	require.Empty(t, who)
	require.Zero(t, auth.ID(ctx))
}

func TestAuthenticateNamesTheShopper(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Shopper("mei")
	lin := s.Shopper("lin")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/wx/auth/info", nil)
	require.NoError(t, err)
	r.Header.Set("X-Old-Token", s.Token(lin))
	ctx, who, err := auth.New(s.Tokens, s.Accounts, []string{"X-Older-Token", "X-Old-Token"}).Authenticate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("shopper %d", lin), who)
	require.Equal(t, lin, auth.ID(ctx))
	require.Zero(t, auth.ID(t.Context()), "a guest")
	_, _, err = auth.New(s.Tokens, s.Accounts, nil).Authenticate(t.Context(), r)
	require.ErrorIs(t, err, errno.LoginRequired, "the aliases are switched off")
}
