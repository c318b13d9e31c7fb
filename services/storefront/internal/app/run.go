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
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/server"
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
	_, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if cfg.Accounts, err = accountsOf(c); err != nil {
		return nil, err
	}
	cfg.Unpaid = order.UnpaidLimits{Orders: c.Order.MaxUnpaid, Pieces: c.Order.MaxUnpaidPieces}
	cfg.IdempotencySecret = []byte(c.Secrets.Idempotency)
	cfg.ShopperToken, cfg.Parcels = c.Token.Lifetime, carriersOf(c)
	cfg.StorageDir, cfg.StorageBase, cfg.StorageS3 = c.Storage.Dir, c.Storage.Base(port), c.Storage.Bucket()
	c.SetAvatars(&cfg)
	d, err := domain.Open(cfg)
	if err != nil {
		return nil, fmt.Errorf("build the shop: %w", err)
	}
	return d, nil
}

// carriersOf returns the tracking provider.
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
	w.Start.Log(log)
	c.WarnShopperGap(ctx, log)
	domain.LogRedis(log)
	d, err := OpenDomain(c, w.Now, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.CheckStart(ctx, c.Demo); err != nil {
		return fmt.Errorf("check the database: %w", err)
	}
	metrics := server.NewMetrics()
	h, err := NewHandler(d, c, Edge{Now: w.Now, Clock: w.Clock, Done: server.Done(log, metrics)})
	if err != nil {
		return err
	}
	return server.Run(ctx, server.Options{
		Name: "storefront", Listen: c.Listen, OpsListen: c.Ops.Listen, Handler: h, Ops: sandboxControl(d.Sandbox),
		Metrics: metrics, Log: log,
		Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis, Optional: true}},
	})
}
