package optest

import (
	"testing"

	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/op"
)

// Labelled fails where a member of a request has no label in the catalogue of texts: a refusal would call it by its
// JSON name.
func Labelled(t testing.TB, specs []op.Spec) {
	t.Helper()
	for _, s := range specs {
		if part := s.FilePart(); part != "" && !text.Labelled(part) {
			t.Errorf("%s: the part %q has no label in pkg/domain/platform/text", s.Key(), part)
		}
		labelled(t, s.Key(), s.Fields())
	}
}

func labelled(t testing.TB, key string, fields []op.Field) {
	t.Helper()
	for _, f := range fields {
		if !text.Labelled(f.Name) {
			t.Errorf("%s: the member %q has no label in pkg/domain/platform/text", key, f.Name)
		}
		labelled(t, key, f.Members)
		if f.Item != nil {
			labelled(t, key, f.Item.Members)
		}
	}
}
