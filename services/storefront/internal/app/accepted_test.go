package app_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
)

// What requests accept, the consistency check accepts: otherwise any shopper could raise an alarm that never ends.
func TestVerifyAcceptsWhatShoppersMayEnter(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Domain.Fill()
	require.Empty(t, s.Domain.Disagreements())
	shopper := s.Domain.Int("SELECT MIN(id) FROM user")
	n := 0
	home := func() int64 {
		return s.Domain.Int("SELECT MIN(id) FROM address WHERE user_id = ? AND deleted = 0", shopper)
	}
	product := func(price money.Amount) cart.AddRequest {
		n++
		return s.Domain.Product(fmt.Sprint("bound ", n), price, 9)
	}
	samples := map[string]func() string{
		"/wx/order/submit": func() string {
			row, err := s.Domain.Cart.Set(t.Context(), shopper, product(money.Yuan(9)))
			require.NoError(t, err)
			return fmt.Sprintf(`{"cartId":%d,"addressId":%d,"couponId":0,"userCouponId":0,"message":"x","grouponRulesId":0,
				"grouponLinkId":0}`, row, home())
		},
		"/wx/order/comment": func() string {
			id := s.Domain.Order(shopper, product(money.Yuan(9)))
			s.Domain.Pay(shopper, id)
			require.NoError(t, s.Domain.Orders.Ship(t.Context(), actor.Actor{Kind: actor.KindOperator, ID: 1}, id, "ZTO", "1"))
			require.NoError(t, s.Domain.Orders.Confirm(t.Context(), shopper, id))
			return fmt.Sprintf(`{"orderGoodsId":%d,"content":"x","star":5,"hasPicture":true,"picUrls":["http://shop.test/a.png"]}`,
				s.Domain.Int("SELECT MIN(id) FROM order_goods WHERE order_id = ?", id))
		},
	}
	accepted, unreached := optest.Bounds(t, s.API.Specs, samples, func(o op.Spec) *optest.Client {
		s.Domain.Clock.Move(time.Millisecond)
		if o.Access.NeedsToken() {
			return s.As(shopper)
		}
		return s.Guest()
	})
	require.Greater(t, accepted, 200)
	require.ElementsMatch(t, []string{
		"/wx/aftersale/submit", "/wx/aftersale/parcel", "/wx/auth/login", "/wx/auth/login_by_weixin", "/wx/auth/register",
		"/wx/auth/reset", "/wx/auth/resetPhone", "/wx/auth/bindPhone", "/wx/order/cancel", "/wx/order/prepay", "/wx/order/h5pay",
		"/wx/order/confirm", "/wx/order/readdress", "/wx/coupon/receive", "/wx/coupon/exchange",
	}, unreached)
	for _, name := range []string{"", "/", "..", " ", "\u200b", "a.png"} {
		s.As(shopper).Upload("/wx/storage/upload", "file", name, png8x8(t)).OK()
	}
	// A coupon of 0.00 reduces nothing and is used all the same.
	_, held := s.Domain.Coupon(shopper, 0, 0)
	row, err := s.Domain.Cart.Set(t.Context(), shopper, product(money.Yuan(9)))
	require.NoError(t, err)
	s.As(shopper).POST("/wx/order/submit", `{"cartId":%d,"addressId":%d,"couponId":%d,"userCouponId":%d}`, row,
		home(), s.Domain.Int("SELECT coupon_id FROM coupon_user WHERE id = ?", held), held).OK()
	require.Empty(t, s.Domain.Disagreements())
}

func png8x8(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))))
	return b.Bytes()
}
