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

	"shop.internal/pkg/domain/internal/db"
)

// Declared is a table without its row type, for tests of all tables.
type Declared struct {
	// Name is the name of the table without quotes; Owner is the folder of the package that declares it.
	Name, Owner string
	// Row is the row type, Fields are its columns and Key is the column of the primary key.
	Row               reflect.Type
	Fields            []*schema.Field
	Key               string
	Versioned, Marked bool
	// Insert writes a row, Get reads it, and Set writes one column of it.
	Insert func(ctx context.Context, q db.Querier, row any) (int64, error)
	Get    func(ctx context.Context, q db.Querier, id int64) (any, error)
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

func declare[R any](t Table[R]) {
	d := Declared{
		Name: t.name, Owner: caller(), Row: reflect.TypeFor[R](), Fields: t.fields, Key: t.key,
		Versioned: t.versioned, Marked: t.marked,
		Insert: func(ctx context.Context, q db.Querier, row any) (int64, error) { return t.Insert(ctx, q, row.(R)) },
		Get: func(ctx context.Context, q db.Querier, id int64) (any, error) {
			row, found, err := t.Get(ctx, q, id)
			if err == nil && !found {
				err = fmt.Errorf("%s %d is not there", t.name, id)
			}
			return row, err
		},
		Set: func(ctx context.Context, q db.Querier, id int64, column string, v any) (int64, error) {
			return t.Update(ctx, q, Set{column: v}, t.key+" = ?", id)
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
