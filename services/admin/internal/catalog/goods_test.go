package catalog_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	choices = "/admin/goods/catAndBrand"
	detail  = "/admin/goods/detail"
	create  = "/admin/goods/create"
	update  = "/admin/goods/update"
	remove  = "/admin/goods/delete"
)

// editor has all permissions on goods.
func editor(w *apitest.Env) *optest.Client {
	return w.Operator("editor", "admin:goods:list", "admin:goods:read", "admin:goods:create", "admin:goods:update",
		"admin:goods:delete", "admin:goods:export")
}

// fixture is a shop with categories (1 kitchen, 2 pots below it, 3 books, 4 deleted), brands (1 Maker, 2 deleted), and
// no goods.
func fixture(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	for _, c := range []struct {
		name    string
		pid     int
		level   string
		deleted bool
	}{{"厨房", 0, "L1", false}, {"锅具", 1, "L2", false}, {"图书", 0, "L1", false}, {"旧类目", 0, "L1", true}} {
		w.Shop.Exec("INSERT INTO category (pid, name, level, deleted, add_time, update_time) VALUES (?, ?, ?, ?, NOW(), "+
			"NOW())", c.pid, c.name, c.level, c.deleted)
	}
	w.Shop.Exec("INSERT INTO brand (name, deleted, add_time, update_time) VALUES ('Maker', 0, NOW(), NOW()), " +
		"('Gone', 1, NOW(), NOW())")
	return w
}

// pot is a complete body of /admin/goods/create.
const pot = `{
	"goods": {
		"id": 77, "goodsSn": "P-1", "name": "铸铁锅", "categoryId": 2, "brandId": "1", "gallery": ["http://x/1.png", "http://x/2.png"],
		"keywords": "锅,铸铁", "brief": "煮什么都行", "isOnSale": true, "sortOrder": 7, "picUrl": "http://x/pot.png",
		"shareUrl": "http://evil/x.png", "isNew": 1, "isHot": false, "unit": "口", "counterPrice": "299",
		"retailPrice": 1, "detail": "<p onclick=\"x()\">重</p><script>alert(1)</script>", "deleted": true,
		"addTime": "2001-01-01 00:00:00"
	},
	"specifications": [
		{"id": 0, "goodsId": 9, "specification": "尺寸", "value": "20cm", "picUrl": "http://x/20.png"},
		{"specification": "颜色", "value": "黑"},
		{"specification": "尺寸", "value": "24cm", "picUrl": null},
		{"specification": "颜色", "value": "红"}
	],
	"products": [
		{"id": 0, "specifications": ["20cm", "黑"], "price": 199.5, "number": "10", "url": "http://x/20b.png"},
		{"id": 1, "specifications": ["24cm", "黑"], "price": "239.00", "number": 5},
		{"id": 2, "specifications": ["24cm", "红"], "price": 259, "number": 0}
	],
	"attributes": [
		{"attribute": "材质", "value": "铸铁"}, {"attribute": "产地", "value": "唐山"},
		{"attribute": "", "value": "", "deleted": true}
	]
}`

// withPot is a filled shop with the pot as goods 1.
func withPot(t *testing.T) (*apitest.Env, *optest.Client) {
	t.Helper()
	w := fixture(t)
	c := editor(w)
	c.POST(create, "%s", pot).OK()
	w.Shop.Clock.Move(time.Minute)
	return w, c
}

func TestChoices(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	w.Operator("nobody").GET(choices).OK().Golden("choices")
}

// The retail price is the lowest stored price, never one of the body.
// An attribute that was added and removed again is skipped.
func TestCreate(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	c.POST(create, "%s", pot).OK().Golden("create")
	c.GET(detail + "?id=1").OK().Golden("detail")
	require.Equal(t, "open:1 8 10,open:2 8 5,open:3 8 0", w.Shop.Text("SELECT GROUP_CONCAT(CONCAT_WS(' ', ref_key, reason, "+
		"delta) ORDER BY id) FROM stock_log"))
	w.Shop.Agree()

	// Goods need few members, and are not found by another name's terms.
	c.POST(create, `{"goods":{"goodsSn":"P-2","name":"碗"},"specifications":[{"specification":"规格","value":"标准"}],
		"products":[{"specifications":["标准"],"price":0,"number":0}]}`).OK()
	c.GET(detail + "?id=2").OK().Golden("detail_of_little")
	c.GET(detail + "?id=3").Fails(errno.Invalid)
	c.GET(detail).Fails(errno.Missing)
	c.POST(create, "%s", pot).Fails(errno.GoodsNameExists)
	for query, want := range map[string]string{"name=铸铁": "[1]", "name=碗": "[2]", "name=锅碗": "[]"} {
		var got struct{ List []struct{ ID int64 } }
		c.GET(list + "?" + query).Data(&got)
		ids := []string{}
		for _, g := range got.List {
			ids = append(ids, fmt.Sprint(g.ID))
		}
		require.Equal(t, want, "["+strings.Join(ids, " ")+"]", query)
	}
}

// Many children need no more statements than few.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	many := func(n int, part func(i int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = part(i)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	body := func(name string, n int) string {
		return fmt.Sprintf(`{"goods":{"goodsSn":"x","name":%q,"categoryId":2,"brandId":1},"specifications":%s,"products":%s,"attributes":%s}`,
			name,
			many(n, func(i int) string { return fmt.Sprintf(`{"specification":"s","value":"v%d"}`, i) }),
			many(n, func(i int) string { return fmt.Sprintf(`{"specifications":["v%d"],"price":%d,"number":%d}`, i, i+1, i) }),
			many(n, func(i int) string { return fmt.Sprintf(`{"attribute":"a%d","value":"b"}`, i) }))
	}
	c.GET(list).OK() // the permissions are loaded by now
	few := c.POST(create, "%s", body("few", 1)).OK().Statements
	require.Equal(t, few, c.POST(create, "%s", body("many", 400)).OK().Statements)
	edit := func(goods, n int, first int) int {
		return c.POST(update, `{"goods":{"id":%d,"name":"g%d","detail":"d"},"specifications":%s,"products":%s,"attributes":%s}`,
			goods, goods,
			many(n, func(i int) string {
				return fmt.Sprintf(`{"id":%d,"specification":"s","value":"v%d","picUrl":"x"}`, first+i, i)
			}),
			many(n, func(i int) string {
				return fmt.Sprintf(`{"id":%d,"specifications":["v%d"],"price":5,"number":%d,"stockBase":%d}`, first+i, i, i+3, i)
			}),
			many(n, func(i int) string {
				return fmt.Sprintf(`{"id":%d,"attribute":"c%d","value":"d"},{"attribute":"n","value":"m"}`, first+i, i)
			})).OK().Statements
	}
	few = edit(1, 1, 1)
	require.Less(t, few, 26)
	require.Equal(t, few, edit(2, 400, 2))
	w.Shop.Agree()
}

// Missing is 401, a negative price 402, and nothing crashes. Deleted categories and brands are unknown.
func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	specs, products := `[{"specification":"s","value":"a"},{"specification":"t","value":"b"}]`,
		`[{"specifications":["a","b"],"price":1,"number":1}]`
	body := func(goods, specs, products string) string {
		return fmt.Sprintf(`{"goods":{"goodsSn":"1","name":"n"%s},"specifications":%s,"products":%s}`, goods, specs, products)
	}
	long := func(n int) string { return strings.Repeat("长", n) }
	tests := map[string]struct {
		body string
		want *errno.Code
	}{
		"nothing":                     {``, errno.Missing},
		"no goods":                    {`{"specifications":[],"products":[]}`, errno.Missing},
		"no name":                     {`{"goods":{"goodsSn":"1"},"specifications":` + specs + `,"products":` + products + `}`, errno.Missing},
		"blank number":                {`{"goods":{"goodsSn":" ","name":"n"},"specifications":` + specs + `,"products":` + products + `}`, errno.Missing},
		"no specifications":           {body("", "[]", products), errno.Missing},
		"specifications of null":      {body("", "null", products), errno.Missing},
		"no products":                 {body("", specs, "[]"), errno.Missing},
		"a specification without":     {body("", `[{"specification":"s"}]`, products), errno.Missing},
		"a product without a price":   {body("", specs, `[{"specifications":["a","b"],"number":1}]`), errno.Missing},
		"a product without a number":  {body("", specs, `[{"specifications":["a","b"],"price":1,"number":null}]`), errno.Missing},
		"a product of nothing":        {body("", specs, `[{"specifications":[],"price":1,"number":1}]`), errno.Missing},
		"an attribute without":        {body(`},"attributes":[{"attribute":"x","deleted":false}],"x":{"y":1`, specs, products), errno.Missing},
		"missing before malformed":    {body(`,"counterPrice":-1`, specs, `[{"specifications":["a","b"],"number":-1}]`), errno.Missing},
		"a price below nothing":       {body("", specs, `[{"specifications":["a","b"],"price":-0.01,"number":1}]`), errno.Invalid},
		"a price of three digits":     {body("", specs, `[{"specifications":["a","b"],"price":0.001,"number":1}]`), errno.Invalid},
		"a stock below nothing":       {body("", specs, `[{"specifications":["a","b"],"price":1,"number":-1}]`), errno.Invalid},
		"a counter price below":       {body(`,"counterPrice":-1`, specs, products), errno.Invalid},
		"a long name":                 {body(`,"name":"`+long(128)+`"`, specs, products), errno.Invalid},
		"a long unit":                 {body(`,"unit":"`+long(32)+`"`, specs, products), errno.Invalid},
		"21 pictures":                 {body(`,"gallery":["`+strings.Repeat(`x","`, 20)+`x"]`, specs, products), errno.Invalid},
		"a long picture":              {body(`,"gallery":["`+long(256)+`"]`, specs, products), errno.Invalid},
		"a gallery of numbers":        {body(`,"gallery":{}`, specs, products), errno.Invalid},
		"more than a MiB of HTML":     {body(`,"detail":"`+strings.Repeat("x", 1<<20+1)+`"`, specs, products), errno.Invalid},
		"an unknown category":         {body(`,"categoryId":99`, specs, products), errno.Invalid},
		"a deleted category":          {body(`,"categoryId":4`, specs, products), errno.Invalid},
		"above other categories":      {body(`,"categoryId":1`, specs, products), errno.Invalid},
		"an unknown brand":            {body(`,"brandId":99`, specs, products), errno.Invalid},
		"a deleted brand":             {body(`,"brandId":2`, specs, products), errno.Invalid},
		"a value twice":               {body("", `[{"specification":"s","value":"a"},{"specification":"s","value":"a"}]`, products), errno.Invalid},
		"too few values":              {body("", specs, `[{"specifications":["a"],"price":1,"number":1}]`), errno.Invalid},
		"too many values":             {body("", specs, `[{"specifications":["a","b","b"],"price":1,"number":1}]`), errno.Invalid},
		"values in another order":     {body("", specs, `[{"specifications":["b","a"],"price":1,"number":1}]`), errno.Invalid},
		"a value of no specification": {body("", specs, `[{"specifications":["a","c"],"price":1,"number":1}]`), errno.Invalid},
		"two products alike": {body("", specs, `[{"specifications":["a","b"],"price":1,"number":1},
			{"specifications":["a","b"],"price":2,"number":2}]`), errno.Invalid},
		"products that are no objects": {body("", specs, `[1]`), errno.Invalid},
		"specifications in an object":  {body("", `{"0":{}}`, products), errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { c.In(t).POST(create, "%s", tt.body).Fails(tt.want) })
	}
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM goods"))
	c.POST(create, "%s", body(`,"name":"`+long(127)+`","categoryId":"","brandId":null`, specs, products)).OK()
}

// keyed is a client that repeats its requests.
func TestCreateTwiceWithOneKey(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w).With("Idempotency-Key", "k1")
	first := c.POST(create, "%s", pot).OK()
	require.Equal(t, string(first.Body), string(c.POST(create, "%s", pot).OK().Body))
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM goods"))
	c.POST(create, `{"goods":{}}`).Fails(errno.Missing)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	c.POST(remove, `{}`).Fails(errno.Missing)
	c.POST(remove, `{"id":"x"}`).Fails(errno.Invalid)
	c.POST(remove, `{"id":99}`).OK()
	c.POST(remove, `{"id":1,"name":"x"}`).OK().Golden("delete").Within(16)
	c.POST(remove, `{"id":1}`).OK()
	c.GET(detail + "?id=1").Fails(errno.Invalid)
	for _, table := range []string{"goods", "goods_attribute", "goods_specification", "goods_product"} {
		require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM "+table+" WHERE deleted = 0"), table)
	}
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM goods_term"))
	c.POST(create, "%s", pot).OK() // the name is free
	w.Shop.Agree()
}

// The group-buy rule on the goods ends with them, its groups are settled, and carts show the goods as deleted.
func TestDeleteEndsTheRule(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	s := w.Shop
	rule, err := s.Promotions.CreateGroupRule(t.Context(), promotion.GroupRule{
		GoodsID: 1, GoodsName: "铸铁锅", Discount: money.Yuan(20), Members: 3, ExpireTime: s.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	c.POST(remove, `{"id":1}`).OK().Within(12)
	require.Equal(t, "2", s.Text("SELECT status FROM groupon_rules WHERE id = ?", rule))
	s.Agree()
}

// Goods stay where they are below categories that got children, and can be edited there, but no goods are moved there.
func TestGoodsAboveOtherCategories(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	body := func(name string, category int) string {
		return fmt.Sprintf(`{"goods":{"goodsSn":"1","name":"%s","categoryId":%d},"specifications":[{"specification":"s","value":"a"}],`+
			`"products":[{"specifications":["a"],"price":1,"number":1}]}`, name, category)
	}
	c.POST("/admin/goods/create", "%s", body("atlas", 3)).OK()
	c.POST("/admin/goods/create", "%s", body("pan", 2)).OK()
	w.Shop.Exec("INSERT INTO category (pid, name, level, add_time, update_time) VALUES (3, '地图', 'L2', NOW(), NOW())")
	update := func(id int, name string, category int) *optest.Answer {
		return c.POST("/admin/goods/update", `{"goods":{"id":%d,"goodsSn":"1","name":"%s","categoryId":%d},"specifications":[`+
			`{"id":%d,"specification":"s","value":"a"}],"products":[{"id":%d,"specifications":["a"],"price":1,"number":1}],`+
			`"attributes":[]}`, id, name, category, id, id)
	}
	update(1, "great atlas", 3).OK()
	update(2, "pan", 3).Fails(errno.Invalid).Says("该分类下有 1 个子分类，请选择其中一个")
	update(2, "pan", 5).OK()
	require.Equal(t, []string{"3", "5"}, w.Shop.Texts("SELECT category_id FROM goods ORDER BY id"))
}
