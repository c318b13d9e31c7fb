package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/golden"
	"shop.internal/services/storefront/internal/apitest"
)

// Every operation of the service sends the same statements about ten rows and about a thousand, whether anybody's or the
// caller's own. Nothing that the process keeps is fresh, and the token is looked at each time. The golden file has the
// number of each operation, with what tells the way of the call in brackets where there are several: one statement more is a
// difference, also where it is still within the operation's budget.
func TestBudget(t *testing.T) {
	ten, thousand := newMarket(t, 10).measured(), newMarket(t, 10).grown().measured()
	for _, spec := range apitest.Open(t).API.Specs {
		require.Contains(t, ten, spec.Key(), "an operation that is not measured")
	}
	require.Equal(t, ten, thousand)
	golden.Value(t, "statements", ten)
}
