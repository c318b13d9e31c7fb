// Package server runs a service: the public port with its timeouts, the private operations port, background loops, and
// their graceful shutdown. It also builds the Gin engine, the metrics and the request log; it knows no operation.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"
)

// Options are the parts of a service.
type Options struct {
	// Name is the service's name in the log and on the operations port.
	Name string
	// Listen is the public address, OpsListen the private one, such as 127.0.0.1:9080.
	Listen, OpsListen string
	// Handler answers on the public address.
	Handler http.Handler
	// Ops handles other paths of the operations port; it may be nil.
	Ops http.Handler
	// Metrics are shown on the operations port; they may be nil.
	Metrics *Metrics
	// Ready are the checks of /readyz.
	Ready []Check
	// Notes are shown in its answer and change nothing else: what works, but not as it should. They may be nil.
	Notes func() []string
	Log   *slog.Logger
	// Background are loops that end with their context. One that fails before stops the service.
	Background []func(context.Context) error
	// StopDelay is how long /readyz answers 503 while requests are still accepted, so that load balancers notice.
	StopDelay time.Duration
	// StopWithin is the timeout for requests and loops to end; it defaults to 20 seconds.
	StopWithin time.Duration
	// Started is called with the addresses once both ports are open; it may be nil.
	Started func(public, private net.Addr)
}

// The timeouts of the public port. An operation that needs longer, such as an export, moves its own write deadline
// through http.ResponseController.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	stopWithin        = 20 * time.Second
	// Profiles of the operations port may take as long as requested, up to this.
	opsWriteTimeout = 3 * time.Minute
)

// Run serves until ctx ends or a part fails, then shuts down gracefully: /readyz answers 503, open requests are
// completed, the loops end, the operations port closes last. It returns nil after a requested shutdown.
func Run(ctx context.Context, o Options) error {
	if o.StopWithin == 0 {
		o.StopWithin = stopWithin
	}
	public, err := listen(ctx, o.Listen, "listen")
	if err != nil {
		return err
	}
	operations, err := listen(ctx, o.OpsListen, "ops.listen")
	if err != nil {
		return errors.Join(err, public.Close())
	}
	s := newService(o)
	s.serve(s.public, public)
	s.serve(s.private, operations)
	background, endLoops := context.WithCancel(context.WithoutCancel(ctx))
	defer endLoops()
	s.startLoops(background)
	o.Log.Info("started", "name", o.Name, "listen", public.Addr().String(), "ops", operations.Addr().String())
	if o.Started != nil {
		o.Started(public.Addr(), operations.Addr())
	}
	select {
	case <-ctx.Done():
	case err = <-s.failed:
	}
	err = errors.Join(err, s.stop(ctx, endLoops))
	o.Log.Info("stopped", "name", o.Name)
	return err
}

// service is a running service.
type service struct {
	o               Options
	public, private *http.Server
	ready           *readiness
	loops           sync.WaitGroup
	failed          chan error
}

func newService(o Options) *service {
	handler := o.Handler
	if o.Metrics != nil {
		handler = o.Metrics.counted(handler)
	}
	// Errors of net/http itself, such as broken handshakes, are caused by clients.
	stderr := slog.NewLogLogger(o.Log.Handler(), slog.LevelInfo)
	s := &service{
		o: o, ready: &readiness{checks: o.Ready, notes: o.Notes, log: o.Log}, failed: make(chan error, len(o.Background)+2),
	}
	if o.Metrics != nil {
		o.Metrics.Registry.MustRegister(dependencies{s.ready})
	}
	handler = s.parting(handler)
	s.public = &http.Server{
		Handler: handler, ErrorLog: stderr, MaxHeaderBytes: maxHeaderBytes,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
	}
	s.private = &http.Server{
		Handler: private(o, s.ready), ErrorLog: stderr, MaxHeaderBytes: maxHeaderBytes,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: opsWriteTimeout,
		IdleTimeout: idleTimeout,
	}
	return s
}

// parting ends each connection with its next answer once the service is stopping. A client that keeps a connection
// through a balancer that forwards connections would otherwise send its next request while the connection is closed.
func (s *service) parting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.ready.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

func (s *service) serve(h *http.Server, l net.Listener) {
	go func() {
		if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve %s: %w", l.Addr(), err)
		}
	}()
}

func (s *service) startLoops(ctx context.Context) {
	for _, loop := range s.o.Background {
		s.loops.Go(func() {
			if err := loop(ctx); err != nil && ctx.Err() == nil {
				s.failed <- fmt.Errorf("background: %w", err)
			}
		})
	}
}

// stop ends the parts in order and reports those that did not end in time.
func (s *service) stop(ctx context.Context, endLoops context.CancelFunc) error {
	s.ready.stopping.Store(true)
	if s.o.StopDelay > 0 && ctx.Err() != nil {
		time.Sleep(s.o.StopDelay) // lasts until load balancers have noticed
	}
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.StopWithin)
	defer cancel()
	var errs []error
	if err := s.public.Shutdown(deadline); err != nil {
		errs = append(errs, fmt.Errorf("requests did not end within %s: %w", s.o.StopWithin, err), s.public.Close())
	}
	endLoops()
	ended := make(chan struct{})
	go func() { s.loops.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-deadline.Done():
		errs = append(errs, fmt.Errorf("background loops did not end within %s", s.o.StopWithin))
	}
	return errors.Join(append(errs, s.private.Close())...)
}

// listen opens a port. key is the configuration key of the address, for the error.
func listen(ctx context.Context, address, key string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken by another program; stop it, or set %s to another address: %w", address, key, err)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("%s may not be opened by this user; set %s to a port above 1023: %w", address, key, err)
	default:
		return nil, fmt.Errorf("open %s (%s): %w", address, key, err)
	}
}
