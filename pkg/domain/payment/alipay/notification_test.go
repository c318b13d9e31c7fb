package alipay_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/alipay"
)

func TestNotifications(t *testing.T) {
	t.Parallel()
	g, platform := open(t)
	_, _, err := g.Start(t.Context(), ask(payment.KindQR))
	require.NoError(t, err)
	set := func(pairs ...string) func(url.Values) {
		return func(v url.Values) {
			for i := 0; i < len(pairs); i += 2 {
				v.Set(pairs[i], pairs[i+1])
			}
		}
	}
	read := func(edit func(url.Values)) (payment.Notification, error) {
		return g.Read(t.Context(), nil, platform.Notification(number, edit), atNoon())
	}
	_, err = read(nil)
	require.ErrorIs(t, err, payment.ErrNoNews, "the payer has scanned the code")
	trade := platform.Pay(number)
	for _, status := range []string{"TRADE_SUCCESS", "TRADE_FINISHED"} {
		n, err := read(set("trade_status", status))
		require.NoError(t, err)
		require.True(t, n.Time.Equal(time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)))
		require.Equal(t, payment.Notification{
			ID: "20300102TRADE_SUCCESS" + number, OutTradeNo: number, TransactionID: trade, Amount: 8100, Currency: "CNY",
			Time: n.Time,
		}, n)
	}
	_, err = g.Read(t.Context(), nil, platform.Notification(number, nil), atNoon().Add(25*time.Hour))
	require.NoError(t, err, "the platform repeats it for a day")

	for what, tt := range map[string]struct {
		edit func(url.Values)
		want error
	}{
		"closed":               {set("trade_status", "TRADE_CLOSED"), payment.ErrNoNews},
		"an unknown state":     {set("trade_status", "NEW"), payment.ErrRefused},
		"no state":             {func(v url.Values) { v.Del("trade_status") }, payment.ErrRefused},
		"another application":  {set("app_id", "2"), payment.ErrRefused},
		"another merchant":     {set("seller_id", "2"), payment.ErrRefused},
		"another app, waiting": {set("app_id", "2", "trade_status", "WAIT_BUYER_PAY"), payment.ErrRefused},
		"no number":            {func(v url.Values) { v.Del("notify_id") }, payment.ErrRefused},
		"a long number":        {set("notify_id", strings.Repeat("1", 97)), payment.ErrRefused},
		"no trade":             {set("trade_no", ""), payment.ErrRefused},
		"a long trade":         {set("trade_no", strings.Repeat("1", 64)), payment.ErrRefused},
		"no payment":           {set("out_trade_no", ""), payment.ErrRefused},
		"no amount":            {set("total_amount", ""), payment.ErrRefused},
		"an amount of nothing": {set("total_amount", "0.00"), payment.ErrRefused},
		"a negative amount":    {set("total_amount", "-81.00"), payment.ErrRefused},
		"parts of a cent":      {set("total_amount", "81.001"), payment.ErrRefused},
		"no time":              {set("gmt_payment", ""), payment.ErrRefused},
		"a refund of nothing":  {set("gmt_refund", "2030-01-02 12:30:00", "out_biz_no", ""), payment.ErrRefused},
	} {
		n, err := read(tt.edit)
		require.ErrorIs(t, err, tt.want, what)
		require.LessOrEqual(t, len(n.ID), 96, what)
	}
	n, err := read(set("total_amount", "80.99"))
	require.NoError(t, err, "whether the amount is right, the shop decides")
	require.EqualValues(t, 8099, n.Amount)
}

// Of several refunds each notification has the sum of all so far.
func TestRefundNotifications(t *testing.T) {
	t.Parallel()
	g, platform := paid(t)
	for _, refund := range []string{"r1", "r2"} {
		_, err := g.Refund(t.Context(), back(refund, 4050))
		require.NoError(t, err)
		n, err := g.Read(t.Context(), nil, platform.RefundNotification(number, refund), atNoon())
		require.NoError(t, err)
		require.Equal(t, payment.Notification{
			ID: "20300102refund" + refund, Refund: true, OutRefundNo: refund, RefundID: refund, OutTradeNo: number,
			TransactionID: platform.Pay(number), Amount: map[string]money.Amount{"r1": 4050, "r2": 8100}[refund], Sum: true,
			Currency: "CNY", Time: n.Time,
		}, n)
	}
}

// What the platform has not signed, or not so, is forged.
func TestForgedNotifications(t *testing.T) {
	t.Parallel()
	g, platform := paid(t)
	good := string(platform.Notification(number, nil))
	changed := func(name, value string) string {
		v, err := url.ParseQuery(good)
		require.NoError(t, err)
		v.Set(name, value)
		return v.Encode()
	}
	for what, body := range map[string]string{
		"nothing": "", "no form": "%zz", "JSON": `{"id":"1"}`,
		"another amount":    changed("total_amount", "81.01"),
		"another state":     changed("trade_status", "TRADE_FINISHED"),
		"a member more":     changed("gmt_refund", "2030-01-02 12:30:00"),
		"no signature":      changed("sign", ""),
		"another signature": changed("sign", "AAAA"),
		"no base64":         changed("sign", "*"),
		"an older kind":     changed("sign_type", "RSA"),
		"a member twice":    good + "&total_amount=0.01",
		"before the member": "total_amount=0.01&" + good,
	} {
		_, err := g.Read(t.Context(), nil, []byte(body), atNoon())
		require.ErrorIs(t, err, payment.ErrSignature, what)
	}
	shuffled := strings.Split(good, "&")
	shuffled[0], shuffled[len(shuffled)-1] = shuffled[len(shuffled)-1], shuffled[0]
	_, err := g.Read(t.Context(), nil, []byte(strings.Join(shuffled, "&")), atNoon())
	require.NoError(t, err, "the order of the members is not signed")
}

// FuzzRead reads arbitrary bytes: nothing is authentic but what the platform has signed, whatever it says.
func FuzzRead(f *testing.F) {
	platform := domaintest.NewAlipay(f, atNoon)
	g, err := alipay.New(platform.Options)
	require.NoError(f, err)
	_, _, err = g.Start(f.Context(), ask(payment.KindQR))
	require.NoError(f, err)
	platform.Pay(number)
	unsigned, err := url.ParseQuery(string(platform.RefundNotification(number, "r1")))
	require.NoError(f, err)
	unsigned.Set("sign", "AAAA")
	for i, body := range []string{unsigned.Encode(), "", "sign=&sign_type=RSA2", "a=1&a=2", "%", "a;b", "{}"} {
		name := []string{"gmt_refund", "out_biz_no", "total_amount", "trade_status", "notify_id", "sign", "trade_no"}[i]
		f.Add(body, name, "2030-01-02 12:30:00")
	}
	f.Fuzz(func(t *testing.T, body, name, value string) {
		_, err := g.Read(t.Context(), nil, []byte(body), atNoon())
		require.ErrorIs(t, err, payment.ErrSignature, "the key of this process has not signed it")
		n, err := g.Read(t.Context(), nil, platform.Notification(number, func(v url.Values) { v.Set(name, value) }), atNoon())
		if err != nil {
			known := errors.Is(err, payment.ErrSignature) || errors.Is(err, payment.ErrRefused) ||
				errors.Is(err, payment.ErrNoNews)
			require.True(t, known, err)
			return
		}
		require.True(t, n.ID != "" && len(n.ID) <= 96 && len(n.TransactionID) <= 63 && n.Amount > 0, "%+v", n)
		require.Equal(t, n.Refund, n.OutRefundNo != "")
	})
}
