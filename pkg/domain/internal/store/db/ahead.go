package db

import (
	"context"
	"slices"
	"sync"
)

// ahead is a query that decides whether a request may be answered. It waits in the context of the request for reads to
// be sent with.
type ahead struct {
	db      *DB
	verdict func() error

	mu    sync.Mutex
	queue []queued // empty once it is answered
}

type aheadKey struct{}

// Ahead returns a context under which a query is sent with the first Reads, which saves a round trip. settle must be
// called before anything that was read is shown: it sends the query if no Reads have, and returns its failure or else
// the verdict about what it has read. Reads go on whatever the verdict is; what changes the database waits for it.
func (d *DB) Ahead(ctx context.Context, queue func(Queue) (verdict func() error, err error)) (
	under context.Context, settle func(context.Context) error, err error,
) {
	q := d.Reads()
	verdict, err := queue(q)
	if err != nil {
		return ctx, nil, err
	}
	a := &ahead{db: d, verdict: verdict, queue: q.queue}
	return context.WithValue(ctx, aheadKey{}, a), a.settle, nil
}

// ahead returns the query that waits in a context, nil for none.
func (d *DB) ahead(ctx context.Context) *ahead {
	if a, ok := ctx.Value(aheadKey{}).(*ahead); ok && a.db == d {
		return a
	}
	return nil
}

// settle is that of Ahead; it does nothing without a query.
func (a *ahead) settle(ctx context.Context) error {
	if a == nil {
		return nil
	}
	if err := a.with(ctx, nil); err != nil {
		return err
	}
	return a.verdict()
}

// with sends queries to the primary, after the one that waits.
func (a *ahead) with(ctx context.Context, queue []queued) error {
	a.mu.Lock()
	if len(a.queue) == 0 {
		a.mu.Unlock()
		return readAll(ctx, a.db.sql, queue)
	}
	defer a.mu.Unlock()
	err := readAll(ctx, a.db.sql, slices.Concat(a.queue, queue))
	if err == nil {
		a.queue = nil
	}
	return err
}
