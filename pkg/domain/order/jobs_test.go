package order_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/review"
)

func shipped(t *testing.T, s *domaintest.Shop, shopper int64, n int) []int64 {
	t.Helper()
	tea := s.Product("tea", 10000, n)
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = s.Order(shopper, tea)
		s.Pay(shopper, ids[i])
		require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), ids[i], "ZTO", "Z1"))
	}
	return ids
}

// Orders that were confirmed by time can be commented on.
func TestReceiveShipped(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	ids := shipped(t, s, lin, 6)
	require.NoError(t, s.Orders.Confirm(t.Context(), lin, ids[0]))
	run := func(d *app.Domain) (int, error) { return d.Orders.ReceiveShipped(t.Context()) }
	s.Clock.Move(7*24*time.Hour - time.Second)
	require.Zero(t, s.OnReplicas(run), "there is a second left")
	s.Clock.Move(time.Second)
	require.Equal(t, 5, s.OnReplicas(run))
	require.Zero(t, s.OnReplicas(run))
	require.Equal(t, int64(5), s.Int("SELECT COUNT(*) FROM orders WHERE order_status = 402 AND comments = 1 "+
		"AND confirm_time = ?", s.Clock.Now()))
	require.Equal(t, int64(5), s.Int("SELECT COUNT(*) FROM order_status_log WHERE to_status = 402 AND actor_type = 0"))
	require.Equal(t, int64(401), s.Int("SELECT order_status FROM orders WHERE id = ?", ids[0]))
	require.ErrorIs(t, s.Orders.Confirm(t.Context(), lin, ids[1]), errno.OrderInvalidOperation)
	s.Agree()
}

// Lines that have their comment keep it.
func TestCloseComments(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	ctx := t.Context()
	lin := s.Shopper("lin")
	ids := shipped(t, s, lin, 5)
	for _, id := range ids {
		require.NoError(t, s.Orders.Confirm(ctx, lin, id))
	}
	line := func(id int64) int64 { return s.Int("SELECT id FROM order_goods WHERE order_id = ?", id) }
	require.NoError(t, s.LineComments.Comment(ctx, lin, line(ids[0]), review.Comment{Content: "good", Star: 5}))
	kept := s.Int("SELECT comment_id FROM order_goods WHERE order_id = ?", ids[0])
	// The other line of an order keeps its comment.
	s.Exec("INSERT INTO order_goods (order_id, goods_id, goods_name, goods_sn, product_id, number, price, specifications, "+
		"pic_url, comment_id, add_time, update_time) SELECT order_id, goods_id, goods_name, goods_sn, product_id, 0, price, "+
		"specifications, pic_url, ?, add_time, update_time FROM order_goods WHERE order_id = ?", kept, ids[1])

	run := func(d *app.Domain) (int, error) { return d.Orders.CloseComments(t.Context()) }
	s.Clock.Move(7 * 24 * time.Hour)
	require.Zero(t, s.OnReplicas(run), "the last moment counts")
	s.Clock.Move(time.Millisecond)
	require.Equal(t, 4, s.OnReplicas(run))
	require.Zero(t, s.OnReplicas(run))
	require.Zero(t, s.Int("SELECT SUM(comments) FROM orders"))
	require.Equal(t, int64(4), s.Int("SELECT COUNT(*) FROM order_goods WHERE comment_id = -1"))
	require.Equal(t, int64(2), s.Int("SELECT COUNT(*) FROM order_goods WHERE comment_id = ?", kept))
	err := s.LineComments.Comment(ctx, lin, line(ids[2]), review.Comment{Content: "late", Star: 5})
	require.Error(t, err)
	s.Exec("DELETE FROM order_goods WHERE number = 0")
	s.Agree()
}

func TestQueryOpen(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, number := p.announced()
	unpaid, _ := p.announced()
	p.platform.Pay(number) // and no notification comes
	p.platform.Calls()
	run := func(d *app.Domain) (int, error) { return d.Payments.QueryOpen(t.Context()) }
	require.Zero(t, p.OnReplicas(run), "it may still come")
	p.Clock.Move(time.Minute)
	require.Equal(t, 2, p.OnReplicas(run))
	require.Len(t, p.platform.Calls(), 2, "one question each, however many ask")
	require.Equal(t, int64(order.Paid), p.status(id))
	require.Equal(t, int64(order.Unpaid), p.status(unpaid))
	require.Equal(t, int64(1), p.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicPaid))
	p.Agree()
	require.Zero(t, p.OnReplicas(run), "asked a moment ago")
	require.NoError(t, p.take(p.platform.Notification(number, nil)), "the notice comes after all")
	require.Zero(t, p.Int("SELECT COUNT(*) FROM refund"))
	require.NoError(t, p.Orders.Cancel(t.Context(), p.lin, unpaid))
	p.Clock.Move(time.Minute)
	require.Zero(t, p.OnReplicas(run), "a cancelled order waits for nothing")
	p.Agree()
}

// A payment that cannot be queried does not block others.
func TestQueryOpenGoesOn(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	_, broken := p.announced()
	id, number := p.announced()
	p.platform.Pay(number)
	p.platform.Pay(broken)
	p.platform.Answer(lostFor(broken))
	p.Clock.Move(time.Minute)
	n, err := p.Payments.QueryOpen(t.Context())
	require.Error(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, int64(order.Paid), p.status(id))
	p.platform.Answer(nil)
	p.Clock.Move(time.Minute)
	n, err = p.Payments.QueryOpen(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, int64(2), p.Int("SELECT COUNT(*) FROM orders WHERE order_status = 201"))
	p.Agree()
}

func TestRetryRefundsThreeAtOnce(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	p.platform.Answer(nil)
	for range 4 {
		id, _ := p.asked()
		p.platform.Answer(lost)
		require.ErrorIs(t, p.Orders.Refund(t.Context(), actor.Operator(1), id, 10000), errno.OrderRefundFailed)
		p.platform.Answer(nil)
	}
	p.platform.Calls()
	run := func(d *app.Domain) (int, error) { return d.Payments.RetryRefunds(t.Context()) }
	p.Clock.Move(5*time.Minute - time.Second)
	require.Zero(t, p.OnReplicas(run), "whoever asked may still be waiting")
	p.Clock.Move(time.Second)
	require.Equal(t, 4, p.OnReplicas(run))
	require.Len(t, p.platform.Calls(), 4)
	require.Equal(t, int64(4), p.Int("SELECT COUNT(*) FROM orders WHERE order_status = 203"))
	p.Agree()
}

// If a process dies after it has claimed a refund or a payment, another one takes it over.
func TestClaimsOutliveTheirProcess(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, _ := p.asked()
	waiting, number := p.announced()
	p.platform.Answer(lost)
	require.ErrorIs(t, p.Orders.Refund(t.Context(), actor.Operator(1), id, 10000), errno.OrderRefundFailed)
	p.platform.Pay(number)
	p.Clock.Move(5 * time.Minute)
	n, err := p.Payments.RetryRefunds(t.Context()) // claimed, and the process dies
	require.Error(t, err)
	require.Equal(t, 1, n)
	_, err = p.Payments.QueryOpen(t.Context())
	require.Error(t, err)
	p.Agree()
	p.platform.Answer(nil)
	p.Clock.Move(5 * time.Minute)
	other := p.Replica()
	_, err = other.Payments.RetryRefunds(t.Context())
	require.NoError(t, err)
	_, err = other.Payments.QueryOpen(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(order.Refunded), p.status(id))
	require.Equal(t, int64(order.Paid), p.status(waiting))
	p.Agree()
}

// The sandbox shares its state: the process that queries is not the one that was called.
func TestSandboxLosesItsNotification(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	id := s.Order(lin, s.Product("tea", 10000, 10))
	s.Sandbox.Behave(sandbox.Behaviour{Lost: true})
	_, err := s.Orders.Prepay(t.Context(), lin, id, "192.0.2.1", "", "")
	require.NoError(t, err)
	s.Sandbox.Settle()
	s.Clock.Move(time.Minute)
	n, err := s.Replica().Payments.QueryOpen(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, int64(order.Paid), s.Int("SELECT order_status FROM orders WHERE id = ?", id))
	s.Agree()
}

// Due rows are found in the database, by one process at a time.
func TestJobsByName(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	got := map[string]time.Duration{}
	for _, j := range s.Jobs() {
		got[j.Name] = j.Every
	}
	most := map[string]time.Duration{
		"checkOrderUnpaid": time.Minute, "checkOrderUnconfirm": time.Hour, "checkOrderComment": time.Hour,
		"checkCouponExpired": time.Hour, "checkGrouponExpired": time.Minute, "purge": time.Hour, "outbox": time.Minute,
		"paymentQuery": time.Minute, "refundRetry": time.Minute, "rollup": time.Minute,
	}
	for name, limit := range most {
		require.NotZero(t, got[name], name)
		require.LessOrEqual(t, got[name], limit, name)
	}
	// Three concurrent runners, this time with the leases.
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { _ = s.Runner().Run(ctx) })
	}
	ran := func() bool {
		return s.Int("SELECT COUNT(*) FROM job_lease WHERE last_note = '0 changed' OR name = 'rollup'") == int64(len(got))
	}
	require.Eventually(t, ran, time.Minute, 50*time.Millisecond)
	cancel()
	wg.Wait()
	s.Agree()
}
