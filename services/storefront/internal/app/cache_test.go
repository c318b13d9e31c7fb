package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/auth"
)

// TestWhatACacheMayKeep calls every GET operation as a guest and as a shopper. A guest's answer may be cached for a
// second if no token is required, and is revalidated; a shopper's answer is never cached.
func TestWhatACacheMayKeep(t *testing.T) {
	t.Parallel()
	p := newTwoShoppers(t)
	kept, again := 0, 0
	for _, spec := range p.API.Specs {
		if spec.Method != http.MethodGet || spec.IsRaw() {
			continue
		}
		a := p.send(p.Guest(), spec, "", 0)
		vary := strings.Join(a.Header.Values("Vary"), ", ")
		require.Equal(t, !spec.Access.NeedsToken(), spec.Shared(), spec.Key())
		require.Equal(t, spec.Shared(), strings.Contains(vary, "Accept-Encoding"), spec.Key())
		require.Equal(t, spec.Shared() && spec.Access.String() == "optional", strings.Contains(vary, auth.Header), spec.Key())
		tag := a.Header.Get("Etag")
		if !spec.Shared() || a.Code() != errno.OK {
			require.Equal(t, "no-store", a.Header.Get("Cache-Control"), spec.Key())
			require.Empty(t, tag, spec.Key())
			continue
		}
		kept++
		require.Equal(t, "public, max-age=0, s-maxage=1", a.Header.Get("Cache-Control"), spec.Key())
		if p.send(p.Guest().With("If-None-Match", tag), spec, "", 0).Status == http.StatusNotModified {
			again++
		}
		mine := p.send(p.As(p.mine).With("If-None-Match", "*"), spec, "", 0)
		require.Equal(t, http.StatusOK, mine.Status, spec.Key())
		require.Equal(t, "no-store", mine.Header.Get("Cache-Control"), spec.Key())
	}
	require.GreaterOrEqual(t, kept, 20, "public reads that succeed")
	require.Equal(t, kept, again, "a guest who has the answer is told so")
}

// Stock that this process has taken or given back shows at once on its pages, which are otherwise a second old.
func TestStockShowsAtOnceInItsProcess(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t).Remembering(time.Second)
	tea := s.Domain.Product("tea", 5000, 20)
	lin := s.Domain.Shopper("lin")
	home := s.Domain.Address(lin)
	left := func() int {
		var page struct{ ProductList []struct{ Number int } }
		s.Guest().GET("/wx/goods/detail?id=%d", tea.GoodsID).Data(&page)
		return page.ProductList[0].Number
	}
	require.Equal(t, 20, left())
	shopper := s.As(lin)
	shopper.POST("/wx/cart/add", `{"goodsId":%d,"productId":%d,"number":3}`, tea.GoodsID, tea.ProductID).OK()
	var placed struct{ OrderID int64 }
	shopper.POST("/wx/order/submit", `{"cartId":0,"addressId":%d,"couponId":0}`, home).Data(&placed)
	require.Equal(t, 17, left())
	shopper.POST("/wx/order/cancel", `{"orderId":%d}`, placed.OrderID).OK()
	require.Equal(t, 20, left())
}
