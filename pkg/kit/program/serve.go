package program

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/memory"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
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

// Serve builds a service and serves until ctx ends. The log, of the given level, begins with how the program was
// started. build gets the log and the hook for every answer; a Close that it returns with an error is called.
func Serve(
	ctx context.Context, d Deps, level slog.Leveler,
	build func(log *slog.Logger, done func(op.Result)) (Service, error),
) (err error) {
	out := logging.NewBuffer(d.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	log := logging.New(out, level)
	d.Start.Log(log)
	memory.Limit(log)
	metrics := server.NewMetrics()
	s, err := build(log, server.Done(log, metrics)) //nolint:contextcheck // the line of a request needs no context
	if s.Close != nil {
		defer func() { err = errors.Join(err, s.Close()) }()
	}
	if err != nil {
		return err
	}
	s.Figures.add(metrics, s.Admission)
	s.Log, s.Metrics, s.Clock = log, metrics, d.Clock
	s.Background = append(s.Background, memory.Release, supervised)
	return server.Run(ctx, s.Options)
}
