package order_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
)

// clerk is the operator of the tests.
var clerk = actor.Operator(7)

// called returns the context of a call by the clerk.
func called(ctx context.Context, request, action string) context.Context {
	return audit.With(ctx, audit.Call{
		By: clerk, Name: "clerk", Address: "192.0.2.1", Request: request, Permission: "admin:order:x",
		Operation: "POST /x", Target: "orders", Kind: audit.Ordering, Action: action, At: domaintest.Noon,
	})
}

// records are the audit records and business log entries, oldest first.
func records(s *domaintest.Shop) []string {
	return append(
		s.Texts("SELECT CONCAT_WS('|', admin_name, request_id, target_id, add_time) FROM audit_log ORDER BY id"),
		s.Texts("SELECT CONCAT_WS('|', admin, action, status, comment, add_time) FROM log ORDER BY id")...)
}

// An offline payment sets the price of the order; no platform is called, for it or for its refund.
//
// An order paid offline behaves like any other paid order, and its refund is made by hand.
func TestPayOffline(t *testing.T) {
	t.Parallel()
	for name, amount := range map[string]money.Amount{"less": 8000, "nothing": 0, "more": 20000} {
		t.Run(name, func(t *testing.T) {
			s := domaintest.Open(t)
			lin := s.Shopper("lin")
			tea := s.Product("tea", 10000, 10)
			id := s.Order(lin, tea)
			_, err := s.Orders.Prepay(t.Context(), lin, id, "192.0.2.1")
			require.NoError(t, err)
			late := s.Notification(id)
			ctx := called(t.Context(), "r1", "收款")
			require.ErrorIs(t, s.Orders.PayOffline(ctx, clerk, 99, amount), errno.Invalid)
			require.NoError(t, s.Orders.PayOffline(ctx, clerk, id, amount))
			s.Agree()
			sn := s.Text("SELECT order_sn FROM orders")
			require.Equal(t, fmt.Sprintf("201|%s|offline|offline-7-%s|1", amount, sn), s.Text("SELECT CONCAT_WS('|', "+
				"order_status, actual_price, pay_channel, pay_id, pay_time = ?) FROM orders", s.Clock.Now()))
			require.Equal(t, []string{"3|sandbox", "2|offline"}, s.Texts("SELECT CONCAT_WS('|', status, channel) FROM payment "+
				"ORDER BY id"))
			require.Equal(t, []string{
				"clerk|r1|1|2030-01-02 04:00:00.000",
				"clerk|收款|1|应付 100.00，实收 " + amount.String() + "|2030-01-02 04:00:00.000",
			}, records(s))
			require.ErrorIs(t, s.Orders.PayOffline(ctx, clerk, id, amount), errno.OrderConfirmNotAllowed)
			// The shopper has paid too, a moment too late: that money is refunded.
			require.NoError(t, s.Deliver(late))
			s.Agree()
			require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM payment WHERE status = 5"))
			_, err = s.Outbox.Deliver(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 2, s.Int("SELECT status FROM refund"))
			// And the offline payment is refunded by hand.
			require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
			s.Sandbox.Behave(sandbox.Behaviour{Silent: true, Refuse: true})
			require.NoError(t, s.Orders.Refund(called(t.Context(), "r2", "退款"), clerk, id, amount))
			require.Equal(t, "203|"+amount.String()+"|线下退款|-", s.Text("SELECT CONCAT_WS('|', order_status, refund_amount, "+
				"refund_type, COALESCE(refund_content, '-')) FROM orders"))
			require.Equal(t, 10, s.Stock(tea))
			s.Agree()
		})
	}
}

// An offline payment concurrent with the platform's notification: one of them pays the order, and surplus money of the
// platform is refunded.
func TestPayOfflineAndNotification(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		id := s.Order(lin, s.Product(fmt.Sprint("tea", round), 10000, 10))
		_, err := s.Orders.Prepay(t.Context(), lin, id, "192.0.2.1")
		require.NoError(t, err)
		n := s.Notification(id)
		got := domaintest.AtOnce(append(
			domaintest.Times(8, func(int) error { return s.Orders.PayOffline(t.Context(), clerk, id, 9000) }),
			func() error { return s.Deliver(n) })...)
		channel := s.Text("SELECT pay_channel FROM orders WHERE id = ?", id)
		late := s.Int("SELECT COUNT(*) FROM payment WHERE order_id = ? AND status = 5", id)
		if channel == payment.Offline {
			require.Equal(t, outcomes{0: 2, 620: 7}, got)
			require.EqualValues(t, 1, late)
			return
		}
		require.Equal(t, outcomes{0: 1, 620: 8}, got)
		require.Zero(t, late)
	})
}

// Finished orders can be deleted with their lines and cases; orders in progress cannot.
//
// Neither while a case waits for an operator, nor partially.
func TestDelete(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Product("tea", 10000, 50)
	ctx := called(t.Context(), "r1", "删除")
	at := func(moves ...func(id int64) error) int64 {
		t.Helper()
		id := s.Order(lin, tea)
		for _, move := range moves {
			require.NoError(t, move(id))
		}
		return id
	}
	pay := func(id int64) error { s.Pay(lin, id); return nil }
	ship := func(id int64) error { return s.Orders.Ship(called(t.Context(), "r0", "发货"), clerk, id, "ZTO", "1") }
	confirm := func(id int64) error { return s.Orders.Confirm(t.Context(), lin, id) }
	askBack := func(id int64) error { return s.Orders.AskRefund(t.Context(), lin, id) }
	complain := func(id int64) error {
		_, err := s.Aftersales.Submit(t.Context(), lin, aftersale.Submission{OrderID: id, Amount: 100})
		return err
	}
	caseOf := func(id int64) int64 { return s.Int("SELECT id FROM aftersale WHERE order_id = ?", id) }
	accept := func(id int64) error { return s.Aftersales.Accept(t.Context(), clerk, caseOf(id)) }
	under := []int64{
		at(), at(pay), at(pay, askBack), at(pay, ship), at(pay, ship, confirm, complain),
		at(pay, ship, confirm, complain, accept),
	}
	for _, id := range under {
		require.ErrorIs(t, s.Orders.Delete(ctx, clerk, id), errno.OrderConfirmNotAllowed, id)
	}
	over := []int64{
		at(func(id int64) error { return s.Orders.Cancel(t.Context(), lin, id) }),
		at(pay, askBack, func(id int64) error { return s.Orders.Refund(called(t.Context(), "r0", "退款"), clerk, id, 10000) }),
		at(pay, ship, confirm),
		at(pay, ship, confirm, complain, func(id int64) error { return s.Aftersales.Cancel(t.Context(), lin, caseOf(id)) }),
		at(pay, ship, confirm, complain, accept, func(id int64) error {
			return s.Aftersales.Refund(t.Context(), clerk, caseOf(id))
		}),
	}
	before := len(records(s))
	require.ErrorIs(t, s.Orders.Delete(ctx, clerk, 99), errno.Invalid)
	require.Len(t, records(s), before, "what was refused leaves no record")
	for _, id := range over {
		require.NoError(t, s.Orders.Delete(ctx, clerk, id), id)
		s.Agree()
		require.ErrorIs(t, s.Orders.Delete(ctx, clerk, id), errno.Invalid, "once")
		_, err := s.Orders.Find(t.Context(), lin, id)
		require.ErrorIs(t, err, errno.OrderUnknown)
		d, err := s.Orders.AdminFind(t.Context(), id)
		require.NoError(t, err)
		require.True(t, d.Deleted)
		require.Len(t, d.Lines, 1)
	}
	require.Len(t, records(s), before+2*len(over))
	require.EqualValues(t, len(over), s.Int("SELECT COUNT(*) FROM order_goods WHERE deleted = 1"))
	require.EqualValues(t, 2, s.Int("SELECT COUNT(*) FROM aftersale WHERE deleted = 1"))
}

func TestDeleteIsAtomic(t *testing.T) {
	t.Parallel()
	s, lin, id := endings(t)
	require.NoError(t, s.Orders.Cancel(t.Context(), lin, id))
	const left = "SELECT CONCAT_WS('/', (SELECT GROUP_CONCAT(CONCAT_WS('|', deleted, version)) FROM orders), " +
		"(SELECT GROUP_CONCAT(deleted) FROM order_goods), (SELECT COUNT(*) FROM log), (SELECT COUNT(*) FROM audit_log))"
	before := s.Text(left)
	s.FailEach(func(ctx context.Context) error { return s.Orders.Delete(called(ctx, "r", "删除"), clerk, id) },
		func(n int) { require.Equal(t, before, s.Text(left), "statement %d", n) })
	require.Equal(t, "1|2/1,1/1/1", s.Text(left))
}

func TestPayOfflineIsAtomic(t *testing.T) {
	t.Parallel()
	s, _, id := endings(t)
	before := state(s)
	s.FailEach(func(ctx context.Context) error {
		return s.Orders.PayOffline(called(ctx, "r", "收款"), clerk, id, 100)
	},
		func(n int) { require.Equal(t, before, state(s), "statement %d", n) })
	require.Equal(t, "201", s.Text("SELECT order_status FROM orders"))
}

// Of operators who do the same concurrently one succeeds; the others are refused.
//
// No two of them succeed, even within one second.
func TestOperatorsDoTheSameAtOnce(t *testing.T) {
	t.Parallel()
	paid := func(s *domaintest.Shop, lin, id int64) { s.Pay(lin, id) }
	for name, tt := range map[string]struct {
		before func(s *domaintest.Shop, lin, id int64)
		deed   func(s *domaintest.Shop, by actor.Actor, id int64) error
		loser  *errno.Code
	}{
		"pay": {func(*domaintest.Shop, int64, int64) {}, func(s *domaintest.Shop, by actor.Actor, id int64) error {
			return s.Orders.PayOffline(t.Context(), by, id, 100)
		}, errno.OrderConfirmNotAllowed},
		"ship": {paid, func(s *domaintest.Shop, by actor.Actor, id int64) error {
			return s.Orders.Ship(t.Context(), by, id, "ZTO", "1")
		}, errno.OrderConfirmNotAllowed},
		"reject": {func(s *domaintest.Shop, lin, id int64) {
			s.Pay(lin, id)
			require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
		}, func(s *domaintest.Shop, by actor.Actor, id int64) error {
			return s.Orders.RejectRefund(t.Context(), by, id, "no")
		}, errno.OrderConfirmNotAllowed},
		"delete": {func(s *domaintest.Shop, lin, id int64) {
			require.NoError(t, s.Orders.Cancel(t.Context(), lin, id))
		}, func(s *domaintest.Shop, by actor.Actor, id int64) error {
			return s.Orders.Delete(t.Context(), by, id)
		}, errno.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			race(t, func(t *testing.T, s *domaintest.Shop, round int) {
				lin := s.Shopper(fmt.Sprint("lin", round))
				id := s.Order(lin, s.Product(fmt.Sprint("tea", round), 10000, 10))
				tt.before(s, lin, id)
				got := domaintest.Together(10, func(i int) error { return tt.deed(s, actor.Operator(int64(i+1)), id) })
				require.Equal(t, outcomes{0: 1, tt.loser.Num: 9}, got)
			})
		})
	}
}

// However the refund of an order is interrupted, it is completed once, and recorded with the operator who requested it.
//
// A rollback never loses a refund that was paid.
func TestARefundIsOnRecordWhoeverFinishesIt(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Product("tea", 10000, 100)
	for n := 1; ; n++ {
		require.Less(t, n, 60)
		id := s.Order(lin, tea)
		s.Pay(lin, id)
		require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
		ctx, reached := domaintest.FailAt(called(t.Context(), fmt.Sprint("r", n), "退款"), n)
		err := s.Orders.Refund(ctx, clerk, id, 10000)
		if !reached() {
			require.NoError(t, err)
			require.Greater(t, n, 15)
			s.Agree()
			return
		}
		require.Error(t, err, n)
		s.Clock.Move(10 * time.Minute)
		_, err = s.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		if s.Int("SELECT order_status FROM orders WHERE id = ?", id) == int64(order.RefundAsked) { // not even claimed
			require.NoError(t, s.Orders.Refund(called(t.Context(), fmt.Sprint("r", n), "退款"), clerk, id, 10000))
		}
		require.Equal(t, fmt.Sprintf("clerk|r%d", n), s.Text("SELECT GROUP_CONCAT(CONCAT_WS('|', admin_name, request_id)) "+
			"FROM audit_log WHERE target_id = ?", id), "statement %d", n)
		require.EqualValues(t, n, s.Int("SELECT COUNT(*) FROM log WHERE status = 1"), "statement %d", n)
		require.Zero(t, s.Int("SELECT COUNT(*) FROM refund WHERE ordered_by IS NOT NULL"), "statement %d", n)
	}
}
