// Package patch applies partial updates: it sets only the fields of a record that a change contains.
package patch

import (
	"fmt"
	"reflect"
)

// Apply sets the fields of a record that a change contains. A change is a struct of pointers; a nil field leaves the
// record's field of the same name unchanged. Embedded structs, such as the id of the record, are left to the caller.
// Apply panics if the record lacks a field of the change.
func Apply[T, C any](record *T, change C) {
	into, from := reflect.ValueOf(record).Elem(), reflect.ValueOf(change)
	for i := range from.NumField() {
		member, v := from.Type().Field(i), from.Field(i)
		if member.Anonymous {
			continue
		}
		field := into.FieldByName(member.Name)
		if !field.IsValid() || v.Kind() != reflect.Pointer || v.Type().Elem() != field.Type() {
			panic(fmt.Sprintf("%T changes %s, which %T does not have so", change, member.Name, *record))
		}
		if !v.IsNil() {
			field.Set(v.Elem())
		}
	}
}
