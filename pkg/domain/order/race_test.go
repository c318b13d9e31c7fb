package order_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// rounds is the number of runs of each race, enough for one that is rarely lost.
const rounds = 4

// outcomes counts how calls ended, by the number of their code.
type outcomes = map[int]int

// race runs a race several times on one shop, and checks the books after each run.
func race(t *testing.T, run func(t *testing.T, s *domaintest.Shop, round int)) {
	t.Helper()
	s := domaintest.Open(t)
	for round := range rounds {
		run(t, s, round)
		s.Agree()
	}
}

// buyers are shoppers with pieces of a product in their carts; each submits by one call.
func buyers(t *testing.T, s *domaintest.Shop, n, round int, w cart.AddRequest) []func() error {
	t.Helper()
	calls := make([]func() error, n)
	for i := range calls {
		shopper := s.Shopper(fmt.Sprintf("buyer-%d-%d", round, i))
		to := s.Address(shopper)
		row, err := s.Cart.Set(t.Context(), shopper, w)
		require.NoError(t, err)
		calls[i] = func() error {
			_, err := s.Orders.Submit(t.Context(), shopper, order.Submission{Choice: order.Choice{Cart: row, Address: to}})
			return err
		}
	}
	return calls
}

func TestTheLastPiece(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		tea := s.Product(fmt.Sprint("tea", round), 4550, 1)
		require.Equal(t, outcomes{0: 1, 711: 19}, domaintest.AtOnce(buyers(t, s, 20, round, tea)...))
		require.Zero(t, s.Stock(tea))
	})
}

func TestTheLastPieces(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		tea := s.Product(fmt.Sprint("tea", round), 4550, 21)
		tea.Number = 2
		require.Equal(t, outcomes{0: 10, 711: 15}, domaintest.AtOnce(buyers(t, s, 25, round, tea)...))
		require.Equal(t, 1, s.Stock(tea))
	})
}

// A cart is bought once.
func TestTheSameCartTwice(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		to, tea := s.Address(lin), s.Product(fmt.Sprint("tea", round), 4550, 100)
		row, err := s.Cart.Set(t.Context(), lin, tea)
		require.NoError(t, err)
		got := domaintest.Together(20, func(i int) error {
			c := order.Choice{Cart: cart.Everything, Address: to}
			if i%2 == 0 {
				c.Cart = row
			}
			_, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: c})
			return err
		})
		require.Equal(t, outcomes{0: 1, 402: 19}, got)
		require.Equal(t, 99, s.Stock(tea))
	})
}

func TestTheSameKeyTwentyTimes(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		to, tea := s.Address(lin), s.Product(fmt.Sprint("tea", round), 4550, 100)
		_, err := s.Cart.Set(t.Context(), lin, tea)
		require.NoError(t, err)
		ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "order.submit", Owner: lin, Key: "k", Hash: "h"})
		placed := make([]order.Placed, 20)
		got := domaintest.Together(20, func(i int) (err error) {
			placed[i], err = s.Orders.Submit(ctx, lin, order.Submission{Choice: order.Choice{Address: to}})
			return err
		})
		require.Equal(t, outcomes{0: 20}, got)
		require.Len(t, slices.Compact(placed), 1, "one answer for all")
		require.Equal(t, 99, s.Stock(tea))
	})
}

// CVE-2026-109407: a coupon pays for one order.
func TestOneCouponForManyCarts(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		to := s.Address(lin)
		coupon, held := s.Coupon(lin, 100, 0)
		calls := domaintest.Times(20, nil)
		for i := range calls {
			row, err := s.Cart.Set(t.Context(), lin, s.Product(fmt.Sprintf("tea-%d-%d", round, i), 4550, 5))
			require.NoError(t, err)
			calls[i] = func() error {
				_, err := s.Orders.Submit(t.Context(), lin, order.Submission{
					Choice: order.Choice{Cart: row, Address: to, Coupon: coupon, UserCoupon: held * int64(i%2)},
				})
				return err
			}
		}
		require.Equal(t, outcomes{0: 1, 402: 19}, domaintest.AtOnce(calls...))
		require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM orders WHERE coupon_user_id = ?", held))
	})
}

func TestCancelTwice(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		tea := s.Product(fmt.Sprint("tea", round), 4550, 10)
		id := s.Order(lin, tea)
		got := domaintest.Together(20, func(int) error { return s.Orders.Cancel(t.Context(), lin, id) })
		require.Equal(t, outcomes{0: 1, 725: 19}, got)
		require.Equal(t, 10, s.Stock(tea))
	})
}

func TestExpireInSeveralProcesses(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	other := s.Replica()
	lin := s.Shopper("lin")
	for round := range rounds {
		tea := s.Product(fmt.Sprint("tea", round), 4550, 10)
		for range 3 {
			s.Order(lin, tea)
		}
		s.Clock.Move(time.Hour)
		var ended atomic.Int64
		got := domaintest.Together(20, func(i int) error {
			orders := s.Orders
			if i%2 == 0 {
				orders = other.Orders
			}
			n, err := orders.ExpireUnpaid(t.Context())
			ended.Add(int64(n))
			return err
		})
		require.Equal(t, outcomes{0: 20}, got)
		require.EqualValues(t, 3, ended.Load())
		require.Equal(t, 10, s.Stock(tea))
		s.Agree()
	}
}

// Of concurrent events one takes effect.
func TestCancelExpireAndNotification(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		tea := s.Product(fmt.Sprint("tea", round), 4550, 10)
		id := s.Order(lin, tea)
		_, err := s.Orders.Prepay(t.Context(), lin, id, "192.0.2.1", "", "")
		require.NoError(t, err)
		n := s.Notification(id)
		s.Clock.Move(time.Hour)
		n.Time = s.Clock.Now()
		var cancelled, expired atomic.Int64
		calls := slices.Concat(
			domaintest.Times(8, func(int) error { return s.Deliver(n) }),
			domaintest.Times(8, func(int) error {
				err := s.Orders.Cancel(t.Context(), lin, id)
				if err == nil {
					cancelled.Add(1)
				} else if !errors.Is(err, errno.OrderInvalidOperation) {
					return err
				}
				return nil
			}),
			domaintest.Times(8, func(int) error {
				ended, err := s.Orders.ExpireUnpaid(t.Context())
				expired.Add(int64(ended))
				return err
			}))
		rand.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
		require.Equal(t, outcomes{0: 24}, domaintest.AtOnce(calls...), "every notice is taken")
		status := order.Status(s.Int("SELECT order_status FROM orders WHERE id = ?", id))
		payment, stock := s.Int("SELECT status FROM payment WHERE order_id = ?", id), s.Stock(tea)
		switch status {
		case order.Paid:
			require.Equal(t, []int64{2, 9, 0}, []int64{payment, int64(stock), cancelled.Load() + expired.Load()})
		case order.Cancelled, order.Expired:
			require.Equal(t, []int64{5, 10, 1}, []int64{payment, int64(stock), cancelled.Load() + expired.Load()})
		default:
			t.Fatalf("the order ends in %d", status)
		}
		s.Clock.Move(time.Hour)
		_, err = s.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		require.Zero(t, s.Int("SELECT COUNT(*) FROM payment WHERE status = 5 AND refunded_amount <> paid_amount"))
		require.Zero(t, s.Int("SELECT COUNT(*) FROM refund WHERE status <> 2"))
	})
}

func TestPrepayAndCancel(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		lin := s.Shopper(fmt.Sprint("lin", round))
		id := s.Order(lin, s.Product(fmt.Sprint("tea", round), 4550, 10))
		calls := append(domaintest.Times(15, func(int) error {
			_, err := s.Orders.Prepay(t.Context(), lin, id, "192.0.2.1", "", "")
			return err
		}), domaintest.Times(5, func(int) error { return s.Orders.Cancel(t.Context(), lin, id) })...)
		got := domaintest.AtOnce(calls...)
		require.Equal(t, 20, got[0]+got[725], "%v", got)
		require.EqualValues(t, order.Cancelled, s.Int("SELECT order_status FROM orders WHERE id = ?", id))
		require.Zero(t, s.Int("SELECT COUNT(*) FROM payment WHERE order_id = ? AND status IN (0, 1)", id), "nothing is left open")
	})
}
