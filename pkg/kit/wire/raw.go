package wire

import (
	"reflect"

	"shop.internal/pkg/kit/envelope"
)

// Raw is a pre-encoded answer. T is the type that it was encoded from, for the API document.
type Raw[T any] struct {
	json []byte
	body *envelope.Body
}

// RawJSON returns an answer of JSON that is sent once.
func RawJSON[T any](json []byte) Raw[T] { return Raw[T]{json: json} }

// RawBody returns an answer of a cached body.
func RawBody[T any](b *envelope.Body) Raw[T] { return Raw[T]{json: b.Data(), body: b} }

// Encoded returns the JSON.
func (k Raw[T]) Encoded() []byte { return k.json }

// Body returns the cached body of an answer, nil for any other.
func (k Raw[T]) Body() *envelope.Body { return k.body }

// MarshalJSON returns the JSON.
func (k Raw[T]) MarshalJSON() ([]byte, error) { return k.json, nil }

// Of returns T.
func (Raw[T]) Of() reflect.Type { return reflect.TypeFor[T]() }
