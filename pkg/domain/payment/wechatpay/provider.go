package wechatpay

import (
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/apiv3"
)

// Section is the section payment.wechat of the configuration.
type Section struct {
	AppID        string   `key:"app-id"`
	MchID        string   `key:"mch-id"`
	MchSerial    string   `key:"mch-serial"`
	PrivateKey   string   `key:"private-key"`
	PlatformKeys []string `key:"platform-keys"`
	APIKey       string   `key:"api-key"`
	BaseURL      string   `key:"base-url" validate:"omitempty,url" default:"https://api.mch.weixin.qq.com"`
}

// The platform's names of the ways to pay.
const (
	inApp     = "JSAPI"
	inBrowser = "MWEB"
)

// Info implements payment.Provider.
func (s *Section) Info() payment.Info {
	return payment.Info{
		Code: code, Name: text.Of("微信支付", "WeChat Pay"), RefundName: text.Of("微信退款接口", "WeChat refund"),
		Methods: []payment.Method{
			{Kind: payment.KindApp, TradeType: inApp, NeedsOpenID: true},
			{Kind: payment.KindPage, TradeType: inBrowser},
		},
		Currencies: []money.Currency{apiv3.Currency}, Least: 1, Notified: true,
	}
}

// Configured implements payment.Provider.
func (s *Section) Configured() bool { return s.MchID != "" }

// Mistakes implements payment.Provider.
func (s *Section) Mistakes() []string {
	if _, err := New(s.options()); err != nil {
		return []string{"payment.wechat: " + err.Error()}
	}
	return nil
}

// Open implements payment.Provider.
func (s *Section) Open(e payment.Env) (payment.Gateway, error) {
	o := s.options()
	o.NotifyURL, o.Now = e.NotifyURL, e.Now
	return New(o)
}

func (s *Section) options() Options {
	return Options{
		AppID: s.AppID, MchID: s.MchID, MchSerial: s.MchSerial, PrivateKey: s.PrivateKey, PlatformKeys: s.PlatformKeys,
		APIKey: s.APIKey, Base: s.BaseURL,
	}
}
