package statistics_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/statistics"
)

// told compares the days with the current tables, by the definitions themselves.
func told(t *testing.T, s *domaintest.Shop, why string) []statistics.Day {
	t.Helper()
	days, err := s.Rollup.Days(t.Context())
	require.NoError(t, err)
	const date = "CAST(DATE(CONVERT_TZ(add_time, '+00:00', '+08:00')) AS CHAR)"
	byDay := func(from, amount string) string {
		return "SELECT CONCAT_WS('|', day, total) FROM (SELECT d.day, SUM(d.amount) AS total FROM (SELECT " + date +
			" AS day, " + amount + " AS amount FROM " + from + ") d GROUP BY d.day) x ORDER BY day"
	}
	orders, users, lines := []string{}, []string{}, []string{}
	for _, d := range days {
		if d.Orders > 0 {
			orders = append(orders, d.Name()+"|"+d.Amount.String())
		}
	}
	require.Equal(t, texts(s, byDay("orders WHERE order_status IN (401, 402)", "actual_price")), orders, why)
	for _, d := range days {
		if d.Users > 0 {
			users = append(users, d.Name())
		}
		if d.Ordered > 0 {
			lines = append(lines, d.Name()+"|"+d.OrderedAmount.String())
		}
	}
	require.Equal(t, texts(s, "SELECT DISTINCT "+date+" FROM user ORDER BY 1"), users, why)
	require.Equal(t, texts(s, byDay("order_goods", "number * price")), lines, why)
	return days
}

func texts(s *domaintest.Shop, query string) []string { return append([]string{}, s.Texts(query)...) }

// Whatever changes a day, however late, the statistics are right at the next read, without a job or a delivery.
func TestDays(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	ctx, clerk := t.Context(), actor.Operator(1)
	tea := s.Product("tea", 4550, 100)
	var shoppers, ids []int64
	for i, name := range []string{"lin", "mei", "bo"} {
		shopper := s.Shopper(name)
		told(t, s, "a registration")
		for range i + 1 {
			id := s.Order(shopper, tea)
			s.Pay(shopper, id)
			shoppers, ids = append(shoppers, shopper), append(ids, id)
		}
		told(t, s, "orders")
		s.Clock.Move(30 * time.Hour)
	}
	told(t, s, "days later")
	for _, id := range ids[:5] {
		require.NoError(t, s.Orders.Ship(ctx, clerk, id, "ZTO", "1"))
	}
	require.NoError(t, s.Orders.Confirm(ctx, shoppers[0], ids[0]))
	require.Len(t, told(t, s, "a late confirmation"), 3)
	require.NoError(t, s.Orders.Confirm(ctx, shoppers[4], ids[4]))
	told(t, s, "another one")
	deliver(t, s)
	told(t, s, "delivered")
	c, err := s.Aftersales.Submit(ctx, shoppers[0], aftersale.Submission{
		OrderID: ids[0], Type: aftersale.Type(1), Reason: "x", Amount: new(money.Yuan(10)),
	})
	require.NoError(t, err)
	require.NoError(t, s.Aftersales.Accept(ctx, clerk, c, ""))
	require.NoError(t, s.Aftersales.Refund(ctx, clerk, c))
	told(t, s, "money back after the receipt")
	require.NoError(t, s.Orders.AskRefund(ctx, shoppers[5], ids[5]))
	require.NoError(t, s.Orders.Refund(ctx, clerk, ids[5], 5350))
	told(t, s, "money back before the parcel")
	require.NoError(t, s.Orders.Hide(ctx, shoppers[0], ids[0]))
	require.NoError(t, s.Orders.Delete(ctx, clerk, ids[0]))
	s.Exec("UPDATE user SET deleted = 1 WHERE id = ?", shoppers[0])
	told(t, s, "what was deleted stays")
	s.Clock.Move(9 * 24 * time.Hour)
	n, err := s.Orders.ReceiveShipped(ctx)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	told(t, s, "received by time")
	s.Shopper("late")
	days := told(t, s, "a registration after days without anything")
	require.Len(t, days, 4)
	// Concurrent readers see complete days while parcels are received.
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if _, err := s.Rollup.Days(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestPerCustomer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		amount    money.Amount
		customers int64
		want      money.Amount
	}{{0, 0, 0}, {100, 0, 0}, {1000, 3, 333}, {2000, 3, 667}, {101, 2, 51}, {99, 2, 50}, {5, 1, 5}} {
		require.Equal(t, tt.want, statistics.Day{Amount: tt.amount, Customers: tt.customers}.PerCustomer())
	}
}

// A total of the dashboard excludes deleted rows.
func TestTotals(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Shopper("lin")
	s.Shopper("mei")
	s.Product("tea", 4550, 100)
	s.Exec("UPDATE user SET deleted = 1 WHERE username = 'mei'")
	got, err := s.Rollup.Totals(t.Context())
	require.NoError(t, err)
	require.Equal(t, statistics.Totals{Users: 1, Goods: 1, Products: 1, Orders: 0}, got)
}
