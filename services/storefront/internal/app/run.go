package app

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/deployment"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/server"
)

// OpenDomain builds the shop that a configuration describes. Its files are in a folder or, by openS3, in an object
// store.
func OpenDomain(c Config, w deployment.Surroundings, openS3 storage.OpenS3) (*domain.Domain, error) {
	cfg, err := c.Domain(w)
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
	cfg.OpenStorage, cfg.StorageBase = c.Storage.Open(openS3), c.Storage.Base(port)
	cfg.EarlierBases, cfg.KeepAddresses = c.Storage.EarlierBaseURLs, c.Storage.KeepAddresses
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

// Run serves until ctx ends. Files are kept in an object store by openS3, if the configuration has one.
func Run(ctx context.Context, c Config, w program.Deps, openS3 storage.OpenS3) error {
	watching := program.Watching{Name: "storefront", Level: c.Log.Level, Trace: c.Trace}
	return program.Serve(ctx, w, watching, func(t program.Tools) (program.Service, error) {
		log := t.Log
		c.WarnShopperGap(ctx, log)
		domain.LogRedis(log)
		d, err := OpenDomain(c, deployment.Surroundings{Now: w.Now, Clock: w.Clock, Log: log, Tracer: t.Tracer}, openS3)
		if err != nil {
			return program.Service{}, err
		}
		s := program.Service{Close: d.Close, Admission: c.Admission(), Options: server.Options{
			Name: "storefront", Listen: c.Listen, OpsListen: c.Ops.Listen, StopDelay: c.Stop.Delay,
			Ops: sandboxControl(d.Sandbox),
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
		}
		s.Background = append(s.Background, d.WatchReplicas)
		s.Figures = figures(d)
		h, err := NewHandler(d, c, HandlerDeps{
			Now: w.Now, Clock: w.Clock, Done: t.Done, Log: log, Tracer: t.Tracer, Admission: s.Admission,
			Timeout: operationTime,
		})
		if err != nil {
			return s, err
		}
		s.Handler, s.Ready, s.Notes = h, h.Ready(d), h.Notes
		return s, nil
	})
}

// figures are what the service shows of the domain. Those that a configuration switches off stay at 0.
func figures(d *domain.Domain) program.Figures {
	return program.Figures{
		Meter: d.Meter(), Gauges: slices.Concat(d.ConnectionGauges(), d.ReplicaGauges(), d.IndexGauges(), d.HotGauges()),
	}
}

// Metrics returns the declarations of the metrics.
func Metrics() []server.Metric {
	return program.Metrics(figures(new(domain.Domain)), new(Config).Admission()).Declared()
}
