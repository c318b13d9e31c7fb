// Package toypay is a payment provider for tests, to show what one takes: this package, and a line in a list. Shoppers
// scan a code; notifications are signed with a shared secret.
package toypay

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
)

// Section is its section of the configuration.
type Section struct {
	Secret string `key:"secret"`
	// Platform is the provider's, which all processes of the shop reach.
	Platform *Platform
}

// Signature is the header of a notification that has the signature.
const Signature = "Toy-Signature"

// Info implements payment.Provider.
func (s *Section) Info() payment.Info {
	return payment.Info{
		Code: "toy", Name: text.Of("玩具支付", "Toy Pay"), RefundName: text.Of("玩具退款", "Toy refund"),
		Methods:    []payment.Method{{Kind: payment.KindQR, TradeType: "SCAN"}},
		Currencies: []money.Currency{"CNY"}, Least: 100, Greatest: 100_000, WholeRefunds: true, Notified: true,
	}
}

// Configured implements payment.Provider.
func (s *Section) Configured() bool { return s.Secret != "" }

// Mistakes implements payment.Provider.
func (s *Section) Mistakes() []string {
	if s.Secret == "" {
		return []string{"payment.toy.secret: is missing"}
	}
	return nil
}

// Open implements payment.Provider.
func (s *Section) Open(e payment.Env) (payment.Gateway, error) {
	return &Gateway{Platform: s.Platform, Address: e.OwnNotifyURL, secret: s.Secret}, nil
}

// Platform is what the provider has collected and returned.
type Platform struct {
	mu        sync.Mutex
	behaviour Behaviour
	paid      map[string]payment.Notification
	refunded  map[string]payment.RefundRequest
}

// NewPlatform returns a platform that answers.
func NewPlatform() *Platform {
	return &Platform{paid: map[string]payment.Notification{}, refunded: map[string]payment.RefundRequest{}}
}

// Behaviour changes how the platform treats the next refunds: it refuses them, or makes them and loses the answer.
type Behaviour struct{ Refuse, Unanswered bool }

// Behave changes how the next refunds are treated.
func (p *Platform) Behave(b Behaviour) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behaviour = b
}

// Gateway is how a process of the shop reaches the platform.
type Gateway struct {
	*Platform
	// Address is where the platform would send notifications.
	Address string
	secret  string
}

// Start implements payment.Gateway.
func (g *Gateway) Start(_ context.Context, a payment.StartRequest) (string, payment.Answer, error) {
	return "toy" + a.OutTradeNo, payment.Answer{Code: "toy://pay/" + a.OutTradeNo}, nil
}

// Pay makes a payment and returns the notification of it.
func (g *Gateway) Pay(outTradeNo string, amount money.Amount, at time.Time) (header func(string) string, body []byte) {
	n := payment.Notification{
		ID: "toy-" + outTradeNo, OutTradeNo: outTradeNo, TransactionID: "T" + outTradeNo, Amount: amount, Currency: "CNY",
		Time: at,
	}
	g.mu.Lock()
	g.paid[outTradeNo] = n
	g.mu.Unlock()
	return g.Compose(n)
}

// Compose returns a notification as the platform would send it, for tests that send their own.
func (g *Gateway) Compose(n payment.Notification) (header func(string) string, body []byte) {
	body, _ = json.Marshal(n)
	return func(string) string { return g.sign(body) }, body
}

func (g *Gateway) sign(body []byte) string {
	mac := hmac.New(sha256.New, []byte(g.secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Close implements payment.Gateway.
func (g *Gateway) Close(_ context.Context, p payment.Ref) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, paid := g.paid[p.OutTradeNo]; paid {
		return payment.ErrRefused
	}
	return nil
}

// Query implements payment.Gateway.
func (g *Gateway) Query(_ context.Context, p payment.Ref) (payment.Notification, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, paid := g.paid[p.OutTradeNo]
	if !paid {
		return n, payment.ErrUnpaid
	}
	n.ID = "query-" + n.ID
	return n, nil
}

// Refund implements payment.Gateway. A number that was used for another refund is refused.
func (g *Gateway) Refund(_ context.Context, a payment.RefundRequest) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if before, known := g.refunded[a.OutRefundNo]; g.behaviour.Refuse || known && before != a {
		return "", payment.ErrRefused
	}
	g.refunded[a.OutRefundNo] = a
	if g.behaviour.Unanswered {
		return "", errors.New("loss of the answer requested by a test")
	}
	return "R" + a.OutRefundNo, nil
}

// Refunds returns the refunds that were made, by our numbers.
func (p *Platform) Refunds() map[string]payment.RefundRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.refunded)
}

// RefundStatus implements payment.Gateway.
func (g *Gateway) RefundStatus(_ context.Context, a payment.RefundRequest) (string, error) {
	if _, made := g.Refunds()[a.OutRefundNo]; !made {
		return "", payment.ErrRefused
	}
	return "R" + a.OutRefundNo, nil
}

// Read implements payment.Gateway.
func (g *Gateway) Read(
	_ context.Context, header func(string) string, body []byte, _ time.Time,
) (n payment.Notification, err error) {
	if !hmac.Equal([]byte(header(Signature)), []byte(g.sign(body))) {
		return n, payment.ErrSignature
	}
	if err := json.Unmarshal(body, &n); err != nil {
		return n, fmt.Errorf("%w: %w", payment.ErrRefused, err)
	}
	return n, nil
}

// Of returns the toy among the gateways of a process, nil if it has none.
func Of(all []payment.Gateway) *Gateway {
	for _, g := range all {
		if toy, ok := g.(*Gateway); ok {
			return toy
		}
	}
	return nil
}
