package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// TestOtherSpellingsOfAPath is CVE-2020-23448: no spelling of a path bypasses the token.
func TestOtherSpellingsOfAPath(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	number := w.Shop.Text("SELECT order_sn FROM orders")
	for _, path := range []string{
		"/admin/auth/login/../../order/list", "/admin/auth/login;/../order/list", "//admin/order/list", "/admin/%6frder/list",
		"/ADMIN/order/list", "/admin/order/list/", "/wx/../admin/order/list", "/admin/./order/list", "/admin/order/list;a=b",
		"/admin/order/list.json", "/admin/..%2fadmin/order/list", "/admin/order//list", "/admin%2forder/list",
		"/%61dmin/order/list",
		"/admin/index/../order/list", "/admin/auth/index%00/../../order/list", `/admin\order\list`, "/admin/order/list?",
	} {
		a := w.Anonymous().Send(http.MethodGet, path, nil)
		require.Contains(t, []int{errno.LoginRequired.Num, errno.UnknownPath.Num}, a.Code().Num, path)
		require.NotContains(t, string(a.Body), number)
	}
}

// Neither documents nor consoles, test areas or copies of the shop.
func TestNothingElseIsServed(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	for _, path := range []string{
		"/", "/swagger-ui.html", "/v2/api-docs", "/doc.html", "/druid/index.html", "/actuator", "/debug/pprof",
		"/.git/config",
		"/backup/", "/metrics", "/healthz", "/openapi.json", "/docs", "/wx/order/list", "/wx/storage/fetch/x.png",
	} {
		for _, c := range []*optest.Client{w.Anonymous(), w.Super()} {
			require.Equal(t, http.StatusNotFound, c.GET(path).Fails(errno.UnknownPath).Status, path)
		}
	}
	for _, path := range []string{
		"/admin/index/guest", "/admin/index/read", "/admin/index/write", "/admin/swagger-ui.html", "/admin/druid",
	} {
		w.Anonymous().GET(path).Fails(errno.LoginRequired)
		w.Super().GET(path).Fails(errno.UnknownPath)
	}
}

// A page of another origin gets no credentials, a form of it changes nothing, and no cookie is set or read.
func TestForeignOrigins(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	all := digest(w)
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		c := w.Anonymous().With("Origin", "https://evil.example").With("Cookie", "X-Shop-Admin-Token="+w.Token("super")+
			"; JSESSIONID="+w.Token("super"))
		a := c.Send(spec.Method, spec.Path, strings.NewReader(`{"id":1}`))
		require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"), spec.Key())
		require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"), spec.Key())
		require.Empty(t, a.Header.Values("Set-Cookie"), spec.Key())
		if spec.Access.NeedsToken() {
			require.Equal(t, errno.LoginRequired, a.Code(), spec.Key())
		}
		if sends(spec) && spec.Path != "/admin/auth/login" {
			w.Super().With("Content-Type", "application/x-www-form-urlencoded").With("Origin", "https://evil.example").
				POST(spec.Path, "id=1&orderId=1&name=x").Refused()
		}
	}
	require.Equal(t, before, w.Shop.Text(all))
}

// A coupon never increases a price.
func TestCouponsTakeNothingAway(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	for _, discount := range []string{"-1", "-0.01", `"-5"`, `"NaN"`, "1e12", "0.001"} {
		w.Super().POST("/admin/coupon/create", `{"name":"x","days":1,"discount":%s}`, discount).Fails(errno.Invalid).Clean()
		w.Super().POST("/admin/coupon/update", `{"id":1,"discount":%s}`, discount).Fails(errno.Invalid).Clean()
		w.Super().POST("/admin/groupon/create",
			`{"goodsId":2,"discount":%s,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`, discount).
			Fails(errno.Invalid).Clean()
	}
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM coupon"))
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM groupon_rules"))
}

// The server never fetches a picture that an operator names.
func TestAddressesOfOperatorsAreNotAsked(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	asked := 0
	foreign := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer foreign.Close()
	w.Super().POST("/admin/config/wx", `{"litemall_wx_share":"true"}`).OK()
	for i, address := range []string{foreign.URL + "/a.png", "http://169.254.169.254/latest", "http://127.0.0.1:1/"} {
		name := fmt.Sprintf(`"茶壶%d","picUrl":%q`, i, address)
		body := strings.NewReplacer(`"茶壶"`, name, "T-1", fmt.Sprint("T-", i)).Replace(teapot)
		w.Super().POST("/admin/goods/create", "%s", body).OK()
	}
	w.Shop.Clock.Move(time.Minute)
	_, err := w.Shop.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Zero(t, asked)
	require.EqualValues(t, 3, w.Shop.Int("SELECT COUNT(*) FROM goods"))
}

// A client's claim about its address counts only if a trusted proxy forwards it.
func TestNoAddressIsForged(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Super().With("X-Forwarded-For", "203.0.113.9").With("X-Real-IP", "203.0.113.9").
		POST("/admin/brand/create", `{"name":"a","desc":"b","picUrl":"https://shop.test/a.png","floorPrice":1}`).OK()
	require.Equal(t, "192.0.2.1", w.Shop.Text("SELECT ip FROM audit_log ORDER BY id DESC LIMIT 1"))
	w.Anonymous().With("X-Forwarded-For", "203.0.113.9").POST("/admin/auth/login", `{"username":"x","password":"y"}`).
		Fails(errno.AdminInvalidAccount)
	require.Equal(t, "192.0.2.1", w.Shop.Text("SELECT DISTINCT ip FROM log"))
}

// There are no operators with known passwords, in the schema or anywhere else.
func TestNoSecretIsShipped(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM admin"))
	for _, name := range []string{"admin123", "promotion123", "mall123", "admin"} {
		w.Anonymous().POST("/admin/auth/login", `{"username":"%s","password":"%s"}`, name, name).Fails(errno.AdminInvalidAccount)
	}
}

// An edit of goods does not write carts.
func TestCartsAreReadLive(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	lin := w.Shop.Int("SELECT id FROM user")
	row, err := w.Shop.Cart.Set(t.Context(), lin, w.Shop.Product("cup", 990, 5))
	require.NoError(t, err)
	const carts = "SELECT GROUP_CONCAT(CONCAT_WS('|', id, goods_id, product_id, number, checked, update_time)) FROM cart"
	before := w.Shop.Text(carts)
	require.NotEmpty(t, before)
	product := w.Shop.Int("SELECT product_id FROM cart WHERE id = ?", row)
	w.Shop.Clock.Move(time.Minute)
	w.Super().POST("/admin/goods/update", `{"goods":{"id":3,"name":"mug"},"products":[{"id":%d,"price":5,"number":4,`+
		`"url":"","specifications":["标准"]}]}`, product).OK()
	w.Super().POST("/admin/goods/delete", `{"id":1}`).OK()
	require.Equal(t, before, w.Shop.Text(carts))
}
