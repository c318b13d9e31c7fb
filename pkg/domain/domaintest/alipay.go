package domaintest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/alipay"
	"shop.internal/pkg/domain/payment/transfer"
)

// The merchant at Alipay.
const (
	AlipayApp    = "2021000000000001"
	AlipaySeller = "2088000000000001"
)

// Alipay is the payment platform, written from its documentation without the shop's own code. It verifies every request
// like the platform and signs its answers.
type Alipay struct {
	// Options are those of a merchant of this platform.
	Options alipay.Options

	t    testing.TB
	now  func() time.Time
	keys alipayKeys
	// number is that of the platform's certificate, empty without certificates.
	number string

	mu      sync.Mutex
	trades  map[string]*AlipayTrade
	calls   []string
	answer  func(method string) (node string, ok bool)
	mangle  func(node, whole string) string
	pending bool
	status  int
}

// AlipayTrade is a payment at the platform.
type AlipayTrade struct {
	// Asked is the content of the request that created it.
	Asked map[string]any
	// Method is that of the request, NotifyURL and ReturnURL the addresses that it names.
	Method, NotifyURL, ReturnURL string
	// Refunds are the amounts by our numbers.
	Refunds map[string]money.Amount

	number, status string
}

// NewAlipay starts a platform with a clock, for a merchant with bare keys.
func NewAlipay(t testing.TB, now func() time.Time) *Alipay {
	t.Helper()
	keys, err := alipayKeysOnce()
	require.NoError(t, err)
	a := &Alipay{t: t, now: now, keys: keys, trades: map[string]*AlipayTrade{}}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	a.Options = alipay.Options{
		AppID: AlipayApp, SellerID: AlipaySeller, PrivateKey: keys.private, PlatformKeys: []string{keys.public},
		NotifyURL: "https://shop.test/wx/order/pay-notify/alipay", Base: server.URL + "/gateway.do", Now: now,
	}
	return a
}

// OpenPlatforms returns a shop with both payment platforms, of which it offers some channels, in that order.
func OpenPlatforms(t testing.TB, offered ...string) (*Shop, *Wechat, *Alipay) {
	t.Helper()
	clock := &Clock{at: Noon}
	w, a := NewWechat(t, clock.Now), NewAlipay(t, clock.Now)
	return openWith(t, clock, home, country.Country{}, app.PaymentConfig{
		Providers: payment.ProvidersOf(&Providers{
			Wechat: w.Section(), Alipay: a.Section(), Transfer: transfer.Section{Account: "Bank of Tests", Wait: 72 * time.Hour},
		}),
		Offered: offered, NotifyURL: w.Options.NotifyURL,
	}), w, a
}

// WithCertificates makes the merchant use certificates.
func (a *Alipay) WithCertificates() {
	a.Options.PlatformKeys, a.number = []string{a.keys.platformCert}, a.keys.platformNumber
	a.Options.AppCert, a.Options.RootCert = a.keys.appCert, a.keys.rootCert
}

// Section returns the configuration of the merchant.
func (a *Alipay) Section() alipay.Section {
	o := a.Options
	return alipay.Section{
		AppID: o.AppID, SellerID: o.SellerID, PrivateKey: o.PrivateKey, PlatformKeys: o.PlatformKeys, AppCert: o.AppCert,
		RootCert: o.RootCert, BaseURL: o.Base,
	}
}

// Answer replaces the signed part of answers while fn returns ok; nil ends that. The request has its effect.
func (a *Alipay) Answer(fn func(method string) (node string, ok bool)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answer = fn
}

// Mangle changes answers after they were signed; nil ends that.
func (a *Alipay) Mangle(fn func(node, whole string) string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mangle = fn
}

// Status makes the platform answer with another status than 200; a redirect leads to itself.
func (a *Alipay) Status(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status = status
}

// Hold makes the platform take refunds and make them only when it is released.
func (a *Alipay) Hold(pending bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending = pending
}

// Calls returns the method of every correctly signed request since the last call.
func (a *Alipay) Calls() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.calls
	a.calls = nil
	return all
}

// Trade returns the payment of a number of the shop, nil if the platform knows of none.
func (a *Alipay) Trade(outTradeNo string) *AlipayTrade {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.trades[taken(outTradeNo)]
}

// taken is a number of the shop as the platform takes it.
func taken(outTradeNo string) string { return strings.ReplaceAll(outTradeNo, "-", "_") }

// Visit does what a payer's browser does at the address of a payment: the platform checks the request and creates the
// trade.
func (a *Alipay) Visit(address string) *AlipayTrade {
	a.t.Helper()
	u, err := url.Parse(address)
	require.NoError(a.t, err)
	v := u.Query()
	require.True(a.t, a.authentic(v), "the address is signed")
	content := contentOf(a.t, v)
	require.Regexp(a.t, numberForm, content["out_trade_no"])
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.create(v, content)
}

// Pay pays a trade and returns the platform's number.
func (a *Alipay) Pay(outTradeNo string) string {
	a.t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	trade := a.trades[taken(outTradeNo)]
	require.NotNil(a.t, trade, outTradeNo)
	trade.status = "TRADE_SUCCESS"
	return trade.number
}

// ServeHTTP answers one request.
func (a *Alipay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil || r.Method != http.MethodPost {
		a.t.Errorf("a request by %s: %v", r.Method, err)
	}
	method := r.PostForm.Get("method")
	name := strings.ReplaceAll(method, ".", "_") + "_response"
	if !a.authentic(r.PostForm) { // the platform does not sign this one
		_, _ = io.WriteString(w, `{"`+name+`":{"code":"40002","msg":"Invalid Arguments","sub_code":"isv.invalid-signature"}}`)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, method)
	node := a.reply(method, r.PostForm)
	if a.answer != nil {
		if other, ok := a.answer(method); ok {
			node = other
		}
	}
	certificate := ""
	if a.number != "" {
		certificate = `"alipay_cert_sn":"` + a.number + `",`
	}
	whole := fmt.Sprintf(`{"%s":%s,%s"sign":"%s"}`, name, node, certificate, a.sign(node))
	if a.mangle != nil {
		whole = a.mangle(node, whole)
	}
	if a.status != 0 {
		w.Header().Set("Location", r.URL.Path)
		w.WriteHeader(a.status)
	}
	_, _ = io.WriteString(w, whole)
}

func (a *Alipay) sign(text string) string {
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, a.keys.platform, crypto.SHA256, sum[:])
	if err != nil {
		a.t.Errorf("sign: %v", err)
	}
	return base64.StdEncoding.EncodeToString(signature)
}

// lines are the parameters in the order of their names.
func lines(v url.Values, without ...string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !slices.Contains(without, name) {
			all = append(all, name+"="+v.Get(name))
		}
	}
	return strings.Join(all, "&")
}

func (a *Alipay) authentic(v url.Values) bool {
	signature, err := base64.StdEncoding.DecodeString(v.Get("sign"))
	if err != nil {
		return false
	}
	sum := sha256.Sum256([]byte(lines(v, "sign")))
	app, root := "", ""
	if a.number != "" {
		app, root = a.keys.appNumber, a.keys.rootNumber
	}
	return rsa.VerifyPKCS1v15(&a.keys.merchant.PublicKey, crypto.SHA256, sum[:], signature) == nil &&
		v.Get("app_id") == AlipayApp && v.Get("sign_type") == "RSA2" && v.Get("charset") == "utf-8" &&
		v.Get("version") == "1.0" && v.Get("app_cert_sn") == app && v.Get("alipay_root_cert_sn") == root
}

func contentOf(t testing.TB, v url.Values) map[string]any {
	var content map[string]any
	if err := json.Unmarshal([]byte(v.Get("biz_content")), &content); err != nil {
		t.Errorf("content of the request: %v", err)
	}
	return content
}

// numberForm is that of a merchant's number of a trade.
var numberForm = regexp.MustCompile(`^[0-9A-Za-z_]{0,64}$`)

func refusal(sub string) string {
	return `{"code":"40004","msg":"Business Failed","sub_code":"` + sub + `","sub_msg":"refused"}`
}

func (a *Alipay) reply(method string, v url.Values) string {
	at, err := time.ParseInLocation(time.DateTime, v.Get("timestamp"), time.FixedZone("", 8*60*60))
	if err != nil || a.now().Sub(at).Abs() > 15*time.Minute {
		return `{"code":"40002","msg":"Invalid Arguments","sub_code":"isv.invalid-timestamp","sub_msg":"the clock is off"}`
	}
	content := contentOf(a.t, v)
	if number, _ := content["out_trade_no"].(string); !numberForm.MatchString(number) {
		return refusal("ACQ.INVALID_PARAMETER")
	}
	if method == "alipay.trade.precreate" {
		trade := a.create(v, content)
		return fmt.Sprintf(`{"code":"10000","msg":"Success","out_trade_no":%q,"qr_code":"https://qr.alipay.test/%s"}`,
			content["out_trade_no"], trade.number)
	}
	trade := a.find(content)
	if trade == nil {
		return refusal("ACQ.TRADE_NOT_EXIST")
	}
	same := fmt.Sprintf(`"code":"10000","msg":"Success","trade_no":%q,"out_trade_no":%q`, trade.number,
		trade.Asked["out_trade_no"])
	switch method {
	case "alipay.trade.query":
		return fmt.Sprintf(`{%s,"trade_status":%q,"total_amount":%q,"send_pay_date":"2030-01-02 12:00:00"}`, same,
			trade.status, trade.Asked["total_amount"])
	case "alipay.trade.close":
		if trade.status != "WAIT_BUYER_PAY" {
			return refusal("ACQ.TRADE_STATUS_ERROR")
		}
		trade.status = "TRADE_CLOSED"
		return "{" + same + "}"
	case "alipay.trade.refund":
		return a.refund(trade, content, same)
	case "alipay.trade.fastpay.refund.query":
		number, _ := content["out_request_no"].(string)
		if amount, made := trade.Refunds[number]; made && !a.pending {
			return fmt.Sprintf(`{%s,"out_request_no":%q,"refund_amount":%q,"refund_status":"REFUND_SUCCESS"}`, same, number,
				amount)
		}
		return "{" + same + "}"
	}
	return `{"code":"40001","msg":"Missing Required Arguments","sub_code":"isv.missing-method"}`
}

// create creates a trade, unless there is one of the number.
func (a *Alipay) create(v url.Values, content map[string]any) *AlipayTrade {
	number, _ := content["out_trade_no"].(string)
	if a.trades[number] == nil {
		a.trades[number] = &AlipayTrade{
			number: "2030010222001" + number[max(0, len(number)-40):], status: "WAIT_BUYER_PAY",
			Refunds: map[string]money.Amount{},
		}
	}
	trade := a.trades[number]
	trade.Asked, trade.Method = content, v.Get("method")
	trade.NotifyURL, trade.ReturnURL = v.Get("notify_url"), v.Get("return_url")
	return trade
}

func (a *Alipay) find(content map[string]any) *AlipayTrade {
	if number, _ := content["out_trade_no"].(string); number != "" {
		return a.trades[number]
	}
	for _, trade := range a.trades {
		if trade.number == content["trade_no"] {
			return trade
		}
	}
	return nil
}

func (a *Alipay) refund(trade *AlipayTrade, content map[string]any, same string) string {
	number, _ := content["out_request_no"].(string)
	text, _ := content["refund_amount"].(string)
	amount, err := money.Parse(text)
	if err != nil {
		a.t.Errorf("refund of %q: %v", text, err)
	}
	before, known := trade.Refunds[number]
	total := trade.amount()
	back := trade.refunded()
	switch {
	case known && before != amount:
		return refusal("ACQ.DISCORDANT_REPEAT_REQUEST")
	case trade.status != "TRADE_SUCCESS" && !known:
		return refusal("ACQ.TRADE_STATUS_ERROR")
	case !known && back+amount > total:
		return refusal("ACQ.REFUND_AMT_NOT_EQUAL_TOTAL")
	}
	trade.Refunds[number] = amount
	if trade.refunded() == total {
		trade.status = "TRADE_CLOSED"
	}
	moved := "Y"
	if known || a.pending {
		moved = "N"
	}
	return fmt.Sprintf(`{%s,"fund_change":%q,"refund_fee":%q}`, same, moved, trade.refunded())
}

func (t *AlipayTrade) amount() money.Amount {
	text, _ := t.Asked["total_amount"].(string)
	amount, _ := money.Parse(text)
	return amount
}

func (t *AlipayTrade) refunded() (sum money.Amount) {
	for _, amount := range t.Refunds {
		sum += amount
	}
	return sum
}
