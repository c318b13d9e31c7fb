package wechatpay_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/wechatpay"
)

func atNoon() time.Time { return domaintest.Noon }

func wechat(t *testing.T) (*wechatpay.Gateway, *domaintest.Wechat) {
	t.Helper()
	platform := domaintest.NewWechat(t, atNoon)
	w, err := wechatpay.New(platform.Options)
	require.NoError(t, err)
	return w, platform
}

func ask() payment.PrepayRequest {
	return payment.PrepayRequest{
		OutTradeNo: "203001021234567890", Description: "订单 203001021234567890", OpenID: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
		Address: "192.0.2.1", TradeType: "JSAPI", Amount: money.Yuan(81), Expire: domaintest.Noon.Add(30 * time.Minute),
	}
}

func back() payment.RefundRequest {
	return payment.RefundRequest{OutRefundNo: "refund_1", OutTradeNo: "1", Total: 8100, Amount: 4000, Reason: "changed his mind"}
}

func ref(number string) payment.Ref { return payment.Ref{OutTradeNo: number} }

// calls are all calls to the platform, by name.
func calls(w *wechatpay.Gateway) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"prepay": func(ctx context.Context) error { _, err := w.Prepay(ctx, ask()); return err },
		"h5":     func(ctx context.Context) error { _, err := w.H5(ctx, ask()); return err },
		"query":  func(ctx context.Context) error { _, err := w.Query(ctx, ref(ask().OutTradeNo)); return err },
		"refund": func(ctx context.Context) error { _, err := w.Refund(ctx, back()); return err },
		"status": func(ctx context.Context) error { _, err := w.RefundStatus(ctx, back()); return err },
		"close":  func(ctx context.Context) error { return w.Close(ctx, ref("1")) },
	}
}

func TestWechatPrepay(t *testing.T) {
	t.Parallel()
	w, platform := wechat(t)
	id, err := w.Prepay(t.Context(), ask())
	require.NoError(t, err)
	require.Equal(t, "wx203001021234567890", id)
	require.Equal(t, []string{"POST /v3/pay/transactions/jsapi"}, platform.Calls())
	require.Equal(t, map[string]any{
		"appid": domaintest.WechatApp, "mchid": domaintest.WechatMch, "description": "订单 203001021234567890",
		"out_trade_no": "203001021234567890", "time_expire": "2030-01-02T12:30:00+08:00",
		"notify_url": "https://shop.test/wx/order/pay-notify",
		"amount":     map[string]any{"total": 8100.0, "currency": "CNY"},
		"payer":      map[string]any{"openid": "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"},
		"scene_info": map[string]any{"payer_client_ip": "192.0.2.1"},
	}, platform.Orders["203001021234567890"])
	ticket, err := w.Sign(t.Context(), id, atNoon())
	require.NoError(t, err)
	require.Equal(t, domaintest.WechatApp, ticket.AppID)
	require.Equal(t, "1893556800", ticket.TimeStamp)
	require.Equal(t, "prepay_id=wx203001021234567890", ticket.Package)
	require.Equal(t, "RSA", ticket.SignType)
	platform.Signed(ticket.PaySign, ticket.AppID, ticket.TimeStamp, ticket.NonceStr, ticket.Package)
}

func TestWechatH5(t *testing.T) {
	t.Parallel()
	w, platform := wechat(t)
	to, err := w.H5(t.Context(), ask())
	require.NoError(t, err)
	require.Equal(t, "https://wx.tenpay.test/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx203001021234567890", to)
	returning := ask()
	returning.Back = "https://shop.test/paid/1?group=2"
	back, err := w.H5(t.Context(), returning)
	require.NoError(t, err)
	require.Equal(t, to+"&redirect_url=https%3A%2F%2Fshop.test%2Fpaid%2F1%3Fgroup%3D2", back)
	told := platform.Orders["203001021234567890"]
	require.NotContains(t, told, "payer")
	require.Equal(t, map[string]any{"payer_client_ip": "192.0.2.1", "h5_info": map[string]any{"type": "Wap"}}, told["scene_info"])
	for _, answer := range []string{`{}`, `{"h5_url":""}`, `{"h5_url":"javascript:alert(1)"}`, `{"prepay_id":"wx1"}`} {
		platform.Answer(func(*http.Request) (int, string, bool) { return 200, answer, true })
		to, err = w.H5(t.Context(), ask())
		require.Error(t, err, answer)
		require.Empty(t, to)
	}
}

func TestWechatQuery(t *testing.T) {
	t.Parallel()
	w, platform := wechat(t)
	number := ask().OutTradeNo
	_, err := w.Query(t.Context(), ref(number))
	require.ErrorIs(t, err, payment.ErrUnpaid, "never announced")
	_, err = w.Prepay(t.Context(), ask())
	require.NoError(t, err)
	_, err = w.Query(t.Context(), ref(number))
	require.ErrorIs(t, err, payment.ErrUnpaid)
	platform.Pay(number)
	n, err := w.Query(t.Context(), ref(number))
	require.NoError(t, err)
	require.Equal(t, payment.Notification{
		ID: "query-4200" + number, OutTradeNo: number, TransactionID: "4200" + number, Amount: 8100, Currency: "CNY",
		Time: n.Time,
	}, n)
	require.True(t, n.Time.Equal(domaintest.Noon))
	require.ErrorIs(t, w.Close(t.Context(), ref(number)), payment.ErrRefused, "it is paid")
	_, err = w.Query(t.Context(), ref("a/b?c"))
	require.ErrorIs(t, err, payment.ErrUnpaid)
	require.Contains(t, platform.Calls(), "GET /v3/pay/transactions/out-trade-no/a%2Fb%3Fc?mchid=1230000109")
}

func TestWechatRefund(t *testing.T) {
	t.Parallel()
	w, platform := wechat(t)
	_, err := w.RefundStatus(t.Context(), back())
	require.ErrorIs(t, err, payment.ErrRefused, "it knows of none")
	for range 2 {
		id, err := w.Refund(t.Context(), back())
		require.NoError(t, err)
		require.Equal(t, "5030refund_1", id)
	}
	require.Equal(t, map[string]any{
		"out_trade_no": "1", "out_refund_no": "refund_1", "reason": "changed his mind",
		"notify_url": "https://shop.test/wx/order/pay-notify",
		"amount":     map[string]any{"total": 8100.0, "refund": 4000.0, "currency": "CNY"},
	}, platform.Refunds["refund_1"])
	own := back()
	own.OutRefundNo, own.OutTradeNo, own.TransactionID = "refund_2", "1~4200", "4200"
	_, err = w.Refund(t.Context(), own)
	require.NoError(t, err)
	require.Equal(t, "4200", platform.Refunds["refund_2"]["transaction_id"])
	require.NotContains(t, platform.Refunds["refund_2"], "out_trade_no", "one of two numbers, never both")
	id, err := w.RefundStatus(t.Context(), back())
	require.NoError(t, err)
	require.Equal(t, "5030refund_1", id)
	for answer, refused := range map[string]bool{
		`{"refund_id":"5","out_refund_no":"refund_1","status":"CLOSED"}`:   true,
		`{"refund_id":"5","out_refund_no":"refund_1","status":"ABNORMAL"}`: true,
		`{"refund_id":"5","out_refund_no":"refund_1","status":"NEW"}`:      false,
		`{"refund_id":"5","out_refund_no":"refund_2","status":"SUCCESS"}`:  false,
		`{"out_refund_no":"refund_1","status":"SUCCESS"}`:                  false,
		`[]`: false,
	} {
		platform.Answer(func(*http.Request) (int, string, bool) { return 200, answer, true })
		_, err := w.Refund(t.Context(), back())
		require.Error(t, err, answer)
		require.Equal(t, refused, isRefused(err), answer)
	}
}

func isRefused(err error) bool {
	return err != nil && strings.Contains(err.Error(), payment.ErrRefused.Error())
}

// A decision of the platform is a refusal; after any other failure the result is unknown.
func TestWechatAnswers(t *testing.T) {
	t.Parallel()
	w, platform := wechat(t)
	for status, refused := range map[int]bool{
		400: true, 401: true, 403: true, 404: true, 409: true, 429: false, 408: false, 500: false, 502: false, 503: false, 302: false,
	} {
		for name, call := range calls(w) {
			if status == 404 && (name == "close" || name == "query") {
				continue // nothing to close, nothing paid
			}
			platform.Answer(func(*http.Request) (int, string, bool) {
				return status, `{"code":"SOME_CODE","message":"some text"}`, true
			})
			err := call(t.Context())
			require.Error(t, err, "%s %d", name, status)
			require.Equal(t, refused, isRefused(err), "%s %d: %v", name, status, err)
		}
	}
	platform.Answer(func(*http.Request) (int, string, bool) {
		return 400, `{"code":"SYSTEM_ERROR","message":"busy"}`, true
	})
	_, err := w.Refund(t.Context(), back())
	require.Error(t, err)
	require.False(t, isRefused(err))
}

// An answer without the platform's signature decides nothing.
func TestWechatUnsignedAnswers(t *testing.T) {
	t.Parallel()
	w, platform := wechat(t)
	set := func(name, value string) func(http.Header, []byte) (http.Header, []byte) {
		return func(h http.Header, body []byte) (http.Header, []byte) { h.Set(name, value); return h, body }
	}
	stale := domaintest.Noon.Add(-5*time.Minute - time.Second)
	for what, mangle := range map[string]func(http.Header, []byte) (http.Header, []byte){
		"no signature":      set("Wechatpay-Signature", ""),
		"another serial":    set("Wechatpay-Serial", "PUB_KEY_ID_2"),
		"another nonce":     set("Wechatpay-Nonce", "x"),
		"another time":      set("Wechatpay-Timestamp", "1893556801"),
		"a changed body":    func(h http.Header, body []byte) (http.Header, []byte) { return h, append(body, ' ') },
		"an old answer":     func(_ http.Header, body []byte) (http.Header, []byte) { return platform.SignedAt(stale, body), body },
		"a forged time":     set("Wechatpay-Timestamp", "x"),
		"no headers at all": func(_ http.Header, body []byte) (http.Header, []byte) { return http.Header{}, body },
	} {
		platform.Mangle(mangle)
		for name, call := range calls(w) {
			if what == "a changed body" && name == "close" {
				continue // its answer has none
			}
			err := call(t.Context())
			require.ErrorIs(t, err, payment.ErrSignature, "%s: %s", what, name)
			require.False(t, isRefused(err), "%s: %s", what, name)
		}
	}
	edge := domaintest.Noon.Add(-5 * time.Minute)
	platform.Mangle(func(_ http.Header, body []byte) (http.Header, []byte) { return platform.SignedAt(edge, body), body })
	_, err := w.Prepay(t.Context(), ask())
	require.NoError(t, err, "five minutes are allowed")
}

// No error contains a key, or an address, since an address may contain personal data.
func TestWechatErrorsAreDiscreet(t *testing.T) {
	t.Parallel()
	platform := domaintest.NewWechat(t, atNoon)
	o := platform.Options
	o.Base = "http://127.0.0.1:1/secret-path"
	w, err := wechatpay.New(o)
	require.NoError(t, err)
	gone, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	for name, call := range calls(w) {
		for _, ctx := range []context.Context{t.Context(), gone} {
			err := call(ctx)
			require.Error(t, err, name)
			require.False(t, isRefused(err), name)
			for _, secret := range []string{"secret-path", "BEGIN", domaintest.WechatAPIKey, "out-trade-no", "http://"} {
				require.NotContains(t, err.Error(), secret, name)
			}
		}
	}
}

func TestWechatKeys(t *testing.T) {
	t.Parallel()
	platform := domaintest.NewWechat(t, atNoon)
	good := platform.Options
	file := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(file, []byte(good.PrivateKey), 0o600))
	for name, change := range map[string]func(*wechatpay.Options){
		"text":               func(*wechatpay.Options) {},
		"a file":             func(o *wechatpay.Options) { o.PrivateKey = file },
		"written line feeds": func(o *wechatpay.Options) { o.PrivateKey = strings.ReplaceAll(o.PrivateKey, "\n", `\n`) },
	} {
		o := good
		change(&o)
		w, err := wechatpay.New(o)
		require.NoError(t, err, name)
		_, err = w.Prepay(t.Context(), ask())
		require.NoError(t, err, name)
	}
	bare := strings.SplitN(good.PrivateKey, "\n", 2)[1]
	for want, change := range map[string]func(*wechatpay.Options){
		"app-id is needed":                         func(o *wechatpay.Options) { o.AppID = "" },
		"mch-id is needed":                         func(o *wechatpay.Options) { o.MchID = "" },
		"mch-serial is needed":                     func(o *wechatpay.Options) { o.MchSerial = "" },
		"private-key is needed":                    func(o *wechatpay.Options) { o.PrivateKey = "" },
		"platform-keys is needed":                  func(o *wechatpay.Options) { o.PlatformKeys = nil },
		"entry 1 is not of the form ID=key":        func(o *wechatpay.Options) { o.PlatformKeys = []string{"PUB_KEY_ID_1="} },
		"entry 2 is not of the form ID=key":        func(o *wechatpay.Options) { o.PlatformKeys = append(o.PlatformKeys, bare+"=x") },
		"entry 2 has the name of an earlier one":   func(o *wechatpay.Options) { o.PlatformKeys = append(o.PlatformKeys, o.PlatformKeys[0]) },
		"entry 2 is neither PEM text nor a readab": func(o *wechatpay.Options) { o.PlatformKeys = append(o.PlatformKeys, "X="+bare) },
		"api-key must have 32 bytes":               func(o *wechatpay.Options) { o.APIKey = "short" },
		"base-url is no address":                   func(o *wechatpay.Options) { o.Base = "ftp://x" },
		"private-key is no private key":            func(o *wechatpay.Options) { _, o.PrivateKey, _ = strings.Cut(o.PlatformKeys[0], "=") },
		"entry 1 is no public key":                 func(o *wechatpay.Options) { o.PlatformKeys = []string{"X=" + o.PrivateKey} },
		"private-key holds no PEM block":           func(o *wechatpay.Options) { o.PrivateKey = "-----BEGIN nothing" },
		"private-key is neither PEM text nor a re": func(o *wechatpay.Options) { o.PrivateKey = bare },
	} {
		o := good
		change(&o)
		_, err := wechatpay.New(o)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), bare[:40], "no key in an error")
	}
}

// While the platform rotates its key it may sign with either; a key that the merchant has not entered is not trusted.
func TestWechatChangesItsKey(t *testing.T) {
	t.Parallel()
	platform := domaintest.NewWechat(t, atNoon)
	with := func(ids ...string) *wechatpay.Gateway {
		o := platform.Options
		o.PlatformKeys = nil
		for _, id := range ids {
			o.PlatformKeys = append(o.PlatformKeys, platform.Key(id))
		}
		w, err := wechatpay.New(o)
		require.NoError(t, err)
		return w
	}
	const first, next = domaintest.WechatKeyID, domaintest.WechatNextID
	for name, tt := range map[string]struct {
		shop   *wechatpay.Gateway
		signer string
		good   bool
	}{
		"before":                         {with(first), first, true},
		"the shop knows both, first":     {with(first, next), first, true},
		"the shop knows both, next":      {with(first, next), next, true},
		"in the other order, first":      {with(next, first), first, true},
		"in the other order, next":       {with(next, first), next, true},
		"after":                          {with(next), next, true},
		"the shop does not know the new": {with(first), next, false},
		"the shop has dropped the old":   {with(next), first, false},
	} {
		platform.SignWith(tt.signer)
		_, err := tt.shop.Prepay(t.Context(), ask())
		platform.Pay(ask().OutTradeNo)
		header, body := platform.Notification(ask().OutTradeNo, nil)
		n, readErr := tt.shop.Read(t.Context(), header.Get, body, atNoon())
		if !tt.good {
			require.ErrorIs(t, err, payment.ErrSignature, name)
			require.ErrorIs(t, readErr, payment.ErrSignature, name)
			continue
		}
		require.NoError(t, err, name)
		require.NoError(t, readErr, name)
		require.Equal(t, ask().OutTradeNo, n.OutTradeNo, name)
		// The key id must be that of the key which has signed.
		header.Set("Wechatpay-Serial", map[string]string{first: next, next: first}[tt.signer])
		_, err = tt.shop.Read(t.Context(), header.Get, body, atNoon())
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
}

func TestWechatNotifications(t *testing.T) {
	t.Parallel()
	w, platform := wechat(t)
	_, err := w.Prepay(t.Context(), ask())
	require.NoError(t, err)
	number := ask().OutTradeNo
	platform.Pay(number)
	header, body := platform.Notification(number, nil)
	n, err := w.Read(t.Context(), header.Get, body, atNoon())
	require.NoError(t, err)
	require.Equal(t, "4200"+number, n.TransactionID)
	require.Equal(t, money.Amount(8100), n.Amount)
	_, err = w.Read(t.Context(), header.Get, body, atNoon().Add(5*time.Minute+time.Second))
	require.ErrorIs(t, err, payment.ErrSignature, "too old")
	var loose any
	require.NoError(t, json.Unmarshal(body, &loose))
	again, err := json.Marshal(loose)
	require.NoError(t, err)
	_, err = w.Read(t.Context(), header.Get, append(again, '\n'), atNoon())
	require.ErrorIs(t, err, payment.ErrSignature, "the same JSON in other bytes")

	header, body = platform.RefundNotification("refund_1", "SUCCESS", 8100)
	n, err = w.Read(t.Context(), header.Get, body, atNoon())
	require.NoError(t, err)
	require.True(t, n.Refund)
	require.False(t, n.RefundFailed)
	require.Equal(t, "refund_1", n.OutRefundNo)
	header, body = platform.RefundNotification("refund_1", "ABNORMAL", 8100)
	n, err = w.Read(t.Context(), header.Get, body, atNoon())
	require.NoError(t, err)
	require.True(t, n.RefundFailed)
	header, body = platform.RefundNotification("refund_1", "NEWSTATE", 8100)
	_, err = w.Read(t.Context(), header.Get, body, atNoon())
	require.ErrorIs(t, err, payment.ErrRefused)
}
