// Package deployment holds the part of a configuration that both services have: the servers and providers of the shop,
// what they may be set to, and what the domain is built from. What one service alone has is in its own configuration.
package deployment

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/storage"
)

// Shared are the keys of both services. The config.yaml of each says what they mean.
type Shared struct {
	MySQL struct {
		DSN     string `key:"dsn" validate:"required"`
		MaxOpen int    `key:"max-open" validate:"min=2,max=10000" default:"64"`
	} `key:"mysql"`
	Redis struct {
		Addr     []string `key:"addr" validate:"required,min=1"`
		Password string   `key:"password"`
		DB       int      `key:"db" validate:"min=0,max=1000" default:"0"`
	} `key:"redis"`
	Shop struct {
		Language string `key:"language" validate:"oneof=zh en" default:"zh"`
		Zone     string `key:"zone" validate:"required" default:"Asia/Shanghai"`
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

// Mistakes holds the rules across the keys; it returns one sentence for each that is broken.
func (o *Order) Mistakes() []string {
	var wrong []string
	for _, channel := range o.Channels {
		if code, name, _ := strings.Cut(channel, "="); code == "" || name == "" {
			wrong = append(wrong, fmt.Sprintf("order.channels: %q is not of the form CODE=name", channel))
		}
	}
	return wrong
}

// Mistakes holds the rules across the keys; it returns one sentence for each that is broken, without any value.
func (s *Shared) Mistakes() []string {
	var wrong []string
	if !s.Demo {
		if s.Payment.Provider == "sandbox" {
			wrong = append(wrong, "payment.provider: sandbox collects no money and exists only where demo is true")
		}
	}
	if s.Payment.Provider == "wechat" {
		if _, err := payment.NewWechat(s.merchant()); err != nil {
			wrong = append(wrong, "payment.wechat: "+err.Error())
		}
	}
	wrong = append(wrong, s.Messages.mistakes(s.Shop.Language, s.Demo)...)
	if _, err := time.LoadLocation(s.Shop.Zone); err != nil {
		wrong = append(wrong, "shop.zone: is no time zone such as Asia/Shanghai")
	}
	return wrong
}

// merchant is the merchant's account at the payment platform.
func (s *Shared) merchant() payment.WechatOptions {
	w := s.Payment.Wechat
	return payment.WechatOptions{
		AppID: w.AppID, MchID: w.MchID, MchSerial: w.MchSerial, PrivateKey: w.PrivateKey, PlatformKeys: w.PlatformKeys,
		APIKey: w.APIKey, Base: w.BaseURL,
	}
}

// Domain is what these keys say of the domain. Each service adds its own.
func (s *Shared) Domain(now func() time.Time, log *slog.Logger) (domain.Config, error) {
	zone, err := time.LoadLocation(s.Shop.Zone)
	if err != nil {
		return domain.Config{}, fmt.Errorf("time zone %q: %w", s.Shop.Zone, err)
	}
	sender, texts, err := s.Messages.Senders(s.Shop.Language, now)
	if err != nil {
		return domain.Config{}, err
	}
	return domain.Config{
		MySQLDSN: s.MySQL.DSN, MySQLMaxOpen: s.MySQL.MaxOpen,
		RedisAddrs: s.Redis.Addr, RedisPassword: s.Redis.Password, RedisDB: s.Redis.DB,
		Zone: zone, Language: s.Shop.Language, Sender: sender, Texts: texts, Log: log, Now: now,
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

// Storage are the keys of the object store.
type Storage struct {
	Driver  string `key:"driver" validate:"oneof=local s3" default:"local"`
	Dir     string `key:"dir" validate:"required" default:"objects"`
	BaseURL string `key:"base-url" validate:"omitempty,url"`
	S3      struct {
		Endpoint  string `key:"endpoint" validate:"omitempty,url"`
		Region    string `key:"region" default:"us-east-1"`
		Bucket    string `key:"bucket"`
		AccessKey string `key:"access-key"`
		SecretKey string `key:"secret-key"`
		PathStyle bool   `key:"path-style" default:"true"`
	} `key:"s3"`
}

// Mistakes holds the rules across the keys; it returns one sentence for each that is broken, without any value.
func (s *Storage) Mistakes() []string {
	b := s.S3
	if s.Driver == "s3" && (b.Bucket == "" || b.Region == "" || b.AccessKey == "" || b.SecretKey == "") {
		return []string{"storage.s3: bucket, region, access-key and secret-key are needed where storage.driver is s3"}
	}
	return nil
}

// Bucket is the object store that is named, the zero value for a folder.
func (s *Storage) Bucket() storage.S3 {
	if s.Driver != "s3" {
		return storage.S3{}
	}
	b := s.S3
	return storage.S3{
		Endpoint: b.Endpoint, Region: b.Region, Bucket: b.Bucket, AccessKey: b.AccessKey, SecretKey: b.SecretKey,
		PathStyle: b.PathStyle, Client: nil,
	}
}
