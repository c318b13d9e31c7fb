package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/storefront/internal/apitest"
)

// The account of a shopper is read with what a page shows, and refuses the page all the same.
func TestRoundTripsOfAShoppersPages(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	id := s.Domain.Shopper("lin")
	tea := s.Domain.Product("tea", 5000, 20)
	s.Domain.Address(id)
	s.Domain.Order(id, tea)
	_, err := s.Domain.Cart.Add(t.Context(), id, tea)
	require.NoError(t, err)
	lin := s.As(id)
	pages := map[string]int64{
		"/wx/cart/index": 1, "/wx/cart/goodscount": 2, "/wx/cart/checkout": 1, "/wx/order/list?limit=1": 2,
		"/wx/order/list?limit=9": 2,
	}
	for page, want := range pages {
		lin.GET(page).OK() // reads the settings too
		require.Equal(t, want, s.Domain.Trips(func() { lin.GET(page).OK() }), page)
	}
	lin.GET("/wx/order/list?showType=9").Fails(errno.Invalid)
	s.Domain.Exec("UPDATE user SET token_version = token_version + 1 WHERE id = ?", id)
	for page := range pages {
		if page != "/wx/cart/goodscount" { // for guests too
			lin.GET(page).Fails(errno.LoginRequired)
		}
	}
	lin.GET("/wx/order/list?showType=9").Fails(errno.LoginRequired)
}
