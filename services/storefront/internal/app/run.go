package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/server"
)

// World is what a program has that tests replace.
type World struct {
	// Now is the time of day, Clock measures ages and durations, Out takes the log.
	Now, Clock func() time.Time
	Out        io.Writer
}

// OpenDomain builds the shop that a configuration describes.
func OpenDomain(c Config, now func() time.Time, log *slog.Logger) (*domain.Domain, error) {
	zone, err := time.LoadLocation(c.Shop.Zone)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", c.Shop.Zone, err)
	}
	sender := notify.NewNone()
	if c.SMS.Sender == "log" {
		sender = notify.NewLog(c.SMS.File, now)
	}
	base := c.Storage.BaseURL
	if base == "" {
		_, port, err := net.SplitHostPort(c.Listen)
		if err != nil {
			return nil, fmt.Errorf("listen: %w", err)
		}
		base = "http://localhost:" + port + "/wx/storage/fetch/"
	}
	accounts, err := accountsOf(c)
	if err != nil {
		return nil, err
	}
	d, err := domain.Open(domain.Config{
		MySQLDSN: c.MySQL.DSN, MySQLMaxOpen: c.MySQL.MaxOpen, RedisAddrs: c.Redis.Addr, RedisPassword: c.Redis.Password,
		RedisDB: c.Redis.DB, Zone: zone, ShopperToken: c.Token.Lifetime,
		Accounts:   accounts,
		StorageDir: c.Storage.Dir, StorageBase: base, StorageS3: bucketOf(c), Sender: sender, Parcels: carriersOf(c),
		Payment: domain.PaymentConfig{
			Provider: c.Payment.Provider, NotifyURL: c.Payment.NotifyURL, SandboxDelay: c.Payment.SandboxDelay,
			Wechat: c.wechat(),
		},
		Log: log, Now: now,
	})
	if err != nil {
		return nil, fmt.Errorf("build the shop: %w", err)
	}
	return d, nil
}

// bucketOf is the object store that a configuration names, the zero value for a folder.
func bucketOf(c Config) storage.S3 {
	if c.Storage.Driver != "s3" {
		return storage.S3{}
	}
	s := c.Storage.S3
	return storage.S3{
		Endpoint: s.Endpoint, Region: s.Region, Bucket: s.Bucket, AccessKey: s.AccessKey, SecretKey: s.SecretKey,
		PathStyle: s.PathStyle, Client: nil,
	}
}

// carriersOf is who knows where parcels are.
func carriersOf(c Config) express.Provider {
	if c.Express.Provider == "http" {
		return express.NewHTTP(c.Express.URL, c.Express.Token)
	}
	return express.None{}
}

// Run serves until ctx ends.
func Run(ctx context.Context, c Config, w World) (err error) {
	out := logging.NewBuffer(w.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	log := logging.New(out, c.Log.Level)
	d, err := OpenDomain(c, w.Now, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.CheckSchema(ctx); err != nil {
		return fmt.Errorf("check the database (`shopctl migrate` brings it up to date): %w", err)
	}
	metrics := server.NewMetrics()
	h, err := NewHandler(d, c, Edge{Now: w.Now, Clock: w.Clock, Done: server.Done(log, metrics)})
	if err != nil {
		return err
	}
	return server.Run(ctx, server.Options{
		Name: "storefront", Listen: c.Listen, OpsListen: c.Ops.Listen, Handler: h, Ops: sandboxControl(d.Sandbox),
		Metrics: metrics, Log: log,
		Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis}},
	})
}
