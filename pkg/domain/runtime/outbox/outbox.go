// Package outbox owns the side effects that must follow a commit: they are written in the transaction of their cause
// and delivered afterwards, with retries, until they are done or become dead letters.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/base/trace"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/job"
)

// Handler handles an event. It may be called again for an event that was handled already.
type Handler func(ctx context.Context, e Event) error

// ErrNever makes a handler's failure final.
var ErrNever = errors.New("will never succeed")

const (
	batch      = 100
	batchAside = 10
	claimFor   = 30 * time.Second
	// recordWithin is the timeout for recording the result of an attempt.
	recordWithin = 2 * time.Second
	maxTries     = 12
	firstDelay   = time.Second
	maxDelay     = 10 * time.Minute
	// doneRetention is how long delivered events are kept; dead letters stay until somebody retries them.
	doneRetention = 7 * 24 * time.Hour
	// purged bounds the events that one batch removes.
	purged = 5000
)

// Service queues and delivers events.
type Service struct {
	db       *db.DB
	now      func() time.Time
	handlers map[string]Handler
	// aside are the topics delivered separately.
	aside    []string
	backlog  backlog
	tracer   *trace.Tracer
	onGiveUp func(ctx context.Context, tx *db.Tx, e Event, cause error) error
}

// New returns an outbox without handlers.
func New(d *db.DB, now func() time.Time) *Service {
	return &Service{
		db: d, now: now, handlers: map[string]Handler{},
		onGiveUp: func(context.Context, *db.Tx, Event, error) error { return nil },
	}
}

// SetTracer traces deliveries; nil traces none.
func (s *Service) SetTracer(t *trace.Tracer) { s.tracer = t }

// Handle registers the handler of a topic, before anything is delivered.
func (s *Service) Handle(topic string, h Handler) { s.handlers[topic] = h }

// HandleAside is Handle for a topic whose handler is slow or waits for an external service: such topics are delivered
// by a separate job, and do not delay others or each other.
func (s *Service) HandleAside(topic string, h Handler) {
	s.Handle(topic, h)
	s.aside = append(s.aside, topic)
}

// OnGiveUp registers a function that is called for every new dead letter, in the same transaction.
func (s *Service) OnGiveUp(fn func(ctx context.Context, tx *db.Tx, e Event, cause error) error) {
	s.onGiveUp = fn
}

// Add queues an event in the caller's transaction, unless one with its key exists. payload is stored as JSON; nil means
// none.
func (s *Service) Add(ctx context.Context, tx *db.Tx, topic, key string, aggregate int64, payload any) error {
	return s.AddAfter(ctx, tx, topic, key, aggregate, payload, 0)
}

// AddAfter is Add for an event that is not delivered before some time has passed.
func (s *Service) AddAfter(
	ctx context.Context, tx *db.Tx, topic, key string, aggregate int64, payload any, wait time.Duration,
) error {
	encoded, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("queue %s: %w", key, err)
	}
	e := Event{Topic: topic, Key: key, Aggregate: aggregate, Payload: string(encoded), Trace: trace.Cause(ctx)}
	if err := insert(ctx, tx, e, s.now(), wait); err != nil {
		return fmt.Errorf("queue %s: %w", key, err)
	}
	return nil
}

// Done marks an event as delivered whose effect the producer has done itself.
func (s *Service) Done(ctx context.Context, key string) error {
	if _, err := done(ctx, s.db, key); err != nil {
		return fmt.Errorf("mark effect %s as done: %w", key, err)
	}
	return nil
}

// Jobs returns the jobs that deliver events.
func (s *Service) Jobs() []job.Job {
	return []job.Job{
		{
			Name: "outbox", Every: time.Second, MaxEvery: time.Minute, Run: s.Deliver,
			Does: "delivers outbox events: notices, refunds without an answer, closing of payments",
		},
		{
			Name: "outboxAside", Every: time.Second, MaxEvery: 10 * time.Minute, Run: s.DeliverAside,
			Does: "sends text messages and mails and renders share images, apart from other events so that none waits for them",
		},
	}
}

// Deliver delivers a batch of due events, and returns how many are done. A failing event is retried later and does not
// stop the others. It needs no job.Failures: an event stores its own attempts and its next time.
func (s *Service) Deliver(ctx context.Context) (int, error) {
	found, err := due(ctx, s.db, s.now(), s.aside, batch)
	if err != nil {
		return 0, fmt.Errorf("find due events: %w", err)
	}
	return s.deliverAll(ctx, found)
}

// DeliverAside is Deliver for the topics of HandleAside, which Deliver skips.
func (s *Service) DeliverAside(ctx context.Context) (int, error) {
	done, errs := make([]int, len(s.aside)), make([]error, len(s.aside))
	var all sync.WaitGroup
	for i, topic := range s.aside {
		all.Go(func() { done[i], errs[i] = s.deliverTopic(ctx, topic) })
	}
	all.Wait()
	total := 0
	for _, n := range done {
		total += n
	}
	return total, errors.Join(errs...)
}

func (s *Service) deliverTopic(ctx context.Context, topic string) (int, error) {
	found, err := dueOf(ctx, s.db, s.now(), topic, batchAside)
	if err != nil {
		return 0, fmt.Errorf("find due events of %s: %w", topic, err)
	}
	return s.deliverAll(ctx, found)
}

func (s *Service) deliverAll(ctx context.Context, found []Event) (int, error) {
	done := 0
	for _, e := range found {
		if ctx.Err() != nil {
			return done, nil
		}
		mine, err := claim(ctx, s.db, e.ID, s.now(), claimFor)
		if err != nil {
			return done, fmt.Errorf("claim effect %s: %w", e.Key, err)
		}
		if !mine {
			continue
		}
		ok, err := s.traced(ctx, e)
		if err != nil {
			return done, err
		}
		if ok {
			done++
		}
	}
	return done, nil
}

// traced delivers an event in a trace of its own, linked to the request that queued the event.
func (s *Service) traced(ctx context.Context, e Event) (done bool, err error) {
	ctx, span := s.tracer.Later(ctx, "deliver "+e.Topic, e.Trace)
	defer func() { span.End(err) }()
	return s.deliver(ctx, e)
}

func (s *Service) deliver(ctx context.Context, e Event) (bool, error) {
	e.Attempts++
	cause := s.handle(ctx, e)
	// The result is recorded even if the batch has just ended; otherwise the effect would be repeated.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	if cause == nil {
		if _, err := finish(ctx, s.db, e.ID, Deliver, e.Attempts); err != nil {
			return false, fmt.Errorf("finish effect %s: %w", e.Key, err)
		}
		db.Count(s.db, meter.Deliveries, 1, e.Topic, meter.Delivered)
		return true, nil
	}
	if e.Attempts < maxTries && !errors.Is(cause, ErrNever) {
		if _, err := postpone(ctx, s.db, e.ID, e.Attempts, s.now().Add(delay(e.Attempts))); err != nil {
			return false, fmt.Errorf("postpone effect %s: %w", e.Key, err)
		}
		db.Count(s.db, meter.Deliveries, 1, e.Topic, meter.Postponed)
		return false, nil
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := finish(ctx, tx, e.ID, GiveUp, e.Attempts); err != nil {
			return err
		}
		db.Count(tx, meter.Deliveries, 1, e.Topic, meter.GivenUp)
		return s.onGiveUp(ctx, tx, e, cause)
	})
	if err != nil {
		return false, fmt.Errorf("give up effect %s: %w", e.Key, err)
	}
	return false, nil
}

// handle calls the handler. A panic is a failure like any other.
func (s *Service) handle(ctx context.Context, e Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("effect %s: panic: %v", e.Key, p)
		}
	}()
	h, ok := s.handlers[e.Topic]
	if !ok {
		return fmt.Errorf("topic %s has no handler: %w", e.Topic, ErrNever)
	}
	ctx, cancel := context.WithTimeout(ctx, claimFor/2)
	defer cancel()
	return h(ctx, e)
}

func delay(attempts int) time.Duration {
	return min(firstDelay<<min(attempts-1, 20), maxDelay)
}

// Pending returns up to limit events that are dead letters (dead) or still pending, oldest first.
func (s *Service) Pending(ctx context.Context, dead bool, limit int) ([]Event, error) {
	state := Pending
	if dead {
		state = DeadLetter
	}
	found, err := events.Find(ctx, s.db, "r.state = ? ORDER BY r.id LIMIT ?", state, limit)
	if err != nil {
		return nil, fmt.Errorf("list effects: %w", err)
	}
	return found, nil
}

// Retry makes a dead letter due again. It reports whether there was one.
func (s *Service) Retry(ctx context.Context, id int64) (bool, error) {
	err := s.db.InTx(ctx, func(tx *db.Tx) error { return s.Revive(ctx, tx, id) })
	if errors.Is(err, errno.Stale) || errors.Is(err, errno.Invalid) {
		return false, nil
	}
	return err == nil, err
}

// Revive makes a dead letter due again. It fails with errno.Invalid for no event, and with errno.Stale for one that is
// no dead letter.
func (s *Service) Revive(ctx context.Context, tx *db.Tx, id int64) error {
	return s.resolve(ctx, tx, id, revive, map[string]any{"retry": true})
}

// Dismiss ends a dead letter without delivering it, and records why. It fails as Revive does.
func (s *Service) Dismiss(ctx context.Context, tx *db.Tx, id int64, note string) error {
	return s.resolve(ctx, tx, id, dismiss, map[string]any{"dismissed": true, "note": note})
}

// resolve moves a dead letter and writes the audit record.
func (s *Service) resolve(
	ctx context.Context, tx *db.Tx, id int64,
	move func(context.Context, db.Querier, int64, time.Time) (bool, error), record map[string]any,
) error {
	e, found, err := events.Get(ctx, tx, id)
	if err != nil {
		return fmt.Errorf("read effect %d: %w", id, err)
	}
	if !found {
		return fmt.Errorf("effect %d: %w", id, errno.NoSuch(text.FieldID))
	}
	ok, err := move(ctx, tx, id, s.now())
	if err != nil {
		return fmt.Errorf("resolve effect %s: %w", e.Key, err)
	}
	if !ok {
		return fmt.Errorf("effect %s is no dead letter: %w", e.Key, errno.Stale)
	}
	note, _ := record["note"].(string)
	return audit.Record(ctx, tx, audit.Change{ID: id, After: record, Result: e.Key, Comment: note})
}

// Purge deletes a batch of old delivered events, and returns how many.
func (s *Service) Purge(ctx context.Context) (int, error) {
	n, err := purge(ctx, s.db, s.now().Add(-doneRetention), purged)
	if err != nil {
		return n, fmt.Errorf("purge effects: %w", err)
	}
	return n, nil
}
