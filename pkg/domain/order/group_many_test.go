package order_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
)

// statementsOfGroup is the maximum number of statements that end a group without refunds.
const statementsOfGroup = 5

// gather opens n groups under the rule whose orders are shipped already.
func (c *groupShop) gather(n int) {
	c.t.Helper()
	numbers := "(WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < ?) SELECT n FROM c) x"
	c.Exec("INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price, "+
		"coupon_price, order_price, actual_price, add_time, update_time) SELECT n, CONCAT('G', n), 301, '', '', '', 1, 0, 0, "+
		"1, 1, '2030-01-01', '2030-01-01' FROM "+numbers, n)
	c.Exec("INSERT INTO groupon (order_id, rules_id, user_id, creator_user_id, status, add_time, update_time) "+
		"SELECT id, ?, user_id, user_id, 1, '2030-01-01', '2030-01-01' FROM orders", c.rule)
}

// Deleting goods, or their rule, ends a bounded number of groups; the job ends the others.
func TestManyGroupsEndLater(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(context.Context, *groupShop) error{
		"goods": func(ctx context.Context, c *groupShop) error { return c.Catalog.Remove(ctx, c.tea.GoodsID) },
		"offer": func(ctx context.Context, c *groupShop) error { return c.Orders.DropGroupRule(ctx, c.rule) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newGroupShop(t, domaintest.Open(t), 3)
			c.gather(150)
			open := func() int { return int(c.Int("SELECT COUNT(*) FROM groupon WHERE status = 1")) }
			ctx, statements := domaintest.Count(t.Context())
			require.NoError(t, remove(ctx, c))
			left := open()
			require.GreaterOrEqual(t, left, 50)
			require.Less(t, left, 150, "some end at once")
			require.Less(t, statements(), 20+100*statementsOfGroup)
			ended, err := c.Orders.EndGroupRules(t.Context())
			require.NoError(t, err)
			require.Equal(t, left, ended)
			require.Zero(t, open())
		})
	}
}
