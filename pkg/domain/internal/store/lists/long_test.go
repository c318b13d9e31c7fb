package lists_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

const many = 3000

// long is a table of orders: three per time, four states, one in thirty deleted.
func long(t *testing.T) *db.DB {
	t.Helper()
	d := dbtest.Open(t)
	exec(t, d, "INSERT INTO orders (id, user_id, order_sn, order_status, consignee, mobile, address, goods_price, "+
		"freight_price, coupon_price, order_price, actual_price, add_time, update_time, deleted) "+
		"SELECT n, n % 7, n, ELT(1 + n % 11 % 4, 101, 201, 301, 401), CONCAT('name', n % 50), '', '', 1, 0, 0, 1, 1, "+
		"'2030-01-01' + INTERVAL n DIV 3 MINUTE, '2030-01-01', n % 30 = 0 FROM "+
		"(WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 900) SELECT n FROM c) x")
	exec(t, d, "INSERT INTO orders (id, user_id, order_sn, order_status, consignee, mobile, address, goods_price, "+
		"freight_price, coupon_price, order_price, actual_price, add_time, update_time, deleted) "+
		"SELECT id + 900 * k, user_id, id + 900 * k, order_status, consignee, '', '', 1, 0, 0, 1, 1, "+
		"add_time + INTERVAL 300 * k MINUTE, update_time, deleted FROM orders CROSS JOIN "+
		"(SELECT 1 AS k UNION ALL SELECT 2 UNION ALL SELECT 3) x WHERE id + 900 * k <= ?", many)
	return d
}

func exec(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	require.NoError(t, dbtest.Exec(t.Context(), d, statement, args...))
}

// narrowed are lists with the plain condition that each must satisfy.
var narrowed = []struct {
	name string
	list func(*lists.Query) *lists.Query
	want string
}{
	{"all", func(l *lists.Query) *lists.Query { return l }, "1 = 1"},
	{"one state", func(l *lists.Query) *lists.Query { return l.In("order_status", "ix_orders_st", 201) }, "order_status = 201"},
	{"two states", func(l *lists.Query) *lists.Query { return l.In("order_status", "ix_orders_st", 101, 401) }, "order_status IN (101, 401)"},
	{"no row", func(l *lists.Query) *lists.Query { return l.In("order_status", "ix_orders_st", 999) }, "1 = 0"},
	{"a text", func(l *lists.Query) *lists.Query { return l.Contains("consignee", "me1") }, "consignee LIKE '%me1%'"},
	{"a text drawn", func(l *lists.Query) *lists.Query {
		return l.Contains("consignee", "me1").CountVia("id", "SELECT id FROM orders WHERE consignee LIKE ?", "%me1%")
	}, "consignee LIKE '%me1%'"},
	{"a text and two states", func(l *lists.Query) *lists.Query {
		return l.Contains("consignee", "me1").In("order_status", "ix_orders_st", 101, 401)
	}, "consignee LIKE '%me1%' AND order_status IN (101, 401)"},
	{"an owner", func(l *lists.Query) *lists.Query { three := int64(3); return l.ID("user_id", &three) }, "user_id = 3"},
	{"an owner in one state", func(l *lists.Query) *lists.Query {
		return l.Equals("user_id", 3).In("order_status", "ix_orders_st", 201)
	}, "user_id = 3 AND order_status = 201"},
	{"an owner with a text", func(l *lists.Query) *lists.Query {
		return l.Equals("user_id", 3).Contains("consignee", "me1")
	}, "user_id = 3 AND consignee LIKE '%me1%'"},
	{"a part of the table", part, "order_status <> 101"},
	{"two states of a part of the table", func(l *lists.Query) *lists.Query {
		return part(l).In("order_status", "ix_orders_st", 101, 401)
	}, "order_status = 401"},
}

func part(l *lists.Query) *lists.Query { return l.Subset("paid", "i.order_status <> 101") }

// However a page is found, it is the page of OFFSET, and the total is that of COUNT.
func TestWays(t *testing.T) {
	t.Parallel()
	d := long(t)
	exec(t, d, "ANALYZE TABLE orders")
	rapid.Check(t, func(rt *rapid.T) {
		n := narrowed[rapid.IntRange(0, len(narrowed)-1).Draw(rt, "list")]
		w := page.Query{
			Page: rapid.IntRange(1, 400).Draw(rt, "page"), Limit: rapid.IntRange(1, 40).Draw(rt, "limit"), Beyond: page.Last,
			Sort: rapid.SampledFrom([]string{"add_time", "id", "consignee"}).Draw(rt, "sort"), Desc: rapid.Bool().Draw(rt, "desc"),
		}
		var total int64
		require.NoError(rt, table.Scan(t.Context(), d, &total, "SELECT COUNT(*) FROM orders WHERE deleted = 0 AND "+n.want))
		l := lists.Select("orders", "r.id").TimeIndex("ix_orders_time").SortIndex("consignee", "ix_orders_consignee")
		l = n.list(l).Early(rapid.SampledFrom([]int{10, 1000, 100000}).Draw(rt, "early"))
		got, err := lists.Fetch[row](t.Context(), lists.New(d), l, w)
		require.NoError(rt, err)
		require.Equal(rt, total, got.Total, n.name)
		direction := map[bool]string{true: "DESC", false: "ASC"}[w.Desc]
		var want []row
		require.NoError(rt, table.Scan(t.Context(), d, &want, "SELECT id FROM orders WHERE deleted = 0 AND "+n.want+" ORDER BY "+w.Sort+" "+
			direction+", id "+direction+" LIMIT ? OFFSET ?", w.Limit, got.Query.Offset()))
		require.Len(rt, got.Items, len(want), n.name)
		for i := range want {
			require.Equal(rt, want[i].ID, got.Items[i].ID, "%s: row %d of %v", n.name, i, got.Query)
		}
	})
}

// statements returns the statements of a list, in order.
func statements(t *testing.T, d *db.DB, l *lists.Query, w page.Query) (sent []string, answered page.List[row]) {
	t.Helper()
	ctx, _ := db.WithFault(t.Context(), func(_ int, s string) error {
		sent = append(sent, s)
		return nil
	})
	answered, err := lists.Fetch[row](ctx, lists.New(d), l, w)
	require.NoError(t, err)
	return sent, answered
}

// A deep page starts from the bookmark of an earlier one; lists do not share bookmarks.
func TestFarPagesBeginAtNearOnes(t *testing.T) {
	t.Parallel()
	d := long(t)
	engine := lists.New(d)
	bound := regexp.MustCompile(`i\.add_time [<>]= '[^']+' AND \(i\.add_time`)
	from := func(l *lists.Query, number int) bool {
		var near string
		ctx, _ := db.WithListener(t.Context(), func(statement string) {
			if bound.MatchString(statement) {
				near = statement
			}
		})
		w := page.Query{Page: number, Limit: 10, Sort: "add_time", Desc: true}
		answered, err := lists.Fetch[row](ctx, engine, l.Early(500), w)
		require.NoError(t, err)
		require.Len(t, answered.Items, 10)
		if near != "" {
			require.Regexp(t, `"table_name": "i",\s+"access_type": "range"`, dbtest.Plan(t, d, near), "the scan begins there")
		}
		return near != ""
	}
	all := func() *lists.Query { return lists.Select("orders", "r.id") }
	require.False(t, from(all(), 101), "the first time")
	require.True(t, from(all(), 101))
	require.True(t, from(all(), 110))
	require.True(t, from(all(), 99))
	require.False(t, from(all(), 20), "near the beginning")
	require.False(t, from(all().Where("i.user_id < ?", 9), 101), "another list")
	paid := func() *lists.Query { return all().In("order_status", "ix_orders_st", 101) }
	exec(t, d, "UPDATE orders SET order_status = 101 WHERE id % 30 > 0")
	require.False(t, from(paid(), 101), "a state")
	require.True(t, from(paid(), 103))
	exec(t, d, "DELETE FROM orders WHERE add_time > '2030-01-01' + INTERVAL 990 MINUTE")
	require.True(t, from(all(), 101), "the bookmark holds while rows before it go")
}

// A list sorted by a column is scanned on that column's index even if rows are skipped; a list of one owner is left to
// the optimizer.
func TestIndexes(t *testing.T) {
	t.Parallel()
	d := long(t)
	list := func() *lists.Query {
		return lists.Select("orders", "r.id").TimeIndex("ix_orders_time").SortIndex("consignee", "ix_orders_consignee")
	}
	exec(t, d, "UPDATE orders SET order_sn = CONCAT('SN', order_sn)")
	for _, tt := range []struct {
		list *lists.Query
		sort string
		want string
	}{
		{list().Contains("order_sn", "SN"), "add_time", "ix_orders_time"},
		{list().Contains("order_sn", "SN"), "id", "PRIMARY"},
		{list().Contains("order_sn", "SN"), "consignee", "ix_orders_consignee"},
		{part(list()), "add_time", "ix_orders_time"},
		{list().In("order_status", "ix_orders_st", 201), "add_time", "ix_orders_st"},
		{list().In("order_status", "ix_orders_st", 201).Equals("user_id", 3), "add_time", ""},
		{list(), "consignee", ""},
	} {
		sent, _ := statements(t, d, tt.list.Many(), page.Query{Page: 1, Limit: 10, Sort: tt.sort, Desc: true})
		rows := sent[slices.IndexFunc(sent, func(s string) bool { return strings.HasPrefix(s, "SELECT r.id") })]
		_, forced, _ := strings.Cut(rows, "FORCE INDEX (")
		forced, _, _ = strings.Cut(forced, ")")
		require.Equal(t, tt.want, forced, sent)
		require.Equal(t, tt.sort != "consignee", strings.Contains(rows, "i.add_time"),
			"what its index does not hold makes the database sort the table: %s", sent)
	}
}

// The total of a whole table may be old, but never contradicts the page.
func TestTotalsAreNeverDisproved(t *testing.T) {
	t.Parallel()
	d := long(t)
	live := int64(many - many/30)
	list := func() *lists.Query { return lists.Select("orders", "r.id").Early(500) }
	ask := func(l *lists.Query, number int) (int64, int) {
		_, answered := statements(t, d, l, page.Query{Page: number, Limit: 100, Sort: "id", Beyond: page.Last})
		return answered.Total, len(answered.Items)
	}
	total, _ := ask(list(), 1)
	require.Equal(t, live, total)
	exec(t, d, "UPDATE orders SET deleted = 1 WHERE id > 2900 AND deleted = 0")
	total, _ = ask(list(), 1)
	require.Equal(t, live, total, "half a minute old")
	exec(t, d, "UPDATE list_counter SET total = 10000")
	total, rows := ask(list(), 29)
	require.EqualValues(t, 2804, total, "a page that is not full tells")
	require.Equal(t, 4, rows)
	exec(t, d, "UPDATE list_counter SET total = 150")
	total, rows = ask(list(), 20)
	require.EqualValues(t, 2804, total, "a page behind the last tells")
	require.Equal(t, 100, rows)
	exec(t, d, "UPDATE list_counter SET total = 150")
	total, rows = ask(list(), 1)
	require.EqualValues(t, 150, total)
	require.Equal(t, 100, rows)
	exec(t, d, "UPDATE list_counter SET refresh_time = refresh_time - INTERVAL 31 SECOND")
	total, _ = ask(list(), 1)
	require.EqualValues(t, 2804, total, "older than that it is not shown")
	exec(t, d, "UPDATE list_counter SET total = 150")
	total, _ = ask(list().Where("i.user_id < ?", 9), 1)
	require.EqualValues(t, 2804, total, "a filter is counted")
	parted := func() *lists.Query { return part(list()) }
	total, _ = ask(parted(), 1)
	exec(t, d, "UPDATE orders SET deleted = 1 WHERE id > 2800 AND deleted = 0")
	kept, _ := ask(parted(), 1)
	require.Equal(t, total, kept, "a part of the table has a total of its own")
	total, _ = ask(parted().Equals("user_id", 3), 1)
	require.Less(t, total, kept/4, "and is counted with a filter")
}
