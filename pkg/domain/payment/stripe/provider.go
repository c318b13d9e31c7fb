package stripe

import (
	"net/url"
	"strings"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
)

// Section is the section payment.stripe of the configuration.
type Section struct {
	SecretKey     string `key:"secret-key"`
	WebhookSecret string `key:"webhook-secret"`
	BaseURL       string `key:"base-url" validate:"omitempty,url" default:"https://api.stripe.com"`
}

// checkout is the name of the only way to pay: a page of the platform.
const checkout = "CHECKOUT"

// Info implements payment.Provider. The platform itself refuses an amount that is too small in a currency; the least is
// the lowest of all currencies.
func (s *Section) Info() payment.Info {
	return payment.Info{
		Code: "stripe", Name: text.Of("银行卡等（Stripe）", "Card and more (Stripe)"),
		RefundName: text.Of("Stripe 退款", "Stripe refund"),
		Methods:    []payment.Method{{Kind: payment.KindRedirect, TradeType: checkout}},
		Least:      30, Notified: true,
	}
}

// Configured implements payment.Provider.
func (s *Section) Configured() bool { return s.SecretKey != "" || s.WebhookSecret != "" }

// Mistakes implements payment.Provider.
func (s *Section) Mistakes() (wrong []string) {
	if !keyed(s.SecretKey, "sk_test_", "sk_live_", "rk_test_", "rk_live_") {
		wrong = append(wrong, "payment.stripe.secret-key: is no key that begins with sk_ or rk_")
	}
	if !keyed(s.WebhookSecret, "whsec_") {
		wrong = append(wrong, "payment.stripe.webhook-secret: is no secret that begins with whsec_")
	}
	return wrong
}

// keyed reports whether a key begins with one of some prefixes, and goes on.
func keyed(key string, prefixes ...string) bool {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(key, p); ok && rest != "" && strings.TrimSpace(key) == key {
			return true
		}
	}
	return false
}

// Open implements payment.Provider.
func (s *Section) Open(e payment.Env) (payment.Gateway, error) {
	home := "/"
	if u, err := url.Parse(e.NotifyURL); err == nil && u.Host != "" {
		home = u.Scheme + "://" + u.Host + "/"
	}
	return &gateway{
		calls: client(s.BaseURL), key: s.SecretKey, secret: s.WebhookSecret,
		test: strings.Contains(s.SecretKey, "_test_"), home: home, now: e.Now,
	}, nil
}
