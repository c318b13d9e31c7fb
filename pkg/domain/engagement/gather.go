package engagement

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"
)

const (
	// gatherFor is how long views and searches are gathered before they are written, and so what a crash may lose.
	gatherFor = 400 * time.Millisecond
	// gatherMost bounds what is gathered; more is written at once.
	gatherMost = 5000
	// writeTimeout bounds writing what was gathered.
	writeTimeout = 10 * time.Second
)

// view is goods that a shopper looked at; keyed is what a shopper searched for.
type (
	view  struct{ shopper, goods int64 }
	keyed struct {
		shopper int64
		keyword string
	}
)

// repeated is how often and when last something was done.
type repeated struct {
	times int
	at    time.Time
}

func (r repeated) again(at time.Time) repeated {
	if at.After(r.at) {
		r.at = at
	}
	r.times++
	return r
}

// gathered is what was not written yet. Nothing is gathered unless Gather runs.
type gathered struct {
	mu sync.Mutex
	on bool
	// writing has an element while a batch is written, so that who flushes next finds all that was gathered before.
	writing  chan struct{}
	views    map[view]repeated
	searches map[keyed]repeated
	// shoppers are those with something gathered, leaving those in the batch that is being written.
	shoppers, leaving map[int64]bool
}

func newGathered() gathered {
	return gathered{
		writing: make(chan struct{}, 1), views: map[view]repeated{}, searches: map[keyed]repeated{},
		shoppers: map[int64]bool{}, leaving: map[int64]bool{},
	}
}

// has reports whether something of a shopper was not written yet.
func (g *gathered) has(shopper int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shoppers[shopper] || g.leaving[shopper]
}

func (g *gathered) full() bool { return len(g.views)+len(g.searches) >= gatherMost }

// sees gathers a view; false means that the caller must write it.
func (g *gathered) sees(v view, at time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.on || g.full() {
		return false
	}
	g.views[v], g.shoppers[v.shopper] = g.views[v].again(at), true
	return true
}

// looksFor gathers a search; false means that the caller must write it.
func (g *gathered) looksFor(k keyed, at time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.on || g.full() {
		return false
	}
	g.searches[k], g.shoppers[k.shopper] = g.searches[k].again(at), true
	return true
}

// start begins to gather, or stops it.
func (g *gathered) start(on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.on = on
}

// take returns what was gathered and begins anew.
func (g *gathered) take() (map[view]repeated, map[keyed]repeated) {
	g.mu.Lock()
	defer g.mu.Unlock()
	views, searches := maps.Clone(g.views), maps.Clone(g.searches)
	clear(g.views)
	clear(g.searches)
	g.shoppers, g.leaving = map[int64]bool{}, g.shoppers
	return views, searches
}

// written records that what was taken last has left.
func (g *gathered) written() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.leaving = map[int64]bool{}
}

// Gather writes views and searches of shoppers in batches until ctx ends, then what is left. Without it each is written
// by its request. A crash loses those of less than half a second; a batch that cannot be written is dropped, since a
// database that fails must not fill the memory.
func (s *Service) Gather(ctx context.Context, log *slog.Logger) {
	s.gathered.start(true)
	tick := time.NewTicker(gatherFor)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			s.gathered.start(false)
		case <-tick.C:
		}
		if err := s.flush(context.WithoutCancel(ctx)); err != nil {
			log.WarnContext(ctx, "views and searches of shoppers were not recorded", "error", err)
		}
	}
}

// flushFor writes what was gathered if something of the shopper is among it: shoppers who ask for their own traces see
// what they did before, and nobody waits for the traces of others.
func (s *Service) flushFor(ctx context.Context, shopper int64) error {
	if !s.gathered.has(shopper) {
		return nil
	}
	return s.flush(ctx)
}

// flush writes what was gathered.
func (s *Service) flush(ctx context.Context) error {
	select {
	case s.gathered.writing <- struct{}{}:
		defer func() { <-s.gathered.writing }()
	case <-ctx.Done():
		return fmt.Errorf("wait for traces that are being written: %w", ctx.Err())
	}
	views, searches := s.gathered.take()
	defer s.gathered.written()
	if len(views)+len(searches) == 0 {
		return nil
	}
	// A shopper who leaves must not take the traces of others along.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	return errors.Join(s.writeViews(ctx, views), s.writeSearches(ctx, searches))
}
