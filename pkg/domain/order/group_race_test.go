package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
)

// joining are new members, each with one call that submits.
func (c *groupShop) joining(n int, link int64) []func() error {
	c.t.Helper()
	calls := make([]func() error, n)
	for i := range calls {
		shopper := c.member()
		row, err := c.Cart.Set(c.t.Context(), shopper, c.tea)
		require.NoError(c.t, err)
		sub := c.submission(shopper, row, link)
		calls[i] = func() error {
			_, err := c.Orders.Submit(c.t.Context(), shopper, sub)
			return err
		}
	}
	return calls
}

// Unpaid joiners count too.
func TestTheLastPlace(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, _ int) {
		c := newGroupShop(t, s, 3)
		_, opener := c.paid(0)
		c.unpaid(opener.Group)
		require.Equal(t, outcomes{0: 1, 732: 19}, domaintest.AtOnce(c.joining(20, opener.Group)...))
		require.EqualValues(t, 2, c.seats(opener.Group))
		require.Equal(t, 997, c.Stock(c.tea))
	})
}

// A shopper who submits concurrently gets one place.
func TestTheSameMemberTwice(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, _ int) {
		c := newGroupShop(t, s, 9)
		_, opener := c.paid(0)
		shopper := c.member()
		row, err := c.Cart.Set(t.Context(), shopper, c.tea)
		require.NoError(t, err)
		sub := c.submission(shopper, row, opener.Group)
		got := domaintest.Together(8, func(int) error {
			_, err := c.Orders.Submit(t.Context(), shopper, sub)
			return err
		})
		require.Equal(t, outcomes{0: 1, 402: 7}, got)
		require.EqualValues(t, 1, c.seats(opener.Group))
	})
}

// Concurrent payments complete the group once, and an opener alone completes nothing.
func TestPaymentsCompleteAGroup(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, _ int) {
		c := newGroupShop(t, s, 8)
		_, opener := c.paid(0)
		var orders []int64
		for range 7 {
			_, placed := c.unpaid(opener.Group)
			orders = append(orders, placed.OrderID)
		}
		calls := domaintest.Times(21, func(i int) error { return c.Deliver(c.Notification(orders[i%7])) })
		require.Equal(t, outcomes{0: 21}, domaintest.AtOnce(calls...))
		require.EqualValues(t, 8, c.Int("SELECT COUNT(*) FROM groupon WHERE status = 2 AND ? IN (id, groupon_id)", opener.Group))
		require.EqualValues(t, 8, c.Int("SELECT COUNT(*) FROM orders o JOIN groupon g ON g.order_id = o.id "+
			"WHERE o.order_status = 201 AND ? IN (g.id, g.groupon_id)", opener.Group))
	})
}

// settled fails the test if a group is in a state that no sequence of events leads to.
func (c *groupShop) settled(group int64) (opener promotion.MemberStatus) {
	c.t.Helper()
	opener = promotion.MemberStatus(c.Int("SELECT status FROM groupon WHERE id = ?", group))
	wrong := map[promotion.MemberStatus]string{
		promotion.MemberSucceeded: "(1, 3)", promotion.MemberFailed: "(0, 1, 2)",
	}[opener]
	require.NotEmpty(c.t, wrong, "the group ends in %d", opener)
	require.Zero(c.t, c.Int("SELECT COUNT(*) FROM groupon WHERE groupon_id = ? AND status IN "+wrong, group), c.shows(group))
	return opener
}

// The opener requests a refund while the last joiner pays and others join: the group succeeds or fails as a whole.
func TestOpenerLeavesWhileJoinersPay(t *testing.T) {
	t.Parallel()
	seen := map[promotion.MemberStatus]int{}
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		c := newGroupShop(t, s, 3+round%2)
		lin, opener := c.paid(0)
		c.paid(opener.Group)
		_, joined := c.unpaid(opener.Group)
		late := c.joining(3, opener.Group)
		notice := c.Notification(joined.OrderID)
		calls := append([]func() error{
			func() error { return c.Orders.AskRefund(t.Context(), lin, opener.OrderID) },
			func() error { return c.Deliver(notice) },
			func() error { return c.Deliver(notice) },
		}, late...)
		got := domaintest.AtOnce(calls...)
		require.Zero(t, got[502]+got[504], "%v", got)
		require.EqualValues(t, order.RefundAsked, c.Int("SELECT order_status FROM orders WHERE id = ?", opener.OrderID))
		seen[c.settled(opener.Group)]++
	})
	t.Log(seen)
}

// The end of a rule and a payment are serialized.
func TestRuleEndsWhileJoinersPay(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		c := newGroupShop(t, s, 4)
		_, opener := c.paid(0)
		var calls []func() error
		for range 3 {
			_, placed := c.unpaid(opener.Group)
			notice := c.Notification(placed.OrderID)
			calls = append(calls, func() error { return c.Deliver(notice) })
		}
		calls = append(calls, c.joining(2, 0)...)
		if round%2 == 0 {
			calls = append(calls, func() error { return c.Orders.CloseGroupRule(t.Context(), c.rule, promotion.GroupRuleTakenDown) })
		} else {
			c.Clock.Move(time.Hour)
		}
		calls = append(calls, domaintest.Times(3, func(int) error {
			_, err := c.Orders.EndGroupRules(t.Context())
			return err
		})...)
		got := domaintest.AtOnce(calls...)
		require.Zero(t, got[502]+got[504], "%v", got)
		_, err := c.Orders.EndGroupRules(t.Context())
		require.NoError(t, err)
		c.settled(opener.Group)
		require.Zero(t, c.Int("SELECT COUNT(*) FROM groupon WHERE rules_id = ? AND status IN (0, 1)", c.rule), "nothing is left open")
	})
}

func TestCancelAndPayInAGroup(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, _ int) {
		c := newGroupShop(t, s, 3)
		_, opener := c.paid(0)
		shopper, joined := c.unpaid(opener.Group)
		notice := c.Notification(joined.OrderID)
		got := domaintest.AtOnce(append(domaintest.Times(4, func(int) error { return c.Deliver(notice) }),
			domaintest.Times(4, func(int) error { return c.Orders.Cancel(t.Context(), shopper, joined.OrderID) })...)...)
		require.Equal(t, 8, got[0]+got[725], "%v", got)
		require.Contains(t, []string{"1/201 1/201", "1/201 3/102"}, c.shows(opener.Group))
	})
}
