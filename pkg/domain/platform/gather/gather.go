// Package gather lets requests for the same key wait in a bounded queue, from which one goroutine takes many at a time.
// It serves work whose cost is paid once for all of them, such as the commit of a transaction.
package gather

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Errors of Do, after which the request has not been handled.
var (
	ErrFull   = errors.New("the queue is full")
	ErrClosed = errors.New("the queue is closed")
)

// Options are the limits of a Gatherer.
type Options struct {
	// Queue bounds the requests of a key that wait.
	Queue int
	// Batch is the maximum number of requests that are handled at once.
	Batch int
	// Wait is how long the first request of an idle key waits for others.
	Wait time.Duration
}

// State is what a Gatherer has done since the start, and what waits now.
type State struct {
	Waiting, Batches, Handled, Refused int64
}

// Gatherer has a queue for each key that is in use.
type Gatherer[T any] struct {
	options Options
	handle  func(batch []T)

	mu     sync.Mutex
	lanes  map[int64]*lane[T]
	state  State
	closed chan struct{}
	ended  bool
	lively sync.WaitGroup
}

// lane is the queue of a key. It exists while its goroutine runs.
type lane[T any] struct {
	waiting []*request[T]
	// full is closed when there are enough for a batch.
	full chan struct{}
}

type request[T any] struct {
	value T
	done  chan struct{}
}

// New returns a Gatherer. handle gets requests of one key in the order of their arrival, and stores the results in
// them; it never runs twice at once for a key, and must not panic.
func New[T any](o Options, handle func(batch []T)) *Gatherer[T] {
	return &Gatherer[T]{options: o, handle: handle, lanes: map[int64]*lane[T]{}, closed: make(chan struct{})}
}

// Do queues a request and waits until it has been handled. It fails with ErrFull or ErrClosed at once. If ctx ends
// earlier it fails with the error of ctx: a request that still waits is withdrawn, and one that is being handled
// belongs to handle, so the caller must not look at it.
func (g *Gatherer[T]) Do(ctx context.Context, key int64, value T) error {
	r, err := g.enter(key, value)
	if err != nil {
		return err
	}
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
	}
	g.withdraw(key, r)
	select {
	case <-r.done: // both at the same time
		return nil
	default:
		return ctx.Err()
	}
}

func (g *Gatherer[T]) enter(key int64, value T) (*request[T], error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return nil, ErrClosed
	}
	l, ok := g.lanes[key]
	if !ok {
		l = &lane[T]{full: make(chan struct{})}
		g.lanes[key] = l
		g.lively.Go(func() { g.run(key, l) })
	}
	if len(l.waiting) >= g.options.Queue {
		g.state.Refused++
		return nil, ErrFull
	}
	r := &request[T]{value: value, done: make(chan struct{})}
	l.waiting = append(l.waiting, r)
	g.state.Waiting++
	if len(l.waiting) == g.options.Batch && l.full != nil {
		close(l.full)
		l.full = nil
	}
	return r, nil
}

// withdraw removes a request that still waits.
func (g *Gatherer[T]) withdraw(key int64, r *request[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l, ok := g.lanes[key]
	if !ok {
		return
	}
	for i, w := range l.waiting {
		if w == r {
			l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
			g.state.Waiting--
			return
		}
	}
}

// run handles the requests of a key until none waits. Only the first ones wait for others: whoever comes while a batch
// is handled has waited long enough.
func (g *Gatherer[T]) run(key int64, l *lane[T]) {
	g.await(l)
	for {
		batch := g.take(key, l)
		if len(batch) == 0 {
			return
		}
		values := make([]T, len(batch))
		for i, r := range batch {
			values[i] = r.value
		}
		g.handle(values)
		for _, r := range batch {
			close(r.done)
		}
	}
}

func (g *Gatherer[T]) await(l *lane[T]) {
	g.mu.Lock()
	full := l.full
	g.mu.Unlock()
	if full == nil {
		return
	}
	enough := time.NewTimer(g.options.Wait)
	defer enough.Stop()
	select {
	case <-full:
	case <-g.closed:
	case <-enough.C:
	}
}

// take removes the next batch from the queue, and the queue if it is empty.
func (g *Gatherer[T]) take(key int64, l *lane[T]) []*request[T] {
	g.mu.Lock()
	defer g.mu.Unlock()
	l.full = nil
	n := min(len(l.waiting), g.options.Batch)
	if n == 0 {
		delete(g.lanes, key)
		return nil
	}
	batch := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
	g.state.Waiting -= int64(n)
	g.state.Batches++
	g.state.Handled += int64(n)
	return batch
}

// State returns what the Gatherer has done.
func (g *Gatherer[T]) State() State {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state
}

// Close refuses further requests and returns when those that wait have been handled.
func (g *Gatherer[T]) Close() {
	g.mu.Lock()
	if !g.ended {
		g.ended = true
		close(g.closed)
	}
	g.mu.Unlock()
	g.lively.Wait()
}
