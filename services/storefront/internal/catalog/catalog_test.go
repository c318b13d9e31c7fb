package catalog_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/catalog"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, catalog.Ops(catalog.Deps{})...)) }

func must(t *testing.T) func(int64, error) int64 {
	return func(id int64, err error) int64 {
		t.Helper()
		require.NoError(t, err)
		return id
	}
}

// seed creates the categories 1 (with the children 3 and 4) and 2, the brand 1, and the goods 1 to 4, each a second
// newer than the last: a complete teapot, a cup, tea that is not on sale, and goods with special characters.
func seed(t *testing.T, s *apitest.Shop) {
	t.Helper()
	ctx, d, must := t.Context(), s.Domain, must(t)
	category := func(name string, pid int64, order int) int64 {
		level := domaincatalog.FirstLevel
		if pid != 0 {
			level = domaincatalog.SecondLevel
		}
		made, err := d.Catalog.CreateCategory(ctx, domaincatalog.Category{
			Name: name, Pid: pid, Level: level, SortOrder: order, Desc: name + "!", IconURL: "http://x/i.png",
		})
		return must(made.ID, err)
	}
	first := category("居家", 0, 1)
	category("食品", 0, 2)
	tea, cups := category("茶", first, 2), category("杯", first, 1)
	kiln, err := d.Catalog.CreateBrand(ctx, domaincatalog.Brand{Name: "窑", Desc: "陶器", FloorPrice: 990, SortOrder: 3})
	brand := must(kiln.ID, err)
	goods := func(n domaincatalog.NewGoods) {
		d.Clock.Move(time.Second)
		if n.Products == nil {
			n.Products = []domaincatalog.Product{{Specifications: []string{"标准"}, Price: 1200, Number: 3}}
		}
		must(d.Catalog.Create(ctx, n))
	}
	goods(domaincatalog.NewGoods{
		Goods: domaincatalog.Goods{
			SN: "1001", Name: "茶壶", CategoryID: tea, BrandID: brand, Gallery: []string{"http://x/1.png", "http://x/2.png"},
			Keywords: "tea,Pot", Brief: "陶", OnSale: true, SortOrder: 7, PicURL: "http://x/g.png", ShareURL: "http://x/s.png",
			New: true, Hot: true, Unit: "只", CounterPrice: 5000, Detail: "<p>好</p>",
		},
		Attributes: []domaincatalog.Attribute{{Name: "材质", Value: "陶"}, {Name: "产地", Value: "宜兴"}},
		Specifications: []domaincatalog.Specification{
			{Group: "颜色", Value: "红", PicURL: "http://x/r.png"}, {Group: "大小", Value: "大"}, {Group: "颜色", Value: "黑"},
		},
		Products: []domaincatalog.Product{
			{Specifications: []string{"红", "大"}, Price: 3650, Number: 5, URL: "http://x/p.png"},
			{Specifications: []string{"黑", "大"}, Price: 3990, Number: 0},
		},
	})
	goods(domaincatalog.NewGoods{Goods: domaincatalog.Goods{Name: "茶杯", CategoryID: cups, OnSale: true, Unit: "只"}})
	goods(domaincatalog.NewGoods{Goods: domaincatalog.Goods{Name: "下架的茶", CategoryID: tea, New: true, Unit: "包"}})
	goods(domaincatalog.NewGoods{Goods: domaincatalog.Goods{Name: `100% a_b\c`, CategoryID: tea, OnSale: true, Keywords: "Tea", Unit: "件"}})
}

// discuss adds what other areas show on the page of the goods 1.
func discuss(t *testing.T, s *apitest.Shop) {
	t.Helper()
	ctx, d, must := t.Context(), s.Domain, must(t)
	author := d.Shopper("wang")
	for i, c := range []review.Comment{
		{ValueID: 1, UserID: author, Star: 5, Content: "first"},
		{ValueID: 1, UserID: 999, Star: 1, Content: "by nobody", Reply: "sorry"},
		{ValueID: 1, UserID: author, Star: 4, Content: "newest", Pictures: []string{"http://x/c.png"}},
	} {
		d.Clock.Move(time.Duration(i) * time.Second)
		must(d.Reviews.Create(ctx, c))
	}
	for i := range 5 {
		_, err := d.Content.CreateQuestion(ctx, content.Question{Question: fmt.Sprint("question ", i+1), Answer: "yes"})
		require.NoError(t, err)
	}
	must(d.Promotions.CreateGroupRule(ctx, promotion.GroupRule{
		GoodsID: 1, GoodsName: "茶壶", PicURL: "http://x/g.png", Discount: money.Yuan(5), Members: 3,
		ExpireTime: d.Clock.Now().Add(time.Hour),
	}))
}

func TestContract(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	discuss(t, s)
	guest := s.Guest()
	tests := []struct {
		path, golden string
		statements   int
	}{
		{"/wx/goods/list", "goods_list", 3},
		{"/wx/goods/list?keyword=TEA&sort=RETAIL_PRICE&order=asc&limit=1", "goods_list_keyword", 5},
		{"/wx/goods/list?keyword=TEA&sort=relevance", "goods_list_relevance", 6},
		{"/wx/goods/list?minPrice=12&maxPrice=12.50&sort=retail_price&limit=1", "goods_list_price", 3},
		{"/wx/search/goods?keyword=TEA", "search_goods", 6},
		{"/wx/goods/detail?id=1", "goods_detail", 12},
		{"/wx/goods/detail?id=1", "goods_detail", 0},
		{"/wx/goods/detail?id=3", "goods_detail_off", 12},
		{"/wx/goods/related?id=1", "goods_related", 3},
		{"/wx/goods/category?id=1", "goods_category", 2},
		{"/wx/goods/category?id=4", "goods_category", 3},
		{"/wx/brand/list", "brand_list", 2},
		{"/wx/brand/detail?id=1", "brand_detail", 1},
		{"/wx/catalog/index", "catalog_index", 2},
		{"/wx/catalog/index?id=2", "catalog_index_second", 3},
		{"/wx/catalog/current?id=1", "catalog_current", 2},
		{"/wx/catalog/all", "catalog_all", 2},
		{"/wx/catalog/getfirstcategory", "catalog_getfirstcategory", 1},
		{"/wx/catalog/getsecondcategory?id=1", "catalog_getsecondcategory", 1},
		{"/wx/search/result", "goods_list", 3},
		{"/wx/search/result?keyword=TEA&sort=RETAIL_PRICE&order=asc&limit=1", "goods_list_keyword", 5},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			guest.In(t).GET(tt.path).OK().Golden(tt.golden).Within(tt.statements)
		})
	}
	guest.GET("/wx/goods/count").Is("3").Within(1)
	guest.GET("/wx/catalog/getsecondcategory?id=2").Is("[]").Within(1)
	guest.GET("/wx/catalog/getsecondcategory?id=99").Is("[]").Within(1)
	guest.GET("/wx/goods/detail?id=99").Fails(errno.GoodsUnknown).Within(7) // in one round trip
	guest.GET("/wx/goods/related?id=99").Fails(errno.GoodsUnknown).Within(1)
}

func TestAnEmptyShop(t *testing.T) {
	t.Parallel()
	guest := apitest.Open(t).Guest()
	for path, golden := range map[string]string{
		"/wx/goods/list": "empty_goods_list", "/wx/catalog/index": "empty_catalog_index", "/wx/catalog/all": "empty_catalog_all",
	} {
		guest.GET(path).OK().Golden(golden)
	}
	guest.GET("/wx/brand/list").Empty()
	guest.GET("/wx/goods/count").Is("0")
	guest.GET("/wx/catalog/getfirstcategory").Is("[]")
}

// An unknown category is an invalid value.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	tests := map[string]*errno.Code{
		"/wx/goods/list?limit=-1":                     errno.Invalid,
		"/wx/goods/list?limit=ten":                    errno.Invalid,
		"/wx/goods/list?page=0":                       errno.Invalid,
		"/wx/goods/list?sort=password":                errno.Invalid,
		"/wx/goods/list?sort=add_time;drop table x":   errno.Invalid,
		"/wx/goods/list?order=sideways":               errno.Invalid,
		"/wx/goods/list?categoryId=tea":               errno.Invalid,
		"/wx/goods/list?brandId=1.5":                  errno.Invalid,
		"/wx/goods/list?isNew=maybe":                  errno.Invalid,
		"/wx/goods/list?minPrice=-0.01":               errno.Invalid,
		"/wx/goods/list?maxPrice=-1":                  errno.Invalid,
		"/wx/goods/list?minPrice=cheap":               errno.Invalid,
		"/wx/goods/list?maxPrice=1e3":                 errno.Invalid,
		"/wx/goods/list?maxPrice=1.005":               errno.Invalid,
		"/wx/goods/list?maxPrice=10000000":            errno.Invalid,
		"/wx/goods/list?minPrice=20.01&maxPrice=20":   errno.Invalid,
		"/wx/search/result?minPrice=2&maxPrice=1":     errno.Invalid,
		"/wx/goods/list?maxPrice=9999999.99":          errno.OK,
		"/wx/goods/list?minPrice=&maxPrice=":          errno.OK,
		"/wx/goods/detail":                            errno.Missing,
		"/wx/goods/detail?id=":                        errno.Missing,
		"/wx/goods/detail?id=tea":                     errno.Invalid,
		"/wx/goods/detail?id=99999999999999999999":    errno.Invalid,
		"/wx/goods/detail?id=-1":                      errno.GoodsUnknown,
		"/wx/goods/detail?id=0":                       errno.GoodsUnknown,
		"/wx/goods/related":                           errno.Missing,
		"/wx/search/goods":                            errno.Missing,
		"/wx/search/goods?keyword=%20":                errno.Missing,
		"/wx/goods/related?id=1&sort=name":            errno.Invalid,
		"/wx/goods/related?id=1&limit=-1":             errno.Invalid,
		"/wx/goods/category":                          errno.Missing,
		"/wx/goods/category?id=99":                    errno.Invalid,
		"/wx/goods/category?id=x":                     errno.Invalid,
		"/wx/brand/list?sort=name":                    errno.Invalid,
		"/wx/brand/detail":                            errno.Missing,
		"/wx/brand/detail?id=99":                      errno.Invalid,
		"/wx/catalog/index?id=99":                     errno.Invalid,
		"/wx/catalog/index?id=x":                      errno.Invalid,
		"/wx/catalog/current":                         errno.Missing,
		"/wx/catalog/current?id=99":                   errno.Invalid,
		"/wx/goods/list?page=2000000000&limit=1000":   errno.OK,
		"/wx/goods/list?limit=5000":                   errno.OK,
		"/wx/goods/list?categoryId=undefined":         errno.OK,
		"/wx/goods/list?isNew=&isHot=&keyword=&page=": errno.OK,
	}
	for path, want := range tests {
		t.Run(path, func(t *testing.T) {
			base, query, _ := strings.Cut(path, "?")
			v, err := url.ParseQuery(strings.ReplaceAll(query, ";", "%3B"))
			require.NoError(t, err)
			s.Guest().In(t).GET(base + "?" + v.Encode()).Fails(want)
		})
	}
}

// list requests goods and returns their ids and the envelope of the list.
func list(c *optest.Client, query string) (ids []int64, total, limit, pages int64) {
	var page struct {
		List                []struct{ ID int64 }
		Total, Limit, Pages int64
	}
	c.GET("/wx/goods/list?" + query).Data(&page)
	ids = []int64{}
	for _, g := range page.List {
		ids = append(ids, g.ID)
	}
	return ids, page.Total, page.Limit, page.Pages
}

// %, _ and quotes are ordinary characters.
func TestListFilters(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	tests := map[string][]int64{
		"":                                      {4, 2, 1},
		"sort=id&order=asc":                     {1, 2, 4},
		"sort=name&order=asc":                   {4, 1, 2},
		"sort=retail_price":                     {1, 4, 2},
		"categoryId=3":                          {4, 1},
		"categoryId=1":                          {4, 2, 1},
		"categoryId=0&brandId=1":                {1},
		"isNew=true":                            {1},
		"isNew=1":                               {1},
		"isNew=false":                           {4, 2},
		"isHot=false&isNew=true":                {},
		"minPrice=36.5":                         {1},
		"maxPrice=12.00":                        {4, 2},
		"minPrice=12.01&maxPrice=36.49":         {},
		"minPrice=12&maxPrice=12&categoryId=3":  {4},
		"maxPrice=12&sort=retail_price":         {4, 2},
		"maxPrice=36.5&limit=2&page=2":          {1},
		"maxPrice=20&keyword=tea":               {4},
		"keyword=tea":                           {4, 1},
		"keyword=" + url.QueryEscape("茶"):       {2, 1},
		"keyword=" + url.QueryEscape(" 茶壶 "):    {1},
		"keyword=%25":                           {4},
		"keyword=_":                             {4},
		"keyword=%5C":                           {4},
		"keyword=" + url.QueryEscape("1%c"):     {},
		"keyword=%27+or+1%3D1+--+":              {},
		"page=2&limit=2":                        {1},
		"page=3&limit=2":                        {},
		"page=2&limit=2&keyword=tea&order=desc": {},
	}
	for query, want := range tests {
		t.Run(query, func(t *testing.T) {
			ids, _, _, _ := list(s.Guest().In(t), query)
			require.Equal(t, want, ids)
		})
	}
	_, total, limit, pages := list(s.Guest(), "limit=0&page=9")
	require.Equal(t, []int64{3, 1000, 1}, []int64{total, limit, pages})
}

// A keyword is one row, however often it is searched.
func TestSearchHistory(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	lin := s.Shopper("lin")
	for _, query := range []string{"keyword=tea", "keyword=tea", "keyword=tea&page=2", "keyword=+", "page=1"} {
		list(lin, query)
	}
	list(s.Guest(), "keyword=guest")
	require.Equal(t, "tea 2", s.Domain.Text("SELECT GROUP_CONCAT(keyword, ' ', times) FROM search_history"))
	s.Domain.Exec("RENAME TABLE search_history TO away")
	ids, _, _, _ := list(lin, "keyword=tea")
	s.Domain.Exec("RENAME TABLE away TO search_history")
	require.Equal(t, []int64{4, 1}, ids, "what cannot be remembered is found all the same")
}

func collected(c *optest.Client) int {
	var page struct{ UserHasCollect int }
	c.GET("/wx/goods/detail?id=1").Data(&page)
	return page.UserHasCollect
}

// Unknown goods leave no footprint.
func TestDetailOfAShopper(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	lin := s.Shopper("lin")
	require.Zero(t, collected(lin))
	now := s.Domain.Clock.Now()
	s.Domain.Exec("INSERT INTO collect (user_id, value_id, type, add_time, update_time) SELECT id, 1, 0, ?, ? FROM user", now, now)
	s.Domain.Clock.Move(time.Second) // as another replica wrote it
	require.Equal(t, 1, collected(lin))
	require.Zero(t, collected(s.Guest()))
	require.EqualValues(t, 2, s.Domain.Int("SELECT view_count FROM footprint WHERE goods_id = 1"))
	lin.GET("/wx/goods/detail?id=99").Fails(errno.GoodsUnknown)
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM footprint"))
	lin.GET("/wx/goods/detail?id=1").OK().Within(3) // the login, the footprint, the favourite: nothing of the page itself

	s.Domain.Exec("RENAME TABLE footprint TO away")
	require.Equal(t, 1, collected(lin), "a footprint that cannot be recorded withholds nothing")
	s.Domain.Exec("RENAME TABLE away TO footprint")
	s.Domain.Exec("RENAME TABLE collect TO away")
	s.Domain.Clock.Move(time.Second)
	lin.GET("/wx/goods/detail?id=1").Fails(errno.Internal)
	s.Domain.Exec("RENAME TABLE away TO collect")
}

// A change by this process shows at once; one by another replica, within a second.
func TestDetailIsNeverOlderThanASecond(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	stock := func() int {
		var page struct{ ProductList []struct{ Number int } }
		s.Guest().GET("/wx/goods/detail?id=1").Data(&page)
		return page.ProductList[0].Number
	}
	require.Equal(t, 5, stock())
	s.Domain.Exec("UPDATE goods_product SET number = 4 WHERE id = 1") // as another replica would
	s.Domain.Clock.Move(time.Second)
	require.Equal(t, 4, stock())

	var page struct{ Comment struct{ Count int } }
	must(t)(s.Domain.Reviews.Create(t.Context(), review.Comment{ValueID: 1, UserID: 1, Star: 5}))
	s.Guest().GET("/wx/goods/detail?id=1").Data(&page)
	require.Equal(t, 1, page.Comment.Count)
}

// A partial page is never sent, least of all as a success.
func TestDetailWithAPartThatFails(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	discuss(t, s)
	for _, table := range []string{
		"goods", "goods_content", "goods_specification", "goods_product", "goods_attribute", "brand", "issue", "comment", "user",
		"groupon_rules",
	} {
		s.Domain.Exec("RENAME TABLE " + table + " TO away")
		s.Domain.Catalog.Changed(1)
		s.Domain.Clock.Move(time.Second)
		s.Guest().GET("/wx/goods/detail?id=1").Fails(errno.Internal)
		s.Domain.Exec("RENAME TABLE away TO " + table)
		s.Guest().GET("/wx/goods/detail?id=1").OK()
	}
}

// The budget of a list does not grow with its rows.
func TestListStatements(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	made := 0
	for _, rows := range []int{10, 300} {
		for ; made < rows; made++ {
			s.Domain.Exec("INSERT INTO goods (name, category_id, add_time, update_time) VALUES (?, 3, ?, ?)",
				fmt.Sprint("bulk ", made), s.Domain.Clock.Now(), s.Domain.Clock.Now())
		}
		s.Domain.Clock.Move(time.Second) // past the age of a cached answer
		a := s.Guest().GET("/wx/goods/list?limit=1000").OK().Within(3)
		var envelope struct{ Data struct{ List []any } }
		require.NoError(t, json.Unmarshal(a.Body, &envelope))
		require.Len(t, envelope.Data.List, rows+3)
		s.Guest().GET("/wx/goods/related?id=1&limit=1000").OK()
	}
}
