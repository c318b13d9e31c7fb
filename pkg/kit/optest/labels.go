package optest

import (
	"testing"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/op"
)

// Labelled fails for a member of a request without a label: a refusal would show its JSON name. label is the Label of
// the service's hooks.
func Labelled(t testing.TB, specs []op.Spec, label func(member string) *text.Field) {
	t.Helper()
	for _, s := range specs {
		if part := s.FilePart(); part != "" && label(part) == nil {
			t.Errorf("%s: the part %q has no label", s.Key(), part)
		}
		labelled(t, s.Key(), s.Fields(), label)
	}
}

func labelled(t testing.TB, key string, fields []op.Field, label func(member string) *text.Field) {
	t.Helper()
	for _, f := range fields {
		if label(f.Label) == nil {
			t.Errorf("%s: the member %q has no label %q", key, f.Name, f.Label)
		}
		labelled(t, key, f.Members, label)
		if f.Item != nil {
			labelled(t, key, f.Item.Members, label)
		}
	}
}
