package app_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/promotion"
)

// groups makes the calls about group purchases: the opener has n groups, and one of them n joiners.
func (m *filledShop) groups(get call, post post) {
	m.t.Helper()
	d, ctx := m.Domain, m.t.Context()
	w := m.wares[0]
	d.Exec("UPDATE groupon_rules SET discount_member = 5000")
	rule := d.Int("SELECT id FROM groupon_rules WHERE goods_id = ?", w.GoodsID)
	buy := func(way string, shopper, to, link int64) (order int64) {
		row, err := d.Cart.Set(ctx, shopper, w)
		require.NoError(m.t, err)
		d.Clock.Move(time.Minute)
		m.note(way, m.As(shopper).POST("/wx/order/submit",
			`{"cartId":%d,"addressId":%d,"couponId":0,"grouponRulesId":%d,"grouponLinkId":%d}`, row, to, rule, link).OK())
		return d.Int("SELECT MAX(id) FROM orders")
	}
	first := int64(0)
	for range m.n {
		id := buy(" (opens)", m.lin, m.to, 0)
		m.paid("", id)
		first = d.Int("SELECT id FROM groupon WHERE order_id = ?", id)
	}
	m.growGroups(first)
	row, err := d.Cart.Set(ctx, m.lin, w)
	require.NoError(m.t, err)
	get("/wx/groupon/list?limit=1000")
	get("/wx/groupon/query?goodsId=%d", w.GoodsID)
	get("/wx/groupon/open?goodsId=%d", w.GoodsID)
	get("/wx/groupon/join?grouponId=%d", first)
	get("/wx/groupon/detail?grouponId=%d", first)
	get("/wx/groupon/my")
	get("/wx/cart/checkout?couponId=0&cartId=%d&grouponRulesId=%d", row, rule)
	get("/wx/coupon/selectlist?cartId=%d&grouponRulesId=%d", row, rule)
	_, err = d.Promotions.Create(ctx, promotion.Coupon{
		Name: "code", Kind: promotion.Code, Code: "ABCDEFG1", Days: 1,
	})
	require.NoError(m.t, err)
	post("/wx/coupon/exchange", `{"code":"ABCDEFG1"}`)
	// Another shopper joins, and their payment completes the group.
	mei := d.Shopper("mei")
	last := buy(" (joins)", mei, d.Address(mei), first)
	members := 1 + d.Int("SELECT COUNT(*) FROM groupon WHERE status = 1 AND ? IN (id, groupon_id)", first)
	require.Greater(m.t, members, int64(m.n*m.times))
	d.Exec("UPDATE groupon_rules SET discount_member = ?", members)
	m.paid(" (completes)", last)
	require.Equal(m.t, members, d.Int("SELECT COUNT(*) FROM groupon WHERE status = 2"))
}
