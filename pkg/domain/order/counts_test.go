package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
)

func TestCounts(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, wang := s.Shopper("lin"), s.Shopper("wang")
	tea := s.Product("tea", 1000, 1000)
	put := func(shopper int64, status order.Status, change string) {
		s.Exec("UPDATE orders SET order_status = ?, confirm_time = ?, comments = 3"+change+" WHERE id = ?", status, s.Clock.Now(),
			s.Order(shopper, tea))
	}
	for status, n := range map[order.Status]int{
		order.Unpaid: 4, order.Paid: 3, order.Shipped: 2, order.Received: 1, order.AutoReceived: 1, order.Cancelled: 1,
		order.RefundAsked: 1, order.Refunded: 1, 999: 1,
	} {
		for range n {
			put(lin, status, "")
		}
		put(wang, status, "")
		put(lin, status, ", user_deleted = 1")
		put(lin, status, ", deleted = 1")
	}
	put(lin, order.Received, ", comments = 0")
	got, err := s.Orders.Counts(t.Context(), lin)
	require.NoError(t, err)
	require.Equal(t, order.Counts{Unpaid: 4, Unshipped: 3, Unreceived: 2, Uncommented: 6}, got)

	s.Clock.Move(7 * 24 * time.Hour)
	got, err = s.Orders.Counts(t.Context(), lin)
	require.NoError(t, err)
	require.EqualValues(t, 6, got.Uncommented, "the last moment of the comment period")
	s.Clock.Move(time.Second)
	got, err = s.Orders.Counts(t.Context(), lin)
	require.NoError(t, err)
	require.Zero(t, got.Uncommented)

	got, err = s.Orders.Counts(t.Context(), 99)
	require.NoError(t, err)
	require.Zero(t, got)
}

func TestHasReceived(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea, pot := s.Product("tea", 1000, 10), s.Product("pot", 1000, 10)
	id := s.Order(lin, tea)
	for status, want := range map[order.Status]bool{
		order.Unpaid: false, order.Paid: false, order.Shipped: false, order.Refunded: false, order.Cancelled: false,
		order.Received: true, order.AutoReceived: true,
	} {
		s.Exec("UPDATE orders SET order_status = ? WHERE id = ?", status, id)
		got, err := s.Orders.HasReceived(t.Context(), lin, tea.GoodsID)
		require.NoError(t, err)
		require.Equal(t, want, got, status)
	}
	s.Exec("UPDATE orders SET order_status = ?, user_deleted = 1", order.Received)
	for _, tt := range []struct {
		shopper, goods int64
		want           bool
	}{{lin, tea.GoodsID, true}, {lin, pot.GoodsID, false}, {s.Shopper("wang"), tea.GoodsID, false}} {
		got, err := s.Orders.HasReceived(t.Context(), tt.shopper, tt.goods)
		require.NoError(t, err)
		require.Equal(t, tt.want, got, tt)
	}
}
