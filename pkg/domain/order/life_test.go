package order_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
)

// table is the life of an order according to the contract: all transitions.
var table = map[order.Status]map[order.Event]order.Status{
	101: {order.Pay: 201, order.Cancel: 102, order.Expire: 103},
	102: {}, 103: {}, 104: {},
	201: {order.Ship: 301, order.AskRefund: 202},
	202: {order.RejectRefund: 201, order.Refund: 203},
	203: {}, 204: {},
	301: {order.Receive: 401, order.AutoReceive: 402},
	401: {}, 402: {},
}

// events are all events of the table.
var events = func() []order.Event {
	all := map[order.Event]bool{}
	for _, moves := range table {
		for e := range moves {
			all[e] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}()

func TestTable(t *testing.T) {
	t.Parallel()
	for status := order.Status(0); status < 1000; status++ {
		for _, e := range events {
			to, ok := status.Next(e)
			want, allowed := table[status][e]
			require.Equal(t, allowed, ok, "%s in %d", e, status)
			require.Equal(t, want, to, "%s in %d", e, status)
		}
		_, known := table[status]
		require.Equal(t, known, status.Text("zh") != "", status)
		require.Equal(t, known, status.Text("en") != "", status)
	}
}

// Every final state is one of an order that ended or whose goods were received, and no other state is; of an imported
// group that failed nobody knows more.
func TestEveryFinalStateIsDecided(t *testing.T) {
	t.Parallel()
	for status, moves := range table {
		final := len(moves) == 0 && status != order.GroupFailed
		require.Equal(t, final, status.Ended() != status.Done(), "%d", status)
	}
}

// Every order that waits for the shopper or for its parcel is in one tab of the shopper's list; one whose refund staff
// must decide is in none.
func TestEveryOpenOrderIsInATab(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	id := s.Order(lin, s.Product("tea", 10000, 10))
	for status, moves := range table {
		s.Exec("UPDATE orders SET order_status = ? WHERE id = ?", status, id)
		in := 0
		for _, tab := range []order.Tab{order.ToPay, order.ToShip, order.ToReceive, order.ToComment} {
			list, err := s.Orders.List(t.Context(), lin, tab, page.Query{Page: 1, Limit: 10, Sort: "add_time"})
			require.NoError(t, err)
			in += len(list.Items)
		}
		if open := len(moves) > 0 && status != order.RefundAsked; open {
			require.Equal(t, 1, in, "%d", status)
		} else {
			require.Zero(t, in, "%d", status)
		}
	}
}

// walker brings orders into any state and lets anything happen to them.
type walker struct {
	*domaintest.Shop
	t   *testing.T
	lin int64
	tea cart.AddRequest
}

func (w *walker) must(err error) {
	w.t.Helper()
	require.NoError(w.t, err)
}

// in creates an order and brings it into a state by the shortest path.
func (w *walker) in(status order.Status) int64 {
	w.t.Helper()
	ctx := w.t.Context()
	id := w.Order(w.lin, w.tea)
	_, err := w.Orders.Prepay(ctx, w.lin, id, "192.0.2.1")
	w.must(err)
	way := map[order.Status][]order.Event{
		102: {order.Cancel}, 103: {order.Expire}, 104: {order.Cancel}, 201: {order.Pay}, 202: {order.Pay, order.AskRefund},
		203: {order.Pay, order.AskRefund, order.Refund}, 204: {order.Pay}, 301: {order.Pay, order.Ship},
		401: {order.Pay, order.Ship, order.Receive}, 402: {order.Pay, order.Ship, order.Receive},
	}
	for _, e := range way[status] {
		w.must(w.happen(id, e))
	}
	switch status {
	case order.Dropped, order.GroupFailed, order.AutoReceived: // only in imported data, or without a method yet
		w.rename(id, status)
	default:
	}
	require.EqualValues(w.t, status, w.Int("SELECT order_status FROM orders WHERE id = ?", id))
	return id
}

// rename gives an order, and the last entry of its log, another state. The shop itself receives goods by time.
func (w *walker) rename(id int64, status order.Status) {
	w.t.Helper()
	w.Exec("UPDATE order_status_log l JOIN orders o ON o.id = l.order_id AND o.order_status = l.to_status SET "+
		"l.actor_type = IF(? = 402, 0, l.actor_type), l.actor_id = IF(? = 402, 0, l.actor_id), "+
		"l.reason = IF(? = 402, 'receive by time', l.reason), l.to_status = ?, o.order_status = ? "+
		"WHERE o.id = ?", status, status, status, status, status, id)
}

// happen applies an event to an order by the method for it.
func (w *walker) happen(id int64, e order.Event) error {
	w.t.Helper()
	ctx, staff := w.t.Context(), actor.Operator(7)
	switch e {
	case order.Pay:
		n := w.Notification(id)
		n.TransactionID += fmt.Sprint("-", w.Int("SELECT COUNT(*) FROM payment_notify"))
		return w.Deliver(n)
	case order.Cancel:
		return w.Orders.Cancel(ctx, w.lin, id)
	case order.Expire:
		w.Clock.Move(time.Hour)
		_, err := w.Orders.ExpireUnpaid(ctx)
		return err
	case order.Ship:
		return w.Orders.Ship(ctx, staff, id, "ZTO", "75001")
	case order.AskRefund:
		return w.Orders.AskRefund(ctx, w.lin, id)
	case order.RejectRefund:
		return w.Orders.RejectRefund(ctx, staff, id, "已打包")
	case order.Refund:
		return w.Orders.Refund(ctx, staff, id, 10000)
	case order.Receive:
		return w.Orders.Confirm(ctx, w.lin, id)
	}
	return errors.ErrUnsupported // no method yet
}

// effects are what each transition must have changed beside the status.
var effects = map[order.Event]string{
	order.Pay: "o.pay_id = p.transaction_id AND o.pay_time = o.update_time AND o.pay_channel = 'sandbox' AND p.status = 2 " +
		"AND (SELECT COUNT(*) FROM outbox_event WHERE topic = 'order.paid' AND aggregate_id = o.id) = 1",
	order.Cancel:       "o.end_time = o.update_time AND p.status = 3 AND g.number = 1000",
	order.Expire:       "o.end_time = o.update_time AND p.status = 3 AND g.number = 1000",
	order.Ship:         "o.ship_sn = '75001' AND o.ship_channel = 'ZTO' AND o.ship_time = o.update_time",
	order.AskRefund:    "(SELECT COUNT(*) FROM refund WHERE order_id = o.id AND status = 0 AND amount = 100 AND payment_id = p.id) = 1",
	order.RejectRefund: "o.refund_content = '已打包' AND (SELECT COUNT(*) FROM refund WHERE order_id = o.id AND status = 4) = 1",
	order.Refund: "o.refund_amount = 100 AND o.refund_type = '微信退款接口' AND o.refund_content <> '' AND o.refund_time = o.update_time " +
		"AND o.end_time = o.update_time AND p.refunded_amount = 100 AND g.number = 1000 " +
		"AND (SELECT COUNT(*) FROM refund WHERE order_id = o.id AND status = 2 AND operator_id = 7) = 1",
	order.Receive: "o.confirm_time = o.update_time AND o.comments = 1",
}

// Tries every event in every state, through the methods: an allowed transition happens with all its effects, and any
// other is refused and changes nothing.
func TestLifeExhaustively(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	w := &walker{Shop: s, t: t, lin: s.Shopper("lin")}
	for from, moves := range table {
		for _, e := range events {
			if e == order.AutoReceive {
				continue
			}
			w.tea = s.Product(fmt.Sprintf("tea-%d-%s", from, e), 10000, 1000)
			id := w.in(from)
			before := s.Text("SELECT CONCAT_WS('|', o.order_status, o.version, g.number) FROM orders o JOIN goods_product g WHERE o.id = ? "+
				"AND g.id = ?", id, w.tea.ProductID)
			err := w.happen(id, e)
			after := order.Status(s.Int("SELECT order_status FROM orders WHERE id = ?", id))
			if to, allowed := moves[e]; allowed {
				require.NoError(t, err, "%s in %d", e, from)
				require.Equal(t, to, after, "%s in %d", e, from)
				require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM order_status_log WHERE order_id = ? AND from_status = ? "+
					"AND to_status = ?", id, from, to), "%s in %d leaves its entry", e, from)
				require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM orders o JOIN payment p ON p.order_id = o.id "+
					"JOIN goods_product g ON g.id = ? WHERE o.id = ? AND "+effects[e], w.tea.ProductID, id), "%s in %d: effects", e, from)
				continue
			}
			require.Equal(t, refusals[e], domaintest.Code(err), "%s in %d: %v", e, from, err)
			require.Equal(t, before, s.Text("SELECT CONCAT_WS('|', o.order_status, o.version, g.number) FROM orders o JOIN goods_product g "+
				"WHERE o.id = ? AND g.id = ?", id, w.tea.ProductID), "%s in %d", e, from)
			if e == order.Pay { // accepted, and refunded
				require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM payment WHERE order_id = ? AND status = 5 "+
					"AND refunded_amount = 100", id), "%d", from)
			}
			switch from { // no order of this shop gets there, so that verify refuses them
			case order.Dropped:
				w.rename(id, order.Cancelled)
			case order.GroupFailed:
				w.rename(id, order.Paid)
			default:
			}
		}
	}
	s.Agree()
}

// refusals are how each event is refused: shoppers and operators have their own codes, a payment is accepted and
// refunded, and the job skips the order.
var refusals = map[order.Event]int{
	order.Pay: 0, order.Expire: 0, order.Cancel: errno.OrderInvalidOperation.Num, order.AskRefund: errno.OrderInvalidOperation.Num,
	order.Receive: errno.OrderInvalidOperation.Num, order.Ship: errno.OrderConfirmNotAllowed.Num,
	order.RejectRefund: errno.OrderConfirmNotAllowed.Num, order.Refund: errno.OrderConfirmNotAllowed.Num,
}

// The page of the documentation contains every transition and no other.
func TestWriteLife(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	require.NoError(t, order.WriteLife(&page))
	drawn := 0
	for line := range strings.Lines(page.String()) {
		if strings.Contains(line, "-->") {
			drawn++
		}
	}
	moves := 0
	for from, to := range table {
		for e, status := range to {
			moves++
			require.Contains(t, page.String(), fmt.Sprintf("    %d --> %d: %s\n", from, status, e))
		}
	}
	require.Equal(t, moves+2, drawn, "and the two ways in")
}
