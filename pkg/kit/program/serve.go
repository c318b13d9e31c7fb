package program

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/trace"
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
	// Options are complete except for the name, the log and the metrics.
	server.Options
	// Close releases what the service has opened; it may be nil.
	Close func() error
}

// Watching configures how a service is watched and bounded.
type Watching struct {
	// Name is the name of the service.
	Name  string
	Level slog.Leveler
	Trace tracing.Config
	// Admission bounds the work at once; it may be nil.
	Admission *admission.Controller
}

// Tools are what a service works with beside its configuration and the shop.
type Tools struct {
	// Now is the time of day, Clock measures ages and durations.
	Now, Clock func() time.Time
	// Log may be nil, for a handler alone.
	Log *slog.Logger
	// Done is the hook for every answer.
	Done func(op.Result)
	// Tracer is nil if nothing is traced.
	Tracer *trace.Tracer
	// Admission is nil if nothing is bounded.
	Admission *admission.Controller
	// Metrics are those of the process, to which the service adds its own.
	Metrics *server.Metrics
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
	metrics := server.NewMetrics(meter.New(d.Clock))
	done := server.Done(log, metrics) //nolint:contextcheck // the line of a request needs no context
	if w.Admission != nil {
		metrics.ShowAdmission(w.Admission)
		defer context.AfterFunc(ctx, w.Admission.Stop)() // who is refused anyway need not wait for the end
	}
	s, err := build(Tools{d.Now, d.Clock, log, done, traces.Tracer, w.Admission, metrics})
	if s.Close != nil {
		defer func() { err = errors.Join(err, s.Close()) }()
	}
	if err != nil {
		return err
	}
	s.Name, s.Log, s.Metrics = w.Name, log, metrics
	s.Background = append(s.Background, memory.Release, supervised)
	return server.Run(ctx, s.Options)
}
