package patch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/patch"
)

type inner struct{ Name string }

type record struct {
	inner

	Names []string
	N     int
}

func TestApply(t *testing.T) {
	type change struct {
		Name  *string
		Names *[]string
		N     *int
	}
	r := record{inner{"cup"}, []string{"a"}, 3}
	patch.Apply(&r, change{})
	require.Equal(t, record{inner{"cup"}, []string{"a"}, 3}, r)
	patch.Apply(&r, change{Name: new("pot"), N: new(0)})
	require.Equal(t, record{inner{"pot"}, []string{"a"}, 0}, r)
	patch.Apply(&r, change{Names: new([]string)})
	require.Equal(t, record{inner{"pot"}, nil, 0}, r)

	patch.Apply(&r, struct {
		inner

		N *int
	}{inner{"left alone"}, new(7)})
	require.Equal(t, record{inner{"pot"}, nil, 7}, r)

	require.Panics(t, func() { patch.Apply(&r, struct{ Size *int }{}) }, "a field that the record does not have")
	require.Panics(t, func() { patch.Apply(&r, struct{ N *string }{}) }, "a field of another type")
	require.Panics(t, func() { patch.Apply(&r, struct{ N int }{}) }, "no pointer")
}
