package statistics_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/domaintest"
)

const sums = "SELECT CONCAT_WS('|', users, orders, customers, amount, goods_orders, goods_products, goods_amount) " +
	"FROM stat_day WHERE day = ?"

// refresh runs the rollup on three replicas concurrently and returns how many days they did together.
func refresh(t *testing.T, s *domaintest.Shop) int {
	t.Helper()
	return s.OnReplicas(func(d *app.Domain) (int, error) { return d.Rollup.Refresh(context.Background()) })
}

func TestRollup(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	ctx := t.Context()
	lin := s.Shopper("lin")
	tea := s.Product("tea", 4550, 100)
	tea.Number = 2
	var ids []int64
	for range 3 {
		id := s.Order(lin, tea)
		s.Pay(lin, id)
		require.NoError(t, s.Orders.Ship(ctx, actor.Operator(1), id, "ZTO", "1"))
		ids = append(ids, id)
	}
	require.Equal(t, 1, refresh(t, s), "one day, whoever does it")
	require.Equal(t, "1|0|0|0.00|3|6|273.00", s.Text(sums, "2030-01-02"))
	require.Zero(t, refresh(t, s), "fresh")

	s.Clock.Move(48 * time.Hour)
	require.Equal(t, 3, refresh(t, s), "days without a sale as well")
	require.Equal(t, "0|0|0|0.00|0|0|0.00", s.Text(sums, "2030-01-03"))
	require.NoError(t, s.Orders.Confirm(ctx, lin, ids[0]))
	require.NoError(t, s.Orders.Confirm(ctx, lin, ids[1]))
	require.Zero(t, refresh(t, s), "nobody has been told yet")
	deliver(t, s)
	require.Equal(t, 1, refresh(t, s))
	require.Equal(t, "1|2|1|182.00|3|6|273.00", s.Text(sums, "2030-01-02"), "counted on the day of the order")
	s.Clock.Move(8 * 24 * time.Hour)
	_, err := s.Orders.ReceiveShipped(ctx)
	require.NoError(t, err)
	s.Exec("UPDATE orders SET deleted = 1 WHERE id = ?", ids[0])
	deliver(t, s)
	require.Equal(t, 10, refresh(t, s), "eight new days, the one that was not over, and the one of the order")
	require.Equal(t, "1|3|1|273.00|3|6|273.00", s.Text(sums, "2030-01-02"), "what happened stays, deleted or not")
	s.Exec("UPDATE stat_day SET orders = 7, refresh_time = '1970-01-02'")
	require.Equal(t, 11, refresh(t, s))
	require.Equal(t, "1|3|1|273.00|3|6|273.00", s.Text(sums, "2030-01-02"), "added up anew, not added to")
}

// A day begins at midnight of the shop's zone.
func TestRollupAtMidnight(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Clock.Move(12*time.Hour - time.Millisecond) // noon is 12:00 in Shanghai
	s.Shopper("lin")
	s.Clock.Move(time.Millisecond)
	s.Shopper("mei")
	s.Shopper("wang")
	require.Equal(t, 2, refresh(t, s))
	require.EqualValues(t, 1, s.Int("SELECT users FROM stat_day WHERE day = '2030-01-02'"))
	require.EqualValues(t, 2, s.Int("SELECT users FROM stat_day WHERE day = '2030-01-03'"))
	s.Clock.Move(time.Minute)
	s.Shopper("zhao")
	require.Equal(t, 2, refresh(t, s), "today, and yesterday until it is settled")
	require.EqualValues(t, 3, s.Int("SELECT users FROM stat_day WHERE day = '2030-01-03'"))
}

func deliver(t *testing.T, s *domaintest.Shop) {
	t.Helper()
	for {
		n, err := s.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		if n == 0 {
			return
		}
	}
}
