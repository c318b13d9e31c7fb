package order_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/review"
)

// Comment, line and counter change atomically, once.
func TestTwoCommentsOnOneLine(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		id := s.Order(lin, s.Product(fmt.Sprint("tea", round), 4550, 10))
		s.Pay(lin, id)
		require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "1"))
		require.NoError(t, s.Orders.Confirm(t.Context(), lin, id))
		line := s.Int("SELECT id FROM order_goods WHERE order_id = ?", id)
		got := domaintest.Together(20, func(i int) error {
			return s.LineComments.Comment(t.Context(), lin, line, review.Comment{Content: fmt.Sprint(i), Star: 5})
		})
		require.Equal(t, outcomes{0: 1, 726: 19}, got)
		require.EqualValues(t, round+1, s.Int("SELECT COUNT(*) FROM comment"))
		require.Zero(t, s.Int("SELECT SUM(comments) FROM orders"))
	})
}

func TestConfirmAndDeleteTwice(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		id := s.Order(lin, s.Product(fmt.Sprint("tea", round), 4550, 10))
		s.Pay(lin, id)
		require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "1"))
		got := domaintest.Together(20, func(int) error { return s.Orders.Confirm(t.Context(), lin, id) })
		require.Equal(t, outcomes{0: 1, 725: 19}, got)
		require.EqualValues(t, 1, s.Int("SELECT comments FROM orders WHERE id = ?", id))
		got = domaintest.Together(20, func(int) error { return s.Orders.Hide(t.Context(), lin, id) })
		require.Equal(t, outcomes{0: 1, 720: 19}, got)
	})
}

func TestAskForRefundAndShip(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		id := s.Order(lin, s.Product(fmt.Sprint("tea", round), 4550, 10))
		s.Pay(lin, id)
		got := domaintest.AtOnce(append(
			domaintest.Times(10, func(int) error { return s.Orders.AskRefund(t.Context(), lin, id) }),
			domaintest.Times(10, func(int) error { return s.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "1") })...)...)
		status := s.Int("SELECT order_status FROM orders WHERE id = ?", id)
		if order.Status(status) == order.Shipped {
			require.Equal(t, outcomes{0: 1, 725: 10, 620: 9}, got)
			return
		}
		require.EqualValues(t, order.RefundAsked, status)
		require.Equal(t, outcomes{0: 1, 725: 9, 620: 10}, got)
	})
}

func TestOperatorsRefundAndReject(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		tea := s.Product(fmt.Sprint("tea", round), 10000, 10)
		id := s.Order(lin, tea)
		s.Pay(lin, id)
		require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
		rejecting := round % 2
		got := domaintest.AtOnce(append(
			domaintest.Times(20, func(i int) error {
				return s.Orders.Refund(t.Context(), actor.Operator(int64(i+1)), id, money.Yuan(100))
			}),
			domaintest.Times(5*rejecting, func(int) error { return s.Orders.RejectRefund(t.Context(), actor.Operator(9), id, "") })...)...)
		require.Equal(t, 1, got[0], "%v", got)
		require.Equal(t, 20+5*rejecting, got[0]+got[504]+got[620], "%v", got)
		if order.Status(s.Int("SELECT order_status FROM orders WHERE id = ?", id)) == order.Refunded {
			require.Equal(t, 10, s.Stock(tea))
			require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM refund WHERE order_id = ? AND status = 2", id))
		} else {
			require.Equal(t, 9, s.Stock(tea))
		}
	})
}

// The outbox and the operator may finish one refund concurrently.
func TestRefundAndItsOutbox(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		tea := s.Product(fmt.Sprint("tea", round), 10000, 10)
		id := s.Order(lin, tea)
		s.Pay(lin, id)
		require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
		// The process dies while it waits for the platform.
		ctx, _ := domaintest.FailAt(t.Context(), 1)
		require.Error(t, s.Orders.Refund(ctx, actor.Operator(1), id, money.Yuan(100)))
		s.Exec("UPDATE refund SET status = 1, attempts = 1, operator_id = 1, version = version + 1 WHERE order_id = ?", id)
		s.Exec("UPDATE payment SET refunded_amount = 100, version = version + 1 WHERE order_id = ?", id)
		s.Exec("INSERT INTO outbox_event (topic, event_key, aggregate_id, payload, available_time, add_time) "+
			"SELECT 'refund.send', CONCAT('refund.send:', id, ':1'), id, 'null', ?, ? FROM refund WHERE order_id = ?",
			s.Clock.Now(), s.Clock.Now(), id)
		s.Clock.Move(6 * time.Minute)
		got := domaintest.AtOnce(append(
			domaintest.Times(10, func(int) error { _, err := s.Outbox.Deliver(t.Context()); return err }),
			domaintest.Times(10, func(int) error { return s.Orders.Refund(t.Context(), actor.Operator(2), id, money.Yuan(100)) })...)...)
		require.Equal(t, 20, got[0]+got[504]+got[620], "%v", got)
		s.Clock.Move(time.Hour)
		_, err := s.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, order.Refunded, s.Int("SELECT order_status FROM orders WHERE id = ?", id))
		require.Equal(t, 10, s.Stock(tea), "given back once")
	})
}

// Shoppers and operators do everything concurrently to few products: the global lock order prevents deadlocks, so calls
// fail by rules of the shop only.
func TestEverythingConcurrently(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	const workers, steps, products = 24, 12, 5
	wares := make([]cart.AddRequest, products)
	for i := range wares {
		wares[i] = s.Product(fmt.Sprint("ware", i), 10000, 7)
	}
	var mu sync.Mutex
	seen := outcomes{}
	note := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		seen[domaintest.Code(err)]++
		if domaintest.Code(err) == errno.Internal.Num {
			t.Error(err)
		}
	}
	carts := make([]func(r *rand.Rand), workers)
	for i := range carts {
		shopper := s.Shopper(fmt.Sprint("shopper", i))
		to := s.Address(shopper)
		coupon, _ := s.Coupon(shopper, 100, 0)
		carts[i] = func(r *rand.Rand) { visit(t.Context(), s, shopper, to, coupon, wares, r, note) }
	}
	var wg sync.WaitGroup
	for i, visit := range carts {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for range steps {
				visit(r)
			}
		})
	}
	wg.Wait()
	t.Logf("outcomes: %v", seen)
	require.Subset(t, []int{0, 402, 504, 620, 711, 725}, slices.Collect(maps.Keys(seen)))
	require.Less(t, seen[504], 10, "calls that lost again and again")
	s.Agree()
}

// visit fills a cart with some products in random order, buys, and does something with the order.
func visit(
	ctx context.Context, s *domaintest.Shop, shopper, to, coupon int64, wares []cart.AddRequest, r *rand.Rand, note func(error),
) {
	for _, i := range r.Perm(len(wares))[:1+r.IntN(len(wares))] {
		_, err := s.Cart.Set(ctx, shopper, wares[i])
		note(err)
	}
	placed, err := s.Orders.Submit(ctx, shopper, order.Submission{
		Choice: order.Choice{Address: to, Coupon: coupon * int64(r.IntN(2))},
	})
	if err != nil {
		note(err)
		return
	}
	id := placed.OrderID
	if r.IntN(3) == 0 {
		note(s.Orders.Cancel(ctx, shopper, id))
		return
	}
	_, err = s.Orders.Prepay(ctx, shopper, id, "192.0.2.1")
	note(err)
	n := s.Notification(id)
	both := []func(){func() { note(s.Deliver(n)) }, func() { note(s.Deliver(n)) }}
	if r.IntN(3) == 0 {
		both = append(both, func() { note(s.Orders.Cancel(ctx, shopper, id)) })
	}
	var wg sync.WaitGroup
	for _, do := range both {
		wg.Go(do)
	}
	wg.Wait()
	note(s.Orders.AskRefund(ctx, shopper, id))
	amount, err := money.Parse(s.Text("SELECT actual_price FROM orders WHERE id = ?", id))
	note(err)
	note(s.Orders.Refund(ctx, actor.Operator(1), id, amount))
}
