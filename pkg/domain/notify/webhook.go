package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Webhook posts messages to a service of the owner: JSON with two headers, X-Shop-Timestamp, seconds since 1970, and
// X-Shop-Signature, "sha256=" and the hexadecimal HMAC-SHA256 of time stamp, a dot and the body with the shared secret.
// The receiver computes it over the received bytes, compares in constant time, and refuses a time stamp more than five
// minutes off. Any status from 200 to 299 means that the message was accepted.
type Webhook struct {
	address string
	secret  []byte
	client  *http.Client
	now     func() time.Time
}

// NewWebhook returns the sender that posts to an address. It fails if that is no https address or the secret is empty.
func NewWebhook(to, secret string, now func() time.Time) (*Webhook, error) {
	u, err := address(to)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if secret == "" {
		return nil, errors.New("secret: is missing")
	}
	return &Webhook{u.String(), []byte(secret), newHTTP(), now}, nil
}

// Sends is true.
func (w *Webhook) Sends(Kind) bool { return true }

// posted is the body.
type posted struct {
	// ID is the same for all attempts to send a message.
	ID string `json:"id"`
	// Kind is sms or mail, Name the key of the message, such as sms.code.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// To are mobile numbers or mail addresses; for a mail to the operators of the shop it is empty.
	To      []string          `json:"to"`
	Subject string            `json:"subject,omitempty"`
	Text    string            `json:"text"`
	Params  map[string]string `json:"params,omitempty"`
}

// SMS posts a text message.
func (w *Webhook) SMS(ctx context.Context, m SMS) error {
	return w.post(ctx, posted{ID: m.ID, Kind: "sms", Name: m.Name, To: []string{m.Mobile}, Text: m.Text, Params: m.Params})
}

// Mail posts a mail.
func (w *Webhook) Mail(ctx context.Context, m Mail) error {
	to := m.To
	if to == nil {
		to = []string{}
	}
	return w.post(ctx, posted{ID: m.ID, Kind: "mail", Name: m.Name, To: to, Subject: m.Subject, Text: m.Text})
}

func (w *Webhook) post(ctx context.Context, p posted) error {
	body, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the message for the webhook: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address of the webhook is malformed")
	}
	stamp := strconv.FormatInt(w.now().Unix(), 10)
	mac := hmac.New(sha256.New, w.secret)
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Shop-Timestamp", stamp)
	r.Header.Set("X-Shop-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	status, _, err := ask(w.client, r)
	if err != nil {
		return fmt.Errorf("post to the webhook: %w", err)
	}
	if status < http.StatusOK || status >= http.StatusMultipleChoices {
		return fmt.Errorf("the webhook answers with HTTP status %d", status)
	}
	return nil
}
