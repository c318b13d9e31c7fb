// Package outbox owns the side effects that must happen after a commit: they are written in the transaction of what
// causes them and delivered afterwards, again and again until they are done or given up.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/job"
)

// Handler does an effect. It may be called again for an event that it has done already.
type Handler func(ctx context.Context, e Event) error

// ErrNever makes a handler's failure final: no attempt will be better.
var ErrNever = errors.New("will never succeed")

const (
	batch      = 100
	batchAside = 10
	claimFor   = 30 * time.Second
	// recordWithin is how long it may take to write down how an effect went.
	recordWithin = 2 * time.Second
	mostTries    = 12
	firstDelay   = time.Second
	mostDelay    = 10 * time.Minute
	// doneRetention is how long effects are kept that are done; dead letters stay until somebody has dealt with them.
	doneRetention = 7 * 24 * time.Hour
	// purged is the most effects that one batch removes.
	purged = 5000
)

// Service queues and delivers.
type Service struct {
	db       *db.DB
	now      func() time.Time
	handlers map[string]Handler
	// aside are the topics that are delivered by themselves.
	aside    []string
	onGiveUp func(ctx context.Context, tx *db.Tx, e Event, cause error) error
}

// New returns an outbox without handlers.
func New(d *db.DB, now func() time.Time) *Service {
	return &Service{
		db: d, now: now, handlers: map[string]Handler{},
		onGiveUp: func(context.Context, *db.Tx, Event, error) error { return nil },
	}
}

// Handle names the handler of a topic; it is called while the domain is wired, before anything is delivered.
func (s *Service) Handle(topic string, h Handler) { s.handlers[topic] = h }

// HandleAside is Handle for a topic whose effects take long, or wait for somebody who may not answer: they are
// delivered by a job of their own and hold up no others, nor do such topics hold up each other.
func (s *Service) HandleAside(topic string, h Handler) {
	s.Handle(topic, h)
	s.aside = append(s.aside, topic)
}

// OnGiveUp names what is told of every event that is given up, in the transaction that gives it up.
func (s *Service) OnGiveUp(fn func(ctx context.Context, tx *db.Tx, e Event, cause error) error) {
	s.onGiveUp = fn
}

// Add queues an effect in the caller's transaction. An effect whose key is queued already stays as it is. payload
// becomes JSON; nil is none.
func (s *Service) Add(ctx context.Context, tx *db.Tx, topic, key string, aggregate int64, payload any) error {
	return s.AddAfter(ctx, tx, topic, key, aggregate, payload, 0)
}

// AddAfter is Put for an effect that is not to be delivered before some time has passed.
func (s *Service) AddAfter(
	ctx context.Context, tx *db.Tx, topic, key string, aggregate int64, payload any, wait time.Duration,
) error {
	text, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("queue %s: %w", key, err)
	}
	e := Event{Topic: topic, Key: key, Aggregate: aggregate, Payload: string(text)}
	if err := insert(ctx, tx, e, s.now(), wait); err != nil {
		return fmt.Errorf("queue %s: %w", key, err)
	}
	return nil
}

// Done marks an effect that its producer has done itself, so that nobody delivers it any more.
func (s *Service) Done(ctx context.Context, key string) error {
	if _, err := done(ctx, s.db, key); err != nil {
		return fmt.Errorf("mark effect %s as done: %w", key, err)
	}
	return nil
}

// Jobs returns the deliverers.
func (s *Service) Jobs() []job.Job {
	return []job.Job{
		{
			Name: "outbox", Every: time.Second, Most: time.Minute, Run: s.Deliver,
			Does: "delivers outbox events: notices, refunds without an answer, closing of payments",
		},
		{
			Name: "outboxAside", Every: time.Second, Most: 10 * time.Minute, Run: s.DeliverAside,
			Does: "sends text messages and mails and renders share images, apart from other events so that none waits for them",
		},
	}
}

// Deliver does what is due, at most one batch, and reports how many events are done. A failing event is tried again
// later and hinders no other.
func (s *Service) Deliver(ctx context.Context) (int, error) {
	found, err := due(ctx, s.db, s.now(), s.aside, batch)
	if err != nil {
		return 0, fmt.Errorf("look for due effects: %w", err)
	}
	return s.deliverAll(ctx, found)
}

// DeliverAside is Deliver for the topics of HandleAside, which Deliver leaves out.
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
		return 0, fmt.Errorf("look for due effects of %s: %w", topic, err)
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
		ok, err := s.deliver(ctx, e)
		if err != nil {
			return done, err
		}
		if ok {
			done++
		}
	}
	return done, nil
}

func (s *Service) deliver(ctx context.Context, e Event) (bool, error) {
	e.Attempts++
	cause := s.handle(ctx, e)
	// What was done is written down also where the batch has just ended, else it would be done twice.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	if cause == nil {
		if _, err := finish(ctx, s.db, e.ID, Deliver, e.Attempts); err != nil {
			return false, fmt.Errorf("finish effect %s: %w", e.Key, err)
		}
		return true, nil
	}
	if e.Attempts < mostTries && !errors.Is(cause, ErrNever) {
		if _, err := postpone(ctx, s.db, e.ID, e.Attempts, s.now().Add(delay(e.Attempts))); err != nil {
			return false, fmt.Errorf("postpone effect %s: %w", e.Key, err)
		}
		return false, nil
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := finish(ctx, tx, e.ID, GiveUp, e.Attempts); err != nil {
			return err
		}
		return s.onGiveUp(ctx, tx, e, cause)
	})
	if err != nil {
		return false, fmt.Errorf("give up effect %s: %w", e.Key, err)
	}
	return false, nil
}

// handle does an effect. A panic is a failure like any other: the event is tried again and given up in the end.
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
	return min(firstDelay<<min(attempts-1, 20), mostDelay)
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

// Retry lets a dead letter be tried again at once. It reports whether there was one.
func (s *Service) Retry(ctx context.Context, id int64) (bool, error) {
	var ok bool
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if ok, err = revive(ctx, tx, id, s.now()); err != nil || !ok {
			return err
		}
		return audit.RecordOnly(ctx, tx, audit.Change{ID: id, After: map[string]any{"retry": true}})
	})
	if err != nil {
		return false, fmt.Errorf("retry effect %d: %w", id, err)
	}
	return ok, nil
}

// Purge removes effects that were done long ago, at most one batch, and reports how many.
func (s *Service) Purge(ctx context.Context) (int, error) {
	n, err := purge(ctx, s.db, s.now().Add(-doneRetention), purged)
	if err != nil {
		return n, fmt.Errorf("purge effects: %w", err)
	}
	return n, nil
}
