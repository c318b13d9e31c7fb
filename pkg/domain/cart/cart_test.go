package cart_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/order"
)

// atOnce counts how calls that run at the same moment end.
func atOnce(n int, call func(i int) error) map[int]int {
	codes := make(chan int)
	start := make(chan struct{})
	for i := range n {
		go func() {
			<-start
			codes <- domaintest.Code(call(i))
		}()
	}
	close(start)
	seen := map[int]int{}
	for range n {
		seen[<-codes]++
	}
	return seen
}

const rounds = 4

// D-K9: however many add at once, the cart has one row.
func TestAddAtOnce(t *testing.T) {
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	for round := range rounds {
		tea := s.Product(fmt.Sprint("tea", round), 4550, 100)
		tea.Number = 3
		require.Equal(t, map[int]int{0: 20}, atOnce(20, func(int) error {
			_, err := s.Cart.Add(t.Context(), lin, tea)
			return err
		}))
		require.EqualValues(t, 60, s.Int("SELECT number FROM cart WHERE product_id = ?", tea.ProductID), "one row with the sum")
		_, err := s.Cart.Remove(t.Context(), lin, []int64{tea.ProductID})
		require.NoError(t, err)
		require.Equal(t, map[int]int{0: 20}, atOnce(20, func(int) error {
			_, err := s.Cart.Add(t.Context(), lin, tea)
			return err
		}))
		require.EqualValues(t, 60, s.Int("SELECT number FROM cart WHERE product_id = ?", tea.ProductID), "it starts anew")
	}
}

func TestAddAtOnceBeyondTheStock(t *testing.T) {
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	for round := range rounds {
		tea := s.Product(fmt.Sprint("tea", round), 4550, 7)
		require.Equal(t, map[int]int{0: 7, errno.GoodsNoStock.Num: 13}, atOnce(20, func(int) error {
			_, err := s.Cart.Add(t.Context(), lin, tea)
			return err
		}))
		require.EqualValues(t, 7, s.Int("SELECT number FROM cart WHERE product_id = ?", tea.ProductID))
	}
}

// Everything that can be done to a cart, by one shopper at once: no call fails for another reason than a rule.
func TestOneCartInManyHands(t *testing.T) {
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	to := s.Address(lin)
	wares := make([]cart.Wish, 4)
	products := make([]int64, len(wares))
	for i := range wares {
		wares[i] = s.Product(fmt.Sprint("ware", i), 100, 1000)
		products[i] = wares[i].ProductID
	}
	for range rounds {
		seen := atOnce(30, func(i int) (err error) {
			w := wares[i%len(wares)]
			switch i % 6 {
			case 0, 1:
				_, err = s.Cart.Add(t.Context(), lin, w)
			case 2:
				_, err = s.Cart.Set(t.Context(), lin, w)
			case 3:
				_, err = s.Cart.Check(t.Context(), lin, products, i%2 == 0)
			case 4:
				_, err = s.Cart.Remove(t.Context(), lin, products[i%2:])
			case 5:
				_, err = s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Address: to}})
			}
			return err
		})
		require.Equal(t, 30, seen[0]+seen[errno.Invalid.Num], "%v", seen)
		s.Agree()
	}
}

func TestTotals(t *testing.T) {
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	for i := range 3 {
		w := s.Product(fmt.Sprint("ware", i), 1001, 100)
		w.Number = i + 1
		_, err := s.Cart.Set(t.Context(), lin, w)
		require.NoError(t, err)
		_, err = s.Cart.Check(t.Context(), lin, []int64{w.ProductID}, i > 0)
		require.NoError(t, err)
	}
	lines, err := s.Cart.Lines(t.Context(), lin)
	require.NoError(t, err)
	require.Equal(t, cart.Totals{Count: 6, Amount: 6006, CheckedCount: 5, CheckedAmount: 5005}, cart.TotalsOf(lines))
	chosen, err := s.Cart.Chosen(t.Context(), lin, cart.Everything)
	require.NoError(t, err)
	require.Len(t, chosen, 2)
	require.Equal(t, cart.Totals{}, cart.TotalsOf(nil))
}

// A cart that would cost more than any order can is refused, and its sums never wrap.
func TestACartThatNoOrderHolds(t *testing.T) {
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	gem, crown := s.Product("gem", money.Max, 99_999_999), s.Product("crown", 1, 99_999_999)
	_, err := s.Cart.Add(t.Context(), lin, gem)
	require.NoError(t, err, "exactly what an order can hold")
	crown.Number = 99_999_999
	for _, w := range []cart.Wish{{GoodsID: gem.GoodsID, ProductID: gem.ProductID, Number: 1}, crown} {
		_, err = s.Cart.Add(t.Context(), lin, w)
		require.ErrorIs(t, err, errno.Invalid)
		w.Number = 99_999_999
		_, err = s.Cart.Set(t.Context(), lin, w)
		require.ErrorIs(t, err, errno.Invalid)
	}
	w := gem
	w.Number = 92_233_721 // at this price an int64 wraps
	require.ErrorIs(t, s.Cart.Change(t.Context(), lin, 1, w), errno.Invalid)
	lines, err := s.Cart.Lines(t.Context(), lin)
	require.NoError(t, err)
	require.Equal(t, money.Max, cart.TotalsOf(lines).Amount)

	// Prices may rise afterwards: the sum stays above every bound, and the row can be taken out.
	s.Exec("UPDATE cart SET number = 2147483647")
	lines, err = s.Cart.Lines(t.Context(), lin)
	require.NoError(t, err)
	require.Greater(t, cart.TotalsOf(append(lines, lines...)).Amount, money.Max)
	_, err = s.Cart.Remove(t.Context(), lin, []int64{gem.ProductID})
	require.NoError(t, err)
}
