package hotkey

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

// Limits are the limits of a Batcher.
type Limits struct {
	// Queue bounds the requests of a key that wait.
	Queue int
	// Batch is the maximum number of requests that are handled at once.
	Batch int
	// Wait is how long the first request of an idle key waits for others.
	Wait time.Duration
}

// State is what a Batcher has done since the start, and what waits now.
type State struct {
	Queued, Batches, Handled, Refused int64
}

// Batcher lets requests for the same key wait in a bounded queue, from which one goroutine takes many at a time. It
// serves work whose cost is paid once for all of them, such as the commit of a transaction.
type Batcher[T any] struct {
	limits Limits
	handle func(batch []T)

	mu      sync.Mutex
	queues  map[int64]*queue[T]
	state   State
	closed  chan struct{}
	ended   bool
	running sync.WaitGroup
}

// queue is the queue of a key. It exists while its goroutine runs.
type queue[T any] struct {
	queued []*request[T]
	// full is closed when there are enough for a batch.
	full chan struct{}
}

type request[T any] struct {
	value T
	done  chan struct{}
}

// NewBatcher returns a Batcher. handle gets requests of one key in the order of their arrival, and stores the results
// in them; it never runs twice at once for a key, and must not panic.
func NewBatcher[T any](l Limits, handle func(batch []T)) *Batcher[T] {
	return &Batcher[T]{limits: l, handle: handle, queues: map[int64]*queue[T]{}, closed: make(chan struct{})}
}

// Do queues a request and waits until it has been handled. It fails with ErrFull or ErrClosed at once. If ctx ends
// earlier it fails with the error of ctx: a request that still waits is withdrawn, and one that is being handled
// belongs to handle, so the caller must not look at it.
func (b *Batcher[T]) Do(ctx context.Context, key int64, value T) error {
	r, err := b.enter(key, value)
	if err != nil {
		return err
	}
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
	}
	b.withdraw(key, r)
	select {
	case <-r.done: // both at the same time
		return nil
	default:
		return ctx.Err()
	}
}

func (b *Batcher[T]) enter(key int64, value T) (*request[T], error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil, ErrClosed
	}
	l, ok := b.queues[key]
	if !ok {
		l = &queue[T]{full: make(chan struct{})}
		b.queues[key] = l
		b.running.Go(func() { b.run(key, l) })
	}
	if len(l.queued) >= b.limits.Queue {
		b.state.Refused++
		return nil, ErrFull
	}
	r := &request[T]{value: value, done: make(chan struct{})}
	l.queued = append(l.queued, r)
	b.state.Queued++
	if len(l.queued) == b.limits.Batch && l.full != nil {
		close(l.full)
		l.full = nil
	}
	return r, nil
}

// withdraw removes a request that still waits.
func (b *Batcher[T]) withdraw(key int64, r *request[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.queues[key]
	if !ok {
		return
	}
	for i, w := range l.queued {
		if w == r {
			l.queued = append(l.queued[:i:i], l.queued[i+1:]...)
			b.state.Queued--
			return
		}
	}
}

// run handles the requests of a key until none waits. Only the first ones wait for others: whoever comes while a batch
// is handled has waited long enough.
func (b *Batcher[T]) run(key int64, l *queue[T]) {
	b.await(l)
	for {
		batch := b.take(key, l)
		if len(batch) == 0 {
			return
		}
		values := make([]T, len(batch))
		for i, r := range batch {
			values[i] = r.value
		}
		b.handle(values)
		for _, r := range batch {
			close(r.done)
		}
	}
}

func (b *Batcher[T]) await(l *queue[T]) {
	b.mu.Lock()
	full := l.full
	b.mu.Unlock()
	if full == nil {
		return
	}
	enough := time.NewTimer(b.limits.Wait)
	defer enough.Stop()
	select {
	case <-full:
	case <-b.closed:
	case <-enough.C:
	}
}

// take removes the next batch from the queue, and the queue if it is empty.
func (b *Batcher[T]) take(key int64, l *queue[T]) []*request[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	l.full = nil
	n := min(len(l.queued), b.limits.Batch)
	if n == 0 {
		delete(b.queues, key)
		return nil
	}
	batch := l.queued[:n:n]
	l.queued = l.queued[n:]
	b.state.Queued -= int64(n)
	b.state.Batches++
	b.state.Handled += int64(n)
	return batch
}

// State returns what the Batcher has done.
func (b *Batcher[T]) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// Close refuses further requests and returns when those that wait have been handled.
func (b *Batcher[T]) Close() {
	b.mu.Lock()
	if !b.ended {
		b.ended = true
		close(b.closed)
	}
	b.mu.Unlock()
	b.running.Wait()
}
