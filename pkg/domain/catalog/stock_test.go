package catalog_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
)

// shelf is a Stock with three products of two goods, ten pieces of each.
func shelf(t *testing.T) (*db.DB, *catalog.Stock) {
	t.Helper()
	d := dbtest.Open(t)
	now := time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)
	require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO goods (id, goods_sn, name, is_on_sale, add_time, update_time) "+
		"VALUES (1, 'a', 'tea', 1, ?, ?), (2, 'b', 'pot', 1, ?, ?)", now, now, now, now))
	for id, goods := range map[int]int{1: 1, 2: 1, 3: 2} {
		require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO goods_product (id, goods_id, specifications, price, number, add_time, update_time) "+
			"VALUES (?, ?, JSON_ARRAY(CONCAT('v', ?)), 5.00, 10, ?, ?)", id, goods, id, now, now))
	}
	return d, catalog.NewStock(func() time.Time { return now })
}

func piece(product, line int64, n int) catalog.StockLine {
	goods := int64(1)
	if product == 3 {
		goods = 2
	}
	return catalog.StockLine{ProductID: product, GoodsID: goods, OrderID: 70, LineID: line, Number: n, Price: 500}
}

func numbers(t *testing.T, d *db.DB) (n []int) {
	t.Helper()
	require.NoError(t, table.Scan(t.Context(), d, &n, "SELECT number FROM goods_product ORDER BY id"))
	return n
}

func ledger(t *testing.T, d *db.DB) (rows []string) {
	t.Helper()
	require.NoError(t, table.Scan(t.Context(), d, &rows, "SELECT CONCAT_WS('|', product_id, order_id, order_goods_id, reason, delta, ref_key, "+
		"operator_type, operator_id) FROM stock_log ORDER BY id"))
	return rows
}

func TestTakeAndGiveBack(t *testing.T) {
	t.Parallel()
	d, s := shelf(t)
	pieces := []catalog.StockLine{piece(3, 12, 4), piece(1, 11, 10), piece(2, 13, 1)}
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		return s.Take(t.Context(), tx, catalog.Taking{By: actor.Shopper(9), Pieces: pieces})
	}))
	require.Equal(t, []int{0, 9, 6}, numbers(t, d))
	require.Equal(t, []string{
		"3|70|12|1|-4|line:12:out|1|9", "1|70|11|1|-10|line:11:out|1|9", "2|70|13|1|-1|line:13:out|1|9",
	}, ledger(t, d))
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE goods_product SET deleted = 1 WHERE id = 3"))
	for range 2 { // the second time there is nothing left to return
		require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
			return s.GiveBack(t.Context(), tx, actor.System, catalog.CancelledByTimeout, pieces)
		}))
		require.Equal(t, []int{10, 10, 10}, numbers(t, d), "a deleted product gets its pieces too")
		require.Len(t, ledger(t, d), 6)
	}
	require.Equal(t, "1|70|11|3|10|line:11:in|0|0", ledger(t, d)[4])
}

func TestTakeRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spoil  string
		pieces []catalog.StockLine
		want   error
	}{
		"more than there is":         {"", []catalog.StockLine{piece(1, 1, 1), piece(2, 2, 11)}, errno.GoodsNoStock},
		"none left":                  {"UPDATE goods_product SET number = 0 WHERE id = 1", []catalog.StockLine{piece(1, 1, 1)}, errno.GoodsNoStock},
		"one product in two lines":   {"", []catalog.StockLine{piece(1, 1, 6), piece(1, 2, 6)}, errno.GoodsNoStock},
		"goods off the shelf":        {"UPDATE goods SET is_on_sale = 0 WHERE id = 2", []catalog.StockLine{piece(1, 1, 1), piece(3, 2, 1)}, errno.GoodsUnshelved},
		"deleted goods":              {"UPDATE goods SET deleted = 1 WHERE id = 2", []catalog.StockLine{piece(3, 2, 1)}, errno.GoodsUnshelved},
		"a deleted product":          {"UPDATE goods_product SET deleted = 1 WHERE id = 2", []catalog.StockLine{piece(1, 1, 1), piece(2, 2, 1)}, errno.GoodsInvalid},
		"an unknown product":         {"", []catalog.StockLine{piece(99, 1, 1)}, errno.GoodsInvalid},
		"another price":              {"UPDATE goods_product SET price = 5.01 WHERE id = 2", []catalog.StockLine{piece(1, 1, 1), piece(2, 2, 1)}, errno.Stale},
		"off the shelf, dearer, out": {"UPDATE goods g JOIN goods_product p SET g.is_on_sale = 0, p.price = 6, p.number = 0", []catalog.StockLine{piece(1, 1, 1)}, errno.GoodsUnshelved},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, s := shelf(t)
			if tt.spoil != "" {
				require.NoError(t, dbtest.Exec(t.Context(), d, tt.spoil))
			}
			before := numbers(t, d)
			require.ErrorIs(t, d.InTx(t.Context(), func(tx *db.Tx) error {
				return s.Take(t.Context(), tx, catalog.Taking{By: actor.System, Pieces: tt.pieces})
			}), tt.want)
			require.Equal(t, before, numbers(t, d))
			require.Empty(t, ledger(t, d))
		})
	}
}

func TestProductSnapshots(t *testing.T) {
	t.Parallel()
	d, _ := shelf(t)
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE goods SET is_on_sale = 0 WHERE id = 2"))
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE goods_product SET deleted = 1 WHERE id = 2"))
	want := map[catalog.Wanted]error{
		{ProductID: 1, GoodsID: 1}:   nil,
		{ProductID: 2, GoodsID: 1}:   errno.GoodsInvalid,   // deleted
		{ProductID: 3, GoodsID: 2}:   errno.GoodsUnshelved, // not on sale
		{ProductID: 3, GoodsID: 1}:   errno.GoodsInvalid,   // of other goods
		{ProductID: 1, GoodsID: 2}:   errno.GoodsUnshelved,
		{ProductID: 99, GoodsID: 1}:  errno.GoodsInvalid,
		{ProductID: 99, GoodsID: 99}: errno.GoodsUnshelved,
		{ProductID: -1, GoodsID: 0}:  errno.GoodsUnshelved,
	}
	var wanted []catalog.Wanted
	for w := range want {
		wanted = append(wanted, w)
	}
	snapshots, err := catalog.ProductSnapshots(t.Context(), d, wanted)
	require.NoError(t, err)
	require.Len(t, snapshots, len(want))
	for w, refused := range want {
		require.ErrorIs(t, snapshots[w].Buyable(), refused, "%+v", w)
		require.Equal(t, []int64{w.ProductID, w.GoodsID}, []int64{snapshots[w].ProductID, snapshots[w].GoodsID})
	}
	none, err := catalog.ProductSnapshots(t.Context(), d, nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

// An earlier release accepted more than MaxStock: returns to such a product are accepted nevertheless, and the ledger
// still adds up to its number.
func TestGiveBackToAFullShelf(t *testing.T) {
	t.Parallel()
	d, s := shelf(t)
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE goods_product SET number = 2147483647 WHERE id = 2"))
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		return s.GiveBack(t.Context(), tx, actor.Shopper(9), catalog.CancelledByShopper,
			[]catalog.StockLine{piece(1, 11, 3), piece(2, 12, 2147483647)})
	}))
	require.Equal(t, []int{13, catalog.MaxStock, 10}, numbers(t, d))
	var moved int
	require.NoError(t, table.Scan(t.Context(), d, &moved, "SELECT SUM(delta) FROM stock_log WHERE product_id = 2"))
	require.Equal(t, catalog.MaxStock-2147483647, moved)
	require.Contains(t, ledger(t, d), "1|70|11|2|3|line:11:in|1|9")
}

// Nobody can set more than MaxStock, in the console or in a CSV file.
func TestMostStock(t *testing.T) {
	t.Parallel()
	n := catalog.NewGoods{
		Goods: catalog.Goods{SN: "a", Name: "a"}, Specifications: []catalog.Specification{{Group: "g", Value: "v"}},
		Products: []catalog.Product{{Specifications: []string{"v"}, Number: catalog.MaxStock}},
	}
	require.Empty(t, n.Problems())
	n.Products[0].Number++
	found := n.Problems()
	require.Len(t, found, 1)
	require.Equal(t, text.FieldNumber, found[0].Field)
	require.ErrorIs(t, found[0].Err, errno.Invalid)
	s := catalog.New(dbtest.Open(t), nil, time.Now)
	err := s.Edit(t.Context(), actor.System, catalog.GoodsEdit{ID: 1, Products: []catalog.ProductEdit{
		{ID: 1, Edited: true, Number: catalog.MaxStock + 1},
	}})
	require.ErrorIs(t, err, errno.Invalid)
}

// Products are locked in the order of their ids, whatever the order of the lines: who waits for a product holds none
// with a higher id, so buyers of the same products never wait for each other in a circle.
func TestStockIsLockedInTheOrderOfProducts(t *testing.T) {
	t.Parallel()
	d, s := shelf(t)
	locks := func(ctx context.Context, product int64) error {
		return d.InTx(ctx, func(tx *db.Tx) error {
			return dbtest.Exec(ctx, tx, "SELECT id FROM goods_product WHERE id = ? FOR UPDATE NOWAIT", product)
		})
	}
	held, free := make(chan struct{}), make(chan struct{})
	var first, buyer sync.WaitGroup
	first.Go(func() { // holds the first product until the test has looked at the others
		assert.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
			err := dbtest.Exec(t.Context(), tx, "SELECT id FROM goods_product WHERE id = 1 FOR UPDATE")
			close(held)
			<-free
			return err
		}))
	})
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	begun := make(chan struct{})
	buyer.Go(func() {
		assert.Error(t, d.InTx(ctx, func(tx *db.Tx) error {
			close(begun)
			pieces := []catalog.StockLine{piece(3, 3, 1), piece(2, 2, 1), piece(1, 1, 1)}
			return s.Take(ctx, tx, catalog.Taking{By: actor.Shopper(9), Pieces: pieces})
		}), "it waits for the first product until its deadline")
	})
	<-begun
	for ctx.Err() == nil {
		for _, product := range []int64{2, 3} {
			require.NoError(t, locks(t.Context(), product), "product %d is free", product)
		}
	}
	buyer.Wait()
	close(free)
	first.Wait()
	require.Equal(t, []int{10, 10, 10}, numbers(t, d))
}
