package table

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"gorm.io/gorm/schema"

	"shop.internal/pkg/domain/internal/store/db"
)

// Reader reads rows of a table as values of one type: all columns, or those that the type has. It also has the methods
// of reader.
type Reader[R any] struct{ *reader }

// reader is what a Reader knows of its row type. What can be said without the type is a method of reader, because the
// compiler makes a copy of a generic method for each of the row types.
type reader struct {
	name, quoted, key string
	columns           string
	row               reflect.Type
	fields            []*schema.Field
	schema            *schema.Schema
}

// Part returns a reader of some columns of a table, for lists that do not need wide rows. It panics if P has a column
// that the table lacks.
func Part[P, R any](t Table[R]) Reader[P] {
	r := newReader(t.name, reflect.TypeFor[P]())
	for _, f := range r.fields {
		if t.schema.LookUpField(f.DBName) == nil {
			panic(fmt.Sprintf("table %s has no column %s, which %s reads", t.name, f.DBName, r.row))
		}
	}
	return Reader[P]{r}
}

func newReader(name string, row reflect.Type) *reader {
	s := parse(row)
	r := &reader{name: name, quoted: quote(name), row: row, schema: s}
	if s.PrioritizedPrimaryField != nil {
		r.key = s.PrioritizedPrimaryField.DBName
	}
	for _, f := range s.Fields {
		if f.DBName != "" && f.Tag.Get("table") != "joined" {
			r.fields = append(r.fields, f)
		}
	}
	r.columns = r.Columns("r")
	return r
}

// Name is the quoted name of the table.
func (r *reader) Name() string { return r.quoted }

// Columns returns a select list for statements that read other columns too; the table has the alias in it.
func (r *reader) Columns(alias string) string {
	var names []string
	for _, f := range r.fields {
		if f.Readable {
			names = append(names, alias+"."+quote(f.DBName))
		}
	}
	return strings.Join(names, ", ")
}

// ColumnsAs is Columns with a prefix before the name of each, for statements that read tables with equal names. The
// struct that is read into has a field with the tag `gorm:"embedded;embeddedPrefix:..."`.
func (r *reader) ColumnsAs(alias, prefix string) string {
	var names []string
	for _, f := range r.fields {
		if f.Readable {
			names = append(names, alias+"."+quote(f.DBName)+" AS "+prefix+f.DBName)
		}
	}
	return strings.Join(names, ", ")
}

// From reads rows; from follows FROM and gives the table the alias r.
func (r Reader[R]) From(ctx context.Context, q db.Querier, from string, args ...any) ([]R, error) {
	rows := []R{}
	if err := r.scan(ctx, q, &rows, from, args); err != nil {
		return nil, err
	}
	return rows, nil
}

func (r *reader) scan(ctx context.Context, q db.Querier, rows any, from string, args []any) error {
	if err := scanAll(ctx, q, r.schema, rows, "SELECT "+r.columns+" FROM "+from, args); err != nil {
		return fmt.Errorf("read %s: %w", r.name, err)
	}
	return nil
}

// Find reads the rows that match a condition; the table has the alias r. ORDER BY, LIMIT and FOR UPDATE may follow.
func (r Reader[R]) Find(ctx context.Context, q db.Querier, where string, args ...any) ([]R, error) {
	return r.From(ctx, q, r.quoted+" r WHERE "+where, args...)
}

// One reads the first row that matches a condition, and reports whether there is one.
func (r Reader[R]) One(ctx context.Context, q db.Querier, where string, args ...any) (R, bool, error) {
	rows, err := r.Find(ctx, q, where, args...)
	if err != nil || len(rows) == 0 {
		return *new(R), false, err
	}
	return rows[0], true, nil
}

// OneLater is One, read with what else is queued; the function returns what was read. Until then, it returns no row.
func (r Reader[R]) OneLater(ctx context.Context, q db.Queue, where string, args ...any) (func() (R, bool), error) {
	get, err := r.FindLater(ctx, q, where, args...)
	return func() (R, bool) {
		rows := get()
		if len(rows) == 0 {
			return *new(R), false
		}
		return rows[0], true
	}, err
}

// FindLater is Find, read with what else is queued; the function returns what was read. Until then, it returns no rows.
func (r Reader[R]) FindLater(ctx context.Context, q db.Queue, where string, args ...any) (func() []R, error) {
	rows := []R{}
	err := scanLater(ctx, q, r.schema, &rows, "SELECT "+r.columns+" FROM "+r.quoted+" r WHERE "+where, args)
	return func() []R { return rows }, err
}

// Get reads the row of an id, deleted or not.
func (r Reader[R]) Get(ctx context.Context, q db.Querier, id int64) (R, bool, error) {
	return r.One(ctx, q, "r."+r.key+" = ?", id)
}

// Lock is Get with a lock until the end of the transaction.
func (r Reader[R]) Lock(ctx context.Context, tx *db.Tx, id int64) (R, bool, error) {
	return r.One(ctx, tx, "r."+r.key+" = ? FOR UPDATE", id)
}

// Live reads the row of an id unless it is deleted.
func (r Reader[R]) Live(ctx context.Context, q db.Querier, id int64) (R, bool, error) {
	return r.One(ctx, q, "r."+r.key+" = ? AND r.deleted = 0", id)
}

// LockLive is Live with a lock until the end of the transaction.
func (r Reader[R]) LockLive(ctx context.Context, tx *db.Tx, id int64) (R, bool, error) {
	return r.One(ctx, tx, "r."+r.key+" = ? AND r.deleted = 0 FOR UPDATE", id)
}

// All reads rows by ids, deleted or not, in any order. Without ids it runs no statement.
func (r Reader[R]) All(ctx context.Context, q db.Querier, ids []int64) ([]R, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return r.Find(ctx, q, "r."+r.key+" IN ?", ids)
}

// LockAll is All with locks, in ascending order of ids.
func (r Reader[R]) LockAll(ctx context.Context, tx *db.Tx, ids []int64) ([]R, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return r.Find(ctx, tx, "r."+r.key+" IN ? ORDER BY r."+r.key+" FOR UPDATE", ids)
}

// IDs reads the keys of the rows that match a condition; the table has the alias r. ORDER BY and LIMIT may follow.
func (r *reader) IDs(ctx context.Context, q db.Querier, where string, args ...any) ([]int64, error) {
	ids, err := Select[int64](ctx, q, "SELECT r."+r.key+" FROM "+r.quoted+" r WHERE "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read ids of %s: %w", r.name, err)
	}
	return ids, nil
}

// Exists reports whether a row matches a condition; the table has the alias r.
func (r *reader) Exists(ctx context.Context, q db.Querier, where string, args ...any) (bool, error) {
	found, err := Select[int](ctx, q, "SELECT 1 FROM "+r.quoted+" r WHERE "+where+" LIMIT 1", args...)
	if err != nil {
		return false, fmt.Errorf("look into %s: %w", r.name, err)
	}
	return len(found) > 0, nil
}

// Count counts the rows that match a condition; the table has the alias r.
func (r *reader) Count(ctx context.Context, q db.Querier, where string, args ...any) (int64, error) {
	n, err := Select[int64](ctx, q, "SELECT COUNT(*) FROM "+r.quoted+" r WHERE "+where, args...)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", r.name, err)
	}
	return n[0], nil // COUNT always answers
}

func (r *reader) keyField() *schema.Field { return r.schema.LookUpField(r.key) }

// reserved are our names of tables and columns that are SQL keywords.
var reserved = map[string]bool{"comment": true, "desc": true, "key": true, "value": true, "type": true}

func quote(name string) string {
	if reserved[name] {
		return "`" + name + "`"
	}
	return name
}
