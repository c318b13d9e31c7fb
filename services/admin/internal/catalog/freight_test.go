package catalog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/services/admin/internal/apitest"
)

const (
	newFreight = `{"name":"按重量","charge":1,"pieceWeight":500,"rules":[
		{"firstUnits":1000,"firstPrice":8,"furtherUnits":1000,"furtherPrice":"2.50","freeFrom":88},
		{"regions":[650000,540000],"refused":true},
		{"regions":["330106",310000],"firstPrice":5}]}`
	// countrywide is one rule for everywhere.
	countrywide = `"rules":[{"firstPrice":8}]`
)

// Templates are created, changed and deleted with their rules; one that goods name stays.
func TestFreight(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	var values []string
	for _, action := range []string{"list", "create", "read", "update", "delete"} {
		values = append(values, "admin:freight:"+action)
	}
	c := w.Operator("editor", values...)
	c.POST("/admin/freight/create", "%s", newFreight).OK().Golden("freight/create")
	c.POST("/admin/freight/create", `{"name":"other","charge":2,"pieceWeight":7,`+countrywide+`}`).OK().Golden("freight/create_pieces")
	w.Shop.Clock.Move(time.Hour)
	c.POST("/admin/freight/update", `{"id":1,"name":"重量"}`).OK().Golden("freight/update_name")
	w.Shop.Clock.Move(time.Hour)
	c.POST("/admin/freight/update", `{"id":1,"rules":[{"firstPrice":9},{"regions":[110000],"firstPrice":3}]}`).OK().
		Golden("freight/update")
	c.GET("/admin/freight/list").OK().Golden("freight/list")
	c.GET("/admin/freight/list?name=oth").OK().Golden("freight/list_named")
	c.GET("/admin/freight/read?id=1").OK().Golden("freight/update")
	require.NoError(t, goodsBy(t, w, 1))
	c.POST("/admin/freight/delete", `{"id":1}`).Fails(errno.Invalid).Says("还有 1 件商品使用该运费模板")
	w.Shop.Exec("UPDATE goods SET deleted = 1")
	c.POST("/admin/freight/delete", `{"id":1}`).OK().Golden("freight/delete")
	c.POST("/admin/freight/delete", `{"id":1}`).OK()
	c.POST("/admin/freight/update", `{"id":1}`).Fails(errno.UpdateFailed)
	c.GET("/admin/freight/read?id=1").Fails(errno.Invalid)
}

// A template says for every place what delivery costs, for each once.
func TestFreightThatIsRefused(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("editor", "admin:freight:create", "admin:freight:update")
	c.POST("/admin/freight/create", "%s", newFreight).OK()
	for body, why := range map[string]string{
		`{"name":"x","charge":2,"rules":[{"regions":[330000]}]}`:                                   "必须有且只有一条不选地区的计费规则，用于其他地区",
		`{"name":"x","charge":2,"rules":[{},{}]}`:                                                  "必须有且只有一条不选地区的计费规则，用于其他地区",
		`{"name":"x","charge":2,"rules":[{},{"regions":[330106]},{"regions":[330106]}]}`:           "地区「浙江省杭州市西湖区」只能属于一条计费规则",
		`{"name":"x","charge":2,"rules":[{},{"regions":[330106,330106]}]}`:                         "地区「浙江省杭州市西湖区」只能属于一条计费规则",
		`{"name":"x","charge":2,"rules":[{},{"regions":[999999]}]}`:                                "地区不存在或已删除",
		`{"name":"x","charge":1,` + countrywide + `}`:                                              "",
		`{"name":"x","charge":3,` + countrywide + `}`:                                              "",
		`{"name":"x","charge":2,"rules":[{"firstUnits":0}]}`:                                       "",
		`{"name":"x","charge":2,"rules":[{"furtherUnits":1000001}]}`:                               "",
		`{"name":"x","charge":2,"rules":[{"firstPrice":-1}]}`:                                      "",
		`{"name":"x","charge":2,"rules":[{"furtherPrice":10000000}]}`:                              "",
		`{"name":"x","charge":2,"rules":[{"freeFrom":"NaN"}]}`:                                     "",
		`{"name":"` + strings.Repeat("x", 64) + `","charge":2,` + countrywide + `}`:                "",
		`{"name":"x","charge":2,"rules":[{}` + strings.Repeat(`,{"regions":[330000]}`, 100) + `]}`: "",
	} {
		refused := c.POST("/admin/freight/create", "%s", body).Fails(errno.Invalid)
		if why != "" {
			refused.Says(why)
		}
	}
	for _, body := range []string{`{"name":"x","charge":2,"rules":[]}`, `{"name":"x",` + countrywide + `}`, `{"charge":2,` + countrywide + `}`} {
		c.POST("/admin/freight/create", "%s", body).Fails(errno.Missing)
	}
	c.POST("/admin/freight/update", `{"id":1,"charge":2,"rules":[{"regions":[330000]}]}`).Fails(errno.Invalid)
	require.EqualValues(t, 3, w.Shop.Int("SELECT COUNT(*) FROM freight_rule"), "the old rules stay")
	for range 8 { // doubled
		w.Shop.Exec("INSERT INTO freight (name, charge, add_time, update_time) SELECT 'x', 2, NOW(), NOW() FROM freight")
	}
	c.POST("/admin/freight/create", `{"name":"x","charge":2,`+countrywide+`}`).Fails(errno.Invalid).Says("运费模板最多 200 个")
}

// Goods name a template that is there, and keep it while they are edited by those who know nothing of it.
func TestFreightOfGoods(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	f := w.Operator("freight", "admin:freight:create", "admin:freight:delete")
	f.POST("/admin/freight/create", "%s", newFreight).OK()
	goods := func() string { return w.Shop.Text("SELECT CONCAT(weight, ' ', freight_id) FROM goods WHERE id = 1") }
	require.Equal(t, "0 0", goods())
	c.POST(update, `{"goods":{"id":1,"weight":750,"freightId":1}}`).OK()
	require.Equal(t, "750 1", goods())
	list := w.Operator("lister", "admin:goods:list")
	for query, n := range map[string]int{"freightId=1": 1, "freightId=0": 0, "freightId=1&isOnSale=true": 1, "freightId=2": 0} {
		var got struct{ Total int }
		list.GET("/admin/goods/list?" + query).Data(&got)
		require.Equal(t, n, got.Total, query)
	}
	c.POST(update, `{"goods":{"id":1,"brief":"x"}}`).OK()
	require.Equal(t, "750 1", goods())
	f.POST("/admin/freight/delete", `{"id":1}`).Fails(errno.Invalid)
	for _, members := range []string{`"freightId":2`, `"freightId":-1`, `"weight":-1`, `"weight":1000001`} {
		c.POST(update, `{"goods":{"id":1,`+members+`}}`).Fails(errno.Invalid)
		c.POST(create, `{"goods":{"goodsSn":"n","name":"n",`+members+`},"specifications":[{"specification":"a","value":"b"}],
			"products":[{"specifications":["b"],"price":1,"number":1}]}`).Fails(errno.Invalid)
	}
	require.Equal(t, "750 1", goods())
	c.POST(update, `{"goods":{"id":1,"weight":0,"freightId":null}}`).OK()
	require.Equal(t, "0 0", goods())
	f.POST("/admin/freight/delete", `{"id":1}`).OK()
	c.POST(update, `{"goods":{"id":1,"freightId":1}}`).Fails(errno.Invalid)
}

func goodsBy(t testing.TB, w *apitest.Env, freight int64) error {
	t.Helper()
	_, err := w.Shop.Catalog.Create(t.Context(), domaincatalog.NewGoods{
		Goods:    domaincatalog.Goods{Name: "goods", FreightID: freight, OnSale: true},
		Products: []domaincatalog.Product{{Specifications: []string{"a"}, Price: money.Yuan(1), Number: 1}},
	})
	return err
}
