package order_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

var pageToken = regexp.MustCompile(`prepay_id=sandbox[0-9a-f]{32}`)

func TestH5Pay(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.placed()
	for range 2 {
		a := w.lin.POST(h5pay, `{"orderId":%d,"actualPrice":0.01}`, id).OK()
		a.Body = pageToken.ReplaceAll(a.Body, []byte("prepay_id=RANDOM"))
		a.Golden("h5pay")
	}
	require.Equal(t, "53.50|1|MWEB", w.Domain.Text("SELECT CONCAT_WS('|', amount, status, trade_type) FROM payment"))
	require.EqualValues(t, 101, w.Domain.Int("SELECT order_status FROM orders"))
	w.lin.POST(h5pay, ref(w.in(domainorder.Paid))).Fails(errno.OrderInvalidOperation).Says("订单当前为「已付款」，不能进行该操作")
	w.Domain.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	refused := w.placed()
	w.lin.POST(h5pay, ref(refused)).Fails(errno.OrderPayFailed)
	w.Domain.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	w.lin.POST(h5pay, ref(refused)).OK()
	w.Domain.Agree()
	w.conflict("INSERT INTO payment")
	w.lin.POST(h5pay, ref(w.placed())).Fails(errno.Stale)
	w.Domain.Agree()
}

// The browser returns to the shop, and to no other address.
func TestThePaymentPageLeadsBack(t *testing.T) {
	t.Parallel()
	s := apitest.OpenWith(t, func(c *app.Config) { c.Payment.NotifyURL = "http://shop.test/wx/order/pay-notify" })
	shopper := s.Domain.Shopper("lin")
	id := s.Domain.Order(shopper, s.Domain.Product("tea", 4550, 10))
	for back, want := range map[string]string{
		"/paid/1?group=2":           "redirect_url=http%3A%2F%2Fshop.test%2Fpaid%2F1%3Fgroup%3D2",
		"http://shop.test:5173/x":   "redirect_url=http%3A%2F%2Fshop.test%3A5173%2Fx",
		"https://evil.example/paid": "",
		"":                          "",
	} {
		var to struct {
			Address string `json:"mwebUrl"`
		}
		s.As(shopper).POST(h5pay, `{"orderId":%d,"returnUrl":%q}`, id, back).Data(&to)
		_, after, _ := strings.Cut(to.Address, "&")
		require.Equal(t, want, after, back)
	}
}

// A failure of the platform is reported, and no payment begins without the payer's identity.
func TestPayByWechat(t *testing.T) {
	t.Parallel()
	s, platform := apitest.OpenWechat(t)
	shopper := s.Domain.Shopper("lin")
	lin := s.As(shopper)
	tea := s.Domain.Product("tea", 4550, 100)
	id := s.Domain.Order(shopper, tea)
	lin.POST(prepay, ref(id)).Fails(errno.AuthOpenIDUnaccess)
	platform.Answer(func(*http.Request) (int, string, bool) { return 200, `{}`, true })
	lin.POST(h5pay, ref(id)).Fails(errno.OrderPayFailed)
	platform.Answer(nil)
	var to struct {
		Address string `json:"mwebUrl"`
	}
	lin.POST(h5pay, ref(id)).Data(&to)
	require.Contains(t, to.Address, "https://wx.tenpay.test/")
	s.Domain.Exec("UPDATE user SET wx_openid = 'openid-of-lin' WHERE id = ?", shopper)
	var ticket map[string]string
	lin.POST(prepay, ref(id)).Data(&ticket)
	require.Equal(t, "RSA", ticket["signType"])
	platform.Signed(ticket["paySign"], ticket["appId"], ticket["timeStamp"], ticket["nonceStr"], ticket["packageValue"])
	number := s.Domain.Text("SELECT out_trade_no FROM payment WHERE status = 1")
	platform.Pay(number)
	header, body := platform.Notification(number, nil)
	guest := s.Guest()
	for name := range header {
		guest = guest.With(name, header.Get(name))
	}
	guest.POST(notify, "%s", body)
	require.EqualValues(t, 201, s.Domain.Int("SELECT order_status FROM orders"))
	s.Domain.Agree()
}

// A platform that reads a text gets it at the address of its channel.
func TestPayByAlipay(t *testing.T) {
	t.Parallel()
	s, platform := apitest.OpenAlipay(t)
	shopper := s.Domain.Shopper("lin")
	id := s.Domain.Order(shopper, s.Domain.Product("tea", 4550, 100))
	lin := s.As(shopper)
	lin.POST(prepay, ref(id)).Fails(errno.OrderPayFailed).Says("本店可以这样付款：支付宝")
	var to struct {
		Address string `json:"mwebUrl"`
	}
	lin.POST(h5pay, ref(id)).Data(&to)
	require.Equal(t, "alipay.trade.wap.pay", platform.Visit(to.Address).Method)
	number := s.Domain.Text("SELECT out_trade_no FROM payment WHERE status = 1")
	alipay := s.Guest().With("Content-Type", "application/x-www-form-urlencoded; text/html; charset=utf-8")
	for _, wait := range []bool{true, false} {
		if !wait {
			platform.Pay(number)
		}
		a := alipay.POST(notify+"/alipay", "%s", platform.Notification(number, nil))
		require.Equal(t, http.StatusOK, a.Status)
		require.Equal(t, "success", string(a.Body))
		require.Equal(t, wait, s.Domain.Int("SELECT order_status FROM orders") == 101)
	}
	require.Equal(t, http.StatusNoContent, alipay.POST(notify, "%s", platform.Notification(number, nil)).Status)
	for _, body := range []string{
		string(platform.Notification(number, func(v url.Values) { v.Set("app_id", "1") })), "sign=AAAA&sign_type=RSA2",
	} {
		require.Equal(t, http.StatusBadRequest, alipay.POST(notify+"/alipay", "%s", body).Status)
	}
	s.Domain.Agree()
}

// The channels fit the order and the shopper. A client that names one whose payment is no ticket gets what to do.
func TestPayByChannel(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.placed()
	w.lin.GET(channels+"?orderId=%d", id).Golden("channels")
	english := w.lin.With(op.LanguageHeader, "en")
	english.GET(channels+"?orderId=%d", id).Golden("channels_en")
	w.lin.GET(channels + "?orderId=99").Fails(errno.OrderUnknown)
	w.lin.GET(channels+"?orderId=%d", w.in(domainorder.Paid)).Fails(errno.OrderInvalidOperation)
	english.POST(prepay, `{"orderId":%d,"channel":"sandbox","kind":"offline"}`, id).Golden("prepay_offline")
	w.lin.GET(channels+"?orderId=%d", id).Golden("channels_waiting")
	w.lin.GET(detail+"?orderId=%d", id).Golden("detail_waiting")
	w.lin.POST(prepay, `{"orderId":%d,"channel":"sandbox","kind":"page"}`, id).Fails(errno.OrderPayFailed).
		Says("本店可以这样付款：沙箱支付")
	w.lin.POST(h5pay, `{"orderId":%d,"channel":"wechat"}`, id).Fails(errno.OrderPayFailed)
	w.lin.POST(h5pay, `{"orderId":%d,"channel":"sandbox","kind":"app"}`, id).Fails(errno.OrderPayFailed)
	w.lin.POST(prepay, `{"orderId":%d,"channel":"sandbox","kind":"cash"}`, id).Fails(errno.Invalid)
	w.Domain.Agree()
}

// Each channel has an address for its notifications; a channel that is none signs nothing.
func TestTheAddressOfAChannel(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.placed()
	w.lin.POST(prepay, ref(id)).OK()
	header, body, err := w.Domain.Sandbox.Compose(t.Context(), w.Domain.Notification(id))
	require.NoError(t, err)
	guest := w.Guest()
	for name := range header {
		guest = guest.With(name, header.Get(name))
	}
	require.Equal(t, http.StatusBadRequest, guest.POST(notify+"/wechat", "%s", body).Status)
	require.EqualValues(t, 101, w.Domain.Int("SELECT order_status FROM orders WHERE id = ?", id))
	require.Equal(t, http.StatusNoContent, guest.POST(notify+"/sandbox", "%s", body).Status)
	require.EqualValues(t, 201, w.Domain.Int("SELECT order_status FROM orders WHERE id = ?", id))
	w.Domain.Agree()
}
