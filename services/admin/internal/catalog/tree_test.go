package catalog_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

func treeEditor(w *apitest.Env) *optest.Client {
	var values []string
	for _, area := range []string{"brand", "category"} {
		for _, action := range []string{"list", "create", "read", "update", "delete"} {
			values = append(values, "admin:"+area+":"+action)
		}
	}
	return w.Operator("editor", values...)
}

// goods creates goods of a category and a brand.
func goods(t testing.TB, w *apitest.Env, category, brand int64) error {
	t.Helper()
	_, err := w.Shop.Catalog.Create(t.Context(), domaincatalog.NewGoods{
		Goods:    domaincatalog.Goods{Name: "goods", CategoryID: category, BrandID: brand, OnSale: true},
		Products: []domaincatalog.Product{{Specifications: []string{"a"}, Price: money.Yuan(1), Number: 1}},
	})
	return err
}

func TestBrands(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := treeEditor(w)
	c.POST("/admin/brand/create", `{"name":"窑 100%","desc":"陶器","floorPrice":"9.90"}`).OK().Golden("brand/create")
	c.POST("/admin/brand/create", `{"name":"other","desc":"x","floorPrice":0,"sortOrder":3,"picUrl":"https://shop.test/b.png"}`).OK()
	w.Shop.Clock.Move(time.Hour)
	c.POST("/admin/brand/update", `{"id":1,"desc":"好陶器","deleted":true,"addTime":"2001-01-01 00:00:00"}`).OK().
		Golden("brand/update")
	c.GET("/admin/brand/list").OK().Golden("brand/list")
	c.GET("/admin/brand/list?name=%25").OK().Golden("brand/list_named")
	c.GET("/admin/brand/list?id=2&name=").OK().Golden("brand/list_id")
	c.GET("/admin/brand/read?id=1").OK().Golden("brand/update")
	require.NoError(t, goods(t, w, 0, 1))
	c.POST("/admin/brand/delete", `{"id":1}`).Fails(errno.Invalid).Says("品牌下还有 1 件商品")
	w.Shop.Exec("UPDATE goods SET deleted = 1")
	c.POST("/admin/brand/delete", `{"id":1}`).OK().Golden("brand/delete")
	c.POST("/admin/brand/delete", `{"id":1}`).OK()
	c.POST("/admin/brand/update", `{"id":1}`).Fails(errno.UpdateFailed)
	c.GET("/admin/brand/read?id=1").Fails(errno.Invalid)
	for _, body := range []string{`{"desc":"x","floorPrice":1}`, `{"name":" ","desc":"x","floorPrice":1}`, `{"name":"x","desc":"x"}`} {
		c.POST("/admin/brand/create", body).Fails(errno.Missing)
	}
	for _, body := range []string{`{"name":"x","desc":"x","floorPrice":-1}`, `{"name":"x","desc":"x","floorPrice":1e12}`} {
		c.POST("/admin/brand/create", body).Fails(errno.Invalid)
	}
}

// A category of the second level has a parent of the first, and none is orphaned.
func TestCategories(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := treeEditor(w)
	const create, update, remove = "/admin/category/create", "/admin/category/update", "/admin/category/delete"
	c.POST(create, `{"name":"居家","level":"L1","pid":77,"children":[],"iconUrl":"https://shop.test/i.png"}`).OK().
		Golden("category/create_first")
	c.POST(create, `{"name":"茶","level":"L2","pid":"1","keywords":"tea"}`).OK().Golden("category/create_second")
	c.POST(create, `{"name":"食品","level":"L1","sortOrder":1}`).OK()
	w.Shop.Clock.Move(time.Hour)
	c.POST(update, `{"id":2,"desc":"好茶"}`).OK().Golden("category/update")
	c.GET("/admin/category/list").OK().Golden("category/list")
	c.GET("/admin/category/list?page=2&limit=1").OK().Golden("category/list_page")
	c.GET("/admin/category/l1").OK().Golden("category/l1")
	c.GET("/admin/category/read?id=2").OK().Golden("category/update")

	c.POST(create, `{"name":"x","level":"L2"}`).Fails(errno.Missing)
	c.POST(create, `{"name":"x","level":"L2","pid":2}`).Fails(errno.Invalid)
	c.POST(create, `{"name":"x","level":"L2","pid":99}`).Fails(errno.Invalid)
	c.POST(create, `{"name":"x","level":"L3"}`).Fails(errno.Invalid)
	c.POST(create, `{"name":"x"}`).Fails(errno.Missing)
	c.POST(update, `{"id":1,"level":"L2","pid":3}`).Fails(errno.Invalid)
	c.POST(update, `{"id":3,"level":"L2","pid":3}`).Fails(errno.Invalid)
	c.POST(update, `{"id":3,"level":"L2"}`).Fails(errno.Missing)
	c.POST(update, `{"id":99}`).Fails(errno.UpdateFailed)

	c.POST(remove, `{"id":1}`).Fails(errno.Invalid).Says("分类下还有 1 个子分类")
	require.NoError(t, goods(t, w, 2, 0))
	c.POST(remove, `{"id":2}`).Fails(errno.Invalid)
	w.Shop.Exec("UPDATE goods SET deleted = 1")
	c.POST(remove, `{"id":2}`).OK().Golden("category/delete")
	c.POST(remove, `{"id":1}`).OK()
	c.GET("/admin/category/read?id=1").Fails(errno.Invalid)
}

// TestADeletedParentHasNoChildren lets one editor delete a category while others add children.
func TestADeletedParentHasNoChildren(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := treeEditor(w)
	for range 5 {
		var top struct{ ID int64 }
		c.POST("/admin/category/create", `{"name":"top","level":"L1"}`).OK().Data(&top)
		var wg sync.WaitGroup
		wg.Go(func() { c.POST("/admin/category/delete", `{"id":%d}`, top.ID) })
		for range 3 {
			wg.Go(func() { c.POST("/admin/category/create", `{"name":"child","level":"L2","pid":%d}`, top.ID) })
		}
		wg.Wait()
	}
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM category c JOIN category p ON p.id = c.pid "+
		"WHERE c.deleted = 0 AND p.deleted = 1"))
}
