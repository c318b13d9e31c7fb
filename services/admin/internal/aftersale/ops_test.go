package aftersale_test

import (
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	domainaftersale "shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/aftersale"
	"shop.internal/services/admin/internal/apitest"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, aftersale.Ops(aftersale.Deps{})...)) }

const (
	list      = "/admin/aftersale/list"
	accept    = "/admin/aftersale/recept"
	acceptAll = "/admin/aftersale/batch-recept"
	reject    = "/admin/aftersale/reject"
	rejectAll = "/admin/aftersale/batch-reject"
	refund    = "/admin/aftersale/refund"
	counts    = "/admin/aftersale/counts"
)

// withCases is a shop with four cases, each of its own order of 99.00 without freight.
func withCases(t *testing.T) *apitest.Env {
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
			OrderID: id, Type: domainaftersale.Type(i % 3), Reason: "太小", Comment: "谢谢", Amount: money.Yuan(int64(i * 10)),
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

func TestCounts(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	clerk(w).POST(accept, `{"id": 1}`).OK()
	clerk(w).POST(reject, `{"id": 2}`).OK()
	w.Shop.Exec("UPDATE aftersale SET deleted = 1 WHERE id = 3")
	w.Operator("lister", "admin:aftersale:list").GET(counts).OK().Golden("counts")
	w.Operator("other", "admin:aftersale:refund").GET(counts).Fails(errno.NoPermission)
}

func clerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:aftersale:list", "admin:aftersale:recept", "admin:aftersale:batch-recept",
		"admin:aftersale:reject", "admin:aftersale:batch-reject", "admin:aftersale:refund")
}

const entries = "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS('|', admin, ip, type, action, status, result) ORDER BY id), " +
	"'') FROM log WHERE type = 2"

// states are those of all cases, and of their orders.
const states = "SELECT CONCAT_WS('/', (SELECT GROUP_CONCAT(status ORDER BY id) FROM aftersale), " +
	"(SELECT GROUP_CONCAT(aftersale_status ORDER BY id) FROM orders))"

func TestRead(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	clerk(w).GET("/admin/aftersale/read?id=1").OK().Golden("read")
	w.Shop.Exec("UPDATE aftersale SET deleted = 1 WHERE id = 2")
	clerk(w).GET("/admin/aftersale/read?id=2").Fails(errno.Invalid)
	w.Operator("other", "admin:order:list").GET("/admin/aftersale/read?id=1").Fails(errno.NoPermission)
}

func TestList(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	c := clerk(w)
	c.POST(reject, `{"id":2}`).OK()
	c.GET(list + "?limit=3").OK().Golden("list")
	c.GET(list + "?status=3").Empty()
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
	} {
		require.Equal(t, want, c.GET(list+"?"+query).IDs(), query)
	}
	for _, query := range []string{"status=x", "orderId=x", "sort=status", "order=up", "limit=-1", "page=0"} {
		c.GET(list + "?" + query).Fails(errno.Invalid)
	}
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	for path, tt := range map[string]struct {
		name, action, after string
	}{
		accept: {"recept", "售后通过", "2,1,5,1/2,1,5,1"},
		reject: {"reject", "售后拒绝", "4,1,5,1/4,1,5,1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := withCases(t)
			c := clerk(w)
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
			require.Empty(t, w.Shop.Text(entries), "what was refused is no entry")
			// The console sends the whole row; only the id is read.
			keyed := c.With("Idempotency-Key", "k")
			const row = `{"id":"1","status":3,"orderId":2,"amount":9999,"type":2,"userId":9,"aftersaleSn":"x"}`
			keyed.POST(path, row).OK().Golden(tt.name)
			keyed.POST(path, row).OK()
			require.Equal(t, tt.after, w.Shop.Text(states))
			require.Equal(t, "clerk|192.0.2.1|2|"+tt.action+"|1|售后编号 20300102000091", w.Shop.Text(entries))
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
			w := withCases(t)
			c := clerk(w)
			lin := w.Shop.Int("SELECT id FROM user WHERE username = 'lin'")
			require.NoError(t, w.Shop.Aftersales.Cancel(t.Context(), lin, 3))
			for _, body := range []string{`{}`, `{"ids":[]}`, `{"ids":null}`} {
				c.POST(path, "%s", body).Fails(errno.Missing)
			}
			for _, body := range []string{`{"ids":1}`, `{"ids":["x"]}`, `{"ids":[1,null]}`, `{"ids":[1.5]}`} {
				c.POST(path, "%s", body).Fails(errno.Invalid)
			}
			require.Empty(t, w.Shop.Text(entries))
			c.POST(path, `{"ids":["1",3,99,4,1]}`).OK().Golden(tt.name)
			require.Equal(t, tt.after, w.Shop.Text(states))
			require.Equal(t, "clerk|192.0.2.1|2|"+tt.action+"|1|售后编号 20300102000091,"+
				"clerk|192.0.2.1|2|"+tt.action+"|1|售后编号 20300102000094", w.Shop.Text(entries))
			w.Shop.Agree()
		})
	}
}

// The stored amount counts, not the one that the console sends.
func TestRefund(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	c := clerk(w)
	c.POST(refund, `{}`).Fails(errno.Missing)
	c.POST(refund, `{"id":99}`).Fails(errno.Invalid)
	c.POST(refund, `{"id":3}`).Fails(errno.OrderConfirmNotAllowed).Says("售后当前为「待审核」，不能进行该操作")
	c.POST(acceptAll, `{"ids":[2,3,4]}`).OK()
	w.Shop.Exec("DELETE FROM log")
	w.Shop.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	c.POST(refund, `{"id":3}`).Fails(errno.OrderRefundFailed)
	require.Equal(t, "1,2,2,2/1,2,2,2", w.Shop.Text(states))
	require.Equal(t, "clerk|192.0.2.1|2|退款|0|订单编号 20300102000003 售后编号 20300102000093", w.Shop.Text(entries))
	w.Shop.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	stock := w.Shop.Int("SELECT number FROM goods_product")
	// The type in the body is ignored: the stored one decides that the goods come back.
	c.POST(refund, `{"id":"3","type":0,"amount":9999,"orderId":1}`).OK().Golden("refund")
	require.Equal(t, stock+1, w.Shop.Int("SELECT number FROM goods_product"))
	c.POST(refund, `{"id":2,"type":2,"amount":9999,"orderId":1}`).OK()
	require.Equal(t, stock+1, w.Shop.Int("SELECT number FROM goods_product"))
	c.POST(refund, `{"id":3}`).Fails(errno.OrderConfirmNotAllowed)
	require.Equal(t, "1,3,3,2/1,3,3,2", w.Shop.Text(states))
	require.Equal(t, "20.00|401", w.Shop.Text("SELECT CONCAT_WS('|', refund_amount, order_status) FROM orders WHERE id = 3"))
	require.Contains(t, w.Shop.Text(entries), "clerk|192.0.2.1|2|退款|1|订单编号 20300102000003 售后编号 20300102000093")
	w.Shop.Agree()
	w.Shop.Exec("UPDATE aftersale SET amount = 100 WHERE id = 4")
	c.POST(refund, `{"id":4}`).Fails(errno.Invalid)
	w.Shop.Exec("UPDATE aftersale SET amount = 30 WHERE id = 4")
	// Another process has just released the refund of case 4 and waits for the platform.
	w.Shop.Exec("INSERT INTO refund (out_refund_no, order_id, payment_id, aftersale_id, user_id, amount, status, attempts, "+
		"add_time, update_time) SELECT 'aftersale_4', 4, id, 4, user_id, 30, 1, 1, ?, ? FROM payment WHERE order_id = 4",
		w.Shop.Clock.Now(), w.Shop.Clock.Now())
	c.POST(refund, `{"id":4}`).Fails(errno.Stale)
}

func TestLostRaces(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	c := clerk(w)
	c.GET(list).OK() // so that the grants are loaded now
	w.Conflict("UPDATE aftersale")
	c.POST(accept, `{"id":1}`).Fails(errno.Stale)
	c.POST(reject, `{"id":1}`).Fails(errno.Stale)
	c.POST(acceptAll, `{"ids":[1]}`).Fails(errno.Stale)
	c.POST(rejectAll, `{"ids":[1]}`).Fails(errno.Stale)
	require.Equal(t, "1,1,1,1/1,1,1,1", w.Shop.Text(states))
}

func TestTwoOperatorsAtOnce(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	c := clerk(w)
	c.POST(accept, `{"id":3}`).OK()
	const each = 8
	answers := make(chan *optest.Answer)
	for range each {
		go func() { answers <- c.POST(refund, `{"id":3}`) }()
		go func() { answers <- c.POST(reject, `{"id":1}`) }()
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
