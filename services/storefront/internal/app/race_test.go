package app_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/storefront/internal/apitest"
)

// Two hundred shoppers submit one product concurrently, of which fifty are left: fifty get it, the others are refused,
// nothing is left, and the books agree.
func TestOversellRace(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	const shoppers, stock = 200, 50
	tea := s.Domain.Product("tea", 9900, stock)
	submits := make([]func() int, shoppers)
	for i := range submits {
		id := s.Domain.Shopper(fmt.Sprint("shopper", i))
		to := s.Domain.Address(id)
		row, err := s.Domain.Cart.Set(t.Context(), id, tea)
		require.NoError(t, err)
		client := s.As(id)
		submits[i] = func() int {
			return client.POST("/wx/order/submit", `{"cartId":%d,"addressId":%d,"couponId":0}`, row*int64(i%2), to).Code().Num
		}
	}
	codes := make([]int, shoppers)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, submit := range submits {
		wg.Go(func() {
			<-start
			codes[i] = submit()
		})
	}
	close(start)
	wg.Wait()
	seen := map[int]int{}
	for _, code := range codes {
		seen[code]++
	}
	require.Equal(t, map[int]int{0: stock, 711: shoppers - stock}, seen)
	require.Zero(t, s.Domain.Stock(tea))
	require.EqualValues(t, stock, s.Domain.Int("SELECT COUNT(*) FROM orders"))
	require.EqualValues(t, stock, s.Domain.Int("SELECT COUNT(DISTINCT order_sn) FROM orders"))
	require.EqualValues(t, shoppers-stock, s.Domain.Int("SELECT COUNT(*) FROM cart WHERE deleted = 0"), "the others keep their carts")
	s.Domain.Agree()
}
