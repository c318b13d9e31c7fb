package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// grown makes a thousand rows of the ten of each table that lists are read from.
func (m *market) grown() {
	m.t.Helper()
	for table, columns := range map[string]string{
		"brand":    "name",
		"category": "name, pid, level",
		"topic":    "title, price, goods",
		"issue":    "question, answer",
		"keyword":  "keyword, is_hot, is_default",
		"ad":       "name, url, position, enabled, start_time, end_time",
		"comment":  "value_id, type, user_id, content, star, pic_urls",
		"goods":    "name, category_id, brand_id, is_on_sale, is_new, is_hot, retail_price",
	} {
		columns += ", add_time, update_time"
		m.Domain.Exec("INSERT INTO `" + table + "` (" + columns + ") SELECT " + columns + " FROM `" + table +
			"` CROSS JOIN (SELECT id AS many FROM region ORDER BY id LIMIT 99) AS times")
		require.GreaterOrEqual(m.t, m.Domain.Int("SELECT COUNT(*) FROM `"+table+"`"), int64(1000), table)
	}
}

// What anybody reads costs the same statements of ten rows and of a thousand.
func TestBudgetOfAThousandRows(t *testing.T) {
	m := newMarket(t, 10)
	m.traced()
	for i := range 100 {
		m.Domain.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (?, 1, 'city', 2, ?)", 1000+i, 110100+i)
	}
	m.grown()
	me := m.As(m.lin)
	measured := 0
	get := func(path string, args ...any) {
		a := me.GET(path, args...).OK()
		require.LessOrEqual(t, a.Statements, budget[a.Spec.Key()], a.Request)
		measured++
	}
	m.catalogue(get)
	for _, path := range []string{
		"/wx/topic/list?limit=1000", "/wx/topic/related?id=1&limit=1000", "/wx/issue/list?limit=1000&question=why",
		"/wx/search/index", "/wx/search/helper?keyword=word&limit=1000", "/wx/search/result?keyword=ware&limit=1000",
		"/wx/catalog/getfirstcategory", "/wx/catalog/getsecondcategory?id=1", "/wx/topic/detail?id=1",
	} {
		get(path)
	}
	require.Greater(t, measured, 20)
}
