package order_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/kit/optest"
)

// Another shopper's order is answered like one that does not exist by every operation, and does not change.
func TestAnothersOrder(t *testing.T) {
	t.Parallel()
	for _, status := range []domainorder.Status{101, 102, 201, 301, 401} {
		w := open(t)
		hers := w.in(status)
		lin := w.Shopper("wang")
		before := w.books()
		for name, call := range map[string]func(id int64) *optest.Answer{
			"detail":  func(id int64) *optest.Answer { return lin.GET(detail+"?orderId=%d", id) },
			"cancel":  func(id int64) *optest.Answer { return lin.POST(cancel, ref(id)) },
			"prepay":  func(id int64) *optest.Answer { return lin.POST(prepay, ref(id)) },
			"h5pay":   func(id int64) *optest.Answer { return lin.POST(h5pay, ref(id)) },
			"confirm": func(id int64) *optest.Answer { return lin.POST(confirm, ref(id)) },
			"delete":  func(id int64) *optest.Answer { return lin.POST(remove, ref(id)) },
			"refund":  func(id int64) *optest.Answer { return lin.POST(refund, ref(id)) },
		} {
			unknown := call(99).Fails(errno.OrderUnknown)
			require.Equal(t, string(unknown.Body), string(call(hers).Fails(errno.OrderUnknown).Body), name)
			require.Equal(t, before, w.books(), name)
		}
		for _, call := range []func(id int64) *optest.Answer{
			func(id int64) *optest.Answer { return lin.GET(line+"?ogid=%d", id) },
			func(id int64) *optest.Answer { return lin.GET(line+"?orderId=%d&goodsId=%d", id, w.tea.GoodsID) },
			func(id int64) *optest.Answer {
				return lin.POST(comment, `{"orderGoodsId":%d,"content":"good","star":5}`, id)
			},
		} {
			unknown := call(99).Fails(errno.Invalid)
			require.Equal(t, string(unknown.Body), string(call(hers).Fails(errno.Invalid).Body))
			require.Equal(t, before, w.books())
		}
		var got struct{ Total int }
		lin.GET(list).Data(&got)
		require.Zero(t, got.Total)
	}
}

func TestBadOrderIDs(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.placed()
	before := w.books()
	for _, path := range []string{cancel, prepay, h5pay, confirm, remove, refund} {
		for body, want := range map[string]*errno.Code{
			``:                             errno.Missing,
			`{"orderId":null}`:             errno.Missing,
			`{"orderId":" "}`:              errno.Missing,
			`{"orderId":"1 or 1=1"}`:       errno.Invalid,
			`{"orderId":1.5}`:              errno.Invalid,
			`{"orderId":[1]}`:              errno.Invalid,
			`{"orderId":true}`:             errno.Invalid,
			`{"orderId":9007199254740993}`: errno.Invalid,
			`[1]`:                          errno.Invalid,
			`{"orderId":`:                  errno.Invalid,
			strings.Repeat("[", 10_000):    errno.Invalid,
			`{"orderId":0}`:                errno.OrderUnknown,
			`{"orderId":-1}`:               errno.OrderUnknown,
			`{"orderId":"99"}`:             errno.OrderUnknown,
			`{"orderId":9007199254740991}`: errno.OrderUnknown,
		} {
			w.lin.POST(path, "%s", body).Fails(want)
		}
		require.Equal(t, 413, w.lin.POST(path, "%s", `{"orderId":"`+strings.Repeat("1", 2<<20)+`"}`).Fails(errno.Invalid).Status)
		w.Guest().POST(path, `{`).Fails(errno.LoginRequired)
		w.lin.GET(path + "?orderId=1").Fails(errno.WrongMethod)
	}
	for query, want := range map[string]*errno.Code{
		"":              errno.Missing,
		"?orderId=":     errno.Missing,
		"?orderId=x":    errno.Invalid,
		"?orderId=1.5":  errno.Invalid,
		"?orderId=0":    errno.OrderUnknown,
		"?orderId=-1":   errno.OrderUnknown,
		"?orderId=1%27": errno.Invalid,
	} {
		w.lin.GET(detail + query).Fails(want)
	}
	w.Guest().GET(detail + "?orderId=x").Fails(errno.LoginRequired)
	w.Guest().GET(list + "?limit=-1").Fails(errno.LoginRequired)
	require.Equal(t, before, w.books())
}

func TestCancel(t *testing.T) {
	t.Parallel()
	w := open(t)
	first, second := w.placed(), w.placed()
	w.lin.POST(cancel, `{"orderId":"%d"}`, first).OK()
	w.lin.POST(cancel, ref(first)).Fails(errno.OrderInvalidOperation).Says("订单当前为「已取消」，不能进行该操作")
	keyed := w.lin.With("Idempotency-Key", "k")
	keyed.POST(cancel, ref(second)).OK()
	keyed.POST(cancel, ref(second)).OK()
	require.Equal(t, 100, w.Domain.Stock(w.tea))
	w.Domain.Agree()
	third := w.placed()
	w.conflict("UPDATE orders")
	w.lin.POST(cancel, ref(third)).Fails(errno.Stale)
	require.Equal(t, 99, w.Domain.Stock(w.tea))
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.in(domainorder.Shipped)
	w.conflict("UPDATE orders")
	w.lin.POST(confirm, ref(id)).Fails(errno.Stale)
	w.API.Count = domaintest.Count
	w.lin.POST(confirm, ref(id)).OK()
	w.lin.POST(confirm, ref(id)).Fails(errno.OrderInvalidOperation).Says("订单当前为「已收货」，不能进行该操作")
	require.EqualValues(t, 1, w.Domain.Int("SELECT comments FROM orders WHERE confirm_time = ?", w.Domain.Clock.Now()))
}

func TestRefund(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.in(domainorder.Paid)
	w.conflict("UPDATE orders")
	w.lin.POST(refund, ref(id)).Fails(errno.Stale)
	w.API.Count = domaintest.Count
	w.lin.POST(refund, ref(id)).OK()
	w.lin.POST(refund, ref(id)).Fails(errno.OrderInvalidOperation).Says("订单当前为「订单取消，退款中」，不能进行该操作")
	w.Domain.Agree()
}

// An order with a pending case cannot be deleted.
func TestDelete(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, status := range states {
		id := w.in(status)
		if !slices.Contains([]domainorder.Status{102, 103, 104, 203, 401, 402}, status) {
			before := w.books()
			a := w.lin.POST(remove, ref(id)).Fails(errno.OrderInvalidOperation)
			if status == domainorder.Paid { // the text names the state
				a.Fails(errno.OrderInvalidOperation).Says("订单当前为「已付款」，不能进行该操作")
			}
			require.Equal(t, before, w.books())
			continue
		}
		w.conflict("UPDATE orders")
		w.lin.POST(remove, ref(id)).Fails(errno.Stale)
		w.API.Count = domaintest.Count
		w.lin.POST(remove, ref(id)).OK()
		w.lin.POST(remove, ref(id)).Fails(errno.OrderUnknown)
		w.lin.GET(detail+"?orderId=%d", id).Fails(errno.OrderUnknown)
		w.lin.GET(line+"?ogid=%d", id).Fails(errno.Invalid)
		w.lin.POST(comment, `{"orderGoodsId":%d,"content":"good","star":5}`, id).Fails(errno.Invalid)
		require.NotContains(t, w.ids("limit=0"), id)
		found, err := w.Domain.Orders.AdminFind(t.Context(), id)
		require.NoError(t, err)
		require.Len(t, found.Lines, 1, "operators go on seeing it")
	}
	id := w.in(domainorder.Received)
	w.Domain.Exec("UPDATE orders SET aftersale_status = 2 WHERE id = ?", id)
	w.lin.POST(remove, ref(id)).Fails(errno.OrderInvalidOperation).Says("订单的售后尚未处理完，不能删除")
}

func TestGoods(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.in(domainorder.Received)
	const full = "line"
	w.lin.GET(line + "?ogid=1").OK().Golden(full)
	w.lin.GET(line+"?orderId=%d&goodsId=%d", id, w.tea.GoodsID).OK().Golden(full)
	w.lin.GET(line + "?ogid=1&orderId=99&goodsId=99").OK().Golden(full)
	for query, want := range map[string]*errno.Code{
		"":                       errno.Missing,
		"?orderId=1":             errno.Missing,
		"?goodsId=1":             errno.Missing,
		"?ogid=undefined":        errno.Missing,
		"?ogid=99":               errno.Invalid,
		"?ogid=-1":               errno.Invalid,
		"?ogid=x":                errno.Invalid,
		"?orderId=1&goodsId=99":  errno.Invalid,
		"?orderId=99&goodsId=1":  errno.Invalid,
		"?orderId=1&goodsId=x":   errno.Invalid,
		"?orderId=1.5&goodsId=1": errno.Invalid,
	} {
		w.lin.GET(line + query).Fails(want)
	}
	w.lin.GET(line).Fails(errno.Missing).Says("缺少订单")
	w.Guest().GET(line).Fails(errno.LoginRequired)
	// Of several lines of one goods, the first without a comment, else the first.
	w.Domain.Exec("INSERT INTO order_goods (order_id, goods_id, goods_name, goods_sn, product_id, number, price, specifications, " +
		"pic_url, comment_id, add_time, update_time) SELECT order_id, goods_id, goods_name, goods_sn, 77, number, price, " +
		"specifications, pic_url, comment_id, add_time, update_time FROM order_goods")
	for comments, want := range map[string]int64{"0,0": 1, "5,0": 2, "5,6": 1, "-1,0": 2, "-1,-1": 1} {
		of := strings.Split(comments, ",")
		w.Domain.Exec("UPDATE order_goods SET comment_id = IF(id = 1, ?, ?)", of[0], of[1])
		var got struct{ ID int64 }
		w.lin.GET(line+"?orderId=%d&goodsId=%d", id, w.tea.GoodsID).Data(&got)
		require.Equal(t, want, got.ID, comments)
	}
}

func TestComment(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.in(domainorder.Received)
	w.conflict("UPDATE order_goods")
	w.lin.POST(comment, `{"orderGoodsId":1,"content":"good","star":5}`).Fails(errno.Stale)
	w.API.Count = domaintest.Count
	w.lin.POST(comment, `{"orderGoodsId":"1","content":"<b>好</b>","star":"4","hasPicture":1,`+
		`"picUrls":["http://shop.test/1.png"],"adminContent":"forged","userId":7,"id":3,"valueId":9,"type":1}`).
		OK()
	require.Equal(t, fmt.Sprintf(`%d|0|<b>好</b>||%d|1|["http://shop.test/1.png"]|4`, w.tea.GoodsID, w.shopper), w.Domain.Text(
		"SELECT CONCAT_WS('|', value_id, type, content, admin_content, user_id, has_picture, pic_urls, star) FROM comment"))
	require.Equal(t, w.Domain.Int("SELECT id FROM comment"), w.Domain.Int("SELECT comment_id FROM order_goods"))
	require.Zero(t, w.Domain.Int("SELECT comments FROM orders"))
	w.lin.POST(comment, `{"orderGoodsId":1,"content":"good","star":5}`).Fails(errno.OrderCommented)
	require.NotContains(t, w.flags(id), "comment")
	w.Domain.Agree()

	paid := w.in(domainorder.Paid)
	w.lin.POST(comment, `{"orderGoodsId":%d,"content":"good","star":5}`, paid).
		Fails(errno.OrderInvalidOperation).Says("订单当前为「已付款」，不能进行该操作")
	late := w.in(domainorder.Received)
	w.Domain.Exec("UPDATE order_goods SET comment_id = -1 WHERE id = ?", late)
	w.lin.POST(comment, `{"orderGoodsId":%d,"content":"good","star":5}`, late).
		Fails(errno.OrderCommentExpired)
	plain := w.in(domainorder.Received)
	w.lin.POST(comment, `{"orderGoodsId":%d,"content":"good","star":1,"picUrls":["http://shop.test/1.png"]}`, plain).OK()
	w.lin.POST(comment, `{"orderGoodsId":%d,"content":"good","star":1,"hasPicture":true}`, w.in(domainorder.Received)).OK()
	require.Equal(t, "0,0", w.Domain.Text("SELECT GROUP_CONCAT(has_picture) FROM comment WHERE star = 1"))
	for body, want := range map[string]*errno.Code{
		``:                                    errno.Missing,
		`{"content":"good","star":5}`:         errno.Missing,
		`{"orderGoodsId":1,"star":5}`:         errno.Missing,
		`{"orderGoodsId":1,"content":"good"}`: errno.Missing,
		`{"orderGoodsId":1,"content":" ","star":5}`:                                          errno.Missing,
		`{"orderGoodsId":1,"content":"x","star":0}`:                                          errno.Invalid,
		`{"orderGoodsId":1,"content":"x","star":6}`:                                          errno.Invalid,
		`{"orderGoodsId":1,"content":"x","star":"many"}`:                                     errno.Invalid,
		`{"orderGoodsId":1,"content":"` + strings.Repeat("好", 1024) + `","star":5}`:          errno.Invalid,
		`{"orderGoodsId":1,"content":"x","star":5,"hasPicture":1,"picUrls":["javascript:"]}`: errno.Invalid,
		`{"orderGoodsId":1,"content":"x","star":5,"hasPicture":1,"picUrls":"http://x.test"}`: errno.Invalid,
		`{"orderGoodsId":99,"content":"x","star":5}`:                                         errno.Invalid,
		`{"orderGoodsId":0,"content":"x","star":5}`:                                          errno.Invalid,
	} {
		w.lin.POST(comment, "%s", body).Fails(want)
	}
	ten := `["http://shop.test/1.png"` + strings.Repeat(`,"http://shop.test/1.png"`, 9) + `]`
	w.lin.POST(comment, `{"orderGoodsId":1,"content":"x","star":5,"hasPicture":1,"picUrls":%s}`, ten).Fails(errno.Invalid)
}

// The amount is the order's.
func TestPrepay(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.placed()
	a := w.lin.POST(prepay, `{"orderId":%d,"actualPrice":0.01,"amount":1,"orderStatus":201}`, id).OK()
	var ticket map[string]string
	a.Data(&ticket)
	require.Regexp(t, `^\d{10}$`, ticket["timeStamp"])
	require.NotEmpty(t, ticket["nonceStr"])
	require.NotEmpty(t, ticket["paySign"])
	for _, name := range []string{"nonceStr", "paySign", "packageValue"} {
		quoted, err := json.Marshal(ticket[name])
		require.NoError(t, err)
		a.Body = bytes.ReplaceAll(a.Body, quoted, []byte(`"RANDOM"`))
	}
	a.Golden("prepay")
	require.Equal(t, "53.50|1", w.Domain.Text("SELECT CONCAT_WS('|', amount, status) FROM payment"), "the order's amount")
	var again map[string]string
	w.lin.POST(prepay, ref(id)).Data(&again)
	require.Equal(t, ticket["packageValue"], again["packageValue"], "the same prepaid transaction")
	require.EqualValues(t, 1, w.Domain.Int("SELECT COUNT(*) FROM payment"))
	require.EqualValues(t, 101, w.Domain.Int("SELECT order_status FROM orders"))

	w.lin.POST(prepay, ref(w.in(domainorder.Paid))).Fails(errno.OrderInvalidOperation).Says("订单当前为「已付款」，不能进行该操作")
	w.Domain.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	refused := w.placed()
	w.lin.POST(prepay, ref(refused)).Fails(errno.OrderPayFailed)
	w.Domain.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	w.lin.POST(prepay, ref(refused)).OK()
	w.conflict("INSERT INTO payment")
	w.lin.POST(prepay, ref(w.placed())).Fails(errno.Stale)
	w.Domain.Agree()
}

func TestNothingHalfDoneAfterFailures(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.placed()
	before := w.books()
	// The fourth statement of prepay is the last before the platform is asked; the payment stays after it.
	for path, statement := range map[string]int{cancel: 5, prepay: 4} {
		w.API.Count = func(ctx context.Context) (context.Context, func() int) {
			ctx, _ = domaintest.FailAt(ctx, statement)
			return ctx, func() int { return 0 }
		}
		body := string(w.lin.POST(path, ref(id)).Fails(errno.Internal).Body)
		require.NotContains(t, body, "injected")
		require.NotContains(t, strings.ToLower(body), "sql")
		require.Equal(t, before, w.books())
	}
}
