package contract

import (
	"testing"

	"shop.internal/pkg/domain/platform/text"
)

func TestField(t *testing.T) {
	for member, want := range map[string]*text.Field{
		"sortOrder": text.FieldSortOrder, "name": text.FieldName, "order": text.FieldSortDirection, "colour": nil,
	} {
		if got := Field(member); got != want {
			t.Errorf("%s means %v, want %v", member, got, want)
		}
	}
	for member, f := range fields {
		if sameName(member) == f {
			t.Errorf("%s needs no line: it has the name of its field", member)
		}
	}
}
