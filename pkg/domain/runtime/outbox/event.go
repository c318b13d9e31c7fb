package outbox

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Event is a side effect to deliver.
type Event struct {
	ID int64
	// Topic chooses the handler; Key makes the event unique, so that an effect is queued once.
	Topic string
	Key   string `gorm:"column:event_key"`
	// Aggregate is the row concerned, 0 for none.
	Aggregate int64 `gorm:"column:aggregate_id"`
	// Payload is JSON.
	Payload  string `table:"null"`
	Attempts int
	// Trace is the traceparent of the request that queued the event, if its trace is recorded.
	Trace string `gorm:"column:trace_parent" table:"null"`
}

// row is an event with the columns for its delivery. LockedBy is not written: the claim alone keeps other workers away.
type row struct {
	Event         `gorm:"embedded"`
	State         State
	AvailableTime time.Time
	LockedUntil   time.Time `table:"null"`
	LockedBy      string    `table:"null"`
	AddTime       time.Time
}

var (
	rows = table.Of[row]("outbox_event",
		table.RefersToNone("aggregate_id", "the row of the topic's area that the event is about"),
	)
	events = table.Part[Event](rows)
)

// insert queues an event, unless one with its key exists. It is sent with the next statement of the transaction.
func insert(ctx context.Context, tx *db.Tx, e Event, now time.Time, wait time.Duration) error {
	r := row{Event: e, State: Pending, AvailableTime: now.Add(wait), AddTime: now}
	_, err := rows.Upsert(ctx, tx.Later(nil), r, "id = id")
	return err
}

// isDue is the condition of events that no worker has claimed; its arguments are the state and twice the time.
const isDue = `r.state = ? AND r.available_time <= ? AND (r.locked_until IS NULL OR r.locked_until <= ?)`

// due finds due events of all topics except some.
func due(ctx context.Context, q db.Querier, now time.Time, but []string, limit int) ([]Event, error) {
	where, args := isDue, []any{Pending, now, now}
	if len(but) > 0 {
		where, args = where+" AND r.topic NOT IN ?", append(args, but)
	}
	return events.Find(ctx, q, where+" ORDER BY r.available_time, r.id LIMIT ?", append(args, limit)...)
}

// dueOf finds due events of a topic.
func dueOf(ctx context.Context, q db.Querier, now time.Time, topic string, limit int) ([]Event, error) {
	return events.Find(ctx, q, isDue+" AND r.topic = ? ORDER BY r.available_time, r.id LIMIT ?",
		Pending, now, now, topic, limit)
}

// move applies a step to an event if its state allows it, and writes set; it reports whether it did.
func move(ctx context.Context, q db.Querier, id int64, by Step, set table.Set) (bool, error) {
	set["state"] = transitions.To(by)
	return rows.Moved(ctx, q, set, "id = ? AND state IN ?", id, transitions.From(by))
}

// claim claims an event for this worker; the conditional update keeps two workers from one event.
func claim(ctx context.Context, q db.Querier, id int64, now time.Time, until time.Duration) (bool, error) {
	return rows.Moved(ctx, q, table.Set{"locked_until": now.Add(until)},
		"id = ? AND state IN ? AND (locked_until IS NULL OR locked_until <= ?)", id, transitions.From(Claim), now)
}

// finish ends the attempts at an event; by is Deliver or GiveUp.
func finish(ctx context.Context, q db.Querier, id int64, by Step, attempts int) (bool, error) {
	return move(ctx, q, id, by, table.Set{"attempts": attempts, "locked_until": nil})
}

// postpone schedules the next attempt.
func postpone(ctx context.Context, q db.Querier, id int64, attempts int, until time.Time) (bool, error) {
	return move(ctx, q, id, Postpone, table.Set{"attempts": attempts, "available_time": until, "locked_until": nil})
}

// revive makes a dead letter pending again, with all its attempts.
func revive(ctx context.Context, q db.Querier, id int64, now time.Time) (bool, error) {
	return move(ctx, q, id, Retry, table.Set{"attempts": 0, "available_time": now, "locked_until": nil})
}

// dismiss ends a dead letter; it is purged like a delivered event.
func dismiss(ctx context.Context, q db.Querier, id int64, now time.Time) (bool, error) {
	return move(ctx, q, id, Dismiss, table.Set{"available_time": now})
}

// done is finish by key, for an effect that its producer has done.
func done(ctx context.Context, q db.Querier, key string) (bool, error) {
	return rows.Moved(ctx, q, table.Set{"state": transitions.To(Deliver), "locked_until": nil},
		"event_key = ? AND state IN ?", key, transitions.From(Deliver))
}

// purge reads the ids first, so that it locks rows by key.
func purge(ctx context.Context, q db.Querier, before time.Time, limit int) (int, error) {
	ids, err := rows.IDs(ctx, q, "r.state = ? AND r.available_time <= ? ORDER BY r.available_time, r.id LIMIT ?",
		Delivered, before, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	n, err := rows.Delete(ctx, q, "id IN ? AND state = ?", ids, Delivered)
	return int(n), err
}
