package stripe

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"shop.internal/pkg/domain/payment"
)

const (
	// signature is the header of a notification that has the time and the signatures.
	signature = "Stripe-Signature"
	// tolerance is how much the clocks of the platform and the shop may differ.
	tolerance = webhook.DefaultTolerance
)

// event is a notification.
type event struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Created  int64  `json:"created"`
	Livemode bool   `json:"livemode"`
	Data     struct {
		Object json.RawMessage `json:"object"`
	} `json:"data"`
}

// Read implements payment.Gateway. Of what the shop did not begin there is no news: an account may serve others too.
func (g *gateway) Read(
	_ context.Context, header func(string) string, body []byte, now time.Time,
) (n payment.Notification, err error) {
	if !g.signed(header(signature), body, now) {
		return n, payment.ErrSignature
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		return n, fmt.Errorf("%w: %w", payment.ErrRefused, err)
	}
	n.ID, n.Time = e.ID, time.Unix(e.Created, 0)
	switch {
	case e.ID == "" || len(e.ID) > 96:
		n.ID = ""
		return n, fmt.Errorf("%w: malformed notification", payment.ErrRefused)
	case e.Livemode == g.test: // a payment without money pays for nothing
		return n, fmt.Errorf("%w: the key and the notification are of different modes", payment.ErrRefused)
	}
	switch e.Type {
	case "checkout.session.completed", "checkout.session.async_payment_succeeded":
		var s session
		if err := json.Unmarshal(e.Data.Object, &s); err != nil {
			return n, fmt.Errorf("%w: %w", payment.ErrRefused, err)
		}
		if s.Metadata[ourNumber] == "" || s.PaymentStatus != paid {
			return n, fmt.Errorf("%w: a session that is %.20s", payment.ErrNoNews, s.PaymentStatus)
		}
		return n, s.into(&n)
	case "refund.created", "refund.updated", "refund.failed":
		n.Refund = true
		var r refund
		if err := json.Unmarshal(e.Data.Object, &r); err != nil {
			return n, fmt.Errorf("%w: %w", payment.ErrRefused, err)
		}
		if r.Metadata[ourNumber] == "" || !r.failed() && r.Status != refundDone {
			return n, fmt.Errorf("%w: a refund that is %.20s", payment.ErrNoNews, r.Status)
		}
		return n, r.into(&n)
	}
	return n, fmt.Errorf("%w: event %.60s", payment.ErrNoNews, e.Type)
}

// into fills a notification from a refund.
func (r refund) into(n *payment.Notification) (err error) {
	n.OutRefundNo, n.RefundID, n.RefundFailed = r.Metadata[ourNumber], r.ID, r.failed()
	n.TransactionID = r.PaymentIntent
	if n.Amount, n.Currency, err = amountOf(r.Amount, r.Currency); err != nil {
		return err
	}
	if n.RefundID == "" || len(n.RefundID) > 64 || len(n.OutRefundNo) > 64 {
		return fmt.Errorf("%w: numbers of the refund", payment.ErrRefused)
	}
	return nil
}

// signed reports whether a header of the form t=TIME,v1=SIGNATURE,... has the platform's signature over the exact bytes
// and a time that is now. There are several signatures while the secret is changed.
func (g *gateway) signed(header string, body []byte, now time.Time) bool {
	var at time.Time
	var all [][]byte
	for part := range strings.SplitSeq(header, ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			seconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return false
			}
			at = time.Unix(seconds, 0)
		case "v1":
			if one, err := hex.DecodeString(value); err == nil {
				all = append(all, one)
			}
		}
	}
	if at.Before(now.Add(-tolerance)) || at.After(now.Add(tolerance)) {
		return false
	}
	want := webhook.ComputeSignature(at, body, g.secret)
	for _, one := range all {
		if hmac.Equal(one, want) {
			return true
		}
	}
	return false
}
