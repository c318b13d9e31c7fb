// Package table reads and writes the rows of a database table as values of a Go type. The columns are the fields of
// that type, by GORM's names and tags, so that statements need not name them.
//
// Two tags are our own: `table:"null"` stores the zero value as NULL, and `gorm:"serializer:list"` stores a slice as a
// JSON array. A field with `table:"joined"` is no column: statements may read it from elsewhere.
package table

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"shop.internal/pkg/domain/internal/db"
)

// Table is a database table. The area that owns it declares it as a variable of the package; statements of other areas
// must not name it.
type Table[R any] struct {
	Reader[R]
	insertText string
	inserted   []*schema.Field
	saved      []*schema.Field
	versioned  bool
	marked     bool
}

// Option declares a column that the row type lacks.
type Option int

const (
	// Versioned tables have a version, which every update increments. A field Version implies it.
	Versioned Option = iota
	// Marked tables have a del_mark, which removes a deleted row from the unique keys.
	Marked
)

// Of declares a table by its row type. It panics for a type that GORM cannot map, and for a table that is declared
// already.
func Of[R any](name string, options ...Option) Table[R] {
	t := Table[R]{Reader: readerOf[R](name)}
	t.marked = slices.Contains(options, Marked) || t.schema.LookUpField("del_mark") != nil
	t.versioned = slices.Contains(options, Versioned) || t.schema.LookUpField("version") != nil
	var columns []string
	for _, f := range t.fields {
		if f.Creatable && !f.AutoIncrement {
			t.inserted, columns = append(t.inserted, f), append(columns, quote(f.DBName))
		}
		if f.Updatable && !slices.Contains([]string{t.key, "add_time", "version"}, f.DBName) {
			t.saved = append(t.saved, f)
		}
	}
	t.insertText = "INSERT INTO " + t.quoted + " (" + strings.Join(columns, ", ") + ") VALUES "
	declare(t)
	return t
}

// Insert inserts a row and returns its generated id.
func (t Table[R]) Insert(ctx context.Context, q db.Querier, row R) (int64, error) {
	args, err := t.args(ctx, nil, &row)
	if err != nil {
		return 0, err
	}
	id, err := db.Insert(ctx, q, t.insertText+placeholders(1, len(t.inserted)), args...)
	if err != nil {
		return 0, fmt.Errorf("insert into %s: %w", t.name, err)
	}
	return id, nil
}

// Upsert inserts a row or, if a unique key exists already, updates that row: update follows ON DUPLICATE KEY UPDATE. It
// returns 1 for a new row, 2 for a changed one and 0 for an unchanged one; the row is locked in each case.
func (t Table[R]) Upsert(ctx context.Context, q db.Querier, row R, update string, args ...any) (int64, error) {
	values, err := t.args(ctx, nil, &row)
	if err != nil {
		return 0, err
	}
	text := t.insertText + placeholders(1, len(t.inserted)) + " ON DUPLICATE KEY UPDATE " + update
	res := q.G(ctx).Exec(text, append(values, args...)...)
	if res.Error != nil {
		return 0, fmt.Errorf("insert into %s: %w", t.name, res.Error)
	}
	return res.RowsAffected, nil
}

// InsertAt is Insert with add_time and update_time set.
func (t Table[R]) InsertAt(ctx context.Context, q db.Querier, row R, at time.Time) (int64, error) {
	if err := t.stamp(ctx, &row, at, "add_time", "update_time"); err != nil {
		return 0, err
	}
	return t.Insert(ctx, q, row)
}

// stamp sets time columns of a row.
func (t Table[R]) stamp(ctx context.Context, row *R, at time.Time, columns ...string) error {
	for _, column := range columns {
		if err := t.schema.LookUpField(column).Set(ctx, reflect.ValueOf(row).Elem(), at); err != nil {
			return fmt.Errorf("set %s.%s: %w", t.name, column, err)
		}
	}
	return nil
}

// rowsPerStatement bounds the rows of one statement.
const rowsPerStatement = 1000

// InsertAll inserts rows, a thousand per statement. Without rows it runs no statement.
func (t Table[R]) InsertAll(ctx context.Context, q db.Querier, rows []R) error {
	return t.insertAll(ctx, q, rows, "")
}

// UpsertAll inserts rows like InsertAll and updates existing ones like Upsert.
func (t Table[R]) UpsertAll(ctx context.Context, q db.Querier, rows []R, update string) error {
	return t.insertAll(ctx, q, rows, " ON DUPLICATE KEY UPDATE "+update)
}

func (t Table[R]) insertAll(ctx context.Context, q db.Querier, rows []R, rest string) error {
	for part := range slices.Chunk(rows, rowsPerStatement) {
		args := make([]any, 0, len(part)*len(t.inserted))
		for i := range part {
			var err error
			if args, err = t.args(ctx, args, &part[i]); err != nil {
				return err
			}
		}
		if err := q.G(ctx).Exec(t.insertText+placeholders(len(part), len(t.inserted))+rest, args...).Error; err != nil {
			return fmt.Errorf("insert %d rows into %s: %w", len(part), t.name, err)
		}
	}
	return nil
}

// args appends the values of the inserted columns.
func (t Table[R]) args(ctx context.Context, args []any, row *R) ([]any, error) {
	v := reflect.ValueOf(row).Elem()
	for _, f := range t.inserted {
		stored, err := fieldValue(ctx, f, v)
		if err != nil {
			return nil, fmt.Errorf("write %s.%s: %w", t.name, f.DBName, err)
		}
		args = append(args, stored)
	}
	return args, nil
}

// Set is the values or expressions (gorm.Expr) of an update, by column.
type Set map[string]any

// Update updates columns of the rows that match a condition, increments the version if the table has one, and returns
// how many rows it changed. The condition names the state that the rows must have, so the count decides whether the
// change took place. It fails for a column that the row type lacks.
func (t Table[R]) Update(ctx context.Context, q db.Querier, set Set, where string, args ...any) (int64, error) {
	var text strings.Builder
	text.WriteString("UPDATE " + t.quoted + " SET ")
	values := make([]any, 0, len(set)+len(args))
	for _, f := range t.fields { // in the order of the row type, so that equal updates are equal statements
		v, ok := set[f.DBName]
		if !ok {
			continue
		}
		stored, err := given(ctx, f, v)
		if err != nil {
			return 0, fmt.Errorf("write %s.%s: %w", t.name, f.DBName, err)
		}
		if len(values) > 0 {
			text.WriteString(", ")
		}
		text.WriteString(quote(f.DBName) + " = ?")
		values = append(values, stored)
	}
	if len(values) != len(set) {
		return 0, fmt.Errorf("update %s: of %v, some are no columns of %T", t.name, columnsOf(set), *new(R))
	}
	if t.versioned {
		text.WriteString(", version = version + 1")
	}
	text.WriteString(" WHERE " + where)
	res := q.G(ctx).Exec(text.String(), append(values, args...)...)
	if res.Error != nil {
		return 0, fmt.Errorf("update %s: %w", t.name, res.Error)
	}
	return res.RowsAffected, nil
}

// Moved is Update for a single row: it reports whether the row matched the condition.
func (t Table[R]) Moved(ctx context.Context, q db.Querier, set Set, where string, args ...any) (bool, error) {
	n, err := t.Update(ctx, q, set, where, args...)
	return n > 0, err
}

// Save writes all columns of a locked row except id, version and creation time, and increments the version.
func (t Table[R]) Save(ctx context.Context, tx *db.Tx, row R) error {
	set, v := make(Set, len(t.saved)), reflect.ValueOf(&row).Elem()
	for _, f := range t.saved {
		set[f.DBName], _ = f.ValueOf(ctx, v)
	}
	id, _ := t.keyField().ValueOf(ctx, v)
	_, err := t.Update(ctx, tx, set, t.key+" = ?", id)
	return err
}

// SaveAt is Save with update_time set.
func (t Table[R]) SaveAt(ctx context.Context, tx *db.Tx, row R, at time.Time) error {
	if err := t.stamp(ctx, &row, at, "update_time"); err != nil {
		return err
	}
	return t.Save(ctx, tx, row)
}

// Remove soft-deletes live rows that match a condition and returns how many. set contains what else changes, such as
// update_time.
func (t Table[R]) Remove(ctx context.Context, q db.Querier, set Set, where string, args ...any) (int64, error) {
	text := "UPDATE " + t.quoted + " SET deleted = 1"
	values := make([]any, 0, len(set)+len(args))
	for _, column := range columnsOf(set) {
		text += ", " + quote(column) + " = ?"
		values = append(values, set[column])
	}
	if t.marked {
		text += ", del_mark = id"
	}
	if t.versioned {
		text += ", version = version + 1"
	}
	res := q.G(ctx).Exec(text+" WHERE deleted = 0 AND "+where, append(values, args...)...)
	if res.Error != nil {
		return 0, fmt.Errorf("delete from %s: %w", t.name, res.Error)
	}
	return res.RowsAffected, nil
}

// Delete deletes the rows that match a condition and returns how many.
func (t Table[R]) Delete(ctx context.Context, q db.Querier, where string, args ...any) (int64, error) {
	res := q.G(ctx).Exec("DELETE FROM "+t.quoted+" WHERE "+where, args...)
	if res.Error != nil {
		return 0, fmt.Errorf("delete from %s: %w", t.name, res.Error)
	}
	return res.RowsAffected, nil
}

// Hold locks a live row until the end of the transaction by incrementing its version: on another server of a cluster,
// writers do not see a locking read. It reports whether the row exists.
func (t Table[R]) Hold(ctx context.Context, tx *db.Tx, id int64) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE "+t.quoted+" SET version = version + 1 WHERE id = ? AND deleted = 0", id)
	if res.Error != nil {
		return false, fmt.Errorf("hold %s %d: %w", t.name, id, res.Error)
	}
	return res.RowsAffected > 0, nil
}

// Case returns an expression that gives each row its own value, by its id. ids and values are pairs.
func Case[T any](ids []int64, values []T) clause.Expr {
	args := make([]any, 0, 2*len(ids))
	for i, id := range ids {
		args = append(args, id, values[i])
	}
	return clause.Expr{SQL: "CASE id" + strings.Repeat(" WHEN ? THEN ?", len(ids)) + " END", Vars: args}
}

// placeholders returns n groups of question marks for VALUES.
func placeholders(n, columns int) string {
	group := "(?" + strings.Repeat(", ?", columns-1) + ")"
	return group + strings.Repeat(", "+group, n-1)
}

func columnsOf(set Set) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
