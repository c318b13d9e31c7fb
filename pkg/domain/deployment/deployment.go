// Package deployment is the part of the configuration that both services share: the servers and providers of the shop,
// their validation, and the domain's configuration derived from them.
package deployment

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/payment/wechatpay"
	"shop.internal/pkg/domain/platform/trace"
)

// Shared are the keys of both services. Each service's config.yaml documents them.
type Shared struct {
	MySQL struct {
		DSN     string `key:"dsn" validate:"required"`
		MaxOpen int    `key:"max-open" validate:"min=2,max=10000" default:"64"`
		// Slow is the time from which a statement is logged, 0 for none.
		Slow time.Duration `key:"slow" validate:"min=0,max=1m" default:"500ms"`
		TLS  TLS           `key:"tls"`
		// Replicas are addresses of read replicas in the form of DSN.
		Replicas []string      `key:"replicas"`
		MaxLag   time.Duration `key:"max-lag" validate:"min=1s,max=2m" default:"5s"`
	} `key:"mysql"`
	Redis Redis `key:"redis"`
	Stop  struct {
		Delay time.Duration `key:"delay" validate:"min=0,max=5m" default:"5s"`
	} `key:"stop"`
	Shop struct {
		Language string `key:"language" validate:"oneof=zh en" default:"zh"`
		Zone     string `key:"zone" validate:"required" default:"Asia/Shanghai"`
		// ShopperAvatar and OperatorAvatar are empty for the built-in pictures.
		ShopperAvatar  string `key:"shopper-avatar" validate:"omitempty,url,max=255"`
		OperatorAvatar string `key:"operator-avatar" validate:"omitempty,url,max=255"`
	} `key:"shop"`
	Log struct {
		Level slog.Level `key:"level" default:"INFO"`
	} `key:"log"`
	Demo bool `key:"demo" default:"false"`
	Docs struct {
		Enabled bool `key:"enabled" default:"false"`
	} `key:"docs"`
	Proxies struct {
		Trusted []string `key:"trusted"`
	} `key:"proxies"`
	Overload Overload `key:"overload"`
	Messages
	Payment struct {
		Provider     string        `key:"provider" validate:"oneof=none sandbox wechat" default:"none"`
		NotifyURL    string        `key:"notify-url" validate:"omitempty,url"`
		SandboxDelay time.Duration `key:"sandbox-delay" validate:"min=0" default:"1s"`
		Wechat       struct {
			AppID        string   `key:"app-id"`
			MchID        string   `key:"mch-id"`
			MchSerial    string   `key:"mch-serial"`
			PrivateKey   string   `key:"private-key"`
			PlatformKeys []string `key:"platform-keys"`
			APIKey       string   `key:"api-key"`
			BaseURL      string   `key:"base-url" validate:"omitempty,url" default:"https://api.mch.weixin.qq.com"`
		} `key:"wechat"`
	} `key:"payment"`
}

// Order are the keys about orders that both services share.
type Order struct {
	Channels []string `key:"channels"`
}

// Mistakes checks the rules that span keys; it returns a sentence for each violation.
func (o *Order) Mistakes() []string {
	var wrong []string
	for _, channel := range o.Channels {
		if code, name, _ := strings.Cut(channel, "="); code == "" || name == "" {
			wrong = append(wrong, fmt.Sprintf("order.channels: %q is not of the form CODE=name", channel))
		}
	}
	return wrong
}

// Mistakes checks the rules that span keys; it returns a sentence for each violation, without any value.
func (s *Shared) Mistakes() []string {
	wrong := s.serverMistakes()
	if !s.Demo {
		if s.Payment.Provider == "sandbox" {
			wrong = append(wrong, "payment.provider: sandbox collects no money and exists only where demo is true")
		}
	}
	if s.Payment.Provider == "wechat" {
		if _, err := wechatpay.New(s.merchant()); err != nil {
			wrong = append(wrong, "payment.wechat: "+err.Error())
		}
	}
	wrong = append(wrong, s.mistakes(s.Shop.Language, s.Demo)...)
	if _, err := time.LoadLocation(s.Shop.Zone); err != nil {
		wrong = append(wrong, "shop.zone: is no time zone such as Asia/Shanghai")
	}
	return wrong
}

// serverMistakes checks the servers' addresses. The driver's own errors are not quoted, since they may contain the
// password.
func (s *Shared) serverMistakes() []string {
	var wrong []string
	for i, address := range append([]string{s.MySQL.DSN}, s.MySQL.Replicas...) {
		key := "mysql.dsn"
		if i > 0 {
			key = "mysql.replicas"
		}
		dsn, err := mysql.ParseDSN(address)
		switch {
		case err != nil:
			wrong = append(wrong, key+": is not of the form user:password@tcp(host:3306)/database")
		case dsn.DBName == "":
			wrong = append(wrong, key+": names no database; it ends in /database")
		}
	}
	wrong = append(wrong, s.MySQL.TLS.mistakes("mysql.tls")...)
	return append(wrong, s.Redis.mistakes()...)
}

// merchant returns the merchant's account at the payment platform.
func (s *Shared) merchant() wechatpay.Options {
	w := s.Payment.Wechat
	return wechatpay.Options{
		AppID: w.AppID, MchID: w.MchID, MchSerial: w.MchSerial, PrivateKey: w.PrivateKey, PlatformKeys: w.PlatformKeys,
		APIKey: w.APIKey, Base: w.BaseURL,
	}
}

// Surroundings are what the domain gets from its process.
type Surroundings struct {
	// Now is the time of day, Clock measures durations, nil by Now.
	Now, Clock func() time.Time
	Log        *slog.Logger
	// Tracer is nil if nothing is traced.
	Tracer *trace.Tracer
}

// Domain returns the domain's configuration, as far as both services share it.
func (s *Shared) Domain(w Surroundings) (domain.Config, error) {
	zone, err := time.LoadLocation(s.Shop.Zone)
	if err != nil {
		return domain.Config{}, fmt.Errorf("time zone %q: %w", s.Shop.Zone, err)
	}
	sender, texts, err := s.Senders(s.Shop.Language, w.Now)
	if err != nil {
		return domain.Config{}, err
	}
	encryption, err := s.MySQL.TLS.client()
	if err != nil {
		return domain.Config{}, fmt.Errorf("mysql.tls: %w", err)
	}
	kept, err := s.Redis.options()
	if err != nil {
		return domain.Config{}, err
	}
	return domain.Config{
		MySQLDSN: s.MySQL.DSN, MySQLMaxOpen: s.MySQL.MaxOpen, MySQLSlow: s.MySQL.Slow, MySQLTLS: encryption, Redis: kept,
		MySQLReplicas: s.MySQL.Replicas, MySQLMaxLag: s.MySQL.MaxLag,
		Zone: zone, Language: s.Shop.Language, Sender: sender, Texts: texts,
		Log: w.Log, Now: w.Now, Clock: w.Clock, Tracer: w.Tracer,
		Payment: domain.PaymentConfig{
			Provider: s.Payment.Provider, NotifyURL: s.Payment.NotifyURL, SandboxDelay: s.Payment.SandboxDelay,
			Wechat: s.merchant(),
		},
	}, nil
}

// Secrets are the secrets that both services share.
type Secrets struct {
	Idempotency string `key:"idempotency" validate:"required,secret"`
}
