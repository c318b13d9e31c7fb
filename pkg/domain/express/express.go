// Package express tracks parcels through a provider, whose answers are cached. It always answers, if only that nothing
// is known, so that a shop works without tracking.
package express

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/meter"
)

// Parcel is identified by the code of its carrier and the tracking number.
type Parcel struct{ Channel, Number string }

// Track is the state of a parcel and its stations. The zero Track means that nothing is known.
type Track struct {
	// Success says that the carrier knows the parcel; otherwise Reason may say why not.
	Success bool
	Reason  string
	// State is the carrier's name of the parcel's state.
	State  string
	Traces []Trace
}

// Trace is a station of a parcel with its time, both as the carrier writes them.
type Trace struct{ Station, Time string }

// Provider queries a tracking service. It may be slow and may fail.
type Provider interface {
	Track(ctx context.Context, p Parcel) (Track, error)
}

// ErrNone says that no provider is configured.
var ErrNone = errors.New("no provider knows where parcels are")

// None is the provider of a shop without tracking.
type None struct{}

// Track fails with ErrNone.
func (None) Track(context.Context, Parcel) (Track, error) { return Track{}, ErrNone }

const (
	// requestTimeout bounds a call of the provider.
	requestTimeout = 2 * time.Second
	// successTTL is how long an answer is cached, failureTTL how long a failure: a provider that hangs must not slow down
	// every view of an order.
	successTTL = 10 * time.Minute
	failureTTL = time.Minute
	// maxCached bounds the cached parcels.
	maxCached = 10_000
)

// Service tracks parcels.
type Service struct {
	provider Provider
	now      func() time.Time
	log      *slog.Logger
	answers  *cache.Cache[Parcel, answer]
}

type answer struct {
	Track
	ttl time.Duration
}

// New returns a tracking service backed by provider; nil means None. m counts the reads of remembered answers.
func New(provider Provider, m *meter.Meter, now func() time.Time, log *slog.Logger) *Service {
	if provider == nil {
		provider = None{}
	}
	s := &Service{provider: provider, now: now, log: log}
	s.answers = cache.New(cache.Options[answer]{
		Name: "parcels", Meter: m,
		TTL:     func(a answer) time.Duration { return a.ttl },
		MaxSize: maxCached, Deadline: requestTimeout, Now: now,
	}, s.ask)
	return s
}

// Configured reports whether there is a provider.
func (s *Service) Configured() bool { return s.provider != Provider(None{}) }

// Track returns the state of a parcel, the zero Track if it is unknown. It takes at most two seconds.
func (s *Service) Track(ctx context.Context, p Parcel) Track {
	if !s.Configured() || p.Number == "" {
		return Track{}
	}
	if a, ok := s.answers.Cached(p); ok {
		return a.Track
	}
	// There is one call at a time for each parcel. It does not end with the request that started it.
	tracks := make(chan Track, 1)
	go func() {
		a, err := s.answers.Get(context.WithoutCancel(ctx), p)
		if err != nil {
			a = answer{} // cannot be: a failure is an answer too
		}
		tracks <- a.Track
	}()
	select {
	case t := <-tracks:
		return t
	case <-ctx.Done():
		return Track{}
	}
}

// ask calls the provider. A failure is cached too, for a shorter time. The TTL counts from the answer.
func (s *Service) ask(ctx context.Context, p Parcel) (answer, error) {
	start := s.now()
	t, err := s.track(ctx, p)
	ttl := successTTL
	if err != nil {
		s.log.WarnContext(ctx, "the provider does not tell where a parcel is", "channel", p.Channel, "error", err)
		t, ttl = Track{}, failureTTL
	}
	return answer{t, s.now().Sub(start) + ttl}, nil
}

// track calls the provider and returns when ctx ends, even if the provider does not.
func (s *Service) track(ctx context.Context, p Parcel) (Track, error) {
	type outcome struct {
		t   Track
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		t, err := s.provider.Track(ctx, p)
		done <- outcome{t, err}
	}()
	select {
	case r := <-done:
		return r.t, r.err
	case <-ctx.Done():
		return Track{}, ctx.Err()
	}
}
