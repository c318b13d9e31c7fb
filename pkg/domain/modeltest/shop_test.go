package modeltest_test

import (
	"context"
	"testing"

	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/domaintest/toypay"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
)

// shop is a shop that offers the channels of two providers. The one of the sandbox is what a client gets that names none.
type shop struct {
	*domaintest.Shop
	toy  *toypay.Gateway
	both func(*app.Config)
}

func open(t *testing.T) *shop {
	t.Helper()
	keys := domaintest.PaymentKeys(t)
	list := struct {
		Sandbox sandbox.WithKeys
		Toy     toypay.Section
	}{
		sandbox.WithKeys{Keys: func(context.Context) (sandbox.Keys, error) { return keys, nil }},
		toypay.Section{Secret: "s", Platform: toypay.NewPlatform()},
	}
	s := &shop{Shop: domaintest.Open(t)}
	s.both = func(c *app.Config) {
		c.Payment.Providers, c.Payment.Offered = payment.ProvidersOf(&list), []string{sandbox.Code, toy}
	}
	s.Domain = s.replica()
	s.toy = toypay.Of(s.Payments.Channels().Gateways())
	return s
}

// replica is another process of the shop.
func (s *shop) replica() *app.Domain {
	d := s.With(s.both)
	d.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	return d
}
