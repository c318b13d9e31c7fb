package order_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/cod"
	"shop.internal/pkg/domain/payment/sandbox"
)

// onDelivery are the providers of a shop that is paid at the door, or in the app.
type onDelivery struct {
	Sandbox sandbox.Section
	COD     cod.Section
}

// door is a shop that is paid at the door.
func door(t *testing.T, terms cod.Section) *channelled {
	t.Helper()
	c := &channelled{Shop: domaintest.Open(t), t: t}
	c.lin = c.Shopper("lin")
	c.Domain = c.With(func(cfg *app.Config) {
		cfg.Payment.Providers, cfg.Payment.Offered = payment.ProvidersOf(&onDelivery{COD: terms}), []string{"sandbox", "cod"}
	})
	c.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	return c
}

// atTheDoor chooses to pay an order on delivery.
func (c *channelled) atTheDoor(id int64) error {
	_, err := c.Orders.Prepay(c.t.Context(), c.lin, id, "192.0.2.1", "cod", "")
	return err
}

// offers reports whether an order may be paid on delivery.
func (c *channelled) offers(id int64) bool {
	c.t.Helper()
	offers, err := c.Orders.PaymentOffers(c.t.Context(), c.lin, id)
	require.NoError(c.t, err)
	for _, o := range offers {
		if o.Channel.Code == "cod" {
			return true
		}
	}
	return false
}

// An order that is paid on delivery is shipped and received like a paid one, owes its money until staff record it, and
// counts as sold from then. A payment that had begun is closed.
func TestPaidOnDelivery(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{})
	id := c.Order(c.lin, c.tea("tea", 10))
	begun := c.begun(id, "sandbox")
	require.True(t, c.offers(id))
	answer, err := c.Orders.Prepay(t.Context(), c.lin, id, "192.0.2.1", "cod", "")
	require.NoError(t, err)
	require.Equal(t, payment.KindDelivery, answer.Kind)
	require.Equal(t, "cod", answer.Channel.Code)
	require.NoError(t, c.atTheDoor(id), "repeated")
	_, err = c.Orders.Prepay(t.Context(), c.lin, id, "192.0.2.1", "sandbox", "")
	require.ErrorIs(t, err, errno.OrderInvalidOperation, "the choice is made")
	_, err = c.Orders.Prepay(t.Context(), c.lin, id, "192.0.2.1", "cod", payment.KindOffline)
	require.ErrorIs(t, err, errno.OrderInvalidOperation)
	require.EqualValues(t, 3, c.Int("SELECT status FROM payment WHERE out_trade_no = ?", begun), "closed")

	shown := func() (order.Order, order.Options) {
		d, err := c.Orders.Find(t.Context(), c.lin, id)
		require.NoError(t, err)
		return d.Order, d.Options(c.Clock.Now(), time.Hour)
	}
	o, options := shown()
	require.Equal(t, order.Paid, o.Status)
	require.True(t, o.Owed())
	require.Equal(t, "货到付款", o.Text("zh"))
	require.Equal(t, order.Options{Cancel: true, Remind: true, Readdress: true}, options)
	list, err := c.Orders.List(t.Context(), c.lin, order.ToShip, page.Query{Page: 1, Limit: 10, Sort: "add_time"})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, "Cash on delivery", list.Items[0].Text("en"))
	require.ErrorIs(t, c.Orders.AskRefund(t.Context(), c.lin, id), errno.OrderInvalidOperation, "there is nothing to refund")
	c.Agree()

	require.NoError(t, c.Orders.Ship(called(t.Context(), "s", "发货"), clerk, id, "ZTO", "75001"))
	o, options = shown()
	require.Equal(t, "已发货", o.Text("zh"))
	require.Equal(t, order.Options{Confirm: true}, options)
	require.NoError(t, c.Orders.Confirm(t.Context(), c.lin, id))
	received, pieces := c.counted()
	require.Zero(t, received+pieces, "nothing is sold yet")
	c.Agree()

	receipt := order.Receipt{Amount: 9000, Reference: "ZTO 1", Note: "less the vase"}
	require.NoError(t, c.Orders.PayOffline(called(t.Context(), "r", "收款"), clerk, id, receipt))
	o, _ = shown()
	require.Equal(t, order.Received, o.Status, "the state is kept")
	require.False(t, o.Owed())
	received, pieces = c.counted()
	require.EqualValues(t, 1, received)
	require.EqualValues(t, 1, pieces)
	require.Equal(t, "offline|cod|90.00|ZTO 1", c.Text(
		"SELECT CONCAT_WS('|', channel, trade_type, paid_amount, reference) FROM payment WHERE order_id = ? AND status = 2", id))
	p, err := c.Payments.ShownOf(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, "Cash on delivery", p.Channel.In(text.English))
	require.ErrorIs(t, c.Orders.PayOffline(t.Context(), clerk, id, receipt), errno.OrderConfirmNotAllowed, "once")
	c.Agree()
}

// counted is the number of orders of today that the statistics count as received, and of the pieces that were sold.
func (c *channelled) counted() (received, pieces int64) {
	c.t.Helper()
	_, err := c.Outbox.Deliver(c.t.Context())
	require.NoError(c.t, err)
	c.Clock.Move(time.Minute)
	_, err = c.Rollup.Refresh(c.t.Context())
	require.NoError(c.t, err)
	days, err := c.Rollup.Days(c.t.Context())
	require.NoError(c.t, err)
	for _, d := range days {
		received += d.Orders
	}
	return received, c.Int("SELECT COALESCE(SUM(pieces), 0) FROM stat_goods_day")
}

// A refused parcel gives everything back and counts against the shopper, who pays before the next one.
func TestRefusedParcel(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{MaxRefused: 1, MaxOwed: 2})
	tea := c.tea("tea", 10)
	id := c.Order(c.lin, tea)
	require.ErrorIs(t, c.Orders.CallOff(t.Context(), clerk, id, ""), errno.OrderConfirmNotAllowed, "unpaid: it expires")
	require.NoError(t, c.atTheDoor(id))
	require.NoError(t, c.Orders.Ship(called(t.Context(), "s", "发货"), clerk, id, "ZTO", "75001"))
	require.EqualValues(t, 9, c.Int("SELECT number FROM goods_product WHERE id = ?", tea.ProductID))
	require.NoError(t, c.Orders.CallOff(called(t.Context(), "c", "取消"), clerk, id, "refused"))
	require.EqualValues(t, order.Dropped, c.Int("SELECT order_status FROM orders WHERE id = ?", id))
	require.EqualValues(t, 10, c.Int("SELECT number FROM goods_product WHERE id = ?", tea.ProductID))
	require.Equal(t, "refused", c.Text("SELECT content FROM order_note WHERE order_id = ?", id))
	require.ErrorIs(t, c.Orders.CallOff(t.Context(), clerk, id, ""), errno.OrderConfirmNotAllowed, "once")
	require.ErrorIs(t, c.Orders.PayOffline(t.Context(), clerk, id, order.Receipt{Amount: 100}), errno.OrderConfirmNotAllowed)

	next := c.Order(c.lin, tea)
	require.False(t, c.offers(next))
	err := c.atTheDoor(next)
	require.ErrorIs(t, err, errno.OrderPayFailed)
	require.Contains(t, errno.Text(err, text.English), "came back")
	c.Clock.Move(366 * 24 * time.Hour)
	later := c.Order(c.lin, tea)
	require.True(t, c.offers(later), "a year later it is forgotten")
	c.Agree()
}

// The channel has bounds: of the amount, of what a shopper owes, and group purchases are paid first.
func TestBoundsOfPayingOnDelivery(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{Greatest: "150", MaxOwed: 1})
	tea := c.tea("tea", 10)
	first, second := c.Order(c.lin, tea), c.Order(c.lin, tea)
	require.NoError(t, c.atTheDoor(first))
	err := c.atTheDoor(second)
	require.ErrorIs(t, err, errno.OrderPayFailed)
	require.Contains(t, errno.Text(err, text.English), "settle one first")
	require.False(t, c.offers(second))
	require.NoError(t, c.Orders.Cancel(t.Context(), c.lin, first))
	require.EqualValues(t, order.Cancelled, c.Int("SELECT order_status FROM orders WHERE id = ?", first))
	require.NoError(t, c.atTheDoor(second))
	require.False(t, c.offers(c.Order(c.lin, c.Product("vase", 16000, 1))), "too dear")
	c.Agree()
}

// Two orders of a shopper at once do not pass the bound of what may be owed.
func TestBoundOfOwedOrdersRace(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{MaxOwed: 1})
	tea := c.tea("tea", 20)
	for range 10 {
		first, second := c.Order(c.lin, tea), c.Order(c.lin, tea)
		require.Equal(t, outcomes{0: 1, errno.OrderPayFailed.Num: 1}, domaintest.AtOnce(
			func() error { return c.atTheDoor(first) },
			func() error { return c.atTheDoor(second) },
		))
		for _, id := range []int64{first, second} {
			require.NoError(t, c.Orders.Cancel(t.Context(), c.lin, id))
		}
	}
	c.Agree()
}

// Whatever happens at once to an order that owes its money, one of them happens, and the books agree.
func TestOwedOrderRaces(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{})
	tea := c.tea("tea", 100)
	collect := func(ctx context.Context, id int64) error {
		return c.Orders.PayOffline(ctx, clerk, id, order.Receipt{Amount: 10000})
	}
	callOff := func(ctx context.Context, id int64) error { return c.Orders.CallOff(ctx, clerk, id, "") }
	cancel := func(ctx context.Context, id int64) error { return c.Orders.Cancel(ctx, c.lin, id) }
	ship := func(ctx context.Context, id int64) error { return c.Orders.Ship(ctx, clerk, id, "ZTO", "7") }
	for name, both := range map[string][2]func(context.Context, int64) error{
		"collect, call off": {collect, callOff}, "collect, cancel": {collect, cancel}, "ship, cancel": {ship, cancel},
		"call off, cancel": {callOff, cancel}, "collect twice": {collect, collect}, "call off twice": {callOff, callOff},
	} {
		for range 5 {
			id := c.Order(c.lin, tea)
			require.NoError(t, c.atTheDoor(id))
			ended := domaintest.AtOnce(
				func() error { return both[0](called(t.Context(), "a", "甲"), id) },
				func() error { return both[1](called(t.Context(), "b", "乙"), id) },
			)
			require.Equal(t, 1, ended[0], "%s: %v", name, ended)
		}
	}
	c.Agree()
}

// No order owes money twice: one that is being paid in the app is paid, or owes; never both.
func TestPaidInTheAppWhileChoosingDelivery(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{})
	tea := c.tea("tea", 100)
	for range 10 {
		id := c.Order(c.lin, tea)
		c.begun(id, "sandbox")
		n := c.Notification(id)
		ended := domaintest.AtOnce(
			func() error { return c.Deliver(n) },
			func() error { return c.atTheDoor(id) },
		)
		if ended[0] == 2 {
			require.EqualValues(t, 1, c.Int("SELECT COUNT(*) FROM payment WHERE order_id = ? AND status = 5", id), "goes back")
			continue
		}
		require.Equal(t, outcomes{0: 1, errno.OrderInvalidOperation.Num: 1}, ended)
		require.EqualValues(t, 1, c.Int("SELECT COUNT(*) FROM payment WHERE order_id = ? AND status = 2", id))
	}
	c.Agree()
}

// A group purchase is paid before it is shipped, since its price holds only for a complete group.
func TestGroupPurchaseIsNotPaidOnDelivery(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{})
	group := newGroupShop(t, c.Shop, 2)
	shopper, placed := group.unpaid(0)
	c.lin = shopper
	require.False(t, c.offers(placed.OrderID))
	require.ErrorIs(t, c.atTheDoor(placed.OrderID), errno.OrderPayFailed)
	c.Agree()
}
