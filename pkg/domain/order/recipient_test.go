package order_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
)

// sentTo inserts orders with these recipients, some time ago.
func sentTo(s *domaintest.Shop, ago time.Duration, names ...string) {
	at := s.Clock.Now().UTC().Add(-ago)
	rows, args := make([]string, len(names)), make([]any, 0, 4*len(names))
	first := s.Int("SELECT COALESCE(MAX(id), 0) FROM orders")
	for i, name := range names {
		rows[i] = "(1, ?, 401, ?, '', '', 1, 0, 0, 1, 1, ?, ?)"
		args = append(args, fmt.Sprintf("R%d", first+int64(i)+1), name, at, at)
	}
	s.Exec("INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price, "+
		"coupon_price, order_price, actual_price, add_time, update_time) VALUES "+strings.Join(rows, ", "), args...)
}

// listed returns the ids of the orders whose recipient's name contains a text, newest first, and the total.
func listed(ctx context.Context, t require.TestingT, s *domaintest.Shop, f order.Filter, limit int) ([]int64, int64) {
	list, err := s.Orders.AdminList(ctx, f, page.Query{Page: 1, Limit: limit, Sort: "id", Desc: true})
	require.NoError(t, err)
	ids := make([]int64, len(list.Items))
	for i, o := range list.Items {
		ids[i] = o.ID
	}
	return ids, list.Total
}

// matches reports whether a name has every word of a text in one of its spellings.
func matches(name, part string) bool {
	return !slices.ContainsFunc(form.Words(part), func(spellings []string) bool {
		return !slices.ContainsFunc(spellings, func(s string) bool { return strings.Contains(strings.ToLower(name), s) })
	})
}

// The search answers the same before, while and after the names are indexed.
func TestRecipientsAreFoundByAnyPartOfTheirName(t *testing.T) {
	t.Parallel()
	names := []string{"王小明", "王小", "小明王", "Ann Lee", "ANNE", "José", "Jose", "", " ", "100%", `a\b`, "王小明", "ＡＮＮ", "明", "x_y", "🍺", "🍣 王", "𠮷", "𡈽", "Zoe\u0301"}
	parts := []string{"王", "小明", "王小明", "ann", "NN", "é", "jos", "ose", "%", `\`, "_", " ", "nobody", "n l", "ＡＮ", "Anne", "0%", "lee ann", "明 王", "王 🍣", "🍺", "𠮷", "zoé"}
	s := domaintest.Open(t)
	sentTo(s, time.Hour, names...)
	s.Exec("UPDATE orders SET deleted = 1 WHERE id = 12")
	search := func(part string) []int64 {
		ids, total := listed(t.Context(), t, s, order.Filter{Consignee: part}, 100)
		require.Len(t, ids, int(total), part)
		return ids
	}
	want := map[string][]int64{}
	for _, part := range parts {
		ids := []int64{}
		for i, name := range names {
			if matches(name, part) && i+1 != 12 {
				ids = append([]int64{int64(i) + 1}, ids...)
			}
		}
		want[part] = ids
		require.Equal(t, ids, search(part), "%q, none indexed", part)
	}
	indexed, err := s.Orders.IndexRecipients(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(names), indexed)
	require.EqualValues(t, 2, s.Int("SELECT COUNT(*) FROM order_recipient WHERE term = '小明' AND name LIKE '%明%'"))
	for _, part := range parts {
		require.Equal(t, want[part], search(part), "%q, all indexed", part)
	}
	sentTo(s, time.Second, "王小明", "Joseph") // too young for the index
	indexed, err = s.Orders.IndexRecipients(t.Context())
	require.NoError(t, err)
	require.Zero(t, indexed)
	require.Equal(t, append([]int64{int64(len(names)) + 1}, want["小明"]...), search("小明"))
	require.Equal(t, append([]int64{int64(len(names)) + 2}, want["jos"]...), search("jos"))
	ids, _ := listed(t.Context(), t, s, order.Filter{Consignee: "小明", SN: "R1"}, 10)
	require.Equal(t, []int64{1}, ids)
	ids, _ = listed(t.Context(), t, s, order.Filter{Consignee: "小明", Statuses: []int{101}}, 10)
	require.Empty(t, ids)
}

// Any names and any part of one of them: the index finds what a scan finds.
func TestTheIndexOfRecipientsFindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("aAbBée\u0301ßẞİıσςΣ王明 %_\\Ａａ🍺🍣㍿")), 0, 6, -1)
	rapid.Check(t, func(r *rapid.T) {
		s.Exec("DELETE FROM orders")
		s.Exec("DELETE FROM order_recipient")
		s.Exec("DELETE FROM list_counter")
		names := rapid.SliceOfN(letters, 1, 8).Draw(r, "names")
		sentTo(s, time.Hour, names...)
		part := letters.Draw(r, "part")
		if rapid.Bool().Draw(r, "of a name") {
			name := []rune(rapid.SampledFrom(names).Draw(r, "name"))
			from := rapid.IntRange(0, len(name)).Draw(r, "from")
			part = string(name[from:rapid.IntRange(from, len(name)).Draw(r, "to")])
		}
		scanned, _ := listed(t.Context(), r, s, order.Filter{Consignee: part}, 100)
		n, err := s.Orders.IndexRecipients(t.Context())
		require.NoError(r, err)
		require.Equal(r, len(names), n)
		indexed, _ := listed(t.Context(), r, s, order.Filter{Consignee: part}, 100)
		require.Equal(r, scanned, indexed, "%q in %q", part, names)
	})
}

// A part that thousands of orders have is counted on indexes, alone and with other conditions.
func TestAFrequentPartOfARecipientsName(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	const n = 6000
	s.Exec("INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price, "+
		"coupon_price, order_price, actual_price, add_time, update_time) SELECT 1, CONCAT('R', n), IF(n % 2 = 0, 401, 402), "+
		"CONCAT('王', CHAR(97 + n % 26)), '', '', 1, 0, 0, 1, 1, ?, ? FROM (WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL "+
		"SELECT n + 1 FROM c WHERE n < 1000) SELECT a.n + 1000 * (b.n - 1) AS n FROM c a JOIN c b ON b.n <= ? ORDER BY 1) x",
		s.Clock.Now().Add(-time.Hour), s.Clock.Now().Add(-time.Hour), n/1000)
	check := func() {
		t.Helper()
		ids, total := listed(t.Context(), t, s, order.Filter{Consignee: "王"}, 3)
		require.EqualValues(t, n, total)
		require.Equal(t, []int64{n, n - 1, n - 2}, ids)
		_, total = listed(t.Context(), t, s, order.Filter{Consignee: "王", Statuses: []int{401}}, 3)
		require.EqualValues(t, n/2, total)
		list, err := s.Orders.AdminList(t.Context(), order.Filter{Consignee: "王"},
			page.Query{Page: n / 10, Limit: 10, Sort: "id", Desc: true})
		require.NoError(t, err)
		require.EqualValues(t, 1, list.Items[9].ID)
	}
	check()
	for done := 1; done > 0; {
		var err error
		done, err = s.Orders.IndexRecipients(t.Context())
		require.NoError(t, err)
	}
	require.EqualValues(t, n, s.Int("SELECT total FROM list_counter WHERE scope = 'orders:recipients'"))
	require.EqualValues(t, 26, s.Int("SELECT COUNT(*) FROM order_recipient WHERE term = '王'"))
	check()
	s.Exec("UPDATE orders SET deleted = 1 WHERE id = ?", n-1)
	ids, total := listed(t.Context(), t, s, order.Filter{Consignee: "王"}, 2)
	require.EqualValues(t, n-1, total)
	require.Equal(t, []int64{n, n - 2}, ids)
}
