package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/services/storefront/internal/apitest"
)

// A text of nothing but invisible characters is none; line breaks stay, and letters are stored composed.
func TestTextsThatShoppersWrite(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := s.Shopper("lin")
	tea := s.Domain.Product("tea", money.Yuan(10), 9)
	to := s.Domain.Address(1)
	for _, blank := range []string{"", " ", "\u200b", "\u2800\ufeff \u00ad", "\n\u200d"} {
		me.POST("/wx/comment/post", `{"type":0,"valueId":1,"content":%q,"star":5}`, blank).Fails(errno.Missing)
		me.POST("/wx/order/comment", `{"orderGoodsId":1,"content":%q,"star":5}`, blank).Fails(errno.Missing)
		me.POST("/wx/feedback/submit", `{"feedType":"a","content":%q,"mobile":"13900000001","hasPicture":false,"picUrls":[]}`, blank).
			Fails(errno.Missing)
		me.POST("/wx/aftersale/submit", `{"orderId":1,"type":1,"reason":%q,"amount":1}`, blank).Fails(errno.Missing)
	}
	me.POST("/wx/comment/post", `{"type":0,"valueId":1,"content":%q,"star":5}`, "\u3000cafe\u0301\n\n好\u200b 🍺\n").OK()
	require.Equal(t, "café\n\n好 🍺", s.Domain.Text("SELECT content FROM comment"))
	me.POST("/wx/cart/add", `{"goodsId":%d,"productId":%d,"number":1}`, tea.GoodsID, tea.ProductID).OK()
	me.POST("/wx/order/submit", `{"cartId":0,"addressId":%d,"couponId":-1,"message":%q}`, to, " \u200b\u00a0").OK()
	require.Empty(t, s.Domain.Text("SELECT message FROM orders"))
}

// A mobile number is read alike wherever it is entered, and so is a code.
func TestNumbersAsPeoplePasteThem(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	const mobile, spelled, wide, other = "13900000001", "+86 139-0000-0001", "１３９００００ ０００１", "139 0000 0002"
	code := func() string {
		c := s.Domain.Messages.Code(mobile)
		return " " + c[:3] + " " + c[3:] + "\u200b"
	}
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":%q}`, spelled).OK()
	s.Guest().POST("/wx/auth/register", `{"username":"lin","password":"secret-1","mobile":%q,"code":%q}`, wide, code()).OK()
	var entry struct{ Token string }
	s.Guest().POST("/wx/auth/login", `{"mobile":%q,"password":"secret-1"}`, spelled).OK()
	s.Guest().POST("/wx/auth/login", `{"username":%q,"password":"secret-1"}`, wide).Data(&entry)
	me := s.Guest().With("X-Shop-Token", entry.Token)
	me.POST("/wx/auth/captcha", `{"mobile":%q,"type":"bind-mobile"}`, other).OK()
	me.POST("/wx/auth/resetPhone", `{"password":"secret-1","mobile":%q,"code":%q}`, other, s.Domain.Messages.Code("13900000002")).OK()
	require.Equal(t, "13900000002", s.Domain.Text("SELECT mobile FROM user"))
	me.POST("/wx/address/save", `{"name":"林","tel":%q,"province":"北京市","city":"北京市","county":"东城区","areaCode":"110101",`+
		`"addressDetail":"1","isDefault":true}`, spelled).OK()
	require.Equal(t, mobile, s.Domain.Text("SELECT tel FROM address"))
	me.POST("/wx/feedback/submit", `{"feedType":"a","content":"b","mobile":%q,"hasPicture":false,"picUrls":[]}`, spelled).OK()
	require.Equal(t, mobile, s.Domain.Text("SELECT mobile FROM feedback"))
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"+44 7700 900123"}`).Fails(errno.Invalid)
	// Such a name would be in the way of the owner of the number.
	s.Guest().POST("/wx/auth/register", `{"username":%q,"password":"secret-1","mobile":%q,"code":"1"}`, spelled, other).
		Fails(errno.Invalid)
}

// A password is the same however the letters in it are composed; nothing else about it is changed.
func TestPasswordsAreComposed(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().POST("/wx/auth/regCaptcha", `{"mobile":"13900000001"}`).OK()
	s.Guest().POST("/wx/auth/register", `{"username":"lin","password":%q,"mobile":"13900000001","code":%q}`,
		" Cafe\u0301-1 ", s.Domain.Messages.Code("13900000001")).OK()
	for password, want := range map[string]*errno.Code{
		" Caf\u00e9-1 ": errno.OK, " Cafe\u0301-1 ": errno.OK, "Caf\u00e9-1": errno.AuthInvalidAccount,
		" café-1 ": errno.AuthInvalidAccount, " Ｃafé-1 ": errno.AuthInvalidAccount, " Caf\u00e9-1\u200b ": errno.AuthInvalidAccount,
	} {
		require.Equal(t, want, s.Guest().POST("/wx/auth/login", `{"username":"lin","password":%q}`, password).Code(), "%q", password)
	}
}
