package order_test

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/kit/optest"
)

const notify = "/wx/order/pay-notify"

// platform composes notifications according to the platform's documentation, without the shop's code: their content,
// encryption and signature can each be wrong.
type platform struct {
	id, event, state, app, mch, number, transaction, currency, success string
	total                                                              int64
	algorithm                                                          string
	// plain replaces the encrypted content, body the whole body.
	plain, body string
	stamp       int64
	serial      string
	signer, key func(sandbox.Keys) sandbox.Keys
}

// paying is a valid notification for the order's payment.
func (w *world) paying(id int64) platform {
	w.t.Helper()
	n := w.Domain.Notification(id)
	return platform{
		id: fmt.Sprintf("EV-%d", id), event: "TRANSACTION.SUCCESS", state: "SUCCESS", app: "wxsandbox", mch: "1900000001",
		number: n.OutTradeNo, transaction: n.TransactionID, currency: "CNY", total: int64(n.Amount),
		success: n.Time.Format(time.RFC3339), algorithm: "AEAD_AES_256_GCM", stamp: n.Time.Unix(), serial: "SANDBOX",
	}
}

func (p platform) sealed(t *testing.T, key []byte) string {
	t.Helper()
	if p.body != "" {
		return p.body
	}
	plain := []byte(p.plain)
	if p.plain == "" {
		var err error
		plain, err = json.Marshal(map[string]any{
			"appid": p.app, "mchid": p.mch, "out_trade_no": p.number, "transaction_id": p.transaction, "trade_state": p.state,
			"success_time": p.success, "amount": map[string]any{"total": p.total, "payer_total": p.total, "currency": p.currency},
		})
		require.NoError(t, err)
	}
	block, err := aes.NewCipher(key)
	require.NoError(t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(t, err)
	body, err := json.Marshal(map[string]any{
		"id": p.id, "create_time": p.success, "event_type": p.event, "resource_type": "encrypt-resource", "summary": "x",
		"resource": map[string]string{
			"algorithm": p.algorithm, "associated_data": "transaction", "nonce": "0123456789ab", "original_type": "transaction",
			"ciphertext": base64.StdEncoding.EncodeToString(gcm.Seal(nil, []byte("0123456789ab"), plain, []byte("transaction"))),
		},
	})
	require.NoError(t, err)
	return string(body)
}

// send posts the notification and returns the status and whether the answer has the form for its status.
func (w *world) send(t *testing.T, p platform) int {
	t.Helper()
	keys := domaintest.PaymentKeys(t)
	sign, seal := keys, keys
	if p.signer != nil {
		sign = p.signer(keys)
	}
	if p.key != nil {
		seal = p.key(keys)
	}
	body := p.sealed(t, seal.Encryption)
	stamp := strconv.FormatInt(p.stamp, 10)
	sum := sha256.Sum256([]byte(stamp + "\nnonce\n" + body + "\n"))
	signature, err := rsa.SignPKCS1v15(rand.Reader, sign.Sign, crypto.SHA256, sum[:])
	require.NoError(t, err)
	c := w.Guest().In(t).With("Wechatpay-Timestamp", stamp).With("Wechatpay-Nonce", "nonce").
		With("Wechatpay-Serial", p.serial).With("Wechatpay-Signature", base64.StdEncoding.EncodeToString(signature))
	return answered(t, c.POST(notify, "%s", body))
}

// answered checks the form of an answer to the platform.
func answered(t *testing.T, a *optest.Answer) int {
	t.Helper()
	if a.Status == http.StatusNoContent {
		require.Empty(t, a.Body)
		return a.Status
	}
	var refusal struct{ Code, Message string }
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&refusal), "%s", a.Body)
	require.Equal(t, "FAIL", refusal.Code)
	require.NotEmpty(t, refusal.Message)
	return a.Status
}

// announced is an unpaid order with a payment at the platform.
func (w *world) announced() int64 {
	w.t.Helper()
	id := w.placed()
	w.lin.POST(prepay, ref(id)).OK()
	return id
}

func (w *world) status(id int64) int64 {
	w.t.Helper()
	return w.Domain.Int("SELECT order_status FROM orders WHERE id = ?", id)
}

// notices are the stored notifications: whether they were signed, and their results.
func (w *world) notices() string {
	w.t.Helper()
	return w.Domain.Text("SELECT COALESCE(GROUP_CONCAT(CONCAT_WS('|', signature_ok, result) ORDER BY id), '') FROM payment_notify")
}

func (w *world) alarms() int64 {
	w.t.Helper()
	return w.Domain.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", domainorder.TopicAlarm)
}

// A forged notification pays for nothing.
func TestForgedNotifications(t *testing.T) {
	t.Parallel()
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	tests := map[string]func(p *platform){
		"signed by a stranger":  func(p *platform) { p.signer = func(sandbox.Keys) sandbox.Keys { return sandbox.Keys{Sign: stranger} } },
		"an unknown serial":     func(p *platform) { p.serial = "OTHER" },
		"no serial":             func(p *platform) { p.serial = "" },
		"stale":                 func(p *platform) { p.stamp -= 301 },
		"from the future":       func(p *platform) { p.stamp += 301 },
		"no JSON":               func(p *platform) { p.body, p.serial = "<xml/>", "" },
		"an API v2 notice":      func(p *platform) { p.body, p.serial = "<xml><return_code>SUCCESS</return_code></xml>", "" },
		"10,000 brackets":       func(p *platform) { p.body, p.serial = strings.Repeat("[", 10_000), "" },
		"not even text":         func(p *platform) { p.body, p.serial = "\xff\x00\xfe", "" },
		"no time stamp at all":  func(p *platform) { p.stamp = 0 },
		"a time before all law": func(p *platform) { p.stamp = -62135596800 },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			id := w.announced()
			before := w.books()
			p := w.paying(id)
			spoil(&p)
			require.Equal(t, 400, w.send(t, p))
			require.Equal(t, 400, w.send(t, p))
			require.Equal(t, before, w.books())
			require.Equal(t, "0|0", w.notices(), "kept once, for diagnosis")
			require.Zero(t, w.alarms())
			// The forged notification does not take the place of a genuine one.
			require.Equal(t, 204, w.send(t, w.paying(id)))
			require.EqualValues(t, 201, w.status(id))
		})
	}
}

// An unsigned notification pays for nothing.
func TestUnsignedNotifications(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.announced()
	before := w.books()
	for _, body := range []string{
		``, `{}`, fmt.Sprintf(`{"orderId":%d,"order_status":201}`, id),
		fmt.Sprintf(`{"id":"EV-1","event_type":"TRANSACTION.SUCCESS","resource":{"out_trade_no":"20300102%010d"}}`, id),
	} {
		require.Equal(t, 400, answered(t, w.Guest().POST(notify, "%s", body)))
		require.Equal(t, 400, answered(t, w.lin.POST(notify, "%s", body)), "a shopper's token is no signature")
	}
	w.Guest().GET(notify).Fails(errno.WrongMethod)
	w.Guest().GET(notify + "?order_status=201&out_trade_no=1").Fails(errno.WrongMethod)
	require.Equal(t, 413, answered(t, w.Guest().POST(notify, "%s", strings.Repeat("x", 64<<10+1))))
	require.Equal(t, 400, answered(t, w.Guest().POST(notify, "%s", strings.Repeat("x", 64<<10))))
	require.Equal(t, 413, w.Guest().POST(notify, "%s", strings.Repeat("x", 2<<20)).Status)
	require.Equal(t, before, w.books())
	require.Equal(t, "0|0,0|0,0|0,0|0,0|0", w.notices())
	// Altered in transit: the signature covers the exact bytes.
	h, body, err := w.Domain.Sandbox.Compose(t.Context(), w.Domain.Notification(id))
	require.NoError(t, err)
	c := w.Guest()
	for name := range h {
		c = c.With(name, h.Get(name))
	}
	require.Equal(t, 400, answered(t, c.POST(notify, "%s", " "+string(body))))
	require.Equal(t, 400, answered(t, c.With("Wechatpay-Nonce", "x").POST(notify, "%s", string(body))))
	require.Equal(t, 204, answered(t, c.POST(notify, "%s", string(body))))
}

// A notification of another amount, merchant or currency pays for nothing.
func TestNotificationsThatDoNotMatch(t *testing.T) {
	t.Parallel()
	tests := map[string]func(p *platform){
		"another merchant":      func(p *platform) { p.mch = "1900000002" },
		"another app":           func(p *platform) { p.app = "wx1" },
		"a cent less":           func(p *platform) { p.total-- },
		"a cent more":           func(p *platform) { p.total++ },
		"nothing":               func(p *platform) { p.total = 0 },
		"negative":              func(p *platform) { p.total = -p.total },
		"another currency":      func(p *platform) { p.currency = "USD" },
		"no currency":           func(p *platform) { p.currency = "" },
		"an unknown number":     func(p *platform) { p.number = "209901010000000000" },
		"a number in lower SQL": func(p *platform) { p.number = "' or '1'='1" },
		"not paid":              func(p *platform) { p.state = "NOTPAY" },
		"another event":         func(p *platform) { p.event = "TRANSACTION.CLOSED" },
		"no transaction":        func(p *platform) { p.transaction = "" },
		"a long transaction":    func(p *platform) { p.transaction = strings.Repeat("4", 64) },
		"no time":               func(p *platform) { p.success = "yesterday" },
		"another algorithm":     func(p *platform) { p.algorithm = "NONE" },
		"sealed with other key": func(p *platform) {
			p.key = func(sandbox.Keys) sandbox.Keys { return sandbox.Keys{Encryption: bytes.Repeat([]byte{7}, 32)} }
		},
		"no JSON inside":     func(p *platform) { p.plain = "paid" },
		"an amount as text":  func(p *platform) { p.plain = `{"amount":{"total":"53.50"}}` },
		"half a cent inside": func(p *platform) { p.plain = `{"amount":{"total":53.5}}` },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			id := w.announced()
			before := w.Domain.Text("SELECT CONCAT_WS('|', o.order_status, o.version, p.status, p.version) FROM orders o " +
				"JOIN payment p ON p.order_id = o.id")
			p := w.paying(id)
			spoil(&p)
			require.Equal(t, 400, w.send(t, p))
			require.Equal(t, "1|3", w.notices())
			require.EqualValues(t, 1, w.alarms(), "operators hear of it")
			require.Equal(t, 400, w.send(t, p), "refused again")
			require.EqualValues(t, 1, w.alarms(), "once")
			require.Equal(t, before, w.Domain.Text("SELECT CONCAT_WS('|', o.order_status, o.version, p.status, p.version) "+
				"FROM orders o JOIN payment p ON p.order_id = o.id"))
			// The platform may send the same notification again after its content was corrected.
			require.Equal(t, 204, w.send(t, w.paying(id)))
			require.Equal(t, "1|1", w.notices())
			require.EqualValues(t, 201, w.status(id))
			w.Domain.Agree()
		})
	}
}

func TestPaid(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.announced()
	p := w.paying(id)
	p.stamp -= 300 // the oldest accepted time stamp
	w.Domain.Clock.Move(time.Second - time.Millisecond)
	p.stamp++
	require.Equal(t, 204, w.send(t, p))
	require.Equal(t, "201|sandbox|"+p.transaction, w.Domain.Text("SELECT CONCAT_WS('|', order_status, pay_channel, pay_id) FROM orders"))
	require.Equal(t, w.Domain.Clock.Now().UnixMilli(), w.Domain.Int("SELECT ROUND(UNIX_TIMESTAMP(pay_time) * 1000) FROM orders"))
	require.Equal(t, "2|53.50|"+p.transaction, w.Domain.Text("SELECT CONCAT_WS('|', status, paid_amount, transaction_id) FROM payment"))
	before := w.books()
	for range 3 {
		require.Equal(t, 204, w.send(t, p))
	}
	other := p
	other.id = "EV-another" // the same transaction in another notification
	require.Equal(t, 204, w.send(t, other))
	require.Equal(t, before, w.books(), "repetitions change nothing")
	require.Equal(t, "1|1,1|2", w.notices())
	w.lin.POST(cancel, ref(id)).Fails(errno.OrderInvalidOperation)
	w.Domain.Agree()
}

func TestTheSameNotificationConcurrently(t *testing.T) {
	t.Parallel()
	for range 3 {
		w := open(t)
		id := w.announced()
		var wg sync.WaitGroup
		statuses := make([]int, 20)
		p := w.paying(id)
		for i := range statuses {
			wg.Go(func() { statuses[i] = w.send(t, p) })
		}
		wg.Wait()
		for _, status := range statuses {
			require.Equal(t, 204, status)
		}
		require.EqualValues(t, 201, w.status(id))
		require.EqualValues(t, 1, w.Domain.Int("SELECT COUNT(*) FROM order_status_log WHERE to_status = 201"))
		require.EqualValues(t, 1, w.Domain.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", domainorder.TopicPaid))
		require.Equal(t, "1|1", w.notices())
		w.Domain.Agree()
	}
}
