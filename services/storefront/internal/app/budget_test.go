package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/storefront/internal/apitest"
)

// Every operation of the service sends the same statements about ten rows and about a thousand, whether anybody's or the
// caller's own. Nothing that the process keeps is fresh, and the token is looked at each time. The client holds each call
// to the operation's budget.
func TestBudget(t *testing.T) {
	ten, thousand := newMarket(t, 10).measured(), newMarket(t, 10).grown().measured()
	for _, spec := range apitest.Open(t).API.Specs {
		require.Contains(t, ten, spec.Key(), "an operation that is not measured")
	}
	require.Equal(t, ten, thousand)
}
