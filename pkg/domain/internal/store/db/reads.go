package db

import (
	"cmp"
	"context"
	"database/sql"

	"shop.internal/pkg/domain/internal/store/hosted"
)

// Reads are queries outside of transactions, often of several areas, that go to the server in one round trip. Each sees
// what is committed when its turn comes. It gives no access to the database, so a service may hold one and pass it
// to the areas whose data a screen combines. It is not for concurrent use.
type Reads struct {
	db    *DB
	queue []queued
}

// Reads returns an empty queue.
func (d *DB) Reads() *Reads { return &Reads{db: d} }

// Files returns the base addresses of the shop's files.
func (r *Reads) Files() *hosted.Bases { return r.db.files }

func (r *Reads) add(s queued) { r.queue = append(r.queue, s) }

// Flush sends what is queued and has it read.
func (r *Reads) Flush(ctx context.Context) error {
	queue := r.queue
	r.queue = nil
	if len(queue) == 0 {
		return nil // whatever waits
	}
	if one := r.db.reader(ctx); one != nil {
		query, settle := one.begun(ctx)
		err := readAll(query, one.sql, queue)
		if settle(); err == nil || ctx.Err() != nil {
			return err
		}
		r.db.failed(ctx, one, err)
	}
	if a := r.db.ahead(ctx); a != nil {
		return a.with(ctx, queue)
	}
	return readAll(ctx, r.db.sql, queue)
}

// readAll sends queries to a server and has their rows read.
func readAll(ctx context.Context, server *sql.DB, queue []queued) error {
	if len(queue) == 0 {
		return nil
	}
	last := len(queue) - 1
	text, args := together(queue[:last], false, queue[last].text, queue[last].args)
	rows, err := server.QueryContext(context.WithValue(ctx, batchKey{}, new(batch)), text, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err reports its failures
	for i, s := range queue {
		if i > 0 && !rows.NextResultSet() {
			return cmp.Or(rows.Err(), sql.ErrNoRows) // the server has not answered each query
		}
		if err := s.read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
