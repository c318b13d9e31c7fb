package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/golden"
	"shop.internal/services/storefront/internal/apitest"
)

// Every operation of the service sends the same statements with ten rows and with a thousand, of anybody or of the
// caller. No cache is fresh, and the token is checked each time. The golden file has the number of each operation, with
// the variant of the call in brackets if there are several: one more statement is a difference, even within the
// operation's budget.
func TestBudget(t *testing.T) {
	t.Parallel()
	ten, thousand := newFilledShop(t, 10).measured(), newFilledShop(t, 10).grown().measured()
	for _, spec := range apitest.Open(t).API.Specs {
		require.Contains(t, ten, spec.Key(), "an operation that is not measured")
	}
	require.Equal(t, ten, thousand)
	golden.Value(t, "statements", ten)
}
