package app

import (
	"context"
	"fmt"
	"net"
	"time"

	"shop.internal/pkg/base/meter"
	domain "shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/deployment"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/server"
)

// OpenDomain builds the shop that a configuration describes.
func OpenDomain(c Config, w deployment.Runtime) (*domain.Domain, error) {
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
	cfg.ShopperToken, cfg.Parcels = c.Token.Lifetime, c.Express.Source()
	cfg.StorageDir, cfg.StorageBase, cfg.StorageS3 = c.Storage.Dir, c.Storage.Base(port), c.Storage.Bucket()
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

// Run serves until ctx ends.
func Run(ctx context.Context, c Config, w program.Deps) error {
	watching := program.Watching{Name: "storefront", Level: c.Log.Level, Trace: c.Trace, Admission: c.Admission()}
	return program.Serve(ctx, w, watching, func(t program.Tools) (program.Service, error) {
		c.WarnShopperGap(ctx, t.Log)
		domain.LogRedis(t.Log)
		d, err := OpenDomain(c, deployment.Runtime{
			Now: t.Now, Clock: t.Clock, Log: t.Log, Tracer: t.Tracer, Meter: t.Metrics.Meter,
		})
		if err != nil {
			return program.Service{}, err
		}
		s := program.Service{Close: d.Close, Options: server.Options{
			Listen: c.Listen, OpsListen: c.Ops.Listen, StopDelay: c.Stop.Delay,
			Ops: sandboxControl(d.Sandbox),
		}}
		if err := d.CheckStart(ctx, c.Demo); err != nil {
			return s, fmt.Errorf("check the database: %w", err)
		}
		s.Background = append(s.Background, func(ctx context.Context) error {
			d.Engagement.WriteBatches(ctx, t.Log)
			return nil
		})
		if c.Catalog.Index == "on" {
			s.Background = append(s.Background, func(ctx context.Context) error {
				d.Catalog.Index().Follow(ctx, 0, t.Log)
				return nil
			})
		}
		s.Background = append(s.Background, d.WatchReplicas)
		show(t.Metrics.Meter, d)
		h, err := NewHandler(d, c, t)
		if err != nil {
			return s, err
		}
		s.Handler, s.Ready, s.Notes = h, h.Ready(d), h.Notes
		return s, nil
	})
}

// show adds what the service shows of the domain to its metrics. What a configuration switches off stays at 0.
func show(m *meter.Meter, d *domain.Domain) {
	d.ShowConnections(m)
	d.ShowReplicas(m)
	d.ShowIndex(m)
	d.ShowHot(m)
}

// Metrics returns the declarations of the metrics.
func Metrics() []meter.Metric {
	m := server.NewMetrics(meter.New(nil))
	m.ShowAdmission(new(Config).Admission())
	show(m.Meter, new(domain.Domain))
	return m.Declared()
}
