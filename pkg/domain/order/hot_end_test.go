package order_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/order"
)

// A product becomes hot by its purchases, stays so for a while, and operators can forbid it. All answers are the same.
func TestHotByLoad(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 40, order.Hot{Queue: 1000, After: 5})
	r.mode(catalog.HotByLoad)
	r.Clock.Move(time.Minute)
	buy := func(n int) (gathered int64) {
		before := r.gathered()
		for _, b := range r.buyers(n) {
			require.NoError(t, b.submit())
		}
		return r.gathered() - before
	}
	require.Zero(t, buy(6))
	require.EqualValues(t, 3, buy(3), "the sixth within a second has made it hot")
	require.Equal(t, 1, r.replicas[0].Orders.HotState().Products)
	r.Clock.Move(time.Minute)
	require.Zero(t, buy(6), "it has cooled down")
	require.EqualValues(t, 1, buy(1))
	r.mode(catalog.NeverHot)
	require.EqualValues(t, 1, buy(1), "it sees the choice of the operator")
	require.Zero(t, buy(20))
	require.Zero(t, r.replicas[0].Orders.HotState().Products)
	last := r.buyers(20)
	require.Equal(t, outcomes{0: 3, 711: 17}, domaintest.AtOnce(submits(last...)...))
	require.Zero(t, r.replicas[0].Orders.HotState().SoldOut, "nothing is remembered of it")
	r.Agree()
}

// Without a queue all products are alike: nothing is gathered or remembered, whatever staff choose, and a purchase
// sends as many statements as with a queue while the product is not hot.
func TestHotSwitchedOff(t *testing.T) {
	t.Parallel()
	statements := func(h order.Hot, mode catalog.HotMode) (n int) {
		r := openRush(t, 1, 6, h)
		r.mode(mode)
		r.Clock.Move(time.Minute)
		require.NoError(t, r.buyer(0).submit()) // what is remembered of settings is read
		b := r.buyer(0)
		b.ctx, _ = db.WithListener(t.Context(), func(string) { n++ })
		require.NoError(t, b.submit())
		if h.Queue == 0 {
			require.Equal(t, outcomes{0: 4, 711: 16}, domaintest.AtOnce(submits(r.buyers(20)...)...))
			require.Zero(t, r.replicas[0].Orders.HotState())
		}
		r.Agree()
		return n
	}
	off := statements(order.Hot{}, catalog.AlwaysHot)
	require.Equal(t, off, statements(order.Hot{Queue: 1000, After: 50}, catalog.HotByLoad))
	require.Positive(t, off)
}

// A sold-out product is refused without a statement, until it has been given back: at once in the same process, within
// a second in others. Smaller numbers than what is left are sold, and a repeated request gets its first answer.
func TestSoldOut(t *testing.T) {
	t.Parallel()
	r := openRush(t, 2, 3, hot)
	last, late, waiting, next, end := r.buyer(0).keyed("last"), r.buyer(0), r.buyer(0), r.buyer(0), r.buyer(0)
	r.tea.Number = 2
	two, many := r.buyer(0), r.buyer(0)
	placed, err := two.place()
	require.NoError(t, err)
	require.ErrorIs(t, many.submit(), errno.GoodsNoStock)
	require.ErrorIs(t, many.submit(), errno.GoodsNoStock)
	require.EqualValues(t, 1, r.replicas[0].Orders.HotState().SoldOut, "the second time from memory")
	first, err := last.place()
	require.NoError(t, err, "one is left")

	require.ErrorIs(t, late.submit(), errno.GoodsNoStock)
	require.ErrorIs(t, late.submit(), errno.GoodsNoStock)
	counted, statements := domaintest.Count(t.Context())
	again := late
	again.ctx = counted
	require.ErrorIs(t, again.submit(), errno.GoodsNoStock)
	require.Zero(t, statements(), "it is refused from memory")
	repeated, err := last.place()
	require.NoError(t, err)
	require.Equal(t, first, repeated)

	require.NoError(t, r.replicas[0].Orders.Cancel(t.Context(), two.shopper, placed.OrderID))
	require.NoError(t, late.submit(), "its own process knows at once")
	require.NoError(t, many.change(r, 1).submit())
	require.ErrorIs(t, next.submit(), errno.GoodsNoStock)

	require.ErrorIs(t, waiting.submit(), errno.GoodsNoStock)
	r.Clock.Move(500 * time.Millisecond)
	require.NoError(t, r.replicas[1].Orders.Cancel(t.Context(), last.shopper, first.OrderID))
	r.Clock.Move(500 * time.Millisecond)
	require.NoError(t, waiting.submit(), "another process knows within a second")

	require.ErrorIs(t, end.submit(), errno.GoodsNoStock)
	r.Clock.Move(time.Hour)
	ended, err := r.replicas[1].Orders.ExpireUnpaid(t.Context())
	require.NoError(t, err)
	require.Positive(t, ended)
	require.NoError(t, end.submit())
	r.Agree()
}

// change is the same purchase of another number.
func (b rusher) change(r *rush, number int) rusher {
	w := r.tea
	w.Number = number
	require.NoError(r.t, r.Cart.Change(r.t.Context(), b.shopper, b.Cart, w))
	return b
}

// When too many wait, the next one is refused at once; nothing of it has happened.
func TestTheQueueIsFull(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, order.Hot{Queue: 3})
	late := r.buyer(0)
	got := r.behind(r.buyer(0), submits(r.buyers(3)...), func(*db.Tx) {
		require.ErrorIs(t, late.submit(), errno.Stale)
	})
	require.Equal(t, outcomes{0: 3}, got)
	require.EqualValues(t, 1, r.replicas[0].Orders.HotState().Full)
	require.NoError(t, late.submit())
	r.Agree()
}

// A caller that leaves the queue has bought nothing. One that leaves its batch does not know, but its key does, and it
// harms no other.
func TestLeavingTheQueue(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	ctx, leave := context.WithCancel(t.Context())
	first, queued := r.buyer(0).keyed("k"), r.buyer(0)
	var ends sync.WaitGroup
	again := first
	first.ctx, queued.ctx = r.with(ctx, first), ctx
	var atFirst error
	others := r.buyers(3)
	r.InTx(func(tx *db.Tx) error {
		_, err := db.Exec(t.Context(), tx, "UPDATE goods_product SET version = version + 1 WHERE id = ?", r.tea.ProductID)
		require.NoError(t, err)
		ends.Go(func() { atFirst = first.submit() })
		r.until(func(h order.HotState) bool { return h.Batches == 1 && h.Queued == 0 })
		r.until(func(order.HotState) bool { return r.blocked() > 0 })
		ends.Go(func() { require.ErrorIs(t, queued.submit(), context.Canceled) })
		for _, b := range others {
			ends.Go(func() { require.NoError(t, b.submit()) })
		}
		r.until(func(h order.HotState) bool { return h.Queued == 4 })
		leave()
		r.until(func(h order.HotState) bool { return h.Queued == 3 })
		return nil
	})
	ends.Wait()
	require.ErrorIs(t, atFirst, context.Canceled)
	placed, err := again.place()
	require.NoError(t, err)
	require.Equal(t, placed.OrderID, r.Int("SELECT MAX(id) FROM orders WHERE user_id = ?", again.shopper))
	require.EqualValues(t, 1, r.Int("SELECT COUNT(*) FROM orders WHERE user_id = ?", again.shopper))
	require.Zero(t, r.Int("SELECT COUNT(*) FROM orders WHERE user_id = ?", queued.shopper))
	queued.ctx = t.Context()
	require.NoError(t, queued.submit(), "the item is still in the cart")
	r.Agree()
}

// with is the key of a purchase in another context.
func (r *rush) with(ctx context.Context, b rusher) context.Context {
	b.ctx = ctx
	return b.keyed("k").ctx
}

// A process that stops makes what waits, and what comes later alone.
func TestDrain(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	drained := make(chan struct{})
	got := r.behind(r.buyer(0), submits(r.buyers(5)...), func(*db.Tx) {
		go func() { r.replicas[0].Orders.Drain(); close(drained) }()
	})
	<-drained
	require.Equal(t, outcomes{0: 5}, got)
	require.NoError(t, r.buyer(0).submit())
	r.Agree()
}

// If the connection of a batch is lost before its commit, nothing of it has happened, and each purchase is made alone.
func TestABatchLosesItsConnection(t *testing.T) {
	t.Parallel()
	r := openRush(t, 1, 100, hot)
	first := r.buyer(0)
	others := r.buyers(5)
	var ends sync.WaitGroup
	var got outcomes
	r.InTx(func(tx *db.Tx) error {
		_, err := db.Exec(t.Context(), tx, "UPDATE goods_product SET version = version + 1 WHERE id = ?", r.tea.ProductID)
		require.NoError(t, err)
		ends.Go(func() { got = domaintest.AtOnce(submits(append(others, first)...)...) })
		r.until(func(order.HotState) bool { return r.blocked() > 0 })
		r.Exec("KILL ?", r.blocked())
		return nil
	})
	ends.Wait()
	require.Equal(t, outcomes{0: 6}, got)
	require.Equal(t, 94, r.Stock(r.tea))
	r.Agree()
}

// blocked is the connection that takes the stock, 0 for none.
func (r *rush) blocked() int64 {
	return r.Int("SELECT COALESCE(MAX(id), 0) FROM information_schema.processlist " +
		"WHERE db = DATABASE() AND info LIKE '%UPDATE goods_product SET number = number - %' AND id <> CONNECTION_ID()")
}
