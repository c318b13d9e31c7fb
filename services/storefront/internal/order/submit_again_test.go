package order_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/optest"
)

// A purchase that was refused because of one row can be retried after a new preview.
func TestSubmitAgainAfterARowWentOffTheShelf(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	w.row(w.tea, 1)
	w.row(w.Domain.Product("pot", 12000, 5), 1)
	w.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE name = 'pot'")
	w.lin.POST(submit, "%s", form(0, to, 0, "")).Fails(errno.GoodsUnshelved)
	require.Len(t, w.preview("").CheckedGoodsList, 1)
	w.lin.POST(submit, "%s", form(0, to, 0, "")).OK()
}

// The copies of price and name in the cart are never used: a purchase costs what the catalogue says at the time.
func TestSubmitAtTheCataloguesPrice(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	w.row(w.tea, 1)
	w.Domain.Exec("UPDATE cart SET price = 0.01, goods_name = 'x'")
	w.Domain.Exec("UPDATE goods_product SET price = 60.00")
	w.lin.POST(submit, "%s", form(0, to, 0, "")).OK()
	require.Equal(t, "60.00|60.00|tea", w.Domain.Text("SELECT CONCAT_WS('|', o.goods_price, l.price, l.goods_name) "+
		"FROM orders o JOIN order_goods l ON l.order_id = o.id"))
}

func TestSubmitLosesAgainstOthers(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	w.row(w.tea, 1)
	before := w.books()
	w.conflict("UPDATE goods_product")
	w.lin.POST(submit, "%s", form(0, to, 0, "")).Fails(errno.Stale)
	require.Equal(t, before, w.books())
}

// If a price changes between its reading and the lock of the stock, nothing is sold at the old price.
func TestSubmitWhileThePriceChanges(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	w.row(w.tea, 1)
	before := w.books()
	release := w.Domain.Hold("UPDATE goods_product SET price = price + 1")
	answered := make(chan *optest.Answer)
	go func() { answered <- w.lin.POST(submit, "%s", form(0, to, 0, "")) }()
	w.Domain.WaitForLock()
	release()
	(<-answered).Fails(errno.Stale)
	require.Equal(t, before, w.books())
}

func TestSubmitWithAKey(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	row := w.row(w.tea, 1)
	body := form(row, to, 0, "")
	var wg sync.WaitGroup
	answers := make([]*optest.Answer, 20)
	keyed := w.lin.With("Idempotency-Key", "key-1")
	for i := range answers {
		wg.Go(func() { answers[i] = keyed.POST(submit, "%s", body) })
	}
	wg.Wait()
	for _, a := range answers {
		require.Equal(t, string(answers[0].OK().Body), string(a.Body))
	}
	require.EqualValues(t, 1, w.Domain.Int("SELECT COUNT(*) FROM orders"))
	keyed.POST(submit, "%s", form(row, to, 0, `,"message":"x"`)).Fails(errno.Invalid)
	mei := w.Shopper("mei")
	mei.With("Idempotency-Key", "key-1").POST(submit, "%s", body).Fails(errno.Invalid) // a key belongs to its sender
	w.lin.With("Idempotency-Key", "two words").POST(submit, "%s", body).Fails(errno.Invalid)
	w.lin.With("Idempotency-Key", strings.Repeat("k", 97)).POST(submit, "%s", body).Fails(errno.Invalid)
	// A refused call is not stored: its key may be used again when the cause is gone.
	again := w.lin.With("Idempotency-Key", "key-2")
	again.POST(submit, "%s", body).Fails(errno.Invalid)
	w.row(w.tea, 1)
	again.POST(submit, "%s", body).OK()
	w.Domain.Agree()
}

func TestCouponOfGoodsAndCategories(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	pot := w.Domain.Product("pot", 12000, 5)
	w.Domain.Exec("UPDATE goods SET category_id = 12 WHERE id = ?", pot.GoodsID)
	w.Domain.Exec("INSERT INTO category (id, pid, name, level, add_time, update_time) VALUES (11, 0, 'kitchen', 'L1', ?, ?), "+
		"(12, 11, 'pots', 'L2', ?, ?)", w.Domain.Clock.Now(), w.Domain.Clock.Now(), w.Domain.Clock.Now(), w.Domain.Clock.Now())
	for _, tt := range []struct {
		c    promotion.Coupon
		want *errno.Code
	}{
		{promotion.Coupon{Scope: promotion.SomeGoods, Scoped: []int64{pot.GoodsID}, Min: money.Yuan(120)}, errno.OK},
		{promotion.Coupon{Scope: promotion.SomeGoods, Scoped: []int64{pot.GoodsID}, Min: 12001}, errno.Invalid},
		{promotion.Coupon{Scope: promotion.SomeGoods, Scoped: []int64{99}}, errno.Invalid},
		{promotion.Coupon{Scope: promotion.SomeCategories, Scoped: []int64{12}, Min: money.Yuan(120)}, errno.OK},
		{promotion.Coupon{Scope: promotion.SomeCategories, Scoped: []int64{11}, Min: money.Yuan(120)}, errno.OK},
		{promotion.Coupon{Scope: promotion.SomeCategories, Scoped: []int64{11}, Min: 12001}, errno.Invalid},
		{promotion.Coupon{Scope: promotion.SomeCategories, Scoped: []int64{1, 13}}, errno.Invalid},
		{promotion.Coupon{Min: 16550}, errno.OK},
		{promotion.Coupon{Min: 16551}, errno.Invalid},
	} {
		tt.c.Name, tt.c.Discount, tt.c.Days = "c", 100, 1
		id, err := w.Domain.Promotions.Create(t.Context(), tt.c)
		require.NoError(t, err)
		require.NoError(t, w.Domain.Promotions.Receive(t.Context(), w.shopper, id))
		w.row(w.tea, 1)
		w.row(pot, 1)
		w.lin.POST(submit, "%s", form(0, to, id, "")).Fails(tt.want)
	}
	w.Domain.Exec("UPDATE goods SET category_id = 0")
	w.Domain.Agree()
}
