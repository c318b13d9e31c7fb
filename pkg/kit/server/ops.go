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

// Check is one thing that a service cannot work without.
type Check struct {
	// Name is shown to whoever asks for readiness.
	Name string
	// Do fails where the thing cannot be used now. It gets a second.
	Do func(context.Context) error
}

// checkTime is what a check gets before it counts as failed.
const checkTime = time.Second

// readiness answers whether requests should be sent here.
type readiness struct {
	checks   []Check
	log      *slog.Logger
	stopping atomic.Bool

	mu    sync.Mutex
	wrong []string // as last answered, so that only a change is logged
}

// ServeHTTP names what is wrong and nothing else of it; the reason goes to the log.
func (y *readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if y.stopping.Load() {
		answer(w, http.StatusServiceUnavailable, map[string]any{"ready": false, "wrong": []string{"stopping"}})
		return
	}
	wrong := y.look(r.Context())
	if len(wrong) > 0 {
		answer(w, http.StatusServiceUnavailable, map[string]any{"ready": false, "wrong": wrong})
		return
	}
	answer(w, http.StatusOK, map[string]any{"ready": true})
}

// look makes all checks at once and returns the names of those that fail, in the order of the checks.
func (y *readiness) look(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	results := make([]chan error, len(y.checks))
	for i, c := range y.checks {
		results[i] = make(chan error, 1) // a check that ignores its deadline ends by itself and blocks nobody
		go func() { results[i] <- c.Do(ctx) }()
	}
	var wrong []string
	var reasons []any
	for i, c := range y.checks {
		var err error
		select {
		case err = <-results[i]:
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			wrong = append(wrong, c.Name)
			reasons = append(reasons, slog.String(c.Name, err.Error()))
		}
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	if !slices.Equal(wrong, y.wrong) {
		if len(wrong) > 0 {
			y.log.Warn("not ready", reasons...)
		} else {
			y.log.Info("ready again")
		}
		y.wrong = wrong
	}
	return wrong
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
