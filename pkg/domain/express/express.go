// Package express tracks parcels by a provider, whose answers are cached. It always answers, if only that nothing is
// known: a shop works without parcel tracking.
package express

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Parcel names a parcel by the code of its carrier and the number that the carrier gave it.
type Parcel struct{ Channel, Number string }

// Track is where a parcel has been. The zero Track says that nothing is known.
type Track struct {
	// Success says that the carrier knows the parcel; otherwise Reason may tell why not.
	Success bool
	Reason  string
	// State is the carrier's word for how far the parcel is.
	State  string
	Traces []Trace
}

// Trace is one station of a parcel with its time, both as the carrier writes them.
type Trace struct{ Station, Time string }

// Provider knows where parcels are. It may be slow and may fail.
type Provider interface {
	Track(ctx context.Context, p Parcel) (Track, error)
}

// ErrNone says that there is nobody to ask.
var ErrNone = errors.New("no provider knows where parcels are")

// None is the provider of a shop that has none.
type None struct{}

// Track fails with ErrNone.
func (None) Track(context.Context, Parcel) (Track, error) { return Track{}, ErrNone }

const (
	// requestTimeout is the longest that a provider may take.
	requestTimeout = 2 * time.Second
	// successTTL is how long an answer is good, failing how long a parcel is not asked for again after a failure: a
	// provider that hangs must not make every look at an order slow.
	successTTL = 10 * time.Minute
	failureTTL = time.Minute
	// maxCached bounds the parcels that are remembered.
	maxCached = 10_000
)

// Service tells where parcels are.
type Service struct {
	provider Provider
	now      func() time.Time
	log      *slog.Logger

	asking singleflight.Group
	mu     sync.Mutex
	cache  map[Parcel]answer
}

type answer struct {
	Track
	until time.Time
}

// New returns the tracking of parcels by a provider; nil is None.
func New(provider Provider, now func() time.Time, log *slog.Logger) *Service {
	if provider == nil {
		provider = None{}
	}
	return &Service{provider: provider, now: now, log: log, cache: map[Parcel]answer{}}
}

// Configured reports whether there is anybody to ask.
func (s *Service) Configured() bool { return s.provider != Provider(None{}) }

// Track returns what is known of a parcel, the zero Track where nothing is. It takes two seconds at the most.
func (s *Service) Track(ctx context.Context, p Parcel) Track {
	if !s.Configured() || p.Number == "" {
		return Track{}
	}
	if a, ok := s.cached(p); ok {
		return a
	}
	// One question at a time for each parcel. It does not end with the request that happened to ask first.
	asked := s.asking.DoChan(p.Channel+"\x00"+p.Number, func() (any, error) {
		return s.ask(context.WithoutCancel(ctx), p), nil
	})
	select {
	case r := <-asked:
		t, _ := r.Val.(Track)
		return t
	case <-ctx.Done():
		return Track{}
	}
}

func (s *Service) cached(p Parcel) (Track, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.cache[p]
	return a.Track, ok && s.now().Before(a.until)
}

func (s *Service) ask(ctx context.Context, p Parcel) Track {
	if t, ok := s.cached(p); ok { // asked and answered since
		return t
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	t, err := s.track(ctx, p)
	life := successTTL
	if err != nil {
		s.log.WarnContext(ctx, "the provider does not tell where a parcel is", "channel", p.Channel, "error", err)
		t, life = Track{}, failureTTL
	}
	s.store(p, answer{t, s.now().Add(life)})
	return t
}

// track asks the provider and waits no longer than ctx lasts, whether the provider heeds it or not.
func (s *Service) track(ctx context.Context, p Parcel) (Track, error) {
	type told struct {
		t   Track
		err error
	}
	done := make(chan told, 1)
	go func() {
		t, err := s.provider.Track(ctx, p)
		done <- told{t, err}
	}()
	select {
	case r := <-done:
		return r.t, r.err
	case <-ctx.Done():
		return Track{}, ctx.Err()
	}
}

// store remembers an answer. Where there are too many, those that are no longer good go, and then any.
func (s *Service) store(p Parcel, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.cache) >= maxCached {
		now := s.now()
		for q, old := range s.cache {
			if !now.Before(old.until) {
				delete(s.cache, q)
			}
		}
		for q := range s.cache {
			if len(s.cache) < maxCached {
				break
			}
			delete(s.cache, q)
		}
	}
	s.cache[p] = a
}
