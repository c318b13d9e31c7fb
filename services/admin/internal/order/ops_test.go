package order_test

import (
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/order"
)

func TestMain(m *testing.M) {
	os.Exit(optest.Main(m, order.Ops(order.Deps{})...))
}

const (
	list   = "/admin/order/list"
	detail = "/admin/order/detail"
	ship   = "/admin/order/ship"
	refund = "/admin/order/refund"
	reject = "/admin/order/reject"
	counts = "/admin/order/counts"
)

// withOrders is a shop with four orders, the first by mei and the others by lin: unpaid, paid, refund requested, refund
// requested.
func withOrders(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	s := w.Shop
	mei, lin := s.Shopper("mei_100%"), s.Shopper("lin")
	shirt := s.Product("shirt", money.Yuan(99), 50)
	for i, shopper := range []int64{mei, lin, lin, lin} {
		id := s.Order(shopper, shirt)
		require.EqualValues(t, i+1, id)
		s.Exec("UPDATE orders SET order_sn = ? WHERE id = ?", fmt.Sprintf("2030010200000%d", id), id)
		if i > 0 {
			s.Pay(shopper, id)
		}
		if i > 1 {
			require.NoError(t, s.Orders.AskRefund(t.Context(), shopper, id))
		}
		s.Clock.Move(time.Hour)
	}
	return w
}

func clerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:order:list", "admin:order:read", "admin:order:ship", "admin:order:refund",
		"admin:order:reject")
}

func TestList(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	clerk(w).GET(list).OK().Golden("list")
	clerk(w).GET(list + "?limit=0&start=&end=&orderSn=&nickname=&timeArray=").OK().Golden("list_all")
	clerk(w).GET(list + "?orderStatusArray=999").Empty()
}

// A deleted order does not count, and of very many orders not all.
func TestCounts(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	w.Shop.Exec("UPDATE orders SET deleted = 1 WHERE id = 4")
	w.Shop.Exec("INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, goods_price, "+
		"freight_price, coupon_price, order_price, actual_price, add_time, update_time) SELECT 1, CONCAT('many', "+
		"ROW_NUMBER() OVER ()), 103, '', '', '', 1, 0, 0, 1, 1, NOW(), NOW() FROM information_schema.columns LIMIT ?",
		domainorder.MostCounted+1)
	w.Operator("lister", "admin:order:list").GET(counts).OK().Golden("counts")
	w.Operator("other", "admin:order:read").GET(counts).Fails(errno.NoPermission)
}

func TestFilters(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	w.Shop.Exec("UPDATE orders SET mobile = '13900000003', ship_sn = 'SF-7', pay_id = 'wx-9' WHERE id = 3")
	tests := map[string]struct {
		query url.Values
		want  []int64
	}{
		"all":                   {url.Values{}, []int64{4, 3, 2, 1}},
		"oldest first":          {url.Values{"order": {"asc"}, "sort": {"id"}}, []int64{1, 2, 3, 4}},
		"beyond the last page":  {url.Values{"page": {"7"}, "limit": {"3"}}, []int64{1}},
		"one state":             {url.Values{"orderStatusArray": {"202"}}, []int64{4, 3}},
		"states, repeated":      {url.Values{"orderStatusArray": {"101", "201"}}, []int64{2, 1}},
		"states, by commas":     {url.Values{"orderStatusArray": {"101,201"}}, []int64{2, 1}},
		"states, with brackets": {url.Values{"orderStatusArray[]": {"101", "201"}}, []int64{2, 1}},
		"number":                {url.Values{"orderSn": {"20300102000003"}}, []int64{3}},
		"part of a number":      {url.Values{"orderSn": {"203001"}}, []int64{}},
		"mobile":                {url.Values{"mobile": {"+86 139-0000-0003"}}, []int64{3}},
		"another mobile":        {url.Values{"mobile": {"1390000000"}}, []int64{}},
		"parcel":                {url.Values{"shipSn": {"SF-7"}}, []int64{3}},
		"payment":               {url.Values{"payId": {"wx-9"}}, []int64{3}},
		"parcel of the shopper": {url.Values{"shipSn": {"SF-7"}, "userId": {"2"}, "orderStatusArray": {"202"}}, []int64{3}},
		"shopper":               {url.Values{"userId": {"1"}}, []int64{1}},
		"nickname":              {url.Values{"nickname": {"ME"}}, []int64{1}},
		"percent is a percent":  {url.Values{"nickname": {"%"}}, []int64{1}},
		"underscore is itself":  {url.Values{"nickname": {"_"}}, []int64{1}},
		"recipient":             {url.Values{"consignee": {"林"}}, []int64{4, 3, 2, 1}},
		"recipient, percent":    {url.Values{"consignee": {"%"}}, []int64{}},
		"recipient, many terms": {url.Values{"consignee": {"林一峰"}}, []int64{}},
		"from, to": {
			url.Values{"start": {"2030-01-02 13:00:00"}, "end": {"2030-01-02 15:00:00"}}, []int64{3, 2},
		},
		"all must hold":           {url.Values{"nickname": {"lin"}, "orderStatusArray": {"201"}}, []int64{2}},
		"nickname, always true":   {url.Values{"nickname": {"x' or '1'='1"}}, []int64{}},
		"nickname, sleeping":      {url.Values{"nickname": {"x%' or sleep(5) -- "}}, []int64{}},
		"nickname, a star":        {url.Values{"nickname": {"1*"}}, []int64{}},
		"nickname, a backslash":   {url.Values{"nickname": {`\`}}, []int64{}},
		"consignee, always true":  {url.Values{"consignee": {"x' or '1'='1"}}, []int64{}},
		"consignee, sleeping":     {url.Values{"consignee": {"x%' or sleep(5) -- "}}, []int64{}},
		"consignee, a backslash":  {url.Values{"consignee": {`\`}}, []int64{}},
		"orderSn, always true":    {url.Values{"orderSn": {"x' or '1'='1"}}, []int64{}},
		"orderSn, sleeping":       {url.Values{"orderSn": {"x%' or sleep(5) -- "}}, []int64{}},
		"orderSn, a backslash":    {url.Values{"orderSn": {`\`}}, []int64{}},
		"orderSn, a number times": {url.Values{"orderSn": {"1*"}}, []int64{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, clerk(w).In(t).GET(list+"?"+tt.query.Encode()).IDs())
		})
	}
}

func TestBadQueries(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	for _, q := range []url.Values{
		{"orderStatusArray": {"101) or (1=1"}},
		{"orderStatusArray": {"101,sleep(5)"}},
		{"start": {"yesterday"}},
		{"end": {"2030-02-30 00:00:00"}},
		{"start": {"2030-01-01"}},
		{"sort": {"password"}},
		{"sort": {"order_sn"}},
		{"order": {"desc limit 1,1"}},
		{"limit": {"-1"}},
		{"page": {"x"}},
	} {
		t.Run(q.Encode(), func(t *testing.T) { clerk(w).In(t).GET(list + "?" + q.Encode()).Fails(errno.Invalid) })
	}
}

// An unknown id is an invalid value.
func TestDetail(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	clerk(w).GET(detail + "?id=2").OK().Golden("detail")
	clerk(w).GET(detail + "?id=1").OK().Golden("detail_unpaid")
	w.Shop.Exec("UPDATE orders SET deleted = 1 WHERE id = 1")
	w.Shop.Exec("DELETE FROM user")
	clerk(w).GET(detail + "?id=1").OK().Golden("detail_deleted_of_nobody")
	clerk(w).GET(detail).Fails(errno.Missing)
	for _, id := range []string{"99", "0", "-1", "1.5", "1%20or%201=1", "9007199254740993"} {
		clerk(w).GET(detail + "?id=" + id).Fails(errno.Invalid)
	}
}

func TestChannel(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("norole").GET("/admin/order/channel").OK().Golden("channel")
}

const entries = "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS('|', admin, ip, type, action, status, result) ORDER BY id), " +
	"'') FROM log WHERE type = 2"

func TestShip(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := clerk(w)
	c.POST(ship, `{"orderId":2,"shipChannel":"","shipSn":"SF1"}`).Fails(errno.Missing)
	c.POST(ship, `{"orderId":2,"shipChannel":"ZTO"}`).Fails(errno.Missing)
	c.POST(ship, `{"shipChannel":"ZTO","shipSn":"1"}`).Fails(errno.Missing)
	c.POST(ship, `{"orderId":"two","shipChannel":"ZTO","shipSn":"1"}`).Fails(errno.Invalid)
	c.POST(ship, `{"orderId":99,"shipChannel":"ZTO","shipSn":"1"}`).Fails(errno.Invalid)
	c.POST(ship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"%064d"}`, 1).Fails(errno.Invalid)
	c.POST(ship, `{"orderId":1,"shipChannel":"ZTO","shipSn":"1"}`).Fails(errno.OrderConfirmNotAllowed).Says("订单当前为「未付款」，不能进行该操作")
	require.Empty(t, w.Shop.Text(entries), "what was refused is no entry")
	keyed := c.With("Idempotency-Key", "ship-2")
	keyed.POST(ship, `{"orderId":"2","shipChannel":"ZTO","shipSn":"75001","goodsList":[]}`).OK().Golden("ship")
	keyed.POST(ship, `{"orderId":"2","shipChannel":"ZTO","shipSn":"75001","goodsList":[]}`).OK()
	keyed.POST(ship, `{"orderId":3,"shipChannel":"ZTO","shipSn":"75001"}`).Fails(errno.Invalid)
	c.POST(ship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"75001"}`).Fails(errno.OrderConfirmNotAllowed)
	c.GET(detail + "?id=2").OK().Golden("detail_shipped")
	require.Equal(t, "clerk|192.0.2.1|2|发货|1|订单编号 20300102000002", w.Shop.Text(entries))
	w.Shop.Agree()
}

// A wrong parcel is corrected while the order is shipped, and in no other state.
func TestReship(t *testing.T) {
	t.Parallel()
	const reship = "/admin/order/reship"
	w := withOrders(t)
	c := clerk(w)
	packer := w.Operator("packer", "admin:order:reship")
	c.POST(ship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"75001"}`).OK()
	c.POST(reship, `{"orderId":2,"shipChannel":"SF","shipSn":"9"}`).Fails(errno.NoPermission)
	packer.POST(reship, `{"orderId":3,"shipChannel":"SF","shipSn":"9"}`).Fails(errno.OrderConfirmNotAllowed)
	packer.POST(reship, `{"orderId":2,"shipChannel":"SF"}`).Fails(errno.Missing)
	packer.POST(reship, `{"orderId":99,"shipChannel":"SF","shipSn":"9"}`).Fails(errno.Invalid)
	w.Shop.Clock.Move(time.Hour)
	packer.POST(reship, `{"orderId":2,"shipChannel":"SF","shipSn":"9000000000001"}`).OK().Golden("reship")
	packer.POST(reship, `{"orderId":2,"shipChannel":"SF","shipSn":"9000000000001"}`).OK()
	require.Equal(t, "SF 9000000000001", w.Shop.Text("SELECT CONCAT(ship_channel, ' ', ship_sn) FROM orders WHERE id = 2"))
	require.Equal(t, []string{"ship", "reship, before: ZTO 75001"},
		w.Shop.Texts("SELECT reason FROM order_status_log WHERE order_id = 2 AND to_status = 301 ORDER BY id"))
	require.EqualValues(t, 2, w.Shop.Int("SELECT COUNT(*) FROM outbox_event WHERE event_key LIKE 'order.shipped:2:%'"),
		"the shopper is told of each parcel, once")
	w.Shop.Agree()
	require.NoError(t, w.Shop.Orders.Confirm(t.Context(), w.Shop.Int("SELECT user_id FROM orders WHERE id = 2"), 2))
	packer.POST(reship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"75001"}`).Fails(errno.OrderConfirmNotAllowed)
	w.Shop.Exec("UPDATE orders SET order_status = 301 WHERE id = 2")
	w.Conflict("UPDATE orders")
	packer.POST(reship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"75001"}`).Fails(errno.Stale)
}

func TestShipLosesARace(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := clerk(w)
	c.GET("/admin/order/channel").OK() // so that the grants are loaded now, and shipping reads the order at once
	release := w.Shop.Hold("UPDATE orders SET user_id = 1, version = version + 1 WHERE id = 2")
	answered := make(chan *optest.Answer)
	go func() { answered <- c.POST(ship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"75001"}`) }()
	w.Shop.Waiting() // it has read the order and waits for the row
	release()
	(<-answered).Fails(errno.Stale)
	require.Empty(t, w.Shop.Text(entries))
}

func TestTwoOperatorsAtOnce(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := clerk(w)
	paid := w.Shop.Text("SELECT actual_price FROM orders WHERE id = 3")
	calls := []func() *optest.Answer{
		func() *optest.Answer { return c.POST(refund, `{"orderId":3,"refundMoney":%s}`, paid) },
		func() *optest.Answer { return c.POST(reject, `{"orderId":3}`) },
	}
	answers := make(chan *optest.Answer)
	const each = 5
	for _, call := range calls {
		for range each {
			go func() { answers <- call() }()
		}
	}
	won := 0
	for range each * len(calls) {
		switch a := <-answers; a.Code() {
		case errno.OK:
			won++
		case errno.OrderConfirmNotAllowed, errno.Stale:
		default:
			t.Errorf("%s answers %s", a.Request, a.Body)
		}
	}
	require.Equal(t, 1, won)
	w.Shop.Agree()
}

func TestRefund(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := clerk(w)
	c.POST(refund, `{"orderId":3}`).Fails(errno.Missing)
	c.POST(refund, `{"refundMoney":109}`).Fails(errno.Missing)
	for _, amount := range []string{"108.99", "-109", "0", `"all"`, "109.001", "1e30"} {
		c.POST(refund, `{"orderId":3,"refundMoney":%s}`, amount).Fails(errno.Invalid)
	}
	c.POST(refund, `{"orderId":99,"refundMoney":1}`).Fails(errno.Invalid)
	paid := w.Shop.Text("SELECT actual_price FROM orders WHERE id = 3")
	c.POST(refund, `{"orderId":2,"refundMoney":%s}`, paid).Fails(errno.OrderConfirmNotAllowed).Says("订单当前为「已付款」，不能进行该操作")
	w.Shop.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	c.POST(refund, `{"orderId":3,"refundMoney":%s}`, paid).Fails(errno.OrderRefundFailed)
	require.EqualValues(t, 202, w.Shop.Int("SELECT order_status FROM orders WHERE id = 3"))
	require.Equal(t, "clerk|192.0.2.1|2|退款|0|订单编号 20300102000003", w.Shop.Text(entries))
	w.Shop.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	w.Shop.Clock.Move(10 * time.Minute)
	c.POST(refund, `{"orderId":3,"refundMoney":"%s"}`, paid).OK().Golden("refund")
	c.POST(refund, `{"orderId":3,"refundMoney":"%s"}`, paid).Fails(errno.OrderConfirmNotAllowed)
	c.GET(detail + "?id=3").OK()
	require.Contains(t, w.Shop.Text(entries), "clerk|192.0.2.1|2|退款|1|订单编号 20300102000003")
	// Another process has just released the refund of order 4 and waits for the platform.
	w.Shop.Exec("UPDATE refund SET status = 1, update_time = ? WHERE order_id = 4", w.Shop.Clock.Now())
	c.POST(refund, `{"orderId":4,"refundMoney":%s}`, paid).Fails(errno.Stale)
}

func TestReject(t *testing.T) {
	t.Parallel()
	w := withOrders(t)
	c := clerk(w)
	c.POST(reject, `{}`).Fails(errno.Missing)
	c.POST(reject, `{"orderId":99}`).Fails(errno.Invalid)
	c.POST(reject, `{"orderId":3,"reason":"%0128d"}`, 1).Fails(errno.Invalid)
	c.POST(reject, `{"orderId":2,"reason":"no"}`).Fails(errno.OrderConfirmNotAllowed).Says("订单当前为「已付款」，不能进行该操作")
	c.POST(reject, `{"orderId":3,"reason":"已经发出"}`).OK().Golden("reject")
	c.GET(detail + "?id=3").OK().Golden("detail_rejected")
	require.Equal(t, "clerk|192.0.2.1|2|拒绝退款|1|订单编号 20300102000003", w.Shop.Text(entries))
	w.Shop.Agree()
	w.Shop.Exec("UPDATE refund SET status = 1, update_time = ? WHERE order_id = 4", w.Shop.Clock.Now())
	c.POST(reject, `{"orderId":4}`).Fails(errno.Stale)
}
