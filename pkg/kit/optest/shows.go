package optest

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"
)

// Shows fails for a field of a record that its view leaves out: emptying it changes nothing of the JSON. hidden are the
// fields that are left out on purpose; it fails for one of them that the view shows, or that does not exist. A field of
// a struct within the record is called Outer.Inner.
func Shows[R any](t testing.TB, view func(R) any, hidden ...string) {
	t.Helper()
	whole := jsonOf(t, view(filled[R](t)))
	var left []string
	for _, f := range membersOf(reflect.TypeFor[R](), "", nil) {
		r := filled[R](t)
		reflect.ValueOf(&r).Elem().FieldByIndex(f.index).SetZero()
		if jsonOf(t, view(r)) == whole {
			left = append(left, f.name)
		}
	}
	for _, name := range left {
		if !slices.Contains(hidden, name) {
			t.Errorf("no view shows %s of %T", name, *new(R))
		}
	}
	for _, name := range hidden {
		if !slices.Contains(left, name) {
			t.Errorf("%s of %T is shown, or there is no such field", name, *new(R))
		}
	}
}

func jsonOf(t testing.TB, view any) string {
	t.Helper()
	b, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// member is an exported field of a record that is no struct of further fields.
type member struct {
	name  string
	index []int
}

func membersOf(t reflect.Type, within string, index []int) []member {
	var list []member
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)
		nested := f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[time.Time]()
		switch {
		case nested && f.Anonymous:
			list = append(list, membersOf(f.Type, within, at)...)
		case !f.IsExported():
		case nested:
			list = append(list, membersOf(f.Type, within+f.Name+".", at)...)
		default:
			list = append(list, member{within + f.Name, at})
		}
	}
	return list
}

// filled is a record without an empty field.
func filled[R any](t testing.TB) (r R) {
	t.Helper()
	for _, f := range membersOf(reflect.TypeFor[R](), "", nil) {
		fill(t, reflect.ValueOf(&r).Elem().FieldByIndex(f.index))
	}
	return r
}

func fill(t testing.TB, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(100)
	case reflect.String:
		v.SetString("/x")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)))
	default:
		t.Fatalf("no value for a field of type %s", v.Type())
	}
}
