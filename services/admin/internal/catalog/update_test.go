package catalog_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/services/admin/internal/apitest"
)

// Of a product, price, number and picture change, and the stock by the difference to what the operator has seen. The
// address of the share image stays. An attribute marked as deleted is deleted, and one without an id is skipped.
func TestUpdate(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	s := w.Shop
	s.Exec("UPDATE goods SET share_url = 'http://x/share.png'")
	shopper := s.Shopper("lin")
	order := s.Order(shopper, cart.AddRequest{GoodsID: 1, ProductID: 1, Number: 3}) // sold while the page is open
	c.POST(update, `{
		"goods": {"id": "1", "name": "老铸铁锅", "goodsSn": "P-9", "categoryId": "", "brandId": null, "gallery": [], "keywords": "",
			"brief": "", "isOnSale": false, "sortOrder": "8", "picUrl": "http://x/new.png", "shareUrl": "http://evil/", "isNew": false,
			"isHot": 1, "unit": "只", "counterPrice": "300.00", "retailPrice": 1, "detail": "<b>新</b><iframe src=x></iframe>",
			"updateTime": "2030-01-02 12:00:00", "addTime": "2001-01-01 00:00:00", "deleted": true},
		"specifications": [
			{"id": 1, "specification": "尺寸", "value": "20cm", "picUrl": "", "updateTime": null},
			{"id": 2, "specification": "颜色", "value": "黑", "picUrl": "http://x/unmarked.png", "updateTime": "2030-01-02 12:00:00"}
		],
		"products": [
			{"id": 3, "specifications": ["24cm", "红"], "price": 99, "number": 4, "url": "http://x/24r.png", "updateTime": ""},
			{"id": 1, "goodsId": 5, "specifications": ["20cm", "黑"], "price": 180, "number": 15, "stockBase": 10},
			{"id": 2, "specifications": ["24cm", "黑"], "price": 1, "number": 1, "updateTime": "2030-01-02 12:00:00"}
		],
		"attributes": [
			{"id": 1, "attribute": "材质", "value": "生铁", "updateTime": ""},
			{"id": 2, "attribute": "", "value": "", "deleted": true},
			{"attribute": "重量", "value": "3kg"},
			{"id": 0, "attribute": "x", "value": "y", "deleted": 1},
			{"attribute": "unmarked", "value": "y", "updateTime": "2030-01-02 12:00:00"}
		]
	}`).OK().Golden("update")
	c.GET(detail + "?id=1").OK().Golden("detail_after_update")
	require.Equal(t, "http://x/share.png", s.Text("SELECT share_url FROM goods"))
	record := s.Int("SELECT MAX(id) FROM audit_log")
	require.Equal(t, fmt.Sprintf("edit:%d:1 5 2 1,edit:%d:3 4 2 1", record, record), s.Text("SELECT GROUP_CONCAT("+
		"CONCAT_WS(' ', ref_key, delta, operator_type, operator_id) ORDER BY id) FROM stock_log WHERE reason = 7"))
	require.Equal(t, "19950", s.Text("SELECT REPLACE(price, '.', '') FROM order_goods WHERE order_id = ?", order),
		"an order keeps its price")
	s.Agree()

	// The search terms follow: the old name is not found, the new one is.
	var got struct{ Total int64 }
	c.GET(list + "?name=老铸铁").Data(&got)
	require.EqualValues(t, 1, got.Total)
	require.Zero(t, s.Int("SELECT COUNT(*) FROM goods_term WHERE term = '什'"))
}

// The mode of a product is stored for the next purchase, and refused for anything that is no product or no mode.
func TestHot(t *testing.T) {
	t.Parallel()
	w := withGoods(t)
	keeper := w.Operator("keeper", "admin:goods:hot")
	keeper.POST(hot, `{"productId":2,"hotMode":1}`).OK().Golden("hot")
	require.EqualValues(t, 1, w.Shop.Int("SELECT hot_mode FROM goods_product WHERE id = 2"))
	keeper.POST(hot, `{"productId":2,"hotMode":1}`).OK()
	keeper.POST(hot, `{"productId":2,"hotMode":0}`).OK()
	require.Zero(t, w.Shop.Int("SELECT SUM(hot_mode) FROM goods_product"))
	keeper.POST(hot, `{"productId":99,"hotMode":1}`).Fails(errno.Invalid)
	keeper.POST(hot, `{"productId":2,"hotMode":3}`).Fails(errno.Invalid)
	keeper.POST(hot, `{"productId":2}`).Fails(errno.Missing)
}

const hot = "/admin/goods/hot"

// TestDeletedAttribute deletes an attribute that is marked as deleted with an unchanged update time, as the console
// sends it. A row without the mark stays unchanged under the same update time.
func TestDeletedAttribute(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	names := "SELECT COALESCE(GROUP_CONCAT(attribute ORDER BY id), '') FROM goods_attribute WHERE goods_id = 1 AND deleted = 0"
	require.Equal(t, "材质,产地", w.Shop.Text(names))
	c.POST(update, `{"goods":{"id":1},"attributes":[
		{"id":1,"attribute":"材质","value":"铁","updateTime":"2030-01-02 12:00:00","deleted":true},
		{"id":2,"attribute":"产地","value":"changed","updateTime":"2030-01-02 12:00:00","deleted":false},
		{"id":0,"attribute":"new","value":"x","updateTime":"2030-01-02 12:00:00","deleted":true}]}`).OK()
	require.Equal(t, "产地", w.Shop.Text(names))
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM goods_attribute WHERE value = 'changed' OR attribute = 'new'"))
	c.POST(update, `{"goods":{"id":1},"attributes":[{"id":1,"updateTime":"2030-01-02 12:00:00","deleted":true}]}`).
		Fails(errno.GoodsUpdateNotAllowed)
}

// Members that are not sent stay unchanged.
func TestPartialUpdate(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	before := string(c.GET(detail + "?id=1").Body)
	c.POST(update, `{"goods":{"id":1}}`).OK()
	after := string(c.GET(detail + "?id=1").Body)
	// The update time increases with every change.
	require.Equal(t, before, strings.Replace(after, `"updateTime":"2030-01-02 12:01:00"`, `"updateTime":"2030-01-02 12:00:00"`, 1))
	for _, want := range []string{"2030-01-02 12:01:01", "2030-01-02 12:01:02"} {
		c.POST(update, `{"goods":{"id":1,"sortOrder":null,"name":null}}`).OK()
		var got struct{ Goods struct{ UpdateTime string } }
		c.GET(detail + "?id=1").Data(&got)
		require.Equal(t, want, got.Goods.UpdateTime)
	}
	w.Shop.Agree()
}

// Of what stands beside the goods, too, a member that is not sent stays: the pictures of a specification and a product,
// and an attribute that a row only marks as left alone.
func TestPartialUpdateOfWhatStandsBeside(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	const row = `{"goods":{"id":1},"specifications":[{"id":1,"specification":"尺寸","value":"20cm"%s}],"products":[
		{"id":1,"specifications":["20cm","黑"],"price":180,"number":15%s}],"attributes":[
		{"id":1,"attribute":"x","value":"y","updateTime":"2030-01-02 12:00:00"}]}`
	c.POST(update, row, `,"picUrl":"http://x/s.png"`, `,"url":"http://x/p.png"`).OK()
	c.POST(update, row, "", "").OK()
	require.Equal(t, "http://x/s.png", w.Shop.Text("SELECT pic_url FROM goods_specification WHERE id = 1"))
	require.Equal(t, "http://x/p.png 180.00 15",
		w.Shop.Text("SELECT CONCAT_WS(' ', url, price, number) FROM goods_product WHERE id = 1"))
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM goods_attribute WHERE attribute = 'x'"))
	w.Shop.Agree()
}

// other is a body of /admin/goods/create for goods 2.
const other = `{"goods":{"goodsSn":"P-2","name":"碗"},"specifications":[{"specification":"规格","value":"标准"}],
	"products":[{"specifications":["标准"],"price":5,"number":5}],"attributes":[{"attribute":"a","value":"b"}]}`

// Children of other goods cannot be changed. A new name is checked too, also against goods that are not on sale. A
// deleted category or brand cannot be chosen.
func TestUpdateRefuses(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	c.POST(create, "%s", other).OK()
	w.Shop.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = 2")
	w.Shop.Exec("INSERT INTO goods_attribute (goods_id, attribute, value, deleted, add_time, update_time) VALUES " +
		"(1, 'gone', 'x', 1, NOW(), NOW())") // attribute 4
	books := func() string {
		return w.Shop.Text("SELECT CONCAT_WS('/', (SELECT SUM(CRC32(CONCAT_WS(',', id, name, version, update_time))) FROM goods), " +
			"(SELECT SUM(CRC32(CONCAT_WS(',', id, pic_url, update_time))) FROM goods_specification), " +
			"(SELECT SUM(CRC32(CONCAT_WS(',', id, price, number, url, update_time))) FROM goods_product), " +
			"(SELECT SUM(CRC32(CONCAT_WS(',', id, attribute, value, deleted))) FROM goods_attribute))")
	}
	before := books()
	with := func(list, row string) string { return `{"goods":{"id":1},"` + list + `":[` + row + `]}` }
	tests := map[string]struct {
		body string
		want *errno.Code
	}{
		"nothing":                    {`{}`, errno.Missing},
		"no id":                      {`{"goods":{"name":"x"}}`, errno.Missing},
		"an empty name":              {`{"goods":{"id":1,"name":" "}}`, errno.Missing},
		"an empty number":            {`{"goods":{"id":1,"goodsSn":""}}`, errno.Missing},
		"an attribute without":       {with("attributes", `{"id":1,"attribute":"x"}`), errno.Missing},
		"a specification without":    {with("specifications", `{"id":1,"specification":"尺寸"}`), errno.Missing},
		"a product without a price":  {with("products", `{"id":1,"specifications":["20cm","黑"],"number":1}`), errno.Missing},
		"a product without a number": {with("products", `{"id":1,"specifications":["20cm","黑"],"price":1}`), errno.Missing},
		"a product of nothing":       {with("products", `{"id":1,"price":1,"number":1}`), errno.Missing},
		"a price below nothing":      {with("products", `{"id":1,"specifications":["20cm","黑"],"price":-1,"number":1}`), errno.Invalid},
		"a stock below nothing":      {with("products", `{"id":1,"specifications":["20cm","黑"],"price":1,"number":-1}`), errno.Invalid},
		"a counter price below":      {`{"goods":{"id":1,"counterPrice":-1}}`, errno.Invalid},
		"a time that is none":        {`{"goods":{"id":1,"updateTime":"today"}}`, errno.Invalid},
		"an unknown category":        {`{"goods":{"id":1,"categoryId":99}}`, errno.Invalid},
		"a deleted category":         {`{"goods":{"id":1,"categoryId":4}}`, errno.Invalid},
		"a deleted brand":            {`{"goods":{"id":1,"brandId":2}}`, errno.Invalid},
		"form before existence":      {`{"goods":{"id":99,"brandId":2}}`, errno.Invalid},
		"a specification twice":      {with("specifications", `{"id":1,"specification":"尺寸","value":"20cm"},{"id":1,"specification":"尺寸","value":"20cm"}`), errno.Invalid},
		"a product twice":            {with("products", `{"id":1,"specifications":["20cm","黑"],"price":1,"number":1},{"id":1,"specifications":["20cm","黑"],"price":1,"number":1}`), errno.Invalid},
		"unknown goods":              {`{"goods":{"id":99,"name":"碗"}}`, errno.UpdateFailed},
		"a name of other goods":      {`{"goods":{"id":1,"name":"碗"}}`, errno.GoodsNameExists},
		"goods that have changed":    {`{"goods":{"id":1,"updateTime":"2030-01-02 11:59:59"}}`, errno.Stale},
		"a new specification":        {with("specifications", `{"specification":"尺寸","value":"28cm"}`), errno.GoodsUpdateNotAllowed},
		"another value":              {with("specifications", `{"id":1,"specification":"尺寸","value":"28cm"}`), errno.GoodsUpdateNotAllowed},
		"another group":              {with("specifications", `{"id":1,"specification":"大小","value":"20cm"}`), errno.GoodsUpdateNotAllowed},
		"a specification of others":  {with("specifications", `{"id":5,"specification":"规格","value":"标准","picUrl":"x"}`), errno.GoodsUpdateNotAllowed},
		"deleting a specification": {with("specifications",
			`{"id":1,"specification":"尺寸","value":"20cm","updateTime":"2030-01-02 12:00:00","deleted":true}`), errno.GoodsUpdateNotAllowed},
		"deleting a product": {with("products",
			`{"id":1,"specifications":["20cm","黑"],"price":1,"number":1,"deleted":1}`), errno.GoodsUpdateNotAllowed},
		"also unmarked":                {with("specifications", `{"id":5,"specification":"规格","value":"标准","updateTime":"x"}`), errno.GoodsUpdateNotAllowed},
		"a new product":                {with("products", `{"id":0,"specifications":["20cm","红"],"price":1,"number":1}`), errno.GoodsUpdateNotAllowed},
		"a product of others":          {with("products", `{"id":4,"specifications":["标准"],"price":1,"number":1}`), errno.GoodsUpdateNotAllowed},
		"other values of a product":    {with("products", `{"id":1,"specifications":["20cm","红"],"price":1,"number":1}`), errno.GoodsUpdateNotAllowed},
		"an attribute of others":       {with("attributes", `{"id":3,"attribute":"a","value":"c"}`), errno.GoodsUpdateNotAllowed},
		"deleting others' attribute":   {with("attributes", `{"id":3,"deleted":true}`), errno.GoodsUpdateNotAllowed},
		"a deleted attribute":          {with("attributes", `{"id":4,"attribute":"a","value":"c"}`), errno.GoodsUpdateNotAllowed},
		"a difference below no stock":  {with("products", `{"id":2,"specifications":["24cm","黑"],"price":1,"number":0,"stockBase":6}`), errno.Stale},
		"a stock that no column holds": {with("products", `{"id":2,"specifications":["24cm","黑"],"price":1,"number":2147483647,"stockBase":0}`), errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { c.In(t).POST(update, "%s", tt.body).Fails(tt.want) })
	}
	require.Equal(t, before, books())
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM stock_log WHERE reason = 7"))
	c.POST(update, `{"goods":{"id":99}}`).Fails(errno.UpdateFailed)
	c.POST(update, "%s", tests["a name of other goods"].body).Fails(errno.GoodsNameExists)
	c.POST(update, "%s", tests["goods that have changed"].body).Fails(errno.Stale)
	c.POST(update, "%s", tests["a new product"].body).Fails(errno.GoodsUpdateNotAllowed).Says("不能增加、删除或更换商品的规格和货品")
	c.POST(update, `{"goods":{"id":1,"name":"铸铁锅","updateTime":"2030-01-02 12:00:00"}}`).OK() // its own name
}

// The group-buy rule on the goods gets their new name and picture.
func TestUpdateRelabelsTheRule(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	_, err := w.Shop.Promotions.CreateGroupRule(t.Context(), promotion.GroupRule{
		GoodsID: 1, GoodsName: "铸铁锅", Discount: money.Yuan(20), Members: 3, ExpireTime: w.Shop.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	label := "SELECT CONCAT_WS(' ', goods_name, pic_url) FROM groupon_rules"
	c.POST(update, `{"goods":{"id":1,"name":"老锅"}}`).OK()
	require.Equal(t, "老锅 http://x/pot.png", w.Shop.Text(label))
	c.POST(update, `{"goods":{"id":1,"picUrl":""}}`).OK()
	require.Equal(t, "老锅 ", w.Shop.Text(label))
	w.Shop.Exec("UPDATE groupon_rules SET status = 1, active_mark = id")
	c.POST(update, `{"goods":{"id":1,"name":"新锅"}}`).OK()
	require.Equal(t, "老锅 ", w.Shop.Text(label), "an offer that is over keeps its name")
}

// Of two operators who edit the version that both have seen one succeeds; the other is refused.
func TestTwoEdits(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	const callers = 12
	codes := make([]int, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			codes[i] = c.POST(update, `{"goods":{"id":1,"brief":"b%d","updateTime":"2030-01-02 12:00:00"},"products":[
				{"id":1,"specifications":["20cm","黑"],"price":199.5,"number":11,"stockBase":10}]}`, i).Code().Num
		})
	}
	wg.Wait()
	counts := map[int]int{}
	for _, n := range codes {
		counts[n]++
	}
	require.Equal(t, map[int]int{0: 1, errno.Stale.Num: callers - 1}, counts)
	require.Equal(t, 11, w.Shop.Stock(cart.AddRequest{ProductID: 1}))
	w.Shop.Agree()
}

// What is sold while goods are edited is not lost, in whatever order.
func TestEditAndSales(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	s := w.Shop
	const shoppers, edits = 8, 8
	buyers := make([]int64, shoppers)
	for i := range buyers {
		buyers[i] = s.Shopper(fmt.Sprint("lin", i))
		s.Address(buyers[i])
	}
	var wg sync.WaitGroup
	for i := range edits {
		wg.Go(func() {
			c.POST(update, `{"goods":{"id":1,"sortOrder":%d},"products":[
				{"id":1,"specifications":["20cm","黑"],"price":199.5,"number":12,"stockBase":10}]}`, i).OK()
		})
	}
	for _, b := range buyers {
		wg.Go(func() { s.Order(b, cart.AddRequest{GoodsID: 1, ProductID: 1, Number: 1}) })
	}
	wg.Wait()
	require.Equal(t, 10+2*edits-shoppers, s.Stock(cart.AddRequest{ProductID: 1}))
	s.Agree()
}

// Of goods with one name that are created concurrently one remains.
func TestTwoCreates(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	const callers = 12
	codes := make([]int, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() { codes[i] = c.POST(create, "%s", pot).Code().Num })
	}
	wg.Wait()
	counts := map[int]int{}
	for _, n := range codes {
		counts[n]++
	}
	require.Equal(t, map[int]int{0: 1, errno.GoodsNameExists.Num: callers - 1}, counts)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM goods"))
	w.Shop.Agree()
}

// Whoever pastes a film reads that it is gone; an answer without anything removed has no data.
func TestWhatIsRemovedIsSaid(t *testing.T) {
	t.Parallel()
	_, c := withPot(t)
	c.POST(update, `{"goods":{"id":1,"detail":"<p>x</p><video src=\"/a.mp4\"></video><a href=\"tel:1\">call</a>"}}`).
		Is(`{"removed":["a","video"]}`)
	for _, body := range []string{`{"goods":{"id":1,"detail":"<p>x</p>"}}`, `{"goods":{"id":1,"brief":"y"}}`} {
		require.NotContains(t, string(c.POST(update, "%s", body).OK().Body), "data")
	}
	sheet := apitest.Sheet(apitest.SheetRow("goodsSn: N-1", "name: 碗", "detail: <audio><b>x</b>", "specifications: 规格=标准",
		"price: 1", "number: 1"))
	c.Upload(check, "file", "x", []byte(sheet)).Is(`{"goods":1,"products":1,"removed":["audio"],"faults":[]}`)
	c.Upload(importGoods, "file", "x", []byte(sheet)).Is(`{"goods":1,"products":1,"removed":["audio"]}`)
}
