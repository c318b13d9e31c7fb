package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/account"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
	"shop.internal/services/storefront/internal/auth"
)

// A session that ends in another process may be used for a second, and no longer.
func TestASessionThatEndedElsewhere(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, app.SessionAge, time.Second, "this is the promise")
	for name, end := range map[string]func(s *apitest.Shop, id int64, token string){
		"logged out": func(s *apitest.Shop, _ int64, token string) {
			s.Guest().With(auth.Header, token).POST("/wx/auth/logout", "").OK()
		},
		"the password changed": func(s *apitest.Shop, id int64, _ string) {
			const mobile = "13900000001"
			s.Domain.Exec("UPDATE user SET mobile = ? WHERE id = ?", mobile, id)
			s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"%s"}`, mobile).OK()
			s.Guest().POST("/wx/auth/reset", `{"password":"new-password","mobile":"%s","code":"%s"}`, mobile,
				s.Domain.Messages.Code(mobile)).OK()
		},
		"disabled by an operator": func(s *apitest.Shop, id int64, _ string) {
			disabled := account.Disabled
			require.NoError(t, s.Domain.Accounts.ChangeMember(t.Context(), id, account.MemberChange{Status: &disabled}))
		},
		"Redis did not hear of it": func(s *apitest.Shop, id int64, _ string) {
			s.Domain.Exec("UPDATE user SET token_version = token_version + 1 WHERE id = ?", id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.Open(t)
			id := s.Domain.Shopper("lin")
			token := s.Domain.Token(id)
			elsewhere := s.Remembering(app.SessionAge).Guest().With(auth.Header, token)
			elsewhere.GET("/wx/address/list").OK()
			end(s, id, token)
			elsewhere.GET("/wx/address/list").OK()
			s.Domain.Clock.Move(app.SessionAge)
			elsewhere.GET("/wx/address/list").Fails(errno.LoginRequired)
		})
	}
}

// What takes stock or money reads the state of the account in its transaction: a process that remembers the session of
// a disabled shopper places no order and begins no payment.
func TestADisabledShopperBuysNothingMore(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	id := s.Domain.Shopper("lin")
	tea := s.Domain.Product("tea", 5000, 20)
	unpaid, home := s.Domain.Order(id, tea), s.Domain.Address(id)
	row, err := s.Domain.Cart.Set(t.Context(), id, tea)
	require.NoError(t, err)
	elsewhere := s.Remembering(app.SessionAge).Guest().With(auth.Header, s.Domain.Token(id))
	elsewhere.GET("/wx/address/list").OK()
	disabled := account.Disabled
	require.NoError(t, s.Domain.Accounts.ChangeMember(t.Context(), id, account.MemberChange{Status: &disabled}))

	elsewhere.GET("/wx/address/list").OK() // it has not heard of it
	elsewhere.POST("/wx/order/submit", `{"cartId":%d,"addressId":%d,"couponId":0}`, row, home).Fails(errno.LoginRequired)
	elsewhere.POST("/wx/order/prepay", `{"orderId":%d}`, unpaid).Fails(errno.LoginRequired)
	elsewhere.POST("/wx/order/h5pay", `{"orderId":%d}`, unpaid).Fails(errno.LoginRequired)
	elsewhere.POST("/wx/cart/add", `{"goodsId":%d,"productId":%d,"number":1}`, tea.GoodsID, tea.ProductID).
		Fails(errno.LoginRequired)
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM orders"))
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM payment"))
}
