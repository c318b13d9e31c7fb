package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/report"
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

// indexFrom is the number of goods from which searches by a part of the name are answered from memory: of fewer, the
// database finds them in a few milliseconds.
const indexFrom = 50_000

// Run serves until ctx ends.
func Run(ctx context.Context, c Config, w program.Deps) error {
	return program.Serve(ctx, w, c.Log.Level, func(log *slog.Logger, done func(op.Result)) (program.Service, error) {
		c.WarnStaffGap(ctx, log)
		domain.LogRedis(log)
		d, err := OpenDomain(c, w.Now, log)
		if err != nil {
			return program.Service{}, err
		}
		s := program.Service{Close: d.Close, Admission: c.Admission(), Options: server.Options{
			Name: "admin", Listen: c.Listen, OpsListen: c.Ops.Listen, StopDelay: c.Stop.Delay,
			Ready: []server.Check{{Name: "mysql", Do: d.PingMySQL}, {Name: "redis", Do: d.PingRedis, Optional: true}},
		}}
		if c.Jobs.Enabled {
			s.Background = append(s.Background, d.Runner().Run)
			s.Gauges = bookGauges(d)
		}
		if c.Catalog.Index == "on" {
			s.Background = append(s.Background, func(ctx context.Context) error {
				d.Catalog.Follow(ctx, indexFrom, log)
				return nil
			})
			s.Gauges = program.IndexGauges(func() program.Index { return program.Index(d.Catalog.IndexState()) })
		}
		if err := prepare(ctx, d, c.Demo, w.Out); err != nil {
			return s, err
		}
		s.Background = append(s.Background, func(ctx context.Context) error {
			d.Cases.Watch(ctx, log)
			return nil
		})
		s.Gauges = append(caseGauges(d.Cases), bookGauges(d)...)
		s.Handler, err = NewHandler(d, c, HandlerDeps{Clock: w.Clock, Done: done, Admission: s.Admission})
		return s, err
	})
}

// bookGauges are the figures of the last verification of the books by this replica.
func bookGauges(d *domain.Domain) []server.Gauge {
	return []server.Gauge{
		{
			Name: "shop_verify_disagreements", Help: "Rows that disagreed when this replica last verified the books.",
			Value: func() float64 { found, _ := d.Books(); return float64(found) },
		},
		{
			Name: "shop_verify_last_run_seconds", Help: "When that ended, as a Unix time; 0 before the first.",
			Value: func() float64 {
				_, at := d.Books()
				if at.IsZero() {
					return 0
				}
				return float64(at.Unix())
			},
		},
	}
}

// caseGauges are the figures of the open cases.
func caseGauges(cases *report.Cases) []server.Gauge {
	var gauges []server.Gauge
	for _, kind := range report.CaseKinds() {
		labels := map[string]string{"kind": string(kind)}
		gauges = append(gauges,
			server.Gauge{
				Name: "shop_open_cases", Help: "Open cases that need staff, by kind.", Labels: labels,
				Value: func() float64 { n, _ := cases.Waiting(kind); return n },
			},
			server.Gauge{
				Name: "shop_open_case_age_seconds", Help: "Age of the oldest open case, by kind; 0 for none.", Labels: labels,
				Value: func() float64 { _, age := cases.Waiting(kind); return age },
			})
	}
	return gauges
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
