package order_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/domaintest"
	domainorder "shop.internal/pkg/domain/order"
)

// deliver lets the outbox deliver due events.
func (w *world) deliver() {
	w.t.Helper()
	w.Domain.Clock.Move(time.Minute)
	for range 2 { // an event may cause messages and notices, which are separate events
		_, err := w.Domain.Outbox.Deliver(w.t.Context())
		require.NoError(w.t, err)
		_, err = w.Domain.Outbox.DeliverAside(w.t.Context())
		require.NoError(w.t, err)
	}
	require.Zero(w.t, w.Domain.Int("SELECT COUNT(*) FROM outbox_event WHERE state <> 1"), "all is delivered")
}

// A payment does not revive a cancelled order; the money is refunded.
func TestMoneyForAnOrderThatWasCancelled(t *testing.T) {
	t.Parallel()
	for _, hidden := range []bool{false, true} {
		w := open(t)
		coupon, held := w.Domain.Coupon(w.shopper, 100, 0)
		row, to := w.row(w.tea, 2), w.Domain.Address(w.shopper)
		w.lin.POST(submit, "%s", form(row, to, coupon, "")).OK()
		const id = 1
		w.lin.POST(prepay, ref(id)).OK()
		w.lin.POST(cancel, ref(id)).OK()
		if hidden {
			w.lin.POST(remove, ref(id)).OK()
		}
		p := w.paying(id)
		require.Equal(t, 204, w.send(t, p))
		require.EqualValues(t, 102, w.status(id), "it is not revived")
		require.Equal(t, "5|90.00|90.00|"+p.transaction, w.Domain.Text(
			"SELECT CONCAT_WS('|', status, paid_amount, refunded_amount, transaction_id) FROM payment"))
		require.Equal(t, "1|90.00", w.Domain.Text("SELECT CONCAT_WS('|', status, amount) FROM refund"), "released")
		require.EqualValues(t, 1, w.alarms())
		w.Domain.Agree()
		before := w.books()
		require.Equal(t, 204, w.send(t, p))
		p.id = "EV-again"
		require.Equal(t, 204, w.send(t, p))
		require.Equal(t, before[:strings.LastIndex(before, "\n")-10], w.books()[:strings.LastIndex(before, "\n")-10])
		require.EqualValues(t, 1, w.Domain.Int("SELECT COUNT(*) FROM refund"))
		w.deliver()
		require.Equal(t, "2|90.00", w.Domain.Text("SELECT CONCAT_WS('|', status, amount) FROM refund"), "sent back")
		require.EqualValues(t, 102, w.status(id))
		require.Equal(t, 100, w.Domain.Stock(w.tea), "given back once")
		require.Zero(t, w.Domain.Int("SELECT status FROM coupon_user WHERE id = ?", held))
		w.Domain.Agree()
	}
}

func TestMoneyForAnOrderThatExpired(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.announced()
	w.Domain.Clock.Move(31 * time.Minute)
	ended, err := w.Domain.Orders.ExpireUnpaid(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, ended)
	require.Equal(t, 204, w.send(t, w.paying(id)))
	require.EqualValues(t, 103, w.status(id))
	w.deliver()
	require.EqualValues(t, 2, w.Domain.Int("SELECT status FROM refund"))
	w.Domain.Agree()
}

// The second of two payments is refunded.
func TestASecondPaymentOfAPaidOrder(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.announced()
	p := w.paying(id)
	require.Equal(t, 204, w.send(t, p))
	second := p
	second.id, second.transaction = "EV-second", "4299"
	require.Equal(t, 204, w.send(t, second))
	require.Equal(t, p.transaction, w.Domain.Text("SELECT pay_id FROM orders"), "the order is paid once")
	require.Equal(t, "2|0.00,5|53.50", w.Domain.Text("SELECT GROUP_CONCAT(CONCAT_WS('|', status, refunded_amount) ORDER BY id) FROM payment"))
	require.EqualValues(t, 1, w.alarms())
	w.deliver()
	require.EqualValues(t, 201, w.status(id))
	require.EqualValues(t, 2, w.Domain.Int("SELECT status FROM refund"))
	w.Domain.Agree()
	// The order's own refund is separate.
	w.lin.POST(refund, ref(id)).OK()
	require.NoError(t, w.Domain.Orders.Refund(t.Context(), actor.Operator(1), id, 5350))
	require.EqualValues(t, 203, w.status(id))
	require.EqualValues(t, 2, w.Domain.Int("SELECT COUNT(DISTINCT out_refund_no) FROM refund"))
	w.Domain.Agree()
}

// A repeated notification does not move an order back.
func TestLateNotificationsChangeNothing(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, status := range []domainorder.Status{202, 203, 301, 401} {
		id := w.in(status)
		p := w.paying(id)
		p.transaction = w.Domain.Text("SELECT pay_id FROM orders WHERE id = ?", id)
		require.Equal(t, 204, w.send(t, p))
		require.EqualValues(t, status, w.status(id), "the same again")
		p.id, p.transaction = p.id+"-second", p.transaction+"x"
		require.Equal(t, 204, w.send(t, p))
		require.EqualValues(t, status, w.status(id), "another payment")
		require.EqualValues(t, 1, w.Domain.Int("SELECT COUNT(*) FROM payment WHERE order_id = ? AND status = 5", id))
		w.deliver()
		w.Domain.Agree()
	}
}

// The payer may be faster than the closing of a payment that was replaced by another one.
func TestAPaymentThatWasReplaced(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.announced()
	p := w.paying(id)
	w.Domain.Exec("UPDATE payment SET trade_type = 'MWEB'")
	w.lin.POST(prepay, ref(id)).OK()
	require.Equal(t, "3,1", w.Domain.Text("SELECT GROUP_CONCAT(status ORDER BY id) FROM payment"))
	require.Equal(t, 204, w.send(t, p))
	require.EqualValues(t, 201, w.status(id), "the money counts")
	require.Equal(t, "2,3", w.Domain.Text("SELECT GROUP_CONCAT(status ORDER BY id) FROM payment"))
	w.Domain.Agree()
	// If the other one is paid too, it is refunded.
	second := w.paying(id)
	second.id = "EV-second"
	require.Equal(t, 204, w.send(t, second))
	require.Equal(t, "2,5", w.Domain.Text("SELECT GROUP_CONCAT(status ORDER BY id) FROM payment"))
	w.deliver()
	w.Domain.Agree()
}

// An internal failure is not a refusal: the platform is told to retry, and nothing has changed.
func TestNotificationWhileTheDatabaseFails(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.announced()
	p := w.paying(id)
	before := w.books()
	w.conflict("UPDATE orders")
	require.Equal(t, 500, w.send(t, p))
	require.Equal(t, before, w.books())
	require.Empty(t, w.notices())
	w.API.Count = domaintest.Count
	require.Equal(t, 204, w.send(t, p))
	w.Domain.Agree()
}
