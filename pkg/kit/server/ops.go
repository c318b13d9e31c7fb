package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Check is one dependency of a service.
type Check struct {
	// Name is shown in the answer of /readyz.
	Name string
	// Do fails if the dependency is unusable now. Its timeout is a second.
	Do func(context.Context) error
	// Optional is a dependency without which a part of the service works: while it is missing the service is degraded, but
	// ready. It is for dependencies shared by all replicas, since no other replica could do better.
	Optional bool
	// Degrades reports that a failure is one with which a part of the service works all the same; nil is never. It is for
	// failures that replicas share, as Optional is.
	Degrades func(error) bool
}

// degrades reports whether the service is ready in spite of a failure.
func (c Check) degrades(err error) bool { return c.Optional || c.Degrades != nil && c.Degrades(err) }

// checkTime is the timeout of a check.
const checkTime = time.Second

// readiness answers whether requests should be sent to this process.
type readiness struct {
	checks   []Check
	notes    func() []string
	log      *slog.Logger
	stopping atomic.Bool

	mu              sync.Mutex
	wrong, degraded []string // as last answered, so that only changes are logged
}

// ServeHTTP names what is wrong; the reason is logged. With ?strict a degraded service is not ready, for balancers that
// prefer other replicas.
func (y *readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if y.stopping.Load() {
		answer(w, http.StatusServiceUnavailable, map[string]any{"ready": false, "wrong": []string{"stopping"}})
		return
	}
	wrong, degraded := y.check(context.WithoutCancel(r.Context())) // one who hangs up says nothing of the servers
	ok := len(wrong) == 0 && (len(degraded) == 0 || !r.URL.Query().Has("strict"))
	body := map[string]any{"ready": ok}
	if len(degraded) > 0 {
		body["degraded"] = degraded
	}
	if y.notes != nil {
		if notes := y.notes(); len(notes) > 0 {
			body["notes"] = notes
		}
	}
	if len(wrong) > 0 {
		body["wrong"] = wrong
	}
	status := http.StatusOK
	if !ok {
		status = http.StatusServiceUnavailable
	}
	answer(w, status, body)
}

// check returns the names of the checks that fail, in their order.
func (y *readiness) check(ctx context.Context) (wrong, degraded []string) {
	errs := y.runAll(ctx)
	var reasons []any
	for i, c := range y.checks {
		switch {
		case errs[i] == nil:
			continue
		case c.degrades(errs[i]):
			degraded = append(degraded, c.Name)
		default:
			wrong = append(wrong, c.Name)
		}
		reasons = append(reasons, slog.String(c.Name, errs[i].Error()))
	}
	y.report(wrong, degraded, reasons)
	return wrong, degraded
}

// runAll runs all checks concurrently and returns their errors.
func (y *readiness) runAll(ctx context.Context) []error {
	errs := make([]error, len(y.checks))
	var running sync.WaitGroup
	for i, c := range y.checks {
		running.Go(func() { errs[i] = run(ctx, c) })
	}
	running.Wait()
	return errs
}

// run runs one check. Each has its own deadline, so that a hanging one does not affect the others.
func run(ctx context.Context, c Check) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	result := make(chan error, 1) // a check that ignores its deadline ends by itself and blocks nothing
	go func() { result <- c.Do(ctx) }()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// report logs a change of the result.
func (y *readiness) report(wrong, degraded []string, reasons []any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if slices.Equal(wrong, y.wrong) && slices.Equal(degraded, y.degraded) {
		return
	}
	switch {
	case len(wrong) > 0:
		y.log.Warn("not ready", reasons...)
	case len(degraded) > 0:
		y.log.Warn("ready, but degraded", reasons...)
	default:
		y.log.Info("ready again")
	}
	y.wrong, y.degraded = wrong, degraded
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client disconnected
}

// private is the handler of the operations port.
func private(o Options, ready *readiness) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"name": o.Name, "alive": true})
	})
	mux.Handle("GET /readyz", ready)
	if o.Metrics != nil {
		mux.Handle("GET /metrics", o.Metrics.handler())
	}
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	if o.Ops != nil {
		mux.Handle("/", o.Ops)
	}
	return mux
}
