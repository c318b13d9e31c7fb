package order_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
)

// requireAtomic lets each statement of a function fail in turn, and requires that nothing has changed before it succeeds.
func (c *groupShop) requireAtomic(deed func(ctx context.Context) error) {
	c.t.Helper()
	before := state(c.Shop)
	c.FailEach(deed, func(n int) { require.Equal(c.t, before, state(c.Shop), "statement %d", n) })
	require.NotEqual(c.t, before, state(c.Shop))
}

// pays is the platform's notification that an order is paid.
func (c *groupShop) pays(id int64) func(ctx context.Context) error {
	c.t.Helper()
	header, body, err := c.Sandbox.Compose(c.t.Context(), c.Notification(id))
	require.NoError(c.t, err)
	return func(ctx context.Context) error { return c.Orders.HandleNotification(ctx, header.Get, body) }
}

// submits is the purchase of one tea under the rule.
func (c *groupShop) submits(link int64) func(ctx context.Context) error {
	c.t.Helper()
	shopper := c.member()
	row, err := c.Cart.Set(c.t.Context(), shopper, c.tea)
	require.NoError(c.t, err)
	sub := c.submission(shopper, row, link)
	return func(ctx context.Context) error {
		_, err := c.Orders.Submit(ctx, shopper, sub)
		return err
	}
}

// Opening, joining and paying for a group are atomic, whichever statement fails.
func TestGroupGrowthIsAtomic(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 2)
	c.requireAtomic(c.submits(0))
	opener, group := c.Int("SELECT order_id FROM groupon"), c.Int("SELECT id FROM groupon")
	payable := func(id int64) {
		_, err := c.Orders.Prepay(t.Context(), c.Int("SELECT user_id FROM orders WHERE id = ?", id), id, "192.0.2.1")
		require.NoError(t, err)
	}
	payable(opener)
	c.requireAtomic(c.pays(opener))
	require.Equal(t, "1/201", c.shows(group))

	c.requireAtomic(c.submits(group))
	joiner := c.Int("SELECT MAX(order_id) FROM groupon")
	require.EqualValues(t, 1, c.seats(group))
	payable(joiner)
	c.requireAtomic(c.pays(joiner))
	require.Equal(t, "2/201 2/201", c.shows(group), "the last payment has completed the group")
}

// A free group purchase is submitted, paid and settled atomically.
func TestFreeGroupPurchaseIsAtomic(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 2)
	lin := c.member()
	free, _ := c.Coupon(lin, money.Yuan(1000), 0)
	row, err := c.Cart.Set(t.Context(), lin, c.tea)
	require.NoError(t, err)
	sub := c.submission(lin, row, 0)
	sub.Coupon = free
	c.requireAtomic(func(ctx context.Context) error {
		_, err := c.Orders.Submit(ctx, lin, sub)
		return err
	})
	require.Equal(t, "1/201", c.shows(c.Int("SELECT id FROM groupon")))
}

// A payment after the end of a rule is refunded in the transaction that records it.
func TestLatePaymentIsAtomic(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 3)
	_, opener := c.paid(0)
	_, late := c.unpaid(opener.Group)
	c.Clock.Move(61 * time.Minute)
	c.requireAtomic(c.pays(late.OrderID))
	require.Equal(t, "1/201 3/202", c.shows(opener.Group))
}

func TestLeavingIsAtomic(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 9)
	lin, opener := c.paid(0)
	mei, paid := c.paid(opener.Group)
	tom, unpaid := c.unpaid(opener.Group)
	c.paid(opener.Group)
	c.unpaid(opener.Group)
	c.requireAtomic(func(ctx context.Context) error { return c.Orders.Cancel(ctx, tom, unpaid.OrderID) })
	require.Equal(t, "1/201 1/201 3/102 1/201 0/101", c.shows(opener.Group))
	c.requireAtomic(func(ctx context.Context) error { return c.Orders.AskRefund(ctx, mei, paid.OrderID) })
	require.Equal(t, "1/201 3/202 3/102 1/201 0/101", c.shows(opener.Group))
	c.requireAtomic(func(ctx context.Context) error { return c.Orders.AskRefund(ctx, lin, opener.OrderID) })
	require.Equal(t, "3/202 3/202 3/102 3/202 3/103", c.shows(opener.Group))
	require.Equal(t, 1000-3, c.Stock(c.tea), "the goods of those who have paid are kept until their money is back")
}

// A group fails with all its members or none, and the next run completes what a failure interrupted.
func TestGroupFailureIsAtomic(t *testing.T) {
	t.Parallel()
	ends := map[string]func(c *groupShop, ctx context.Context) error{
		"by time": func(c *groupShop, ctx context.Context) error {
			_, err := c.Orders.EndGroupRules(ctx)
			return err
		},
		"by an operator": func(c *groupShop, ctx context.Context) error {
			return c.Orders.CloseGroupRule(ctx, c.rule, promotion.GroupRuleTakenDown)
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			c := newGroupShop(t, domaintest.Open(t), 9)
			_, opener := c.paid(0)
			c.paid(opener.Group)
			c.unpaid(opener.Group)
			c.unpaid(opener.Group)
			c.Clock.Move(61 * time.Minute)
			before := state(c.Shop)
			c.FailEach(func(ctx context.Context) error {
				// The rule is closed in a separate transaction: each run begins with a running one.
				c.Exec("UPDATE groupon_rules SET status = 0, active_mark = 0, version = 0")
				return end(c, ctx)
			}, func(n int) {
				if c.shows(opener.Group) == "3/202 3/202 3/103 3/103" {
					return // the search for more groups failed, after the end of this one
				}
				require.Equal(t, before, state(c.Shop), "statement %d", n)
			})
			require.Equal(t, "3/202 3/202 3/103 3/103", c.shows(opener.Group))
			require.Zero(t, c.seats(opener.Group))
			require.Zero(t, c.Int("SELECT COUNT(*) FROM groupon_rules WHERE status = 0"))
			require.Equal(t, 1000-2, c.Stock(c.tea))
		})
	}
}

// A group that cannot be ended does not stop the others, and stays unchanged until the next run.
func TestFailingGroupBlocksNoOther(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 9)
	var groups []int64
	for range 2 {
		_, opener := c.paid(0)
		c.unpaid(opener.Group)
		groups = append(groups, opener.Group)
	}
	c.Clock.Move(61 * time.Minute)
	const open, failed = "1/201 0/101", "3/202 3/103"
	left := 0
	c.FailEach(func(ctx context.Context) error {
		_, err := c.Orders.EndGroupRules(ctx)
		return err
	}, func(n int) {
		shown := []string{c.shows(groups[0]), c.shows(groups[1])}
		require.Subset(t, []string{open, failed}, shown, "statement %d", n)
		if shown[0] != shown[1] {
			left++
		}
	})
	require.Positive(t, left, "one was ended, the other was not")
	for _, group := range groups {
		require.Equal(t, failed, c.shows(group))
	}
}

// However the refund of a member is interrupted, the outbox or another attempt completes it once, and the group
// continues without the member.
func TestAMembersRefundSurvivesEveryFailure(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 200)
	c.Exec("UPDATE groupon_rules SET expire_time = '2031-01-01'")
	_, opener := c.paid(0)
	stock := c.Stock(c.tea)
	for n := 1; ; n++ {
		require.Less(t, n, 60)
		mei, joined := c.paid(opener.Group)
		require.NoError(t, c.Orders.AskRefund(t.Context(), mei, joined.OrderID))
		ctx, reached := domaintest.FailAt(t.Context(), n)
		err := c.Orders.Refund(ctx, actor.Operator(1), joined.OrderID, 8800)
		c.Agree()
		if !reached() {
			require.NoError(t, err)
			require.Greater(t, n, 15)
			break
		}
		require.Error(t, err, "statement %d", n)
		c.Clock.Move(10 * time.Minute)
		_, err = c.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		c.Clock.Move(10 * time.Minute)
		err = c.Orders.Refund(t.Context(), actor.Operator(1), joined.OrderID, 8800)
		if err != nil && !errors.Is(err, errno.OrderConfirmNotAllowed) {
			t.Fatal(n, err)
		}
		require.EqualValues(t, order.Refunded, c.Int("SELECT order_status FROM orders WHERE id = ?", joined.OrderID), n)
		require.EqualValues(t, n, c.Int("SELECT COUNT(*) FROM refund WHERE status = 2"))
		require.Equal(t, stock, c.Stock(c.tea), "statement %d", n)
		require.Zero(t, c.seats(opener.Group))
		c.Agree()
	}
	require.Equal(t, stock, c.Stock(c.tea))
}
