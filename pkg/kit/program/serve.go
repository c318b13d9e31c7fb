package program

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/trace"
	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/memory"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/tracing"
)

// Deps are what a service takes from its surroundings and tests replace.
type Deps struct {
	// Now is the time of day, Clock measures ages and durations, Out takes the log.
	Now, Clock func() time.Time
	Out        io.Writer
	// Start describes how the program was started.
	Start Start
}

// Service is what a program serves.
type Service struct {
	// Options are complete except for the log, the metrics and the clock.
	server.Options
	// Figures are shown with the metrics of the service.
	Figures Figures
	// Admission bounds the work at once; it may be nil.
	Admission *admission.Controller
	// Close releases what the service has opened; it may be nil.
	Close func() error
}

// Figures are what a service shows of the domain.
type Figures struct {
	Meter  *meter.Meter
	Gauges []meter.Gauge
}

// Metrics are the metrics of a service that shows figures. It serves to list them, too.
func Metrics(f Figures, a *admission.Controller) *server.Metrics {
	m := server.NewMetrics()
	f.add(m, a)
	return m
}

func (f Figures) add(m *server.Metrics, a *admission.Controller) {
	m.Meter(f.Meter)
	m.Show(f.Gauges...)
	if a != nil {
		m.Admission(a)
	}
}

// Watching configures how a service is watched.
type Watching struct {
	// Name is the name of the service in its traces.
	Name  string
	Level slog.Leveler
	Trace tracing.Config
}

// Tools are what a service is watched with.
type Tools struct {
	Log *slog.Logger
	// Done is the hook for every answer.
	Done func(op.Result)
	// Tracer is nil if nothing is traced.
	Tracer *trace.Tracer
}

// Serve builds a service and serves until ctx ends. The log begins with how the program was started. A Close that build
// returns with an error is called.
func Serve(ctx context.Context, d Deps, w Watching, build func(Tools) (Service, error)) (err error) {
	out := logging.NewBuffer(d.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	log := logging.New(out, w.Level)
	d.Start.Log(log)
	memory.Limit(log)
	traces, err := tracing.Open(ctx, w.Trace, w.Name, d.Start.Version, log)
	if err != nil {
		return err
	}
	defer func() {
		if err := traces.Close(ctx); err != nil {
			log.Warn("traces were not sent", "err", err.Error())
		}
	}()
	metrics := server.NewMetrics()
	done := server.Done(log, metrics) //nolint:contextcheck // the line of a request needs no context
	s, err := build(Tools{log, done, traces.Tracer})
	if s.Close != nil {
		defer func() { err = errors.Join(err, s.Close()) }()
	}
	if err != nil {
		return err
	}
	s.Figures.add(metrics, s.Admission)
	s.Log, s.Metrics, s.Clock = log, metrics, d.Clock
	if s.Admission != nil {
		defer context.AfterFunc(ctx, s.Admission.Stop)() // who is refused anyway need not wait for the end
	}
	s.Background = append(s.Background, memory.Release, supervised)
	return server.Run(ctx, s.Options)
}
