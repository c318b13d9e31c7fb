// Package table reads and writes the rows of one database table as values of one Go type. The columns are the fields of
// that type, by GORM's names and tags, so a column stands once in the type and no statement names it again.
//
// Two tags say what GORM's own do not: `table:"null"` stores the zero value as NULL, and `gorm:"serializer:list"`
// stores a slice as a JSON array. A field with `table:"joined"` is no column of the table: it has a value where a
// statement reads one from elsewhere.
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

// Table is one table of the database. Its area declares it, as a variable of the package; no other area's statements
// name the table.
type Table[R any] struct {
	Reader[R]
	insertText string
	inserted   []*schema.Field
	saved      []*schema.Field
	versioned  bool
	marked     bool
}

// Option tells of a column that every table of a kind has and that the row type does not show.
type Option int

const (
	// Versioned says that the table has a version, which every update raises. A field Version says the same.
	Versioned Option = iota
	// Marked says that the table has a del_mark, which takes a deleted row out of the unique keys.
	Marked
)

// Of declares a table by its row type. It panics on a type that GORM cannot map, and on a table that has been declared
// before: both are mistakes of the code and show at start.
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

// Insert writes a row and returns the id that the database gave it.
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

// Upsert writes a row or, where its values of a unique key are there already, updates that row: update stands behind ON
// DUPLICATE KEY UPDATE. It returns 1 for a new row, 2 for one that was changed and 0 for one that stayed as it was; the
// row is locked in each case.
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

// InsertAt is Insert for a row that is created at a time: it sets add_time and update_time.
func (t Table[R]) InsertAt(ctx context.Context, q db.Querier, row R, at time.Time) (int64, error) {
	if err := t.stamp(ctx, &row, at, "add_time", "update_time"); err != nil {
		return 0, err
	}
	return t.Insert(ctx, q, row)
}

// stamp sets fields of a row to a time.
func (t Table[R]) stamp(ctx context.Context, row *R, at time.Time, columns ...string) error {
	for _, column := range columns {
		if err := t.schema.LookUpField(column).Set(ctx, reflect.ValueOf(row).Elem(), at); err != nil {
			return fmt.Errorf("set %s.%s: %w", t.name, column, err)
		}
	}
	return nil
}

// rowsAtOnce is how many rows one statement writes at most.
const rowsAtOnce = 1000

// InsertAll writes rows, a thousand with each statement. No rows are no statement.
func (t Table[R]) InsertAll(ctx context.Context, q db.Querier, rows []R) error {
	return t.insertAll(ctx, q, rows, "")
}

// UpsertAll writes rows like InsertAll and, where the values of a unique key are there already, updates those rows as
// Upsert does.
func (t Table[R]) UpsertAll(ctx context.Context, q db.Querier, rows []R, update string) error {
	return t.insertAll(ctx, q, rows, " ON DUPLICATE KEY UPDATE "+update)
}

func (t Table[R]) insertAll(ctx context.Context, q db.Querier, rows []R, rest string) error {
	for part := range slices.Chunk(rows, rowsAtOnce) {
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

// args appends the values of the columns that an insert names.
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

// Set is what an update writes: values or expressions (gorm.Expr) by column.
type Set map[string]any

// Update writes columns of the rows that fulfil a condition, raises the version where the table has one, and returns
// how many rows it changed. The condition names the state that the rows must be in, so the count decides whether the
// change took place. It fails on a column that the row type does not have.
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

// Moved is Update for what can only happen to one row: it reports whether that row was as the condition says.
func (t Table[R]) Moved(ctx context.Context, q db.Querier, set Set, where string, args ...any) (bool, error) {
	n, err := t.Update(ctx, q, set, where, args...)
	return n > 0, err
}

// Save writes all columns of a locked row but its id, version and time of creation, and raises the version.
func (t Table[R]) Save(ctx context.Context, tx *db.Tx, row R) error {
	set, v := make(Set, len(t.saved)), reflect.ValueOf(&row).Elem()
	for _, f := range t.saved {
		set[f.DBName], _ = f.ValueOf(ctx, v)
	}
	id, _ := t.keyField().ValueOf(ctx, v)
	_, err := t.Update(ctx, tx, set, t.key+" = ?", id)
	return err
}

// SaveAt is Save for a row that is changed at a time: it sets update_time.
func (t Table[R]) SaveAt(ctx context.Context, tx *db.Tx, row R, at time.Time) error {
	if err := t.stamp(ctx, &row, at, "update_time"); err != nil {
		return err
	}
	return t.Save(ctx, tx, row)
}

// Remove marks live rows as deleted and returns how many there were. The set is what else changes with them, such as
// update_time; the condition chooses among the live rows.
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

// Delete deletes the rows that fulfil a condition for good and returns how many there were.
func (t Table[R]) Delete(ctx context.Context, q db.Querier, where string, args ...any) (int64, error) {
	res := q.G(ctx).Exec("DELETE FROM "+t.quoted+" WHERE "+where, args...)
	if res.Error != nil {
		return 0, fmt.Errorf("delete from %s: %w", t.name, res.Error)
	}
	return res.RowsAffected, nil
}

// Hold locks the live row of an id until the transaction ends, by raising its version: a locking read holds up nobody
// who writes to another server of a cluster. It reports whether there is such a row.
func (t Table[R]) Hold(ctx context.Context, tx *db.Tx, id int64) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE "+t.quoted+" SET version = version + 1 WHERE id = ? AND deleted = 0", id)
	if res.Error != nil {
		return false, fmt.Errorf("hold %s %d: %w", t.name, id, res.Error)
	}
	return res.RowsAffected > 0, nil
}

// Case is an expression for an update that gives each row its own value, by its id. The ids and values go in pairs.
func Case[T any](ids []int64, values []T) clause.Expr {
	args := make([]any, 0, 2*len(ids))
	for i, id := range ids {
		args = append(args, id, values[i])
	}
	return clause.Expr{SQL: "CASE id" + strings.Repeat(" WHEN ? THEN ?", len(ids)) + " END", Vars: args}
}

// placeholders returns n groups of as many question marks, as they stand behind VALUES.
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
