package catalog_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/services/admin/internal/apitest"
)

const (
	batch      = "/admin/goods/batch"
	batchCheck = "/admin/goods/batch/check"
)

// prices are the retail price of each goods and the prices of its products, by id.
func prices(w *apitest.Env) string {
	return w.Shop.Text("SELECT GROUP_CONCAT(CONCAT(g.retail_price, ':', (SELECT GROUP_CONCAT(p.price ORDER BY p.id) FROM " +
		"goods_product p WHERE p.goods_id = g.id)) ORDER BY g.id SEPARATOR ' ') FROM goods g WHERE g.deleted = 0")
}

// What the check says is what the change does; goods that are so already stay untouched.
func TestBatch(t *testing.T) {
	t.Parallel()
	w, _ := withPot(t)
	keeper := w.Operator("keeper", "admin:goodsbatch:update")
	w.Super().POST(create, "%s", other).OK()
	change := `{"ids":[2,1,2],"isOnSale":true,"isHot":true,"categoryId":3,"pricePercent":"-15.5"}`
	before := prices(w)
	plan := keeper.POST(batchCheck, "%s", change).OK().Golden("batch_check")
	require.Equal(t, before, prices(w), "the check changes nothing")
	var seen struct{ Seen string }
	plan.Data(&seen)
	with := func(member string) string { return strings.TrimSuffix(change, "}") + "," + member + "}" }
	keeper.POST(batch, "%s", with(fmt.Sprintf(`"seen":%q`, seen.Seen))).OK().Golden("batch")
	require.Equal(t, "168.58:168.58,201.96,218.86 4.23:4.23", prices(w))
	require.Equal(t, "1 1 3,1 1 3", w.Shop.Text("SELECT GROUP_CONCAT(CONCAT_WS(' ', is_on_sale, is_hot, category_id) ORDER BY id) FROM goods"))
	keeper.POST(batch, "%s", with(fmt.Sprintf(`"seen":%q`, seen.Seen))).Fails(errno.Stale)
	require.Equal(t, "168.58:168.58,201.96,218.86 4.23:4.23", prices(w))
	keeper.POST(batch, `{"ids":[1,2],"isOnSale":true}`).OK().Golden("batch_nothing")
	w.Shop.Agree()
}

// Prices change exactly, all goods or none, and no further than prices may be.
func TestBatchPrices(t *testing.T) {
	t.Parallel()
	w, _ := withPot(t)
	keeper := w.Operator("keeper", "admin:goodsbatch:update")
	w.Super().POST(create, "%s", other).OK()
	w.Shop.Exec("UPDATE goods_product SET price = 0.05 WHERE goods_id = 2")
	w.Shop.Exec("UPDATE goods SET retail_price = 0.05 WHERE id = 2")
	start := "199.50:199.50,239.00,259.00 0.05:0.05"
	require.Equal(t, start, prices(w))
	for _, step := range []struct{ member, want string }{
		{`"priceAmount":0`, start},
		{`"priceAmount":"0.5"`, "200.00:200.00,239.50,259.50 0.55:0.55"},
		{`"priceAmount":-0.55`, "199.45:199.45,238.95,258.95 0.00:0.00"},
		{`"priceAmount":10`, "209.45:209.45,248.95,268.95 10.00:10.00"},
		{`"pricePercent":0.01`, "209.47:209.47,248.97,268.98 10.00:10.00"},
		{`"pricePercent":100`, "418.94:418.94,497.94,537.96 20.00:20.00"},
		{`"pricePercent":-100`, "0.00:0.00,0.00,0.00 0.00:0.00"},
	} {
		keeper.POST(batch, `{"ids":[1,2],%s}`, step.member).OK()
		require.Equal(t, step.want, prices(w), step.member)
	}
	last := prices(w)
	for name, tt := range map[string]struct {
		body string
		want *errno.Code
	}{
		"nothing":               {`{}`, errno.Missing},
		"no goods":              {`{"ids":[]}`, errno.Missing},
		"too many":              {`{"ids":[1` + strings.Repeat(",1", 1000) + `]}`, errno.Invalid},
		"unknown goods":         {`{"ids":[1,99],"priceAmount":1}`, errno.Invalid},
		"below zero":            {`{"ids":[1,2],"priceAmount":-0.01}`, errno.Invalid},
		"above the highest":     {`{"ids":[1,2],"priceAmount":10000000}`, errno.Invalid},
		"both ways":             {`{"ids":[1],"priceAmount":1,"pricePercent":1}`, errno.Invalid},
		"less than nothing":     {`{"ids":[1],"pricePercent":-100.01}`, errno.Invalid},
		"an unknown category":   {`{"ids":[1],"categoryId":99}`, errno.Invalid},
		"a category with below": {`{"ids":[1],"categoryId":1}`, errno.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			keeper.In(t).POST(batch, "%s", tt.body).Fails(tt.want)
			require.Equal(t, last, prices(w))
		})
	}
	for name, body := range map[string]string{
		"both ways": `{"ids":[1],"priceAmount":1,"pricePercent":1}`, "an unknown category": `{"ids":[1],"categoryId":99}`,
		"a category with below": `{"ids":[1],"categoryId":1}`,
	} {
		t.Run("checked: "+name, func(t *testing.T) { keeper.In(t).POST(batchCheck, "%s", body).Fails(errno.Invalid) })
	}
	require.Equal(t, "0 2", w.Shop.Text("SELECT CONCAT_WS(' ', (SELECT COUNT(*) FROM goods WHERE update_time > '2031-01-01'), "+
		"(SELECT COUNT(*) FROM goods))"))
	w.Operator("clerk", "admin:goods:update").POST(batch, `{"ids":[1],"isHot":true}`).Fails(errno.NoPermission)
}

// A price at or below the discount of the running group-buy rule is refused, and the check names the goods.
func TestBatchRespectsGroupRules(t *testing.T) {
	t.Parallel()
	w, _ := withPot(t)
	keeper := w.Operator("keeper", "admin:goodsbatch:update")
	w.Super().POST(create, "%s", other).OK()
	_, err := w.Shop.Promotions.CreateGroupRule(t.Context(), promotion.GroupRule{
		GoodsID: 1, GoodsName: "x", Discount: money.Yuan(150), Members: 2, ExpireTime: w.Shop.Clock.Now().AddDate(0, 1, 0),
	})
	require.NoError(t, err)
	var plan struct {
		List []struct {
			ID      int64
			Problem string
		}
	}
	keeper.POST(batchCheck, `{"ids":[1,2,99],"pricePercent":-25}`).Data(&plan)
	problems := ""
	for _, g := range plan.List {
		problems += fmt.Sprintf("%d:%s\n", g.ID, g.Problem)
	}
	require.Equal(t, "1:价格须高于团购优惠 150.00\n2:\n99:商品不存在或已删除\n", problems)
	keeper.POST(batch, `{"ids":[1,2],"pricePercent":-25}`).Fails(errno.Invalid)
	keeper.POST(batch, `{"ids":[1,2],"pricePercent":-24}`).OK()
	require.Equal(t, "151.62:151.62,181.64,196.84 3.80:3.80", prices(w))
}

// No raise is lost, and nobody who buys meanwhile is refused.
func TestBatchesAndSales(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	s, keeper := w.Shop, w.Operator("keeper", "admin:goodsbatch:update")
	w.Super().POST(create, "%s", other).OK()
	const shoppers, rounds = 6, 6
	var wg sync.WaitGroup
	for i := range shoppers {
		buyer := s.Shopper(fmt.Sprint("lin", i))
		s.Address(buyer)
		wg.Go(func() { s.Order(buyer, cart.AddRequest{GoodsID: 1, ProductID: 1, Number: 1}) })
	}
	for i := range rounds {
		wg.Go(func() { keeper.POST(batch, `{"ids":[2],"priceAmount":1}`).OK() })
		wg.Go(func() { keeper.POST(batch, `{"ids":[1,2],"isHot":%t,"isNew":%t}`, i%2 == 0, i%2 == 1).OK() })
		wg.Go(func() { c.POST(update, `{"goods":{"id":1,"sortOrder":%d}}`, i).OK() })
	}
	wg.Wait()
	require.Equal(t, "199.50:199.50,239.00,259.00 11.00:11.00", prices(w))
	require.Equal(t, 10-shoppers, s.Stock(cart.AddRequest{ProductID: 1}))
	s.Agree()
}

// The number of statements grows with the products alone, by the thousand.
func TestBatchOfAThousandGoods(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Exec("INSERT INTO goods (name, goods_sn, retail_price, add_time, update_time) SELECT CONCAT('many', n), n, 9.99, " +
		"'2030-01-01', '2030-01-01' FROM (SELECT ROW_NUMBER() OVER () AS n FROM information_schema.columns LIMIT 1000) t")
	w.Shop.Exec("INSERT INTO goods_product (goods_id, specifications, price, number, spec_hash, add_time, update_time) " +
		"SELECT g.id, JSON_ARRAY(CAST(v.n AS CHAR)), 9.99 + v.n, 5, SHA2(v.n, 256), g.add_time, g.add_time FROM goods g JOIN " +
		"(SELECT 0 AS n UNION SELECT 1 UNION SELECT 2) v")
	body := func(n int) string {
		ids := make([]string, n)
		for i := range ids {
			ids[i] = w.Shop.Text("SELECT id FROM goods ORDER BY id LIMIT 1 OFFSET " + fmt.Sprint(i))
		}
		return `{"ids":[` + strings.Join(ids, ",") + `],"priceAmount":1,"isHot":true}`
	}
	c := w.Super()
	c.POST(batch, "%s", body(1)).OK() // what is read once only
	few := c.POST(batch, "%s", body(2)).OK().Statements
	many := c.POST(batch, "%s", body(1000)).OK().Statements
	require.Equal(t, few+2, many, "two more thousands of products")
	require.Equal(t, "10.99 12.99 1 1000", w.Shop.Text(
		"SELECT CONCAT_WS(' ', MIN(retail_price), MAX(retail_price), MIN(is_hot), COUNT(*)) FROM goods"))
	require.Equal(t, c.POST(batchCheck, "%s", body(2)).OK().Statements, c.POST(batchCheck, "%s", body(1000)).OK().Statements)
	w.Shop.Exec("INSERT INTO goods_product (goods_id, specifications, price, number, spec_hash, add_time, update_time) " +
		"SELECT g.id, JSON_ARRAY(CAST(v.n AS CHAR)), 9.99, 5, SHA2(v.n, 256), g.add_time, g.add_time FROM goods g JOIN " +
		"(SELECT 10 + ROW_NUMBER() OVER () AS n FROM information_schema.columns LIMIT 8) v")
	c.POST(batch, "%s", body(1000)).Fails(errno.Invalid)
	c.POST(batch, "%s", strings.Replace(body(1000), `"priceAmount":1,`, "", 1)).OK()
}

// Goods with hundreds of products are written with as many statements as goods with three.
func TestManyProductsInOneSave(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	body := func(n int, name string) string {
		values, products := []string{}, []string{}
		for i := range n {
			values = append(values, fmt.Sprintf(`{"specification":"码","value":"%d"}`, i))
			products = append(products, fmt.Sprintf(`{"specifications":["%d"],"price":"%d.50","number":%d}`, i, i+1, i))
		}
		return fmt.Sprintf(`{"goods":{"goodsSn":"N","name":%q},"specifications":[%s],"products":[%s]}`, name,
			strings.Join(values, ","), strings.Join(products, ","))
	}
	c.POST(create, "%s", other).OK() // what is read once only
	few := c.POST(create, "%s", body(3, "few")).OK().Statements
	many := c.POST(create, "%s", body(500, "many")).OK().Statements
	require.Equal(t, few, many)
	edit := func(id, n int) string {
		first := w.Shop.Int("SELECT MIN(id) FROM goods_product WHERE goods_id = ?", id)
		products := []string{}
		for i := range n {
			products = append(products, fmt.Sprintf(
				`{"id":%d,"specifications":["%d"],"price":7,"number":9,"stockBase":%d,"url":"/a.png"}`, first+int64(i), i, i))
		}
		return fmt.Sprintf(`{"goods":{"id":%d},"products":[%s]}`, id, strings.Join(products, ","))
	}
	require.Equal(t, c.POST(update, "%s", edit(2, 3)).OK().Statements, c.POST(update, "%s", edit(3, 500)).OK().Statements)
	require.Equal(t, "500 4500 7.00 7.00", w.Shop.Text("SELECT CONCAT_WS(' ', COUNT(*), SUM(number), MIN(price), MAX(price)) "+
		"FROM goods_product WHERE goods_id = 3"))
	w.Shop.Agree()
}
