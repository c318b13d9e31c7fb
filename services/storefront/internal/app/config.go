package app

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/kit/config"
)

// Prefix begins the names of the environment variables that override the file.
const Prefix = "STOREFRONT"

// Config is everything that can be set. deploy/storefront/config.yaml says what each key means.
type Config struct {
	Listen string `key:"listen" validate:"required" default:":8080"`
	Ops    struct {
		Listen string `key:"listen" validate:"required" default:"127.0.0.1:9080"`
	} `key:"ops"`
	MySQL struct {
		DSN     string `key:"dsn" validate:"required"`
		MaxOpen int    `key:"max-open" validate:"min=2,max=10000" default:"64"`
	} `key:"mysql"`
	Redis struct {
		Addr     []string `key:"addr" validate:"required,min=1"`
		Password string   `key:"password"`
		DB       int      `key:"db" validate:"min=0" default:"0"`
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
	Token struct {
		Headers  []string      `key:"headers" default:"X-Litemall-Token"`
		Lifetime time.Duration `key:"lifetime" validate:"min=1m" default:"24h"`
	} `key:"token"`
	CORS struct {
		Origins []string `key:"origins" default:"*"`
	} `key:"cors"`
	Proxies struct {
		Trusted []string `key:"trusted"`
	} `key:"proxies"`
	Limits struct {
		Body   config.Size `key:"body" validate:"min=1024" default:"1MiB"`
		Upload config.Size `key:"upload" validate:"min=1024,max=104857600" default:"10MiB"`
	} `key:"limits"`
	Login struct {
		PerAccount int `key:"per-account" validate:"min=0" default:"10"`
		PerAddress int `key:"per-address" validate:"min=0" default:"100"`
	} `key:"login"`
	Account struct {
		Avatar string `key:"avatar" validate:"omitempty,url"`
	} `key:"account"`
	Codes struct {
		Life       time.Duration `key:"life" validate:"min=1m" default:"5m"`
		PerMobile  int           `key:"per-mobile" validate:"min=1" default:"10"`
		PerAddress int           `key:"per-address" validate:"min=1" default:"100"`
	} `key:"codes"`
	Secrets struct {
		Codes   string `key:"codes" validate:"required,secret"`
		Session string `key:"session" validate:"omitempty,secret"`
	} `key:"secrets"`
	Wechat struct {
		AppID        string `key:"app-id"`
		AppSecret    string `key:"app-secret"`
		BaseURL      string `key:"base-url" validate:"required,url" default:"https://api.weixin.qq.com"`
		MessageToken string `key:"message-token"`
	} `key:"wechat"`
	Storage struct {
		Driver              string `key:"driver" validate:"oneof=local s3" default:"local"`
		Dir                 string `key:"dir" validate:"required" default:"objects"`
		BaseURL             string `key:"base-url" validate:"omitempty,url"`
		UploadRequiresLogin bool   `key:"upload-requires-login" default:"true"`
		S3                  struct {
			Endpoint  string `key:"endpoint" validate:"omitempty,url"`
			Region    string `key:"region" default:"us-east-1"`
			Bucket    string `key:"bucket"`
			AccessKey string `key:"access-key"`
			SecretKey string `key:"secret-key"`
			PathStyle bool   `key:"path-style" default:"true"`
		} `key:"s3"`
	} `key:"storage"`
	Express struct {
		Provider string `key:"provider" validate:"oneof=none http" default:"none"`
		URL      string `key:"url" validate:"omitempty,url"`
		Token    string `key:"token"`
	} `key:"express"`
	SMS struct {
		Sender string `key:"sender" validate:"oneof=none log" default:"none"`
		File   string `key:"file" default:"messages.log"`
	} `key:"sms"`
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
	Comment struct {
		GoodsRequirePurchase bool `key:"goods-require-purchase" default:"false"`
	} `key:"comment"`
	Order struct {
		Channels []string `key:"channels"`
	} `key:"order"`
}

// Validate holds the rules across keys.
func (c *Config) Validate() []string {
	var wrong []string
	if !c.Demo {
		if c.SMS.Sender == "log" {
			wrong = append(wrong, "sms.sender: log writes codes into a file and exists only where demo is true")
		}
		if c.Payment.Provider == "sandbox" {
			wrong = append(wrong, "payment.provider: sandbox collects no money and exists only where demo is true")
		}
	}
	if c.Payment.Provider != "none" && c.Payment.NotifyURL == "" {
		wrong = append(wrong, "payment.notify-url: is needed, since the platform must reach this service")
	}
	s := c.Storage.S3
	if c.Storage.Driver == "s3" && (s.Bucket == "" || s.Region == "" || s.AccessKey == "" || s.SecretKey == "") {
		wrong = append(wrong, "storage.s3: bucket, region, access-key and secret-key are needed where storage.driver is s3")
	}
	if c.Express.Provider == "http" && !strings.HasPrefix(c.Express.URL, "https://") &&
		(!c.Demo || !strings.HasPrefix(c.Express.URL, "http://")) {
		wrong = append(wrong, "express.url: an address that begins with https:// is needed where express.provider is http")
	}
	if c.Payment.Provider == "wechat" {
		if _, err := payment.NewWechat(c.wechat()); err != nil {
			wrong = append(wrong, "payment.wechat: "+err.Error())
		}
	}
	if _, err := time.LoadLocation(c.Shop.Zone); err != nil {
		wrong = append(wrong, "shop.zone: is no time zone such as Asia/Shanghai")
	}
	for _, channel := range c.Order.Channels {
		if code, name, _ := strings.Cut(channel, "="); code == "" || name == "" {
			wrong = append(wrong, fmt.Sprintf("order.channels: %q is not of the form CODE=name", channel))
		}
	}
	return append(wrong, c.platformRules()...)
}

// wechat is the merchant of the configuration.
func (c *Config) wechat() payment.WechatOptions {
	w := c.Payment.Wechat
	return payment.WechatOptions{
		AppID: w.AppID, MchID: w.MchID, MchSerial: w.MchSerial, PrivateKey: w.PrivateKey, PlatformKeys: w.PlatformKeys,
		APIKey: w.APIKey, Base: w.BaseURL,
	}
}

// LoadConfig reads the file, which may be empty, and the environment.
func LoadConfig(file string) (Config, error) { return config.Load[Config](file, Prefix) }
