package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// What requests accept, the consistency check accepts, also after the audit records of it are purged: otherwise an
// operator or a retention could raise an alarm that never ends.
func TestVerifyAcceptsWhatOperatorsMayEnter(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Fill()
	clients := map[string]*optest.Client{} // one for each operation, since some of them end the login
	for i, s := range w.Handler.Specs {
		clients[s.Key()] = w.Operator(fmt.Sprintf("super%d", i), access.Super)
	}
	require.Empty(t, w.Shop.Disagreements())
	a := &accepted{Env: w, t: t, shopper: w.Shop.Int("SELECT MIN(id) FROM user")}
	a.twice()
	sent, unreached := optest.Bounds(t, w.Handler.Specs, a.samples(), func(s op.Spec) *optest.Client {
		w.Shop.Clock.Move(time.Second)
		if s.Path == "/admin/profile/password" {
			return w.Operator(a.operator)
		}
		return clients[s.Key()]
	})
	require.Greater(t, sent, 1000)
	require.Empty(t, unreached)
	for _, name := range []string{"", "/", "..", " ", "\u200b", "a.png"} {
		w.Super().Upload("/admin/storage/create", "file", name, pixels(t)).OK()
	}
	a.granted()
	a.settings()
	sheet := apitest.Sheet(apitest.SheetRow("goodsSn: N-1", "name: bowl", "specifications: 规格=标准", "price: 9.9", "number: 3"))
	w.Super().Upload("/admin/goods/import/check", "file", "a.csv", []byte(sheet)).OK()
	w.Super().Upload("/admin/goods/import", "file", "a.csv", []byte(sheet)).OK()
	recorded := w.Shop.Texts("SELECT DISTINCT method_path FROM audit_log")
	for _, s := range w.Handler.Specs {
		if s.Audit.Target != "" && s.Method == http.MethodPost {
			require.Contains(t, recorded, s.Key(), "a change that was not made")
		}
	}
	// The dead letters of the requests that were refused.
	for _, id := range w.Shop.Texts("SELECT id FROM outbox_event WHERE topic = 'bound' AND state = 2") {
		w.Super().POST("/admin/order/case/dismiss", `{"id":%s,"note":"left"}`, id).OK()
	}
	require.Empty(t, w.Shop.Disagreements())
	a.purged()
}

// granted makes an operator, and gives a role a right some time after it was made.
func (a *accepted) granted() {
	a.t.Helper()
	var made struct{ ID int64 }
	a.Super().POST("/admin/role/create", `{"name":"later"}`).OK().Data(&made)
	a.Shop.Clock.Move(5 * time.Minute)
	a.Super().POST("/admin/admin/create", `{"username":"later_one","password":%q,"roleIds":[%d]}`, apitest.Password, made.ID).OK()
	a.Shop.Clock.Move(time.Second)
	a.Super().POST("/admin/role/permissions", `{"roleId":%d,"permissions":["admin:log:list"]}`, made.ID).OK()
	a.Shop.Clock.Move(time.Second)
}

// settings sends each setting texts at its bounds, and odd ones.
func (a *accepted) settings() {
	a.t.Helper()
	texts := []string{"", "0", "1", "9", "30", "100", "9.99", "9999999.99", "-180", "true", "false", " ", "茶", "🍵", "a'\\%", "1e3"}
	for _, s := range a.Handler.Specs {
		if !s.Free() {
			continue
		}
		var names map[string]string
		a.Super().GET(s.Path).OK().Data(&names)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			taken := 0
			for _, text := range texts {
				a.Shop.Clock.Move(time.Second)
				if a.Super().POST(s.Path, `{%q:%q}`, name, text).Code() == errno.OK {
					taken++
				}
			}
			require.Positive(a.t, taken, name)
		}
	}
}

// purged removes the audit records from the oldest on, and verifies the books after each part.
func (a *accepted) purged() {
	a.t.Helper()
	s := a.Shop
	// A record has the time of its call, and a row that of its change: as if each call took five seconds.
	for _, table := range []string{"audit_log", "log"} {
		s.Exec("UPDATE " + table + " SET add_time = add_time - INTERVAL 5 SECOND WHERE add_time > (SELECT at FROM (" +
			"SELECT MAX(add_time) AS at FROM audit_log WHERE seal_no IS NOT NULL) sealed)")
	}
	run := func(k domain.Retention, job string) {
		a.t.Helper()
		d := s.WithRetention(k)
		for _, j := range d.Jobs() {
			for n := 1; j.Name == job && n > 0; {
				var err error
				n, err = j.Run(a.t.Context())
				require.NoError(a.t, err)
			}
		}
	}
	run(domain.Retention{}, audit.SealJob)
	require.Empty(a.t, s.Disagreements())
	run(domain.Retention{}, "verify")
	kept, err := s.HeadKept(a.t.Context())
	require.NoError(a.t, err)
	require.True(a.t, kept, "each purge must have been kept")
	all := s.Int("SELECT COUNT(*) FROM audit_log")
	parts := []int64{all / 3, all * 2 / 3, all}
	for _, call := range []string{"goods/hot", "admin/create", "role/permissions"} {
		parts = append(parts, s.Int("SELECT COUNT(*) FROM audit_log WHERE add_time <= (SELECT MAX(add_time) FROM audit_log "+
			"WHERE method_path = ?)", "POST /admin/"+call)) // up to the record of what was made a moment later
	}
	slices.Sort(parts)
	var times []time.Time
	for _, n := range parts {
		at, err := time.Parse(time.RFC3339, s.Text("SELECT add_time FROM audit_log ORDER BY add_time LIMIT 1 OFFSET ?", n-1))
		require.NoError(a.t, err)
		times = append(times, at)
	}
	for i, at := range times {
		run(domain.Retention{Audit: s.Clock.Now().Sub(at)}, "purge")
		require.Empty(a.t, s.Disagreements(), "%d of %d records are purged", parts[i], all)
		run(domain.Retention{}, audit.SealJob)
		if i == 0 {
			a.stillSeen()
		}
	}
	const short = time.Millisecond
	s.Clock.Move(100 * 24 * time.Hour) // also bodies of notifications and events
	run(domain.Retention{
		Footprints: short, Searches: short, Feedback: short, Uploads: short, Audit: short, Log: short, Notices: short,
	}, "purge")
	require.Empty(a.t, s.Disagreements(), "all that has a retention is purged")
}

// stillSeen fails unless a right without a record is seen after a purge.
func (a *accepted) stillSeen() {
	a.t.Helper()
	a.Shop.Exec("INSERT INTO permission (role_id, permission, add_time, update_time) SELECT 2, 'admin:admin:create', " +
		"MAX(add_time), MAX(add_time) FROM audit_log WHERE method_path <> 'purge'")
	var tables []string
	for _, d := range a.Shop.Disagreements() {
		tables = append(tables, d.Table)
	}
	require.Contains(a.t, tables, "permission")
	a.Shop.Exec("DELETE FROM permission WHERE permission = 'admin:admin:create' AND role_id = 2")
}

// accepted makes requests that succeed, each for one call.
type accepted struct {
	*apitest.Env
	t       *testing.T
	shopper int64
	n       int
	// operator is the one that was made last.
	operator string
}

// next is a text of its own.
func (a *accepted) next(format string) string {
	a.n++
	return fmt.Sprintf(format, a.n)
}

func (a *accepted) product() cart.AddRequest {
	return a.Shop.Product(a.next("bound %d"), money.Yuan(9), 5)
}

func (a *accepted) order() int64 { return a.Shop.Order(a.shopper, a.product()) }

// costs is what an order costs; its freight depends on settings, which requests change.
func (a *accepted) costs(order int64) string {
	return a.Shop.Text("SELECT actual_price FROM orders WHERE id = ?", order)
}

// refunding is an order whose shopper waits for the money.
func (a *accepted) refunding() int64 {
	id := a.order()
	a.Shop.Pay(a.shopper, id)
	require.NoError(a.t, a.Shop.Orders.AskRefund(a.t.Context(), a.shopper, id))
	return id
}

// appointed makes an operator. The wrong passwords that were sent count against the address of all.
func (a *accepted) appointed() string {
	a.Shop.Forget("rate:{attempt:staff:ip:192.0.2.1}")
	a.operator = a.next("bound_%d")
	a.Operator(a.operator)
	return a.operator
}

// groupRule is the body of a new rule.
func (a *accepted) groupRule() string {
	return fmt.Sprintf(`{"goodsId":%d,"discount":1,"discountMember":2,"expireTime":"2031-01-01 00:00:00"}`, a.product().GoodsID)
}

// twice lets a shopper receive a coupon twice, before an operator allows it once.
func (a *accepted) twice() {
	made, err := a.Shop.Promotions.AddCoupon(a.t.Context(), promotion.CouponChange{
		Name: new("twice"), Discount: new(money.Yuan(1)), PerShopper: new(2), Days: new(7),
	})
	require.NoError(a.t, err)
	for range 2 {
		require.NoError(a.t, a.Shop.Promotions.Receive(a.t.Context(), a.shopper, made.ID))
	}
	a.Super().POST("/admin/coupon/update", `{"id":%d,"limit":1}`, made.ID).OK()
}

// samples are the bodies of operations that random ones do not reach.
func (a *accepted) samples() map[string]func() string {
	ctx, s := a.t.Context(), a.Shop
	category := s.Int("SELECT MIN(id) FROM category WHERE level = 'L2' AND deleted = 0")
	const goods = `"name":%q,"categoryId":%d,"brief":"b","unit":"u","keywords":"k","detail":"<p>d</p>",
		"gallery":["http://shop.test/a.png"],"picUrl":"http://shop.test/a.png","sortOrder":1,"counterPrice":"2.00","isNew":true,
		"isHot":true,"isOnSale":true`
	letter := func() string {
		key := a.next("bound %d")
		s.Exec("INSERT INTO outbox_event (topic, event_key, state, available_time, add_time) VALUES ('bound', ?, 2, ?, ?)",
			key, s.Clock.Now(), s.Clock.Now())
		return fmt.Sprintf(`{"id":%d,"note":"x"}`, s.Int("SELECT id FROM outbox_event WHERE event_key = ?", key))
	}
	return map[string]func() string{
		"/admin/goods/create": func() string {
			return fmt.Sprintf(`{"goods":{"goodsSn":%q,`+goods+`},
				"specifications":[{"specification":"a","value":"b","picUrl":""}],
				"products":[{"specifications":["b"],"price":"1.00","number":1,"url":""}],
				"attributes":[{"attribute":"c","value":"d"}]}`, a.next("b%d"), a.next("bound %d"), category)
		},
		"/admin/goods/update": func() string {
			p := a.product()
			return fmt.Sprintf(`{"goods":{"id":%d,"goodsSn":%q,`+goods+`},
				"specifications":[{"id":%d,"specification":"规格","value":"标准","picUrl":""}],
				"products":[{"id":%d,"specifications":["标准"],"price":"1.00","number":1,"url":""}],
				"attributes":[{"attribute":"c","value":"d"}]}`, p.GoodsID, a.next("b%d"), a.next("bound %d"), category,
				s.Int("SELECT id FROM goods_specification WHERE goods_id = ?", p.GoodsID), p.ProductID)
		},
		"/admin/groupon/create": a.groupRule,
		"/admin/groupon/update": func() string {
			var made struct{ ID int64 }
			a.Super().POST("/admin/groupon/create", "%s", a.groupRule()).OK().Data(&made)
			return fmt.Sprintf(`{"id":%d,"discount":2}`, made.ID)
		},
		"/admin/goods/hot":        func() string { return fmt.Sprintf(`{"productId":%d,"hotMode":1}`, a.product().ProductID) },
		"/admin/admin/update":     func() string { return `{"id":2,"roleIds":[2]}` },
		"/admin/role/permissions": func() string { return `{"roleId":2,"permissions":["admin:order:list"]}` },
		"/admin/auth/login": func() string {
			return fmt.Sprintf(`{"username":%q,"password":%q}`, a.appointed(), apitest.Password)
		},
		"/admin/profile/password": func() string {
			a.appointed()
			return fmt.Sprintf(`{"oldPassword":%q,"newPassword":"another-1"}`, apitest.Password)
		},
		"/admin/order/pay": func() string {
			id := a.order()
			return fmt.Sprintf(`{"orderId":%d,"newMoney":%q}`, id, a.costs(id))
		},
		"/admin/order/refund": func() string {
			id := a.refunding()
			return fmt.Sprintf(`{"orderId":%d,"refundMoney":%q}`, id, a.costs(id))
		},
		"/admin/order/reject": func() string { return fmt.Sprintf(`{"orderId":%d,"reason":"x"}`, a.refunding()) },
		"/admin/aftersale/reject": func() string {
			id := a.order()
			s.Pay(a.shopper, id)
			require.NoError(a.t, s.Orders.Ship(ctx, actor.Operator(1), id, "ZTO", "1"))
			require.NoError(a.t, s.Orders.Confirm(ctx, a.shopper, id))
			asked, err := s.Aftersales.Submit(ctx, a.shopper, aftersale.Submission{
				OrderID: id, Type: aftersale.RefundOnly, Reason: "small", Amount: money.Yuan(1),
			})
			require.NoError(a.t, err)
			return fmt.Sprintf(`{"id":%d}`, asked)
		},
		"/admin/order/case/settle": func() string {
			id := a.order()
			_, err := s.Orders.Prepay(ctx, a.shopper, id, "192.0.2.1")
			require.NoError(a.t, err)
			wrong := s.Notification(id)
			wrong.Amount++
			require.Error(a.t, s.Deliver(wrong))
			return fmt.Sprintf(`{"id":%d,"note":"x"}`, s.Int("SELECT MAX(id) FROM payment_notify"))
		},
		"/admin/order/case/repay": func() string {
			id := a.refunding()
			s.Sandbox.Behave(sandbox.Behaviour{Silent: true, Refuse: true})
			defer s.Sandbox.Behave(sandbox.Behaviour{Silent: true})
			paid, err := money.Parse(a.costs(id))
			require.NoError(a.t, err)
			require.Error(a.t, s.Orders.Refund(ctx, actor.Operator(1), id, paid))
			return fmt.Sprintf(`{"id":%d,"note":"x"}`, s.Int("SELECT MAX(id) FROM refund"))
		},
		"/admin/order/case/retry": letter, "/admin/order/case/dismiss": letter,
	}
}
