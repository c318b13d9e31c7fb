package db

import (
	"database/sql/driver"
	"errors"
	"strings"
	"time"

	"shop.internal/pkg/domain/platform/meter"
)

// watch observes the round trips to the database.
type watch struct{ meter *meter.Meter }

// trip is one round trip.
type trip struct {
	watch watch
	text  string
	began time.Time
}

func (w watch) start(text string) trip { return trip{w, text, w.meter.Now()} }

// end records the round trip, unless the driver has sent nothing.
func (t trip) end(err error) {
	if errors.Is(err, driver.ErrSkip) {
		return
	}
	t.watch.meter.Took(meter.Statements, t.began, kindOfText(t.text))
}

// kindOfText returns the label of a statement: what it does first.
func kindOfText(text string) string {
	text = strings.TrimLeft(text, " \t\n(")
	word := text
	if end := strings.IndexAny(text, " \t\n;("); end >= 0 {
		word = text[:end]
	}
	switch strings.ToUpper(word) {
	case "SELECT", "WITH":
		return meter.Select
	case "INSERT":
		return meter.Insert
	case "UPDATE":
		return meter.Update
	case "DELETE":
		return meter.Delete
	case "COMMIT", "ROLLBACK":
		return meter.End
	}
	return meter.Other
}

// Count counts something that a querier has done: in a transaction after its commit, otherwise at once.
func Count(q Querier, c meter.Counter, n int64, labels ...string) {
	switch q := q.(type) {
	case *Tx:
		q.OnCommit(func() { q.db.meter.Add(c, n, labels...) })
	case *DB:
		q.meter.Add(c, n, labels...)
	}
}
