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

	"shop.internal/pkg/domain/internal/store/db"
)

// writer is what a Table knows of its row type to write it, without the type; see reader.
type writer struct {
	of       *reader
	inserted []*schema.Field
	saved    []*schema.Field
	// insertText begins the statement that inserts rows, valuesText is the place of the values of one.
	insertText, valuesText string
	versioned, marked      bool
	references             []Reference
}

func newWriter(r *reader, options []Option) *writer {
	w := &writer{of: r}
	w.marked = r.schema.LookUpField("del_mark") != nil
	w.versioned = r.schema.LookUpField("version") != nil
	for _, o := range options {
		o.declare(w)
	}
	one := clause.Values{Values: [][]any{nil}}
	for _, f := range r.fields {
		if f.Creatable && !f.AutoIncrement {
			w.inserted, one.Columns = append(w.inserted, f), append(one.Columns, clause.Column{Name: f.DBName})
		}
		if f.Updatable && !slices.Contains([]string{r.key, "add_time", "version"}, f.DBName) {
			w.saved = append(w.saved, f)
		}
	}
	one.Values[0] = make([]any, len(one.Columns))
	text, _ := db.Render(raw("INSERT "), clause.Insert{Table: clause.Table{Name: r.name}}, raw(" "), one)
	w.insertText, w.valuesText, _ = strings.Cut(text, " VALUES ")
	return w
}

// raw is a part of a statement that GORM takes as it is.
func raw(text string, args ...any) clause.Expr { return clause.Expr{SQL: text, Vars: args} }

// insert inserts a row and returns its generated id.
func (w *writer) insert(ctx context.Context, q db.Querier, row reflect.Value) (int64, error) {
	all := reflect.MakeSlice(reflect.SliceOf(row.Type()), 0, 1)
	res, err := w.insertAll(ctx, q, reflect.Append(all, row), "")
	return res.ID, err
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

// insertAll inserts rows, or updates those whose unique key exists already as update says. It returns the result of the
// last statement.
func (w *writer) insertAll(
	ctx context.Context, q db.Querier, rows reflect.Value, update string, more ...any,
) (res db.Result, err error) {
	if update != "" {
		update = " ON DUPLICATE KEY UPDATE " + update
	}
	for first := 0; first < rows.Len(); first += rowsPerStatement {
		part := rows.Slice(first, min(first+rowsPerStatement, rows.Len()))
		args := make([]any, 0, part.Len()*len(w.inserted)+len(more))
		for i := range part.Len() {
			if args, err = w.values(ctx, q, args, part.Index(i)); err != nil {
				return res, err
			}
		}
		text := w.insertText + " VALUES " + w.valuesText + strings.Repeat(","+w.valuesText, part.Len()-1) + update
		if res, err = db.Exec(ctx, q, text, append(args, more...)...); err != nil {
			return res, fmt.Errorf("insert %d rows into %s: %w", part.Len(), w.of.name, err)
		}
	}
	return res, nil
}

// values appends what the inserted columns of a row store.
func (w *writer) values(ctx context.Context, q db.Querier, args []any, row reflect.Value) ([]any, error) {
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
	var changes clause.Set
	for _, f := range w.of.fields { // in the order of the row type, so that equal updates are equal statements
		v, ok := set[f.DBName]
		if !ok {
			continue
		}
		stored, err := given(ctx, f, v)
		if err != nil {
			return 0, fmt.Errorf("write %s.%s: %w", w.of.name, f.DBName, err)
		}
		changes = append(changes, assign(f.DBName, filed(q, f, stored)))
	}
	if len(changes) != len(set) {
		return 0, fmt.Errorf("update %s: of %v, some are no columns of %s", w.of.name, columnsOf(set), w.of.row)
	}
	return w.change(ctx, q, changes, where, args)
}

// change updates the rows that match a condition, and their versions.
func (w *writer) change(
	ctx context.Context, q db.Querier, changes clause.Set, where string, args []any,
) (int64, error) {
	if w.versioned {
		changes = append(changes, assign("version", raw("version + 1")))
	}
	text, values := db.Render(raw("UPDATE "+w.of.quoted+" SET "), changes, raw(" WHERE "+where, args...))
	res, err := db.Exec(ctx, q, text, values...)
	if err != nil {
		return 0, fmt.Errorf("update %s: %w", w.of.name, err)
	}
	return res.Affected, nil
}

func assign(column string, v any) clause.Assignment {
	return clause.Assignment{Column: clause.Column{Name: column}, Value: v}
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
	changes := clause.Set{assign("deleted", true)}
	for _, column := range columnsOf(set) {
		changes = append(changes, assign(column, set[column]))
	}
	if w.marked {
		changes = append(changes, assign("del_mark", raw("id")))
	}
	return w.change(ctx, q, changes, "deleted = 0 AND "+where, args)
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
	n, err := w.change(ctx, tx, nil, "id = ? AND deleted = 0", []any{id})
	return n > 0, err
}

// Case returns an expression that gives each row its own value, by its id. ids and values are pairs.
func Case[T any](ids []int64, values []T) clause.Expr {
	args := make([]any, 0, 2*len(ids))
	for i, id := range ids {
		args = append(args, id, values[i])
	}
	return clause.Expr{SQL: "CASE id" + strings.Repeat(" WHEN ? THEN ?", len(ids)) + " END", Vars: args}
}

func columnsOf(set Set) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
