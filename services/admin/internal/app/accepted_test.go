package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// What requests accept, the consistency check accepts: otherwise anybody could raise an alarm that never ends.
func TestVerifyAcceptsWhatOperatorsMayEnter(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Fill()
	clients := map[string]*optest.Client{} // one for each operation, since some of them end the login
	for i, s := range w.Handler.Specs {
		clients[s.Key()] = w.Operator(fmt.Sprintf("super%d", i), access.Super)
	}
	require.Empty(t, w.Shop.Disagreements())
	n, shopper := 0, w.Shop.Int("SELECT MIN(id) FROM user")
	category := w.Shop.Int("SELECT MIN(id) FROM category WHERE level = 'L2' AND deleted = 0")
	next := func(format string, args ...any) func() string {
		return func() string {
			n++
			return fmt.Sprintf(format, append(args, n)...)
		}
	}
	samples := map[string]func() string{
		"/admin/goods/create": next(`{"goods":{"goodsSn":"b%[2]d","name":"bound %[2]d","categoryId":%[1]d,"brief":"b","unit":"u",
			"keywords":"k","detail":"<p>d</p>","gallery":["http://shop.test/a.png"],"picUrl":"http://shop.test/a.png","sortOrder":1,
			"counterPrice":"2.00","isNew":true,"isHot":true,"isOnSale":true},"specifications":[{"specification":"a","value":"b",
			"picUrl":""}],"products":[{"specifications":["b"],"price":"1.00","number":1,"url":""}],
			"attributes":[{"attribute":"c","value":"d"}]}`, category),
		"/admin/groupon/create": func() string {
			p := w.Shop.Product(next("rule %d")(), money.Yuan(9), 5)
			return fmt.Sprintf(`{"goodsId":%d,"discount":1,"discountMember":2,"expireTime":"2031-01-01 00:00:00"}`, p.GoodsID)
		},
		"/admin/admin/update": func() string { return `{"id":2,"roleIds":[2]}` },
		"/admin/groupon/update": func() string {
			p := w.Shop.Product(next("edited rule %d")(), money.Yuan(9), 5)
			var made struct{ ID int64 }
			w.Super().POST("/admin/groupon/create",
				`{"goodsId":%d,"discount":1,"discountMember":2,"expireTime":"2031-01-01 00:00:00"}`, p.GoodsID).OK().Data(&made)
			return fmt.Sprintf(`{"id":%d,"discount":2}`, made.ID)
		},
		"/admin/role/permissions": func() string { return `{"roleId":2,"permissions":["admin:order:list"]}` },
		"/admin/order/pay": func() string {
			tea := w.Shop.Product(next("pay %d")(), money.Yuan(9), 5)
			return fmt.Sprintf(`{"orderId":%d,"newMoney":"9.00"}`, w.Shop.Order(shopper, tea))
		},
		"/admin/order/collect": func() string {
			id := w.Shop.OrderBy("collect", shopper, w.Shop.Product(next("shelf %d")(), money.Yuan(9), 5))
			w.Shop.Pay(shopper, id)
			return fmt.Sprintf(`{"code":"%s"}`, w.Shop.Text("SELECT collect_code FROM orders WHERE id = ?", id))
		},
		"/admin/order/call-off": func() string {
			buyer := w.Shop.Shopper(next("door%d")())
			tea := w.Shop.Product(next("door %d")(), money.Yuan(9), 5)
			return fmt.Sprintf(`{"orderId":%d,"note":"x"}`, owed(t, w.Shop, buyer, tea))
		},
	}
	accepted, unreached := optest.Bounds(t, w.Handler.Specs, samples, func(s op.Spec) *optest.Client {
		w.Shop.Clock.Move(time.Millisecond)
		return clients[s.Key()]
	})
	require.Greater(t, accepted, 900)
	golden.Value(t, "unreached", unreached)
	for _, name := range []string{"", "/", "..", " ", "\u200b", "a.png"} {
		w.Super().Upload("/admin/storage/create", "file", name, pixels(t)).OK()
	}
	require.Empty(t, w.Shop.Disagreements())
}
