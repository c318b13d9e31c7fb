package op

import (
	"errors"
	"reflect"
)

// An object is a member of a body that has members of its own, declared by a struct. They are read by the same rules;
// those that are missing are told when the object is read. In a query, and within a list, there are no objects.

// sub plans the members of an object.
func (f *field) sub() { f.kind, f.members = object, planOf(f.typ) }

// soundObject finds rules that an object cannot keep.
func (f *field) soundObject() error {
	if f.fallback != "" || f.min != nil || f.max != nil || f.nullZero || f.onOff || f.round {
		return errWrongKind
	}
	return nil
}

var errObjects = errors.New("a list of objects is not read")

func (f *field) setObject(into reflect.Value, v value, in *input) error {
	if v.json == nil || v.json[0] != '{' {
		return f.invalid()
	}
	return f.members.bind(into, &input{given: f.members.parts(v.json), boolAsText: in.boolAsText})
}
