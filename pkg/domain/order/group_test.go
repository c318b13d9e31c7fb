package order_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
)

// groupShop is a shop with tea for group purchases.
type groupShop struct {
	*domaintest.Shop
	t     testing.TB
	tea   cart.AddRequest
	rule  int64
	names int
}

// newGroupShop sells tea of 100.00 for 80.00 to groups, for an hour.
func newGroupShop(t testing.TB, s *domaintest.Shop, members int) *groupShop {
	t.Helper()
	c := &groupShop{Shop: s, t: t, names: int(s.Int("SELECT COUNT(*) FROM user"))}
	c.tea = s.Product(fmt.Sprint("tea", s.Int("SELECT COUNT(*) FROM goods")), 10000, 1000)
	c.rule = c.offer(c.tea, members)
	return c
}

func (c *groupShop) offer(w cart.AddRequest, members int) int64 {
	c.t.Helper()
	id, err := c.Promotions.CreateGroupRule(c.t.Context(), promotion.GroupRule{
		GoodsID: w.GoodsID, GoodsName: "tea", Discount: money.Yuan(20), Members: members,
		ExpireTime: c.Clock.Now().Add(time.Hour),
	})
	require.NoError(c.t, err)
	return id
}

// member creates a shopper with an address.
func (c *groupShop) member() int64 {
	c.t.Helper()
	c.names++
	id := c.Shopper(fmt.Sprint("member", c.names))
	c.Address(id)
	return id
}

// buy submits one tea under the rule; link is 0 to open a group.
func (c *groupShop) buy(shopper, link int64) (order.Placed, error) {
	c.t.Helper()
	row, err := c.Cart.Set(c.t.Context(), shopper, c.tea)
	require.NoError(c.t, err)
	return c.Orders.Submit(c.t.Context(), shopper, c.submission(shopper, row, link))
}

func (c *groupShop) submission(shopper, row, link int64) order.Submission {
	return order.Submission{
		Choice: order.Choice{
			Cart: row, Rule: c.rule, Address: c.Int("SELECT MAX(id) FROM address WHERE user_id = ?", shopper),
		},
		Link: link,
	}
}

// unpaid adds a new member, and returns the shopper and the order.
func (c *groupShop) unpaid(link int64) (shopper int64, placed order.Placed) {
	c.t.Helper()
	shopper = c.member()
	placed, err := c.buy(shopper, link)
	require.NoError(c.t, err)
	_, err = c.Orders.Prepay(c.t.Context(), shopper, placed.OrderID, "192.0.2.1", "", "")
	require.NoError(c.t, err)
	return shopper, placed
}

// paid is unpaid followed by a payment.
func (c *groupShop) paid(link int64) (shopper int64, placed order.Placed) {
	c.t.Helper()
	shopper, placed = c.unpaid(link)
	require.NoError(c.t, c.Deliver(c.Notification(placed.OrderID)))
	return shopper, placed
}

// shows returns the states of the member and the order of each member of a group, the opener first: "1/201 0/101".
func (c *groupShop) shows(group int64) string {
	c.t.Helper()
	return c.Text("SELECT GROUP_CONCAT(CONCAT(g.status, '/', o.order_status) ORDER BY g.id SEPARATOR ' ') FROM groupon g "+
		"JOIN orders o ON o.id = g.order_id WHERE ? IN (g.id, g.groupon_id)", group)
}

func (c *groupShop) seats(group int64) int64 {
	c.t.Helper()
	return c.Int("SELECT member_count FROM groupon WHERE id = ?", group)
}

func TestGroupCompletes(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 3)
	_, opener := c.unpaid(0)
	require.NotZero(t, opener.Group)
	require.Equal(t, "0/101", c.shows(opener.Group))
	_, err := c.buy(c.member(), opener.Group)
	require.ErrorIs(t, err, errno.Invalid, "nobody joins a group that is not paid for")
	require.NoError(t, c.Deliver(c.Notification(opener.OrderID)))
	require.NoError(t, c.Deliver(c.Notification(opener.OrderID)), "a repeated notice changes nothing")
	require.Equal(t, "1/201", c.shows(opener.Group))

	_, first := c.paid(opener.Group)
	require.Equal(t, opener.Group, first.Group)
	require.Equal(t, "1/201 1/201", c.shows(opener.Group))
	ship := func(id int64) error { return c.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "1") }
	require.ErrorIs(t, ship(opener.OrderID), errno.OrderConfirmNotAllowed, "the goods wait for the group")
	link := c.Int("SELECT id FROM groupon WHERE order_id = ?", first.OrderID)
	second, last := c.unpaid(link)
	require.Equal(t, opener.Group, last.Group, "a joiner's part leads to the group")
	require.EqualValues(t, 2, c.seats(opener.Group))
	_, err = c.buy(c.member(), opener.Group)
	require.ErrorIs(t, err, errno.GrouponFull, "an unpaid joiner holds a place")
	require.NoError(t, c.Deliver(c.Notification(last.OrderID)))
	require.Equal(t, "2/201 2/201 2/201", c.shows(opener.Group))
	require.NoError(t, ship(opener.OrderID))
	_, err = c.buy(c.member(), opener.Group)
	require.ErrorIs(t, err, errno.GrouponFull)
	c.Agree()

	// A completed group stays complete, whatever happens to the orders and the rule.
	require.NoError(t, c.Orders.AskRefund(t.Context(), second, last.OrderID))
	require.Equal(t, "2/301 2/201 2/202", c.shows(opener.Group))
	require.NoError(t, c.Orders.RejectRefund(t.Context(), actor.Operator(1), last.OrderID, "no"))
	require.NoError(t, c.Orders.AskRefund(t.Context(), second, last.OrderID))
	require.NoError(t, c.Orders.Refund(t.Context(), actor.Operator(1), last.OrderID, 8800))
	require.Equal(t, "2/301 2/201 2/203", c.shows(opener.Group))
	require.EqualValues(t, 1, c.seats(opener.Group), "the refunded order holds no place")
	require.NoError(t, c.Orders.CloseGroupRule(t.Context(), c.rule, promotion.GroupRuleTakenDown))
	require.Equal(t, "2/301 2/201 2/203", c.shows(opener.Group))
	c.Agree()
}

// A discount above the price makes it 0, never negative.
func TestGroupPrices(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	c := newGroupShop(t, s, 2)
	lin := c.member()
	coupon, _ := s.Coupon(lin, money.Yuan(10), money.Yuan(160))
	dear, _ := s.Coupon(lin, money.Yuan(15), money.Yuan(161))
	c.tea.Number = 2
	row, err := s.Cart.Set(t.Context(), lin, c.tea)
	require.NoError(t, err)
	sub := c.submission(lin, row, 0)
	sub.Coupon = coupon
	want := order.Price{Goods: 16000, Coupon: 1000, Groupon: 2000, Total: 15000, Actual: 15000}
	q, err := s.Orders.Quote(t.Context(), lin, sub.Choice)
	require.NoError(t, err)
	require.Equal(t, want, q.Price)
	require.Equal(t, c.rule, q.Rule.ID)
	require.Len(t, q.Usable, 1, "a coupon's minimum is after the group's reduction")
	bad := sub
	bad.Coupon = dear
	_, err = s.Orders.Submit(t.Context(), lin, bad)
	require.ErrorIs(t, err, errno.Invalid)
	placed, err := s.Orders.Submit(t.Context(), lin, sub)
	require.NoError(t, err)
	o, err := s.Orders.Find(t.Context(), lin, placed.OrderID)
	require.NoError(t, err)
	require.Equal(t, want, o.Price)
	require.Equal(t, money.Amount(10000), o.Lines[0].Price)
	require.Equal(t, money.Amount(5000), o.Lines[0].Reduction, "both reductions fall on the line")
	s.Agree()

	// A discount above the price makes the goods free, and nothing else.
	gum := s.Product("gum", 500, 10)
	c.tea, c.rule = gum, c.offer(gum, 2)
	free, _ := s.Coupon(lin, money.Yuan(100), 0)
	row, err = s.Cart.Set(t.Context(), lin, gum)
	require.NoError(t, err)
	sub = c.submission(lin, row, 0)
	sub.Coupon = free
	placed, err = s.Orders.Submit(t.Context(), lin, sub)
	require.NoError(t, err)
	require.True(t, placed.Paid)
	o, err = s.Orders.Find(t.Context(), lin, placed.OrderID)
	require.NoError(t, err)
	require.Equal(t, order.Price{Freight: 800, Coupon: 800, Groupon: 2000}, o.Price)
	require.Equal(t, "1/201", c.shows(placed.Group), "an order that costs nothing opens its group at once")
	s.Agree()
}

// The goods must be those of the rule, and the group must be one of the rule that can be joined.
func TestEntryRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		arrange func(c *groupShop, sub *order.Submission)
		want    error
	}{
		"an unknown offer":        {func(_ *groupShop, sub *order.Submission) { sub.Rule = 99 }, errno.Invalid},
		"an offer on other goods": {func(c *groupShop, sub *order.Submission) { sub.Rule = c.offer(c.Product("pot", 100, 1), 2) }, errno.Invalid},
		"an offer that is over":   {func(c *groupShop, _ *order.Submission) { c.Clock.Move(time.Hour) }, errno.GrouponExpired},
		"an expired offer": {func(c *groupShop, _ *order.Submission) {
			c.Exec("UPDATE groupon_rules SET status = 1, active_mark = id")
		}, errno.GrouponExpired},
		"an offer taken down": {func(c *groupShop, _ *order.Submission) {
			c.Exec("UPDATE groupon_rules SET status = 2, active_mark = id")
		}, errno.GrouponOffline},
		"a deleted offer": {func(c *groupShop, _ *order.Submission) {
			c.Exec("UPDATE groupon_rules SET deleted = 1, active_mark = id")
		}, errno.GrouponOffline},
		"an unknown group":         {func(_ *groupShop, sub *order.Submission) { sub.Link = 99 }, errno.Invalid},
		"a group of another offer": {func(c *groupShop, _ *order.Submission) { c.Exec("UPDATE groupon SET rules_id = 9") }, errno.Invalid},
		"a group not paid for":     {func(c *groupShop, sub *order.Submission) { _, p := c.unpaid(0); sub.Link = p.Group }, errno.Invalid},
		"a group that has failed":  {func(c *groupShop, _ *order.Submission) { c.Exec("UPDATE groupon SET status = 3, active_mark = id") }, errno.GrouponExpired},
		"a group that is complete": {func(c *groupShop, _ *order.Submission) { c.Exec("UPDATE groupon SET status = 2") }, errno.GrouponFull},
		"a group without a place":  {func(c *groupShop, sub *order.Submission) { c.unpaid(sub.Link) }, errno.GrouponFull},
		"their own group": {func(c *groupShop, _ *order.Submission) {
			c.Exec("UPDATE groupon SET creator_user_id = (SELECT MAX(id) FROM user)")
		}, errno.GrouponJoined},
		"too little stock, in time": {func(c *groupShop, _ *order.Submission) { c.Exec("UPDATE goods_product SET number = 0") }, errno.GoodsNoStock},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := newGroupShop(t, domaintest.Open(t), 2)
			_, opener := c.paid(0)
			lin := c.member()
			row, err := c.Cart.Set(t.Context(), lin, c.tea)
			require.NoError(t, err)
			sub := c.submission(lin, row, opener.Group)
			tt.arrange(c, &sub)
			before := c.Int("SELECT COUNT(*) * 1000 + SUM(member_count) FROM groupon")
			_, err = c.Orders.Submit(t.Context(), lin, sub)
			require.ErrorIs(t, err, tt.want)
			require.Equal(t, before, c.Int("SELECT COUNT(*) * 1000 + SUM(member_count) FROM groupon"), "nothing half done")
			require.Zero(t, c.Int("SELECT COUNT(*) FROM orders WHERE user_id = ?", lin))
		})
	}
}

func TestOnceInAGroup(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 4)
	lin, opener := c.paid(0)
	mei, joined := c.unpaid(opener.Group)
	for _, shopper := range []int64{lin, mei} {
		_, err := c.buy(shopper, opener.Group)
		require.ErrorIs(t, err, errno.GrouponJoined)
	}
	require.NoError(t, c.Orders.Cancel(t.Context(), mei, joined.OrderID))
	require.Equal(t, "1/201 3/102", c.shows(opener.Group))
	require.Zero(t, c.seats(opener.Group))
	again, err := c.buy(mei, opener.Group)
	require.NoError(t, err, "who has left may come back")
	other, err := c.buy(mei, 0)
	require.NoError(t, err, "a shopper may be in several groups")
	require.NotEqual(t, again.Group, other.Group)
	c.Agree()
}

// A cart of other goods, or of several items, is an ordinary purchase, whatever ids the client sends.
func TestStaleGroupIDs(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 2)
	lin := c.member()
	pot := c.Product("pot", 5000, 10)
	for _, wishes := range [][]cart.AddRequest{{pot}, {c.tea, pot}} {
		for _, w := range wishes {
			_, err := c.Cart.Set(t.Context(), lin, w)
			require.NoError(t, err)
		}
		sub := c.submission(lin, cart.Everything, 77)
		q, err := c.Orders.Quote(t.Context(), lin, sub.Choice)
		require.NoError(t, err)
		require.Zero(t, q.Rule.ID)
		placed, err := c.Orders.Submit(t.Context(), lin, sub)
		require.NoError(t, err)
		require.Zero(t, placed.Group)
		require.Zero(t, c.Int("SELECT COUNT(*) FROM groupon"))
	}
	_, err := c.Cart.Set(t.Context(), lin, c.tea)
	require.NoError(t, err)
	placed, err := c.Orders.Submit(t.Context(), lin, c.submission(lin, cart.Everything, 0))
	require.NoError(t, err)
	require.NotZero(t, placed.Group, "a cart of the offer's goods alone is a group purchase")
	c.Agree()
}

// A member who requests a refund leaves the group; a late payment does not return to it.
func TestMembersLeave(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 4)
	lin, opener := c.paid(0)
	mei, joined := c.paid(opener.Group)
	_, waiting := c.unpaid(opener.Group)
	require.EqualValues(t, 2, c.seats(opener.Group))
	require.NoError(t, c.Orders.AskRefund(t.Context(), mei, joined.OrderID))
	require.Equal(t, "1/201 3/202 0/101", c.shows(opener.Group))
	require.EqualValues(t, 1, c.seats(opener.Group), "the place is free again")
	require.ErrorIs(t, c.Orders.RejectRefund(t.Context(), actor.Operator(1), joined.OrderID, "no"), errno.OrderConfirmNotAllowed)
	require.NoError(t, c.Orders.Refund(t.Context(), actor.Operator(1), joined.OrderID, 8800))
	c.Agree()

	stranger := c.Shopper("stranger")
	require.ErrorIs(t, c.Orders.AskRefund(t.Context(), stranger, opener.OrderID), errno.OrderUnknown)
	stock := c.Stock(c.tea)
	require.NoError(t, c.Orders.AskRefund(t.Context(), lin, opener.OrderID))
	require.Equal(t, "3/202 3/203 3/103", c.shows(opener.Group), "without its opener there is no group")
	require.Equal(t, stock+1, c.Stock(c.tea))
	require.EqualValues(t, 1, c.Int("SELECT actor_type FROM order_status_log WHERE order_id = ? AND to_status = 202", opener.OrderID))
	require.EqualValues(t, 0, c.Int("SELECT actor_type FROM order_status_log WHERE order_id = ? AND to_status = 103", waiting.OrderID))
	require.ErrorIs(t, c.Orders.AskRefund(t.Context(), lin, opener.OrderID), errno.OrderInvalidOperation)
	c.Agree()
	// The pending payment arrives late and is refunded.
	n := c.Notification(waiting.OrderID)
	require.NoError(t, c.Deliver(n))
	require.Equal(t, "3/202 3/203 3/103", c.shows(opener.Group))
	c.Agree()
}

// The unpaid orders of a failed group are cancelled.
func TestRuleEnds(t *testing.T) {
	t.Parallel()
	ends := map[string]func(c *groupShop) error{
		"by time": func(c *groupShop) error {
			c.Clock.Move(61 * time.Minute)
			n, err := c.Orders.EndGroupRules(c.t.Context())
			require.Equal(c.t, 3, n, "the offer and two groups")
			again, err2 := c.Orders.EndGroupRules(c.t.Context())
			require.Zero(c.t, again)
			return errors.Join(err, err2)
		},
		"by an operator": func(c *groupShop) error {
			require.ErrorIs(c.t, c.Orders.CloseGroupRule(c.t.Context(), 99, promotion.GroupRuleTakenDown), errno.UpdateFailed)
			return errors.Join(c.Orders.CloseGroupRule(c.t.Context(), c.rule, promotion.GroupRuleTakenDown),
				c.Orders.CloseGroupRule(c.t.Context(), c.rule, promotion.GroupRuleTakenDown))
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			c := newGroupShop(t, domaintest.Open(t), 3)
			_, whole := c.paid(0)
			c.paid(whole.Group)
			c.paid(whole.Group)
			_, open := c.paid(0)
			c.paid(open.Group)
			c.unpaid(open.Group)
			_, unpaid := c.unpaid(0)
			other := c.rule
			c.rule = c.offer(c.Product("pot", 5000, 10), 2)
			c.Exec("UPDATE groupon_rules SET expire_time = '2031-01-01' WHERE id = ?", c.rule)
			c.rule = other
			require.NoError(t, end(c))
			require.Equal(t, "2/201 2/201 2/201", c.shows(whole.Group))
			require.Equal(t, "3/202 3/202 3/103", c.shows(open.Group))
			require.Equal(t, "3/103", c.shows(unpaid.Group))
			require.Equal(t, 1000-5, c.Stock(c.tea))
			require.EqualValues(t, 1, c.Int("SELECT COUNT(*) FROM groupon_rules WHERE status = 0"))
			c.Agree()
		})
	}
}

// A rule ends by the clock, even if the job has not run yet: each use compares its end.
func TestPaidTooLate(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 3)
	_, opener := c.paid(0)
	_, joined := c.unpaid(opener.Group)
	_, second := c.unpaid(0)
	c.Clock.Move(61 * time.Minute)
	require.NoError(t, c.Deliver(c.Notification(joined.OrderID)))
	require.NoError(t, c.Deliver(c.Notification(second.OrderID)))
	require.Equal(t, "1/201 3/202", c.shows(opener.Group))
	require.Equal(t, "3/202", c.shows(second.Group))
	require.Zero(t, c.seats(opener.Group))
	c.Agree()
	_, err := c.Orders.EndGroupRules(t.Context())
	require.NoError(t, err)
	require.Equal(t, "3/202 3/202", c.shows(opener.Group))
	c.Agree()
}
