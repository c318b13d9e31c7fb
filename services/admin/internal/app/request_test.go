package app_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/apitest"
)

func TestUnknownPathsAskForAToken(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	for _, path := range []string{"/admin/nothing", "/admin/order/list/", "/admin/", "/Admin/Order/List", "//admin/x"} {
		w.Anonymous().GET(path).Fails(errno.LoginRequired)
		w.Super().GET(path).Fails(errno.UnknownPath)
	}
	w.Anonymous().GET("/elsewhere").Fails(errno.UnknownPath)
	w.Anonymous().GET("/").Fails(errno.UnknownPath)
	// A protected path with another method is protected too, a public one is not.
	w.Anonymous().POST("/admin/order/list", "{}").Fails(errno.LoginRequired)
	w.Super().POST("/admin/order/list", "{}").Fails(errno.WrongMethod)
	w.Anonymous().GET("/admin/auth/login").Fails(errno.WrongMethod)
}

func TestTheTokenIsReadFromItsHeaderAlone(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	token := w.Token("clerk")
	info := "/admin/auth/info"
	w.Anonymous().With("X-Shop-Admin-Token", token).GET(info).OK()
	w.Anonymous().With("X-Litemall-Admin-Token", token).GET(info).OK()
	// If both headers are sent only the first counts, even if it is invalid.
	w.Anonymous().With("X-Litemall-Admin-Token", token).With("X-Shop-Admin-Token", "old").GET(info).Fails(errno.LoginRequired)
	w.Anonymous().With("X-Litemall-Admin-Token", token).With("X-Shop-Admin-Token", "").GET(info).Fails(errno.LoginRequired)
	// A page of another site can make a browser send cookies and queries, and nothing else.
	cookie := "X-Litemall-Admin-Token=" + token + "; X-Shop-Admin-Token=" + token + "; JSESSIONID=" + token
	w.Anonymous().With("Cookie", cookie).GET(info).Fails(errno.LoginRequired)
	w.Anonymous().With("Cookie", cookie).POST("/admin/auth/logout", "").Fails(errno.LoginRequired)
	w.Anonymous().GET(info + "?token=" + token + "&X-Shop-Admin-Token=" + token).Fails(errno.LoginRequired)
	w.Anonymous().With("X-Shop-Token", token).GET(info).Fails(errno.LoginRequired)
	w.Anonymous().With("Authorization", "Bearer "+token).GET(info).Fails(errno.LoginRequired)
	w.Anonymous().POST("/admin/auth/logout", `{"token":"`+token+`"}`).Fails(errno.LoginRequired)
	w.Anonymous().With("X-Shop-Admin-Token", token).GET(info).OK()
}

func TestAnswersToOperatorsAreNotStored(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	require.Equal(t, "no-store", w.Super().GET("/admin/auth/info").OK().Header.Get("Cache-Control"))
	require.Equal(t, "no-store", w.Super().GET("/admin/nothing").Header.Get("Cache-Control"))
}

func TestSizes(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	huge := `{"username":"` + strings.Repeat("a", 5<<20) + `"}`
	a := w.Anonymous().POST("/admin/auth/login", huge).Fails(errno.Invalid)
	require.Equal(t, http.StatusRequestEntityTooLarge, a.Status)
	a = w.Super().POST("/admin/order/ship", huge).Fails(errno.Invalid)
	require.Equal(t, http.StatusRequestEntityTooLarge, a.Status)
	w.Anonymous().POST("/admin/order/ship", huge).Fails(errno.LoginRequired)
	deep := `{"orderId":1,"x":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`
	w.Super().POST("/admin/order/ship", deep).Fails(errno.Invalid)
}

func TestAGrantTakenAwayStopsWorking(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	clerk := w.Operator("clerk", "admin:goods:list")
	clerk.GET("/admin/goods/list").OK()
	other := w.Replica()
	there := other.Operator("clerk")
	there.GET("/admin/goods/list").OK()
	w.Shop.Exec("UPDATE permission SET deleted = 1, del_mark = id WHERE permission = 'admin:goods:list'")
	clerk.GET("/admin/goods/list").OK() // it does not know yet
	w.Operator("somebody")              // a change takes effect at once on its replica
	clerk.GET("/admin/goods/list").Fails(errno.NoPermission)
	other.Wait(time.Second) // and on others within a second
	there.GET("/admin/goods/list").Fails(errno.NoPermission)
	w.Shop.Exec("UPDATE permission SET deleted = 0, del_mark = 0 WHERE permission = 'admin:goods:list'")
	other.Wait(time.Second)
	there.GET("/admin/goods/list").Fails(errno.NoPermission)
	other.Wait(5 * time.Second) // an unannounced change is found by reloading
	there.GET("/admin/goods/list").OK()
}

func TestRedisDown(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("clerk", "admin:goods:list").GET("/admin/goods/list").OK()
	down := w.WithoutRedis()
	down.Operator("clerk").GET("/admin/goods/list").Fails(errno.Internal)
	down.Anonymous().POST("/admin/auth/login", `{"username":"clerk","password":"%s"}`, apitest.Password).Fails(errno.Internal)
	down.Anonymous().GET("/admin/index/index").OK()
}

func TestAnotherOriginMayCallOnlyWhenListed(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	call := func(origin string) http.Header {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, "/admin/order/ship", nil)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", http.MethodPost)
		rec := httptest.NewRecorder()
		w.Handler.ServeHTTP(rec, r)
		return rec.Result().Header
	}
	listed := call(apitest.Origin)
	require.Equal(t, apitest.Origin, listed.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "true", listed.Get("Access-Control-Allow-Credentials"))
	for _, name := range []string{
		"Content-Type", "X-Shop-Admin-Token", "X-Litemall-Admin-Token", "Idempotency-Key", op.LanguageHeader,
	} {
		require.Contains(t, listed.Get("Access-Control-Allow-Headers"), name)
	}
	require.Empty(t, call("https://evil.example").Get("Access-Control-Allow-Origin"))
}

func TestRefusalsAreInTheLanguageThatIsAskedFor(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	for language, want := range map[string]string{
		"": "缺少名称", "zh-CN": "缺少名称", "en": "the name is missing", "EN-gb": "the name is missing", "tlh": "缺少名称",
	} {
		w.Super().With(op.LanguageHeader, language).POST("/admin/brand/create", `{"desc":"d"}`).
			Fails(errno.Missing).Says(want)
	}
}
