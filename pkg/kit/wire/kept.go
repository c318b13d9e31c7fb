package wire

import "reflect"

// Kept is an answer that was encoded earlier and is sent as it stands. T is the type that it was encoded from, for the
// API document.
type Kept[T any] []byte

// Encoded returns the JSON.
func (k Kept[T]) Encoded() []byte { return k }

// MarshalJSON returns the JSON.
func (k Kept[T]) MarshalJSON() ([]byte, error) { return k, nil }

// Of returns T.
func (Kept[T]) Of() reflect.Type { return reflect.TypeFor[T]() }
