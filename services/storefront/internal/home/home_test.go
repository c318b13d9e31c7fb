package home_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/home"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, home.Ops(home.Deps{})...)) }

// seed fills every part of the home page.
func seed(t *testing.T, s *apitest.Shop) {
	t.Helper()
	ctx, d := t.Context(), s.Domain
	now := d.Clock.Now()
	must := func(id int64, err error) int64 {
		t.Helper()
		require.NoError(t, err)
		return id
	}
	category := func(c catalog.Category) int64 {
		made, err := d.Catalog.CreateCategory(ctx, c)
		return must(made.ID, err)
	}
	first := category(catalog.Category{Name: "居家", IconURL: "http://x/home.png", Level: catalog.FirstLevel})
	category(catalog.Category{Name: "推荐", Level: catalog.FirstLevel, SortOrder: 1})
	tea := category(catalog.Category{Name: "茶", Pid: first, Level: catalog.SecondLevel})
	_, err := d.Catalog.CreateBrand(ctx, catalog.Brand{Name: "窑", Desc: "陶器", PicURL: "http://x/b.png", FloorPrice: 990})
	require.NoError(t, err)
	goods := must(d.Catalog.Create(ctx, catalog.NewGoods{
		Goods: catalog.Goods{
			Name: "茶壶", Brief: "<b>陶</b>", CategoryID: tea, New: true, Hot: true, OnSale: true, CounterPrice: 5000,
			PicURL: "http://x/g.png",
		},
		Products: []catalog.Product{{Specifications: []string{"标准"}, Price: 3650, Number: 5}},
	}))
	off := must(d.Catalog.Create(ctx, catalog.NewGoods{
		Goods:    catalog.Goods{Name: "下架的茶壶", CategoryID: tea, New: true, Hot: true},
		Products: []catalog.Product{{Specifications: []string{"标准"}, Price: 100, Number: 5}},
	}))
	for _, r := range []promotion.GroupRule{
		{GoodsID: goods, GoodsName: "茶壶", Discount: money.Yuan(40)}, // more than the goods cost
		{GoodsID: off, GoodsName: "下架的茶壶", Discount: money.Yuan(1)},
	} {
		r.Members, r.ExpireTime = 2, now.Add(time.Hour)
		must(d.Promotions.CreateGroupRule(ctx, r))
	}
	_, err = d.Content.CreateBanner(ctx, content.Banner{
		Name: "新茶", Link: "/goods/1", URL: "http://x/a.png", Position: content.Home, Enabled: true, EndTime: now.Add(time.Hour),
	})
	require.NoError(t, err)
	_, err = d.Content.CreateTopic(ctx, content.Topic{TopicSummary: content.TopicSummary{
		Title: "喝茶", Subtitle: "慢", Price: 990, ReadCount: "1k", PicURL: "http://x/t.png",
	}})
	require.NoError(t, err)
	must(d.Promotions.Create(ctx, promotion.Coupon{Name: "满减", Discount: 500, Min: 9900, Days: 10, PerShopper: 1}))
	must(d.Promotions.Create(ctx, promotion.Coupon{
		Name: "固定日期", Discount: 100, Min: 0, Start: now, End: now.Add(240 * time.Hour), PerShopper: 1,
	}))
}

func TestContract(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	s.Guest().GET("/wx/home/index").OK().Golden("home_index").Within(16)
	s.Guest().GET("/wx/home/index").OK().Golden("home_index").Within(0)
}

func TestAnEmptyShop(t *testing.T) {
	t.Parallel()
	apitest.Open(t).Guest().GET("/wx/home/index").OK().Golden("home_index_empty")
}

// A coupon that a shopper has received is no longer offered to them, at once, and to nobody else. What belongs to a
// shopper is not in the shared page.
func TestCouponsOfAShopper(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	lin := s.Shopper("lin")
	names := func(c *optest.Client) []string {
		var page struct {
			CouponList []struct{ Name string }
			Banner     []struct{ Name string }
		}
		c.GET("/wx/home/index").Data(&page)
		require.Len(t, page.Banner, 1)
		out := []string{}
		for _, c := range page.CouponList {
			out = append(out, c.Name)
		}
		return out
	}
	require.ElementsMatch(t, []string{"固定日期", "满减"}, names(lin))
	require.NoError(t, s.Domain.Promotions.Receive(t.Context(), s.Domain.Int("SELECT id FROM user"),
		s.Domain.Int("SELECT id FROM coupon WHERE name = '满减'")))
	require.Equal(t, []string{"固定日期"}, names(lin))
	require.ElementsMatch(t, []string{"固定日期", "满减"}, names(s.Guest()))
	lin.GET("/wx/home/index").OK().Within(4) // the login, the coupons, those received: nothing of the page itself
}

func TestAChangeOfGoodsShowsAtOnce(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	s.Guest().GET("/wx/home/index").OK()
	_, err := s.Domain.Catalog.CreateBrand(t.Context(), catalog.Brand{Name: "新窑", SortOrder: 1})
	require.NoError(t, err)
	var page struct{ BrandList []struct{ Name string } }
	s.Guest().GET("/wx/home/index").Data(&page)
	require.Len(t, page.BrandList, 2)
}

// A partial page is never sent, least of all as a success: any part that fails fails the call, and the next call tries
// again.
func TestAPartThatFails(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	for _, table := range []string{"ad", "category", "coupon", "goods", "brand", "topic", "groupon_rules"} {
		t.Run(table, func(t *testing.T) {
			s.Domain.Exec("RENAME TABLE " + table + " TO away")
			_, err := s.Domain.Catalog.CreateBrand(t.Context(), catalog.Brand{Name: "drops the kept page"})
			if table != "brand" {
				require.NoError(t, err)
			}
			s.Domain.Clock.Move(time.Minute) // no part is remembered any more
			a := s.Guest().In(t).GET("/wx/home/index").Fails(errno.Internal)
			require.NotContains(t, string(a.Body), "away")
			s.Domain.Exec("RENAME TABLE away TO " + table)
			s.Guest().In(t).GET("/wx/home/index").OK()
		})
	}
}

// While the database fails, a page that was rendered shortly before is shown.
func TestAnOldPageWhileTheDatabaseFails(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	s.Guest().GET("/wx/home/index").OK()
	s.Domain.Exec("RENAME TABLE goods TO away")
	s.Domain.Clock.Move(20 * time.Second)
	s.Guest().GET("/wx/home/index").OK()
	s.Domain.Clock.Move(20 * time.Second)
	s.Guest().GET("/wx/home/index").Fails(errno.Internal)
	s.Domain.Exec("RENAME TABLE away TO goods")
}

func TestTheShopItself(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET("/wx/index/index").OK().Golden("index")
	s.Guest().GET("/wx/home/about").OK().Golden("about")
	for key, value := range map[string]string{"name": "茶铺", "longitude": "", "qq": "1"} {
		s.Domain.Exec("INSERT INTO system_config (key_name, key_value, add_time, update_time) VALUES (?, ?, '2030-01-01', '2030-01-01')",
			"litemall_mall_"+key, value)
	}
	s.Domain.Clock.Move(time.Second)
	s.Guest().GET("/wx/home/about").OK().Golden("about_changed")
}

// No request can empty the cache, with whatever key.
func TestTheCacheIsNobodysBusiness(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for _, c := range []*optest.Client{s.Guest(), s.Shopper("lin")} {
		c.GET("/wx/home/cache").Fails(errno.NotSupported)
		c.GET("/wx/home/cache?key=litemall").Fails(errno.NotSupported)
		c.POST("/wx/home/cache", `{"key":"litemall"}`).Fails(errno.WrongMethod)
	}
}
