package app_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/wechat/wechattest"
)

// The lists of one owner count only if the first page is full: they are read with a limit of five, which is full with
// ten rows too, and with the largest one, where the number of rows differs.
type (
	call func(path string, args ...any)
	post func(path, body string, args ...any)
)

func (m *filledShop) catalogue(get call) {
	m.t.Helper()
	for _, path := range []string{
		"/wx/home/index", "/wx/catalog/index", "/wx/catalog/all", "/wx/catalog/current?id=1", "/wx/goods/count",
		"/wx/goods/category?id=2", "/wx/goods/detail?id=1", "/wx/goods/related?id=1", "/wx/goods/list?limit=1000",
		"/wx/goods/list?keyword=ware&limit=1000&sort=retail_price", "/wx/goods/list?categoryId=2&brandId=1&isNew=1&isHot=1",
		"/wx/goods/list?keyword=ware&minPrice=0&maxPrice=100",
		"/wx/brand/list?limit=1000", "/wx/brand/detail?id=1", "/wx/comment/list?type=0&valueId=1&showType=0&limit=1000",
		"/wx/comment/list?type=0&valueId=1&showType=0&limit=5",
		"/wx/comment/count?type=0&valueId=1", "/wx/region/list",
	} {
		get(path)
	}
}

func (m *filledShop) account(get call, post post) {
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
	m.Domain.Forget("rate:{code:13900000009}")
	require.NoError(m.t, m.Domain.Accounts.SendCode(m.t.Context(), "13900000009", "192.0.2.1"))
	post("/wx/auth/reset", `{"password":"test-password-2","mobile":"13900000009","code":"%s"}`,
		m.Domain.Messages.Code("13900000009"))
	get("/wx/address/list")
	get("/wx/address/detail?id=%d", m.to)
	post("/wx/address/save", address, m.to)
	m.Domain.Exec("DELETE FROM address WHERE id > 99") // no shopper adds one to a hundred
	post("/wx/address/save", address, 0)
	post("/wx/address/delete", `{"id":%d}`, m.Domain.Int("SELECT MAX(id) FROM address"))
}

func (m *filledShop) carts(get call, post post) {
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
	all := m.Domain.Text("SELECT JSON_ARRAYAGG(id) FROM goods_product")
	post("/wx/cart/checked", `{"productIds":%s,"isChecked":1}`, all)
	// Goods that are not live cost each change one more statement, however many they are.
	m.Domain.Exec("UPDATE goods SET is_on_sale = 0")
	post("/wx/cart/checked", `{"productIds":%s,"isChecked":1}`, all)
	m.Domain.Exec("UPDATE goods SET is_on_sale = 1")
	post("/wx/cart/delete", `{"productIds":%s}`, all)
	m.Domain.Exec("UPDATE coupon SET per_user_limit = 2")
	post("/wx/coupon/receive", `{"couponId":1}`)
}

func (m *filledShop) orders(get call, post post) {
	m.t.Helper()
	d, ctx := m.Domain, m.t.Context()
	get("/wx/order/list?limit=5")
	get("/wx/order/list?limit=1000")
	get("/wx/order/list?limit=1000&showType=4")
	m.fill()
	post("/wx/order/submit", `{"cartId":0,"addressId":%d,"couponId":1}`, m.to)
	id := m.bought()
	get("/wx/order/detail?orderId=%d", id)
	get("/wx/order/channels?orderId=%d", id)
	post("/wx/order/prepay", `{"orderId":%d}`, id)
	post("/wx/order/h5pay", `{"orderId":%d}`, m.bought())
	post("/wx/order/cancel", `{"orderId":%d}`, id)
	post("/wx/order/delete", `{"orderId":%d}`, id)
	id = m.bought()
	m.paid("", id)
	m.paidAt("/wx/order/pay-notify/sandbox", "", m.bought())
	post("/wx/order/remind", `{"orderId":%d}`, id)
	post("/wx/order/readdress", `{"orderId":%d,"addressId":%d}`, id, m.to)
	post("/wx/order/refund", `{"orderId":%d}`, id)
	id = m.bought()
	d.Pay(m.lin, id)
	require.NoError(m.t, d.Orders.Ship(ctx, actor.Operator(1), id, "ZTO", "1"))
	post("/wx/order/confirm", `{"orderId":%d}`, id)
	line := d.Int("SELECT MIN(id) FROM order_goods WHERE order_id = ?", id)
	post("/wx/express/query", `{"orderId":%d}`, id)
	post("/wx/express/query", `{"expCode":"ZTO","expNo":"1"}`)
	get("/wx/order/goods?ogid=%d", line)
	get("/wx/order/goods?orderId=%d&goodsId=%d", id, d.Int("SELECT goods_id FROM order_goods WHERE id = ?", line))
	post("/wx/order/comment", `{"orderGoodsId":%d,"content":"good","star":5}`, line)
	m.aftersales(id, get, post)
	post("/wx/auth/logout", ``)
}

// aftersales submits twice, so that the second case replaces the first, and sends back what a third is about.
func (m *filledShop) aftersales(id int64, get call, post post) {
	m.t.Helper()
	const wish = `{"orderId":%d,"type":2,"reason":"x","amount":1}`
	m.growCases()
	post("/wx/aftersale/submit", wish, id)
	post("/wx/aftersale/submit", wish, id)
	get("/wx/aftersale/list?limit=5")
	get("/wx/aftersale/list?limit=1000")
	get("/wx/aftersale/detail?orderId=%d", id)
	post("/wx/aftersale/cancel", `{"id":%d}`, m.Domain.Int("SELECT MAX(id) FROM aftersale"))
	post("/wx/aftersale/submit", wish, id)
	accepted := m.Domain.Int("SELECT MAX(id) FROM aftersale")
	require.NoError(m.t, m.Domain.Aftersales.Accept(m.t.Context(), actor.Operator(1), accepted, ""))
	post("/wx/aftersale/parcel", `{"id":%d,"shipSn":"1","shipChannel":"ZTO"}`, accepted)
}

// platformToken is the secret with which the app platform signs its messages.
const platformToken = "the-token-of-the-messages"

// files uploads a picture, fetches it, and makes the calls without rows.
func (m *filledShop) files() {
	m.t.Helper()
	me := m.As(m.lin)
	var dot bytes.Buffer
	require.NoError(m.t, png.Encode(&dot, image.NewGray(image.Rect(0, 0, 2, 2))))
	a := me.Upload("/wx/storage/upload", "file", "dot.png", dot.Bytes())
	m.note("", a)
	var object struct {
		Key string `json:"key"`
	}
	a.Data(&object)
	for _, path := range []string{"/wx/storage/fetch/", "/wx/storage/download/"} {
		a := me.GET(path + object.Key)
		require.Equal(m.t, http.StatusOK, a.Status)
		m.note("", a)
	}
	m.note("", me.GET("/wx/home/cache").Fails(errno.NotSupported))
	// The sandbox's page calls only the sandbox, which stores its payments in Redis.
	m.note("", m.Guest().GET(sandbox.PagePath))
	m.note("", m.Guest().Send(http.MethodPost, sandbox.PagePath, strings.NewReader("")))
	q := url.Values{"timestamp": {"1"}, "nonce": {"n"}, "signature": {wechattest.Sign(platformToken, "1", "n")}}.Encode()
	const message = "<xml><ToUserName>a</ToUserName><FromUserName>b</FromUserName><CreateTime>1</CreateTime>" +
		"<MsgType>text</MsgType></xml>"
	for method, body := range map[string]string{http.MethodGet: "", http.MethodPost: message} {
		a := m.Guest().Send(method, "/wx/msg/config?"+q, strings.NewReader(body))
		require.Equal(m.t, http.StatusOK, a.Status)
		m.note("", a)
	}
}

// paid lets the platform report that an order is paid.
func (m *filledShop) paid(way string, id int64) {
	m.t.Helper()
	m.paidAt("/wx/order/pay-notify", way, id)
}

// paidAt is paid at an address of notifications.
func (m *filledShop) paidAt(path, way string, id int64) {
	m.t.Helper()
	_, err := m.Domain.Orders.Prepay(m.t.Context(), m.Domain.Int("SELECT user_id FROM orders WHERE id = ?", id), id, "192.0.2.1", "", "")
	require.NoError(m.t, err)
	header, body, err := m.Domain.Sandbox.Compose(m.t.Context(), m.Domain.Notification(id))
	require.NoError(m.t, err)
	m.Domain.Clock.Move(time.Minute)
	platform := m.Guest()
	for name := range header {
		platform = platform.With(name, header.Get(name))
	}
	a := platform.POST(path, "%s", body)
	require.Equal(m.t, http.StatusNoContent, a.Status)
	m.note(way, a)
}
