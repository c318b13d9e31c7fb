// Package edit implements create, update and delete of simple records: one transaction that locks the row, changes it,
// and writes the audit record. Rules of a record are passed in as functions.
package edit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// CRUD edits the records of one table. T is the record as stored and audited; it must survive JSON.
type CRUD[T any] struct {
	// Table names the records in errors.
	Table string
	Once  *idempotency.Store
	// Lock loads and locks a live row; false if there is none.
	Lock func(ctx context.Context, tx *db.Tx, id int64) (T, bool, error)
	// Insert writes a new row and returns its id.
	Insert func(ctx context.Context, tx *db.Tx, v T) (int64, error)
	// Save writes a locked row with the time of the change.
	Save func(ctx context.Context, tx *db.Tx, id int64, v T, at time.Time) error
	// Updated returns when a row was changed last.
	Updated func(T) time.Time
	Now     func() time.Time
	// Remove soft-deletes a locked row.
	Remove func(ctx context.Context, tx *db.Tx, id int64) error
	// Name is the record's name in the business log; nil for no entry.
	Name func(T) string
	// Changed is called for every change within its transaction; it may be nil.
	Changed func(ctx context.Context, tx *db.Tx, id int64) error
}

// Of edits the rows of a table whose row type is the record itself. Inserts and updates set add_time and update_time.
func Of[T any](t table.Table[T], once *idempotency.Store, now func() time.Time) CRUD[T] {
	return CRUD[T]{
		Table: t.Name(), Once: once, Lock: t.LockLive, Updated: t.Updated, Now: now,
		Insert: func(ctx context.Context, tx *db.Tx, v T) (int64, error) { return t.InsertAt(ctx, tx, v, now()) },
		Save: func(ctx context.Context, tx *db.Tx, _ int64, v T, at time.Time) error {
			return t.SaveAt(ctx, tx, v, at)
		},
		Remove: func(ctx context.Context, tx *db.Tx, id int64) error {
			_, err := t.Remove(ctx, tx, table.Set{"update_time": now()}, "id = ?", id)
			return err
		},
	}
}

// Find loads a live row by id. It fails with errno.Invalid for an unknown id; named is the record for people.
func Find[T any](ctx context.Context, q db.Querier, t table.Table[T], named *text.Field, id int64) (T, error) {
	row, found, err := t.Live(ctx, q, id)
	if err == nil && !found {
		err = fmt.Errorf("%s %d: %w", t.Name(), id, errno.NoSuch(named))
	}
	return row, err
}

func (d CRUD[T]) record(ctx context.Context, tx *db.Tx, id int64, before, after any, named T) error {
	c := audit.Change{ID: id, Before: before, After: after}
	if d.Name != nil {
		c.Result = d.Name(named)
	}
	if d.Changed != nil {
		if err := d.Changed(ctx, tx, id); err != nil {
			return err
		}
	}
	if err := upload.Use(ctx, tx, after); err != nil {
		return err
	}
	return audit.Record(ctx, tx, c)
}

// Create inserts a record, which check may refuse or complete, and returns it as stored.
func (d CRUD[T]) Create(ctx context.Context, v T, check func(tx *db.Tx, v *T) error) (T, error) {
	return idempotency.InTx(ctx, d.Once, func(tx *db.Tx) (T, error) {
		v := v // the transaction may run twice
		if err := check(tx, &v); err != nil {
			return v, err
		}
		id, err := d.Insert(ctx, tx, v)
		if err != nil {
			return v, err
		}
		stored, _, err := d.Lock(ctx, tx, id)
		if err != nil {
			return v, err
		}
		return stored, d.record(ctx, tx, id, nil, stored, stored)
	})
}

// Update changes a live record and returns it as stored. It fails with errno.UpdateFailed for an unknown one, and with
// the error of change.
func (d CRUD[T]) Update(ctx context.Context, id int64, change func(tx *db.Tx, v *T) error) (T, error) {
	return idempotency.InTx(ctx, d.Once, func(tx *db.Tx) (T, error) {
		before, found, err := d.Lock(ctx, tx, id)
		if err != nil {
			return before, err
		}
		if !found {
			return before, fmt.Errorf("%s %d: %w", d.Table, id, errno.UpdateFailed)
		}
		at, err := seen.Next(ctx, d.Table, id, d.Updated(before), d.Now())
		if err != nil {
			return before, err
		}
		v := before
		if err := change(tx, &v); err != nil {
			return before, err
		}
		if err := d.Save(ctx, tx, id, v, at); err != nil {
			return before, err
		}
		after, _, err := d.Lock(ctx, tx, id)
		if err != nil {
			return before, err
		}
		return after, d.record(ctx, tx, id, before, after, after)
	})
}

// Delete deletes records, unless free refuses one of them; unknown ids are skipped.
func (d CRUD[T]) Delete(ctx context.Context, free func(tx *db.Tx, v T) error, ids ...int64) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids))) // rows are locked by ascending id
	return idempotency.Do(ctx, d.Once, func(tx *db.Tx) error {
		gone := map[int64]T{}
		for _, id := range ids {
			before, found, err := d.Lock(ctx, tx, id)
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			if err := free(tx, before); err != nil {
				return err
			}
			if err := d.Remove(ctx, tx, id); err != nil {
				return err
			}
			gone[id] = before
		}
		return d.deleted(ctx, tx, ids, gone)
	})
}

// deleted writes the audit record: of one deletion with its row, of several with their ids.
func (d CRUD[T]) deleted(ctx context.Context, tx *db.Tx, ids []int64, gone map[int64]T) error {
	if len(ids) == 1 {
		before, found := gone[ids[0]]
		if !found {
			return audit.RecordOnly(ctx, tx, audit.Change{ID: ids[0]})
		}
		return d.record(ctx, tx, ids[0], before, nil, before)
	}
	if err := audit.RecordOnly(ctx, tx, audit.Change{Before: map[string]any{"rows": gone}}); err != nil {
		return err
	}
	for _, id := range ids {
		before, found := gone[id]
		if !found {
			continue
		}
		if d.Changed != nil {
			if err := d.Changed(ctx, tx, id); err != nil {
				return err
			}
		}
		if d.Name == nil {
			continue
		}
		if err := audit.Note(ctx, tx, d.Name(before), ""); err != nil {
			return err
		}
	}
	return nil
}

// Always is the check of records without rules of their own.
func Always[T any](*db.Tx, T) error { return nil }
