package order_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/audit"
)

// between runs a function once, after a purchase has read the inputs of its price and before it has locked any.
func between(ctx context.Context, change func()) context.Context {
	var once sync.Once
	ctx, _ = domaintest.Listen(ctx, func(statement string) {
		if strings.HasPrefix(statement, "INSERT INTO `order_goods`") {
			once.Do(change)
		}
	})
	return ctx
}

// An input of a price changes between reading and locking: no order gets the old price.
func TestWhatAPriceIsMadeOf(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	c := newGroupShop(t, s, 3)
	beans := s.Product("beans", 10000, 100)
	lin := c.member()
	coupon, held := s.Coupon(lin, 1000, 0)
	edit := func(change promotion.CouponChange) func() {
		return func() {
			_, err := s.Promotions.EditCoupon(t.Context(), coupon, change)
			require.NoError(t, err)
		}
	}
	rule := func(change promotion.GroupRuleChange) func() {
		return func() {
			_, err := s.Promotions.EditGroupRule(t.Context(), c.rule, change)
			require.NoError(t, err)
		}
	}
	withdrawn := promotion.Withdrawn
	for _, tt := range []struct {
		name    string
		change  func()
		restore func()
		want    *errno.Code
	}{
		{
			"the offer is on other goods", rule(promotion.GroupRuleChange{GoodsID: &beans.GoodsID}),
			rule(promotion.GroupRuleChange{GoodsID: &c.tea.GoodsID}), errno.Stale,
		},
		{
			"the offer gives less", rule(promotion.GroupRuleChange{Discount: new(money.Yuan(10))}),
			rule(promotion.GroupRuleChange{Discount: new(money.Yuan(20))}), errno.Stale,
		},
		{
			"the coupon is withdrawn", edit(promotion.CouponChange{Status: &withdrawn}),
			edit(promotion.CouponChange{Status: new(promotion.Normal)}), errno.Invalid,
		},
		{
			"the goods are in another category", func() { s.Exec("UPDATE goods SET category_id = 7 WHERE id = ?", c.tea.GoodsID) },
			func() { s.Exec("UPDATE goods SET category_id = 0 WHERE id = ?", c.tea.GoodsID) }, errno.Stale,
		},
		{
			"the goods cost more", func() { s.Exec("UPDATE goods_product SET price = 200 WHERE id = ?", c.tea.ProductID) },
			func() { s.Exec("UPDATE goods_product SET price = 100 WHERE id = ?", c.tea.ProductID) }, errno.Stale,
		},
		{"nothing has changed", func() {}, func() {}, errno.OK},
	} {
		row, err := s.Cart.Set(t.Context(), lin, c.tea)
		require.NoError(t, err)
		sub := c.submission(lin, row, 0)
		sub.Coupon, sub.UserCoupon = coupon, held
		_, err = s.Orders.Submit(between(t.Context(), tt.change), lin, sub)
		require.Equal(t, tt.want, errno.Of(err), "%s: %v", tt.name, err)
		require.Equal(t, tt.want == errno.OK, s.Int("SELECT COUNT(*) FROM orders") == 1, tt.name)
		tt.restore()
	}
	require.Equal(t, "80.00 10.00", s.Text("SELECT CONCAT(goods_price, ' ', coupon_price) FROM orders"))
	s.Agree()
}

// An operator moves a rule to other goods and changes its discount while shoppers buy under it: no order gets the
// discount of another version of the rule.
func TestRuleChangesWhileShoppersBuy(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		c := newGroupShop(t, s, 3)
		beans := s.Product(s.Text("SELECT CONCAT('beans', COUNT(*)) FROM goods"), 10000, 1000)
		calls := c.joining(20, 0)
		calls = append(calls, func() error {
			time.Sleep(time.Duration(round*5) * time.Millisecond) // lasts: until somewhere among the purchases
			change := promotion.GroupRuleChange{GoodsID: &beans.GoodsID, Discount: new(money.Yuan(5))}
			if round%2 == 1 {
				change.GoodsID = nil
			}
			_, err := s.Promotions.EditGroupRule(t.Context(), c.rule, change)
			return err
		})
		got := domaintest.AtOnce(calls...)
		require.Equal(t, 21, got[0]+got[402]+got[504], "%v", got)
		require.Zero(t, s.Int("SELECT COUNT(*) FROM groupon g JOIN groupon_rules r ON r.id = g.rules_id "+
			"JOIN order_goods l ON l.order_id = g.order_id WHERE r.id = ? AND l.goods_id <> r.goods_id", c.rule),
			"an order under an offer on other goods")
		require.Zero(t, s.Int("SELECT COUNT(*) FROM groupon a JOIN orders x ON x.id = a.order_id "+
			"JOIN groupon b ON b.rules_id = a.rules_id JOIN orders y ON y.id = b.order_id "+
			"WHERE a.rules_id = ? AND a.id > b.id AND x.groupon_price = 20 AND y.groupon_price = 5", c.rule),
			"the old reduction after the new one")
		t.Log(got)
	})
}

// An operator changes the discount of a coupon while those who have received it buy: each gets what was promised.
func TestACouponChangesWhileShoppersBuy(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		tea := s.Product(s.Text("SELECT CONCAT('tea', COUNT(*)) FROM goods"), 10000, 1000)
		id, err := s.Promotions.Create(t.Context(), promotion.Coupon{Name: "any", Discount: 1000, Days: 30, PerShopper: 1})
		require.NoError(t, err)
		var calls []func() error
		for range 20 {
			shopper := s.Shopper(s.Text("SELECT CONCAT('buyer', COUNT(*)) FROM user"))
			to := s.Address(shopper)
			require.NoError(t, s.Promotions.Receive(t.Context(), shopper, id))
			row, err := s.Cart.Set(t.Context(), shopper, tea)
			require.NoError(t, err)
			calls = append(calls, func() error {
				_, err := s.Orders.Submit(t.Context(), shopper, order.Submission{
					Choice: order.Choice{Cart: row, Address: to, Coupon: id},
				})
				return err
			})
		}
		calls = append(calls, func() error {
			time.Sleep(time.Duration(round*5) * time.Millisecond) // lasts: until somewhere among the purchases
			ctx := audit.With(t.Context(), audit.Call{
				By: actor.Actor{Kind: actor.KindOperator, ID: 1}, Name: "editor", Operation: "POST /admin/coupon/update",
				Target: "coupon", At: s.Clock.Now(),
			})
			_, err := s.Promotions.EditCoupon(ctx, id, promotion.CouponChange{Discount: new(money.Yuan(1))})
			return err
		})
		got := domaintest.AtOnce(calls...)
		require.Equal(t, 21, got[0]+got[504], "%v", got)
		require.Zero(t, s.Int("SELECT COUNT(*) FROM orders WHERE coupon_price NOT IN (0, 10)"))
		t.Log(got)
	})
}
