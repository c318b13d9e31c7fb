package export_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/csv"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/services/admin/internal/apitest"
)

// Each export contains what its list shows, with the same filters, for those with the permission, and no formula.
func TestExports(t *testing.T) {
	t.Parallel()
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
			"/admin/order/export", "admin:order:export", "", []string{
				"id,orderSn,", "SN1", "SN2", "'=HYPERLINK(1)", ",tea,", ",'+cup,", "'@a,b", "99.00",
			}, []string{",=HYPERLINK", ",+cup"},
		},
		{"/admin/order/export", "admin:order:export", "?orderSn=SN2", []string{"SN2"}, []string{"SN1"}},
		{"/admin/order/export", "admin:order:export", "?nickname=HYPER&orderStatusArray=101", []string{"SN1"}, []string{"SN2"}},
		{"/admin/order/export", "admin:order:export", "?start=2031-01-01+00:00:00", []string{"id,orderSn,"}, []string{"SN"}},
		{"/admin/user/export", "admin:user:export", "", []string{"id,username,", ",lin,'=HYPERLINK", ",mei,"}, []string{"$2a$"}},
		{"/admin/user/export", "admin:user:export", "?username=me", []string{",mei,"}, []string{",lin,"}},
		{"/admin/coupon/export", "admin:coupon:export", "", []string{"id,userId,couponId,", ",1,1,0,,2030-"}, nil},
		{"/admin/coupon/export", "admin:coupon:export", "?userId=2", []string{"id,userId,"}, []string{",2030-"}},
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
			w.Anonymous().In(t).GET(tt.path).Fails(errno.LoginRequired)
			w.Operator("lister", "admin:order:list", "admin:user:list", "admin:coupon:listuser").In(t).GET(tt.path).Fails(errno.NoPermission)
		})
	}
	w.Operator("adminorderexport").GET("/admin/order/export?start=now").Fails(errno.Invalid)
}

// An accountant adds up columns: each amount of an order is in one row, those of lines give that of the goods.
func TestColumnsOfOrdersAddUp(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	s := w.Shop
	lin := s.Shopper("lin")
	s.Order(lin, s.Product("cup", money.Yuan(5), 50))
	for _, p := range []cart.AddRequest{s.Product("tea", money.Yuan(30), 50), s.Product("pot", money.Yuan(40), 50)} {
		p.Number = 2
		_, err := s.Cart.Add(t.Context(), lin, p)
		require.NoError(t, err)
	}
	_, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Address: s.Address(lin)}})
	require.NoError(t, err)
	s.Exec("UPDATE orders SET ship_sn = '001234567890123456', groupon_price = 1, goods_price = 136 WHERE id = 2")
	rows, err := csv.Read(w.Super().GET("/admin/order/export").Body, 10)
	require.NoError(t, err)
	require.Len(t, rows, 4)
	sum := map[string]money.Amount{}
	for _, row := range rows[1:] {
		require.Len(t, row.Cells, len(rows[0].Cells))
		for i, cell := range row.Cells {
			if name := rows[0].Cells[i]; strings.HasSuffix(name, "Price") && cell != "" {
				a, err := money.Parse(cell)
				require.NoError(t, err)
				sum[name] += a
			}
		}
	}
	total := func(column string) (a money.Amount) {
		a, err := money.Parse(s.Text("SELECT SUM(" + column + ") FROM orders"))
		require.NoError(t, err)
		return a
	}
	require.Equal(t, map[string]money.Amount{
		"freightPrice": total("freight_price"), "orderPrice": total("order_price"), "actualPrice": total("actual_price"),
		"linePrice": total("goods_price"), "goodsPrice": total("goods_price"), "couponPrice": 0, "integralPrice": 0,
	}, sum)
	require.Contains(t, string(w.Super().GET("/admin/order/export").Body), ",'001234567890123456,")
}

// An export leaves an audit record before its first row, with who and the filter, and one at its end, with the number
// of rows; a refused one leaves none.
func TestExportsAreRecorded(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	lin := w.Shop.Shopper("lin")
	w.Shop.Shopper("mei")
	w.Shop.Order(lin, w.Shop.Product("tea", money.Yuan(99), 50))
	w.Shop.Coupon(lin, money.Yuan(5), money.Yuan(50))
	w.Super()
	w.Anonymous().GET("/admin/user/export").Fails(errno.LoginRequired)
	w.Operator("lister", "admin:user:list").GET("/admin/user/export").Fails(errno.NoPermission)
	w.Super().GET("/admin/order/export?start=now").Fails(errno.Invalid)
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE method_path LIKE '%export'"))
	tests := map[string]struct{ table, filter, rows string }{
		"/admin/user/export?username=li":       {"user", `"username":"li"`, `{"rows":1,"whole":true}`},
		"/admin/order/export?orderSn=no":       {"orders", `"orderSn":"no"`, `{"rows":0,"whole":true}`},
		"/admin/goods/export?name=tea":         {"goods", `"name":"tea"`, `{"rows":1,"whole":true}`},
		"/admin/coupon/export?userId=1&status": {"coupon_user", `"userId":1`, `{"rows":1,"whole":true}`},
	}
	var asked []string
	for path, want := range tests {
		a := w.Super().In(t).GET(path)
		require.Equal(t, http.StatusOK, a.Status)
		records := w.Shop.Texts("SELECT CONCAT_WS(' ', admin_name, permission, method_path, target_type, after_json) FROM audit_log "+
			"WHERE request_id = ? ORDER BY id", a.Header.Get("X-Request-Id"))
		require.Len(t, records, 2, path)
		plain, _, _ := strings.Cut(path, "?")
		asked = append(asked, plain)
		value := "admin:" + strings.Split(plain, "/")[2] + ":export"
		head := "super " + value + " GET " + plain + " " + want.table + " "
		require.Contains(t, records[0], head+`{"filter":{`)
		require.Contains(t, records[0], want.filter)
		require.Equal(t, head+want.rows, records[1])
	}
	for _, s := range w.Handler.Specs {
		if strings.HasSuffix(s.Path, "/export") {
			require.Contains(t, asked, s.Path, "every export")
		}
	}
	require.EqualValues(t, 4, w.Shop.Int("SELECT COUNT(*) FROM log WHERE action LIKE '导出%' AND status = 1"))
	_, err := w.Shop.Audit.Seal(t.Context())
	require.NoError(t, err)
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE seal_no IS NULL"), "they are in the chain")
}
