// Package deployment is the part of the configuration that both services share: the servers and providers of the shop,
// their validation, and the domain's configuration derived from them.
package deployment

import (
	"cmp"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/trace"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/payment"
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
	Shop Shop `key:"shop"`
	Log  struct {
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
	Payment Payment `key:"payment"`
}

// Shop are the keys about the shop itself.
type Shop struct {
	Country string `key:"country" default:"CN"`
	// Language and Zone are empty for those of the country; Speaks and Clock return what holds.
	Language string `key:"language" validate:"omitempty,oneof=zh en"`
	Zone     string `key:"zone"`
	// ShopperAvatar and OperatorAvatar are empty for the built-in pictures.
	ShopperAvatar  string `key:"shopper-avatar" validate:"omitempty,url,max=255"`
	OperatorAvatar string `key:"operator-avatar" validate:"omitempty,url,max=255"`
}

// Place returns the country, which is checked when the configuration is loaded.
func (s Shop) Place() country.Country {
	c, _ := country.Named(s.Country)
	return c
}

// Speaks returns the language of texts for people: "zh" or "en".
func (s Shop) Speaks() string { return cmp.Or(s.Language, s.Place().Language()) }

// Clock returns the name of the time zone.
func (s Shop) Clock() string { return cmp.Or(s.Zone, s.Place().Zone()) }

// mistakes checks the country and what follows from it.
func (s Shop) mistakes() []string {
	if _, err := country.Named(s.Country); err != nil {
		return []string{"shop.country: " + err.Error()}
	}
	if s.Clock() == "" {
		return []string{"shop.zone: is needed, since " + s.Country + " has several time zones"}
	}
	if _, err := time.LoadLocation(s.Clock()); err != nil {
		return []string{"shop.zone: is no time zone such as Asia/Shanghai"}
	}
	return nil
}

// Order are the keys about orders that both services share.
type Order struct {
	Channels []string `key:"channels"`
}

// ValidationErrors checks the rules that span keys; it returns a sentence for each violation.
func (o *Order) ValidationErrors() []string {
	var wrong []string
	for _, channel := range o.Channels {
		if code, name, _ := strings.Cut(channel, "="); code == "" || name == "" {
			wrong = append(wrong, fmt.Sprintf("order.channels: %q is not of the form CODE=name", channel))
		}
	}
	return wrong
}

// ValidationErrors checks the rules that span keys; it returns a sentence for each violation, without any value.
func (s *Shared) ValidationErrors() []string {
	wrong := s.serverMistakes()
	wrong = append(wrong, s.Payment.validationErrors(s.Demo)...)
	wrong = append(wrong, s.mistakes(s.Shop.Speaks(), s.Demo)...)
	return append(wrong, s.Shop.mistakes()...)
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

// Runtime are what the domain gets from its process.
type Runtime struct {
	// Now is the time of day, Clock measures durations, nil by Now.
	Now, Clock func() time.Time
	Log        *slog.Logger
	// Tracer is nil if nothing is traced.
	Tracer *trace.Tracer
	// Meter is nil if nothing is shown.
	Meter *meter.Meter
}

// Domain returns the domain's configuration, as far as both services share it.
func (s *Shared) Domain(w Runtime) (app.Config, error) {
	zone, err := time.LoadLocation(s.Shop.Clock())
	if err != nil {
		return app.Config{}, fmt.Errorf("time zone %q: %w", s.Shop.Clock(), err)
	}
	sender, texts, err := s.Senders(s.Shop.Speaks(), w.Now)
	if err != nil {
		return app.Config{}, err
	}
	encryption, err := s.MySQL.TLS.client()
	if err != nil {
		return app.Config{}, fmt.Errorf("mysql.tls: %w", err)
	}
	kept, err := s.Redis.options()
	if err != nil {
		return app.Config{}, err
	}
	return app.Config{
		MySQLDSN: s.MySQL.DSN, MySQLMaxOpen: s.MySQL.MaxOpen, MySQLSlow: s.MySQL.Slow, MySQLTLS: encryption, Redis: kept,
		MySQLReplicas: s.MySQL.Replicas, MySQLMaxLag: s.MySQL.MaxLag,
		Country: s.Shop.Place(), Zone: zone, Language: s.Shop.Speaks(), Sender: sender, Texts: texts,
		Log: w.Log, Now: w.Now, Clock: w.Clock, Tracer: w.Tracer, Meter: w.Meter,
		Payment: app.PaymentConfig{
			Providers: payment.ProvidersOf(&s.Payment.Providers), Offered: s.Payment.Offered(), NotifyURL: s.Payment.NotifyURL,
		},
	}, nil
}

// Secrets are the secrets that both services share.
type Secrets struct {
	Idempotency string `key:"idempotency" validate:"required,secret"`
}
