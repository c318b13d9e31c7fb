package app_test

import (
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/promotion"
)

// groups runs what is about group purchases: the opener has n groups, and one of them n joiners.
func (m *market) groups(get call, post func(path, body string, args ...any)) {
	m.t.Helper()
	d, ctx := m.Domain, m.t.Context()
	w := m.wares[0]
	d.Exec("UPDATE groupon_rules SET discount_member = 100")
	rule := d.Int("SELECT id FROM groupon_rules WHERE goods_id = ?", w.GoodsID)
	row := func() int64 {
		id, err := d.Cart.Set(ctx, m.lin, w)
		require.NoError(m.t, err)
		return id
	}
	buy := func(link int64) (order int64) {
		post("/wx/order/submit", `{"cartId":%d,"addressId":%d,"couponId":0,"grouponRulesId":%d,"grouponLinkId":%d}`,
			row(), m.to, rule, link)
		return d.Int("SELECT MAX(id) FROM orders")
	}
	first := int64(0)
	for range m.n {
		id := buy(0)
		d.Pay(m.lin, id)
		first = d.Int("SELECT id FROM groupon WHERE order_id = ?", id)
	}
	d.Exec("INSERT INTO groupon (order_id, groupon_id, rules_id, user_id, creator_user_id, status, add_time, update_time) "+
		"SELECT 1000000 + id, ?, rules_id, 1000000 + id, ?, 1, add_time, update_time FROM groupon", first, m.lin)
	get("/wx/groupon/list?limit=1000")
	get("/wx/groupon/query?goodsId=%d", w.GoodsID)
	get("/wx/groupon/join?grouponId=%d", first)
	get("/wx/groupon/detail?grouponId=%d", first)
	get("/wx/groupon/my")
	get("/wx/cart/checkout?couponId=0&cartId=%d&grouponRulesId=%d", row(), rule)
	get("/wx/coupon/selectlist?cartId=%d&grouponRulesId=%d", row(), rule)
	_, err := d.Promotions.Create(ctx, promotion.Coupon{
		Name: "code", Kind: promotion.Code, Code: "ABCDEFG1", Days: 1,
	})
	require.NoError(m.t, err)
	post("/wx/coupon/exchange", `{"code":"ABCDEFG1"}`)
}
