package order_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
)

// submitter returns a function that buys a number of pieces of a product for a shopper.
func submitter(t *testing.T, s *domaintest.Shop, shopper int64) func(w cart.AddRequest, n int) (int64, error) {
	t.Helper()
	to := s.Address(shopper)
	return func(w cart.AddRequest, n int) (int64, error) {
		w.Number = n
		row, err := s.Cart.Set(t.Context(), shopper, w)
		require.NoError(t, err)
		p, err := s.Orders.Submit(t.Context(), shopper, order.Submission{Choice: order.Choice{Cart: row, Address: to}})
		return p.OrderID, err
	}
}

// A shopper who does not pay can block a limited number of orders and pieces.
func TestUnpaidLimits(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Orders.Unpaid = order.UnpaidLimits{Orders: 3, Pieces: 10}
	tea, lin := s.Product("tea", 4550, 1000), s.Shopper("lin")
	buy := submitter(t, s, lin)

	_, err := buy(tea, 11)
	require.ErrorIs(t, err, errno.OrderCheckoutFailed, "too many pieces in the first order")
	require.Equal(t, 1000, s.Stock(tea))
	first, err := buy(tea, 8)
	require.NoError(t, err)
	_, err = buy(tea, 3)
	require.ErrorIs(t, err, errno.OrderCheckoutFailed)
	_, err = buy(tea, 2)
	require.NoError(t, err)
	_, err = buy(tea, 1)
	require.ErrorIs(t, err, errno.OrderCheckoutFailed)
	require.Equal(t, 990, s.Stock(tea))
	require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM cart WHERE deleted = 0"), "what was refused stays in the cart")
	other := submitter(t, s, s.Shopper("wang"))
	_, err = other(tea, 10)
	require.NoError(t, err, "another shopper")

	s.Pay(lin, first)
	third, err := buy(tea, 1)
	require.NoError(t, err, "what is paid counts no more")
	_, err = buy(tea, 1)
	require.NoError(t, err)
	_, err = buy(tea, 1)
	require.ErrorIs(t, err, errno.OrderCheckoutFailed, "too many orders")
	require.NoError(t, s.Orders.Cancel(t.Context(), lin, third))
	_, err = buy(tea, 1)
	require.NoError(t, err, "what is cancelled counts no more")

	tea.Number = 12
	row, err := s.Cart.Set(t.Context(), lin, tea)
	require.NoError(t, err)
	coupon, _ := s.Coupon(lin, money.Yuan(1000), 0)
	p, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{
		Cart: row, Address: s.Address(lin), Coupon: coupon,
	}})
	require.NoError(t, err, "what costs nothing is paid at once")
	require.True(t, p.Paid)

	s.Orders.Unpaid = order.UnpaidLimits{}
	_, err = buy(tea, 100)
	require.NoError(t, err, "0 is any number")
	s.Agree()
}

// Twenty concurrent submissions of one shopper obey the limit like twenty in sequence.
func TestUnpaidLimitsRace(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		limits order.UnpaidLimits
		passes int
	}{
		"orders": {order.UnpaidLimits{Orders: 7}, 7},
		"pieces": {order.UnpaidLimits{Pieces: 11}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			s := domaintest.Open(t)
			s.Orders.Unpaid = tt.limits
			lin := s.Shopper("lin")
			to := s.Address(lin)
			calls := make([]func() error, 20)
			for i := range calls {
				w := s.Product(fmt.Sprint("tea", i), 4550, 1000)
				w.Number = 2
				row, err := s.Cart.Set(t.Context(), lin, w)
				require.NoError(t, err)
				calls[i] = func() error {
					_, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Cart: row, Address: to}})
					return err
				}
			}
			require.Equal(t, outcomes{0: tt.passes, 722: 20 - tt.passes}, domaintest.AtOnce(calls...))
			require.EqualValues(t, tt.passes, s.Int("SELECT COUNT(*) FROM orders"))
			s.Agree()
		})
	}
}

// The limits cost a submission no round trip.
func TestUnpaidLimitsTravelAlong(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	buy, tea := submitter(t, s, s.Shopper("lin")), s.Product("tea", 4550, 1000)
	trips := func(limits order.UnpaidLimits) int64 {
		s.Orders.Unpaid = limits
		return s.Trips(func() {
			_, err := buy(tea, 1)
			require.NoError(t, err)
		})
	}
	trips(order.UnpaidLimits{}) // the first order of a process reads the currency
	require.Equal(t, trips(order.UnpaidLimits{}), trips(order.UnpaidLimits{Orders: 100, Pieces: 1000}))
}
