package app_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/wechat/wechattest"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
)

// budget is the most statements that an operation may send, however many rows it is about; BEGIN and COMMIT do not count.
// Nothing that the process keeps is fresh, and the token is looked at each time.
var budget = map[string]int{
	"POST /wx/storage/upload":       2,
	"POST /wx/express/query":        2,
	"POST /wx/auth/login":           2,
	"POST /wx/auth/register":        3,
	"POST /wx/auth/regCaptcha":      0,
	"POST /wx/auth/login_by_weixin": 5,
	"POST /wx/auth/captcha":         1,
	"POST /wx/auth/reset":           2,
	"POST /wx/auth/resetPhone":      3,
	"POST /wx/auth/bindPhone":       3,
	"POST /wx/auth/logout":          1,
	"GET /wx/auth/info":             2,
	"POST /wx/auth/profile":         2,
	"GET /wx/home/index":            17,
	"GET /wx/goods/list":            7,
	"GET /wx/goods/detail":          14,
	"GET /wx/goods/related":         3,
	"GET /wx/goods/category":        3,
	"GET /wx/goods/count":           1,
	"GET /wx/brand/list":            2,
	"GET /wx/brand/detail":          1,
	"GET /wx/catalog/index":         2,
	"GET /wx/catalog/current":       2,
	"GET /wx/catalog/all":           2,
	"GET /wx/cart/index":            3,
	"GET /wx/cart/goodscount":       3,
	"POST /wx/cart/add":             6,
	"POST /wx/cart/fastadd":         6,
	"POST /wx/cart/update":          6,
	"POST /wx/cart/checked":         5,
	"POST /wx/cart/delete":          4,
	"GET /wx/cart/checkout":         7,
	"POST /wx/order/submit":         15,
	"GET /wx/order/list":            6,
	"GET /wx/order/detail":          4,
	"POST /wx/order/cancel":         13,
	"POST /wx/order/prepay":         8,
	"POST /wx/order/h5pay":          8,
	"POST /wx/order/confirm":        5,
	"POST /wx/order/delete":         3,
	"POST /wx/order/refund":         9,
	"GET /wx/order/goods":           3,
	"POST /wx/order/comment":        8,
	"GET /wx/coupon/list":           2,
	"GET /wx/coupon/mylist":         3,
	"GET /wx/coupon/selectlist":     5,
	"POST /wx/coupon/receive":       5,
	"POST /wx/coupon/exchange":      6,
	"GET /wx/groupon/list":          2,
	"GET /wx/groupon/query":         2,
	"GET /wx/groupon/join":          4,
	"GET /wx/groupon/detail":        9,
	"GET /wx/groupon/my":            9,
	"GET /wx/aftersale/list":        4,
	"GET /wx/aftersale/detail":      4,
	"POST /wx/aftersale/submit":     6,
	"POST /wx/aftersale/cancel":     6,
	"GET /wx/address/list":          3,
	"GET /wx/address/detail":        2,
	"POST /wx/address/save":         5,
	"POST /wx/address/delete":       3,
	"GET /wx/region/list":           1,
	"GET /wx/comment/count":         1,
	"GET /wx/comment/list":          3,

	"GET /wx/home/about":                1,
	"GET /wx/index/index":               0,
	"GET /wx/catalog/getfirstcategory":  1,
	"GET /wx/catalog/getsecondcategory": 1,
	"GET /wx/topic/list":                2,
	"GET /wx/topic/detail":              4,
	"GET /wx/topic/related":             2,
	"GET /wx/issue/list":                2,
	"GET /wx/user/index":                4,
	"GET /wx/collect/list":              3,
	"POST /wx/collect/addordelete":      4,
	"GET /wx/footprint/list":            3,
	"POST /wx/footprint/delete":         2,
	"GET /wx/search/index":              3,
	"GET /wx/search/helper":             1,
	"GET /wx/search/result":             7,
	"POST /wx/search/clearhistory":      2,
	"POST /wx/comment/post":             3,
	"POST /wx/feedback/submit":          3,
}

// market is a storefront where everything is there n times.
type market struct {
	*apitest.Shop
	t     *testing.T
	n     int
	lin   int64
	to    int64
	wares []cart.Wish
}

func newMarket(t *testing.T, n int) *market {
	t.Helper()
	m := &market{Shop: apitest.Open(t), t: t, n: n}
	d, ctx, now := m.Domain, t.Context(), m.Domain.Clock.Now()
	m.lin = d.Shopper("lin")
	for i := range n {
		m.to = d.Address(m.lin)
		m.wares = append(m.wares, d.Product(fmt.Sprint("ware", i), 10000, 1000))
		d.Coupon(m.lin, 100, 0)
		d.Exec("INSERT INTO brand (name, add_time, update_time) VALUES ('brand', ?, ?)", now, now)
		d.Exec("INSERT INTO category (name, pid, level, add_time, update_time) VALUES ('first', 0, 'L1', ?, ?)", now, now)
		d.Exec("INSERT INTO category (name, pid, level, add_time, update_time) VALUES ('second', 1, 'L2', ?, ?)", now, now)
		d.Exec("INSERT INTO goods_attribute (goods_id, attribute, value, add_time, update_time) VALUES (1, ?, 'x', ?, ?)",
			fmt.Sprint("attribute", i), now, now)
		d.Exec("INSERT INTO comment (value_id, type, user_id, content, star, pic_urls, add_time, update_time) "+
			"VALUES (1, 0, ?, 'good', 5, '[]', ?, ?)", m.lin, now, now)
		d.Exec("INSERT INTO groupon_rules (goods_id, goods_name, discount, discount_member, expire_time, add_time, update_time) "+
			"VALUES (?, 'x', 1, 2, ?, ?, ?)", m.wares[i].GoodsID, now.AddDate(1, 0, 0), now, now)
		d.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (?, 0, 'province', 1, ?)", i+1, 110000+i)
		_, err := d.Content.CreateBanner(ctx, content.Banner{Name: "banner", URL: "http://shop.test/1.png"})
		require.NoError(t, err)
		_, err = d.Content.CreateTopic(ctx, content.Topic{TopicSummary: content.TopicSummary{Title: "topic", Price: 100}})
		require.NoError(t, err)
		_, err = d.Content.CreateQuestion(ctx, content.Question{Question: "why?", Answer: "so"})
		require.NoError(t, err)
		d.Order(m.lin, m.wares[i])
	}
	d.Exec("UPDATE goods SET category_id = 2, brand_id = 1, is_new = 1, is_hot = 1")
	return m
}

// fill puts one of each ware into the cart.
func (m *market) fill() {
	m.t.Helper()
	for _, w := range m.wares {
		_, err := m.Domain.Cart.Set(m.t.Context(), m.lin, w)
		require.NoError(m.t, err)
	}
}

// bought is an order of one of each ware.
func (m *market) bought() int64 {
	m.t.Helper()
	m.fill()
	placed, err := m.Domain.Orders.Submit(m.t.Context(), m.lin, order.Submission{Choice: order.Choice{Address: m.to}})
	require.NoError(m.t, err)
	return placed.OrderID
}

// spent runs every operation once and returns how many statements each has sent.
func (m *market) spent() map[string]int {
	m.t.Helper()
	spent := map[string]int{}
	me := m.As(m.lin)
	note := func(a *optest.Answer) {
		m.t.Helper()
		spent[a.Spec.Key()] = max(spent[a.Spec.Key()], a.OK().Statements)
	}
	get := func(path string, args ...any) {
		m.t.Helper()
		m.Domain.Clock.Move(time.Minute)
		note(me.GET(path, args...))
	}
	post := func(path, body string, args ...any) {
		m.t.Helper()
		m.Domain.Clock.Move(time.Minute)
		note(me.POST(path, body, args...))
	}
	m.catalogue(get)
	m.account(get, post)
	m.byApp(note)
	m.carts(get, post)
	m.traces(get, post)
	m.groups(get, post)
	var dot bytes.Buffer
	require.NoError(m.t, png.Encode(&dot, image.NewGray(image.Rect(0, 0, 2, 2))))
	note(me.Upload("/wx/storage/upload", "file", "dot.png", dot.Bytes()))
	m.orders(get, post)
	return spent
}

// byApp enters by the app platform and binds the mobile that it vouches for.
func (m *market) byApp(note func(*optest.Answer)) {
	m.t.Helper()
	a := m.Guest().POST("/wx/auth/login_by_weixin", `{"code":"code-of-mei","userInfo":{"nickName":"mei"}}`)
	note(a)
	var e struct {
		Token string `json:"token"`
	}
	a.Data(&e)
	iv, data := wechattest.Seal(m.t, m.Domain.App.Key("mei"), wechattest.Number("13900000007", wechattest.AppID))
	note(m.Guest().With("X-Shop-Token", e.Token).
		POST("/wx/auth/bindPhone", `{"iv":"%s","encryptedData":"%s"}`, iv, data))
}

type call func(path string, args ...any)

func (m *market) catalogue(get call) {
	m.t.Helper()
	for _, path := range []string{
		"/wx/home/index", "/wx/catalog/index", "/wx/catalog/all", "/wx/catalog/current?id=1", "/wx/goods/count",
		"/wx/goods/category?id=2", "/wx/goods/detail?id=1", "/wx/goods/related?id=1", "/wx/goods/list?limit=1000",
		"/wx/goods/list?keyword=ware&limit=1000&sort=retail_price", "/wx/goods/list?categoryId=2&brandId=1&isNew=1&isHot=1",
		"/wx/brand/list?limit=1000", "/wx/brand/detail?id=1", "/wx/comment/list?type=0&valueId=1&showType=0&limit=1000",
		"/wx/comment/count?type=0&valueId=1", "/wx/region/list",
	} {
		get(path)
	}
}

func (m *market) account(get call, post func(path, body string, args ...any)) {
	m.t.Helper()
	const address = `{"name":"林一","tel":"13900000001","province":"浙江省","city":"杭州市","county":"西湖区","areaCode":"330106",` +
		`"addressDetail":"文三路 1 号","isDefault":true,"id":%d}`
	get("/wx/auth/info")
	post("/wx/auth/profile", `{"nickName":"x"}`)
	post("/wx/auth/regCaptcha", `{"mobile":"13900000009"}`)
	post("/wx/auth/register", `{"username":"new","password":"test-password-1","mobile":"13900000009","code":"%s"}`,
		m.Domain.Messages.Code("13900000009"))
	post("/wx/auth/login", `{"username":"lin","password":"test-password-1"}`)
	post("/wx/auth/captcha", `{"mobile":"13900000008","type":"bind-mobile"}`)
	post("/wx/auth/resetPhone", `{"password":"test-password-1","mobile":"13900000008","code":"%s"}`,
		m.Domain.Messages.Code("13900000008"))
	m.Domain.Forget("coderate:{13900000009}")
	require.NoError(m.t, m.Domain.Accounts.SendCode(m.t.Context(), "13900000009", "192.0.2.1"))
	post("/wx/auth/reset", `{"password":"test-password-2","mobile":"13900000009","code":"%s"}`,
		m.Domain.Messages.Code("13900000009"))
	get("/wx/address/list")
	get("/wx/address/detail?id=%d", m.to)
	post("/wx/address/save", address, m.to)
	post("/wx/address/save", address, 0)
	post("/wx/address/delete", `{"id":%d}`, m.to+1)
}

func (m *market) carts(get call, post func(path, body string, args ...any)) {
	m.t.Helper()
	m.fill()
	w := m.wares[0]
	row := m.Domain.Int("SELECT id FROM cart WHERE product_id = ?", w.ProductID)
	get("/wx/cart/index")
	get("/wx/cart/goodscount")
	get("/wx/cart/checkout?couponId=0")
	get("/wx/cart/checkout?couponId=0&cartId=%d", row)
	get("/wx/coupon/list?limit=1000")
	get("/wx/coupon/mylist?limit=1000")
	get("/wx/coupon/mylist?limit=1000&status=0")
	get("/wx/coupon/selectlist")
	post("/wx/cart/add", `{"goodsId":%d,"productId":%d,"number":1}`, w.GoodsID, w.ProductID)
	post("/wx/cart/fastadd", `{"goodsId":%d,"productId":%d,"number":1}`, w.GoodsID, w.ProductID)
	post("/wx/cart/update", `{"id":%d,"goodsId":%d,"productId":%d,"number":1}`, row, w.GoodsID, w.ProductID)
	all := fmt.Sprint(w.ProductID)
	for _, w := range m.wares[1:] {
		all += fmt.Sprint(",", w.ProductID)
	}
	post("/wx/cart/checked", `{"productIds":[%s],"isChecked":1}`, all)
	// Goods that are not live give each change one statement more, however many they are.
	m.Domain.Exec("UPDATE goods SET is_on_sale = 0")
	post("/wx/cart/checked", `{"productIds":[%s],"isChecked":1}`, all)
	m.Domain.Exec("UPDATE goods SET is_on_sale = 1")
	post("/wx/cart/delete", `{"productIds":[%s]}`, all)
	m.Domain.Exec("UPDATE coupon SET per_user_limit = 2")
	post("/wx/coupon/receive", `{"couponId":1}`)
}

func (m *market) orders(get call, post func(path, body string, args ...any)) {
	m.t.Helper()
	d, ctx := m.Domain, m.t.Context()
	get("/wx/order/list?limit=1000")
	get("/wx/order/list?limit=1000&showType=4")
	m.fill()
	post("/wx/order/submit", `{"cartId":0,"addressId":%d,"couponId":1}`, m.to)
	id := m.bought()
	get("/wx/order/detail?orderId=%d", id)
	post("/wx/order/prepay", `{"orderId":%d}`, id)
	post("/wx/order/h5pay", `{"orderId":%d}`, m.bought())
	post("/wx/order/cancel", `{"orderId":%d}`, id)
	post("/wx/order/delete", `{"orderId":%d}`, id)
	id = m.bought()
	d.Pay(m.lin, id)
	post("/wx/order/refund", `{"orderId":%d}`, id)
	id = m.bought()
	d.Pay(m.lin, id)
	require.NoError(m.t, d.Orders.Ship(ctx, order.Operator(1), id, "ZTO", "1"))
	post("/wx/order/confirm", `{"orderId":%d}`, id)
	line := d.Int("SELECT MIN(id) FROM order_goods WHERE order_id = ?", id)
	post("/wx/express/query", `{"orderId":%d}`, id)
	post("/wx/express/query", `{"expCode":"ZTO","expNo":"1"}`)
	get("/wx/order/goods?ogid=%d", line)
	get("/wx/order/goods?orderId=%d&goodsId=%d", id, m.wares[0].GoodsID)
	post("/wx/order/comment", `{"orderGoodsId":%d,"content":"good","star":5}`, line)
	m.aftersales(id, get, post)
	post("/wx/auth/logout", ``)
}

// aftersales asks twice, so that the second case takes the place of the first.
func (m *market) aftersales(id int64, get call, post func(path, body string, args ...any)) {
	m.t.Helper()
	const wish = `{"orderId":%d,"type":2,"reason":"x","amount":1}`
	post("/wx/aftersale/submit", wish, id)
	post("/wx/aftersale/submit", wish, id)
	get("/wx/aftersale/list?limit=1000")
	get("/wx/aftersale/detail?orderId=%d", id)
	post("/wx/aftersale/cancel", `{"id":%d}`, m.Domain.Int("SELECT MAX(id) FROM aftersale"))
}

func TestBudget(t *testing.T) {
	one, many := newMarket(t, 1), newMarket(t, 50)
	for _, m := range []*market{one, many} {
		spent := m.spent()
		for _, spec := range m.API.Specs {
			if spec.IsBare() && (spec.Method == http.MethodGet || spec.Path == "/wx/order/pay-notify" || spec.Path == "/wx/msg/config") {
				continue // files, and notices, which have tests of their own
			}
			if spec.Path == "/wx/home/cache" {
				continue // it refuses everybody
			}
			n, called := spent[spec.Key()]
			require.True(t, called, "%s is not measured", spec.Key())
			ceiling, bounded := budget[spec.Key()]
			if !bounded || n > ceiling {
				t.Errorf("%s sends %d statements about %d rows, allowed are %d", spec.Key(), n, m.n, ceiling)
			}
		}
	}
}
