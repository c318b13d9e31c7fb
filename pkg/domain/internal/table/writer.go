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

// writer is what a Table knows of its row type to write it, without the type; see reader.
type writer struct {
	of         *reader
	insertText string
	inserted   []*schema.Field
	saved      []*schema.Field
	versioned  bool
	marked     bool
	references []Reference
}

func newWriter(r *reader, options []Option) *writer {
	w := &writer{of: r}
	w.marked = r.schema.LookUpField("del_mark") != nil
	w.versioned = r.schema.LookUpField("version") != nil
	for _, o := range options {
		o.declare(w)
	}
	var columns []string
	for _, f := range r.fields {
		if f.Creatable && !f.AutoIncrement {
			w.inserted, columns = append(w.inserted, f), append(columns, quote(f.DBName))
		}
		if f.Updatable && !slices.Contains([]string{r.key, "add_time", "version"}, f.DBName) {
			w.saved = append(w.saved, f)
		}
	}
	w.insertText = "INSERT INTO " + r.quoted + " (" + strings.Join(columns, ", ") + ") VALUES "
	return w
}

// insert inserts a row and returns its generated id.
func (w *writer) insert(ctx context.Context, q db.Querier, row reflect.Value) (int64, error) {
	args, err := w.args(ctx, q, nil, row)
	if err != nil {
		return 0, err
	}
	id, err := db.Insert(ctx, q, w.insertText+placeholders(1, len(w.inserted)), args...)
	if err != nil {
		return 0, fmt.Errorf("insert into %s: %w", w.of.name, err)
	}
	return id, nil
}

func (w *writer) upsert(
	ctx context.Context, q db.Querier, row reflect.Value, update string, args []any,
) (int64, error) {
	text, values, err := w.upsertText(ctx, q, row, update, args)
	if err != nil {
		return 0, err
	}
	res, err := db.Exec(ctx, q, text, values...)
	if err != nil {
		return 0, fmt.Errorf("insert into %s: %w", w.of.name, err)
	}
	return res.Affected, nil
}

// upsertText is the statement of upsert.
func (w *writer) upsertText(
	ctx context.Context, q db.Querier, row reflect.Value, update string, args []any,
) (string, []any, error) {
	values, err := w.args(ctx, q, nil, row)
	text := w.insertText + placeholders(1, len(w.inserted)) + " ON DUPLICATE KEY UPDATE " + update
	return text, append(values, args...), err
}

// insertLater inserts rows with the next statement of the transaction; rest follows the values.
func (w *writer) insertLater(ctx context.Context, tx *db.Tx, rows reflect.Value, rest string) error {
	if rows.Len() == 0 {
		return nil
	}
	args := make([]any, 0, rows.Len()*len(w.inserted))
	for i := range rows.Len() {
		var err error
		if args, err = w.args(ctx, tx, args, rows.Index(i)); err != nil {
			return err
		}
	}
	return db.Later(ctx, tx, nil, w.insertText+placeholders(rows.Len(), len(w.inserted))+rest, args...)
}

// stamp sets time columns of a row.
func (w *writer) stamp(ctx context.Context, row reflect.Value, at time.Time, columns ...string) error {
	for _, column := range columns {
		if err := w.of.schema.LookUpField(column).Set(ctx, row, at); err != nil {
			return fmt.Errorf("set %s.%s: %w", w.of.name, column, err)
		}
	}
	return nil
}

// rowsPerStatement bounds the rows of one statement.
const rowsPerStatement = 1000

func (w *writer) insertAll(ctx context.Context, q db.Querier, rows reflect.Value, rest string) error {
	for first := 0; first < rows.Len(); first += rowsPerStatement {
		part := rows.Slice(first, min(first+rowsPerStatement, rows.Len()))
		args := make([]any, 0, part.Len()*len(w.inserted))
		for i := range part.Len() {
			var err error
			if args, err = w.args(ctx, q, args, part.Index(i)); err != nil {
				return err
			}
		}
		text := w.insertText + placeholders(part.Len(), len(w.inserted)) + rest
		if _, err := db.Exec(ctx, q, text, args...); err != nil {
			return fmt.Errorf("insert %d rows into %s: %w", part.Len(), w.of.name, err)
		}
	}
	return nil
}

// args appends the values of the inserted columns.
func (w *writer) args(ctx context.Context, q db.Querier, args []any, row reflect.Value) ([]any, error) {
	for _, f := range w.inserted {
		stored, err := fieldValue(ctx, f, row)
		if err != nil {
			return nil, fmt.Errorf("write %s.%s: %w", w.of.name, f.DBName, err)
		}
		args = append(args, filed(q, f, stored))
	}
	return args, nil
}

// Set is the values or expressions (gorm.Expr) of an update, by column.
type Set map[string]any

// Update updates columns of the rows that match a condition, increments the version if the table has one, and returns
// how many rows it changed. The condition names the state that the rows must have, so the count decides whether the
// change took place. It fails for a column that the row type lacks.
func (w *writer) Update(ctx context.Context, q db.Querier, set Set, where string, args ...any) (int64, error) {
	text, values, err := w.update(ctx, q, set, where, args)
	if err != nil {
		return 0, err
	}
	res, err := db.Exec(ctx, q, text, values...)
	if err != nil {
		return 0, fmt.Errorf("update %s: %w", w.of.name, err)
	}
	return res.Affected, nil
}

// UpdateLater is Update, sent with the next statement of the transaction; check, which may be nil, gets the number of
// changed rows. See db.Later.
func (w *writer) UpdateLater(
	ctx context.Context, tx *db.Tx, set Set, check func(n int64) error, where string, args ...any,
) error {
	text, values, err := w.update(ctx, tx, set, where, args)
	if err != nil {
		return err
	}
	return db.Later(ctx, tx, affected(check), text, values...)
}

func affected(check func(n int64) error) func(db.Result) error {
	if check == nil {
		return nil
	}
	return func(r db.Result) error { return check(r.Affected) }
}

// update is the statement of Update.
func (w *writer) update(
	ctx context.Context, q db.Querier, set Set, where string, args []any,
) (string, []any, error) {
	var text strings.Builder
	text.WriteString("UPDATE " + w.of.quoted + " SET ")
	values := make([]any, 0, len(set)+len(args))
	for _, f := range w.of.fields { // in the order of the row type, so that equal updates are equal statements
		v, ok := set[f.DBName]
		if !ok {
			continue
		}
		stored, err := given(ctx, f, v)
		if err != nil {
			return "", nil, fmt.Errorf("write %s.%s: %w", w.of.name, f.DBName, err)
		}
		if len(values) > 0 {
			text.WriteString(", ")
		}
		text.WriteString(quote(f.DBName) + " = ?")
		values = append(values, filed(q, f, stored))
	}
	if len(values) != len(set) {
		return "", nil, fmt.Errorf("update %s: of %v, some are no columns of %s", w.of.name, columnsOf(set), w.of.row)
	}
	if w.versioned {
		text.WriteString(", version = version + 1")
	}
	text.WriteString(" WHERE " + where)
	return text.String(), append(values, args...), nil
}

// Moved is Update for a single row: it reports whether the row matched the condition.
func (w *writer) Moved(ctx context.Context, q db.Querier, set Set, where string, args ...any) (bool, error) {
	n, err := w.Update(ctx, q, set, where, args...)
	return n > 0, err
}

func (w *writer) save(ctx context.Context, tx *db.Tx, row reflect.Value) error {
	set := make(Set, len(w.saved))
	for _, f := range w.saved {
		set[f.DBName], _ = f.ValueOf(ctx, row)
	}
	id, _ := w.of.keyField().ValueOf(ctx, row)
	_, err := w.Update(ctx, tx, set, w.of.key+" = ?", id)
	return err
}

// Remove soft-deletes live rows that match a condition and returns how many. set contains what else changes, such as
// update_time.
func (w *writer) Remove(ctx context.Context, q db.Querier, set Set, where string, args ...any) (int64, error) {
	text, values := w.remove(set, where, args)
	res, err := db.Exec(ctx, q, text, values...)
	if err != nil {
		return 0, fmt.Errorf("delete from %s: %w", w.of.name, err)
	}
	return res.Affected, nil
}

// RemoveLater is Remove, sent with the next statement of the transaction; check gets the number of removed rows. See
// db.Later.
func (w *writer) RemoveLater(
	ctx context.Context, tx *db.Tx, set Set, check func(n int64) error, where string, args ...any,
) error {
	text, values := w.remove(set, where, args)
	return db.Later(ctx, tx, affected(check), text, values...)
}

// remove is the statement of Remove.
func (w *writer) remove(set Set, where string, args []any) (string, []any) {
	text := "UPDATE " + w.of.quoted + " SET deleted = 1"
	values := make([]any, 0, len(set)+len(args))
	for _, column := range columnsOf(set) {
		text += ", " + quote(column) + " = ?"
		values = append(values, set[column])
	}
	if w.marked {
		text += ", del_mark = id"
	}
	if w.versioned {
		text += ", version = version + 1"
	}
	return text + " WHERE deleted = 0 AND " + where, append(values, args...)
}

// Delete deletes the rows that match a condition and returns how many.
func (w *writer) Delete(ctx context.Context, q db.Querier, where string, args ...any) (int64, error) {
	res, err := db.Exec(ctx, q, "DELETE FROM "+w.of.quoted+" WHERE "+where, args...)
	if err != nil {
		return 0, fmt.Errorf("delete from %s: %w", w.of.name, err)
	}
	return res.Affected, nil
}

// Hold locks a live row until the end of the transaction by incrementing its version: on another server of a cluster,
// writers do not see a locking read. It reports whether the row exists.
func (w *writer) Hold(ctx context.Context, tx *db.Tx, id int64) (bool, error) {
	res, err := db.Exec(ctx, tx, "UPDATE "+w.of.quoted+" SET version = version + 1 WHERE id = ? AND deleted = 0", id)
	if err != nil {
		return false, fmt.Errorf("hold %s %d: %w", w.of.name, id, err)
	}
	return res.Affected > 0, nil
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
