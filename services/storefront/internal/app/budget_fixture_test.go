package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/wechat/wechattest"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

// filledShop is a storefront with n rows of everything, and a multiple of that after it has grown.
type filledShop struct {
	*apitest.Shop
	t        *testing.T
	n, times int
	lin      int64
	to       int64
	wares    []cart.AddRequest
	// spent is the maximum number of statements of each operation.
	spent map[string]int
}

func newFilledShop(t *testing.T, n int) *filledShop {
	t.Helper()
	shop := apitest.OpenWith(t, func(c *app.Config) { c.Wechat.MessageToken = platformToken })
	m := &filledShop{Shop: shop, t: t, n: n, times: 1, spent: map[string]int{}}
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

// fill adds one of each product to the cart.
func (m *filledShop) fill() {
	m.t.Helper()
	now := m.Domain.Clock.Now()
	m.Domain.Exec("INSERT INTO cart (user_id, goods_id, product_id, add_time, update_time) SELECT ?, goods_id, id, ?, ? "+
		"FROM goods_product ON DUPLICATE KEY UPDATE number = 1, checked = 1, deleted = 0", m.lin, now, now)
}

// bought is an order of one of each product.
func (m *filledShop) bought() int64 {
	m.t.Helper()
	m.fill()
	placed, err := m.Domain.Orders.Submit(m.t.Context(), m.lin, order.Submission{Choice: order.Choice{Address: m.to}})
	require.NoError(m.t, err)
	return placed.OrderID
}

// note records the statements of a call; way distinguishes calls of one operation, "" for the usual one.
func (m *filledShop) note(way string, a *optest.Answer) {
	m.t.Helper()
	key := a.Spec.Key() + way
	m.spent[key] = max(m.spent[key], a.Statements)
}

// as returns the calls of a client, which must succeed and are recorded.
func (m *filledShop) as(c *optest.Client) (get call, post post) {
	return func(path string, args ...any) {
			m.t.Helper()
			m.Domain.Clock.Move(time.Minute)
			m.note("", c.GET(path, args...).OK())
		}, func(path, body string, args ...any) {
			m.t.Helper()
			m.Domain.Clock.Move(time.Minute)
			m.note("", c.POST(path, body, args...).OK())
		}
}

// measured calls every operation and returns the number of statements of each.
func (m *filledShop) measured() map[string]int {
	m.t.Helper()
	get, post := m.as(m.As(m.lin))
	m.catalogue(get)
	m.account(get, post)
	m.byApp()
	m.carts(get, post)
	m.traces(get, post)
	m.groups(get, post)
	m.files()
	m.orders(get, post)
	return m.spent
}

// byApp logs in through the app platform and binds the mobile that it certifies.
func (m *filledShop) byApp() {
	m.t.Helper()
	a := m.Guest().POST("/wx/auth/login_by_weixin", `{"code":"code-of-mei","userInfo":{"nickName":"mei"}}`)
	m.note("", a.OK())
	var e struct {
		Token string `json:"token"`
	}
	a.Data(&e)
	iv, data := wechattest.Seal(m.t, m.Domain.App.Key("mei"), wechattest.Number("13900000007", wechattest.AppID))
	m.note("", m.Guest().With("X-Shop-Token", e.Token).
		POST("/wx/auth/bindPhone", `{"iv":"%s","encryptedData":"%s"}`, iv, data).OK())
}
