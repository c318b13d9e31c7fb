package system_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/services/admin/internal/apitest"
)

const (
	mall    = "/admin/config/mall"
	express = "/admin/config/express"
	orders  = "/admin/config/order"
	app     = "/admin/config/wx"
)

func TestShow(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Super()
	for name, path := range map[string]string{"mall": mall, "express": express, "order": orders, "wx": app} {
		c.GET(path).OK().Golden("setting/" + "show_" + name)
	}
}

// Settings take effect at once where they are changed and within a second elsewhere, and leave an entry in the business
// log.
func TestChange(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c, ctx := w.Super(), t.Context()
	other := w.Replica()
	before, err := other.Shop.Settings.Now(ctx)
	require.NoError(t, err)
	require.Equal(t, money.Yuan(88), before.FreightMin)
	// Text, a number and a boolean are stored as text.
	c.POST(mall, `{"litemall_mall_name":"五金","litemall_mall_longitude":""}`).OK().Golden("setting/change_mall")
	c.POST(express, `{"litemall_express_freight_min":99.50,"litemall_express_freight_value":"0"}`).OK().
		Golden("setting/change_express")
	c.POST(orders, `{"litemall_order_unpaid":5.0}`).OK().Golden("setting/change_order")
	c.POST(app, `{"litemall_wx_share":true,"litemall_wx_index_new":1e1}`).OK().Golden("setting/change_wx")
	v, err := w.Shop.Settings.Now(ctx)
	require.NoError(t, err)
	require.Equal(t, money.Amount(9950), v.FreightMin)
	require.Equal(t, 5*time.Minute, v.UnpaidFor)
	require.Equal(t, 10, v.IndexNew)
	require.True(t, v.Share)
	var shown map[string]string
	c.GET(app).Data(&shown)
	require.Equal(t, "true", shown["litemall_wx_share"], "every value is text")
	require.Equal(t, "10", shown["litemall_wx_index_new"])
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Super()
	_, err := w.Shop.Settings.Fill(t.Context())
	require.NoError(t, err)
	const all = "SELECT GROUP_CONCAT(CONCAT_WS('=', key_name, key_value) ORDER BY key_name) FROM system_config"
	before := w.Shop.Text(all)
	for _, body := range []string{``, `{}`} {
		for _, path := range []string{mall, express, orders, app} {
			c.POST(path, "%s", body).Fails(errno.Missing)
		}
	}
	for body, path := range map[string]string{
		`{"litemall_express_freight_min":"1"}`:                   orders,
		`{"litemall_order_unpaid":5,"litemall_mall_name":"x"}`:   orders,
		`{"litemall_order_unpaid":5,"litemall_order_comment":0}`: orders,
		`{"litemall_order_unpaid":5,"x":1}`:                      orders,
		`{"litemall_order_unpaid":null}`:                         orders,
		`{"litemall_order_unpaid":[5]}`:                          orders,
		`{"litemall_order_unpaid":{}}`:                           orders,
		`{"litemall_order_unpaid":true}`:                         orders,
		`{"litemall_express_freight_min":-1}`:                    express,
		`{"litemall_express_freight_min":"abc"}`:                 express,
		`{"litemall_wx_share":1}`:                                app,
		`{"litemall_wx_index_new":"6 OR 1=1"}`:                   app,
		`{"litemall_mall_color":"#ffffff"}`:                      mall,
		`[]`:                                                     mall,
		`{"litemall_mall_name":`:                                 mall,
		`{"litemall_mall_name":"x","id":1,"deleted":true}`:       mall,
		`{"litemall_mall_name":"x","litemall_mall_phone":"12345678901234567890123456789012"}`: mall,
	} {
		c.POST(path, "%s", body).Fails(errno.Invalid)
	}
	c.POST(express, `{"litemall_express_freight_min":"abc"}`).Fails(errno.Invalid).Says("设置 满减最低消费 的值不正确")
	long := strings.Repeat("a", 70_000)
	for body, field := range map[string]string{
		`{"litemall_mall_name":{}}`: "litemall_mall_name", `{"litemall_order_unpaid":{}}`: "",
		`{"` + long + `":{}}`: "", `{"` + long + `":1}`: "", `{"\u0000":null}`: "",
	} {
		a := c.POST(mall, "%s", body)
		a.Fails(errno.Invalid)
		require.Equal(t, field, a.Header.Get("X-Shop-Field"))
		require.Less(t, len(a.Body), 500)
	}
	require.Equal(t, before, w.Shop.Text(all))
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM log WHERE action = '修改配置'"))
	w.Operator("clerk", "admin:config:order-update").POST(express, `{"litemall_express_freight_min":1}`).
		Fails(errno.NoPermission)
}
