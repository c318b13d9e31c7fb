package payment

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
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/domain/money"
)

// The notices of API v3: signed with RSA over time stamp, nonce and body, their content sealed with AES-GCM.

// The headers of a notice.
const (
	headerTimestamp = "Wechatpay-Timestamp"
	headerNonce     = "Wechatpay-Nonce"
	headerSignature = "Wechatpay-Signature"
	headerSerial    = "Wechatpay-Serial"
)

// clockSkew is how far a notice's time stamp may be off.
const clockSkew = 5 * time.Minute

// signature signs the lines of a message, each ended by a line feed.
func signature(key *rsa.PrivateKey, lines ...string) (string, error) {
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

// verify checks the signature of a notice and the age of its time stamp.
func verify(keys map[string]*rsa.PublicKey, header func(string) string, body []byte, now time.Time) error {
	key, ok := keys[header(headerSerial)]
	if !ok {
		return fmt.Errorf("%w: unknown serial", ErrSignature)
	}
	stamp := header(headerTimestamp)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > clockSkew {
		return fmt.Errorf("%w: the time stamp is off", ErrSignature)
	}
	signed, err := base64.StdEncoding.DecodeString(header(headerSignature))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	sum := digest([]string{stamp, header(headerNonce), string(body)})
	if err := rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signed); err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return nil
}

// sealed is the body of a notice.
type sealed struct {
	ID           string   `json:"id"`
	CreateTime   string   `json:"create_time"`
	EventType    string   `json:"event_type"`
	ResourceType string   `json:"resource_type"`
	Resource     resource `json:"resource"`
}

type resource struct {
	Algorithm      string `json:"algorithm"`
	Ciphertext     string `json:"ciphertext"`
	AssociatedData string `json:"associated_data"`
	Nonce          string `json:"nonce"`
}

const algorithm = "AEAD_AES_256_GCM"

// transaction is what a notice about a payment contains.
type transaction struct {
	AppID         string `json:"appid"`
	MchID         string `json:"mchid"`
	OutTradeNo    string `json:"out_trade_no"`
	TransactionID string `json:"transaction_id"`
	TradeState    string `json:"trade_state"`
	SuccessTime   string `json:"success_time"`
	Amount        struct {
		Total    int64  `json:"total"`
		Currency string `json:"currency"`
	} `json:"amount"`
}

func aead(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("notice key: %w", err)
	}
	return cipher.NewGCM(block)
}

// open reads the notice in a body whose signature has been checked. appID and mchID must be ours.
func open(body, key []byte, appID, mchID string) (Notification, error) {
	var s sealed
	if err := json.Unmarshal(body, &s); err != nil {
		return Notification{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	n := Notification{ID: s.ID}
	if s.Resource.Algorithm != algorithm || s.ID == "" || len(s.ID) > 96 {
		return n, fmt.Errorf("%w: form of the notice", ErrRefused)
	}
	gcm, err := aead(key)
	if err != nil {
		return n, err
	}
	text, err := base64.StdEncoding.DecodeString(s.Resource.Ciphertext)
	if err != nil || len(s.Resource.Nonce) != gcm.NonceSize() {
		return n, fmt.Errorf("%w: form of the resource", ErrRefused)
	}
	plain, err := gcm.Open(nil, []byte(s.Resource.Nonce), text, []byte(s.Resource.AssociatedData))
	if err != nil {
		return n, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if strings.HasPrefix(s.EventType, "REFUND.") {
		return openRefund(n, s.EventType, plain, mchID)
	}
	var t transaction
	if err := json.Unmarshal(plain, &t); err != nil {
		return n, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err := t.into(&n, appID, mchID); err != nil {
		return n, err
	}
	if s.EventType != "TRANSACTION.SUCCESS" {
		return n, fmt.Errorf("%w: event %.40q", ErrRefused, s.EventType)
	}
	return n, nil
}

const tradeSuccess = "SUCCESS"

// into fills a notice with what the platform says about a payment, as far as it makes sense. appID and mchID must be
// ours.
func (t transaction) into(n *Notification, appID, mchID string) (err error) {
	n.OutTradeNo, n.TransactionID = t.OutTradeNo, t.TransactionID
	n.Amount, n.Currency = money.Amount(t.Amount.Total), t.Amount.Currency
	if n.Time, err = time.Parse(time.RFC3339, t.SuccessTime); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	switch {
	case t.TradeState != tradeSuccess:
		return fmt.Errorf("%w: state %.40q", ErrRefused, t.TradeState)
	case t.AppID != appID || t.MchID != mchID:
		return fmt.Errorf("%w: another merchant's", ErrRefused)
	case t.TransactionID == "" || len(t.TransactionID) > 63 || len(t.OutTradeNo) > 64:
		return fmt.Errorf("%w: numbers of the transaction", ErrRefused)
	}
	return nil
}

// refundNotice is what a notice about a refund contains.
type refundNotice struct {
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

// openRefund reads a notice about a refund. It carries no app, and says twice how the refund went.
func openRefund(n Notification, event string, plain []byte, mchID string) (Notification, error) {
	n.Refund = true
	var r refundNotice
	if err := json.Unmarshal(plain, &r); err != nil {
		return n, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	n.OutTradeNo, n.TransactionID, n.OutRefundNo, n.RefundID = r.OutTradeNo, r.TransactionID, r.OutRefundNo, r.RefundID
	n.Amount, n.Currency = money.Amount(r.Amount.Refund), currency // the platform names none here
	n.RefundFailed = r.Status != refundSuccess
	switch {
	case r.MchID != mchID:
		return n, fmt.Errorf("%w: another merchant's", ErrRefused)
	case r.OutRefundNo == "" || len(r.OutRefundNo) > 64 || r.RefundID == "" || len(r.RefundID) > 64:
		return n, fmt.Errorf("%w: numbers of the refund", ErrRefused)
	case event != "REFUND."+r.Status:
		return n, fmt.Errorf("%w: event %.40q, state %.40q", ErrRefused, event, r.Status)
	case r.Status != refundSuccess && r.Status != refundClosed && r.Status != refundAbnormal:
		return n, fmt.Errorf("%w: state %.40q", ErrRefused, r.Status)
	}
	return n, nil
}

// seal is the reverse of open, for a platform of our own.
func seal(s sealed, t transaction, key []byte) ([]byte, error) {
	plain, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("seal the notice: %w", err)
	}
	gcm, err := aead(key)
	if err != nil {
		return nil, err
	}
	s.Resource = resource{Algorithm: algorithm, AssociatedData: "transaction", Nonce: rand.Text()[:gcm.NonceSize()]}
	text := gcm.Seal(nil, []byte(s.Resource.Nonce), plain, []byte(s.Resource.AssociatedData))
	s.Resource.Ciphertext = base64.StdEncoding.EncodeToString(text)
	return json.Marshal(s)
}
