package share_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
)

// group opens a group for the tea at 109.00, and returns it.
func (g *fixture) group() int64 {
	g.t.Helper()
	rule, err := g.Promotions.CreateGroupRule(g.t.Context(), promotion.GroupRule{
		GoodsID: g.tea.GoodsID, GoodsName: "tea", Discount: money.Yuan(20), Members: 2, ExpireTime: g.Clock.Now().Add(time.Hour),
	})
	require.NoError(g.t, err)
	return g.buy(rule, 0)
}

// buy lets a new shopper buy tea in a group, or open one, and pay.
func (g *fixture) buy(rule, link int64) int64 {
	g.t.Helper()
	shopper := g.Shopper("member" + g.Text("SELECT COUNT(*) FROM user"))
	to := g.Address(shopper)
	row, err := g.Cart.Set(g.t.Context(), shopper, g.tea)
	require.NoError(g.t, err)
	placed, err := g.Orders.Submit(g.t.Context(), shopper,
		order.Submission{Choice: order.Choice{Cart: row, Rule: rule, Address: to}, Link: link})
	require.NoError(g.t, err)
	g.Pay(shopper, placed.OrderID)
	return placed.Group
}

func (g *fixture) ofGroup(id int64) string {
	g.t.Helper()
	return g.Storage.Address(g.Text("SELECT COALESCE(share_url, '') FROM groupon WHERE id = ?", id))
}

func TestGroup(t *testing.T) {
	t.Parallel()
	g := open(t)
	g.Pay(g.buyAlone())
	require.Zero(t, g.events(), "an ordinary order opens no group")
	opened := g.group()
	require.EqualValues(t, 1, g.events())
	before := g.Text("SELECT CONCAT(update_time, ' ', version) FROM groupon WHERE id = ?", opened)
	g.Clock.Move(time.Second)
	require.EqualValues(t, 1, g.deliver())
	m := g.fetch(g.ofGroup(opened))
	require.True(t, inked(m, 830, 900), "the price in the group")
	require.True(t, inked(m, 920, 1000), "the price without it")
	require.Equal(t, strings.NewReplacer("{goods}", g.Text("SELECT ?", g.tea.GoodsID), "{group}", g.Text("SELECT ?", opened)).
		Replace(page), read(t, m))
	require.Equal(t, before, g.Text("SELECT CONCAT(update_time, ' ', version) FROM groupon WHERE id = ?", opened))
	require.Empty(t, g.shown(), "the goods' picture is another one")
	p, err := g.Promotions.Opening(t.Context(), opened)
	require.NoError(t, err)
	require.Equal(t, g.ofGroup(opened), p.ShareURL)

	shown := g.ofGroup(opened)
	g.buy(p.RuleID, opened) // a joiner opens nothing
	require.EqualValues(t, 1, g.events())
	g.again()
	require.EqualValues(t, 1, g.deliver())
	require.Equal(t, shown, g.ofGroup(opened))
	require.EqualValues(t, 1, g.live())
}

func (g *fixture) buyAlone() (shopper, id int64) {
	g.t.Helper()
	shopper = g.Shopper("alone")
	return shopper, g.Order(shopper, g.tea)
}

func TestAGroupThatIsGone(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{
		"failed":  "UPDATE groupon SET status = 3, active_mark = id",
		"deleted": "UPDATE groupon SET deleted = 1",
		"no tea":  "UPDATE goods SET deleted = 1",
	} {
		t.Run(name, func(t *testing.T) {
			g := open(t)
			opened := g.group()
			g.Exec(end)
			require.EqualValues(t, 1, g.deliver(), "there is nothing to do")
			require.Empty(t, g.ofGroup(opened))
			require.Zero(t, g.live())
		})
	}
}

// A process with one connection does not need a second one while a payment is being recorded.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	g := open(t)
	narrow := g.Narrow()
	g.Pay(g.buyAlone()) // a share image of a group is requested by the handler of the notification
	rule, err := g.Promotions.CreateGroupRule(t.Context(), promotion.GroupRule{
		GoodsID: g.tea.GoodsID, GoodsName: "tea", Discount: money.Yuan(20), Members: 2, ExpireTime: g.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	shopper := g.Shopper("opener")
	row, err := g.Cart.Set(t.Context(), shopper, g.tea)
	require.NoError(t, err)
	placed, err := g.Orders.Submit(t.Context(), shopper,
		order.Submission{Choice: order.Choice{Cart: row, Rule: rule, Address: g.Address(shopper)}})
	require.NoError(t, err)
	_, err = g.Orders.Prepay(t.Context(), shopper, placed.OrderID, "192.0.2.1")
	require.NoError(t, err)
	header, body, err := g.Sandbox.Compose(t.Context(), g.Notification(placed.OrderID))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, narrow.Orders.HandleNotification(ctx, header.Get, body))
	require.EqualValues(t, 1, g.events())
}
