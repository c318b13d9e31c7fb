package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/wire"
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
	jobs, err := c.jobs()
	if err != nil {
		return nil, fmt.Errorf("periods of jobs: %w", err)
	}
	sender := notify.NewNone()
	if c.SMS.Sender == "log" {
		sender = notify.NewLog(c.SMS.File, now)
	}
	sharing, err := shareOf(c)
	if err != nil {
		return nil, err
	}
	d, err := domain.Open(domain.Config{
		MySQLDSN: c.MySQL.DSN, MySQLMaxOpen: c.MySQL.MaxOpen, RedisAddrs: c.Redis.Addr, RedisPassword: c.Redis.Password,
		RedisDB: c.Redis.DB, Zone: zone, StaffIdle: c.Token.Idle, StaffToken: c.Token.Absolute,
		StaffLogin: domain.Brake{PerAccount: c.Login.PerAccount, PerAddress: c.Login.PerAddress},
		Accounts:   account.Config{}, // shoppers log in at the storefront
		StorageDir: c.Storage.Dir, StorageBase: c.Storage.BaseURL, StorageS3: bucketOf(c), Sender: sender,
		Payment: domain.PaymentConfig{
			Provider: c.Payment.Provider, NotifyURL: c.Payment.NotifyURL, SandboxDelay: c.Payment.SandboxDelay,
			Wechat: c.wechat(),
		},
		Share: sharing,
		Keep:  domain.Keep{Footprints: c.Keep.Footprints, Searches: c.Keep.Searches, Audit: c.Keep.Audit},
		Jobs:  jobs,
		Log:   log, Now: now,
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

// PartsOf takes from the shop what the operations stand on.
func PartsOf(d *domain.Domain, c Config) (Parts, error) {
	zone, err := wire.ZoneOf(c.Shop.Zone)
	return Parts{
		Access: d.Access, Sessions: d.Sessions, Catalog: d.Catalog, Content: d.Content, Orders: d.Orders, Cases: d.Aftersales,
		Accounts: d.Accounts, Addresses: d.Addresses, Traces: d.Engagement, Reviews: d.Reviews, Objects: d.Storage,
		Comments: d.LineComments, Promotions: d.Promotions, Now: d.Now,
		Settings: d.Settings, Audit: d.Audit, Books: d.Report, Days: d.Rollup,
		Zone: zone, Channels: order.ParseChannels(c.Order.Channels),
	}, err
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
	if err := prepare(ctx, d, w.Out); err != nil {
		return err
	}
	parts, err := PartsOf(d, c)
	if err != nil {
		return err
	}
	metrics := server.NewMetrics()
	h, err := NewHandler(parts, c, Edge{Clock: w.Clock, Done: server.Done(log, metrics)})
	if err != nil {
		return err
	}
	o := server.Options{
		Name: "admin", Listen: c.Listen, OpsListen: c.Ops.Listen, Handler: h, Metrics: metrics, Log: log,
		Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis}},
	}
	if c.Jobs.Enabled {
		o.Background = append(o.Background, d.Runner().Run)
	}
	return server.Run(ctx, o)
}

// prepare refuses a database that is older than the program, and lets somebody into a shop that has no operator. The
// password goes to the output alone and once: it is no line of the log, which strikes passwords out.
func prepare(ctx context.Context, d *domain.Domain, out io.Writer) error {
	if err := d.CheckSchema(ctx); err != nil {
		return fmt.Errorf("check the database (`shopctl migrate` brings it up to date): %w", err)
	}
	name, password, err := d.Access.First(ctx)
	if err != nil || name == "" {
		return err
	}
	_, err = fmt.Fprintf(out, "There was no operator. Log in as %s with the password %s and change it; "+
		"it is not shown again.\n", name, password)
	return err
}
