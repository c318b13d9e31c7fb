package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
)

// What a purchase would cost is read in one round trip: the cart, the group-buy rule, the coupons and the address.
func TestQuoteInOneRoundTrip(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	to := s.Address(lin)
	tea := s.Product("tea", 4550, 100)
	row, err := s.Cart.Set(t.Context(), lin, tea)
	require.NoError(t, err)
	_, held := s.Coupon(lin, 500, 1000)
	_, _ = s.Coupon(lin, 900, 9000) // its minimum is not reached
	quote := func(c order.Choice) (q order.Quote) {
		q, err := s.Orders.Quote(t.Context(), lin, c)
		require.NoError(t, err)
		return q
	}
	for _, c := range []order.Choice{{}, {Cart: row, Address: to}, {Cart: row, Address: to + 99}} {
		quote(c) // reads the settings too
		var q order.Quote
		require.EqualValues(t, 1, s.Trips(func() { q = quote(c) }))
		require.True(t, q.HasAddress)
		require.Equal(t, to, q.Address.ID)
		require.Len(t, q.Usable, 1)
		require.Equal(t, held, q.Spent.ID)
		require.Equal(t, row, q.Lines[0].ID)
	}
}
