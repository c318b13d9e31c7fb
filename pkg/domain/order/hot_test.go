package order_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/settings"
)

// rush is a shop with a hot product and processes that gather its purchases.
type rush struct {
	*domaintest.Shop
	t        *testing.T
	replicas []*app.Domain
	tea      cart.AddRequest
	shoppers int
}

// openRush opens processes that all know that the product is hot.
func openRush(t *testing.T, processes, stock int, h order.Hot) *rush {
	t.Helper()
	r := &rush{Shop: domaintest.Open(t), t: t}
	r.tea = r.Product("tea", 4550, stock+processes)
	r.mode(catalog.AlwaysHot)
	for range processes {
		r.replicas = append(r.replicas, r.Batching(h))
		require.NoError(t, r.buyer(len(r.replicas)-1).submit())
	}
	require.Equal(t, stock, r.Stock(r.tea))
	return r
}

func (r *rush) mode(m catalog.HotMode) {
	ctx := audit.With(r.t.Context(), audit.Call{By: clerk, Name: "clerk", Target: "goods_product", At: r.Clock.Now()})
	require.NoError(r.t, r.Catalog.SetHot(ctx, r.tea.ProductID, m))
}

// rusher is a shopper with the product in the cart.
type rusher struct {
	at      *app.Domain
	ctx     context.Context
	shopper int64
	order.Submission
}

func (b rusher) place() (order.Placed, error) {
	return b.at.Orders.Submit(b.ctx, b.shopper, b.Submission)
}

func (b rusher) submit() error {
	_, err := b.place()
	return err
}

// keyed is the same purchase with a key.
func (b rusher) keyed(key string) rusher {
	b.ctx = idempotency.With(b.ctx, idempotency.Request{Scope: "order.submit", Owner: b.shopper, Key: key, Hash: "h"})
	return b
}

// buyer is a new shopper at a process.
func (r *rush) buyer(process int) rusher {
	r.t.Helper()
	r.shoppers++
	b := rusher{at: r.replicas[process], ctx: r.t.Context(), shopper: r.Shopper(fmt.Sprint("buyer", r.shoppers))}
	b.Address = r.Address(b.shopper)
	var err error
	b.Cart, err = r.Cart.Set(r.t.Context(), b.shopper, r.tea)
	require.NoError(r.t, err)
	return b
}

// buyers are n new shoppers, at each process in turn.
func (r *rush) buyers(n int) []rusher {
	all := make([]rusher, n)
	for i := range all {
		all[i] = r.buyer(i % len(r.replicas))
	}
	return all
}

func submits(all ...rusher) []func() error {
	calls := make([]func() error, len(all))
	for i, b := range all {
		calls[i] = b.submit
	}
	return calls
}

// gathered is the number of purchases that shared transactions.
func (r *rush) gathered() (n int64) {
	for _, d := range r.replicas {
		n += d.Orders.HotState().Batched
	}
	return n
}

// until waits for a state of the queue.
func (r *rush) until(is func(order.HotState) bool) {
	r.t.Helper()
	require.Eventually(r.t, func() bool { return is(r.replicas[0].Orders.HotState()) }, 20*time.Second, time.Millisecond)
}

// behind lets the first purchase wait for the row of the product, and the others, at most a batch, in the queue behind
// it. meanwhile runs while they wait, in the transaction that holds the row. It returns how the others ended.
func (r *rush) behind(first rusher, others []func() error, meanwhile func(tx *db.Tx)) outcomes {
	r.t.Helper()
	var ends sync.WaitGroup
	var got outcomes
	r.InTx(func(tx *db.Tx) error {
		_, err := db.Exec(r.t.Context(), tx, "UPDATE goods_product SET version = version + 1 WHERE id = ?", r.tea.ProductID)
		require.NoError(r.t, err)
		before := r.replicas[0].Orders.HotState()
		ends.Go(func() { _ = first.submit() })
		r.until(func(h order.HotState) bool { return h.Batches > before.Batches && h.Queued == 0 })
		ends.Go(func() { got = domaintest.AtOnce(others...) })
		r.until(func(h order.HotState) bool { return h.Queued == len(others) })
		if meanwhile != nil {
			meanwhile(tx)
		}
		return nil
	})
	ends.Wait()
	return got
}

var hot = order.Hot{Queue: 1000}

// Of many buyers exactly as many get the product as there are pieces, whatever processes they use.
func TestTheLastPiecesOfAHotProduct(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 3} {
		t.Run(fmt.Sprint(processes), func(t *testing.T) {
			r := openRush(t, processes, 50, hot)
			require.Equal(t, outcomes{0: 50, 711: 150}, domaintest.AtOnce(submits(r.buyers(200)...)...))
			require.Zero(t, r.Stock(r.tea))
			require.EqualValues(t, 50+processes, r.Int("SELECT COUNT(*) FROM orders"))
			require.GreaterOrEqual(t, r.gathered(), int64(50))
			r.Agree()
		})
	}
}

// Purchases of several pieces are made in the order of their arrival, as far as there are enough.
func TestTheRestOfAHotProduct(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 21, hot)
	r.tea.Number = 2
	others := r.buyers(16)
	r.tea.Number = 1
	got := r.behind(r.buyer(0), submits(others...), nil)
	require.Equal(t, outcomes{0: 10, 711: 6}, got)
	require.Zero(t, r.Stock(r.tea))
	r.Agree()
}

// A purchase that cannot be made fails alone, with the answer that it has otherwise; so do those that need more than
// the stock, and the second one of a shopper.
func TestOthersInTheBatchFail(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	fine := r.buyers(20)
	unaddressed, stranger, gone := r.buyer(0), r.buyer(0), r.buyer(0)
	unaddressed.Address, stranger.Address = 9999, fine[0].Address
	twice := r.buyer(0)
	keyed := r.buyer(0).keyed("k")
	calls := append(submits(fine...), unaddressed.submit, stranger.submit, gone.submit, twice.submit, twice.submit,
		keyed.submit, keyed.submit)
	got := r.behind(r.buyer(0), calls, func(*db.Tx) {
		_, err := r.Cart.Remove(t.Context(), gone.shopper, []int64{r.tea.ProductID})
		require.NoError(t, err)
	})
	require.Equal(t, outcomes{0: 20 + 1 + 2, 402: 3 + 1}, got)
	require.Equal(t, 100-1-20-1-1, r.Stock(r.tea))
	require.EqualValues(t, 1, r.Int("SELECT COUNT(*) FROM orders WHERE user_id = ?", keyed.shopper))
	require.EqualValues(t, 1, r.Int("SELECT COUNT(*) FROM orders WHERE user_id = ?", twice.shopper))
	r.Agree()
}

// A purchase that exceeds the limits of its shopper fails alone.
func TestTheLimitsOfAHotProduct(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	r.replicas[0].Orders.Unpaid = order.UnpaidLimits{Pieces: 3}
	r.tea.Number = 4
	greedy := r.buyers(2)
	r.tea.Number = 1
	got := r.behind(r.buyer(0), submits(append(greedy, r.buyers(5)...)...), nil)
	require.Equal(t, outcomes{0: 5, 722: 2}, got)
	r.Agree()
}

// What needs more than the stock is bought beside the queue: with a coupon, with other goods, for nothing.
func TestNotGathered(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	b := r.buyer(0)
	b.Coupon, b.UserCoupon = r.Coupon(b.shopper, 100, 0)
	require.NoError(t, b.submit())
	b = r.buyer(0)
	_, err := r.Cart.Set(t.Context(), b.shopper, r.Product("pot", 9900, 5))
	require.NoError(t, err)
	b.Cart = cart.Everything
	require.NoError(t, b.submit())
	require.Zero(t, r.gathered())

	b = r.buyer(0)
	b.Cart = cart.Everything
	require.NoError(t, b.submit())
	require.EqualValues(t, 1, r.gathered(), "the only item in the cart")
	r.Agree()
}

// What costs nothing is paid at once, each in a transaction of its own.
func TestAFreeHotProduct(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	r.Exec("UPDATE goods_product SET price = 0 WHERE id = ?", r.tea.ProductID)
	r.Exec("UPDATE goods SET retail_price = 0 WHERE id = ?", r.tea.GoodsID)
	free := map[string]string{"litemall_express_freight_value": "0"}
	require.NoError(t, r.replicas[0].Settings.Save(t.Context(), settings.Express, free))
	placed, err := r.buyer(0).place()
	require.NoError(t, err)
	require.True(t, placed.Paid)
	require.Equal(t, outcomes{0: 5}, domaintest.AtOnce(submits(r.buyers(5)...)...))
	require.EqualValues(t, 6, r.Int("SELECT COUNT(*) FROM orders WHERE order_status = ? AND pay_channel = ?",
		order.Paid, payment.Free))
	r.Agree()
}

// A price that changes while buyers wait is the price of their orders, and goods taken off sale are not sold.
func TestAHotProductChanges(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	first := r.buyer(0)
	got := r.behind(first, submits(r.buyers(5)...), func(tx *db.Tx) {
		_, err := db.Exec(t.Context(), tx, "UPDATE goods_product SET price = 50 WHERE id = ?", r.tea.ProductID)
		require.NoError(t, err)
	})
	require.Equal(t, outcomes{0: 5}, got)
	require.EqualValues(t, 6, r.Int("SELECT COUNT(*) FROM orders WHERE goods_price = 50"), "with the first one")
	r.Exec("UPDATE goods SET retail_price = 50 WHERE id = ?", r.tea.GoodsID)

	got = r.behind(r.buyer(0), submits(r.buyers(5)...), func(tx *db.Tx) {
		_, err := db.Exec(t.Context(), tx, "UPDATE goods SET is_on_sale = 0 WHERE id = ?", r.tea.GoodsID)
		require.NoError(t, err)
	})
	require.Equal(t, outcomes{710: 5}, got)
	r.Agree()
}

// The statements of a transaction do not grow with its purchases.
func TestTheStatementsOfABatch(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 30} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := openRush(t, 1, 100, hot)
			var mu sync.Mutex
			var sent []string
			ctx, _ := domaintest.Listen(t.Context(), func(statement string) {
				mu.Lock()
				defer mu.Unlock()
				sent = append(sent, statement)
			})
			others := r.buyers(n)
			for i := range others {
				others[i].ctx = ctx
				others[i] = others[i].keyed("k")
			}
			var before int
			require.Equal(t, outcomes{0: n}, r.behind(r.buyer(0), submits(others...), func(*db.Tx) {
				mu.Lock()
				defer mu.Unlock()
				before = len(sent)
			}))
			require.Equal(t, 2*n, before, "each has looked for its answer and its item")
			require.Len(t, sent[before:], 15, "%q", sent[before:])
			r.Agree()
		})
	}
}
