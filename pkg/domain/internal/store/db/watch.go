package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"log/slog"
	"strings"
	"time"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/trace"
)

// watch observes the round trips to the database.
type watch struct {
	meter *meter.Meter
	// log gets the statements that take at least slow; 0 is none.
	log  *slog.Logger
	slow time.Duration
}

// trip is one round trip.
type trip struct {
	watch watch
	ctx   context.Context
	text  string
	began time.Time
	span  trace.Span
}

func (w watch) start(ctx context.Context, text string) trip {
	t := trip{watch: w, ctx: ctx, text: text, began: w.meter.Now()}
	if trace.On(ctx) {
		_, t.span = trace.Call(ctx, "mysql", kindOfText(text), "db.system.name", "mysql", "db.query.text", template(text))
	}
	return t
}

// end records the round trip, unless the driver has sent nothing.
func (t trip) end(err error) {
	if errors.Is(err, driver.ErrSkip) {
		t.span.End(nil)
		return
	}
	t.span.End(err)
	took := t.watch.meter.Took(meter.Statements, t.began, kindOfText(t.text))
	if t.watch.slow > 0 && took >= t.watch.slow && t.watch.log != nil {
		t.tell(took)
	}
}

// tell logs a slow statement.
func (t trip) tell(took time.Duration) {
	work := trace.Of(t.ctx)
	attrs := []slog.Attr{slog.Int64("ms", took.Milliseconds()), slog.String("operation", work.Operation())}
	if work.Request != "" {
		attrs = append(attrs, slog.String("request", work.Request))
	}
	attrs = append(attrs, slog.String("statement", template(t.text)))
	t.watch.log.LogAttrs(t.ctx, slog.LevelWarn, "slow statement", attrs...)
}

// maxTemplate bounds the bytes of a statement that are told.
const maxTemplate = 1000

// template returns a statement in one line and without its parameters, which are beside its text.
func template(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxTemplate {
		text = strings.ToValidUTF8(text[:maxTemplate], "") + " ..."
	}
	return text
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
