package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/auth"
)

// A shop in Japan from registration to receipt: numbers in each spelling, an address as free text, yen.
func TestAPurchaseInJapan(t *testing.T) {
	t.Parallel()
	s := apitest.OpenCountry(t, "JP")
	tea := s.Domain.Product("tea", money.Yuan(1200), 5)
	guest := s.Guest()
	guest.POST("/wx/auth/regCaptcha", `{"mobile":"090-1234-5678"}`).OK()
	code := s.Domain.Messages.Code("+819012345678")
	const hanako = `{"username":"hanako","password":"good-password","mobile":"+81 (0)90 1234 5678","code":"%s"}`
	guest.POST("/wx/auth/register", hanako, code).OK()
	guest.POST("/wx/auth/regCaptcha", `{"mobile":"13900000001"}`).Fails(errno.Invalid).
		Says("the mobile number must be a mobile number of the country of the shop")
	for _, name := range []string{"hanako", "09012345678", "+81 90-1234-5678", "０９０１２３４５６７８"} {
		guest.POST("/wx/auth/login", `{"username":"%s","password":"good-password"}`, name).OK()
	}
	var entry struct{ Token string }
	guest.POST("/wx/auth/login", `{"mobile":"090 1234 5678","password":"good-password"}`).Data(&entry)
	buyer := guest.With(auth.Header, entry.Token)
	var info struct{ Mobile string }
	buyer.GET("/wx/auth/info").Data(&info)
	require.Equal(t, "+819012345678", info.Mobile)

	guest.GET("/wx/region/list").Is("[]")
	const home = `{"name":"山田 花子","tel":"03-1234-5678","province":"東京都","city":"渋谷区","addressDetail":"神南 1-2-3",` +
		`"postalCode":"１５０－００４１","isDefault":true}`
	buyer.POST("/wx/address/save", home).Fails(errno.Invalid)
	good := strings.Replace(home, "03-1234-5678", "080-1234-5678", 1)
	buyer.POST("/wx/address/save", strings.Replace(good, "１５０－００４１", "310012", 1)).Fails(errno.Invalid)
	buyer.POST("/wx/address/save", strings.Replace(good, "東京都", "", 1)).Fails(errno.Missing)
	buyer.POST("/wx/address/save", good).Is("1")
	buyer.GET("/wx/address/detail?id=1").Golden("address_jp")

	var row int64
	buyer.POST("/wx/cart/fastadd", `{"goodsId":%d,"productId":%d,"number":1}`, tea.GoodsID, tea.ProductID).Data(&row)
	var placed struct{ OrderID int64 }
	buyer.POST("/wx/order/submit", `{"cartId":%d,"addressId":1,"couponId":0}`, row).Data(&placed)
	buyer.POST("/wx/order/prepay", `{"orderId":%d}`, placed.OrderID).OK()
	paid := s.Domain.Notification(placed.OrderID)
	paid.Currency = "JPY"
	require.NoError(t, s.Domain.Deliver(paid))
	require.NoError(t, s.Domain.Orders.Ship(t.Context(), actor.Operator(1), placed.OrderID, "ZTO", "1"))
	buyer.POST("/wx/order/confirm", `{"orderId":%d}`, placed.OrderID).OK()
	require.Equal(t, "401 1200.00 東京都, 渋谷区, 神南 1-2-3, 150-0041 +818012345678", s.Domain.Text(
		"SELECT CONCAT_WS(' ', order_status, actual_price, address, mobile) FROM orders"))
	settings, err := s.Domain.Settings.Now(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, "JPY", settings.Currency)
	s.Domain.Agree()
}
