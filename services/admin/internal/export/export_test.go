package export_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/money"
	"shop.internal/services/admin/internal/apitest"
)

// Each export holds what its list shows, chosen by the same filters, for those who may see the list, and no formula.
func TestExports(t *testing.T) {
	w := apitest.Open(t)
	s := w.Shop
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	s.Exec("UPDATE user SET nickname = '=HYPERLINK(1)' WHERE id = ?", lin)
	first := s.Order(lin, s.Product("tea", money.Yuan(99), 50))
	second := s.Order(mei, s.Product("+cup", money.Yuan(5), 50))
	s.Exec("UPDATE orders SET order_sn = CONCAT('SN', id), message = '@a,b'")
	s.Coupon(lin, money.Yuan(5), money.Yuan(50))
	tests := []struct {
		path, permission, query string
		holds, lacks            []string
	}{
		{
			"/admin/order/export", "admin:order:list", "", []string{
				"id,orderSn,", "SN1", "SN2", "'=HYPERLINK(1)", ",tea,", ",'+cup,", "'@a,b", "99.00",
			}, []string{",=HYPERLINK", ",+cup"},
		},
		{"/admin/order/export", "admin:order:list", "?orderSn=SN2", []string{"SN2"}, []string{"SN1"}},
		{"/admin/order/export", "admin:order:list", "?nickname=HYPER&orderStatusArray=101", []string{"SN1"}, []string{"SN2"}},
		{"/admin/order/export", "admin:order:list", "?start=2031-01-01+00:00:00", []string{"id,orderSn,"}, []string{"SN"}},
		{"/admin/user/export", "admin:user:list", "", []string{"id,username,", ",lin,'=HYPERLINK", ",mei,"}, []string{"$2a$"}},
		{"/admin/user/export", "admin:user:list", "?username=me", []string{",mei,"}, []string{",lin,"}},
		{"/admin/coupon/export", "admin:coupon:listuser", "", []string{"id,userId,couponId,", ",1,1,0,,2030-"}, nil},
		{"/admin/coupon/export", "admin:coupon:listuser", "?userId=2", []string{"id,userId,"}, []string{",2030-"}},
	}
	require.EqualValues(t, 1, first)
	require.EqualValues(t, 2, second)
	for _, tt := range tests {
		t.Run(tt.path+tt.query, func(t *testing.T) {
			a := w.Operator(strings.ReplaceAll(tt.permission, ":", ""), tt.permission).In(t).GET(tt.path + tt.query)
			require.Equal(t, http.StatusOK, a.Status)
			require.Equal(t, "text/csv; charset=utf-8", a.Header.Get("Content-Type"))
			require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			require.Contains(t, a.Header.Get("Content-Disposition"), "attachment")
			for _, text := range tt.holds {
				require.Contains(t, string(a.Body), text)
			}
			for _, text := range tt.lacks {
				require.NotContains(t, string(a.Body), text)
			}
			w.Nobody().In(t).GET(tt.path).Fails(errno.LoginRequired)
			w.Operator("stranger", "admin:ad:list").In(t).GET(tt.path).Fails(errno.NoPermission)
		})
	}
	w.Operator("adminorderlist").GET("/admin/order/export?start=now").Fails(errno.Invalid)
}
