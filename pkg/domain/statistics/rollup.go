package statistics

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/outbox"
)

const (
	// refreshEvery is how old the sums of the current day may be.
	refreshEvery = time.Minute
	// GracePeriod is how long after its end a day may still be written to by transactions that began before.
	GracePeriod = 10 * time.Minute
	// daysPerBatch bounds the days of one batch.
	daysPerBatch = 30
)

// Rollup maintains the daily sums that the statistics are read from. A day with changes is recomputed as a whole from
// the tables, so that it may be recomputed any number of times.
type Rollup struct {
	db       *db.DB
	failures *job.Failures
	zone     *time.Location
	now      func() time.Time
}

// NewRollup returns the daily sums. Days are days of the shop's time zone.
func NewRollup(
	d *db.DB, o *outbox.Service, failures *job.Failures, zone *time.Location, now func() time.Time,
) *Rollup {
	r := &Rollup{db: d, failures: failures, zone: zone, now: now}
	o.Handle(order.TopicStatistics, r.touch)
	return r
}

// Jobs returns the scheduled job.
func (r *Rollup) Jobs() []job.Job {
	return []job.Job{{
		Name: "rollup", Every: 15 * time.Second, MaxEvery: time.Minute, Run: r.Refresh,
		Does: "recomputes the statistics of days whose orders have changed",
	}}
}

// touch marks a day as changed. It waits for a computation in progress, which may not have seen the change.
func (r *Rollup) touch(ctx context.Context, e outbox.Event) error {
	var t order.StatisticsChanged
	if err := json.Unmarshal([]byte(e.Payload), &t); err != nil {
		return fmt.Errorf("read the event: %w: %w", outbox.ErrNever, err)
	}
	if err := MarkChanged(ctx, r.db, calendar.Date(t.At, r.zone)); err != nil {
		return fmt.Errorf("mark a day as changed: %w", err)
	}
	return nil
}

// PendingPayloads returns the payloads of the undelivered events of a topic.
func PendingPayloads(ctx context.Context, q db.Querier, topic string) (payloads []string, err error) {
	err = table.Scan(ctx, q, &payloads, `SELECT payload FROM outbox_event
		WHERE state = ? AND topic = ? AND payload IS NOT NULL`, outbox.Pending, topic)
	return payloads, err
}

// touched returns the days of changes whose events were not delivered yet.
func (r *Rollup) touched(ctx context.Context) (map[string]bool, error) {
	payloads, err := PendingPayloads(ctx, r.db, order.TopicStatistics)
	if err != nil {
		return nil, fmt.Errorf("find changes of days: %w", err)
	}
	days := map[string]bool{}
	for _, p := range payloads {
		var t order.StatisticsChanged
		if json.Unmarshal([]byte(p), &t) == nil { // the outbox reports unreadable events
			days[calendar.Date(t.At, r.zone).Format(time.DateOnly)] = true
		}
	}
	return days, nil
}

// Refresh recomputes a batch of the days that have changed or were never computed, and of today. It returns how many.
func (r *Rollup) Refresh(ctx context.Context) (int, error) {
	return r.refresh(ctx, func(date, at time.Time) bool { return r.isStale(date, at, refreshEvery) }, daysPerBatch)
}

// refresh recomputes at most so many days that are due. due gets the date and the time of its sums.
func (r *Rollup) refresh(ctx context.Context, due func(date, at time.Time) bool, most int) (int, error) {
	days := map[int64]time.Time{}
	return r.failures.Each(ctx, job.Batch{
		Job: "rollup", Max: most,
		Find: func(ctx context.Context, _ db.Querier, _ clause.Expr) ([]int64, error) {
			stale, err := r.stale(ctx, due)
			ids := make([]int64, len(stale))
			for i, day := range stale {
				ids[i] = dayNumber(day)
				days[ids[i]] = day
			}
			return ids, err
		},
		Handle: func(ctx context.Context, id int64) error {
			return job.MovedUnless(r.addUp(ctx, days[id], due))
		},
	})
}

// dayNumber returns a day as a number of eight digits, the row id for jobs.
func dayNumber(day time.Time) int64 {
	y, m, d := day.Date()
	return int64(y)*10000 + int64(m)*100 + int64(d)
}

// stale returns the days whose sums may be wrong, from the first day with data to today.
func (r *Rollup) stale(ctx context.Context, due func(date, at time.Time) bool) ([]time.Time, error) {
	known, err := refreshed(ctx, r.db)
	if err != nil {
		return nil, err
	}
	first, err := firstMoment(ctx, r.db, r.now())
	if err != nil {
		return nil, err
	}
	var days []time.Time
	today := calendar.Date(r.now(), r.zone)
	for day := calendar.Date(first, r.zone); !day.After(today); day = day.AddDate(0, 0, 1) {
		if at, ok := known[day.Format(time.DateOnly)]; !ok || due(day, at) {
			days = append(days, day)
		}
	}
	return days, nil
}

// firstMoment is when the first shopper registered or the first order was placed, or a default.
func firstMoment(ctx context.Context, q db.Querier, otherwise time.Time) (time.Time, error) {
	var rows []struct{ At time.Time }
	err := table.Scan(ctx, q, &rows, `(SELECT add_time AS at FROM user ORDER BY add_time, id LIMIT 1)
		UNION ALL (SELECT add_time AS at FROM orders ORDER BY add_time, id LIMIT 1)`)
	for _, r := range rows {
		if r.At.Before(otherwise) {
			otherwise = r.At
		}
	}
	return otherwise, err
}

// isStale reports whether sums that were computed at a time may be wrong: the day has changed since, or it was not over
// and they are older than age.
func (r *Rollup) isStale(date, at time.Time, age time.Duration) bool {
	if at.Before(neverBefore) {
		return true
	}
	_, end := Bounds(date, r.zone)
	return at.Before(end.Add(GracePeriod)) && !at.After(r.now().Add(-age))
}

// addUp computes the sums of a day under the lock of its row: only one process does, and a concurrent change marks the
// day afterwards.
func (r *Rollup) addUp(
	ctx context.Context, date time.Time, due func(date, at time.Time) bool,
) (changed bool, err error) {
	err = r.db.InTx(ctx, func(tx *db.Tx) error {
		changed = false
		at, err := lockDay(ctx, tx, date)
		if err != nil {
			return err
		}
		if !due(date, at) {
			return nil
		}
		now := r.now()
		begin, end := Bounds(date, r.zone)
		sums, err := AddUp(ctx, tx, begin, end)
		if err != nil {
			return err
		}
		sellers, err := SellersOf(ctx, tx, date, begin, end)
		if err != nil {
			return err
		}
		changed = true
		if err := saveSellers(ctx, tx, date, sellers); err != nil {
			return err
		}
		return saveDay(ctx, tx, date, sums, now)
	})
	return changed, err
}
