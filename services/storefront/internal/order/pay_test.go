package order_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/services/storefront/internal/apitest"
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
