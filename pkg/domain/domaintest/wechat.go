package domaintest

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/wechatpay"
)

// The shared identities and keys of the merchant and the platform.
const (
	WechatApp    = "wx8888888888888888"
	WechatMch    = "1230000109"
	WechatSerial = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1"
	WechatKeyID  = "PUB_KEY_ID_0112300001092030"
	WechatNextID = "PUB_KEY_ID_0112300001092031"
	WechatAPIKey = "0123456789abcdef0123456789abcdef"
)

// Wechat is the payment platform, written from its documentation without the shop's own code. It verifies every request
// like the platform and signs its answers.
type Wechat struct {
	URL string
	// Options are those of a merchant of this platform.
	Options wechatpay.Options

	t        testing.TB
	now      func() time.Time
	keys     map[string]*rsa.PrivateKey
	merchant *rsa.PublicKey

	mu sync.Mutex
	// Orders and Refunds are the requests received, by our numbers.
	Orders, Refunds map[string]map[string]any
	paid            map[string]string
	closed          map[string]bool
	calls           []string
	// answer replaces the platform's answers, sign changes their signatures.
	answer func(r *http.Request) (status int, body string, ok bool)
	sign   func(h http.Header, body []byte) (http.Header, []byte)
	// signer is the id of the signing key.
	signer string
}

// wechatKeys are the merchant's key and the platform's two keys, generated once a process.
var wechatKeys = sync.OnceValues(func() (keys [3]*rsa.PrivateKey, err error) {
	for i := range keys {
		if keys[i], err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			return keys, err
		}
	}
	return keys, nil
})

// NewWechat starts a platform with a clock.
func NewWechat(t testing.TB, now func() time.Time) *Wechat {
	t.Helper()
	all, err := wechatKeys()
	require.NoError(t, err)
	w := &Wechat{
		t: t, now: now, keys: map[string]*rsa.PrivateKey{WechatKeyID: all[1], WechatNextID: all[2]}, signer: WechatKeyID,
		merchant: &all[0].PublicKey, Orders: map[string]map[string]any{},
		Refunds: map[string]map[string]any{}, paid: map[string]string{}, closed: map[string]bool{},
	}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.URL = server.URL
	private, err := x509.MarshalPKCS8PrivateKey(all[0])
	require.NoError(t, err)
	w.Options = wechatpay.Options{
		AppID: WechatApp, MchID: WechatMch, MchSerial: WechatSerial,
		PrivateKey:   string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		PlatformKeys: []string{w.Key(WechatKeyID)},
		APIKey:       WechatAPIKey, NotifyURL: "https://shop.test/wx/order/pay-notify", Base: server.URL, Now: now,
	}
	return w
}

// Key returns one of the platform's public keys as a merchant configures it.
func (w *Wechat) Key(id string) string {
	w.t.Helper()
	public, err := x509.MarshalPKIXPublicKey(&w.keys[id].PublicKey)
	require.NoError(w.t, err)
	return id + "=" + string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
}

// SignWith makes the platform sign with another of its keys.
func (w *Wechat) SignWith(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.signer = id
}

// OpenWechat returns a shop with WeChat payments, and the platform.
func OpenWechat(t testing.TB) (*Shop, *Wechat) {
	t.Helper()
	clock := &Clock{at: Noon}
	w := NewWechat(t, clock.Now)
	return openWith(t, clock, home, country.Country{}, app.PaymentConfig{
		Providers: payment.ProvidersOf(&Providers{Wechat: w.Section()}), Offered: []string{"wechat"},
		NotifyURL: w.Options.NotifyURL,
	}), w
}

// Section returns the configuration of the merchant.
func (w *Wechat) Section() wechatpay.Section {
	o := w.Options
	return wechatpay.Section{
		AppID: o.AppID, MchID: o.MchID, MchSerial: o.MchSerial, PrivateKey: o.PrivateKey, PlatformKeys: o.PlatformKeys,
		APIKey: o.APIKey, BaseURL: o.Base,
	}
}

// Answer replaces the platform's answers while fn returns ok; nil ends that.
func (w *Wechat) Answer(fn func(r *http.Request) (status int, body string, ok bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = fn
}

// Mangle changes answers after they were signed; nil ends that.
func (w *Wechat) Mangle(fn func(h http.Header, body []byte) (http.Header, []byte)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sign = fn
}

// Pay pays an order and returns the transaction.
func (w *Wechat) Pay(outTradeNo string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paid[outTradeNo] = "4200" + outTradeNo
	return w.paid[outTradeNo]
}

// Calls returns the method and path of every correctly signed request since the last call.
func (w *Wechat) Calls() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.calls
	w.calls = nil
	return all
}

// Refunded reports whether the platform has accepted a refund.
func (w *Wechat) Refunded(outRefundNo string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Refunds[outRefundNo] != nil
}

var authorization = regexp.MustCompile(`^WECHATPAY2-SHA256-RSA2048 mchid="([^"]+)",nonce_str="([^"]+)",` +
	`timestamp="(\d+)",serial_no="([^"]+)",signature="([^"]+)"$`)

// ServeHTTP answers one request.
func (w *Wechat) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.t.Errorf("read the request: %v", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	status, text := 401, `{"code":"SIGN_ERROR","message":"wrong signature"}`
	if w.authentic(r, body) {
		w.calls = append(w.calls, r.Method+" "+r.URL.RequestURI())
		status, text = w.reply(r, body)
		if w.answer != nil {
			if s, other, ok := w.answer(r); ok {
				status, text = s, other
			}
		}
	}
	h, out := w.signed([]byte(text)), []byte(text)
	if w.sign != nil {
		h, out = w.sign(h, out)
	}
	maps.Copy(rw.Header(), h)
	rw.WriteHeader(status)
	if status != http.StatusNoContent {
		_, _ = rw.Write(out)
	}
}

func (w *Wechat) authentic(r *http.Request, body []byte) bool {
	m := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if m == nil || m[1] != WechatMch || m[4] != WechatSerial || w.keys[r.Header.Get("Wechatpay-Serial")] == nil {
		return false
	}
	signature, err := base64.StdEncoding.DecodeString(m[5])
	if err != nil {
		return false
	}
	signed := []string{r.Method, r.URL.RequestURI(), m[3], m[2], string(body), ""}
	sum := sha256.Sum256([]byte(strings.Join(signed, "\n")))
	return rsa.VerifyPKCS1v15(w.merchant, crypto.SHA256, sum[:], signature) == nil
}

// Signed fails the test unless the merchant has signed the lines.
func (w *Wechat) Signed(signature string, lines ...string) {
	w.t.Helper()
	raw, err := base64.StdEncoding.DecodeString(signature)
	require.NoError(w.t, err)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n") + "\n"))
	require.NoError(w.t, rsa.VerifyPKCS1v15(w.merchant, crypto.SHA256, sum[:], raw))
}

func (w *Wechat) signed(body []byte) http.Header { return w.SignedAt(w.now(), body) }

// SignedAt returns the headers of a message that the platform signs at a time.
func (w *Wechat) SignedAt(at time.Time, body []byte) http.Header {
	stamp, nonce := strconv.FormatInt(at.Unix(), 10), rand.Text()
	sum := sha256.Sum256([]byte(stamp + "\n" + nonce + "\n" + string(body) + "\n"))
	signature, err := rsa.SignPKCS1v15(rand.Reader, w.keys[w.signer], crypto.SHA256, sum[:])
	if err != nil {
		w.t.Errorf("sign: %v", err)
	}
	return http.Header{
		"Content-Type": {"application/json"}, "Wechatpay-Timestamp": {stamp}, "Wechatpay-Nonce": {nonce},
		"Wechatpay-Signature": {base64.StdEncoding.EncodeToString(signature)}, "Wechatpay-Serial": {w.signer},
	}
}

const (
	ordersPath  = "/v3/pay/transactions/out-trade-no/"
	refundsPath = "/v3/refund/domestic/refunds"
)

func (w *Wechat) reply(r *http.Request, body []byte) (int, string) {
	order := map[string]any{}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &order); err != nil {
			return 400, `{"code":"PARAM_ERROR","message":"no JSON"}`
		}
	}
	number, _ := order["out_trade_no"].(string)
	refund, _ := order["out_refund_no"].(string)
	switch path := r.URL.Path; {
	case path == "/v3/pay/transactions/jsapi":
		w.Orders[number] = order
		return 200, fmt.Sprintf(`{"prepay_id":"wx%s"}`, number)
	case path == "/v3/pay/transactions/h5":
		w.Orders[number] = order
		return 200, fmt.Sprintf(`{"h5_url":"https://wx.tenpay.test/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx%s"}`, number)
	case strings.HasSuffix(path, "/close"):
		return w.shut(strings.TrimSuffix(strings.TrimPrefix(path, ordersPath), "/close"))
	case strings.HasPrefix(path, ordersPath):
		return w.query(strings.TrimPrefix(path, ordersPath))
	case path == refundsPath:
		w.Refunds[refund] = order
		return w.refund(refund)
	case strings.HasPrefix(path, refundsPath+"/"):
		return w.refund(strings.TrimPrefix(path, refundsPath+"/"))
	}
	return 404, `{"code":"RESOURCE_NOT_EXISTS","message":"no such address"}`
}

func (w *Wechat) shut(number string) (int, string) {
	if w.paid[number] != "" {
		return 400, `{"code":"ORDERPAID","message":"the order is paid"}`
	}
	w.closed[number] = true
	return 204, ""
}

func (w *Wechat) query(number string) (int, string) {
	if w.Orders[number] == nil {
		return 404, `{"code":"ORDER_NOT_EXIST","message":"no such order"}`
	}
	if w.paid[number] == "" {
		state := "NOTPAY"
		if w.closed[number] {
			state = "CLOSED"
		}
		return 200, fmt.Sprintf(`{"appid":%q,"mchid":%q,"out_trade_no":%q,"trade_state":%q}`, WechatApp, WechatMch,
			number, state)
	}
	text, err := json.Marshal(w.transaction(number))
	if err != nil {
		w.t.Errorf("write the transaction: %v", err)
	}
	return 200, string(text)
}

func (w *Wechat) transaction(number string) map[string]any {
	return map[string]any{
		"appid": WechatApp, "mchid": WechatMch, "out_trade_no": number, "transaction_id": w.paid[number],
		"trade_state": "SUCCESS", "success_time": w.now().Format(time.RFC3339), "amount": w.Orders[number]["amount"],
	}
}

func (w *Wechat) refund(number string) (int, string) {
	if w.Refunds[number] == nil {
		return 404, `{"code":"RESOURCE_NOT_EXISTS","message":"no such refund"}`
	}
	return 200, fmt.Sprintf(`{"refund_id":"5030%s","out_refund_no":%q,"status":"PROCESSING"}`, number, number)
}

// Notification returns the notification that an order was paid, modified by edit.
func (w *Wechat) Notification(outTradeNo string, edit func(map[string]any)) (http.Header, []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	content := w.transaction(outTradeNo)
	if edit != nil {
		edit(content)
	}
	return w.notification("EV-"+outTradeNo, "TRANSACTION.SUCCESS", content)
}

// RefundNotification returns the notification of a refund's state.
func (w *Wechat) RefundNotification(outRefundNo, state string, cents int64) (http.Header, []byte) {
	return w.notification("EV-"+outRefundNo+state, "REFUND."+state, map[string]any{
		"mchid": WechatMch, "out_trade_no": "x", "transaction_id": "x", "out_refund_no": outRefundNo,
		"refund_id": "5030" + outRefundNo, "refund_status": state, "success_time": w.now().Format(time.RFC3339),
		"amount": map[string]any{"total": cents, "refund": cents, "payer_total": cents, "payer_refund": cents},
	})
}

func (w *Wechat) notification(id, event string, content map[string]any) (http.Header, []byte) {
	w.t.Helper()
	plain, err := json.Marshal(content)
	require.NoError(w.t, err)
	block, err := aes.NewCipher([]byte(WechatAPIKey))
	require.NoError(w.t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(w.t, err)
	body, err := json.Marshal(map[string]any{
		"id": id, "create_time": w.now().Format(time.RFC3339), "event_type": event, "resource_type": "encrypt-resource",
		"summary": "x", "resource": map[string]string{
			"algorithm": "AEAD_AES_256_GCM", "associated_data": "transaction", "nonce": "fdasflkja484", "original_type": "x",
			"ciphertext": base64.StdEncoding.EncodeToString(gcm.Seal(nil, []byte("fdasflkja484"), plain, []byte("transaction"))),
		},
	})
	require.NoError(w.t, err)
	return w.signed(body), body
}
