package sandbox

import (
	"context"
	"time"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
)

// Section are the keys of the sandbox in the section payment of the configuration.
type Section struct {
	SandboxDelay time.Duration `key:"sandbox-delay" validate:"min=0" default:"1s"`
}

// Code is the code of the channel.
const Code = "sandbox"

// offlineAccount is what the sandbox says about where to pay by hand. offlineWait is how long orders wait for it.
const (
	offlineAccount = "Sandbox Bank · 0000 0000 0000 0000"
	offlineWait    = 72 * time.Hour
)

// Info implements payment.Provider. The sandbox calls its payments and refunds as the platform does that it stands for.
func (s *Section) Info() payment.Info {
	return payment.Info{
		Code: Code, Name: text.Of("沙箱支付", "Sandbox"), RefundName: text.Of("微信退款接口", "WeChat refund"),
		Methods: []payment.Method{
			{Kind: payment.KindApp, TradeType: "JSAPI"},
			{Kind: payment.KindPage, TradeType: "MWEB"},
			{Kind: payment.KindRedirect, TradeType: "REDIRECT"},
			{Kind: payment.KindQR, TradeType: "QR"},
			{Kind: payment.KindOffline, TradeType: "OFFLINE", Wait: offlineWait},
			{Kind: payment.KindDelivery, TradeType: "COD"},
		},
		Demo: true, Notified: true,
	}
}

// Configured implements payment.Provider. What the sandbox has collected is no money, so nothing is left to serve.
func (s *Section) Configured() bool { return false }

// Mistakes implements payment.Provider.
func (s *Section) Mistakes() []string { return nil }

// Open implements payment.Provider.
func (s *Section) Open(e payment.Env) (payment.Gateway, error) {
	return New(Options{
		NotifyURL: e.NotifyURL, Delay: s.SandboxDelay, Keys: SharedKeys(e.Redis, e.Meter, e.Now),
		Ledger: SharedLedger(e.Redis),
		Now:    e.Now, Log: e.Log,
	}), nil
}

// WithKeys is the sandbox with keys of its own, in place of those that replicas share.
type WithKeys struct {
	Section
	Keys func(context.Context) (Keys, error)
}

// Open implements payment.Provider.
func (s *WithKeys) Open(e payment.Env) (payment.Gateway, error) {
	g, err := s.Section.Open(e)
	if own, ok := g.(*Gateway); ok {
		own.keys = s.Keys
	}
	return g, err
}

// Start implements payment.Gateway.
func (s *Gateway) Start(
	ctx context.Context, a payment.StartRequest,
) (number string, answer payment.Answer, err error) {
	switch a.Kind {
	case payment.KindPage, payment.KindRedirect:
		answer.Address, err = s.H5(ctx, a.PrepayRequest)
		return a.OutTradeNo, answer, err
	case payment.KindQR: // the code leads to the page, on whatever device
		answer.Code, err = s.H5(ctx, a.PrepayRequest)
		return a.OutTradeNo, answer, err
	case payment.KindOffline:
		answer.Account, answer.Reference = offlineAccount, a.OutTradeNo
		return a.OutTradeNo, answer, nil
	case payment.KindApp, payment.KindDelivery: // no payment begins of the last
	}
	if number = a.Number; number == "" {
		if number, err = s.Prepay(ctx, a.PrepayRequest); err != nil {
			return "", answer, err
		}
	}
	answer.Params, err = s.Sign(ctx, number, a.Now)
	return number, answer, err
}
