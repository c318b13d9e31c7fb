package cart_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
)

const rounds = 4

// Concurrent additions of one product create one row.
func TestAddAtOnce(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	for round := range rounds {
		tea := s.Product(fmt.Sprint("tea", round), 4550, 100)
		tea.Number = 3
		require.Equal(t, map[int]int{0: 20}, domaintest.Together(20, func(int) error {
			_, err := s.Cart.Add(t.Context(), lin, tea)
			return err
		}))
		require.EqualValues(t, 60, s.Int("SELECT number FROM cart WHERE product_id = ?", tea.ProductID), "one row with the sum")
		_, err := s.Cart.Remove(t.Context(), lin, []int64{tea.ProductID})
		require.NoError(t, err)
		require.Equal(t, map[int]int{0: 20}, domaintest.Together(20, func(int) error {
			_, err := s.Cart.Add(t.Context(), lin, tea)
			return err
		}))
		require.EqualValues(t, 60, s.Int("SELECT number FROM cart WHERE product_id = ?", tea.ProductID), "it starts anew")
	}
}

func TestAddAtOnceBeyondTheStock(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	for round := range rounds {
		tea := s.Product(fmt.Sprint("tea", round), 4550, 7)
		require.Equal(t, map[int]int{0: 7, errno.GoodsNoStock.Num: 13}, domaintest.Together(20, func(int) error {
			_, err := s.Cart.Add(t.Context(), lin, tea)
			return err
		}))
		require.EqualValues(t, 7, s.Int("SELECT number FROM cart WHERE product_id = ?", tea.ProductID))
	}
}

// All operations on a cart, by one shopper concurrently: no call fails except by a rule.
func TestOneCartInManyHands(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	to := s.Address(lin)
	wares := make([]cart.AddRequest, 4)
	products := make([]int64, len(wares))
	for i := range wares {
		wares[i] = s.Product(fmt.Sprint("ware", i), 100, 1000)
		products[i] = wares[i].ProductID
	}
	for range rounds {
		seen := domaintest.Together(30, func(i int) (err error) {
			w := wares[i%len(wares)]
			switch i % 6 {
			case 0, 1:
				_, err = s.Cart.Add(t.Context(), lin, w)
			case 2:
				_, err = s.Cart.Set(t.Context(), lin, w)
			case 3:
				_, err = s.Cart.Check(t.Context(), lin, products, i%2 == 0)
			case 4:
				_, err = s.Cart.Remove(t.Context(), lin, products[i%2:])
			case 5:
				_, err = s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Address: to}})
			}
			return err
		})
		require.Equal(t, 30, seen[0]+seen[errno.Invalid.Num], "%v", seen)
		s.Agree()
	}
}

func TestTotals(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	for i := range 3 {
		w := s.Product(fmt.Sprint("ware", i), 1001, 100)
		w.Number = i + 1
		_, err := s.Cart.Set(t.Context(), lin, w)
		require.NoError(t, err)
		_, err = s.Cart.Check(t.Context(), lin, []int64{w.ProductID}, i > 0)
		require.NoError(t, err)
	}
	lines, err := s.Cart.Lines(t.Context(), lin)
	require.NoError(t, err)
	require.Equal(t, cart.Totals{Count: 6, Amount: 6006, CheckedCount: 5, CheckedAmount: 5005}, cart.TotalsOf(lines))
	chosen, err := s.Orders.Fitting(t.Context(), lin, order.Choice{Cart: cart.Everything})
	require.NoError(t, err)
	require.Len(t, chosen.Lines, 2)
	require.Equal(t, cart.Totals{}, cart.TotalsOf(nil))
}

// A cart above the maximum of an order is refused, and its sums never overflow.
func TestACartThatNoOrderHolds(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	gem, crown := s.Product("gem", 1, 99_999_999), s.Product("crown", 1, 99_999_999)
	s.Exec("UPDATE goods_product SET price = 99999999.99 WHERE id = ?", gem.ProductID) // as earlier releases allowed
	_, err := s.Cart.Add(t.Context(), lin, gem)
	require.NoError(t, err, "exactly what an order can hold")
	crown.Number = 99_999_999
	for _, w := range []cart.AddRequest{{GoodsID: gem.GoodsID, ProductID: gem.ProductID, Number: 1}, crown} {
		_, err = s.Cart.Add(t.Context(), lin, w)
		require.ErrorIs(t, err, errno.Invalid)
		w.Number = 99_999_999
		_, err = s.Cart.Set(t.Context(), lin, w)
		require.ErrorIs(t, err, errno.Invalid)
	}
	w := gem
	w.Number = 92_233_721 // an int64 overflows at this price
	require.ErrorIs(t, s.Cart.Change(t.Context(), lin, 1, w), errno.Invalid)
	lines, err := s.Cart.Lines(t.Context(), lin)
	require.NoError(t, err)
	require.Equal(t, money.Max, cart.TotalsOf(lines).Amount)

	// Prices may rise afterwards: the sum saturates, and the row can be removed.
	s.Exec("UPDATE cart SET number = 2147483647")
	lines, err = s.Cart.Lines(t.Context(), lin)
	require.NoError(t, err)
	require.Greater(t, cart.TotalsOf(append(lines, lines...)).Amount, money.Max)
	_, err = s.Cart.Remove(t.Context(), lin, []int64{gem.ProductID})
	require.NoError(t, err)
}

// A cart has at most 500 rows. One from an earlier release may have more: it accepts no new row, and what the preview
// shows is what is bought.
func TestAFullCart(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	ctx, lin := t.Context(), s.Shopper("lin")
	to, tea := s.Address(lin), s.Product("tea", 100, 100000)
	const many = "INSERT INTO goods_product (goods_id, specifications, spec_hash, price, number, add_time, update_time) " +
		"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 600) " +
		"SELECT ?, JSON_ARRAY(CONCAT('v', i)), SHA2(JSON_ARRAY(CONCAT('v', i)), 256), 0.01, 1000, ?, ? FROM n"
	s.Exec(many, tea.GoodsID, s.Clock.Now(), s.Clock.Now())
	s.Exec("INSERT INTO goods_specification (goods_id, specification, value, add_time, update_time) SELECT goods_id, 'size', "+
		"JSON_VALUE(specifications, '$[0]'), add_time, update_time FROM goods_product WHERE id <> ?", tea.ProductID)
	s.Exec("UPDATE goods SET retail_price = 0.01 WHERE id = ?", tea.GoodsID)
	s.Exec("INSERT INTO stock_log (product_id, reason, delta, ref_key, add_time) SELECT id, 8, number, CONCAT('open:', id), "+
		"add_time FROM goods_product WHERE id <> ?", tea.ProductID)
	put := func(from, to int) {
		s.Exec("INSERT INTO cart (user_id, goods_id, product_id, number, specifications, goods_sn, goods_name, pic_url, add_time, update_time) "+
			"SELECT ?, goods_id, id, 1, specifications, 'SN-tea', 'tea', '', ?, ? FROM goods_product WHERE id > ? AND id <= ?", lin, s.Clock.Now(),
			s.Clock.Now(), tea.ProductID+int64(from), tea.ProductID+int64(to))
	}
	put(0, 499)
	s.Clock.Move(time.Second)
	_, err := s.Cart.Add(ctx, lin, tea)
	require.NoError(t, err, "the 500th")
	other := tea
	other.ProductID += 600
	_, err = s.Cart.Add(ctx, lin, other)
	require.ErrorIs(t, err, errno.Invalid)
	_, err = s.Cart.Set(ctx, lin, other)
	require.ErrorIs(t, err, errno.Invalid)
	s.Clock.Move(time.Second)
	_, err = s.Cart.Add(ctx, lin, tea)
	require.NoError(t, err, "a product that is in the cart")
	require.EqualValues(t, 500, s.Int("SELECT COUNT(*) FROM cart WHERE deleted = 0"))

	put(499, 599) // as an earlier release allowed
	choice := order.Choice{Cart: cart.Everything, Address: to, Coupon: order.NoCoupon}
	quote, err := s.Orders.Quote(ctx, lin, choice)
	require.NoError(t, err)
	placed, err := s.Orders.Submit(ctx, lin, order.Submission{Choice: choice})
	require.NoError(t, err)
	require.Len(t, quote.Lines, 500)
	shown := make([]int64, len(quote.Lines))
	for i, l := range quote.Lines {
		shown[len(shown)-1-i] = l.ProductID
	}
	bought, err := s.Orders.LinesOf(ctx, []int64{placed.OrderID})
	require.NoError(t, err)
	sold := make([]int64, len(bought[placed.OrderID]))
	for i, l := range bought[placed.OrderID] {
		sold[i] = l.ProductID
	}
	require.ElementsMatch(t, shown, sold)
	require.Equal(t, quote.Price.Actual.String(), s.Text("SELECT actual_price FROM orders"))
	s.Agree()
}

// Twenty concurrent requests add twenty new products to a cart with room for one.
func TestTheLastRowOfACart(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, tea := s.Shopper("lin"), s.Product("tea", 100, 1000)
	s.Exec("INSERT INTO cart (user_id, goods_id, product_id, number, specifications, goods_sn, goods_name, pic_url, add_time, update_time) "+
		"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 499) "+
		"SELECT ?, ?, 1000 + i, 1, '[]', 'SN-tea', 'tea', '', ?, ? FROM n", lin, tea.GoodsID, s.Clock.Now(), s.Clock.Now())
	wares := make([]cart.AddRequest, 20)
	for i := range wares {
		wares[i] = s.Product(fmt.Sprint("ware", i), 100, 1000)
	}
	require.Equal(t, map[int]int{0: 1, errno.Invalid.Num: 19}, domaintest.Together(20, func(i int) error {
		_, err := s.Cart.Add(t.Context(), lin, wares[i])
		return err
	}))
	require.EqualValues(t, 500, s.Int("SELECT COUNT(*) FROM cart WHERE deleted = 0"))
}

// A cart costs what is in it, however much was bought before.
func TestBoughtItemsAreNotRead(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, tea := s.Shopper("lin"), s.Product("tea", 100, 10)
	s.Exec("INSERT INTO cart (user_id, goods_id, product_id, number, specifications, add_time, update_time, deleted) "+
		"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) "+
		"SELECT ?, ?, ? + i, 1, '[]', ?, ?, 1 FROM n", lin, tea.GoodsID, tea.ProductID, s.Clock.Now(), s.Clock.Now())
	s.Exec("OPTIMIZE TABLE cart") // estimates count what earlier tests have deleted, until it is purged
	_, err := s.Cart.Add(t.Context(), lin, tea)
	require.NoError(t, err)
	s.InTx(func(tx *db.Tx) error {
		read := func() (rows int) {
			var all []struct {
				Name  string `gorm:"column:Variable_name"`
				Value int    `gorm:"column:Value"`
			}
			require.NoError(t, table.Scan(t.Context(), tx, &all, "SHOW SESSION STATUS LIKE 'Handler\\_read\\_%'"))
			for _, v := range all {
				if v.Name == "Handler_read_next" || v.Name == "Handler_read_prev" {
					rows += v.Value
				}
			}
			return rows
		}
		before := read()
		choice := cart.Choice{Shopper: lin, ID: cart.Everything}
		of, err := s.Cart.Buying(t.Context(), tx, []cart.Choice{choice})
		require.NoError(t, err)
		lines, err := of(choice)
		require.NoError(t, err)
		require.Len(t, lines, 1)
		require.Less(t, read()-before, 20)
		return nil
	})
}
