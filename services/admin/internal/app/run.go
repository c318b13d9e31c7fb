package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/wire"
)

// World is what a program has that tests replace.
type World struct {
	// Now is the time of day, Clock measures ages and durations, Out takes the log.
	Now, Clock func() time.Time
	Out        io.Writer
	// Start says how the program was started.
	Start program.Start
}

// OpenDomain builds the shop that a configuration describes.
func OpenDomain(c Config, now func() time.Time, log *slog.Logger) (*domain.Domain, error) {
	cfg, err := c.Domain(now, log)
	if err != nil {
		return nil, err
	}
	if cfg.Jobs, err = c.jobs(); err != nil {
		return nil, fmt.Errorf("periods of jobs: %w", err)
	}
	if cfg.Share, err = shareOf(c); err != nil {
		return nil, err
	}
	cfg.IdempotencySecret = []byte(c.Secrets.Idempotency)
	cfg.StaffIdle, cfg.StaffToken = c.Token.Idle, c.Token.Absolute
	cfg.StaffLogin = domain.LoginLimit{PerAccount: c.Login.PerAccount, PerAddress: c.Login.PerAddress}
	cfg.StorageDir, cfg.StorageBase, cfg.StorageS3 = c.Storage.Dir, c.PictureBase(), c.Storage.Bucket()
	cfg.Retention = domain.Retention{
		Footprints: c.Retention.Footprints, Searches: c.Retention.Searches, Feedback: c.Retention.Feedback,
		Uploads: c.Retention.Uploads,
		Audit:   c.Retention.Audit, Log: c.Retention.Log, Notices: c.Retention.Notices,
	}
	c.SetAvatars(&cfg)
	d, err := domain.Open(cfg)
	if err != nil {
		return nil, fmt.Errorf("build the shop: %w", err)
	}
	return d, nil
}

// PartsOf returns the dependencies of the operations.
func PartsOf(d *domain.Domain, c Config) (Deps, error) {
	zone, err := wire.ZoneOf(c.Shop.Zone)
	return Deps{
		Access: d.Access, Sessions: d.Sessions, Catalog: d.Catalog, Content: d.Content, Orders: d.Orders, Cases: d.Aftersales,
		Accounts: d.Accounts, Addresses: d.Addresses, Traces: d.Engagement, Reviews: d.Reviews, Objects: d.Storage,
		Comments: d.LineComments, Promotions: d.Promotions, Limiter: d.Limiter, Now: d.Now,
		Settings: d.Settings, Audit: d.Audit, Books: d.Report, Days: d.Rollup,
		Zone: zone, Language: c.Shop.Language, Channels: order.ParseChannels(c.Order.Channels),
	}, err
}

// Run serves until ctx ends.
func Run(ctx context.Context, c Config, w World) (err error) {
	out := logging.NewBuffer(w.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	log := logging.New(out, c.Log.Level)
	w.Start.Log(log)
	c.WarnStaffGap(ctx, log)
	domain.LogRedis(log)
	d, err := OpenDomain(c, w.Now, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := prepare(ctx, d, c.Demo, w.Out); err != nil {
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
		Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis, Optional: true}},
	}
	if c.Jobs.Enabled {
		o.Background = append(o.Background, d.Runner().Run)
	}
	return server.Run(ctx, o)
}

// prepare refuses a database that the program must not use, and creates the first operator of a shop without one. The
// password is printed once to the output, but not logged.
func prepare(ctx context.Context, d *domain.Domain, demo bool, out io.Writer) error {
	if err := d.CheckStart(ctx, demo); err != nil {
		return fmt.Errorf("check the database: %w", err)
	}
	name, password, err := d.Access.First(audit.With(ctx, audit.Call{
		Name: "admin", Operation: "first start", Target: "admin", At: d.Now(),
	}))
	if err != nil || name == "" {
		return err
	}
	_, err = fmt.Fprintf(out, "There was no operator. Log in as %s with the password %s and change it; "+
		"it is not shown again.\n", name, password)
	return err
}
