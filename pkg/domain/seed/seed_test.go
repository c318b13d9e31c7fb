package seed_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/report"
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

	var told []int64
	require.NoError(t, s.MoreGoods(t.Context(), 700, func(done, of int64) { told = append(told, done, of) }))
	require.Equal(t, []int64{0, 700, 700, 700}, told)
	require.NoError(t, s.MoreGoods(t.Context(), 700, silent), "nothing is added twice")
	require.NoError(t, s.MoreOrders(t.Context(), 600, year, silent))
	require.NoError(t, s.MoreOrders(t.Context(), 650, year, silent), "adds what is missing")

	for table, want := range map[string]int64{
		"user": 2, "address": 2, "goods": 700, "goods_product": 1400,
		"orders": 650,
	} {
		var n int64
		require.NoError(t, d.G(t.Context()).Raw("SELECT COUNT(*) FROM "+table).Scan(&n).Error)
		require.Equal(t, want, n, table)
	}
	var statuses []int
	require.NoError(t, d.G(t.Context()).Raw("SELECT DISTINCT order_status FROM orders ORDER BY 1").Scan(&statuses).Error)
	require.Equal(t, []int{102, 103, 201, 202, 203, 301, 401, 402}, statuses)
	agree(t, d)
	require.NoError(t, d.G(t.Context()).Exec(`UPDATE orders SET refund_type = 'sandbox', refund_content = NULL
		WHERE order_status = 203`).Error)
	agree(t, d) // as earlier releases have made them

	c := catalog.New(d, idempotency.New(d, dbtest.Secret, noon), noon)
	q := page.Query{Page: 1, Limit: 5, Sort: "add_time", Desc: true}
	list, _, err := c.Find(t.Context(), catalog.Filter{Keyword: "围巾"}, q)
	require.NoError(t, err)
	require.Positive(t, list.Total, "made goods are found by their words")
}

func agree(t *testing.T, d *db.DB) {
	t.Helper()
	require.NoError(t, report.New(d, time.UTC, noon, audit.Unkept).Verify(t.Context(), func(d report.Disagreement) error {
		t.Error(d)
		return nil
	}, nil))
}
