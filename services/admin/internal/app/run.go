package app

import (
	"context"
	"fmt"
	"io"
	"slices"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/deployment"
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
	if cfg.Jobs, err = c.jobs(); err != nil {
		return nil, fmt.Errorf("periods of jobs: %w", err)
	}
	if cfg.Share, err = shareOf(c); err != nil {
		return nil, err
	}
	cfg.IdempotencySecret = []byte(c.Secrets.Idempotency)
	cfg.StaffIdle, cfg.StaffToken = c.Token.Idle, c.Token.Absolute
	cfg.StaffLogin = domain.LoginLimit{PerAccount: c.Login.PerAccount, PerAddress: c.Login.PerAddress}
	cfg.OpenStorage, cfg.StorageBase = c.Storage.Open(openS3), c.PictureBase()
	cfg.EarlierBases, cfg.KeepAddresses = c.Storage.EarlierBaseURLs, c.Storage.KeepAddresses
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

// indexFrom is the number of goods from which searches by a part of the name are answered from memory: of fewer, the
// database finds them in a few milliseconds.
const indexFrom = 50_000

// Run serves until ctx ends. Files are kept in an object store by openS3, if the configuration has one.
func Run(ctx context.Context, c Config, w program.Deps, openS3 storage.OpenS3) error {
	watching := program.Watching{Name: "admin", Level: c.Log.Level, Trace: c.Trace}
	return program.Serve(ctx, w, watching, func(t program.Tools) (program.Service, error) {
		log := t.Log
		c.WarnStaffGap(ctx, log)
		domain.LogRedis(log)
		d, err := OpenDomain(c, deployment.Surroundings{Now: w.Now, Clock: w.Clock, Log: log, Tracer: t.Tracer}, openS3)
		if err != nil {
			return program.Service{}, err
		}
		s := program.Service{Close: d.Close, Admission: c.Admission(), Options: server.Options{
			Name: "admin", Listen: c.Listen, OpsListen: c.Ops.Listen, StopDelay: c.Stop.Delay,
			Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis, Optional: true}},
		}}
		if c.Jobs.Enabled {
			s.Background = append(s.Background, d.Runner().Run)
		}
		if c.Catalog.Index == "on" {
			s.Background = append(s.Background, func(ctx context.Context) error {
				d.Catalog.Follow(ctx, indexFrom, log)
				return nil
			})
		}
		if err := prepare(ctx, d, c.Demo, w.Out); err != nil {
			return s, err
		}
		s.Background = append(s.Background, d.Watch, d.WatchReplicas)
		s.Figures = figures(d)
		h, err := NewHandler(d, c, HandlerDeps{
			Clock: w.Clock, Done: t.Done, Log: log, Tracer: t.Tracer, Admission: s.Admission,
			Timeout: operationTime,
		})
		if err != nil {
			return s, err
		}
		s.Handler, s.Notes = h, h.Notes
		return s, nil
	})
}

// figures are what the service shows of the domain. Those that a configuration switches off stay at 0.
func figures(d *domain.Domain) program.Figures {
	return program.Figures{
		Meter: d.Meter(), Gauges: slices.Concat(d.ConnectionGauges(), d.ReplicaGauges(), d.IndexGauges(), d.BacklogGauges()),
	}
}

// Metrics returns the declarations of the metrics.
func Metrics() []server.Metric {
	return program.Metrics(figures(new(domain.Domain)), new(Config).Admission()).Declared()
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
