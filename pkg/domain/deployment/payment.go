package deployment

import (
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/alipay"
	"shop.internal/pkg/domain/payment/cod"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/payment/stripe"
	"shop.internal/pkg/domain/payment/transfer"
	"shop.internal/pkg/domain/payment/wechatpay"
)

// Providers are the payment providers that the programs know, each with its keys in the section payment. A provider is
// one package and one line here.
type Providers struct {
	sandbox.Section
	Wechat   wechatpay.Section `key:"wechat"`
	Alipay   alipay.Section    `key:"alipay"`
	Stripe   stripe.Section    `key:"stripe"`
	Transfer transfer.Section  `key:"transfer"`
	COD      cod.Section       `key:"cod"`
}

// Payment is the section payment.
type Payment struct {
	// Provider is the only channel, or none; Channels lists several, in the order in which they are offered.
	Provider  string   `key:"provider" default:"none"`
	Channels  []string `key:"channels"`
	NotifyURL string   `key:"notify-url" validate:"omitempty,url"`
	Providers
}

// Offered returns the codes of the channels by which new payments begin.
func (p *Payment) Offered() []string {
	if len(p.Channels) > 0 {
		return p.Channels
	}
	if p.Provider == "none" || p.Provider == "" {
		return nil
	}
	return []string{p.Provider}
}

// Notified reports whether the platform of an offered channel reports to the shop's public address; demo counts those
// that collect no money too.
func (p *Payment) Notified(demo bool) bool {
	return slices.ContainsFunc(payment.ProvidersOf(&p.Providers), func(one payment.Provider) bool {
		info := one.Info()
		return info.Notified && (demo || !info.Demo) && slices.Contains(p.Offered(), info.Code)
	})
}

// validationErrors checks the channels and the sections of those in use.
func (p *Payment) validationErrors(demo bool) []string {
	key, wrong := "payment.provider", []string(nil)
	if len(p.Channels) > 0 {
		key = "payment.channels"
		if p.Provider != "none" && p.Provider != "" {
			wrong = append(wrong, "payment.provider: is for a single channel; leave it none where payment.channels lists them")
		}
	}
	known := []string{}
	for _, one := range payment.ProvidersOf(&p.Providers) {
		info := one.Info()
		known = append(known, info.Code)
		offered := slices.Contains(p.Offered(), info.Code)
		if offered && info.Demo && !demo {
			wrong = append(wrong, fmt.Sprintf("%s: %s collects no money and exists only where demo is true", key, info.Code))
		}
		if offered || one.Configured() {
			wrong = append(wrong, one.Mistakes()...)
		}
	}
	for i, code := range p.Offered() {
		if !slices.Contains(known, code) {
			wrong = append(wrong, key+": is none of none, "+strings.Join(known, ", "))
		}
		if slices.Contains(p.Offered()[:i], code) {
			wrong = append(wrong, key+": names a channel twice")
		}
	}
	return wrong
}
