package order_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/audit"
)

// Purchases with a coupon, in a group or with other goods are made beside the queue of a hot product. Together with
// those in it they get as many pieces as there are, and only who got one has spent a coupon or a place.
func TestAHotProductInEveryWay(t *testing.T) {
	t.Parallel()
	r := openRush(t, 3, 60, hot)
	pot := r.Product("pot", 9900, 500)
	rule, err := r.Promotions.CreateGroupRule(t.Context(), promotion.GroupRule{
		GoodsID: r.tea.GoodsID, GoodsName: "tea", Discount: money.Yuan(20), Members: 2,
		ExpireTime: r.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	all := r.buyers(120)
	for i := range all {
		b := &all[i]
		switch i % 4 {
		case 0:
			b.Coupon, b.UserCoupon = r.Coupon(b.shopper, 100, 0)
		case 1:
			b.Rule = rule
		case 2:
			_, err := r.Cart.Set(t.Context(), b.shopper, pot)
			require.NoError(t, err)
			b.Cart = cart.Everything
		}
	}
	require.Equal(t, outcomes{0: 60, 711: 60}, domaintest.AtOnce(submits(all...)...))
	require.Zero(t, r.Stock(r.tea))
	require.Positive(t, r.gathered())
	require.Equal(t, r.Int("SELECT COUNT(*) FROM orders WHERE coupon_price > 0"),
		r.Int("SELECT COUNT(*) FROM coupon_user WHERE order_id IS NOT NULL"))
	require.Equal(t, r.Int("SELECT COUNT(*) FROM orders WHERE groupon_price > 0"), r.Int("SELECT COUNT(*) FROM groupon"))
	require.EqualValues(t, 500-r.Stock(pot), r.Int("SELECT COUNT(*) FROM order_goods WHERE product_id = ?", pot.ProductID))
	r.Agree()
}

// restock lets staff, in a process of their own, say how many pieces there are.
func (r *rush) restock(pieces int) error {
	ctx := audit.With(r.t.Context(), audit.Call{By: clerk, Name: "clerk", Target: "goods", At: r.Clock.Now()})
	return r.Catalog.Edit(ctx, clerk, catalog.GoodsEdit{
		ID: r.tea.GoodsID,
		Products: []catalog.ProductEdit{{
			ID: r.tea.ProductID, Edited: true, Specifications: []string{"标准"}, Price: 4550, Number: pieces,
		}},
	})
}

// Stock that staff add while every process refuses the product from memory is for sale within a second, all of it and
// no more, also if they add it in the middle of a rush.
func TestStaffRestockASoldOutProduct(t *testing.T) {
	t.Parallel()
	r := openRush(t, 2, 3, hot)
	first, late, rush, again := r.buyers(10), r.buyers(8), r.buyers(20), r.buyers(20)
	require.Equal(t, outcomes{0: 3, 711: 7}, domaintest.AtOnce(submits(first...)...))
	// A shortage is remembered for a moment, in which a busy machine may not finish one round.
	refused := func() bool {
		return !slices.ContainsFunc(r.replicas, func(d *app.Domain) bool { return d.Orders.HotState().SoldOut == 0 })
	}
	for round := 0; round < 20 && (round == 0 || !refused()); round++ {
		require.Equal(t, outcomes{711: 8}, domaintest.AtOnce(submits(late...)...))
	}
	require.True(t, refused(), "refused from memory")
	require.NoError(t, r.restock(5))
	r.Clock.Move(time.Second)
	require.Equal(t, outcomes{0: 5, 711: 3}, domaintest.AtOnce(submits(late...)...))

	got := domaintest.AtOnce(append(submits(rush...), func() error { return r.restock(4) })...)
	require.Equal(t, 21, got[0]+got[711], got)
	r.Clock.Move(time.Second)
	then := domaintest.AtOnce(submits(again...)...)
	require.Equal(t, 1+4, got[0]+then[0], "the edit and what it added")
	require.Zero(t, r.Stock(r.tea))
	r.Agree()
}
