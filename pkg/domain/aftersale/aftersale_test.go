package aftersale_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
)

// staff is the operator of all tests.
var staff = actor.Operator(7)

// called returns the context of a call by that operator.
func called(ctx context.Context, action string) context.Context {
	return audit.With(ctx, audit.Call{
		By: staff, Name: "clerk", Address: "192.0.2.1", Request: "the request", Operation: "POST /x",
		Target: "aftersale", Kind: audit.Ordering, Action: action, At: domaintest.Noon,
	})
}

// world is a shop with a shopper who has received two teas of 45.50 and a pot of 9.00, with freight of 8.00 or free.
type world struct {
	*domaintest.Shop
	t        testing.TB
	lin      int64
	tea, pot cart.AddRequest
}

func open(t testing.TB) *world {
	t.Helper()
	s := domaintest.Open(t)
	w := &world{Shop: s, t: t, lin: s.Shopper("lin")}
	w.tea, w.pot = s.Product("tea", 1000, 100), s.Product("pot", 900, 100)
	w.tea.Number = 2
	s.Address(w.lin)
	return w
}

// received returns a received order of 29.00 and 8.00 freight.
func (w *world) received() int64 {
	w.t.Helper()
	for _, ware := range []cart.AddRequest{w.tea, w.pot} {
		_, err := w.Cart.Set(w.t.Context(), w.lin, ware)
		require.NoError(w.t, err)
	}
	placed, err := w.Orders.Submit(w.t.Context(), w.lin, order.Submission{
		Choice: order.Choice{Cart: cart.Everything, Address: w.Int("SELECT MAX(id) FROM address")},
	})
	require.NoError(w.t, err)
	w.Pay(w.lin, placed.OrderID)
	require.NoError(w.t, w.Orders.Ship(w.t.Context(), staff, placed.OrderID, "ZTO", "1"))
	require.NoError(w.t, w.Orders.Confirm(w.t.Context(), w.lin, placed.OrderID))
	return placed.OrderID
}

func wish(id int64, kind aftersale.Type, amount money.Amount) aftersale.Submission {
	return aftersale.Submission{
		OrderID: id, Type: kind, Reason: "too small", Comment: "please", Amount: amount, Pictures: []string{"http://a/b.png"},
	}
}

func (w *world) ask(id int64, kind aftersale.Type, amount money.Amount) int64 {
	w.t.Helper()
	c, err := w.Aftersales.Submit(w.t.Context(), w.lin, wish(id, kind, amount))
	require.NoError(w.t, err)
	return c
}

// accepted returns an accepted case of a new order.
func (w *world) accepted(kind aftersale.Type, amount money.Amount) (id, c int64) {
	w.t.Helper()
	id = w.received()
	c = w.ask(id, kind, amount)
	require.NoError(w.t, w.Aftersales.Accept(w.t.Context(), staff, c))
	return id, c
}

// shown returns the state of an order's case, and the case state of the order.
func (w *world) shown(id int64) string {
	w.t.Helper()
	return w.Text("SELECT CONCAT_WS('|', a.status, o.aftersale_status, o.order_status) FROM orders o JOIN aftersale a "+
		"ON a.order_id = o.id AND a.deleted = 0 WHERE o.id = ?", id)
}

func (w *world) stock() []int { return []int{w.Stock(w.tea), w.Stock(w.pot)} }

func TestLife(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx := t.Context()
	id := w.received()
	first := w.ask(id, aftersale.RefundOnly, 2900)
	require.Equal(t, "1|1|401", w.shown(id))
	require.ErrorIs(t, w.Orders.Hide(ctx, w.lin, id), errno.OrderInvalidOperation, "a pending case keeps the order in sight")
	second := w.ask(id, aftersale.Returned, 100)
	require.NotEqual(t, first, second, "a new case takes the place of the old one")
	require.EqualValues(t, 1, w.Int("SELECT COUNT(*) FROM aftersale WHERE deleted = 0"))
	require.ErrorIs(t, w.Aftersales.Cancel(ctx, w.lin, first), errno.Invalid)
	require.NoError(t, w.Aftersales.Cancel(ctx, w.lin, second))
	require.Equal(t, "5|5|401", w.shown(id))
	require.ErrorIs(t, w.Aftersales.Cancel(ctx, w.lin, second), errno.AftersaleInvalidStatus)
	third := w.ask(id, aftersale.RefundOnly, 100)
	require.NoError(t, w.Aftersales.Reject(ctx, staff, third))
	require.Equal(t, "4|4|401", w.shown(id))
	w.Agree()
	fourth := w.ask(id, aftersale.RefundOnly, 2900)
	require.NoError(t, w.Aftersales.Accept(ctx, staff, fourth))
	require.Equal(t, "2|2|401", w.shown(id))
	require.ErrorIs(t, w.Orders.Hide(ctx, w.lin, id), errno.OrderInvalidOperation)
	require.ErrorIs(t, w.Aftersales.Cancel(ctx, w.lin, fourth), errno.AftersaleInvalidStatus)
	_, err := w.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.RefundOnly, 1))
	require.ErrorIs(t, err, errno.AftersaleInvalidStatus)
	require.ErrorIs(t, w.Aftersales.Reject(ctx, staff, fourth), errno.OrderConfirmNotAllowed)
	require.NoError(t, w.Aftersales.Refund(ctx, staff, fourth))
	require.Equal(t, "3|3|401", w.shown(id))
	for _, move := range []func(context.Context, actor.Actor, int64) error{
		w.Aftersales.Accept, w.Aftersales.Reject, w.Aftersales.Refund,
	} {
		require.ErrorIs(t, move(ctx, staff, fourth), errno.OrderConfirmNotAllowed)
		require.ErrorIs(t, move(ctx, staff, third), errno.Invalid, "replaced")
		require.ErrorIs(t, move(ctx, staff, 99), errno.Invalid)
	}
	_, err = w.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.RefundOnly, 1))
	require.ErrorIs(t, err, errno.AftersaleInvalidStatus)
	require.NoError(t, w.Orders.Hide(ctx, w.lin, id))
	_, err = w.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.RefundOnly, 1))
	require.ErrorIs(t, err, errno.OrderUnknown)
	w.Agree()
}

// A case has its own refund number.
func TestRefundOfEachType(t *testing.T) {
	t.Parallel()
	for kind, back := range map[aftersale.Type][]int{
		aftersale.NotReceived: {98, 99}, aftersale.RefundOnly: {98, 99}, aftersale.Returned: {100, 100},
	} {
		t.Run(fmt.Sprint(int(kind)), func(t *testing.T) {
			w := open(t)
			id, c := w.accepted(kind, 2900)
			require.Equal(t, []int{98, 99}, w.stock())
			require.NoError(t, w.Aftersales.Refund(called(t.Context(), "退款"), staff, c))
			require.Equal(t, back, w.stock())
			sn := w.Text("SELECT aftersale_sn FROM aftersale")
			require.Regexp(t, `^20300102\d{10}$`, sn)
			// The refund number belongs to the case.
			require.Equal(t, "aftersale_"+sn+"|2900|2", w.Text("SELECT CONCAT_WS('|', out_refund_no, "+
				"CAST(amount * 100 AS SIGNED), status) FROM refund"))
			require.Equal(t, "29.00|微信退款接口|1|401", w.Text("SELECT CONCAT_WS('|', refund_amount, refund_type, "+
				"refund_content IS NOT NULL AND refund_time IS NOT NULL, order_status) FROM orders WHERE id = ?", id))
			require.Equal(t, "7|0", w.Text("SELECT CONCAT_WS('|', handler_id, handle_time IS NULL) FROM aftersale"))
			reason := w.Text("SELECT COALESCE(GROUP_CONCAT(DISTINCT reason), '') FROM stock_log WHERE delta > 0 AND order_id = ?", id)
			require.Equal(t, map[bool]string{true: "6", false: ""}[kind == aftersale.Returned], reason)
			require.Equal(t, "clerk|192.0.2.1|2|退款|1|订单编号 "+w.Text("SELECT order_sn FROM orders")+" 售后编号 "+sn,
				w.Text("SELECT CONCAT_WS('|', admin, ip, type, action, status, result) FROM log ORDER BY id DESC LIMIT 1"))
			w.Clock.Move(time.Hour)
			_, err := w.Outbox.Deliver(t.Context())
			require.NoError(t, err)
			_, err = w.Outbox.DeliverAside(t.Context()) // the message that the event causes
			require.NoError(t, err)
			require.Contains(t, strings.Join(w.Messages.All(), "\n"), "已退款")
			w.Agree()
		})
	}
}

func TestNoPlatformIsCalledForNothingOrByHand(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Sandbox.Behave(sandbox.Behaviour{Silent: true, Refuse: true})
	prepare := func(amount money.Amount) (int64, int64) {
		w.Sandbox.Behave(sandbox.Behaviour{Silent: true})
		id, c := w.accepted(aftersale.RefundOnly, amount)
		w.Sandbox.Behave(sandbox.Behaviour{Silent: true, Refuse: true})
		return id, c
	}
	const said = "SELECT CONCAT_WS('|', refund_amount, refund_type, COALESCE(refund_content, '-')) FROM orders WHERE id = ?"
	id, c := prepare(0)
	require.NoError(t, w.Aftersales.Refund(t.Context(), staff, c))
	require.Equal(t, "0.00|线下退款|-", w.Text(said, id))
	id, c = prepare(100)
	w.Exec("UPDATE payment SET channel = 'offline', trade_type = '' WHERE order_id = ?", id)
	w.Exec("UPDATE orders SET pay_channel = 'offline' WHERE id = ?", id)
	w.Exec("UPDATE order_status_log SET actor_type = 2, actor_id = 7 WHERE order_id = ? AND to_status = 201", id)
	require.NoError(t, w.Aftersales.Refund(t.Context(), staff, c))
	require.Equal(t, "1.00|线下退款|-", w.Text(said, id))
	w.Agree()
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	for amount, want := range map[money.Amount]error{
		-1: errno.AftersaleInvalidAmount, 0: nil, 2900: nil, 2901: errno.AftersaleInvalidAmount,
		3700: errno.AftersaleInvalidAmount, money.Max: errno.AftersaleInvalidAmount,
	} {
		_, err := w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, amount))
		require.ErrorIs(t, err, want, amount)
	}
	// A coupon may have paid for more than the goods: then nothing can be refunded.
	w.Exec("UPDATE orders SET freight_price = 40 WHERE id = ?", id)
	_, err := w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, 0))
	require.NoError(t, err)
	_, err = w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, 1))
	require.ErrorIs(t, err, errno.AftersaleInvalidAmount)
}

// The stored case is checked again at the refund: imported cases and earlier refunds count.
func TestTheSumNeverExceedsTheGoods(t *testing.T) {
	t.Parallel()
	w := open(t)
	id, c := w.accepted(aftersale.RefundOnly, 2900)
	for _, amount := range []string{"29.01", "-0.01"} {
		w.Exec("UPDATE aftersale SET amount = ?", amount)
		require.ErrorIs(t, w.Aftersales.Refund(t.Context(), staff, c), errno.Invalid, amount)
	}
	w.Exec("UPDATE aftersale SET amount = 9.01")
	w.Exec("INSERT INTO refund (out_refund_no, order_id, payment_id, aftersale_id, user_id, amount, status, add_time, "+
		"update_time) SELECT 'before', ?, id, 77, user_id, 20, 2, add_time, add_time FROM payment", id)
	require.ErrorIs(t, w.Aftersales.Refund(t.Context(), staff, c), errno.Invalid)
	require.Equal(t, "2|2|401", w.shown(id))
	w.Exec("UPDATE aftersale SET amount = 9")
	require.NoError(t, w.Aftersales.Refund(t.Context(), staff, c))
}

func TestOnlyReceivedOrdersHaveCases(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	for _, status := range []order.Status{101, 102, 103, 104, 201, 202, 203, 204, 301, 999} {
		w.Exec("UPDATE orders SET order_status = ?", status)
		_, err := w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, 1))
		require.ErrorIs(t, err, errno.AftersaleNotAllowed, status)
	}
	w.Exec("UPDATE orders SET order_status = 402")
	c := w.ask(id, aftersale.RefundOnly, 1)
	mei := w.Shopper("mei")
	_, err := w.Aftersales.Submit(t.Context(), mei, wish(id, aftersale.RefundOnly, 1))
	require.ErrorIs(t, err, errno.OrderUnknown)
	require.ErrorIs(t, w.Aftersales.Cancel(t.Context(), mei, c), errno.Invalid)
	w.Exec("UPDATE orders SET deleted = 1")
	require.ErrorIs(t, w.Aftersales.Cancel(t.Context(), w.lin, c), errno.Invalid)
	require.ErrorIs(t, w.Aftersales.Accept(t.Context(), staff, c), errno.Invalid)
	_, err = w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, 1))
	require.ErrorIs(t, err, errno.OrderUnknown)
	require.Equal(t, "1|1|402", w.shown(id))
}

func TestManyAtOnceSkipWhatHasMovedOn(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "admin.recept", Owner: 7, Key: "k", Hash: "h"})
	var cases []int64
	for range 3 {
		cases = append(cases, w.ask(w.received(), aftersale.RefundOnly, 1))
	}
	require.NoError(t, w.Aftersales.Cancel(ctx, w.lin, cases[1]))
	w.Exec("DELETE FROM idempotency")
	require.NoError(t, w.Aftersales.AcceptAll(called(ctx, "售后通过"), staff,
		[]int64{cases[0], cases[0], cases[1], 99, cases[2]}))
	const states = "SELECT GROUP_CONCAT(status ORDER BY id) FROM aftersale"
	require.Equal(t, "2,5,2", w.Text(states))
	require.EqualValues(t, 2, w.Int("SELECT COUNT(*) FROM log WHERE action = '售后通过'"))
	require.NoError(t, w.Aftersales.RejectAll(t.Context(), staff, cases))
	require.Equal(t, "2,5,2", w.Text(states))
	w.Exec("UPDATE aftersale SET status = 1")
	w.Exec("UPDATE orders SET aftersale_status = 1")
	require.NoError(t, w.Aftersales.AcceptAll(ctx, staff, cases), "the first answer")
	require.Equal(t, "1,1,1", w.Text(states))
	require.NoError(t, w.Aftersales.RejectAll(t.Context(), staff, cases))
	require.Equal(t, "4,4,4", w.Text(states))
}

func TestLists(t *testing.T) {
	t.Parallel()
	w := open(t)
	for range 3 {
		w.Clock.Move(time.Hour)
		w.ask(w.received(), aftersale.RefundOnly, 1)
	}
	mei := w.Shopper("mei")
	newest := page.Query{Page: 1, Limit: 2, Sort: "add_time", Desc: true}
	got, err := w.Aftersales.List(t.Context(), w.lin, nil, newest)
	require.NoError(t, err)
	require.EqualValues(t, 3, got.Total)
	require.Equal(t, []int64{3, 2}, []int64{got.Items[0].ID, got.Items[1].ID})
	require.Len(t, got.Items[0].Lines, 2)
	require.Equal(t, got.Items[0].OrderID, got.Items[0].Lines[1].OrderID)
	got, err = w.Aftersales.List(t.Context(), mei, nil, newest)
	require.NoError(t, err)
	require.Zero(t, got.Total)
	accepted := aftersale.Accepted
	got, err = w.Aftersales.List(t.Context(), w.lin, &accepted, newest)
	require.NoError(t, err)
	require.Zero(t, got.Total)
	all, err := w.Aftersales.AdminList(t.Context(), aftersale.Filter{OrderID: 2}, newest)
	require.NoError(t, err)
	require.Len(t, all.Items, 1)
	require.Equal(t, []string{"http://a/b.png"}, all.Items[0].Pictures)
	w.Exec("UPDATE aftersale SET pictures = NULL, aftersale_sn = NULL WHERE id = 2")
	_, c, err := w.Aftersales.Find(t.Context(), w.lin, 2)
	require.NoError(t, err)
	require.Empty(t, c.Pictures)
}

// A refusal by the platform does not change the case, and a retry uses the same number.
func TestRefusedAndUnansweredRefunds(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx := called(t.Context(), "退款")
	id, c := w.accepted(aftersale.Returned, 2900)
	w.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	require.ErrorIs(t, w.Aftersales.Refund(ctx, staff, c), errno.OrderRefundFailed)
	require.Equal(t, "2|2|401", w.shown(id))
	require.EqualValues(t, 3, w.Int("SELECT status FROM refund"))
	require.Equal(t, "退款|0", w.Text("SELECT CONCAT_WS('|', action, status) FROM log ORDER BY id DESC LIMIT 1"))
	w.Agree()
	// The claim is committed, and the process dies.
	w.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	dying, _ := domaintest.FailAt(ctx, 12)
	err := w.Aftersales.Refund(dying, staff, c)
	require.ErrorIs(t, err, domaintest.ErrInjected)
	require.EqualValues(t, 1, w.Int("SELECT status FROM refund"), "claimed: %v", err)
	require.Equal(t, "2|2|401", w.shown(id))
	w.Agree()
	require.ErrorIs(t, w.Aftersales.Refund(ctx, staff, c), errno.Stale, "on its way")
	w.Clock.Move(time.Minute)
	_, err = w.Outbox.Deliver(ctx)
	require.NoError(t, err)
	require.Equal(t, "3|3|401", w.shown(id))
	require.Equal(t, []int{100, 100}, w.stock())
	require.EqualValues(t, 1, w.Int("SELECT COUNT(*) FROM refund"), "one number")
	require.EqualValues(t, 1, w.Int("SELECT COUNT(*) FROM audit_log"))
	w.Agree()
}

func TestOneConnectionIsEnough(t *testing.T) {
	t.Parallel()
	w := open(t)
	d := w.Narrow()
	id := w.received()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := d.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.Returned, 100))
	require.NoError(t, err)
	require.NoError(t, d.Aftersales.Cancel(ctx, w.lin, c))
	c, err = d.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.Returned, 100))
	require.NoError(t, err)
	require.NoError(t, d.Aftersales.AcceptAll(ctx, staff, []int64{c}))
	require.NoError(t, d.Aftersales.Refund(ctx, staff, c))
	w.Agree()
}
