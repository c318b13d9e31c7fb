package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/services/admin/internal/apitest"
)

// seeded is a shop with a super operator and a clerk without permissions, and with at least one of every other
// record, with the id 1: goods, a shopper with a paid order, and what operators and shoppers create.
func seeded(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	w.Super()
	w.Operator("clerk")
	s, ctx, now := w.Shop, t.Context(), w.Shop.Clock.Now()
	tea := s.Product("tea", money.Yuan(99), 50)
	s.Product("pot", money.Yuan(50), 50)
	lin := s.Shopper("lin")
	s.Address(lin)
	id := s.Order(lin, tea)
	s.Pay(lin, id)
	s.Coupon(lin, money.Yuan(1), 0)
	_, err := s.Promotions.CreateGroupRule(ctx, promotion.GroupRule{
		GoodsID: tea.GoodsID, GoodsName: "tea", Discount: money.Yuan(1), Members: 2, ExpireTime: now.Add(time.Hour),
	})
	require.NoError(t, err)
	_, err = s.Engagement.Toggle(ctx, lin, engagement.Goods, tea.GoodsID)
	require.NoError(t, err)
	require.NoError(t, s.Engagement.SeeGoods(ctx, lin, tea.GoodsID))
	require.NoError(t, s.Engagement.Remember(ctx, lin, "tea"))
	for _, row := range []struct{ table, columns, values string }{
		{"category", "name, level, pid", "'a', 'L1', 0"},
		{"category", "name, level, pid", "'b', 'L2', 1"},
		{"brand", "name", "'a'"},
		{"freight", "name, charge", "'a', 2"},
		{"freight", "name, charge", "'b', 2"},
		{"ad", "name, content, url, enabled", "'a', 'b', 'c', 1"},
		{"keyword", "keyword", "'a'"},
		{"issue", "question, answer", "'a', 'b'"},
		{"topic", "title, content, goods", "'a', 'b', '[]'"},
		{"feedback", "user_id, content", "1, 'a'"},
		{"comment", "value_id, type, user_id, content, star, pic_urls", "1, 0, 1, 'a', 5, '[]'"},
		{"aftersale", "order_id, user_id, status", "1, 1, 1"},
		{"groupon", "order_id, rules_id, user_id, creator_user_id, status", "1, 1, 1, 1, 1"},
	} {
		s.Exec("INSERT INTO "+row.table+" ("+row.columns+", add_time, update_time) VALUES ("+row.values+", ?, ?)", now, now)
	}
	s.Exec("INSERT INTO freight_rule (freight_id, regions, first_units, first_price, further_units, further_price) " +
		"SELECT id, '[]', 1, 8, 1, 0 FROM freight")
	return w
}
