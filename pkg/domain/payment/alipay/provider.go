package alipay

import (
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
)

// Section is the section payment.alipay of the configuration.
type Section struct {
	AppID        string   `key:"app-id"`
	SellerID     string   `key:"seller-id"`
	PrivateKey   string   `key:"private-key"`
	PlatformKeys []string `key:"platform-keys"`
	AppCert      string   `key:"app-cert"`
	RootCert     string   `key:"root-cert"`
	BaseURL      string   `key:"base-url" validate:"omitempty,url" default:"https://openapi.alipay.com/gateway.do"`
}

// code is the code of the channel.
const code = "alipay"

// greatest is the most that the platform takes in one payment.
var greatest = money.Yuan(100_000_000)

// Info implements payment.Provider.
func (s *Section) Info() payment.Info {
	return payment.Info{
		Code: code, Name: text.Of("支付宝", "Alipay"), RefundName: text.Of("支付宝退款接口", "Alipay refund"),
		Methods: []payment.Method{
			{Kind: payment.KindPage, TradeType: "WAP"},
			{Kind: payment.KindRedirect, TradeType: "PAGE"},
			{Kind: payment.KindQR, TradeType: "PRECREATE"},
		},
		Currencies: []money.Currency{currency}, Least: 1, Greatest: greatest, Notified: true, Acknowledgement: "success",
	}
}

// Configured implements payment.Provider. A section that is filled in by half is one with mistakes.
func (s *Section) Configured() bool {
	return s.AppID+s.SellerID+s.PrivateKey+s.AppCert+s.RootCert != "" || len(s.PlatformKeys) > 0
}

// Mistakes implements payment.Provider.
func (s *Section) Mistakes() []string {
	if _, err := New(s.options()); err != nil {
		return []string{"payment.alipay: " + err.Error()}
	}
	return nil
}

// Open implements payment.Provider. The platform is answered with a text, which only the own address gives.
func (s *Section) Open(e payment.Env) (payment.Gateway, error) {
	o := s.options()
	o.NotifyURL, o.Now = e.OwnNotifyURL, e.Now
	return New(o)
}

func (s *Section) options() Options {
	return Options{
		AppID: s.AppID, SellerID: s.SellerID, PrivateKey: s.PrivateKey, PlatformKeys: s.PlatformKeys, AppCert: s.AppCert,
		RootCert: s.RootCert, Base: s.BaseURL,
	}
}
