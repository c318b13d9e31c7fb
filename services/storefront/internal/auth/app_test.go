package auth_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/wechat/wechattest"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
	"shop.internal/services/storefront/internal/auth"
)

const byApp = "/wx/auth/login_by_weixin"

// appLogin is the body of the mini program, with everything that the platform tells it about a user.
func appLogin(user string) string {
	return fmt.Sprintf(`{"code":"code-of-%s","userInfo":{"nickName":"小%s","avatarUrl":"https://app.test/%s.png","gender":2,`+
		`"country":"China","province":"Zhejiang","city":"Hangzhou","language":"zh_CN"}}`, user, user, user)
}

// viaApp logs a user of the platform in.
func viaApp(t *testing.T, s *apitest.Shop, user string) *optest.Client {
	t.Helper()
	var e auth.AppEntry
	s.Guest().In(t).POST(byApp, "%s", appLogin(user)).Data(&e)
	return s.Guest().In(t).With(auth.Header, e.Token)
}

// withoutApp is the storefront of a process without the app platform.
func withoutApp(t *testing.T, s *apitest.Shop) *optest.API {
	t.Helper()
	var c app.Config
	c.Shop.Language, c.Shop.Zone, c.Limits.Body = "zh", "Asia/Shanghai", 1<<20
	h, err := app.NewHandler(s.Domain.WithoutApp(), c, app.HandlerDeps{
		Now: s.Domain.Clock.Now, Clock: s.Domain.Clock.Now, Done: func(op.Result) {}, Timeout: optest.Patience,
	})
	require.NoError(t, err)
	return optest.New(h, h.Specs)
}

func TestLoginByApp(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	_, err := s.Domain.Promotions.Create(t.Context(), promotion.Coupon{
		Name: "welcome", Kind: promotion.Gift, Discount: money.Amount(500), Days: 7, PerShopper: 2,
	})
	require.NoError(t, err)
	a := s.Guest().POST(byApp, "%s", appLogin("lin")).OK()
	var e auth.AppEntry
	a.Data(&e)
	require.Regexp(t, `^[A-Za-z0-9_-]{43}$`, e.Token)
	a.Body = bytes.ReplaceAll(a.Body, []byte(e.Token), []byte("RANDOM"))
	a.Golden("login_by_weixin")
	require.EqualValues(t, 2, s.Domain.Int("SELECT COUNT(*) FROM coupon_user"), "the gift of a registration")

	// The account's own names take precedence, not what the app sends.
	me := s.Guest().With(auth.Header, e.Token)
	me.POST("/wx/auth/profile", `{"nickName":"Lin"}`).OK()
	var again auth.AppEntry
	s.Guest().POST(byApp, "%s", appLogin("lin")).OK().Within(2).Data(&again)
	require.Equal(t, auth.AppUserInfo{
		UserInfo: auth.UserInfo{NickName: "Lin", AvatarURL: "https://app.test/lin.png"}, Gender: 2,
	}, again.UserInfo)
	require.EqualValues(t, 2, s.Domain.Int("SELECT COUNT(*) FROM coupon_user"))
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM user"))
	me.GET("/wx/auth/info").OK()

	// The session key is not stored in plain text.
	require.NotContains(t, s.Domain.Text("SELECT wx_session_key FROM user"), s.Domain.App.Key("lin"))
}

func TestLoginByAppNames(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	var e auth.AppEntry
	s.Guest().POST(byApp, `{"code":"code-of-nobody","userInfo":{}}`).Data(&e)
	require.Regexp(t, "^wx_[a-z2-7]{16}$", e.UserInfo.NickName, "the made-up name, where the app tells none")
	require.Empty(t, e.UserInfo.AvatarURL)
	s.Guest().POST(byApp, `{"code":"code-of-long","userInfo":{"nickName":"%s","gender":"7","avatarUrl":"http://x/%s"}}`,
		strings.Repeat("林", 100), strings.Repeat("a", 600)).Data(&e)
	require.Equal(t, strings.Repeat("林", 63), e.UserInfo.NickName)
	require.Empty(t, e.UserInfo.AvatarURL, "an address that is too long is none")
	require.Zero(t, e.UserInfo.Gender)
}

// Without the app platform everything that needs it has one answer, and a registration leaves the code usable.
func TestAShopWithoutAppPlatform(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	none := withoutApp(t, s).Client(t)
	login := none.POST(byApp, "%s", appLogin("lin")).Fails(errno.NotSupported)
	good := code(t, s, mobile)
	body := fmt.Sprintf(`{"username":"lin","password":"test-password-1","mobile":"%s","code":"%s"`, mobile, good)
	refused := none.POST("/wx/auth/register", "%s", body+`,"wxCode":"code-of-lin"}`).Fails(errno.NotSupported).Says("本店没有接入微信（未设置小程序的 AppID 和 AppSecret），请用账号和手机号登录或注册")
	require.JSONEq(t, string(login.Body), string(refused.Body))
	require.Contains(t, string(login.Body), "微信", "it says what is missing")
	none.POST("/wx/auth/register", "%s", body+"}").OK()
}

func TestLoginByAppRefused(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for body, want := range map[string]*errno.Code{
		``:                                                 errno.Missing,
		`{"code":"x"}`:                                     errno.Missing,
		`{"userInfo":{}}`:                                  errno.Missing,
		`{"code":" ","userInfo":{}}`:                       errno.Missing,
		`{"code":"code-of-lin","userInfo":null}`:           errno.Missing,
		`{"code":"code-of-lin","userInfo":"{}"}`:           errno.Invalid,
		`{"code":"code-of-lin","userInfo":[]}`:             errno.Invalid,
		`{"code":["code-of-lin"],"userInfo":{}}`:           errno.Invalid,
		`{"code":"code-of-lin","userInfo":{"gender":"x"}}`: errno.Invalid,
	} {
		s.Guest().POST(byApp, "%s", body).Fails(want)
	}
	require.Zero(t, s.Domain.App.Calls(), "the platform was not asked")
	s.Guest().POST(byApp, `{"code":"nobody","userInfo":{}}`).Fails(errno.AuthOpenIDUnaccess)
	withoutApp(t, s).Client(t).POST(byApp, "%s", appLogin("lin")).Fails(errno.NotSupported).Says("本店没有接入微信（未设置小程序的 AppID 和 AppSecret），请用账号和手机号登录或注册")
	me := viaApp(t, s, "lin")
	for _, status := range []int{1, 2} {
		s.Domain.Exec("UPDATE user SET status = ?", status)
		s.Guest().POST(byApp, "%s", appLogin("lin")).Fails(errno.AuthInvalidAccount)
		me.GET("/wx/auth/info").Fails(errno.LoginRequired)
	}
}

// Concurrent first logins create one account each, and no password opens it.
func TestFirstLoginsAtOnce(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			a := s.Guest().POST(byApp, "%s", appLogin(fmt.Sprint("lin", i%3)))
			if a.Code() != errno.OK {
				t.Errorf("%s", a.Body)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 3, s.Domain.Int("SELECT COUNT(*) FROM user"))
	name := s.Domain.Text("SELECT username FROM user LIMIT 1")
	for _, who := range []string{name, "o-lin0", "#o-lin0"} {
		for _, password := range []string{"o-lin0", "#o-lin0", name} {
			s.Guest().POST("/wx/auth/login", `{"username":"%s","password":"%s"}`, who, password).Fails(errno.AuthInvalidAccount)
		}
	}
}

func registerByApp(s *apitest.Shop, username, mobile, code, wxCode string) *optest.Answer {
	return s.Guest().POST("/wx/auth/register",
		`{"username":"%s","password":"test-password-1","mobile":"%s","code":"%s","wxCode":"%s"}`, username, mobile, code, wxCode)
}

// An identity has one account, whichever way it registers.
func TestRegisterBindsTheApp(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	const other = "13900000002"
	viaApp(t, s, "lin").GET("/wx/auth/info").OK()
	registerByApp(s, "Lin", mobile, code(t, s, mobile), "code-of-lin").OK().Within(3)
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM user"), "the app's account got the name")
	s.Guest().POST("/wx/auth/login", `{"username":"lin","password":"test-password-1"}`).OK()
	good := code(t, s, other)
	registerByApp(s, "mei", other, good, "code-of-lin").Fails(errno.AuthOpenIDBound)
	registerByApp(s, "mei", other, good, "unknown").Fails(errno.AuthOpenIDUnaccess)
	registerByApp(s, "mei", other, good, "code-of-mei").OK()
	require.EqualValues(t, 2, s.Domain.Int("SELECT COUNT(*) FROM user"))
	var e auth.AppEntry
	s.Guest().POST(byApp, "%s", appLogin("mei")).Data(&e)
	require.Equal(t, "mei", e.UserInfo.NickName)
	require.EqualValues(t, 2, s.Domain.Int("SELECT COUNT(*) FROM user"))
}

// sealed is a bindPhone body with a number that the platform has encrypted for the user's session.
func sealed(t *testing.T, s *apitest.Shop, user, number, appID string) string {
	t.Helper()
	iv, data := wechattest.Seal(t, s.Domain.App.Key(user), wechattest.Number(number, appID))
	return fmt.Sprintf(`{"iv":"%s","encryptedData":"%s"}`, iv, data)
}

func TestBindPhone(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := viaApp(t, s, "lin")
	body := sealed(t, s, "lin", mobile, wechattest.AppID)
	me.POST("/wx/auth/bindPhone", "%s", body).OK()
	var i auth.Info
	me.GET("/wx/auth/info").Data(&i)
	require.Equal(t, mobile, i.Mobile)
	me.POST("/wx/auth/bindPhone", "%s", body).OK()
	// A new login has a new key: what was encrypted under the old one is invalid.
	viaApp(t, s, "lin").POST("/wx/auth/bindPhone", "%s", body).Fails(errno.AuthOpenIDUnaccess)
	me.POST("/wx/auth/bindPhone", "%s", sealed(t, s, "lin", "13900000002", wechattest.AppID)).OK()
}

func TestBindPhoneRefused(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Domain.Shopper("holder")
	s.Domain.Exec("UPDATE user SET mobile = ?", mobile)
	me, path := viaApp(t, s, "lin"), "/wx/auth/bindPhone"
	for body, want := range map[string]*errno.Code{
		``:                               errno.Missing,
		`{"iv":"AAAA"}`:                  errno.Missing,
		`{"encryptedData":"AAAA"}`:       errno.Missing,
		`{"iv":"","encryptedData":" "}`:  errno.Missing,
		`{"iv":null,"encryptedData":1}`:  errno.Missing,
		`{"iv":[],"encryptedData":"A"}`:  errno.Invalid,
		`{"iv":"§","encryptedData":"§"}`: errno.AuthOpenIDUnaccess,
		sealed(t, s, "lin", "13900000002", "wx-another-app"):                errno.AuthOpenIDUnaccess,
		`{"iv":"AAAA","encryptedData":"` + strings.Repeat("A", 9000) + `"}`: errno.AuthOpenIDUnaccess,
	} {
		a := me.POST(path, "%s", body).Fails(want)
		if want == errno.AuthOpenIDUnaccess {
			a.Fails(errno.AuthOpenIDUnaccess) // one text, wherever decryption fails
		}
	}
	s.Shopper("web").POST(path, `{"iv":"AAAA","encryptedData":"AAAA"}`).Fails(errno.AuthOpenIDUnaccess)
	me.POST(path, "%s", sealed(t, s, "lin", "+85291234567", wechattest.AppID)).
		Fails(errno.AuthInvalidMobile)
	me.POST(path, "%s", sealed(t, s, "lin", mobile, wechattest.AppID)).
		Fails(errno.AuthMobileRegistered)
	s.Guest().POST(path, `{`).Fails(errno.LoginRequired)
	token := s.Domain.Token(s.Domain.Int("SELECT id FROM user WHERE wx_openid IS NOT NULL"))
	none := withoutApp(t, s).Client(t).With(auth.Header, token)
	none.POST(path, ``).Fails(errno.Missing)
	none.POST(path, `{"iv":"AAAA","encryptedData":"AAAA"}`).Fails(errno.NotSupported).Says("本店没有接入微信（未设置小程序的 AppID 和 AppSecret），请用账号和手机号登录或注册")
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM user WHERE wx_openid IS NOT NULL AND mobile IS NOT NULL"))
}

// The account changes repeatedly during the operation: it fails and asks for a retry.
func TestMobileLostToSomebodyElse(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := viaApp(t, s, "lin")
	losing(t, s, me, "/wx/auth/bindPhone", sealed(t, s, "lin", mobile, wechattest.AppID)).
		Fails(errno.Stale)
	register(s, "mei", "13900000002", code(t, s, "13900000002")).OK()
	id := s.Domain.Int("SELECT id FROM user WHERE username = 'mei'")
	losing(t, s, s.As(id), "/wx/auth/resetPhone", fmt.Sprintf(
		`{"password":"%s","mobile":"13900000003","code":"%s"}`, domaintest.Password, code(t, s, "13900000003"))).
		Fails(errno.Stale)
}

// losing calls an operation whose change always conflicts with another one.
func losing(t *testing.T, s *apitest.Shop, c *optest.Client, path, body string) *optest.Answer {
	t.Helper()
	count := s.API.Count
	defer func() { s.API.Count = count }()
	s.API.Count = func(ctx context.Context) (context.Context, func() int) {
		return domaintest.Conflict(ctx, "UPDATE user SET mobile")
	}
	return c.In(t).POST(path, "%s", body)
}
