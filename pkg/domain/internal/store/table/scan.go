package table

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"time"

	"gorm.io/gorm/schema"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/hosted"
)

// Select reads rows of any statement: as values of a struct type, by the names of the columns, or of any other type,
// which is that of the only column.
func Select[R any](ctx context.Context, q db.Querier, text string, args ...any) ([]R, error) {
	rows := []R{}
	err := scanAll(ctx, q, mapped(reflect.TypeFor[R]()), &rows, text, args)
	return rows, err
}

// SelectLater is Select, read with what else is queued; the function returns what was read. Until then, it returns no
// rows.
func SelectLater[R any](ctx context.Context, q db.Queue, text string, args ...any) (func() []R, error) {
	rows := []R{}
	err := scanLater(ctx, q, mapped(reflect.TypeFor[R]()), &rows, text, args)
	return func() []R { return rows }, err
}

// Scan is Select into what a pointer leads to: a slice takes all rows; anything else takes the first one, and stays as
// it is if there is none.
func Scan(ctx context.Context, q db.Querier, into any, text string, args ...any) error {
	to := reflect.ValueOf(into).Elem()
	if to.Kind() == reflect.Slice && to.Type().Elem().Kind() != reflect.Uint8 {
		to.SetLen(0)
		return scanAll(ctx, q, mapped(to.Type().Elem()), into, text, args)
	}
	rows := reflect.New(reflect.SliceOf(to.Type()))
	if err := scanAll(ctx, q, mapped(to.Type()), rows.Interface(), text, args); err != nil {
		return err
	}
	if rows.Elem().Len() > 0 {
		to.Set(rows.Elem().Index(0))
	}
	return nil
}

// schemas are the mappings of the types that Select reads.
var schemas sync.Map

// mapped returns the mapping of a row type, nil for the type of an only column.
func mapped(row reflect.Type) *schema.Schema {
	if row.Kind() != reflect.Struct || row == reflect.TypeFor[time.Time]() || reflect.PointerTo(row).Implements(scanner) {
		return nil
	}
	if s, ok := schemas.Load(row); ok {
		return s.(*schema.Schema) // nothing else is stored
	}
	s := parse(row)
	schemas.Store(row, s)
	return s
}

var scanner = reflect.TypeFor[sql.Scanner]()

// parse maps a row type. It panics for a type that GORM cannot map.
func parse(row reflect.Type) *schema.Schema {
	s, err := schema.Parse(reflect.New(row).Interface(), &sync.Map{}, schema.NamingStrategy{IdentifierMaxLength: 64})
	if err != nil {
		panic(fmt.Sprintf("map %s: %v", row, err))
	}
	return s
}

// scanAll appends the rows of a query to a slice of structs that into points to. Columns without a field are ignored.
func scanAll(ctx context.Context, q db.Querier, s *schema.Schema, into any, text string, args []any) error {
	found, err := db.Query(ctx, q, text, args...)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }() // Err reports its failures
	return scanRows(ctx, q.Files(), found, s, into)
}

// scanLater is scanAll, with what else is queued.
func scanLater(ctx context.Context, q db.Queue, s *schema.Schema, into any, text string, args []any) error {
	return db.QueryLater(ctx, q, func(found *sql.Rows) error {
		reflect.ValueOf(into).Elem().SetLen(0) // of an attempt that failed midway
		if err := scanRows(ctx, q.Files(), found, s, into); err != nil {
			return fmt.Errorf("read %T: %w", into, err)
		}
		return nil
	}, text, args...)
}

// scanRows is scanAll for the current result set.
func scanRows(ctx context.Context, files *hosted.Bases, found *sql.Rows, s *schema.Schema, into any) error {
	all := reflect.ValueOf(into).Elem()
	if s == nil {
		for found.Next() {
			if err := found.Scan(grow(all).Addr().Interface()); err != nil {
				return err
			}
		}
		return found.Err()
	}
	names, err := found.Columns()
	if err != nil {
		return err
	}
	cells, cell := make([]any, len(names)), make([]column, len(names))
	for i, name := range names {
		cell[i] = column{ctx: ctx, field: s.LookUpField(name)}
		if cell[i].field != nil {
			cell[i].shown = convert(cell[i].field, shown(files))
		}
		cells[i] = &cell[i]
	}
	for found.Next() {
		row := grow(all)
		for i := range cell {
			cell[i].row = row
		}
		if err := found.Scan(cells...); err != nil {
			return err
		}
	}
	return found.Err()
}

// grow appends a zero value to a slice and returns it.
func grow(all reflect.Value) reflect.Value {
	n := all.Len()
	all.Grow(1)
	all.SetLen(n + 1)
	all.Index(n).SetZero()
	return all.Index(n)
}

// column passes the values of a column to a field of the current row.
type column struct {
	ctx   context.Context
	row   reflect.Value
	field *schema.Field
	// shown converts addresses, nil in other columns.
	shown func(string) string
}

// Scan assigns what the driver has read. The bytes of a value belong to the driver.
func (c *column) Scan(v any) error {
	f := c.field
	switch {
	case f == nil:
		return nil
	case f.Serializer != nil:
		if err := f.Serializer.Scan(c.ctx, f, c.row, v); err != nil || c.shown == nil {
			return err
		}
		each(f.ReflectValueOf(c.ctx, c.row), c.shown)
		return nil
	}
	to := f.ReflectValueOf(c.ctx, c.row)
	if v == nil {
		to.SetZero()
		return nil
	}
	done, err := set(to, v)
	if done && c.shown != nil {
		each(to, c.shown)
	}
	if done || err != nil {
		return err
	}
	if b, ok := v.([]byte); ok {
		v = bytes.Clone(b)
	}
	return f.Set(c.ctx, c.row, v)
}

// set handles the types of most columns; it reports false for any other.
func set(to reflect.Value, v any) (bool, error) {
	if to.Kind() == reflect.Pointer {
		one := reflect.New(to.Type().Elem())
		done, err := set(one.Elem(), v)
		if done {
			to.Set(one)
		}
		return done, err
	}
	switch p := to.Addr().Interface().(type) {
	case *string:
		switch v := v.(type) {
		case []byte:
			*p = string(v)
		case string:
			*p = v
		case time.Time:
			*p = v.Format(time.RFC3339Nano)
		default:
			*p = fmt.Sprint(v) // a number
		}
		return true, nil
	case *time.Time:
		t, ok := v.(time.Time)
		*p = t
		return ok, nil
	case sql.Scanner:
		return true, p.Scan(v)
	}
	n, ok := v.(int64)
	if text, isText := v.([]byte); isText && (to.CanInt() || to.CanUint()) {
		var err error
		if n, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return false, nil // GORM knows more formats
		}
		ok = true
	}
	switch {
	case !ok:
		return false, nil
	case to.CanInt() && !to.OverflowInt(n):
		to.SetInt(n)
	case to.Kind() == reflect.Bool:
		to.SetBool(n != 0)
	default:
		return false, nil
	}
	return true, nil
}
