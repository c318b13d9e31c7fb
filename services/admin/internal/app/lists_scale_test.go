package app_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/apitest"
)

// tenRows and tenThousand are the lengths of a list at first and later.
const (
	tenRows     = 10
	tenThousand = 10_000
)

// bulk says how a table is filled: the values are expressions of n, which counts from 1.
type bulk struct{ columns, values string }

// bulks are the tables behind lists. The common columns are added.
var bulks = map[string]bulk{
	"ad":             {"name, url", "'ad', 'http://shop.test/1.png'"},
	"address":        {"user_id, province, city, county, name", "n, '', '', '', 'x'"},
	"admin":          {"username, username_key, password_hash", "CONCAT('a', n), CONCAT('a', n), 'x'"},
	"aftersale":      {"order_id, user_id, aftersale_sn, status", "n, 1, CONCAT('A', n), 1"},
	"brand":          {"name", "CONCAT('brand', n)"},
	"category":       {"name, pid, level", "CONCAT('c', n), 0, 'L1'"},
	"collect":        {"user_id, value_id", "n, 1"},
	"comment":        {"value_id, user_id, content, pic_urls", "1, 1, 'good', '[]'"},
	"coupon":         {"name", "CONCAT('coupon', n)"},
	"coupon_user":    {"user_id, coupon_id, seq, name", "1, 1, n, 'a'"},
	"feedback":       {"content, user_id, pic_urls", "'x', n, '[]'"},
	"footprint":      {"user_id, goods_id, view_time", "n, 1, '2030-01-01'"},
	"goods":          {"name, name_key", "CONCAT('goods', n), CONCAT('goods', n)"},
	"groupon":        {"order_id, rules_id, user_id, creator_user_id, status", "n, 1, n, n, 1"},
	"groupon_rules":  {"goods_id, goods_name, discount, discount_member", "n, 'x', 1, 2"},
	"search_history": {"user_id, keyword", "n, 'word'"},
	"issue":          {"question, answer", "'why?', 'so'"},
	"keyword":        {"keyword", "'word'"},
	"log":            {"admin, action", "'x', 'y'"},
	"notice":         {"title, content", "'x', 'y'"},
	"notice_admin":   {"notice_id, admin_id", "n, 1"},
	"refund":         {"out_refund_no, order_id, user_id, amount, status", "CONCAT('R', n), n, 1, 1, 3"},
	"role":           {"name", "CONCAT('role', n)"},
	"storage":        {"storage_key, name, type, size", "CONCAT('k', n), 'x', 'image/png', 1"},
	"topic":          {"title, content, goods", "'x', 'y', '[]'"},
	"user":           {"username, username_key", "CONCAT('u', n), CONCAT('u', n)"},
	"orders": {
		"user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price, coupon_price, order_price, " +
			"actual_price", "n, n, 101, 'x', '', '', 1, 0, 0, 1, 1",
	},
}

// longList says where the rows of a list come from, and in which order: newest first by default.
type longList struct{ table, where, order, query string }

// longLists are all lists of the service.
var longLists = map[string]longList{
	"GET /admin/ad/list":            {table: "ad"},
	"GET /admin/address/list":       {table: "address"},
	"GET /admin/admin/list":         {table: "admin"},
	"GET /admin/aftersale/list":     {table: "aftersale"},
	"GET /admin/brand/list":         {table: "brand"},
	"GET /admin/category/l1":        {table: "category", order: "id"},
	"GET /admin/category/list":      {table: "category", order: "id"},
	"GET /admin/collect/list":       {table: "collect"},
	"GET /admin/comment/list":       {table: "comment"},
	"GET /admin/coupon/list":        {table: "coupon"},
	"GET /admin/coupon/listuser":    {table: "coupon_user"},
	"GET /admin/feedback/list":      {table: "feedback"},
	"GET /admin/footprint/list":     {table: "footprint"},
	"GET /admin/goods/list":         {table: "goods"},
	"GET /admin/groupon/list":       {table: "groupon_rules"},
	"GET /admin/groupon/listRecord": {table: "groupon"},
	"GET /admin/history/list":       {table: "search_history"},
	"GET /admin/issue/list":         {table: "issue"},
	"GET /admin/keyword/list":       {table: "keyword"},
	"GET /admin/log/list":           {table: "log"},
	"GET /admin/notice/list":        {table: "notice"},
	"GET /admin/order/cases":        {table: "refund", order: "id"},
	"GET /admin/order/list":         {table: "orders"},
	"GET /admin/profile/lsnotice":   {table: "notice_admin"},
	"GET /admin/region/clist":       {table: "region", where: "pid = 1", order: "id", query: "&id=1"},
	"GET /admin/region/list":        {table: "region", where: "pid = 0", order: "id"},
	"GET /admin/role/list":          {table: "role"},
	"GET /admin/role/options":       {table: "role", order: "add_time, id"},
	"GET /admin/storage/list":       {table: "storage"},
	"GET /admin/topic/list":         {table: "topic"},
	"GET /admin/user/list":          {table: "user"},
}

// isList reports whether an operation answers pages of a list.
func isList(s op.Spec) bool {
	whole := reflect.TypeFor[wire.List[int]]()
	return s.Resp != nil && s.Resp.PkgPath() == whole.PkgPath() && strings.HasPrefix(s.Resp.Name(), "List[")
}

// numbers are those above one number, up to another.
const numbers = "(WITH d AS (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 " +
	"UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) " +
	"SELECT 1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n AS n FROM d a, d b, d c, d d) x WHERE n > ? AND n <= ? ORDER BY n"

// growTo fills every table of lists up to n rows.
func growTo(w *apitest.Env, from, to int) {
	for table := range bulks {
		grow(w, table, from, to)
	}
}

func grow(w *apitest.Env, table string, from, to int) {
	b := bulks[table]
	columns, values := b.columns+", add_time, update_time", b.values+", '2030-01-01' + INTERVAL n DIV 3 MINUTE, '2030-01-01'"
	w.Shop.Exec("INSERT INTO `"+table+"` ("+columns+") SELECT "+values+" FROM "+numbers, from, to)
}

// longPage is a page of a list: its envelope, and the ids of its rows.
type longPage struct {
	total, pages int64
	ids          []int64
	statements   int
}

func askLong(w *apitest.Env, s op.Spec, page, limit int) longPage {
	answer := w.Super().GET(fmt.Sprintf("%s?page=%d&limit=%d%s", s.Path, page, limit, longLists[s.Key()].query))
	return longPageBy(answer)
}

func longPageBy(answer *optest.Answer) longPage {
	var data struct {
		Total, Pages int64
		List         []struct {
			ID, Value json.Number
			Groupon   struct{ ID json.Number }
		}
	}
	answer.Data(&data)
	a := longPage{total: data.Total, pages: data.Pages, statements: answer.Statements}
	for _, row := range data.List {
		for _, called := range []json.Number{row.ID, row.Value, row.Groupon.ID} {
			if id, err := called.Int64(); err == nil {
				a.ids = append(a.ids, id)
				break
			}
		}
	}
	return a
}

func (l longList) rows(t *testing.T, w *apitest.Env) (ids []int64) {
	t.Helper()
	where, order := "deleted = 0", "add_time DESC, id DESC"
	if l.table == "region" {
		where = "1 = 1"
	}
	if l.where != "" {
		where += " AND " + l.where
	}
	if l.order != "" {
		order = l.order
	}
	for _, id := range w.Shop.Texts("SELECT id FROM `" + l.table + "` WHERE " + where + " ORDER BY " + order) {
		n, err := strconv.ParseInt(id, 10, 64)
		require.NoError(t, err)
		ids = append(ids, n)
	}
	return ids
}

// Every list sends the same statements for ten rows and for ten thousand, reports its total, and has the right rows on
// each page.
func TestListsOfTenThousandRows(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Super() // the first operator, who has all the notices
	growTo(w, 0, tenRows)
	// Regions never change and are cached, so all of them exist from the start.
	w.Shop.Exec("INSERT INTO region (pid, name, type, code) SELECT 0, 'x', 1, n FROM "+numbers, 0, tenThousand)
	w.Shop.Exec("INSERT INTO region (pid, name, type, code) SELECT 1, 'x', 2, code + 100000 FROM region")
	first := map[string]longPage{}
	for _, s := range w.Handler.Specs {
		if isList(s) {
			require.Contains(t, longLists, s.Key(), "a list whose rows nobody has named")
			_ = askLong(w, s, 1, tenRows) // what is read once and then cached
			first[s.Key()] = askLong(w, s, 1, tenRows)
		}
	}
	_ = reads(w)
	few := reads(w)
	golden.Value(t, "statements_reads", few)
	growTo(w, tenRows, tenThousand)
	require.Equal(t, few, reads(w))
	w.Shop.Exec("INSERT INTO goods_term (term, goods_id) SELECT 'g', id FROM goods")
	for table := range bulks {
		w.Shop.Exec("ANALYZE TABLE `" + table + "`")
	}
	for _, s := range w.Handler.Specs {
		if isList(s) {
			t.Run(s.Path, func(t *testing.T) {
				holdPages(t, w, s, first[s.Key()].statements)
				holdPlans(t, w, s)
			})
		}
	}
}

// holdPages compares pages at both ends of a list, and on both sides of the middle, where the scan direction changes.
func holdPages(t *testing.T, w *apitest.Env, s op.Spec, ceiling int) {
	t.Helper()
	const limit = 210
	want := longLists[s.Key()].rows(t, w)
	require.Greater(t, len(want), 9000)
	pages := (len(want) + limit - 1) / limit
	for _, page := range []int{1, 2, pages / 2, pages/2 + 1, pages - 1, pages} {
		a := askLong(w, s, page, limit)
		require.EqualValues(t, len(want), a.total)
		require.EqualValues(t, pages, a.pages)
		require.LessOrEqual(t, a.statements, ceiling, "statements of a page of %d", limit)
		require.Equal(t, want[(page-1)*limit:min(page*limit, len(want))], a.ids, "page %d", page)
	}
}
