package app_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	_ "shop.internal/pkg/domain/app" // declares the tables of all areas
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
)

// Each column of the database has a field in the row type of its table, and each field is inserted, updated, emptied
// and read.
func TestEveryColumnOfEveryTable(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	for _, tab := range table.All() {
		t.Run(tab.Name, func(t *testing.T) {
			holdsEveryColumn(t, d, tab)
			want := rowOf(t, tab, 1)
			id, err := tab.Insert(t.Context(), d, want.Interface())
			require.NoError(t, err)
			if tab.Key != "id" {
				return // such tables are written by hand-written statements
			}
			set(t, tab, want, "id", id)
			same(t, d, tab, id, want)
			for _, f := range tab.Fields {
				if f.DBName == "id" || f.DBName == "version" || !f.Updatable {
					continue
				}
				values := []any{value(t, tab, rowOf(t, tab, 2), f.DBName)}
				if f.FieldType != reflect.TypeFor[time.Time]() || f.Tag.Get("table") == "null" { // a time is never empty
					values = append(values, empty(f.FieldType))
				}
				for _, v := range values {
					n, err := tab.Set(t.Context(), d, id, f.DBName, v)
					require.NoError(t, err, "write %v into %s", v, f.DBName)
					if tab.Versioned {
						require.EqualValues(t, 1, n)
					}
					set(t, tab, want, f.DBName, v)
					if v, ok := value(t, tab, want, "version").(int); ok {
						set(t, tab, want, "version", v+1)
					}
					same(t, d, tab, id, want)
				}
			}
		})
	}
}

// holdsEveryColumn compares the columns of a row type with those of the database. A row type may omit unused columns,
// and those declared by options.
func holdsEveryColumn(t *testing.T, d *db.DB, tab table.Declared) {
	t.Helper()
	var have []struct{ Name, Extra string }
	require.NoError(t, table.Scan(t.Context(), d, &have, `SELECT column_name AS name, extra FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = ?`, tab.Name))
	require.NotEmpty(t, have, "there is no such table")
	columns := map[string]bool{}
	for _, c := range have {
		columns[c.Name] = true
		known := c.Name == "deleted" || c.Name == "version" || c.Name == "del_mark" || strings.Contains(c.Extra, "GENERATED")
		require.True(t, known || fieldOf(tab, c.Name) != nil, "no field for the column %s", c.Name)
	}
	for _, f := range tab.Fields {
		require.True(t, columns[f.DBName], "no column for the field %s", f.Name)
	}
	require.Equal(t, columns["version"], tab.Versioned, "table.Versioned")
	require.Equal(t, columns["del_mark"], tab.Marked, "table.Marked")
}

// undeclared are the tables that no area reads or writes, with the reason.
var undeclared = map[string]string{
	"goose_lock":       "replicas take it while they migrate",
	"schema_migration": "the migrations that have been applied",
	"replica_beat":     "the pool counts here to see how far a read replica has come",
	"import_run":       "the take-over of another shop's database keeps its runs here",
	"import_archive":   "the take-over of another shop's database keeps here what has no place of its own",
}

// Every table of the database is declared by one area.
func TestEveryTableIsDeclared(t *testing.T) {
	t.Parallel()
	var have, want []string
	require.NoError(t, table.Scan(t.Context(), dbtest.Open(t), &have, `SELECT table_name
		FROM information_schema.tables
		WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`))
	for _, tab := range table.All() {
		want = append(want, tab.Name)
	}
	require.ElementsMatch(t, have, slices.AppendSeq(want, maps.Keys(undeclared)))
}

// Every column that by its name is an id says which row it names, so that verifying the books looks for that row.
func TestEveryReferenceIsDeclared(t *testing.T) {
	t.Parallel()
	keys := map[string]string{}
	for _, tab := range table.All() {
		keys[tab.Name] = tab.Key
	}
	for _, tab := range table.All() {
		declared := map[string]bool{}
		for _, r := range tab.References {
			require.NotNil(t, fieldOf(tab, r.Column), "%s.%s is declared to refer to %s", tab.Name, r.Column, r.Table)
			require.NotEqual(t, r.Table == "", r.Why == "", "%s.%s names a row, or says why not", tab.Name, r.Column)
			if r.Table != "" {
				require.Equal(t, "id", keys[r.Table], "%s.%s refers to %s", tab.Name, r.Column, r.Table)
			}
			declared[r.Column] = true
		}
		for _, f := range tab.Fields {
			if strings.HasSuffix(f.DBName, "_id") || f.DBName == "pid" {
				require.True(t, declared[f.DBName], "nothing says what %s.%s refers to: see table.Refers", tab.Name, f.DBName)
			}
		}
	}
}

// empty is the empty value of a type; a list is stored as one.
func empty(t reflect.Type) any {
	if t.Kind() == reflect.Slice {
		return reflect.MakeSlice(t, 0, 0).Interface()
	}
	return reflect.Zero(t).Interface()
}

func fieldOf(tab table.Declared, column string) *schema.Field {
	for _, f := range tab.Fields {
		if f.DBName == column {
			return f
		}
	}
	return nil
}

func value(t *testing.T, tab table.Declared, row reflect.Value, column string) any {
	t.Helper()
	f := fieldOf(tab, column)
	if f == nil {
		return nil
	}
	return f.ReflectValueOf(t.Context(), row).Interface()
}

func set(t *testing.T, tab table.Declared, row reflect.Value, column string, v any) {
	t.Helper()
	f := fieldOf(tab, column).ReflectValueOf(t.Context(), row)
	f.Set(reflect.ValueOf(v).Convert(f.Type()))
}

// same reads a row again and compares it, column by column.
func same(t *testing.T, d *db.DB, tab table.Declared, id int64, want reflect.Value) {
	t.Helper()
	got, found, err := tab.Get(context.WithoutCancel(t.Context()), d, id)
	require.NoError(t, err)
	require.True(t, found)
	row := reflect.New(tab.Row).Elem()
	row.Set(reflect.ValueOf(got))
	for _, f := range tab.Fields {
		should, is := value(t, tab, want, f.DBName), value(t, tab, row, f.DBName)
		if v := reflect.ValueOf(should); v.Kind() == reflect.Slice && v.Len() == 0 { // nil is stored as an empty list
			require.Empty(t, is, f.DBName)
			continue
		}
		require.Equal(t, should, is, f.DBName)
	}
}

// rowOf returns the n-th row with a different value in every column.
func rowOf(t *testing.T, tab table.Declared, n int) reflect.Value {
	t.Helper()
	row := reflect.New(tab.Row).Elem()
	for i, f := range tab.Fields {
		if f.AutoIncrement {
			continue
		}
		v := f.ReflectValueOf(t.Context(), row)
		if fill(t, v, n, i); f.DataType == "date" {
			v.Set(reflect.ValueOf(v.Interface().(time.Time).Truncate(24 * time.Hour)))
		}
	}
	return row
}

// fill sets a value that differs by n and from adjacent columns.
func fill(t *testing.T, v reflect.Value, n, column int) {
	t.Helper()
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Date(2030, 1, n, 0, column, 0, 0, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(string(rune('a'+column%26)) + string(rune('0'+n)))
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(int64(n*30 + column))
	case reflect.Bool:
		v.SetBool(n == 1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), n, column)
	case reflect.Uint8:
		v.SetUint(uint64(n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n, column)
	default:
		t.Fatalf("the test knows no value of the type %s", v.Type())
	}
}
