package app_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/wechat/wechattest"
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
	a := &accepted{s, t, shopper, 0}
	samples := a.samples()
	bound := s.Domain.Int("SELECT id FROM user WHERE wx_openid IS NOT NULL")
	accepted, unreached := optest.Bounds(t, s.API.Specs, samples, func(o op.Spec) *optest.Client {
		s.Domain.Clock.Move(time.Millisecond)
		switch {
		case o.Path == "/wx/auth/bindPhone":
			return s.As(bound)
		case o.Access.NeedsToken():
			return s.As(shopper)
		}
		return s.Guest()
	})
	require.Greater(t, accepted, 300)
	require.Empty(t, unreached)
	for _, name := range []string{"", "/", "..", " ", "\u200b", "a.png"} {
		s.As(shopper).Upload("/wx/storage/upload", "file", name, png8x8(t)).OK()
	}
	// A coupon of 0.00 reduces nothing and is used all the same.
	_, held := s.Domain.Coupon(shopper, 0, 0)
	row, err := s.Domain.Cart.Set(t.Context(), shopper, a.product())
	require.NoError(t, err)
	s.As(shopper).POST("/wx/order/submit", `{"cartId":%d,"addressId":%d,"couponId":%d,"userCouponId":%d}`, row,
		a.home(), s.Domain.Int("SELECT coupon_id FROM coupon_user WHERE id = ?", held), held).OK()
	require.Empty(t, s.Domain.Disagreements())
}

// accepted makes requests that succeed, each for one call.
type accepted struct {
	*apitest.Shop
	t       *testing.T
	shopper int64
	n       int
}

// next is a text of its own.
func (a *accepted) next(format string) string {
	a.n++
	return fmt.Sprintf(format, a.n)
}

func (a *accepted) home() int64 {
	return a.Domain.Int("SELECT MIN(id) FROM address WHERE user_id = ? AND deleted = 0", a.shopper)
}

func (a *accepted) product() cart.AddRequest {
	return a.Domain.Product(a.next("bound %d"), money.Yuan(9), 9)
}

// code sends a verification code to a mobile of its own, from an address of its own, since both are limited.
func (a *accepted) code() (mobile, code string) {
	mobile = a.next("137%08d")
	require.NoError(a.t, a.Domain.Accounts.SendCode(a.t.Context(), mobile, a.next("2001:db8:%x::1")))
	return mobile, a.Domain.Messages.Code(mobile)
}

// coupon is a new one of a kind.
func (a *accepted) coupon(kind promotion.Kind) promotion.Coupon {
	made, err := a.Domain.Promotions.AddCoupon(a.t.Context(), promotion.CouponChange{
		Name: new(a.next("bound %d")), Kind: &kind, Discount: new(money.Yuan(1)), PerShopper: new(1), Days: new(7),
	})
	require.NoError(a.t, err)
	return made
}

func (a *accepted) order() int64 { return a.Domain.Order(a.shopper, a.product()) }

func (a *accepted) shipped() int64 {
	id := a.order()
	a.Domain.Pay(a.shopper, id)
	require.NoError(a.t, a.Domain.Orders.Ship(a.t.Context(), actor.Operator(1), id, "ZTO", "1"))
	return id
}

func (a *accepted) received() int64 {
	id := a.shipped()
	require.NoError(a.t, a.Domain.Orders.Confirm(a.t.Context(), a.shopper, id))
	return id
}

// samples are the bodies of operations that random ones do not reach.
func (a *accepted) samples() map[string]func() string {
	ordered := func(make func() int64) func() string {
		return func() string { return fmt.Sprintf(`{"orderId":%d}`, make()) }
	}
	all := a.accounts()
	maps.Copy(all, map[string]func() string{
		"/wx/order/submit": func() string {
			row, err := a.Domain.Cart.Set(a.t.Context(), a.shopper, a.product())
			require.NoError(a.t, err)
			return fmt.Sprintf(`{"cartId":%d,"addressId":%d,"couponId":0,"userCouponId":0,"message":"x","grouponRulesId":0,
				"grouponLinkId":0}`, row, a.home())
		},
		"/wx/order/cancel": ordered(a.order), "/wx/order/prepay": ordered(a.order), "/wx/order/h5pay": ordered(a.order),
		"/wx/order/confirm": ordered(a.shipped),
		"/wx/order/comment": func() string {
			return fmt.Sprintf(`{"orderGoodsId":%d,"content":"x","star":5,"hasPicture":true,"picUrls":["http://shop.test/a.png"]}`,
				a.Domain.Int("SELECT MIN(id) FROM order_goods WHERE order_id = ?", a.received()))
		},
		"/wx/aftersale/submit": func() string {
			return fmt.Sprintf(`{"orderId":%d,"type":1,"reason":"small","amount":9,"pictures":["http://shop.test/a.png"],
				"comment":"x"}`, a.received())
		},
		"/wx/coupon/receive": func() string { return fmt.Sprintf(`{"couponId":%d}`, a.coupon(promotion.Common).ID) },
		"/wx/coupon/exchange": func() string {
			return fmt.Sprintf(`{"code":%q}`, a.coupon(promotion.Code).Code)
		},
	})
	return all
}

// accounts are the samples of operations on an account.
func (a *accepted) accounts() map[string]func() string {
	const key = "bound"
	app := func(user string) string {
		return fmt.Sprintf(`{"code":"code-of-%s","userInfo":{"nickName":"x","avatarUrl":"https://app.test/a.png","gender":2}}`, user)
	}
	a.Guest().POST("/wx/auth/login_by_weixin", "%s", app(key)).OK()
	return map[string]func() string{
		"/wx/auth/login": func() string {
			name := a.next("bound_%d")
			a.Domain.Shopper(name)
			return fmt.Sprintf(`{"username":%q,"password":%q}`, name, domaintest.Password)
		},
		"/wx/auth/login_by_weixin": func() string { return app(a.next("bound%d")) },
		"/wx/auth/register": func() string {
			mobile, code := a.code()
			user := a.next("bound%d")
			return fmt.Sprintf(`{"username":%q,"password":"test-password-1","mobile":%q,"code":%q,"wxCode":"code-of-%s"}`,
				user, mobile, code, user)
		},
		"/wx/auth/reset": func() string {
			mobile, code := a.code()
			a.Domain.Exec("UPDATE user SET mobile = ? WHERE id = ?", mobile, a.Domain.Shopper(a.next("bound_%d")))
			return fmt.Sprintf(`{"password":"test-password-2","mobile":%q,"code":%q}`, mobile, code)
		},
		"/wx/auth/resetPhone": func() string {
			mobile, code := a.code()
			return fmt.Sprintf(`{"password":%q,"mobile":%q,"code":%q}`, domaintest.Password, mobile, code)
		},
		"/wx/auth/bindPhone": func() string {
			iv, data := wechattest.Seal(a.t, a.Domain.App.Key(key), wechattest.Number(a.next("136%08d"), wechattest.AppID))
			return fmt.Sprintf(`{"iv":%q,"encryptedData":%q}`, iv, data)
		},
	}
}

func png8x8(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))))
	return b.Bytes()
}
