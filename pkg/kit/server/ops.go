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

// Check is one thing that a service stands on.
type Check struct {
	// Name is shown to whoever asks for readiness.
	Name string
	// Do fails where the thing cannot be used now. It gets a second.
	Do func(context.Context) error
	// Optional is what part of the service goes on without: while it is missing the service is degraded, but ready. It is
	// for what all replicas share, since no other replica could do better.
	Optional bool
}

// checkTime is what a check gets before it counts as failed.
const checkTime = time.Second

// readiness answers whether requests should be sent here.
type readiness struct {
	checks   []Check
	log      *slog.Logger
	stopping atomic.Bool

	mu              sync.Mutex
	wrong, degraded []string // as last answered, so that only a change is logged
}

// ServeHTTP names what is wrong and nothing else of it; the reason goes to the log.
func (y *readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if y.stopping.Load() {
		answer(w, http.StatusServiceUnavailable, map[string]any{"ready": false, "wrong": []string{"stopping"}})
		return
	}
	wrong, degraded := y.check(r.Context())
	body := map[string]any{"ready": len(wrong) == 0}
	if len(degraded) > 0 {
		body["degraded"] = degraded
	}
	status := http.StatusOK
	if len(wrong) > 0 {
		body["wrong"], status = wrong, http.StatusServiceUnavailable
	}
	answer(w, status, body)
}

// check makes all checks at once and returns the names of those that fail, in the order of the checks.
func (y *readiness) check(ctx context.Context) (wrong, degraded []string) {
	errs := make([]error, len(y.checks))
	var asked sync.WaitGroup
	for i, c := range y.checks {
		asked.Go(func() { errs[i] = ask(ctx, c) })
	}
	asked.Wait()
	var reasons []any
	for i, c := range y.checks {
		switch {
		case errs[i] == nil:
			continue
		case c.Optional:
			degraded = append(degraded, c.Name)
		default:
			wrong = append(wrong, c.Name)
		}
		reasons = append(reasons, slog.String(c.Name, errs[i].Error()))
	}
	y.report(wrong, degraded, reasons)
	return wrong, degraded
}

// ask makes one check. Each has its own deadline, so that one that hangs says nothing about another.
func ask(ctx context.Context, c Check) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	result := make(chan error, 1) // a check that ignores its deadline ends by itself and blocks nobody
	go func() { result <- c.Do(ctx) }()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// report logs a change of what is wrong.
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
	_ = json.NewEncoder(w).Encode(body) // whoever asked has gone
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
