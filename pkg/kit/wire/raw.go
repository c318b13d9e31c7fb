package wire

import (
	"reflect"

	"shop.internal/pkg/kit/envelope"
)

// Raw is an answer that was encoded earlier and is sent as it stands. T is the type that it was encoded from, for the
// API document.
type Raw[T any] struct {
	json []byte
	body *envelope.Body
}

// RawJSON returns the answer of JSON that is sent once.
func RawJSON[T any](json []byte) Raw[T] { return Raw[T]{json: json} }

// RawBody returns the answer of a body that is sent to many.
func RawBody[T any](b *envelope.Body) Raw[T] { return Raw[T]{json: b.Data(), body: b} }

// Encoded returns the JSON.
func (k Raw[T]) Encoded() []byte { return k.json }

// Body returns the body of an answer that is sent to many, nil for any other.
func (k Raw[T]) Body() *envelope.Body { return k.body }

// MarshalJSON returns the JSON.
func (k Raw[T]) MarshalJSON() ([]byte, error) { return k.json, nil }

// Of returns T.
func (Raw[T]) Of() reflect.Type { return reflect.TypeFor[T]() }
