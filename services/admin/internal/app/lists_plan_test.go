package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/apitest"
)

// fits are filters that match most rows of growTo, so that the database must not sort them.
var fits = map[string][]string{
	"GET /admin/ad/list":         {"name=ad"},
	"GET /admin/address/list":    {"name=x"},
	"GET /admin/admin/list":      {"username=a"},
	"GET /admin/aftersale/list":  {"status=1"},
	"GET /admin/brand/list":      {"name=brand"},
	"GET /admin/freight/list":    {"name=freight"},
	"GET /admin/comment/list":    {"valueId=1", "userId=1"},
	"GET /admin/coupon/list":     {"name=coupon", "type=0", "status=0"},
	"GET /admin/coupon/listuser": {"couponId=1", "status=0", "couponId=1&status=0"},
	"GET /admin/goods/list": {
		"name=g", "categoryId=0", "brandId=0", "freightId=0", "isOnSale=true", "isNew=false", "isHot=false", "sort=retail_price",
		"sort=retail_price&order=asc&page=400",
	},
	"GET /admin/groupon/listRecord": {"grouponRuleId=1"},
	"GET /admin/history/list":       {"keyword=word"},
	"GET /admin/issue/list":         {"question=why"},
	"GET /admin/keyword/list":       {"keyword=word"},
	"GET /admin/log/list":           {"name=x"},
	"GET /admin/notice/list":        {"title=x", "content=y"},
	"GET /admin/order/list": {
		"consignee=x", "orderStatusArray=101", "orderStatusArray=101&orderStatusArray=201", "start=2000-01-01 00:00:00",
		"mobile=13812345678", "shipSn=1", "payId=p", "userId=1",
		"goodsId=1", "sort=actual_price", "sort=actual_price&order=asc&page=400",
	},
	"GET /admin/profile/lsnotice": {"type=unread"},
	"GET /admin/role/list":        {"name=role"},
	"GET /admin/storage/list":     {"name=x"},
	"GET /admin/topic/list":       {"title=x", "title=x&sort=price", "sort=price", "sort=price&order=asc&page=400"},
	"GET /admin/user/list":        {"username=u"},
}

// unsorted are the lists that are read as a whole and cached, the inbox of one operator, which an index stores with read
// and unread notices apart, and the open cases, which are few.
var unsorted = map[string]bool{
	"GET /admin/order/cases": true,
	"GET /admin/category/l1": true, "GET /admin/category/list": true, "GET /admin/region/clist": true,
	"GET /admin/region/list": true, "GET /admin/role/options": true, "GET /admin/profile/lsnotice": true,
}

// holdPlans fails if the database would sort a table, rather than the rows of a page, for a list.
func holdPlans(t *testing.T, w *apitest.Env, s op.Spec) {
	t.Helper()
	queries := fits[s.Key()]
	if !unsorted[s.Key()] {
		queries = append([]string{"", "order=asc", "sort=id", "sort=id&order=asc", "page=400"}, queries...)
	}
	for _, query := range queries {
		var sent []string
		w.Listen(func(statement string) { sent = append(sent, statement) })
		w.Super().GET("%s", s.Path+"?"+strings.ReplaceAll(query, " ", "%20")).OK()
		looked := 0
		for _, statement := range sent {
			if !strings.HasPrefix(statement, "SELECT") || !strings.Contains(statement, " LIMIT ") {
				continue
			}
			looked++
			var plan any
			require.NoError(t, json.Unmarshal([]byte(w.Shop.Plan(statement)), &plan))
			for table, rows := range sortedIn(plan) {
				require.Less(t, rows, 1000.0, "%q sorts table %s:\n%s", query, table, statement)
			}
		}
		require.Positive(t, looked, "%q: no page among %s", query, sent)
	}
}

// rowsOf returns the number of rows that a plan of MariaDB or MySQL expects to read from a table.
func rowsOf(table map[string]any) (float64, bool) {
	if rows, ok := table["rows"].(float64); ok {
		return rows, true
	}
	rows, ok := table["rows_examined_per_scan"].(float64)
	return rows, ok
}

// sortedIn returns the tables that a plan sorts, with the number of rows that the database expects. A derived table,
// such as the ids of a page, does not count.
func sortedIn(plan any) map[string]float64 {
	found := map[string]float64{}
	var look func(node any, sorting bool)
	look = func(node any, sorting bool) {
		switch v := node.(type) {
		case []any:
			for _, part := range v {
				look(part, sorting)
			}
		case map[string]any:
			name, isTable := v["table_name"].(string)
			derived, isDerived := v["materialized_from_subquery"].(map[string]any)
			if rows, ok := rowsOf(v); ok && isTable && sorting && !isDerived && !strings.HasPrefix(name, "<") {
				found[name] = max(found[name], rows)
			}
			look(derived["query_block"], false)
			sorting = sorting || v["using_filesort"] == true || v["using_temporary_table"] == true
			for key, part := range v {
				if key != "materialized_from_subquery" {
					look(part, key != "materialized" && (sorting || key == "filesort" || key == "temporary_table"))
				}
			}
		}
	}
	look(plan, false)
	return found
}

// The check of plans detects sorting.
func TestSortedIn(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	grow(w, "topic", 0, tenThousand)
	w.Shop.Exec("ANALYZE TABLE topic")
	for by, want := range map[string]bool{"add_time": false, "price": false, "update_time": true} {
		var plan any
		text := w.Shop.Plan(fmt.Sprintf("SELECT r.content FROM (SELECT i.id, i.%s FROM topic i "+
			"WHERE i.deleted = 0 ORDER BY i.%[1]s, i.id LIMIT 10 OFFSET 20) p JOIN topic r ON r.id = p.id ORDER BY p.%[1]s", by))
		require.NoError(t, json.Unmarshal([]byte(text), &plan))
		require.Equal(t, want, sortedIn(plan)["i"] > 5000, text)
	}
}
