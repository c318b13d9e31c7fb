package promotion_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	rules      = "/admin/groupon/list"
	groups     = "/admin/groupon/listRecord"
	createRule = "/admin/groupon/create"
	updateRule = "/admin/groupon/update"
	deleteRule = "/admin/groupon/delete"
)

// withRule is a shop with goods of 100.00 and of 50.00, and a group-buy rule on the first for an hour: 10 less for
// three.
func withRule(t *testing.T) (w *apitest.Env, tea cart.AddRequest) {
	t.Helper()
	w = apitest.Open(t)
	tea = w.Shop.Product("tea", money.Yuan(100), 50)
	w.Shop.Product("pot", money.Yuan(50), 50)
	clerk(w).POST(createRule, `{"goodsId":1,"discount":10,"discountMember":3,"expireTime":"2030-01-02 13:00:00"}`).OK()
	return w, tea
}

// buy lets a new shopper order tea under the rule; link is 0 to open a group.
func buy(t *testing.T, w *apitest.Env, name string, tea cart.AddRequest, group int64) (shopper, id int64) {
	t.Helper()
	shopper = w.Shop.Shopper(name)
	row, err := w.Shop.Cart.Set(t.Context(), shopper, tea)
	require.NoError(t, err)
	placed, err := w.Shop.Orders.Submit(t.Context(), shopper, order.Submission{
		Choice: order.Choice{Cart: row, Address: w.Shop.Address(shopper), Rule: 1}, Link: group,
	})
	require.NoError(t, err)
	return shopper, placed.OrderID
}

func TestCreateRule(t *testing.T) {
	t.Parallel()
	w, _ := withRule(t)
	c := clerk(w)
	c.POST(createRule, `{"goodsId":"2","discount":"5","discountMember":2,"expireTime":"2030-02-01 00:00:00","status":2,`+
		`"goodsName":"x","picUrl":"x","id":9}`).OK().Golden("groupon_create")
	for _, body := range []string{
		`{}`, `{"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`,
		`{"goodsId":2,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`,
		`{"goodsId":2,"discount":1,"expireTime":"2030-02-01 00:00:00"}`,
		`{"goodsId":2,"discount":1,"discountMember":2,"expireTime":""}`,
	} {
		c.POST(createRule, "%s", body).Fails(errno.Missing)
	}
	c.POST(deleteRule, `{"id":2}`).OK()
	for _, tt := range [][4]any{
		{99, 1, 2, "2030-02-01 00:00:00"},
		{0, 1, 2, "2030-02-01 00:00:00"},
		{2, 0, 2, "2030-02-01 00:00:00"},
		{2, 50, 2, "2030-02-01 00:00:00"},
		{2, -1, 2, "2030-02-01 00:00:00"},
		{2, 1, 1, "2030-02-01 00:00:00"},
		{2, 1, 2, "2030-01-02 12:00:00"},
		{2, 1, 2, "2030-02-30 00:00:00"},
		{1, 1, 2, "2030-02-01 00:00:00"},
	} {
		c.POST(createRule, `{"goodsId":%v,"discount":%v,"discountMember":%v,"expireTime":"%v"}`, tt[:]...).Fails(errno.Invalid)
	}
	c.POST(createRule, `{"goodsId":2,"discount":1.5,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`).
		Fails(errno.Invalid)
	w.Shop.Agree()
	w.Conflict("INSERT INTO groupon_rules")
	c.POST(createRule, `{"goodsId":2,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`).
		Fails(errno.Stale)
}

// Goods have one running rule, whoever creates it first.
func TestTwoRulesAtOnce(t *testing.T) {
	t.Parallel()
	w, _ := withRule(t)
	c := clerk(w)
	answers := make(chan *optest.Answer)
	const clerks = 8
	for range clerks {
		go func() {
			answers <- c.POST(createRule, `{"goodsId":2,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`)
		}()
	}
	won := 0
	for range clerks {
		if a := <-answers; a.Code() == errno.OK {
			won++
		} else {
			require.Equal(t, errno.Invalid, a.Code(), "%s", a.Body)
		}
	}
	require.Equal(t, 1, won)
	w.Shop.Agree()
}

// The stored end is the time at which the rule ends.
func TestUpdateRule(t *testing.T) {
	t.Parallel()
	w, tea := withRule(t)
	c := clerk(w)
	c.POST(updateRule, `{"discount":1}`).Fails(errno.Missing)
	c.POST(updateRule, `{"id":99,"discount":1}`).Fails(errno.UpdateFailed)
	for _, rest := range []string{
		`"goodsId":99`, `"discount":0`, `"discount":100`, `"discountMember":1`, `"expireTime":"2030-01-02 11:00:00"`,
		`"expireTime":"soon"`, `"goodsId":2,"discount":50`,
	} {
		c.POST(updateRule, `{"id":1,%s}`, rest).Fails(errno.Invalid)
	}
	c.POST(updateRule, `{"id":1,"goodsId":2}`).OK()
	c.POST(updateRule, `{"id":1,"goodsId":1}`).OK()
	buy(t, w, "lin", tea, 0)
	c.POST(updateRule, `{"id":1,"goodsId":2}`).Fails(errno.Invalid)
	w.Shop.Clock.Move(30 * time.Minute)
	c.POST(updateRule, `{"id":1,"goodsId":1,"discount":"20","expireTime":"2030-01-02 14:00:00","status":1,"deleted":true}`).
		OK().Golden("groupon_update")
	w.Shop.Clock.Move(45 * time.Minute) // it would have ended a quarter of an hour ago
	_, err := w.Shop.Orders.EndGroupRules(t.Context())
	require.NoError(t, err)
	require.Zero(t, w.Shop.Int("SELECT status FROM groupon_rules"))
	w.Shop.Clock.Move(time.Hour)
	_, err = w.Shop.Orders.EndGroupRules(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, w.Shop.Int("SELECT status FROM groupon_rules"))
	c.POST(updateRule, `{"id":1,"expireTime":"2030-02-01 00:00:00"}`).Fails(errno.Invalid)
	w.Shop.Agree()
	c.POST(createRule, `{"goodsId":2,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`).OK()
	w.Conflict("UPDATE groupon_rules")
	c.POST(updateRule, `{"id":2,"discount":2}`).Fails(errno.Stale)
}

// A group that has enough members after fewer are required is completed at once: it has no place left, so no further
// payment would complete it.
func TestFewerMembers(t *testing.T) {
	t.Parallel()
	w, tea := withRule(t)
	c := clerk(w)
	lin, opened := buy(t, w, "lin", tea, 0)
	w.Shop.Pay(lin, opened)
	mei, joined := buy(t, w, "mei", tea, 1)
	w.Shop.Pay(mei, joined)
	alone, other := buy(t, w, "hua", tea, 0)
	w.Shop.Pay(alone, other)
	const states = "SELECT GROUP_CONCAT(status ORDER BY id) FROM groupon"
	require.Equal(t, "1,1,1", w.Shop.Text(states))
	c.POST(updateRule, `{"id":1,"discountMember":4}`).OK()
	require.Equal(t, "1,1,1", w.Shop.Text(states))
	c.POST(updateRule, `{"id":1,"discountMember":2}`).OK()
	require.Equal(t, "2,2,1", w.Shop.Text(states))
	w.Shop.Agree()
}

// Groups that the change does not affect cost nothing.
func TestFewerMembersOfManyGroups(t *testing.T) {
	t.Parallel()
	w, _ := withRule(t)
	c := clerk(w)
	fewer := func() int {
		c.POST(updateRule, `{"id":1,"discountMember":4}`).OK()
		return c.POST(updateRule, `{"id":1,"discountMember":3}`).OK().Statements
	}
	sent := fewer()
	w.Shop.Exec("INSERT INTO groupon (order_id, rules_id, user_id, creator_user_id, status, member_count, add_time, " +
		"update_time) WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 50) " +
		"SELECT n, 1, n, n, 1, 1, '2030-01-01', '2030-01-01' FROM c")
	require.Equal(t, sent, fewer())
}

// The groups of a rule that is taken down end, at once or by the job.
func TestDeleteRule(t *testing.T) {
	t.Parallel()
	w, tea := withRule(t)
	c := clerk(w)
	lin, opened := buy(t, w, "lin", tea, 0)
	w.Shop.Pay(lin, opened)
	group := w.Shop.Int("SELECT id FROM groupon WHERE order_id = ?", opened)
	_, joined := buy(t, w, "mei", tea, group)
	c.GET(groups).OK().Golden("groupon_list_record_open")
	c.POST(deleteRule, `{}`).Fails(errno.Missing)
	c.POST(deleteRule, `{"id":"x"}`).Fails(errno.Invalid)
	c.POST(deleteRule, `{"id":1,"goodsId":2}`).OK().Golden("groupon_delete")
	require.Equal(t, "202,103", w.Shop.Text("SELECT GROUP_CONCAT(order_status ORDER BY id) FROM orders"))
	require.Equal(t, "3,3", w.Shop.Text("SELECT GROUP_CONCAT(status ORDER BY id) FROM groupon"))
	require.Equal(t, 49, w.Shop.Stock(tea), "the joiner's piece is back, the opener's waits for the refund: %d", joined)
	require.Equal(t, "2|1", w.Shop.Text("SELECT CONCAT_WS('|', status, deleted) FROM groupon_rules"))
	c.POST(deleteRule, `{"id":1}`).OK().Golden("groupon_delete_again")
	c.POST(updateRule, `{"id":1,"discount":2}`).Fails(errno.UpdateFailed)
	c.GET(groups + "?grouponRuleId=1").OK().Golden("groupon_list_record")
	c.GET(rules).Empty()
	c.POST(createRule, `{"goodsId":1,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`).OK()
	w.Shop.Agree()
	w.Conflict("UPDATE groupon_rules")
	c.POST(deleteRule, `{"id":2}`).Fails(errno.Stale)
}

// The list is sorted as requested, and shows what it counts.
func TestGrouponLists(t *testing.T) {
	t.Parallel()
	w, tea := withRule(t)
	c := clerk(w)
	w.Shop.Clock.Move(time.Minute)
	c.POST(createRule, `{"goodsId":2,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`).OK()
	c.GET(rules).OK().Golden("groupon_list")
	for query, want := range map[string][]int64{
		"": {2, 1}, "goodsId=1": {1}, "goodsId=9": {}, "goodsId=": {2, 1}, "sort=id&order=asc&limit=1": {1},
	} {
		require.Equal(t, want, c.GET(rules+"?"+query).IDs(), query)
	}
	c.GET(rules + "?goodsId=x").Fails(errno.Invalid)
	for i := range 3 {
		shopper, id := buy(t, w, fmt.Sprint("s", i), tea, 0)
		if i > 0 {
			w.Shop.Pay(shopper, id)
		}
	}
	of := func(query string) (all []int64) {
		var got struct {
			List []struct{ Groupon struct{ OrderID int64 } }
		}
		c.GET(groups + "?" + query).Data(&got)
		for _, g := range got.List {
			all = append(all, g.Groupon.OrderID)
		}
		return all
	}
	require.Equal(t, []int64{3, 2}, of(""), "one whose opener has not paid is none")
	require.Equal(t, []int64{2, 3}, of("sort=id&order=asc"))
	require.Equal(t, []int64{2}, of("grouponRuleId=1&limit=1&page=9"))
	require.Empty(t, of("grouponRuleId=2"))
	c.GET(groups + "?grouponRuleId=x").Fails(errno.Invalid)
	c.GET(groups + "?sort=status").Fails(errno.Invalid)
	w.Shop.Exec("UPDATE goods SET deleted = 1 WHERE id = 1")
	require.Equal(t, []int64{3, 2}, of(""))
	w.Shop.Exec("DELETE FROM goods WHERE id = 1")
	require.Equal(t, []int64{3, 2}, of("limit=0"))
}
