package statistics_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/statistics"
)

const sellers = "SELECT CONCAT_WS('|', goods_id, pieces, orders, amount) FROM stat_goods_day WHERE day = ? " +
	"ORDER BY pieces DESC, goods_id"

// An order counts on its own day while it is paid and not refunded, whenever that changes.
func TestSellersOfADay(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	ctx := t.Context()
	lin := s.Shopper("lin")
	tea, pot := s.Product("tea", money.Yuan(30), 99), s.Product("pot", money.Yuan(100), 99)
	tea.Number, pot.Number = 3, 1
	first, second := s.Order(lin, tea), s.Order(lin, pot)
	s.Pay(lin, first)
	s.Pay(lin, second)
	require.Equal(t, 1, refresh(t, s))
	require.Equal(t, []string{"1|3|1|90.00", "2|1|1|100.00"}, s.Texts(sellers, "2030-01-02"))
	require.Zero(t, s.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicStatistics), "the day is not over")

	s.Clock.Move(12*time.Hour - time.Minute) // noon is 12:00 in Shanghai
	late := s.Order(lin, pot)
	s.Clock.Move(24 * time.Hour)
	refresh(t, s)
	require.Zero(t, refresh(t, s))
	for _, step := range []struct {
		do   func()
		want []string
	}{
		{func() { s.Pay(lin, late) }, []string{"1|3|1|90.00", "2|2|2|200.00"}},
		{func() { require.NoError(t, s.Orders.AskRefund(ctx, lin, first)) }, []string{"2|2|2|200.00"}},
		{
			func() { require.NoError(t, s.Orders.RejectRefund(ctx, actor.Operator(1), first, "no")) },
			[]string{"1|3|1|90.00", "2|2|2|200.00"},
		},
		{func() { require.NoError(t, s.Orders.AskRefund(ctx, lin, first)) }, []string{"2|2|2|200.00"}},
	} {
		step.do()
		deliver(t, s)
		require.Equal(t, 1, refresh(t, s))
		require.Equal(t, step.want, s.Texts(sellers, "2030-01-02"))
		s.Agree()
	}
}

// The days of an earlier release, which adds up no goods, are due again.
func TestSellersOfAnEarlierRelease(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, tea := s.Shopper("lin"), s.Product("tea", money.Yuan(30), 99)
	s.Pay(lin, s.Order(lin, tea))
	s.Clock.Move(48 * time.Hour)
	refresh(t, s)
	s.Exec("DELETE FROM stat_goods_day")
	require.NotEmpty(t, s.Disagreements())
	for _, earlier := range []string{"goods_time = NULL", "goods_time = refresh_time - INTERVAL 1 MINUTE"} {
		s.Exec("UPDATE stat_day SET " + earlier + " WHERE day = '2030-01-02'")
		s.Agree()
		require.Equal(t, 1, refresh(t, s))
		require.Equal(t, []string{"1|1|1|30.00"}, s.Texts(sellers, "2030-01-02"))
	}
}

// Of each day the goods that sold most are kept, and of those of a range the hundred that did; a sum is right to the
// cent, and a repair adds a day up again.
func TestBestSellersOfARange(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, tea := s.Shopper("lin"), s.Product("tea", money.Yuan(30), 99)
	s.Pay(lin, s.Order(lin, tea))
	for n := 2; n <= 520; n++ {
		s.Exec("INSERT INTO goods (id, name, pic_url, add_time, update_time) VALUES (?, CONCAT('g', ?), '/p.png', ?, ?)",
			n, n, s.Clock.Now(), s.Clock.Now())
	}
	s.Exec(`INSERT INTO order_goods (order_id, goods_id, goods_name, goods_sn, product_id, number, price, specifications, pic_url,
			add_time, update_time)
		SELECT 1, g.id, g.name, '', 1, g.id, 0.01, '[]', '', l.add_time, l.add_time
		FROM goods g JOIN order_goods l ON l.id = 1 WHERE g.id > 1`)
	refresh(t, s)
	require.Len(t, s.Texts(sellers, "2030-01-02"), 500)
	require.Equal(t, "520|520|1|5.20", s.Texts(sellers, "2030-01-02")[0])
	s.Exec("INSERT INTO stat_goods_day (day, goods_id, pieces, orders, amount) VALUES ('2030-01-01', 21, 900, 4, 0.99)")
	best := func(first, last string) []statistics.Seller {
		t.Helper()
		day := func(text string) (at time.Time) {
			if text != "" {
				var err error
				at, err = time.Parse(time.DateOnly, text)
				require.NoError(t, err)
			}
			return at
		}
		found, err := s.Rollup.BestSellers(t.Context(), day(first), day(last))
		require.NoError(t, err)
		return found
	}
	all := best("", "")
	require.Len(t, all, 100)
	require.Equal(t, "/p.png", all[0].PicURL)
	all[0].PicURL = ""
	require.Equal(t, statistics.Seller{GoodsID: 21, GoodsName: "g21", Pieces: 921, Orders: 5, Amount: 120}, all[0])
	require.EqualValues(t, 520, best("2030-01-02", "2030-01-02")[0].GoodsID)
	require.Len(t, best("", "2030-01-01"), 1)
	require.Empty(t, best("2030-01-03", ""))
}
