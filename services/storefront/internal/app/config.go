package app

import (
	"slices"
	"time"

	"shop.internal/pkg/domain/deployment"
	"shop.internal/pkg/kit/config"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/site"
	"shop.internal/pkg/kit/tracing"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/rate"
)

// Prefix is the prefix of the environment variables that override the file.
const Prefix = "STOREFRONT"

// Config is the configuration. deploy/storefront/config.yaml documents each key.
type Config struct {
	deployment.Shared
	Listen string `key:"listen" validate:"required" default:":8080"`
	Ops    struct {
		Listen string `key:"listen" validate:"required" default:"127.0.0.1:9080"`
	} `key:"ops"`
	Web     site.Config    `key:"web"`
	Trace   tracing.Config `key:"trace"`
	Catalog struct {
		Index string `key:"index" validate:"oneof=on off" default:"on"`
	} `key:"catalog"`
	Token struct {
		Headers  []string      `key:"headers" default:"X-Litemall-Token"`
		Lifetime time.Duration `key:"lifetime" validate:"min=1m" default:"24h"`
	} `key:"token"`
	CORS struct {
		Origins []string `key:"origins" default:"*"`
	} `key:"cors"`
	Limits struct {
		Body   config.Size `key:"body" validate:"min=1024" default:"1MiB"`
		Upload config.Size `key:"upload" validate:"min=1024,max=104857600" default:"10MiB"`
	} `key:"limits"`
	Login struct {
		PerAccount int `key:"per-account" validate:"min=0" default:"10"`
		PerAddress int `key:"per-address" validate:"min=0" default:"100"`
	} `key:"login"`
	Rate  rate.Config `key:"rate"`
	Codes struct {
		Life       time.Duration `key:"life" validate:"min=1m" default:"5m"`
		PerMobile  int           `key:"per-mobile" validate:"min=1" default:"10"`
		PerAddress int           `key:"per-address" validate:"min=1" default:"100"`
	} `key:"codes"`
	Secrets struct {
		deployment.Secrets
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
		deployment.Storage
		UploadRequiresLogin bool `key:"upload-requires-login" default:"true"`
	} `key:"storage"`
	Order struct {
		deployment.Order
		MaxUnpaid       int `key:"max-unpaid" validate:"min=0" default:"20"`
		MaxUnpaidPieces int `key:"max-unpaid-pieces" validate:"min=0" default:"500"`
		HotQueue        int `key:"hot-queue" validate:"min=0" default:"1000"`
		HotAfter        int `key:"hot-after" validate:"min=0" default:"50"`
	} `key:"order"`
	Express deployment.Express `key:"express"`
	Comment struct {
		GoodsRequirePurchase bool `key:"goods-require-purchase" default:"false"`
	} `key:"comment"`
}

// Validate checks the rules that span keys.
func (c *Config) Validate() []string {
	wrong := slices.Concat(c.ValidationErrors(), c.Storage.ValidationErrors(c.Demo), c.Order.ValidationErrors(),
		c.listeners().ValidationErrors(),
		c.Trace.ValidationErrors())
	if c.Payment.Notified(true) && c.Payment.NotifyURL == "" {
		wrong = append(wrong, "payment.notify-url: is needed, since the platform must reach this service")
	}
	return slices.Concat(wrong, c.Express.ValidationErrors(c.Demo), c.Web.ValidationErrors(), c.platformRules())
}

// doors returns the addresses to listen on and the trusted proxies.
func (c *Config) listeners() server.Listeners {
	return server.Listeners{Listen: c.Listen, OpsListen: c.Ops.Listen, Proxies: c.Proxies.Trusted, CORS: c.cors()}
}

// cors returns the origins that may call.
func (c *Config) cors() server.CORS {
	return server.CORS{
		Origins: c.CORS.Origins, Headers: append([]string{"Content-Type", auth.Header, "Idempotency-Key", op.LanguageHeader},
			c.Token.Headers...),
	}
}

// Check reports resources of the machine that are configured but unusable.
func Check(c Config) []string { return c.Storage.Unusable() }

// LoadConfig loads the file, which may be empty, and the environment.
func LoadConfig(file string) (Config, error) { return config.Load[Config](file, Prefix) }
