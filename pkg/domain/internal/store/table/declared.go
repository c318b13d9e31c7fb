package table

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm/schema"

	"shop.internal/pkg/domain/internal/store/db"
)

// Declared is a table without its row type, for what is said of all tables.
type Declared struct {
	// Name is the name of the table without quotes; Owner is the folder of the package that declares it.
	Name, Owner string
	// Row is the row type, Fields are its columns and Key is the column of the primary key.
	Row               reflect.Type
	Fields            []*schema.Field
	Key               string
	Versioned, Marked bool
	// References are the columns that name rows of other tables.
	References []Reference
	// Insert writes a row, Get reads it and reports whether it is there, and Set writes one column of it.
	Insert func(ctx context.Context, q db.Querier, row any) (int64, error)
	Get    func(ctx context.Context, q db.Querier, id int64) (row any, found bool, err error)
	Set    func(ctx context.Context, q db.Querier, id int64, column string, v any) (int64, error)
}

var declared struct {
	sync.Mutex
	tables []Declared
}

// All returns the tables declared by the packages of the program, by name.
func All() []Declared {
	declared.Lock()
	defer declared.Unlock()
	byName := func(a, b Declared) int { return strings.Compare(a.Name, b.Name) }
	return slices.SortedFunc(slices.Values(declared.tables), byName)
}

func declare(w *writer) {
	r := w.of
	d := Declared{
		Name: r.name, Owner: caller(), Row: r.row, Fields: r.fields, Key: r.key,
		Versioned: w.versioned, Marked: w.marked, References: w.references,
		Insert: func(ctx context.Context, q db.Querier, row any) (int64, error) {
			return w.insert(ctx, q, reflect.ValueOf(row))
		},
		Get: func(ctx context.Context, q db.Querier, id int64) (any, bool, error) {
			rows := reflect.New(reflect.SliceOf(r.row))
			if err := r.scan(ctx, q, rows.Interface(), r.quoted+" r WHERE r."+r.key+" = ?", []any{id}); err != nil {
				return nil, false, err
			}
			if rows.Elem().Len() == 0 {
				return nil, false, nil
			}
			return rows.Elem().Index(0).Interface(), true, nil
		},
		Set: func(ctx context.Context, q db.Querier, id int64, column string, v any) (int64, error) {
			return w.Update(ctx, q, Set{column: v}, r.key+" = ?", id)
		},
	}
	declared.Lock()
	defer declared.Unlock()
	if i := slices.IndexFunc(declared.tables, func(o Declared) bool { return o.Name == d.Name }); i >= 0 {
		panic(fmt.Sprintf("table %s is declared by %s and by %s", d.Name, declared.tables[i].Owner, d.Owner))
	}
	declared.tables = append(declared.tables, d)
}

// caller returns the folder of the package that calls Of.
func caller() string {
	_, file, _, _ := runtime.Caller(3)
	folder := file[:strings.LastIndex(file, "/")]
	return folder[strings.LastIndex(folder, "/")+1:]
}
