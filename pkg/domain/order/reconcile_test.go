package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
)

// A restored database learns of the payments that were made after its backup, also of those that began after it.
func TestAskAllAfterARestore(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Product("tea", 10000, 10)
	begun, after, unpaid := s.Order(lin, tea), s.Order(lin, tea), s.Order(lin, tea)
	s.Sandbox.Behave(sandbox.Behaviour{Lost: true})
	for _, id := range []int64{begun, after} {
		_, err := s.Orders.Prepay(t.Context(), lin, id, "192.0.2.1", "", "")
		require.NoError(t, err)
	}
	s.Sandbox.Settle()
	s.Exec("DELETE FROM payment WHERE order_id = ?", after) // the backup is older than this payment

	ask := func() (asked, paid int) {
		require.NoError(t, s.Orders.ReconcilePayments(t.Context(), func(a order.Reconciled) {
			require.NoError(t, a.Err)
			if asked++; a.Paid {
				paid++
			}
		}))
		return asked, paid
	}
	asked, paid := ask()
	require.Equal(t, 3, asked)
	require.Equal(t, 2, paid)
	status := func(id int64) int64 { return s.Int("SELECT order_status FROM orders WHERE id = ?", id) }
	require.Equal(t, int64(order.Paid), status(begun))
	require.Equal(t, int64(order.Paid), status(after))
	require.Equal(t, int64(order.Unpaid), status(unpaid))
	require.EqualValues(t, 2, s.Int("SELECT COUNT(*) FROM payment"), "an unpaid order gets no payment")
	asked, paid = ask()
	require.Equal(t, 1, asked)
	require.Zero(t, paid)
	s.Clock.Move(time.Minute)
	s.Agree()
}
