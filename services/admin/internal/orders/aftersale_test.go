package orders_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	domainaftersale "shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	aftersaleList   = "/admin/aftersale/list"
	accept          = "/admin/aftersale/recept"
	acceptAll       = "/admin/aftersale/batch-recept"
	aftersaleReject = "/admin/aftersale/reject"
	rejectAll       = "/admin/aftersale/batch-reject"
	aftersaleRefund = "/admin/aftersale/refund"
	aftersaleCounts = "/admin/aftersale/counts"
	receive         = "/admin/aftersale/receive"
	exchange        = "/admin/aftersale/exchange"
)

// withAftersales is a shop with four cases, each of its own order of 99.00 without freight.
func withAftersales(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	s := w.Shop
	lin := s.Shopper("lin")
	shirt := s.Product("shirt", money.Yuan(99), 50)
	for i := range 4 {
		id := s.Order(lin, shirt)
		s.Exec("UPDATE orders SET order_sn = ? WHERE id = ?", fmt.Sprintf("2030010200000%d", id), id)
		s.Pay(lin, id)
		require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "1"))
		require.NoError(t, s.Orders.Confirm(t.Context(), lin, id))
		c, err := s.Aftersales.Submit(t.Context(), lin, domainaftersale.Submission{
			OrderID: id, Type: domainaftersale.Type(i % 3), Reason: "太小", Comment: "谢谢", Amount: new(money.Yuan(int64(i * 10))),
			Pictures: []string{"http://shop.test/1.png"},
		})
		require.NoError(t, err)
		require.EqualValues(t, i+1, c)
		s.Exec("UPDATE aftersale SET aftersale_sn = ? WHERE id = ?", fmt.Sprintf("2030010200009%d", c), c)
		s.Clock.Move(time.Hour)
	}
	s.Exec("DELETE FROM log")
	return w
}

func TestAftersaleCounts(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	aftersaleClerk(w).POST(accept, `{"id": 1}`).OK()
	aftersaleClerk(w).POST(aftersaleReject, `{"id": 2}`).OK()
	w.Shop.Exec("UPDATE aftersale SET deleted = 1 WHERE id = 3")
	w.Operator("lister", "admin:aftersale:list").GET(aftersaleCounts).OK().Golden("aftersale/counts")
	w.Operator("other", "admin:aftersale:refund").GET(aftersaleCounts).Fails(errno.NoPermission)
}

func aftersaleClerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:aftersale:list", "admin:aftersale:recept", "admin:aftersale:batch-recept",
		"admin:aftersale:reject", "admin:aftersale:batch-reject", "admin:aftersale:refund", "admin:aftersale:receive",
		"admin:aftersale:exchange")
}

const aftersaleEntries = "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS('|', admin, ip, type, action, status, result) ORDER BY id), " +
	"'') FROM log WHERE type = 2"

// states are those of all cases, and of their orders.
const states = "SELECT CONCAT_WS('/', (SELECT GROUP_CONCAT(status ORDER BY id) FROM aftersale), " +
	"(SELECT GROUP_CONCAT(aftersale_status ORDER BY id) FROM orders))"

func TestRead(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	aftersaleClerk(w).GET("/admin/aftersale/read?id=1").OK().Golden("aftersale/read")
	w.Shop.Exec("UPDATE aftersale SET deleted = 1 WHERE id = 2")
	aftersaleClerk(w).GET("/admin/aftersale/read?id=2").Fails(errno.Invalid)
	w.Operator("other", "admin:order:list").GET("/admin/aftersale/read?id=1").Fails(errno.NoPermission)
}

func TestAftersaleList(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	c := aftersaleClerk(w)
	c.POST(aftersaleReject, `{"id":2}`).OK()
	c.GET(aftersaleList + "?limit=3").OK().Golden("aftersale/list")
	c.GET(aftersaleList + "?status=3").Empty()
	for query, want := range map[string][]int64{
		"":                              {4, 3, 2, 1},
		"status=&orderId=&aftersaleSn=": {4, 3, 2, 1},
		"sort=id&order=asc":             {1, 2, 3, 4},
		"status=1":                      {4, 3, 1},
		"status=9":                      {},
		"orderId=2":                     {2},
		"orderId=2&status=1":            {},
		"aftersaleSn=20300102000093":    {3},
		"aftersaleSn=2030010200009":     {},
		"aftersaleSn=" + url.QueryEscape("x' or '1'='1"): {},
		"page=7&limit=3": {1},
		"userId=1":       {4, 3, 2, 1},
		"userId=2":       {},
	} {
		require.Equal(t, want, c.GET(aftersaleList+"?"+query).IDs(), query)
	}
	for _, query := range []string{"status=x", "orderId=x", "sort=status", "order=up", "limit=-1", "page=0"} {
		c.GET(aftersaleList + "?" + query).Fails(errno.Invalid)
	}
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	for path, tt := range map[string]struct {
		name, action, after string
	}{
		accept:          {"recept", "售后通过", "2,1,5,1/2,1,5,1"},
		aftersaleReject: {"reject", "售后拒绝", "4,1,5,1/4,1,5,1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := withAftersales(t)
			c := aftersaleClerk(w)
			lin := w.Shop.Int("SELECT id FROM user WHERE username = 'lin'")
			require.NoError(t, w.Shop.Aftersales.Cancel(t.Context(), lin, 3))
			for _, body := range []string{`{}`, `{"id":null}`, `{"id":""}`} {
				c.POST(path, "%s", body).Fails(errno.Missing)
			}
			for _, body := range []string{`{"id":99}`, `{"id":"x"}`, `{"id":1.5}`, `{"id":{}}`, `{"id":-1}`} {
				c.POST(path, "%s", body).Fails(errno.Invalid)
			}
			c.POST(path, `{"id":3}`).Fails(errno.OrderConfirmNotAllowed).Says("售后当前为「已取消」，不能进行该操作")
			w.Shop.Exec("UPDATE orders SET deleted = 1 WHERE id = 4")
			c.POST(path, `{"id":4}`).Fails(errno.Invalid)
			w.Shop.Exec("UPDATE orders SET deleted = 0 WHERE id = 4")
			require.Empty(t, w.Shop.Text(aftersaleEntries), "what was refused is no entry")
			// The console sends the whole row; only the id is read.
			keyed := c.With("Idempotency-Key", "k")
			const row = `{"id":"1","status":3,"orderId":2,"amount":9999,"type":2,"userId":9,"aftersaleSn":"x"}`
			keyed.POST(path, row).OK().Golden("aftersale/" + tt.name)
			keyed.POST(path, row).OK()
			require.Equal(t, tt.after, w.Shop.Text(states))
			require.Equal(t, "clerk|192.0.2.1|2|"+tt.action+"|1|售后编号 20300102000091", w.Shop.Text(aftersaleEntries))
			require.Equal(t, "0.00|0", w.Shop.Text("SELECT CONCAT_WS('|', amount, type) FROM aftersale WHERE id = 1 AND "+
				"handle_time = ? AND handler_id > 0", w.Shop.Clock.Now()))
			w.Shop.Agree()
		})
	}
}

func TestManyDecisions(t *testing.T) {
	t.Parallel()
	for path, tt := range map[string]struct {
		name, action, after string
	}{
		acceptAll: {"batch_recept", "售后通过", "2,1,5,2/2,1,5,2"},
		rejectAll: {"batch_reject", "售后拒绝", "4,1,5,4/4,1,5,4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := withAftersales(t)
			c := aftersaleClerk(w)
			lin := w.Shop.Int("SELECT id FROM user WHERE username = 'lin'")
			require.NoError(t, w.Shop.Aftersales.Cancel(t.Context(), lin, 3))
			for _, body := range []string{`{}`, `{"ids":[]}`, `{"ids":null}`} {
				c.POST(path, "%s", body).Fails(errno.Missing)
			}
			for _, body := range []string{`{"ids":1}`, `{"ids":["x"]}`, `{"ids":[1,null]}`, `{"ids":[1.5]}`} {
				c.POST(path, "%s", body).Fails(errno.Invalid)
			}
			require.Empty(t, w.Shop.Text(aftersaleEntries))
			c.POST(path, `{"ids":["1",3,99,4,1]}`).OK().Golden("aftersale/" + tt.name)
			require.Equal(t, tt.after, w.Shop.Text(states))
			require.Equal(t, "clerk|192.0.2.1|2|"+tt.action+"|1|售后编号 20300102000091,"+
				"clerk|192.0.2.1|2|"+tt.action+"|1|售后编号 20300102000094", w.Shop.Text(aftersaleEntries))
			w.Shop.Agree()
		})
	}
}

// The stored amount counts, not the one that the console sends.
func TestAftersaleRefund(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	c := aftersaleClerk(w)
	c.POST(aftersaleRefund, `{}`).Fails(errno.Missing)
	c.POST(aftersaleRefund, `{"id":99}`).Fails(errno.Invalid)
	c.POST(aftersaleRefund, `{"id":3}`).Fails(errno.OrderConfirmNotAllowed).Says("售后当前为「待审核」，不能进行该操作")
	c.POST(acceptAll, `{"ids":[2,3,4]}`).OK()
	w.Shop.Exec("DELETE FROM log")
	w.Shop.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	c.POST(aftersaleRefund, `{"id":3}`).Fails(errno.OrderRefundFailed)
	require.Equal(t, "1,2,2,2/1,2,2,2", w.Shop.Text(states))
	require.Equal(t, "clerk|192.0.2.1|2|退款|0|订单编号 20300102000003 售后编号 20300102000093", w.Shop.Text(aftersaleEntries))
	w.Shop.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	stock := w.Shop.Int("SELECT number FROM goods_product")
	// The type in the body is ignored: the stored one decides that the goods come back.
	c.POST(aftersaleRefund, `{"id":"3","type":0,"amount":9999,"orderId":1}`).OK().Golden("aftersale/refund")
	require.Equal(t, stock+1, w.Shop.Int("SELECT number FROM goods_product"))
	c.POST(aftersaleRefund, `{"id":2,"type":2,"amount":9999,"orderId":1}`).OK()
	require.Equal(t, stock+1, w.Shop.Int("SELECT number FROM goods_product"))
	c.POST(aftersaleRefund, `{"id":3}`).Fails(errno.OrderConfirmNotAllowed)
	require.Equal(t, "1,3,3,2/1,3,3,2", w.Shop.Text(states))
	require.Equal(t, "20.00|401", w.Shop.Text("SELECT CONCAT_WS('|', refund_amount, order_status) FROM orders WHERE id = 3"))
	require.Contains(t, w.Shop.Text(aftersaleEntries), "clerk|192.0.2.1|2|退款|1|订单编号 20300102000003 售后编号 20300102000093")
	w.Shop.Agree()
	w.Shop.Exec("UPDATE aftersale SET amount = 100 WHERE id = 4")
	c.POST(aftersaleRefund, `{"id":4}`).Fails(errno.Invalid)
	w.Shop.Exec("UPDATE aftersale SET amount = 30 WHERE id = 4")
	// Another process has just released the refund of case 4 and waits for the platform.
	w.Shop.Exec("INSERT INTO refund (out_refund_no, order_id, payment_id, aftersale_id, user_id, amount, status, attempts, "+
		"add_time, update_time) SELECT 'aftersale_4', 4, id, 4, user_id, 30, 1, 1, ?, ? FROM payment WHERE order_id = 4",
		w.Shop.Clock.Now(), w.Shop.Clock.Now())
	c.POST(aftersaleRefund, `{"id":4}`).Fails(errno.Stale)
}

func TestLostRaces(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	c := aftersaleClerk(w)
	c.GET(aftersaleList).OK() // so that the grants are loaded now
	w.Conflict("UPDATE aftersale")
	c.POST(accept, `{"id":1}`).Fails(errno.Stale)
	c.POST(aftersaleReject, `{"id":1}`).Fails(errno.Stale)
	c.POST(acceptAll, `{"ids":[1]}`).Fails(errno.Stale)
	c.POST(rejectAll, `{"ids":[1]}`).Fails(errno.Stale)
	w.Shop.Exec("UPDATE aftersale SET status = 2 WHERE id = 3")
	c.POST(receive, `{"id":3}`).Fails(errno.Stale)
	w.Shop.Exec("UPDATE aftersale SET status = 1 WHERE id = 3")
	withExchange(t, w)
	w.Shop.Exec("UPDATE aftersale SET status = 2 WHERE id = 5")
	c.POST(exchange, `{"id":5,"shipChannel":"SF","shipSn":"77"}`).Fails(errno.Stale)
	w.Shop.Exec("DELETE FROM aftersale WHERE id = 5")
	w.Shop.Exec("DELETE FROM orders WHERE id = 5")
	require.Equal(t, "1,1,1,1/1,1,1,1", w.Shop.Text(states))
}

func TestTwoOperatorsAtOneAftersale(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	c := aftersaleClerk(w)
	c.POST(accept, `{"id":3}`).OK()
	const each = 8
	answers := make(chan *optest.Answer)
	for range each {
		go func() { answers <- c.POST(aftersaleRefund, `{"id":3}`) }()
		go func() { answers <- c.POST(aftersaleReject, `{"id":1}`) }()
		go func() { answers <- c.POST(accept, `{"id":1}`) }()
	}
	won := 0
	for range 3 * each {
		switch a := <-answers; a.Code() {
		case errno.OK:
			won++
		case errno.OrderConfirmNotAllowed, errno.Stale:
		default:
			t.Errorf("%s answers %s", a.Request, a.Body)
		}
	}
	require.Equal(t, 2, won, "one refund, one decision")
	w.Shop.Agree()
}

// withExchange adds a case, 5, of one of two shirts for a larger one, of which there is one, and returns the order.
func withExchange(t *testing.T, w *apitest.Env) int64 {
	t.Helper()
	s := w.Shop
	goods, err := s.Catalog.Create(t.Context(), catalog.NewGoods{
		Goods:          catalog.Goods{SN: "S", Name: "sized shirt", OnSale: true},
		Specifications: []catalog.Specification{{Group: "size", Value: "M"}, {Group: "size", Value: "L"}},
		Products: []catalog.Product{
			{Specifications: []string{"M"}, Price: 9900, Number: 50}, {Specifications: []string{"L"}, Price: 9900, Number: 1},
		},
	})
	require.NoError(t, err)
	medium := s.Int("SELECT MIN(id) FROM goods_product WHERE goods_id = ?", goods)
	lin := s.Int("SELECT id FROM user WHERE username = 'lin'")
	id := s.Order(lin, cart.AddRequest{GoodsID: goods, ProductID: medium, Number: 2})
	s.Exec("UPDATE orders SET order_sn = '20300102000009' WHERE id = ?", id)
	s.Pay(lin, id)
	require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), id, "ZTO", "1"))
	require.NoError(t, s.Orders.Confirm(t.Context(), lin, id))
	c, err := s.Aftersales.Submit(t.Context(), lin, domainaftersale.Submission{
		OrderID: id, Type: domainaftersale.Replacement, Reason: "太小", Lines: []domainaftersale.Wanted{{
			Line: s.Int("SELECT id FROM order_goods WHERE order_id = ?", id), Number: 1, Product: medium + 1,
		}},
	})
	require.NoError(t, err)
	require.EqualValues(t, 5, c)
	s.Exec("UPDATE aftersale SET aftersale_sn = '20300102000095' WHERE id = 5")
	s.Exec("DELETE FROM log")
	return id
}

// A parcel comes back and another product goes out, with what staff have written to the shopper.
func TestExchange(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	c := aftersaleClerk(w)
	id := withExchange(t, w)
	lin := w.Shop.Int("SELECT id FROM user WHERE username = 'lin'")
	parcel := `{"id":5,"shipChannel":"SF","shipSn":"77"}`
	c.POST(exchange, parcel).Fails(errno.OrderConfirmNotAllowed).Says("售后当前为「待审核」，不能进行该操作")
	c.POST(receive, `{"id":5}`).Fails(errno.OrderConfirmNotAllowed).Says("售后当前为「待审核」，不能进行该操作")
	c.POST(accept, `{"id":5,"decision":"请寄回"}`).OK().Golden("aftersale/answer")
	c.POST(aftersaleRefund, `{"id":5}`).Fails(errno.OrderConfirmNotAllowed).Says("该申请是换货，不能退款")
	require.NoError(t, w.Shop.Aftersales.SendBack(t.Context(), lin, 5, domainaftersale.Parcel{Channel: "ZTO", SN: "75001"}))
	c.GET("/admin/aftersale/parcel?id=5").OK().Golden("aftersale/parcel")
	c.GET("/admin/aftersale/parcel?id=99").Fails(errno.Invalid)
	c.POST(receive, `{"id":99}`).Fails(errno.Invalid)
	w.Shop.Clock.Move(time.Hour)
	c.POST(receive, `{"id":5}`).OK().Golden("aftersale/receive")
	c.POST(receive, `{"id":5}`).Fails(errno.OrderConfirmNotAllowed).Says("寄回的商品已签收")
	for _, body := range []string{`{"id":5}`, `{"id":5,"shipChannel":"SF"}`, `{"shipChannel":"SF","shipSn":"1"}`} {
		c.POST(exchange, "%s", body).Fails(errno.Missing)
	}
	for spoil, want := range map[string]*errno.Code{
		"UPDATE goods_product SET number = 0 WHERE id = 3":  errno.GoodsNoStock,
		"UPDATE goods_product SET deleted = 1 WHERE id = 3": errno.GoodsInvalid,
		"UPDATE goods SET is_on_sale = 0 WHERE id = 2":      errno.GoodsUnshelved,
	} {
		w.Shop.Exec(spoil)
		c.POST(exchange, parcel).Fails(want)
		w.Shop.Exec("UPDATE goods_product SET number = 1, deleted = 0 WHERE id = 3")
		w.Shop.Exec("UPDATE goods SET is_on_sale = 1")
	}
	c.POST(exchange, `{"id":99,"shipChannel":"SF","shipSn":"77"}`).Fails(errno.Invalid)
	c.POST(exchange, parcel).OK().Golden("aftersale/exchange")
	c.GET("/admin/aftersale/read?id=5").OK().Golden("aftersale/read_exchanged")
	require.Equal(t, "401|6|1", w.Shop.Text("SELECT CONCAT_WS('|', order_status, aftersale_status, (SELECT COUNT(*) "+
		"FROM order_goods WHERE order_id = orders.id AND price = 0)) FROM orders WHERE id = ?", id))
	w.Shop.Agree()
	for _, path := range []string{accept, aftersaleReject, aftersaleRefund} {
		c.POST(path, `{"id":5}`).Fails(errno.OrderConfirmNotAllowed)
	}
}

// A case about lines is rejected after it was accepted, with an answer.
func TestRejectGoods(t *testing.T) {
	t.Parallel()
	w := withAftersales(t)
	c := aftersaleClerk(w)
	withExchange(t, w)
	c.POST(accept, `{"id":5}`).OK()
	c.POST(accept, `{"id":1}`).OK()
	c.POST(aftersaleReject, `{"id":1,"decision":"坏了"}`).Fails(errno.OrderConfirmNotAllowed)
	c.POST(aftersaleReject, `{"id":5}`).Fails(errno.Missing).Says("缺少处理说明")
	c.POST(aftersaleReject, `{"id":5,"decision":"坏了"}`).OK().Golden("aftersale/reject_goods")
	w.Shop.Agree()
}
