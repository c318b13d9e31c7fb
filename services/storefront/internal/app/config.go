package app

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

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
		Body config.Size `key:"body" validate:"min=1024" default:"1MiB"`
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
		Codes string `key:"codes" validate:"required,secret"`
	} `key:"secrets"`
	Storage struct {
		Dir     string `key:"dir" validate:"required" default:"objects"`
		BaseURL string `key:"base-url" validate:"omitempty,url"`
	} `key:"storage"`
	SMS struct {
		Sender string `key:"sender" validate:"oneof=none log" default:"none"`
		File   string `key:"file" default:"messages.log"`
	} `key:"sms"`
	Payment struct {
		Provider     string        `key:"provider" validate:"oneof=none sandbox" default:"none"`
		NotifyURL    string        `key:"notify-url" validate:"omitempty,url"`
		SandboxDelay time.Duration `key:"sandbox-delay" validate:"min=0" default:"1s"`
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
	if _, err := time.LoadLocation(c.Shop.Zone); err != nil {
		wrong = append(wrong, "shop.zone: is no time zone such as Asia/Shanghai")
	}
	for _, channel := range c.Order.Channels {
		if code, name, _ := strings.Cut(channel, "="); code == "" || name == "" {
			wrong = append(wrong, fmt.Sprintf("order.channels: %q is not of the form CODE=name", channel))
		}
	}
	return wrong
}

// LoadConfig reads the file, which may be empty, and the environment.
func LoadConfig(file string) (Config, error) { return config.Load[Config](file, Prefix) }
