package order_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/money"
)

// state is everything that a purchase and its end can change.
func state(s *domaintest.Shop) string {
	return s.Text("SELECT CONCAT_WS('/', " +
		"(SELECT GROUP_CONCAT(CONCAT_WS('|', id, order_status, version) ORDER BY id) FROM orders), " +
		"(SELECT COUNT(*) FROM order_goods), (SELECT COUNT(*) FROM order_status_log), (SELECT COUNT(*) FROM stock_log), " +
		"(SELECT GROUP_CONCAT(number ORDER BY id) FROM goods_product), " +
		"(SELECT GROUP_CONCAT(CONCAT_WS('|', status, COALESCE(order_id, 0)) ORDER BY id) FROM coupon_user), " +
		"(SELECT GROUP_CONCAT(CONCAT_WS('|', id, number, deleted) ORDER BY id) FROM cart), " +
		"(SELECT GROUP_CONCAT(CONCAT_WS('|', id, status, refunded_amount) ORDER BY id) FROM payment), " +
		"(SELECT GROUP_CONCAT(CONCAT_WS('|', id, status) ORDER BY id) FROM refund), " +
		"(SELECT GROUP_CONCAT(CONCAT_WS('|', id, status, member_count, active_mark) ORDER BY id) FROM groupon), " +
		"(SELECT COUNT(*) FROM outbox_event), (SELECT COUNT(*) FROM idempotency))")
}

// A failure at any statement leaves no purchase.
func TestSubmitIsAtomic(t *testing.T) {
	t.Parallel()
	for name, discount := range map[string]money.Amount{"to pay": money.Yuan(10), "free": money.Yuan(1000)} {
		t.Run(name, func(t *testing.T) {
			s := domaintest.Open(t)
			lin := s.Shopper("lin")
			to := s.Address(lin)
			for _, name := range []string{"tea", "pot"} {
				w := s.Product(name, 4550, 10)
				w.Number = 2
				_, err := s.Cart.Set(t.Context(), lin, w)
				require.NoError(t, err)
			}
			coupon, _ := s.Coupon(lin, discount, 0)
			before := state(s)
			s.FailEach(func(ctx context.Context) error {
				_, err := s.Orders.Submit(ctx, lin, order.Submission{
					Choice: order.Choice{Cart: cart.Everything, Address: to, Coupon: coupon},
				})
				return err
			}, func(n int) { require.Equal(t, before, state(s), "statement %d", n) })
			require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM orders"))
		})
	}
}

// endings returns a shop with an unpaid order that has a coupon and two lines.
func endings(t *testing.T) (s *domaintest.Shop, lin, id int64) {
	t.Helper()
	s = domaintest.Open(t)
	lin = s.Shopper("lin")
	to := s.Address(lin)
	for _, name := range []string{"tea", "pot"} {
		_, err := s.Cart.Set(t.Context(), lin, s.Product(name, 4550, 10))
		require.NoError(t, err)
	}
	coupon, _ := s.Coupon(lin, money.Yuan(10), 0)
	placed, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Address: to, Coupon: coupon}})
	require.NoError(t, err)
	_, err = s.Orders.Prepay(t.Context(), lin, placed.OrderID, "192.0.2.1")
	require.NoError(t, err)
	return s, lin, placed.OrderID
}

func TestCancelIsAtomic(t *testing.T) {
	t.Parallel()
	s, lin, id := endings(t)
	before := state(s)
	s.FailEach(func(ctx context.Context) error { return s.Orders.Cancel(ctx, lin, id) },
		func(n int) { require.Equal(t, before, state(s), "statement %d", n) })
	require.EqualValues(t, order.Cancelled, s.Int("SELECT order_status FROM orders"))
	require.EqualValues(t, 20, s.Int("SELECT SUM(number) FROM goods_product"))
}

// An order ends and releases its stock and coupon, or neither.
func TestExpireIsAtomic(t *testing.T) {
	t.Parallel()
	s, _, _ := endings(t)
	s.Clock.Move(time.Hour)
	before := state(s)
	s.FailEach(func(ctx context.Context) error {
		_, err := s.Orders.ExpireUnpaid(ctx)
		return err
	}, func(n int) { require.Equal(t, before, state(s), "statement %d", n) })
	require.EqualValues(t, order.Expired, s.Int("SELECT order_status FROM orders"))
	require.EqualValues(t, 20, s.Int("SELECT SUM(number) FROM goods_product"))
}

func TestNotificationIsAtomic(t *testing.T) {
	t.Parallel()
	for _, cancelled := range []bool{false, true} {
		s, lin, id := endings(t)
		if cancelled {
			require.NoError(t, s.Orders.Cancel(t.Context(), lin, id))
		}
		header, body, err := s.Sandbox.Compose(t.Context(), s.Notification(id))
		require.NoError(t, err)
		before := state(s)
		s.FailEach(func(ctx context.Context) error { return s.Orders.HandleNotification(ctx, header.Get, body) },
			func(n int) {
				require.Equal(t, before, state(s), "statement %d", n)
				require.Zero(t, s.Int("SELECT COUNT(*) FROM payment_notify"))
			})
		require.EqualValues(t, map[bool]order.Status{false: order.Paid, true: order.Cancelled}[cancelled],
			s.Int("SELECT order_status FROM orders"))
	}
}

func TestAskRefundIsAtomic(t *testing.T) {
	t.Parallel()
	s, lin, id := endings(t)
	require.NoError(t, s.Deliver(s.Notification(id)))
	before := state(s)
	s.FailEach(func(ctx context.Context) error { return s.Orders.AskRefund(ctx, lin, id) },
		func(n int) { require.Equal(t, before, state(s), "statement %d", n) })
}

// A refund has two transactions with the platform between them. Whichever statement fails, the order is either
// unchanged, or stays in the state "refund requested" until the outbox has finished the refund.
func TestRefundIsAtomic(t *testing.T) {
	t.Parallel()
	s, lin, id := endings(t)
	require.NoError(t, s.Deliver(s.Notification(id)))
	require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
	paid, err := money.Parse(s.Text("SELECT actual_price FROM orders"))
	require.NoError(t, err)
	asked := s.Text("SELECT CONCAT_WS('|', order_status, version) FROM orders")
	for n := 1; ; n++ {
		// Each statement fails on an order in its own state: the effects of the last failure are reverted by hand.
		s.Exec("DELETE FROM outbox_event WHERE topic = 'refund.send'")
		s.Exec("UPDATE refund SET status = 0, attempts = 0")
		s.Exec("UPDATE payment SET refunded_amount = 0")
		ctx, reached := domaintest.FailAt(t.Context(), n)
		err := s.Orders.Refund(ctx, actor.Operator(1), id, paid)
		s.Agree()
		if !reached() {
			require.NoError(t, err)
			break
		}
		require.Error(t, err, "statement %d", n)
		if order.Status(s.Int("SELECT order_status FROM orders")) == order.Refunded {
			require.ErrorIs(t, err, domaintest.ErrInjected)
			t.Fatalf("statement %d failed and the order is refunded", n)
		}
		require.Equal(t, asked, s.Text("SELECT CONCAT_WS('|', order_status, version) FROM orders"), "statement %d", n)
		require.EqualValues(t, 18, s.Int("SELECT SUM(number) FROM goods_product"))
		begun := s.Int("SELECT status FROM refund")
		require.Equal(t, begun, s.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = 'refund.send'"), "statement %d", n)
		require.Equal(t, begun == 1, s.Int("SELECT refunded_amount > 0 FROM payment") == 1, "statement %d", n)
	}
	require.EqualValues(t, order.Refunded, s.Int("SELECT order_status FROM orders"))
	require.EqualValues(t, 20, s.Int("SELECT SUM(number) FROM goods_product"))
}

// If a process dies after the platform's answer, the outbox of another one finishes the refund.
func TestTheOutboxFinishesARefund(t *testing.T) {
	t.Parallel()
	for n := 8; n <= 16; n += 4 {
		s, lin, id := endings(t)
		require.NoError(t, s.Deliver(s.Notification(id)))
		require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
		paid, err := money.Parse(s.Text("SELECT actual_price FROM orders"))
		require.NoError(t, err)
		ctx, _ := domaintest.FailAt(t.Context(), n)
		require.Error(t, s.Orders.Refund(ctx, actor.Operator(1), id, paid))
		require.EqualValues(t, order.RefundAsked, s.Int("SELECT order_status FROM orders"))
		require.EqualValues(t, 1, s.Int("SELECT status FROM refund"))
		s.Clock.Move(time.Minute)
		_, err = s.Replica().Outbox.Deliver(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, order.Refunded, s.Int("SELECT order_status FROM orders"), n)
		require.EqualValues(t, 20, s.Int("SELECT SUM(number) FROM goods_product"))
		require.EqualValues(t, 2, s.Int("SELECT status FROM refund"))
		s.Agree()
	}
}
