// Package table reads and writes the rows of a database table as values of a Go type. The columns are the fields of
// that type, by GORM's names and tags, so that statements need not name them.
//
// Two tags are our own: `table:"null"` stores the zero value as NULL, and `gorm:"serializer:list"` stores a slice as a
// JSON array. A field with `table:"joined"` is no column: statements may read it from elsewhere.
//
// Columns with addresses are known by their names, those with HTML by the tag `holds:"html"`. Of the shop's own files
// they hold the keys; rows that were read have the addresses, and rows to write may have either.
package table

import (
	"context"
	"reflect"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
)

// Table is a database table. The area that owns it declares it as a variable of the package; statements of other areas
// must not name it. It also has the methods of writer and reader.
type Table[R any] struct {
	Reader[R]
	*writer
}

// Option declares what the row type does not say: a column that it lacks, or what a column refers to.
type Option interface{ declare(w *writer) }

// option is a column that a row type may lack.
type option int

const (
	// Versioned tables have a version, which every update increments. A field Version implies it.
	Versioned option = iota
	// Marked tables have a del_mark, which removes a deleted row from the unique keys.
	Marked
)

func (o option) declare(w *writer) {
	w.versioned = w.versioned || o == Versioned
	w.marked = w.marked || o == Marked
}

// Of declares a table by its row type. It panics for a type that GORM cannot map, and for a table that is declared
// already.
func Of[R any](name string, options ...Option) Table[R] {
	r := newReader(name, reflect.TypeFor[R]())
	t := Table[R]{Reader[R]{r}, newWriter(r, options)}
	declare(t.writer)
	return t
}

// Insert inserts a row and returns its generated id.
func (t Table[R]) Insert(ctx context.Context, q db.Querier, row R) (int64, error) {
	return t.insert(ctx, q, reflect.ValueOf(&row).Elem())
}

// Upsert inserts a row or, if a unique key exists already, updates that row: update follows ON DUPLICATE KEY UPDATE. It
// returns 1 for a new row, 2 for a changed one and 0 for an unchanged one; the row is locked in each case.
func (t Table[R]) Upsert(ctx context.Context, q db.Querier, row R, update string, args ...any) (int64, error) {
	res, err := t.insertAll(ctx, q, reflect.ValueOf([]R{row}), update, args...)
	return res.Affected, err
}

// InsertAt is Insert with add_time and update_time set.
func (t Table[R]) InsertAt(ctx context.Context, q db.Querier, row R, at time.Time) (int64, error) {
	v := reflect.ValueOf(&row).Elem()
	if err := t.stamp(ctx, v, at, "add_time", "update_time"); err != nil {
		return 0, err
	}
	return t.insert(ctx, q, v)
}

// InsertAll inserts rows, a thousand per statement. Without rows it runs no statement.
func (t Table[R]) InsertAll(ctx context.Context, q db.Querier, rows []R) error {
	_, err := t.insertAll(ctx, q, reflect.ValueOf(rows), "")
	return err
}

// UpsertAll inserts rows like InsertAll and updates existing ones like Upsert.
func (t Table[R]) UpsertAll(ctx context.Context, q db.Querier, rows []R, update string) error {
	_, err := t.insertAll(ctx, q, reflect.ValueOf(rows), update)
	return err
}

// Updated returns the update_time of a row.
func (t Table[R]) Updated(row R) time.Time {
	at, _ := reflect.ValueOf(row).FieldByName("UpdateTime").Interface().(time.Time)
	return at
}

// Save writes all columns of a locked row except id, version and creation time, and increments the version.
func (t Table[R]) Save(ctx context.Context, tx *db.Tx, row R) error {
	return t.save(ctx, tx, reflect.ValueOf(&row).Elem())
}

// SaveAt is Save with update_time set.
func (t Table[R]) SaveAt(ctx context.Context, tx *db.Tx, row R, at time.Time) error {
	v := reflect.ValueOf(&row).Elem()
	if err := t.stamp(ctx, v, at, "update_time"); err != nil {
		return err
	}
	return t.save(ctx, tx, v)
}
