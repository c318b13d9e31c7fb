package app

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	domain "shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/deployment"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/kit/config"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/site"
	"shop.internal/pkg/kit/tracing"
	"shop.internal/services/admin/internal/auth"
)

// Prefix is the prefix of the environment variables that override the file.
const Prefix = "ADMIN"

// Config is the configuration. deploy/admin/config.yaml documents each key.
type Config struct {
	deployment.Shared
	Listen string `key:"listen" validate:"required" default:":8081"`
	Ops    struct {
		Listen string `key:"listen" validate:"required" default:"127.0.0.1:9081"`
	} `key:"ops"`
	Web     site.Config    `key:"web"`
	Trace   tracing.Config `key:"trace"`
	Catalog struct {
		Index string `key:"index" validate:"oneof=on off" default:"on"`
	} `key:"catalog"`
	Token struct {
		Headers  []string      `key:"headers" default:"X-Litemall-Admin-Token"`
		Idle     time.Duration `key:"idle" validate:"min=1m" default:"6h"`
		Absolute time.Duration `key:"absolute" validate:"min=1m" default:"24h"`
	} `key:"token"`
	CORS struct {
		Origins []string `key:"origins"`
	} `key:"cors"`
	Limits struct {
		Body config.Size `key:"body" validate:"min=1024" default:"4MiB"`
	} `key:"limits"`
	Login struct {
		PerAccount int `key:"per-account" validate:"min=0" default:"5"`
		PerAddress int `key:"per-address" validate:"min=0" default:"50"`
	} `key:"login"`
	Secrets deployment.Secrets `key:"secrets"`
	Rate    struct {
		WritesPerOperator int `key:"writes-per-operator" validate:"min=0" default:"600"`
		WritesPerAddress  int `key:"writes-per-address" validate:"min=0" default:"1200"`
	} `key:"rate"`
	Storage deployment.Storage `key:"storage"`
	Order   deployment.Order   `key:"order"`
	Express deployment.Express `key:"express"`
	Wechat  struct {
		AppID     string `key:"app-id"`
		AppSecret string `key:"app-secret"`
		BaseURL   string `key:"base-url" validate:"required,url" default:"https://api.weixin.qq.com"`
	} `key:"wechat"`
	Share struct {
		Page    string `key:"page" validate:"omitempty,url,max=255"`
		AppPage string `key:"app-page" validate:"required,max=128" default:"pages/index/index"`
	} `key:"share"`
	Jobs struct {
		Enabled bool          `key:"enabled" default:"true"`
		Periods []string      `key:"periods"`
		Lease   time.Duration `key:"lease" validate:"min=1s,max=1m" default:"15s"`
	} `key:"jobs"`
	Retention struct {
		Footprints time.Duration `key:"footprints" validate:"min=0" default:"8760h"`
		Searches   time.Duration `key:"searches" validate:"min=0" default:"8760h"`
		Feedback   time.Duration `key:"feedback" validate:"min=0" default:"17520h"`
		Uploads    time.Duration `key:"uploads" validate:"min=0" default:"720h"`
		Audit      time.Duration `key:"audit" validate:"min=0" default:"0s"`
		Log        time.Duration `key:"log" validate:"min=0" default:"17520h"`
		Notices    time.Duration `key:"notices" validate:"min=0" default:"8760h"`
	} `key:"retention"`
}

// minUploadRetention is the minimum retention of unused uploads: long enough to finish the text that uses one.
const minUploadRetention = 24 * time.Hour

// Validate checks the rules that span keys.
func (c *Config) Validate() []string {
	wrong := slices.Concat(c.ValidationErrors(), c.Storage.ValidationErrors(c.Demo), c.Order.ValidationErrors(),
		c.listeners().ValidationErrors(),
		c.Express.ValidationErrors(c.Demo), c.Trace.ValidationErrors(), c.Web.ValidationErrors())
	if c.Token.Idle > c.Token.Absolute {
		wrong = append(wrong, "token.idle: is above token.absolute")
	}
	if c.Payment.Notified(false) && c.Payment.NotifyURL == "" {
		wrong = append(wrong, "payment.notify-url: is needed, since refunds name it too")
	}
	if c.Retention.Uploads != 0 && c.Retention.Uploads < minUploadRetention {
		wrong = append(wrong, fmt.Sprintf("retention.uploads: is below %s, 0s is for ever", minUploadRetention))
	}
	if _, err := c.jobs(); err != nil {
		wrong = append(wrong, strings.ReplaceAll("jobs.periods: "+err.Error(), "\n", "; "))
	}
	return append(wrong, c.shareRules()...)
}

// jobs returns the configuration of the scheduled jobs.
func (c *Config) jobs() (domain.JobsConfig, error) {
	periods, err := job.ParsePeriods(c.Jobs.Periods)
	if err == nil {
		err = domain.CheckPeriods(periods)
	}
	return domain.JobsConfig{Periods: periods, Lease: c.Jobs.Lease}, err
}

// doors returns the addresses to listen on and the trusted proxies.
func (c *Config) listeners() server.Listeners {
	return server.Listeners{Listen: c.Listen, OpsListen: c.Ops.Listen, Proxies: c.Proxies.Trusted, CORS: c.cors()}
}

// cors returns the origins that may call.
func (c *Config) cors() server.CORS {
	return server.CORS{
		Origins: c.CORS.Origins, Credentials: true, Methods: []string{http.MethodGet, http.MethodPost, http.MethodOptions},
		Headers: append([]string{
			"Content-Type", auth.Header, "Idempotency-Key", op.LanguageHeader, auth.ViewHeader,
		}, c.Token.Headers...),
	}
}

// Check reports resources of the machine that are configured but unusable.
func Check(c Config) []string { return c.Storage.Unusable() }

// storefrontPort is the storefront's default port.
const storefrontPort = "8080"

// PictureBase is the prefix of the address of a file before its key.
func (c *Config) PictureBase() string { return c.Storage.Base(storefrontPort) }

// LoadConfig loads the file, which may be empty, and the environment.
func LoadConfig(file string) (Config, error) { return config.Load[Config](file, Prefix) }
