package order_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/order"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, order.Ops(order.Deps{})...)) }

const (
	checkout  = "/wx/cart/checkout"
	submit    = "/wx/order/submit"
	list      = "/wx/order/list"
	detail    = "/wx/order/detail"
	cancel    = "/wx/order/cancel"
	prepay    = "/wx/order/prepay"
	h5pay     = "/wx/order/h5pay"
	channels  = "/wx/order/channels"
	confirm   = "/wx/order/confirm"
	remove    = "/wx/order/delete"
	refund    = "/wx/order/refund"
	remind    = "/wx/order/remind"
	readdress = "/wx/order/readdress"
	line      = "/wx/order/goods"
	comment   = "/wx/order/comment"
)

// world is a shop with one shopper and goods to buy.
type world struct {
	*apitest.Shop
	t       *testing.T
	shopper int64
	lin     *optest.Client
	tea     cart.AddRequest
}

func open(t *testing.T) *world {
	t.Helper()
	s := apitest.Open(t)
	shopper := s.Domain.Shopper("lin")
	return &world{s, t, shopper, s.As(shopper), s.Domain.Product("tea", 4550, 100)}
}

// placed is an order of one tea with a fixed number, for golden files.
func (w *world) placed() int64 {
	w.t.Helper()
	id := w.Domain.Order(w.shopper, w.tea)
	w.Domain.Exec("UPDATE orders SET order_sn = ? WHERE id = ?", fmt.Sprintf("20300102%010d", id), id)
	return id
}

// in is an order in a state, brought there by its transitions; 104 and 204 are only read from imported data.
func (w *world) in(status domainorder.Status) int64 {
	w.t.Helper()
	ctx, d, staff := w.t.Context(), w.Domain, actor.Operator(1)
	id := w.placed()
	must := func(err error) { w.t.Helper(); require.NoError(w.t, err) }
	switch status {
	case domainorder.Unpaid:
		return id
	case domainorder.Cancelled:
		must(d.Orders.Cancel(ctx, w.shopper, id))
		return id
	case domainorder.Expired:
		d.Clock.Move(31 * time.Minute)
		_, err := d.Orders.ExpireUnpaid(ctx)
		must(err)
		return id
	case domainorder.Dropped, domainorder.GroupFailed:
		d.Exec("UPDATE orders SET order_status = ? WHERE id = ?", status, id)
		return id
	}
	d.Pay(w.shopper, id)
	switch status {
	case domainorder.RefundAsked:
		must(d.Orders.AskRefund(ctx, w.shopper, id))
	case domainorder.Refunded:
		must(d.Orders.AskRefund(ctx, w.shopper, id))
		must(d.Orders.Refund(ctx, staff, id, 5350))
	case domainorder.Shipped, domainorder.Received, domainorder.AutoReceived:
		must(d.Orders.Ship(ctx, staff, id, "ZTO", "75001"))
	}
	if status == domainorder.Received || status == domainorder.AutoReceived {
		must(d.Orders.Confirm(ctx, w.shopper, id))
		d.Exec("UPDATE orders SET order_status = ? WHERE id = ?", status, id)
	}
	return id
}

// states are all states; the expired one comes first, since expiring would affect the others too.
var states = []domainorder.Status{
	domainorder.Expired, domainorder.Unpaid, domainorder.Cancelled, domainorder.Dropped, domainorder.Paid, domainorder.RefundAsked, domainorder.Refunded,
	domainorder.GroupFailed, domainorder.Shipped, domainorder.Received, domainorder.AutoReceived,
}

// books is the stored state of orders and of the rows that refer to them.
func (w *world) books() string {
	w.t.Helper()
	all := ""
	for _, query := range []string{
		"SELECT CONCAT_WS('|', id, order_status, version, comments, user_deleted, deleted) AS r FROM orders ORDER BY id",
		"SELECT CONCAT_WS('|', id, comment_id) AS r FROM order_goods ORDER BY id",
		"SELECT CONCAT_WS('|', id, status, version) AS r FROM payment ORDER BY id",
		"SELECT CONCAT_WS('|', id, status, version) AS r FROM refund ORDER BY id",
		"SELECT CONCAT_WS('|', id, number) AS r FROM goods_product ORDER BY id",
		"SELECT CONCAT_WS('|', id, status, order_id) AS r FROM coupon_user ORDER BY id",
		"SELECT CONCAT_WS('|', id, number, deleted) AS r FROM cart ORDER BY id",
		"SELECT id AS r FROM comment ORDER BY id", "SELECT id AS r FROM outbox_event ORDER BY id",
	} {
		all += w.Domain.Text("SELECT COALESCE(GROUP_CONCAT(r SEPARATOR ';'), '') FROM ("+query+") x") + "\n"
	}
	return all
}

func (w *world) conflict(beginning string) {
	w.API.Count = func(ctx context.Context) (context.Context, func() int) { return domaintest.Conflict(ctx, beginning) }
}

func ref(id int64) string { return fmt.Sprintf(`{"orderId":%d}`, id) }

func TestDetailInEachState(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, status := range states {
		t.Run(fmt.Sprint(int(status)), func(t *testing.T) {
			id := w.in(status)
			w.lin.In(t).GET(detail+"?orderId=%d", id).OK().Golden(fmt.Sprintf("detail_%d", status))
		})
	}
}

// 104 and others have a text, or none.
func TestStatesNobodyKnowsBreakNoList(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Domain.Exec("UPDATE orders SET order_status = 999 WHERE id = ?", w.placed())
	w.Domain.Exec("UPDATE orders SET order_status = 104 WHERE id = ?", w.placed())
	w.lin.GET(list + "?sort=id").OK().Golden("list_unknown_state")
}

func TestAllStatesInEnglish(t *testing.T) {
	t.Parallel()
	want := map[domainorder.Status]string{
		101: "Unpaid", 102: "Cancelled", 103: "Cancelled (system)", 104: "Cancelled (operator)", 201: "Paid",
		202: "Refund requested", 203: "Refunded", 204: "Group-buy expired", 301: "Shipped", 401: "Received",
		402: "Received (system)", 999: "",
	}
	for status, text := range want {
		require.Equal(t, text, status.Text("en"))
	}
}

// flags reads the operations offered for an order.
func (w *world) flags(id int64) (on []string) {
	w.t.Helper()
	var got struct {
		OrderInfo struct{ HandleOption map[string]bool }
	}
	w.lin.GET(detail+"?orderId=%d", id).Data(&got)
	names := []string{"cancel", "delete", "pay", "comment", "confirm", "refund", "rebuy", "aftersale"}
	for _, name := range names {
		require.Contains(w.t, got.OrderInfo.HandleOption, name)
	}
	for _, name := range append(names, "remind", "readdress") {
		if got.OrderInfo.HandleOption[name] {
			on = append(on, name)
		}
	}
	return on
}

// The comment period ends by the clock.
func TestHandleOption(t *testing.T) {
	t.Parallel()
	done := []string{"delete", "comment", "rebuy", "aftersale"}
	want := map[domainorder.Status][]string{
		101: {"cancel", "pay"}, 102: {"delete"}, 103: {"delete"}, 104: {"delete"}, 201: {"refund", "remind", "readdress"}, 202: nil, 203: {"delete"},
		204: nil, 301: {"confirm"}, 401: done, 402: done,
	}
	w := open(t)
	for _, status := range states {
		require.Equal(t, want[status], w.flags(w.in(status)), status)
	}
	w = open(t)
	id := w.in(domainorder.Received)
	for aftersale, on := range map[int][]string{
		1: {"comment", "rebuy", "aftersale"}, 2: {"comment", "rebuy", "aftersale"}, 3: done, 4: done, 5: done,
	} {
		w.Domain.Exec("UPDATE orders SET aftersale_status = ?", aftersale)
		require.Equal(t, on, w.flags(id), aftersale)
	}
	w.Domain.Exec("UPDATE orders SET aftersale_status = 0")
	w.lin.GET(list + "?showType=4").OK().Golden("list_to_comment")
	w.Domain.Clock.Move(7 * 24 * time.Hour)
	w.lin = w.As(w.shopper)
	require.Equal(t, done, w.flags(id), "the last moment")
	require.Equal(t, []int64{id}, w.ids("showType=4"))
	w.Domain.Clock.Move(time.Millisecond)
	require.Equal(t, []string{"delete", "rebuy", "aftersale"}, w.flags(id))
	require.Empty(t, w.ids("showType=4"))
	w.lin.POST(comment, `{"orderGoodsId":1,"content":"good","star":5}`).Fails(errno.OrderCommentExpired)
}

func (w *world) ids(query string) []int64 {
	w.t.Helper()
	return w.lin.GET(list + "?" + query).IDs()
}

func TestList(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.lin.GET(list).Empty()
	for _, status := range []domainorder.Status{101, 102, 201, 202, 301, 401} {
		w.Domain.Clock.Move(time.Second)
		require.NotZero(t, w.in(status))
	}
	commented := w.in(domainorder.AutoReceived)
	w.lin.POST(comment, `{"orderGoodsId":%d,"content":"good","star":5}`, commented).OK()
	w.in(domainorder.AutoReceived)
	w.lin.GET(list + "?limit=3").OK().Golden("list")
	for query, want := range map[string][]int64{
		"showType=0":                       {8, 7, 6, 5, 4, 3, 2, 1},
		"showType=undefined&limit=NaN":     {8, 7, 6, 5, 4, 3, 2, 1},
		"sort=ID&order=asc":                {1, 2, 3, 4, 5, 6, 7, 8},
		"showType=1":                       {1},
		"showType=2":                       {3},
		"showType=3":                       {5},
		"showType=4":                       {8, 6},
		"page=2&limit=3":                   {5, 4, 3},
		"page=4&limit=3":                   {},
		"page=2147483647&limit=1000":       {},
		"limit=0":                          {8, 7, 6, 5, 4, 3, 2, 1},
		"limit=1001":                       {8, 7, 6, 5, 4, 3, 2, 1},
		"page=1&limit=1&sort=&order=&x[]=": {8},
	} {
		require.Equal(t, want, w.ids(query), query)
	}
	for _, query := range []string{
		"showType=5", "showType=-1", "showType=x", "limit=-1", "limit=x", "page=0", "page=-1", "sort=password",
		"sort=order_sn", "sort=id,add_time", "sort=id%20desc", "order=DESC", "order=desc%20limit%201,1", "page=2147483648",
	} {
		w.lin.GET(list + "?" + query).Fails(errno.Invalid)
	}
}
