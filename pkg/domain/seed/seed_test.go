package seed_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/seed"
)

func noon() time.Time { return time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC) }

func silent(int64, int64) {}

const year = 365 * 24 * time.Hour

func TestManyGoodsAndOrdersKeepTheBooks(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := seed.New(d, noon)
	require.ErrorIs(t, s.MoreOrders(t.Context(), 1, year, silent), seed.ErrNothingToSell)
	shoppers := []seed.Shopper{
		{
			Username: "demo1", Mobile: "13900000001", Recipient: "a", Province: "p", City: "c", County: "d", Detail: "e",
			Code: "110101",
		},
		{
			Username: "demo2", Mobile: "13900000002", Recipient: "a", Province: "p", City: "c", County: "d", Detail: "e",
			Code: "110101",
		},
	}
	require.NoError(t, s.Shoppers(t.Context(), shoppers[:1], "demo-shop-1"))
	require.NoError(t, s.Shoppers(t.Context(), shoppers, "demo-shop-1"), "those who are there stay")

	var progress []int64
	require.NoError(t, s.MoreGoods(t.Context(), 700, func(done, of int64) { progress = append(progress, done, of) }))
	require.Equal(t, []int64{0, 700, 700, 700}, progress)
	require.NoError(t, s.MoreGoods(t.Context(), 700, silent), "nothing is added twice")
	require.NoError(t, s.MoreOrders(t.Context(), 600, year, silent))
	require.NoError(t, s.MoreOrders(t.Context(), 650, year, silent), "adds what is missing")

	for name, want := range map[string]int64{
		"user": 2, "address": 2, "goods": 700, "goods_product": 1400,
		"orders": 650,
	} {
		var n int64
		require.NoError(t, table.Scan(t.Context(), d, &n, "SELECT COUNT(*) FROM "+name))
		require.Equal(t, want, n, name)
	}
	var statuses []int
	require.NoError(t, table.Scan(t.Context(), d, &statuses, "SELECT DISTINCT order_status FROM orders ORDER BY 1"))
	require.Equal(t, []int{102, 103, 201, 202, 203, 301, 401, 402}, statuses)
	agree(t, d)
	require.NoError(t, dbtest.Exec(t.Context(), d, `UPDATE orders SET refund_type = 'sandbox', refund_content = NULL
		WHERE order_status = 203`))
	agree(t, d) // as earlier releases have made them

	c := catalog.New(d, idempotency.New(d, dbtest.Secret, noon), noon)
	q := page.Query{Page: 1, Limit: 5, Sort: "add_time", Desc: true}
	list, _, err := c.Find(t.Context(), catalog.Filter{Keyword: "围巾"}, q)
	require.NoError(t, err)
	require.Positive(t, list.Total, "made goods are found by their words")
}

func agree(t *testing.T, d *db.DB) {
	t.Helper()
	require.NoError(t, consistency.New(d, time.UTC, noon, noHead, []payment.Provider{&sandbox.Section{}}).Verify(t.Context(), func(d consistency.Disagreement) error {
		t.Error(d)
		return nil
	}, nil))
}

func noHead(context.Context) (audit.Head, error) { return audit.Head{}, nil }
