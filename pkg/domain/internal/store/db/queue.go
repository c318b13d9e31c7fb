package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/domain/internal/store/hosted"
)

// queued is a statement that is sent with the next one: a write, whose result check gets, or a query, whose rows read
// gets.
type queued struct {
	text  string
	args  []any
	check func(changed int64) error
	read  func(*sql.Rows) error
}

// Queue is what a query waits in for others that are sent with it: a transaction, or Reads.
type Queue interface {
	// Files returns the base addresses of the shop's files, nil for none.
	Files() *hosted.Bases
	// Flush sends what is queued. A failed one must not be ignored.
	Flush(ctx context.Context) error

	add(s queued)
}

func (t *Tx) add(s queued) { t.later = append(t.later, s) }

// together joins queued statements and one more into a text. With counts, a query for the number of changed rows
// follows each statement that is checked.
func together(queue []queued, counts bool, text string, args []any) (string, []any) {
	var all strings.Builder
	var values []any
	for _, s := range queue {
		all.WriteString(s.text)
		all.WriteString("; ")
		values = append(values, s.args...)
		if counts && s.check != nil {
			all.WriteString("SELECT ROW_COUNT(); ")
		}
	}
	all.WriteString(text)
	return all.String(), append(values, args...)
}

// exec sends the queue with a write.
func (t *Tx) exec(ctx context.Context, text string, args []any) (Result, error) {
	if t.broken != nil {
		return Result{}, t.broken
	}
	if len(t.later) == 0 {
		return resultOf(t.sql.ExecContext(ctx, text, args...))
	}
	if slices.ContainsFunc(t.later, func(s queued) bool { return s.read != nil }) {
		return t.execAfterRead(ctx, text, args)
	}
	queue, b := t.later, new(batch)
	t.later = nil
	text, args = together(queue, false, text, args)
	if _, err := t.sql.ExecContext(context.WithValue(ctx, batchKey{}, b), text, args...); err != nil {
		return Result{}, t.breakOff(err)
	}
	if len(b.affected) != len(queue)+1 {
		return Result{}, t.breakOff(fmt.Errorf("%d results of %d statements", len(b.affected), len(queue)+1))
	}
	for i, s := range queue {
		if s.check == nil {
			continue
		}
		if err := s.check(b.affected[i]); err != nil {
			return Result{}, t.breakOff(err)
		}
	}
	return Result{b.affected[len(queue)], b.ids[len(queue)]}, nil
}

// query sends the queue with a query.
func (t *Tx) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	if t.broken != nil {
		return nil, t.broken
	}
	if len(t.later) == 0 {
		return t.sql.QueryContext(ctx, text, args...)
	}
	queue := t.later
	t.later = nil
	text, args = together(queue, true, text, args)
	rows, err := t.sql.QueryContext(context.WithValue(ctx, batchKey{}, new(batch)), text, args...)
	if err != nil {
		return nil, t.breakOff(err)
	}
	for _, s := range queue {
		if err := s.answered(rows); err != nil {
			_ = rows.Close() //nolint:sqlclosecheck // the first error counts, and otherwise the caller closes them
			return nil, t.breakOff(err)
		}
	}
	return rows, nil
}

// execAfterRead sends a queue that contains queries with a write.
func (t *Tx) execAfterRead(ctx context.Context, text string, args []any) (Result, error) {
	t.later = append(t.later, queued{text, args, nil, nil})
	rows, err := t.query(ctx, "SELECT ROW_COUNT(), LAST_INSERT_ID()", nil)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = rows.Close() }() // Err reports its failures
	var r Result
	for rows.Next() {
		if err := rows.Scan(&r.Affected, &r.ID); err != nil {
			return Result{}, t.breakOff(err)
		}
	}
	if err := rows.Err(); err != nil {
		return Result{}, t.breakOff(err)
	}
	return r, nil
}

// answered handles the current result set, if the statement has one, and goes on to the next.
func (s queued) answered(rows *sql.Rows) error {
	switch {
	case s.read != nil:
		if err := s.read(rows); err != nil {
			return err
		}
	case s.check != nil:
		var changed int64
		for rows.Next() {
			if err := rows.Scan(&changed); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if err := s.check(changed); err != nil {
			return err
		}
	default:
		return nil
	}
	if rows.NextResultSet() {
		return nil
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return sql.ErrNoRows // the server has not answered each statement
}

// breakOff makes all further statements and the commit fail: a result was not checked, or was not as it should be.
func (t *Tx) breakOff(err error) error {
	t.broken = err
	return err
}

// Flush sends what is queued, before a write whose failure the caller handles.
func (t *Tx) Flush(ctx context.Context) error {
	if t.broken != nil || len(t.later) == 0 {
		return t.broken
	}
	last := t.later[len(t.later)-1]
	t.later = t.later[:len(t.later)-1]
	if last.read != nil {
		return t.readLast(ctx, last)
	}
	r, err := t.exec(ctx, last.text, last.args)
	if err == nil && last.check != nil {
		err = last.check(r.Affected)
	}
	if err != nil {
		return t.breakOff(err)
	}
	return nil
}

// readLast sends a queue that ends with a query.
func (t *Tx) readLast(ctx context.Context, last queued) error {
	rows, err := t.query(ctx, last.text, last.args)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err reports its failures
	if err := errors.Join(last.read(rows), rows.Err()); err != nil {
		return t.breakOff(err)
	}
	return nil
}

// commit ends the transaction, in one round trip with what is queued unless a result decides about it.
func (t *Tx) commit(ctx context.Context) error {
	answers := slices.ContainsFunc(t.later, func(s queued) bool { return s.check != nil || s.read != nil })
	if t.broken != nil || len(t.later) == 0 || answers {
		if err := t.Flush(ctx); err != nil {
			return err
		}
		return t.sql.Commit()
	}
	text, args := together(t.later, false, "COMMIT", nil)
	// Like any commit it is not interrupted when ctx ends, since nobody would know its outcome.
	last := context.WithValue(context.WithoutCancel(ctx), batchKey{}, &batch{affected: nil, ids: nil, commits: true})
	if _, err := t.sql.ExecContext(last, text, args...); err != nil {
		return err
	}
	_ = t.sql.Commit() // only gives the connection back
	return nil
}
