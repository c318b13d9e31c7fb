package paypage_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
	"shop.internal/services/storefront/internal/paypage"
)

const back = "https://m.example.com/#/?orderId=1&tip=yes"

// world is a shop with one unpaid order whose payment waits on the page.
type world struct {
	*apitest.Shop
	order int64
	page  string
}

func open(t *testing.T, language string) *world {
	t.Helper()
	s := apitest.OpenWith(t, func(c *app.Config) {
		c.Shop.Language, c.CORS.Origins = language, []string{"https://m.example.com"}
	})
	s.Domain.Sandbox.Behave(sandbox.Behaviour{Lost: true}) // the shop queries the payment instead of being notified
	shopper := s.Domain.Shopper("lin")
	w := &world{s, s.Domain.Order(shopper, s.Domain.Product("tea", 4550, 10)), ""}
	w.page = w.begin(s.As(shopper))
	return w
}

// begin does what a client does: it adds its own address to the one that it received.
func (w *world) begin(lin *optest.Client) string {
	var to struct {
		Address string `json:"mwebUrl"`
	}
	lin.POST("/wx/order/h5pay", `{"orderId":%d}`, w.order).Data(&to)
	return to.Address + "&redirect_url=" + url.QueryEscape(back)
}

func (w *world) press(action string) *optest.Answer {
	return w.Guest().With("Content-Type", "application/x-www-form-urlencoded").POST(w.page, "action="+action)
}

func (w *world) paid(t *testing.T) bool {
	t.Helper()
	w.Domain.Clock.Move(time.Minute)
	_, err := w.Domain.Replica().Payments.QueryOpen(t.Context())
	require.NoError(t, err)
	return w.Domain.Int("SELECT order_status FROM orders WHERE id = ?", w.order) == 201
}

func body(t *testing.T, a *optest.Answer, status int) string {
	t.Helper()
	require.Equal(t, status, a.Status)
	require.Equal(t, "text/html; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"))
	policy := a.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
		require.Contains(t, policy, want)
	}
	text := string(a.Body)
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(text)
	require.Contains(t, policy, "'"+paypage.Hash(style[1])+"'", "the style is not the one that the policy admits")
	require.NotRegexp(t, `(?i)<script|\son\w+=|style=|javascript:`, text)
	return text
}

func TestThePageLeadsToAPayment(t *testing.T) {
	t.Parallel()
	w := open(t, "zh")
	text := body(t, w.Guest().GET(w.page), http.StatusOK)
	require.Contains(t, text, "¥53.50")
	require.Contains(t, text, w.Domain.Text("SELECT order_sn FROM orders"))
	require.Contains(t, text, `name="viewport"`)
	require.Contains(t, text, "不支付")
	_, shown, _ := strings.Cut(text, "</style>")
	for _, private := range []string{"lin", "192.0.2.1", w.Domain.Text("SELECT mobile FROM orders")} {
		require.NotContains(t, shown, private)
	}
	form := regexp.MustCompile(`<form method="post" action="([^"]+)">`).FindStringSubmatch(text)
	require.NotNil(t, form)
	w.page = strings.ReplaceAll(form[1], "&amp;", "&")

	a := w.press("pay")
	require.Equal(t, http.StatusSeeOther, a.Status)
	outcome := a.Header.Get("Location")
	require.True(t, strings.HasPrefix(outcome, sandbox.PagePath+"?"), "a form leads nowhere else")
	a = w.Guest().GET(outcome)
	require.Contains(t, body(t, a, http.StatusOK), "支付成功")
	require.Equal(t, "2; url="+back, a.Header.Get("Refresh"))
	require.Contains(t, string(a.Body), `<a href="https://m.example.com/#/?orderId=1&amp;tip=yes">返回商城</a>`)
	require.True(t, w.paid(t))
	require.Equal(t, http.StatusSeeOther, w.press("pay").Status, "a second press changes nothing")
	w.Domain.Agree()
	require.NotContains(t, body(t, w.Guest().GET(w.page), http.StatusOK), "<form")
}

func TestARefusalLeavesTheOrderUnpaid(t *testing.T) {
	t.Parallel()
	w := open(t, "en")
	require.Contains(t, body(t, w.Guest().GET(w.page), http.StatusOK), "Decline")
	a := w.Guest().GET(w.press("refuse").Header.Get("Location"))
	require.Contains(t, body(t, a, http.StatusOK), "Declined; the order still awaits payment")
	require.Equal(t, "2; url="+back, a.Header.Get("Refresh"))
	require.False(t, w.paid(t))
	require.Equal(t, http.StatusBadRequest, w.press("").Status)
	require.Contains(t, body(t, w.Guest().GET(w.page), http.StatusOK), "<form", "it can be paid after all")
}

func TestAForeignAddressIsNotFollowed(t *testing.T) {
	t.Parallel()
	w := open(t, "en")
	w.page = strings.Replace(w.page, url.QueryEscape(back), url.QueryEscape("https://evil.example/"), 1)
	a := w.Guest().GET(w.press("pay").Header.Get("Location"))
	text := body(t, a, http.StatusOK)
	require.Empty(t, a.Header.Get("Refresh"))
	require.Contains(t, text, "was ignored")
	require.NotContains(t, text, "evil")
	w.page = strings.Replace(w.page, url.QueryEscape("https://evil.example/"), strings.Repeat("%E8", 6000), 1)
	outcome := w.press("refuse").Header.Get("Location")
	require.Less(t, len(outcome), 8<<10, "an address that is not followed needs no long header")
	require.Contains(t, body(t, w.Guest().GET(outcome), http.StatusOK), "was ignored")
}

func TestAPageThatIsOver(t *testing.T) {
	t.Parallel()
	w := open(t, "zh")
	require.Contains(t, body(t, w.Guest().GET(sandbox.PagePath+"?prepay_id=sandbox00"), http.StatusNotFound), "不存在")
	body(t, w.Guest().GET(sandbox.PagePath), http.StatusNotFound)
	// The order is cancelled: the platform is told, and the page is gone.
	shopper := w.Domain.Int("SELECT user_id FROM orders")
	w.As(shopper).POST("/wx/order/cancel", `{"orderId":%d}`, w.order).OK()
	_, err := w.Domain.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Contains(t, body(t, w.Guest().GET(w.page), http.StatusNotFound), `<a href="https://m.example.com/#/?orderId=1&amp;tip=yes">返回商城</a>`)
	require.Equal(t, http.StatusNotFound, w.press("pay").Status)
	require.EqualValues(t, 102, w.Domain.Int("SELECT order_status FROM orders"))
}

// A shopper who refuses on a page without a way back can still pay later.
func TestARefusalWithoutAWayBack(t *testing.T) {
	t.Parallel()
	w := open(t, "zh")
	w.page, _, _ = strings.Cut(w.page, "&redirect_url=")
	a := w.Guest().GET(w.press("refuse").Header.Get("Location"))
	text := body(t, a, http.StatusOK)
	require.Contains(t, text, "订单仍待付款")
	require.Contains(t, text, `value="pay"`)
	require.Empty(t, a.Header.Get("Refresh"))
	text = body(t, w.Guest().GET(w.press("pay").Header.Get("Location")), http.StatusOK)
	require.NotContains(t, text, "<form")
	require.True(t, w.paid(t))
}

func TestAPageEndsWithItsOrder(t *testing.T) {
	t.Parallel()
	w := open(t, "zh")
	w.Domain.Clock.Move(31 * time.Minute)
	body(t, w.Guest().GET(w.page), http.StatusNotFound)
	require.Equal(t, http.StatusNotFound, w.press("pay").Status)
}

// With another payment platform the page does not exist.
func TestOnlyTheSandboxHasAPage(t *testing.T) {
	t.Parallel()
	s, _ := apitest.OpenWechat(t)
	require.Equal(t, http.StatusNotFound, s.Guest().GET(sandbox.PagePath+"?prepay_id=x").Status)
}
