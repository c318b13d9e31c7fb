package catalog_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/services/admin/internal/apitest"
)

const list = "/admin/goods/list"

// withGoods is a shop with four goods; the last is not on sale.
func withGoods(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	for _, g := range []domaincatalog.Goods{
		{
			SN: "1001", Name: "Linen shirt 100%", OnSale: true, New: true, SortOrder: 7, Unit: "件", Keywords: "linen,shirt",
			Brief: "Cool in summer", Gallery: []string{"https://shop.test/a.png"}, PicURL: "https://shop.test/b.png",
			CounterPrice: money.Yuan(129), Detail: "<p>Washed once</p>",
		},
		{SN: "1002", Name: "linen_trousers", OnSale: true, Hot: true, SortOrder: 100, Unit: "件"},
		{SN: "1003", Name: `Back\slash`, OnSale: true, SortOrder: 100, Unit: "件"},
		{SN: "1004", Name: "棉布围巾", SortOrder: 100, Unit: "条"},
	} {
		product := domaincatalog.Product{Specifications: []string{"Standard"}, Price: money.Yuan(99), Number: 5}
		_, err := w.Shop.Catalog.Create(t.Context(), domaincatalog.NewGoods{Goods: g, Products: []domaincatalog.Product{product}})
		require.NoError(t, err)
		w.Shop.Clock.Move(time.Minute)
	}
	return w
}

func TestList(t *testing.T) {
	t.Parallel()
	w := withGoods(t)
	clerk := w.Operator("clerk", "admin:goods:list")
	clerk.GET(list).OK().Golden("list")
	clerk.GET(list + "?limit=0&goodsId=&goodsSn=&name=&timeArray=").OK().Golden("list_all")
	clerk.GET(list + "?goodsId=99").Empty()
}

func TestFilters(t *testing.T) {
	t.Parallel()
	w := withGoods(t)
	clerk := w.Operator("clerk", "admin:goods:list")
	tests := map[string]struct {
		query url.Values
		want  []int64
		total int64
	}{
		"all":                    {url.Values{}, []int64{4, 3, 2, 1}, 4},
		"oldest first":           {url.Values{"order": {"asc"}}, []int64{1, 2, 3, 4}, 4},
		"by id":                  {url.Values{"sort": {"id"}, "order": {"asc"}, "limit": {"2"}}, []int64{1, 2}, 4},
		"beyond the last page":   {url.Values{"page": {"9"}, "limit": {"3"}}, []int64{1}, 4},
		"all rows":               {url.Values{"limit": {"0"}, "page": {"3"}}, []int64{4, 3, 2, 1}, 4},
		"id":                     {url.Values{"goodsId": {"2"}}, []int64{2}, 1},
		"id 0":                   {url.Values{"goodsId": {"0"}}, []int64{}, 0},
		"number":                 {url.Values{"goodsSn": {"1004"}}, []int64{4}, 1},
		"part of a number":       {url.Values{"goodsSn": {"100"}}, []int64{}, 0},
		"part of the name":       {url.Values{"name": {"LINEN"}}, []int64{2, 1}, 2},
		"Chinese":                {url.Values{"name": {"围巾"}}, []int64{4}, 1},
		"percent is a percent":   {url.Values{"name": {"%"}}, []int64{1}, 1},
		"underscore is itself":   {url.Values{"name": {"_"}}, []int64{2}, 1},
		"backslash is itself":    {url.Values{"name": {`\`}}, []int64{3}, 1},
		"both must hold":         {url.Values{"name": {"linen"}, "goodsSn": {"1002"}}, []int64{2}, 1},
		"a union, in the number": {url.Values{"goodsSn": {"' union select 1,2,3 -- "}}, []int64{}, 0},
		"a union, in the name":   {url.Values{"name": {"' union select 1,2,3 -- "}}, []int64{}, 0},
		"always true, as a name": {url.Values{"name": {"x' or '1'='1"}}, []int64{}, 0},
		"sleeping":               {url.Values{"name": {"x%' or sleep(5) -- "}}, []int64{}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := clerk.In(t).GET(list + "?" + tt.query.Encode())
			var got struct{ Total int64 }
			a.Data(&got)
			require.Equal(t, tt.want, a.IDs())
			require.Equal(t, tt.total, got.Total)
		})
	}
}

func TestBadQueries(t *testing.T) {
	t.Parallel()
	clerk := apitest.Open(t).Operator("clerk", "admin:goods:list")
	for _, q := range []url.Values{
		{"goodsId": {"1 or 1=1"}},
		{"goodsId": {"1.5"}},
		{"sort": {"password"}},
		{"sort": {"add_time desc,(select sleep(5))"}},
		{"sort": {"counter_price"}},
		{"order": {"desc limit 1,1"}},
		{"order": {"DESC"}},
		{"limit": {"-1"}},
		{"limit": {"10001"}},
		{"limit": {"ten"}},
		{"page": {"0"}},
		{"page": {"1;drop table goods"}},
	} {
		t.Run(q.Encode(), func(t *testing.T) { clerk.In(t).GET(list + "?" + q.Encode()).Fails(errno.Invalid) })
	}
}

// Each filter selects its goods alone, with others, and by price; a category has the goods of those below it. What
// would read more goods than a thousand is refused.
func TestGoodsByChoices(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Exec("INSERT INTO category (id, pid, level, add_time, update_time) VALUES (1, 0, 'L1', NOW(), NOW()), " +
		"(2, 1, 'L2', NOW(), NOW())")
	insert := func(select_ string, args ...any) {
		w.Shop.Exec("INSERT INTO goods (name, category_id, brand_id, is_on_sale, is_new, is_hot, retail_price, add_time, "+
			"update_time) "+select_, args...)
	}
	insert("VALUES ('a', 1, 7, 1, 1, 0, 30, '2030-01-01', NOW()), ('b', 2, 7, 0, 0, 1, 10, '2030-01-02', NOW()), " +
		"('c', 3, 8, 1, 1, 0, 20, '2030-01-03', NOW()), ('d', 2, 0, 1, 0, 0, 5, '2030-01-04', NOW())")
	w.Shop.Exec("INSERT INTO goods_term (term, goods_id) VALUES ('a', 1)")
	w.Shop.Exec("INSERT INTO goods_product (goods_id, specifications, price, number, add_time, update_time) VALUES " +
		"(1, '[]', 1, 9, NOW(), NOW()), (1, '[]', 1, 500, NOW(), NOW()), (2, '[]', 1, 0, NOW(), NOW()), " +
		"(3, '[]', 1, 10, NOW(), NOW())")
	c := w.Super()
	names := func(query string) string {
		var found struct{ List []struct{ Name string } }
		c.GET("%s", "/admin/goods/list?"+query).Data(&found)
		all := ""
		for _, g := range found.List {
			all += g.Name
		}
		return all
	}
	for query, want := range map[string]string{
		"": "dcba", "categoryId=1": "dba", "categoryId=2": "db", "categoryId=9": "", "brandId=7": "ba", "brandId=0": "d",
		"isOnSale=false": "b", "isOnSale=1": "dca", "isNew=true": "ca", "isHot=true": "b", "sort=retail_price": "acbd",
		"sort=retail_price&order=asc": "dbca", "brandId=7&sort=retail_price&order=asc": "ba", "categoryId=1&isNew=true": "a",
		"name=a&brandId=7": "a", "name=a&sort=retail_price": "a", "categoryId=1&brandId=7&isOnSale=true&sort=id": "a",
		"goodsId=1&brandId=8": "", "goodsId=3&brandId=8&sort=retail_price": "c", "categoryId=1&limit=2&page=2": "a",
		"stock=low": "ba", "stock=out": "b", "stock=low&sort=stock&order=asc": "ba", "stock=low&isOnSale=true": "a",
		"sort=stock": "acdb", "sort=stock&limit=1&page=2": "c", "stock=out&sort=retail_price": "b", "name=a&stock=low": "a",
	} {
		require.Equal(t, want, names(query), query)
	}
	insert("SELECT CONCAT('many', ROW_NUMBER() OVER ()), 3, 9, 1, 0, 0, 1, '2029-01-01', NOW() "+
		"FROM information_schema.columns LIMIT ?", 1001)
	require.Equal(t, "dca", names("isOnSale=true&limit=3"))
	require.Equal(t, "c", names("categoryId=3&brandId=8"))
	c.GET("/admin/goods/list?categoryId=3&isOnSale=true").Fails(errno.Invalid).Says(
		"符合条件的记录太多，无法这样组合或排序，请缩小搜索范围")
	c.GET("/admin/goods/list?brandId=9&sort=retail_price").Fails(errno.Invalid)
	require.Equal(t, "ac", names("sort=stock&limit=2"))
	require.Equal(t, "bd", names("sort=stock&order=asc&limit=2"))
	require.Equal(t, "a", names("sort=stock&order=asc&limit=4&page=252"))
	require.Equal(t, "many3many2many1d", names("sort=stock&limit=4&page=251"))
	require.Equal(t, "ba", names("stock=low&sort=stock&order=asc"))
	w.Shop.Exec("UPDATE goods SET deleted = 1 WHERE name = 'a'")
	require.Equal(t, "c", names("sort=stock&limit=2"), "the order is remembered, the goods are read")
}
