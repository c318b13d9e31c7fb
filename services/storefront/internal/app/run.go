package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/server"
)

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
func Run(ctx context.Context, c Config, w program.Deps) error {
	return program.Serve(ctx, w, c.Log.Level, func(log *slog.Logger, done func(op.Result)) (program.Service, error) {
		c.WarnShopperGap(ctx, log)
		domain.LogRedis(log)
		d, err := OpenDomain(c, w.Now, log)
		if err != nil {
			return program.Service{}, err
		}
		s := program.Service{Close: d.Close, Options: server.Options{
			Name: "storefront", Listen: c.Listen, OpsListen: c.Ops.Listen, Ops: sandboxControl(d.Sandbox),
			Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis, Optional: true}},
		}}
		if err := d.CheckStart(ctx, c.Demo); err != nil {
			return s, fmt.Errorf("check the database: %w", err)
		}
		s.Handler, err = NewHandler(d, c, HandlerDeps{Now: w.Now, Clock: w.Clock, Done: done})
		return s, err
	})
}
