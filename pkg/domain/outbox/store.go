package outbox

import (
	"context"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
)

const (
	stateWaiting = iota
	stateDone
	stateGivenUp
)

type row struct {
	ID          int64
	Topic       string
	EventKey    string
	AggregateID int64
	Payload     string
	Attempts    int
}

func (r row) event() Event {
	return Event{
		ID: r.ID, Topic: r.Topic, Key: r.EventKey, Aggregate: r.AggregateID, Payload: r.Payload,
		Attempts: r.Attempts,
	}
}

const columns = "id, topic, event_key, aggregate_id, payload, attempts"

func insert(ctx context.Context, tx *db.Tx, e Event, now time.Time, wait time.Duration) error {
	return tx.G(ctx).Exec("INSERT INTO outbox_event (topic, event_key, aggregate_id, payload, available_time, add_time) "+
		"VALUES (?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE id = id", e.Topic, e.Key, e.Aggregate, e.Payload, now.Add(wait),
		now).Error
}

const isDue = "SELECT " + columns + " FROM outbox_event " +
	"WHERE state = ? AND available_time <= ? AND (locked_until IS NULL OR locked_until <= ?) "

// due finds due events of any topic but some.
func due(ctx context.Context, q db.Querier, now time.Time, but []string, limit int) ([]Event, error) {
	query, args := isDue, []any{stateWaiting, now, now}
	if len(but) > 0 {
		query, args = query+"AND topic NOT IN ? ", append(args, but)
	}
	return scan(q.G(ctx).Raw(query+"ORDER BY available_time, id LIMIT ?", append(args, limit)...))
}

// dueOf finds due events of a topic.
func dueOf(ctx context.Context, q db.Querier, now time.Time, topic string, limit int) ([]Event, error) {
	return scan(q.G(ctx).Raw(isDue+"AND topic = ? ORDER BY available_time, id LIMIT ?", stateWaiting, now, now, topic,
		limit))
}

func list(ctx context.Context, q db.Querier, state, limit int) ([]Event, error) {
	return scan(q.G(ctx).Raw("SELECT "+columns+" FROM outbox_event WHERE state = ? ORDER BY id LIMIT ?", state, limit))
}

func scan(query *gorm.DB) ([]Event, error) {
	var rows []row
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	events := make([]Event, len(rows))
	for i, r := range rows {
		events[i] = r.event()
	}
	return events, nil
}

// claim takes an event for this worker: the row decides, so two deliverers never work on one event.
func claim(ctx context.Context, q db.Querier, id int64, now time.Time, until time.Duration) (bool, error) {
	res := q.G(ctx).Exec("UPDATE outbox_event SET locked_until = ? "+
		"WHERE id = ? AND state = ? AND (locked_until IS NULL OR locked_until <= ?)", now.Add(until), id, stateWaiting, now)
	return res.RowsAffected == 1, res.Error
}

func finish(ctx context.Context, q db.Querier, id int64, state, attempts int) error {
	return q.G(ctx).Exec("UPDATE outbox_event SET state = ?, attempts = ?, locked_until = NULL WHERE id = ? AND state = ?",
		state, attempts, id, stateWaiting).Error
}

func postpone(ctx context.Context, q db.Querier, id int64, attempts int, until time.Time) error {
	return q.G(ctx).Exec("UPDATE outbox_event SET attempts = ?, available_time = ?, locked_until = NULL "+
		"WHERE id = ? AND state = ?", attempts, until, id, stateWaiting).Error
}

func revive(ctx context.Context, q db.Querier, id int64, now time.Time) (bool, error) {
	res := q.G(ctx).Exec("UPDATE outbox_event SET state = ?, attempts = 0, available_time = ?, locked_until = NULL "+
		"WHERE id = ? AND state = ?", stateWaiting, now, id, stateGivenUp)
	return res.RowsAffected == 1, res.Error
}

func done(ctx context.Context, q db.Querier, key string) error {
	return q.G(ctx).Exec("UPDATE outbox_event SET state = ?, locked_until = NULL WHERE event_key = ? AND state = ?",
		stateDone, key, stateWaiting).Error
}
