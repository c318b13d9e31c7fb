package app_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A change that requires a permission and is sent again with its Idempotency-Key gives the first answer and changes
// nothing. One that takes no keys can be repeated without them, with the same answer: it neither adds nor moves anything.
func TestEveryChangeCanBeRepeated(t *testing.T) {
	w := withCalledRows(t)
	rows := digest(w)
	for i, c := range calls(t) {
		as := w.Super().With("Idempotency-Key", fmt.Sprintf("again-%d", i))
		first := c.sent(as)
		if first.Spec.Access.Permission.Value == "" {
			continue
		}
		before := w.Shop.Text(rows)
		require.Equal(t, string(first.Body), string(c.sent(as).Body), c.path)
		if first.Spec.IdempotencyScope != "" {
			require.Equal(t, before, w.Shop.Text(rows), c.path)
		}
	}
}
