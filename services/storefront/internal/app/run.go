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
	cfg.Accounts.ActiveAge = SessionAge
	cfg.Unpaid = order.UnpaidLimits{Orders: c.Order.MaxUnpaid, Pieces: c.Order.MaxUnpaidPieces}
	cfg.Hot = order.Hot{Queue: c.Order.HotQueue, After: c.Order.HotAfter}
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

// SessionAge is how long a login that was ended elsewhere, by another replica or an operator, may still be used.
const SessionAge = time.Second

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
		s := program.Service{Close: d.Close, Admission: c.Admission(), Options: server.Options{
			Name: "storefront", Listen: c.Listen, OpsListen: c.Ops.Listen, StopDelay: c.Stop.Delay,
			Ops:   sandboxControl(d.Sandbox),
			Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis, Optional: true}},
		}}
		if err := d.CheckStart(ctx, c.Demo); err != nil {
			return s, fmt.Errorf("check the database: %w", err)
		}
		s.Background = append(s.Background, func(ctx context.Context) error {
			d.Engagement.Gather(ctx, log)
			return nil
		})
		if c.Catalog.Index == "on" {
			s.Background = append(s.Background, func(ctx context.Context) error {
				d.Catalog.Follow(ctx, 0, log)
				return nil
			})
			s.Gauges = program.IndexGauges(func() program.Index { return program.Index(d.Catalog.IndexState()) })
		}
		s.Gauges = append(s.Gauges, hotGauges(d.Orders)...)
		s.Handler, err = NewHandler(d, c, HandlerDeps{Now: w.Now, Clock: w.Clock, Done: done, Admission: s.Admission})
		return s, err
	})
}

// hotGauges are the figures of products that many buy at once.
func hotGauges(s *order.Service) []server.Gauge {
	gauge := func(name, help string, of func(order.HotState) int64) server.Gauge {
		return server.Gauge{Name: name, Help: help, Value: func() float64 { return float64(of(s.HotState())) }}
	}
	return []server.Gauge{
		gauge("hot_products", "Products that so many buy at once that their purchases are gathered.",
			func(h order.HotState) int64 { return int64(h.Products) }),
		gauge("hot_waiting", "Purchases of hot products that wait.",
			func(h order.HotState) int64 { return int64(h.Waiting) }),
		gauge("hot_batches", "Gathered transactions since the start.", func(h order.HotState) int64 { return h.Batches }),
		gauge("hot_gathered", "Purchases in them.", func(h order.HotState) int64 { return h.Gathered }),
		gauge("hot_refused_full", "Purchases refused because too many of the product waited.",
			func(h order.HotState) int64 { return h.Full }),
		gauge("hot_refused_sold_out", "Purchases refused because of a shortage in memory.",
			func(h order.HotState) int64 { return h.SoldOut }),
	}
}
