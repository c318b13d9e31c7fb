// Package patch makes partial updates: it sets the fields of a record that somebody names.
package patch

import (
	"fmt"
	"reflect"
)

// Apply sets each field of a record that a change names. A change is a struct of pointers; a field that is nil leaves
// the field of the same name as it is. Apply panics on a change with a field that the record does not have.
func Apply[T, C any](record *T, change C) {
	into, from := reflect.ValueOf(record).Elem(), reflect.ValueOf(change)
	for i := range from.NumField() {
		name, v := from.Type().Field(i).Name, from.Field(i)
		field := into.FieldByName(name)
		if !field.IsValid() || v.Kind() != reflect.Pointer || v.Type().Elem() != field.Type() {
			panic(fmt.Sprintf("%T changes %s, which %T does not have so", change, name, *record))
		}
		if !v.IsNil() {
			field.Set(v.Elem())
		}
	}
}
