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
	// batchFor is how long views and searches are kept before they are written, and so what a crash may lose.
	batchFor = 400 * time.Millisecond
	// batchMost bounds what is kept; more is written at once.
	batchMost = 5000
	// writeTimeout bounds writing a batch.
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

// pending is what was not written yet. Nothing is kept unless WriteBatches runs.
type pending struct {
	mu sync.Mutex
	on bool
	// writing has an element while a batch is written, so that who flushes next finds all that was pending before.
	writing  chan struct{}
	views    map[view]repeated
	searches map[keyed]repeated
	// shoppers are those with something pending, leaving those in the batch that is being written.
	shoppers, leaving map[int64]bool
}

func newPending() pending {
	return pending{
		writing: make(chan struct{}, 1), views: map[view]repeated{}, searches: map[keyed]repeated{},
		shoppers: map[int64]bool{}, leaving: map[int64]bool{},
	}
}

// has reports whether something of a shopper was not written yet.
func (p *pending) has(shopper int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shoppers[shopper] || p.leaving[shopper]
}

func (p *pending) full() bool { return len(p.views)+len(p.searches) >= batchMost }

// sees keeps a view; false means that the caller must write it.
func (p *pending) sees(v view, at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.on || p.full() {
		return false
	}
	p.views[v], p.shoppers[v.shopper] = p.views[v].again(at), true
	return true
}

// looksFor keeps a search; false means that the caller must write it.
func (p *pending) looksFor(k keyed, at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.on || p.full() {
		return false
	}
	p.searches[k], p.shoppers[k.shopper] = p.searches[k].again(at), true
	return true
}

// start begins to keep batches, or stops it.
func (p *pending) start(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.on = on
}

// take returns what is pending and begins anew.
func (p *pending) take() (map[view]repeated, map[keyed]repeated) {
	p.mu.Lock()
	defer p.mu.Unlock()
	views, searches := maps.Clone(p.views), maps.Clone(p.searches)
	clear(p.views)
	clear(p.searches)
	p.shoppers, p.leaving = map[int64]bool{}, p.shoppers
	return views, searches
}

// written records that what was taken last has left.
func (p *pending) written() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaving = map[int64]bool{}
}

// WriteBatches writes views and searches of shoppers in batches until ctx ends, then what is left. Without it each is
// written by its request. A crash loses those of less than half a second; a batch that cannot be written is dropped,
// since a database that fails must not fill the memory.
func (s *Service) WriteBatches(ctx context.Context, log *slog.Logger) {
	s.pending.start(true)
	tick := time.NewTicker(batchFor)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			s.pending.start(false)
		case <-tick.C:
		}
		if err := s.flush(context.WithoutCancel(ctx)); err != nil {
			log.WarnContext(ctx, "views and searches of shoppers were not recorded", "error", err)
		}
	}
}

// flushFor writes what is pending if something of the shopper is among it: shoppers who ask for their own traces see
// what they did before, and no request waits for the traces of others.
func (s *Service) flushFor(ctx context.Context, shopper int64) error {
	if !s.pending.has(shopper) {
		return nil
	}
	return s.flush(ctx)
}

// flush writes what is pending.
func (s *Service) flush(ctx context.Context) error {
	select {
	case s.pending.writing <- struct{}{}:
		defer func() { <-s.pending.writing }()
	case <-ctx.Done():
		return fmt.Errorf("wait for traces that are being written: %w", ctx.Err())
	}
	views, searches := s.pending.take()
	defer s.pending.written()
	if len(views)+len(searches) == 0 {
		return nil
	}
	// A shopper who leaves must not take the traces of others along.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	return errors.Join(s.writeViews(ctx, views), s.writeSearches(ctx, searches))
}
