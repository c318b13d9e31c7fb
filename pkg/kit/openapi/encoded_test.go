package openapi

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/wire"
)

type maker struct {
	Name string `json:"name"`
}

type page struct {
	Count int              `json:"count"`
	Maker struct{ *maker } `json:"maker"`
}

func TestAKeptAnswerIsDescribedByWhatItWasEncodedFrom(t *testing.T) {
	d := &document{schemas: object{}, names: map[string]string{}}
	require.Equal(t, d.schema(reflect.TypeFor[page]()), d.schema(reflect.TypeFor[wire.Raw[page]]()))
	described, ok := d.schemas["openapi.page"].(object)
	require.True(t, ok)
	require.Equal(t, []string{"count", "maker"}, described["required"])
	properties, ok := described["properties"].(object)
	require.True(t, ok)
	require.Equal(t, object{"type": "object", "properties": object{"name": object{"type": "string"}}}, properties["maker"],
		"an embedded pointer promises no member")
}
