package promotion_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/promotion"
)

// cut lets an operator set the price of a product.
func cut(t *testing.T, s *domaintest.Shop, w cart.AddRequest, price money.Amount) error {
	t.Helper()
	return s.Catalog.Edit(t.Context(), actor.System, catalog.GoodsEdit{ID: w.GoodsID, Products: []catalog.ProductEdit{{
		ID: w.ProductID, Edited: true, Specifications: []string{"标准"}, Price: price, Number: 1,
	}}})
}

func offered(s *domaintest.Shop, w cart.AddRequest, off money.Amount) promotion.GroupRuleChange {
	end := s.Clock.Now().Add(time.Hour)
	members := 2
	return promotion.GroupRuleChange{GoodsID: &w.GoodsID, Discount: &off, Members: &members, ExpireTime: &end}
}

// The price of goods stays above the discount of their running rule, whichever of them is changed.
func TestRuleLeavesPrice(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	tea := s.Product("tea", 10000, 1)
	_, err := s.Promotions.AddGroupRule(t.Context(), offered(s, tea, 10000))
	require.ErrorIs(t, err, errno.Invalid, "an offer of the whole price")
	r, err := s.Promotions.AddGroupRule(t.Context(), offered(s, tea, 2000))
	require.NoError(t, err)
	require.ErrorIs(t, cut(t, s, tea, 2000), errno.Invalid)
	require.ErrorIs(t, cut(t, s, tea, 100), errno.Invalid)
	require.NoError(t, cut(t, s, tea, 2001))
	_, err = s.Promotions.EditGroupRule(t.Context(), r.ID, promotion.GroupRuleChange{Discount: new(money.Amount(2100))})
	require.ErrorIs(t, err, errno.Invalid)
	require.Equal(t, "20.01", s.Text("SELECT retail_price FROM goods"))

	s.Exec("UPDATE goods_product SET price = 10") // as an earlier release allowed
	s.Exec("UPDATE goods SET retail_price = 10")
	require.NoError(t, cut(t, s, tea, 1500), "a dearer price is a step the right way")
	require.NoError(t, s.Promotions.DropGroupRule(t.Context(), r.ID))
	require.NoError(t, cut(t, s, tea, 100), "the offer has ended")
}

// An operator cuts a price while another creates a rule or raises its discount: one of them is refused.
func TestRuleAndPriceCutConcurrently(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	for round := range 8 {
		tea := s.Product(fmt.Sprint("tea", round), 10000, 1)
		var r promotion.GroupRule
		if round%2 == 1 {
			var err error
			r, err = s.Promotions.AddGroupRule(t.Context(), offered(s, tea, 100))
			require.NoError(t, err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { _ = cut(t, s, tea, 3000) })
		wg.Go(func() {
			if r.ID != 0 {
				_, _ = s.Promotions.EditGroupRule(t.Context(), r.ID, promotion.GroupRuleChange{Discount: new(money.Amount(5000))})
				return
			}
			_, _ = s.Promotions.AddGroupRule(t.Context(), offered(s, tea, 5000))
		})
		wg.Wait()
		require.Zero(t, s.Int("SELECT COUNT(*) FROM groupon_rules r JOIN goods g ON g.id = r.goods_id "+
			"WHERE r.status = 0 AND g.retail_price <= r.discount"), "round %d", round)
	}
}
