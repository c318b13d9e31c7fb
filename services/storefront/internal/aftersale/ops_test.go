package aftersale_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	domainaftersale "shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/aftersale"
	"shop.internal/services/storefront/internal/apitest"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, aftersale.Ops(aftersale.Deps{})...)) }

const (
	list   = "/wx/aftersale/list"
	detail = "/wx/aftersale/detail"
	submit = "/wx/aftersale/submit"
	cancel = "/wx/aftersale/cancel"
	parcel = "/wx/aftersale/parcel"
)

type world struct {
	*apitest.Shop
	t       *testing.T
	shopper int64
	lin     *optest.Client
	tea     cart.AddRequest
	staff   actor.Actor
}

func open(t *testing.T) *world {
	t.Helper()
	s := apitest.Open(t)
	shopper := s.Domain.Shopper("lin")
	return &world{s, t, shopper, s.As(shopper), s.Domain.Product("tea", 4550, 100), actor.Operator(1)}
}

// received is a received order of 45.50 and 8.00 freight, with a fixed number for golden files.
func (w *world) received() int64 {
	w.t.Helper()
	d := w.Domain
	id := d.Order(w.shopper, w.tea)
	d.Exec("UPDATE orders SET order_sn = ? WHERE id = ?", fmt.Sprintf("20300102%010d", id), id)
	d.Pay(w.shopper, id)
	require.NoError(w.t, d.Orders.Ship(w.t.Context(), w.staff, id, "ZTO", "75001"))
	require.NoError(w.t, d.Orders.Confirm(w.t.Context(), w.shopper, id))
	return id
}

// asked is the case of a received order, with a fixed number too.
func (w *world) asked(id int64) int64 {
	w.t.Helper()
	w.lin.POST(submit, good(id)).OK()
	c := w.Domain.Int("SELECT MAX(id) FROM aftersale")
	w.Domain.Exec("UPDATE aftersale SET aftersale_sn = ? WHERE id = ?", fmt.Sprintf("20300102%010d", c), c)
	return c
}

func good(id int64) string { return body(id, "amount", "45.5") }

// body is a valid body with another value for one member.
func body(id int64, name, value string) string {
	members := []string{
		"orderId", fmt.Sprintf(`"%d"`, id), "type", "2", "reason", `"太小"`, "amount", "45.5", "pictures",
		`["http://shop.test/1.png"]`, "comment", `"谢谢"`, "typeDesc", `"退货退款"`,
	}
	var b strings.Builder
	for i := 0; i < len(members); i += 2 {
		if members[i] == name {
			members[i+1] = value
		}
		if members[i+1] != "" {
			fmt.Fprintf(&b, `,"%s":%s`, members[i], members[i+1])
		}
	}
	return "{" + b.String()[1:] + "}"
}

func (w *world) books() string {
	w.t.Helper()
	return w.Domain.Text("SELECT CONCAT_WS('/', (SELECT GROUP_CONCAT(CONCAT_WS('|', id, order_status, aftersale_status, " +
		"version) ORDER BY id) FROM orders), (SELECT GROUP_CONCAT(CONCAT_WS('|', id, aftersale_sn, order_id, user_id, type, " +
		"reason, amount, pictures, comment, status, deleted, handler_id) ORDER BY id) FROM aftersale))")
}

func TestDetail(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	w.lin.GET(detail+"?orderId=%d", id).OK().Golden("detail_none")
	w.Domain.Clock.Move(time.Hour)
	c := w.asked(id)
	w.lin.GET(detail+"?orderId=%d", id).OK().Golden("detail")
	require.NoError(t, w.Domain.Aftersales.Accept(t.Context(), w.staff, c, ""))
	require.NoError(t, w.Domain.Aftersales.Refund(t.Context(), w.staff, c))
	w.Domain.Exec("UPDATE orders SET refund_content = 'known' WHERE id = ?", id)
	w.lin.GET(detail+"?orderId=%d", id).OK().Golden("detail_refunded")
	w.lin.GET(detail).Fails(errno.Missing)
	w.lin.GET(detail + "?orderId=x").Fails(errno.Invalid)
	w.lin.GET(detail + "?orderId=99").Fails(errno.OrderUnknown)
	w.Shopper("mei").GET(detail+"?orderId=%d", id).Fails(errno.OrderUnknown)
}

// No status means all.
func TestList(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.lin.GET(list).Empty()
	for range 3 {
		w.Domain.Clock.Move(time.Hour)
		w.asked(w.received())
	}
	require.NoError(t, w.Domain.Aftersales.Reject(t.Context(), w.staff, 2, ""))
	w.lin.GET(list + "?limit=2").OK().Golden("list")
	w.lin.GET(list + "?limit=2&page=3").OK().Golden("list_past_the_end")
	for query, want := range map[string]int{
		"status=": 3, "status=undefined": 3, "status=1": 2, "status=4": 1, "status=0": 0, "sort=id&order=asc": 3,
	} {
		var got struct{ Total int }
		w.lin.GET(list + "?" + query).Data(&got)
		require.Equal(t, want, got.Total, query)
	}
	for _, query := range []string{
		"status=7", "status=-1", "status=x", "status=1%20or%201=1", "sort=status", "order=up", "page=0", "limit=-1",
	} {
		w.lin.GET(list + "?" + query).Fails(errno.Invalid)
	}
	var mine struct{ Total int }
	w.Shopper("mei").GET(list).Data(&mine)
	require.Zero(t, mine.Total)
}

// Amounts are rounded to cents, then checked; types are 0 to 2.
func TestSubmit(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	before := w.books()
	for name, bad := range map[string][]string{
		"orderId": {`"x"`, `{}`, `9007199254740993`}, "type": {"4", "-1", `"all"`, "1.5"}, "amount": {`"x"`, "true", "1e30"},
		"reason": {`{}`, `"` + strings.Repeat("字", 256) + `"`}, "comment": {`"` + strings.Repeat("字", 512) + `"`},
		"pictures": {
			`"http://a/b"`, `["javascript:alert(1)"]`, `["` + strings.Repeat(`http://a","`, 9) + `http://a"]`,
			`["http://` + strings.Repeat("a", 255) + `"]`,
		},
	} {
		for _, value := range bad {
			w.lin.POST(submit, "%s", body(id, name, value)).Fails(errno.Invalid)
		}
	}
	for _, name := range []string{"orderId", "type", "reason", "amount"} {
		for _, value := range []string{"", "null", `" "`} {
			w.lin.POST(submit, "%s", body(id, name, value)).Fails(errno.Missing)
		}
	}
	for _, amount := range []string{"45.51", "45.505", "-0.01", "-0.005", "53.5", "99999999.99"} {
		w.lin.POST(submit, "%s", body(id, "amount", amount)).Fails(errno.AftersaleInvalidAmount).Says("退款金额应在 0.00 到 45.50 之间")
	}
	w.lin.POST(submit, "%s", good(99)).Fails(errno.OrderUnknown)
	w.Shopper("mei").POST(submit, "%s", good(id)).Fails(errno.OrderUnknown)
	w.lin.POST(submit, "%s", good(w.Domain.Order(w.shopper, w.tea))).Fails(errno.AftersaleNotAllowed)
	require.Contains(t, w.books(), before)
	require.Zero(t, w.Domain.Int("SELECT COUNT(*) FROM aftersale"))

	// The mini program computes in floating point; its amounts are rounded before they are checked.
	for _, amount := range []string{"45.500000000000007", "45.5049999", "0", "-0.004", `"45.50"`} {
		w.lin.POST(submit, "%s", body(id, "amount", amount)).OK()
	}
	w.lin.POST(submit, `{"orderId":%d,"type":0,"reason":"late","amount":1}`, id).OK()
	require.Equal(t, "1.00|[]||0|1", w.Domain.Text("SELECT CONCAT_WS('|', amount, pictures, comment, type, status) "+
		"FROM aftersale WHERE deleted = 0"))
	keyed := w.lin.With("Idempotency-Key", "k")
	keyed.POST(submit, "%s", good(id)).OK()
	rows := w.Domain.Int("SELECT COUNT(*) FROM aftersale")
	keyed.POST(submit, "%s", good(id)).OK()
	require.Equal(t, rows, w.Domain.Int("SELECT COUNT(*) FROM aftersale"))
	keyed.POST(submit, "%s", body(id, "type", "1")).Fails(errno.Invalid)
	require.NoError(t, w.Domain.Aftersales.Accept(t.Context(), w.staff, w.Domain.Int("SELECT MAX(id) FROM aftersale"), ""))
	w.lin.POST(submit, "%s", good(id)).Fails(errno.AftersaleInvalidStatus).Says("售后当前为「审核通过」，不能进行该操作")
	w.Domain.Agree()
}

// Only the declared members are read: no body sets a state, a shopper or a number. CVE-2025-10291: cancelling a case
// changes its status and nothing else.
func TestOnlyListedMembersAreRead(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	w.lin.POST(submit, `{"orderId":%d,"type":1,"reason":"x","amount":1,"status":2,"userId":99,"aftersaleSn":"x","id":77,`+
		`"handleTime":"2030-01-01 00:00:00","deleted":true}`, id).OK()
	require.Equal(t, fmt.Sprintf("1|%d|1|0|0", w.shopper), w.Domain.Text("SELECT CONCAT_WS('|', status, user_id, "+
		"handle_time IS NULL, deleted, handler_id) FROM aftersale WHERE aftersale_sn <> 'x' AND id <> 77"))
	c := w.Domain.Int("SELECT id FROM aftersale")
	w.lin.POST(cancel, `{"id":%d,"amount":99,"status":3,"type":2,"orderId":99,"userId":99}`, c).OK()
	require.Equal(t, "1.00|5|1|1|"+fmt.Sprint(w.shopper), w.Domain.Text("SELECT CONCAT_WS('|', amount, status, type, "+
		"order_id, user_id) FROM aftersale"))
}

// Cases of another shopper are answered as if they did not exist.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	c := w.asked(id)
	before := w.books()
	w.lin.POST(cancel, `{}`).Fails(errno.Missing).Says("缺少编号")
	w.lin.POST(cancel, `{"id":"x"}`).Fails(errno.Invalid)
	w.lin.POST(cancel, `{"id":99}`).Fails(errno.Invalid)
	w.Shopper("mei").POST(cancel, `{"id":%d}`, c).Fails(errno.Invalid)
	require.Equal(t, before, w.books(), "another shopper's case")
	w.lin.POST(cancel, `{"id":%d}`, c).OK()
	w.lin.POST(cancel, `{"id":%d}`, c).Fails(errno.AftersaleInvalidStatus).Says("售后当前为「已取消」，不能进行该操作")
	// An order's id means its case, even if another case has the same id.
	other := w.received()
	mine := w.asked(id)
	w.Domain.Exec("UPDATE aftersale SET id = ? WHERE id = ?", id+1000, w.asked(other))
	w.Domain.Exec("UPDATE aftersale SET id = ? WHERE id = ?", other, mine)
	w.Shopper("tom").POST(cancel, `{"orderId":"%d"}`, id).Fails(errno.Invalid)
	w.lin.POST(cancel, `{"orderId":99}`).Fails(errno.Invalid)
	w.lin.POST(cancel, `{"orderId":"%d"}`, id).OK()
	require.EqualValues(t, 5, w.Domain.Int("SELECT status FROM aftersale WHERE order_id = ? AND deleted = 0", id))
	require.EqualValues(t, 1, w.Domain.Int("SELECT status FROM aftersale WHERE order_id = ? AND deleted = 0", other))
	w.Domain.Agree()
}

func TestLostRaces(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	c := w.asked(id)
	w.API.Count = func(ctx context.Context) (context.Context, func() int) {
		return domaintest.Conflict(ctx, "UPDATE aftersale")
	}
	w.lin.POST(submit, "%s", good(id)).Fails(errno.Stale)
	w.lin.POST(cancel, `{"id":%d}`, c).Fails(errno.Stale)
	w.Domain.Exec("UPDATE aftersale SET status = 2 WHERE id = ?", c)
	w.lin.POST(parcel, `{"id":%d,"shipChannel":"ZTO","shipSn":"1"}`, c).Fails(errno.Stale)
	w.Domain.Exec("UPDATE aftersale SET status = 1 WHERE id = ?", c)
	w.Domain.Agree()
}

// sized is a received order of three shirts of a size, of which there is another size.
func (w *world) sized() (id, line, large int64) {
	w.t.Helper()
	d := w.Domain
	goods, err := d.Catalog.Create(w.t.Context(), catalog.NewGoods{
		Goods:          catalog.Goods{SN: "S", Name: "shirt", OnSale: true, PicURL: "http://shop.test/s.png"},
		Specifications: []catalog.Specification{{Group: "size", Value: "M"}, {Group: "size", Value: "L"}},
		Products: []catalog.Product{
			{Specifications: []string{"M"}, Price: 2000, Number: 9}, {Specifications: []string{"L"}, Price: 2000, Number: 9},
		},
	})
	require.NoError(w.t, err)
	medium := d.Int("SELECT MIN(id) FROM goods_product WHERE goods_id = ?", goods)
	tea := w.tea
	w.tea = cart.AddRequest{GoodsID: goods, ProductID: medium, Number: 3}
	id = w.received()
	w.tea = tea
	return id, d.Int("SELECT MAX(id) FROM order_goods"), medium + 1
}

// Lines come back and are exchanged, part by part; the page sees what is left.
func TestLines(t *testing.T) {
	t.Parallel()
	w := open(t)
	id, line, large := w.sized()
	ask := func(kind int, lines string) *optest.Answer {
		return w.lin.POST(submit, `{"orderId":%d,"type":%d,"reason":"太小","lines":[%s]}`, id, kind, lines)
	}
	for _, lines := range []string{`{}`, `{"id":1}`, `{"number":1}`} {
		ask(2, lines).Fails(errno.Missing)
	}
	for lines, says := range map[string]string{
		fmt.Sprintf(`{"id":%d,"number":4}`, line): "「shirt」最多还可申请 3 件", `{"id":99,"number":1}`: "订单商品不存在或已删除",
		fmt.Sprintf(`{"id":%d,"number":1,"productId":%d}`, line, large): "只有换货可以指定换成的规格",
	} {
		ask(2, lines).Fails(errno.Invalid).Says(says)
	}
	ask(3, fmt.Sprintf(`{"id":%d,"number":1}`, line)).Fails(errno.Invalid).Says("「shirt」请选择要换成的其他规格")
	ask(3, "").Fails(errno.Invalid).Says("换货请选择商品")
	swap := fmt.Sprintf(`{"id":%d,"number":1,"productId":%d}`, line, large)
	ask(3, fmt.Sprintf(`{"id":%d,"number":1,"productId":99}`, line)).Fails(errno.GoodsInvalid)
	w.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = 2")
	ask(3, swap).Fails(errno.GoodsUnshelved)
	w.Domain.Exec("UPDATE goods SET is_on_sale = 1 WHERE id = 2")
	ask(3, swap).OK()
	w.Domain.Exec("UPDATE aftersale SET aftersale_sn = '1'")
	ctx := t.Context()
	c := w.Domain.Int("SELECT id FROM aftersale")
	w.lin.POST(parcel, `{"id":%d,"shipChannel":"ZTO","shipSn":"1"}`, c).Fails(errno.AftersaleInvalidStatus)
	require.NoError(t, w.Domain.Aftersales.Accept(ctx, w.staff, c, "请寄回"))
	w.lin.POST(parcel, `{"id":%d,"shipChannel":"ZTO"}`, c).Fails(errno.Missing)
	w.lin.POST(parcel, `{"id":99,"shipChannel":"ZTO","shipSn":"1"}`).Fails(errno.Invalid)
	w.Shopper("mei").POST(parcel, `{"id":%d,"shipChannel":"ZTO","shipSn":"1"}`, c).Fails(errno.Invalid)
	w.lin.POST(parcel, `{"id":%d,"shipChannel":"ZTO","shipSn":"75001"}`, c).OK()
	w.lin.GET(detail+"?orderId=%d", id).OK().Golden("detail_accepted")
	require.NoError(t, w.Domain.Aftersales.Receive(ctx, w.staff, c))
	w.lin.POST(parcel, `{"id":%d,"shipChannel":"ZTO","shipSn":"1"}`, c).Fails(errno.AftersaleInvalidStatus).Says("寄回的商品已签收")
	require.NoError(t, w.Domain.Aftersales.Exchange(ctx, w.staff, c, domainaftersale.Parcel{Channel: "SF", SN: "2"}))
	w.lin.GET(detail+"?orderId=%d", id).OK().Golden("detail_exchanged")
	w.lin.POST(submit, "%s", good(id)).Fails(errno.AftersaleInvalidStatus)
	ask(2, fmt.Sprintf(`{"id":%d,"number":1},{"id":%d,"number":1}`, line, line+1)).OK()
	w.Domain.Exec("UPDATE aftersale SET aftersale_sn = '2' WHERE id > ?", c)
	w.lin.GET(list + "?sort=id&order=asc").OK().Golden("list_lines")
	w.Domain.Agree()
}
