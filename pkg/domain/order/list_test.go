package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
)

// A shopper's list is read in two round trips, the count included: the orders, and what belongs to them.
func TestListInTwoRoundTrips(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, tea := s.Shopper("lin"), s.Product("tea", 1000, 100)
	list := func(w page.Query) (got page.List[order.Listed], trips int64) {
		trips = s.Trips(func() {
			var err error
			got, err = s.Orders.List(t.Context(), lin, order.AllOrders, w)
			require.NoError(t, err)
		})
		return got, trips
	}
	w := page.Query{Page: 1, Limit: 2, Sort: "add_time", Desc: true}
	got, _ := list(w) // reads the settings too
	require.Empty(t, got.Items)
	_, trips := list(w)
	require.EqualValues(t, 1, trips)

	first, second, third := s.Order(lin, tea), s.Order(lin, tea), s.Order(lin, tea)
	s.Order(s.Shopper("wang"), tea)
	for limit, ids := range map[int][]int64{2: {third, second}, 3: {third, second, first}, 4: {third, second, first}} {
		w.Limit = limit
		got, trips := list(w)
		require.EqualValues(t, 2, trips, "%d on a page", limit)
		require.EqualValues(t, 3, got.Total)
		require.Len(t, got.Items, len(ids))
		for i, l := range got.Items {
			require.Equal(t, ids[i], l.ID)
			require.Len(t, l.Lines, 1)
			require.Equal(t, tea.GoodsID, l.Lines[0].GoodsID)
			require.EqualValues(t, 1800, l.Actual, "with freight")
		}
	}
	got, trips = list(page.Query{Page: 2, Limit: 2, Sort: "add_time", Desc: true})
	require.EqualValues(t, 3, trips, "it counts first")
	require.Equal(t, first, got.Items[0].ID)
}
