// Package apiv3 implements the message format of WeChat Pay's API v3, read by its gateway and written by the sandbox:
// messages are signed with RSA over time stamp, nonce and body, and the content of notifications is encrypted with
// AES-GCM.
package apiv3

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
)

// The headers of a notification.
const (
	HeaderTimestamp = "Wechatpay-Timestamp"
	HeaderNonce     = "Wechatpay-Nonce"
	HeaderSignature = "Wechatpay-Signature"
	HeaderSerial    = "Wechatpay-Serial"
)

// clockSkew is the largest accepted difference between a notification's time stamp and the clock.
const clockSkew = 5 * time.Minute

// Sign signs the lines of a message, each terminated by a line feed.
func Sign(key *rsa.PrivateKey, lines ...string) (string, error) {
	sum := digest(lines)
	signed, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign: %w", err)
	}
	return base64.StdEncoding.EncodeToString(signed), nil
}

func digest(lines []string) [sha256.Size]byte {
	h := sha256.New()
	for _, l := range lines {
		h.Write([]byte(l))
		h.Write([]byte{'\n'})
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Verify checks the signature of a message and the age of its time stamp. It fails with payment.ErrSignature.
func Verify(keys map[string]*rsa.PublicKey, header func(string) string, body []byte, now time.Time) error {
	key, ok := keys[header(HeaderSerial)]
	if !ok {
		return fmt.Errorf("%w: unknown serial", payment.ErrSignature)
	}
	stamp := header(HeaderTimestamp)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > clockSkew {
		return fmt.Errorf("%w: the time stamp is off", payment.ErrSignature)
	}
	signed, err := base64.StdEncoding.DecodeString(header(HeaderSignature))
	if err != nil {
		return fmt.Errorf("%w: %w", payment.ErrSignature, err)
	}
	sum := digest([]string{stamp, header(HeaderNonce), string(body)})
	if err := rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signed); err != nil {
		return fmt.Errorf("%w: %w", payment.ErrSignature, err)
	}
	return nil
}

// Envelope is the body of a notification.
type Envelope struct {
	ID           string   `json:"id"`
	CreateTime   string   `json:"create_time"`
	EventType    string   `json:"event_type"`
	ResourceType string   `json:"resource_type"`
	Resource     Resource `json:"resource"`
}

// Resource is the encrypted content of a notification.
type Resource struct {
	Algorithm      string `json:"algorithm"`
	Ciphertext     string `json:"ciphertext"`
	AssociatedData string `json:"associated_data"`
	Nonce          string `json:"nonce"`
}

// Algorithm is the only algorithm in use.
const Algorithm = "AEAD_AES_256_GCM"

// Transaction is the content of a payment notification, and the answer to a query.
type Transaction struct {
	AppID         string `json:"appid"`
	MchID         string `json:"mchid"`
	OutTradeNo    string `json:"out_trade_no"`
	TransactionID string `json:"transaction_id"`
	TradeState    string `json:"trade_state"`
	SuccessTime   string `json:"success_time"`
	Amount        struct {
		Total    int64          `json:"total"`
		Currency money.Currency `json:"currency"`
	} `json:"amount"`
}

func aead(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("notification key: %w", err)
	}
	return cipher.NewGCM(block)
}

// Open decrypts the notification in a body whose signature was verified. It fails with payment.ErrRefused for content
// that is not usable, or whose appID and mchID are not ours.
func Open(body, key []byte, appID, mchID string) (payment.Notification, error) {
	var s Envelope
	if err := json.Unmarshal(body, &s); err != nil {
		return payment.Notification{}, fmt.Errorf("%w: %w", payment.ErrRefused, err)
	}
	n := payment.Notification{ID: s.ID}
	if s.Resource.Algorithm != Algorithm || s.ID == "" || len(s.ID) > 96 {
		return n, fmt.Errorf("%w: malformed notification", payment.ErrRefused)
	}
	gcm, err := aead(key)
	if err != nil {
		return n, err
	}
	text, err := base64.StdEncoding.DecodeString(s.Resource.Ciphertext)
	if err != nil || len(s.Resource.Nonce) != gcm.NonceSize() {
		return n, fmt.Errorf("%w: form of the resource", payment.ErrRefused)
	}
	plain, err := gcm.Open(nil, []byte(s.Resource.Nonce), text, []byte(s.Resource.AssociatedData))
	if err != nil {
		return n, fmt.Errorf("%w: %w", payment.ErrRefused, err)
	}
	if strings.HasPrefix(s.EventType, "REFUND.") {
		return openRefund(n, s.EventType, plain, mchID)
	}
	var t Transaction
	if err := json.Unmarshal(plain, &t); err != nil {
		return n, fmt.Errorf("%w: %w", payment.ErrRefused, err)
	}
	if err := t.Into(&n, appID, mchID); err != nil {
		return n, err
	}
	if s.EventType != "TRANSACTION.SUCCESS" {
		return n, fmt.Errorf("%w: event %.40q", payment.ErrRefused, s.EventType)
	}
	return n, nil
}

// TradeSuccess is the state of a successful payment.
const TradeSuccess = "SUCCESS"

// The states of a refund at the platform.
const (
	RefundSuccess    = "SUCCESS"
	RefundProcessing = "PROCESSING"
	RefundClosed     = "CLOSED"
	RefundAbnormal   = "ABNORMAL"
)

// Currency is the only currency of the platform.
const Currency money.Currency = "CNY"

// Into fills a notification from a transaction, as far as its content is usable. appID and mchID must be ours.
func (t Transaction) Into(n *payment.Notification, appID, mchID string) (err error) {
	n.OutTradeNo, n.TransactionID = t.OutTradeNo, t.TransactionID
	n.Amount, n.Currency = money.Amount(t.Amount.Total), t.Amount.Currency
	if n.Time, err = time.Parse(time.RFC3339, t.SuccessTime); err != nil {
		return fmt.Errorf("%w: %w", payment.ErrRefused, err)
	}
	switch {
	case t.TradeState != TradeSuccess:
		return fmt.Errorf("%w: state %.40q", payment.ErrRefused, t.TradeState)
	case t.AppID != appID || t.MchID != mchID:
		return fmt.Errorf("%w: another merchant's", payment.ErrRefused)
	case t.TransactionID == "" || len(t.TransactionID) > 63 || len(t.OutTradeNo) > 64:
		return fmt.Errorf("%w: numbers of the transaction", payment.ErrRefused)
	}
	return nil
}

// refundNotification is the content of a notification about a refund.
type refundNotification struct {
	MchID         string `json:"mchid"`
	OutTradeNo    string `json:"out_trade_no"`
	TransactionID string `json:"transaction_id"`
	OutRefundNo   string `json:"out_refund_no"`
	RefundID      string `json:"refund_id"`
	Status        string `json:"refund_status"`
	Amount        struct {
		Refund int64 `json:"refund"`
	} `json:"amount"`
}

// openRefund decodes a notification about a refund. It contains no app id, and the result twice.
func openRefund(n payment.Notification, event string, plain []byte, mchID string) (payment.Notification, error) {
	n.Refund = true
	var r refundNotification
	if err := json.Unmarshal(plain, &r); err != nil {
		return n, fmt.Errorf("%w: %w", payment.ErrRefused, err)
	}
	n.OutTradeNo, n.TransactionID, n.OutRefundNo, n.RefundID = r.OutTradeNo, r.TransactionID, r.OutRefundNo, r.RefundID
	n.Amount, n.Currency = money.Amount(r.Amount.Refund), Currency // the platform sends no currency here
	n.RefundFailed = r.Status != RefundSuccess
	switch {
	case r.MchID != mchID:
		return n, fmt.Errorf("%w: another merchant's", payment.ErrRefused)
	case r.OutRefundNo == "" || len(r.OutRefundNo) > 64 || r.RefundID == "" || len(r.RefundID) > 64:
		return n, fmt.Errorf("%w: numbers of the refund", payment.ErrRefused)
	case event != "REFUND."+r.Status:
		return n, fmt.Errorf("%w: event %.40q, state %.40q", payment.ErrRefused, event, r.Status)
	case r.Status != RefundSuccess && r.Status != RefundClosed && r.Status != RefundAbnormal:
		return n, fmt.Errorf("%w: state %.40q", payment.ErrRefused, r.Status)
	}
	return n, nil
}

// Seal is the inverse of Open, for the sandbox and tests.
func Seal(s Envelope, t Transaction, key []byte) ([]byte, error) {
	plain, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("encrypt the notification: %w", err)
	}
	gcm, err := aead(key)
	if err != nil {
		return nil, err
	}
	s.Resource = Resource{Algorithm: Algorithm, AssociatedData: "transaction", Nonce: rand.Text()[:gcm.NonceSize()]}
	text := gcm.Seal(nil, []byte(s.Resource.Nonce), plain, []byte(s.Resource.AssociatedData))
	s.Resource.Ciphertext = base64.StdEncoding.EncodeToString(text)
	return json.Marshal(s)
}

// LeadingBack returns the address of a payment page that sends the browser to another address at the end, empty for
// none.
func LeadingBack(page, back string) string {
	if back == "" {
		return page
	}
	return page + "&redirect_url=" + url.QueryEscape(back)
}
