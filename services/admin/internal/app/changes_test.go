package app_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// change is a valid call of a POST operation on the data of busy: a body, or a file to upload.
type change struct{ path, body, file string }

// calls contains a valid call of every POST operation, in an order in which each finds its record.
func calls(t *testing.T) []change {
	t.Helper()
	const picture = `"url":"https://shop.test/a.png"`
	sheet := apitest.Sheet(apitest.SheetRow("goodsSn: N-1", "name: bowl", "specifications: 规格=标准", "price: 9.9", "number: 3"))
	return []change{
		{"/admin/auth/login", `{"username":"clerk","password":"` + apitest.Password + `"}`, ""},
		{"/admin/profile/catnotice", `{"noticeId":3}`, ""},
		{"/admin/profile/bcatnotice", `{"ids":[3]}`, ""},
		{"/admin/profile/rmnotice", `{"id":3}`, ""},
		{"/admin/profile/brmnotice", `{"ids":[5]}`, ""},
		{"/admin/ad/create", `{"name":"a","content":"b",` + picture + `}`, ""},
		{"/admin/ad/update", `{"id":1,"name":"changed"}`, ""},
		{"/admin/ad/delete", `{"id":1}`, ""},
		{"/admin/admin/create", `{"username":"newcomer","password":"secret-9","roleIds":[2]}`, ""},
		{"/admin/admin/update", `{"id":2,"roleIds":[2,3]}`, ""},
		{"/admin/role/create", `{"name":"another"}`, ""},
		{"/admin/role/update", `{"id":2,"enabled":false}`, ""},
		{"/admin/role/permissions", `{"roleId":2,"permissions":["admin:ad:list","admin:ad:read"]}`, ""},
		{"/admin/admin/delete", `{"id":2}`, ""},
		{"/admin/role/delete", `{"id":4}`, ""},
		{"/admin/aftersale/recept", `{"id":2}`, ""},
		{"/admin/aftersale/refund", `{"id":2}`, ""},
		{"/admin/aftersale/reject", `{"id":3}`, ""},
		{"/admin/aftersale/batch-recept", `{"ids":[4,5]}`, ""},
		{"/admin/aftersale/batch-reject", `{"ids":[6,7]}`, ""},
		{"/admin/brand/create", `{"name":"new","desc":"b","floorPrice":1}`, ""},
		{"/admin/brand/update", `{"id":1,"name":"changed"}`, ""},
		{"/admin/brand/delete", `{"id":1}`, ""},
		{"/admin/category/create", `{"name":"new","level":"L2","pid":1}`, ""},
		{"/admin/category/update", `{"id":1,"name":"changed"}`, ""},
		{"/admin/category/delete", `{"id":2}`, ""},
		{"/admin/order/reply", `{"commentId":1,"content":"thanks"}`, ""},
		{"/admin/comment/delete", `{"id":1}`, ""},
		{"/admin/config/mall", `{"litemall_mall_name":"x"}`, ""},
		{"/admin/config/express", `{"litemall_express_freight_min":"99"}`, ""},
		{"/admin/config/order", `{"litemall_order_unpaid":5}`, ""},
		{"/admin/config/wx", `{"litemall_wx_index_new":9}`, ""},
		{"/admin/coupon/create", `{"name":"c","days":1}`, ""},
		{"/admin/coupon/update", `{"id":1,"name":"changed"}`, ""},
		{"/admin/coupon/delete", `{"id":1}`, ""},
		{"/admin/groupon/update", `{"id":1,"discount":2}`, ""},
		{"/admin/groupon/delete", `{"id":2}`, ""},
		{"/admin/groupon/create", `{"goodsId":2,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`, ""},
		{"/admin/goods/create", teapot, ""},
		{"/admin/goods/update", `{"goods":{"id":3,"name":"changed"},"products":[{"id":3,"price":5,"number":4,"url":"",` +
			`"specifications":["标准"]}]}`, ""},
		{"/admin/goods/hot", `{"productId":3,"hotMode":1}`, ""},
		{"/admin/goods/delete", `{"id":3}`, ""},
		{"/admin/goods/import/check", "", sheet},
		{"/admin/goods/import", "", sheet},
		{"/admin/issue/create", `{"question":"a?","answer":"b"}`, ""},
		{"/admin/issue/update", `{"id":1,"answer":"changed"}`, ""},
		{"/admin/issue/delete", `{"id":1}`, ""},
		{"/admin/keyword/create", `{"keyword":"new","isDefault":true}`, ""},
		{"/admin/keyword/update", `{"id":1,"keyword":"changed","isDefault":true}`, ""},
		{"/admin/keyword/delete", `{"id":1}`, ""},
		{"/admin/notice/create", `{"title":"new","content":"c"}`, ""},
		{"/admin/notice/update", `{"id":1,"title":"changed"}`, ""},
		{"/admin/notice/delete", `{"id":1}`, ""},
		{"/admin/notice/batch-delete", `{"ids":[2,3]}`, ""},
		{"/admin/order/ship", `{"orderId":2,"shipChannel":"ZTO","shipSn":"1"}`, ""},
		{"/admin/order/reship", `{"orderId":2,"shipChannel":"SF","shipSn":"2"}`, ""},
		{"/admin/order/refund", `{"orderId":3,"refundMoney":99}`, ""},
		{"/admin/order/reject", `{"orderId":4,"reason":"sent"}`, ""},
		{"/admin/order/pay", `{"orderId":5,"newMoney":90}`, ""},
		{"/admin/order/delete", `{"orderId":6}`, ""},
		{"/admin/order/case/settle", `{"id":1,"note":"paid back"}`, ""},
		{"/admin/order/case/repay", `{"id":3,"note":"paid back"}`, ""},
		{"/admin/order/case/retry", `{"id":901}`, ""},
		{"/admin/order/case/dismiss", `{"id":902,"note":"not needed"}`, ""},
		{"/admin/storage/create", "", string(pixels(t))},
		{"/admin/storage/read", `{"id":1}`, ""},
		{"/admin/storage/update", `{"id":1,"name":"changed"}`, ""},
		{"/admin/storage/delete", `{"key":"known.png"}`, ""},
		{"/admin/topic/create", `{"title":"t","content":"c","price":1,"goods":[2]}`, ""},
		{"/admin/topic/update", `{"id":1,"title":"changed"}`, ""},
		{"/admin/topic/delete", `{"id":1}`, ""},
		{"/admin/topic/batch-delete", `{"ids":[2,3]}`, ""},
		{"/admin/user/update", `{"id":1,"nickname":"changed","status":1}`, ""},
		{"/admin/profile/password", `{"oldPassword":"` + apitest.Password + `","newPassword":"secret-9"}`, ""},
		{"/admin/auth/logout", "", ""},
	}
}

// withCalledRows is a filled shop in which every one of the calls finds its record.
func withCalledRows(t *testing.T) *apitest.Env {
	t.Helper()
	w := seeded(t)
	s, ctx := w.Shop, t.Context()
	tea, lin := cart.AddRequest{GoodsID: 1, ProductID: 1, Number: 1}, int64(1)
	for id := int64(2); id <= 12; id++ {
		require.Equal(t, id, s.Order(lin, tea))
		if id != 5 && id != 6 {
			s.Pay(lin, id)
		}
		if id > 6 {
			require.NoError(t, s.Orders.Ship(ctx, actor.Operator(1), id, "ZTO", "1"))
			require.NoError(t, s.Orders.Confirm(ctx, lin, id))
			_, err := s.Aftersales.Submit(ctx, lin, aftersale.Submission{OrderID: id, Type: aftersale.RefundOnly, Amount: money.Yuan(1)})
			require.NoError(t, err)
		}
	}
	require.NoError(t, s.Orders.AskRefund(ctx, lin, 3))
	require.NoError(t, s.Orders.AskRefund(ctx, lin, 4))
	require.NoError(t, s.Orders.Cancel(ctx, lin, 6))
	withOpenCases(t, s, lin, tea)
	s.Product("cup", money.Yuan(5), 5)
	super := w.Super()
	for i := range 3 {
		super.POST("/admin/notice/create", `{"title":"n%d","content":""}`, i).OK()
	}
	w.Operator("second")
	super.POST("/admin/role/create", `{"name":"spare"}`).OK()
	super.POST("/admin/groupon/create",
		`{"goodsId":2,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`).OK()
	super.Upload("/admin/storage/create", "file", "a.png", pixels(t)).OK()
	s.Exec("UPDATE storage SET storage_key = 'known.png'")
	s.Exec("INSERT INTO topic (title, content, goods, add_time, update_time) SELECT 'x', 'y', '[]', add_time, update_time " +
		"FROM role WHERE id <= 2")
	return w
}

// withOpenCases adds a refused notification, a refused refund, 3, and dead letters, 901 and 902.
func withOpenCases(t *testing.T, s *domaintest.Shop, shopper int64, w cart.AddRequest) {
	t.Helper()
	id := s.Order(shopper, w)
	s.Pay(shopper, id)
	require.NoError(t, s.Orders.AskRefund(t.Context(), shopper, id))
	s.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	require.ErrorIs(t, s.Orders.Refund(t.Context(), actor.Operator(1), id, money.Yuan(99)), errno.OrderRefundFailed)
	s.Sandbox.Behave(sandbox.Behaviour{})
	s.Exec("UPDATE payment_notify SET result = 3 WHERE id = 1")
	s.Exec("INSERT INTO outbox_event (id, topic, event_key, state, available_time, add_time) VALUES "+
		"(901, 'x', 'a', 2, ?, ?), (902, 'x', 'b', 2, ?, ?)", s.Clock.Now(), s.Clock.Now(), s.Clock.Now(), s.Clock.Now())
}

// withManyRows gives the rows of the calls n related rows, beside n unrelated ones. Rules that are closed have no
// groups, which end one by one.
func withManyRows(w *apitest.Env, n int) {
	const first = 1000 // above all ids that busy uses
	growTo(w, first, first+n)
	s := w.Shop
	s.Exec("UPDATE category SET pid = 1, level = 'L2' WHERE id > 2")
	s.Exec("UPDATE orders SET user_id = 1 WHERE id > 12")
	s.Exec("UPDATE comment SET value_id = 3")
	s.Exec("UPDATE collect SET value_id = 3")
	s.Exec("UPDATE footprint SET goods_id = 3")
	s.Exec("UPDATE keyword SET is_default = 1")
	s.Exec("INSERT INTO admin_role (admin_id, role_id, add_time) SELECT id, 2, add_time FROM admin WHERE id > 3")
	s.Exec("INSERT INTO permission (role_id, permission, add_time, update_time) SELECT 2, CONCAT('admin:x:a', n), '2030-01-01', "+
		"'2030-01-01' FROM "+numbers, first, first+n)
	s.Exec("UPDATE notice_admin SET notice_id = -id WHERE notice_id > ?", first)
	s.Exec("INSERT IGNORE INTO notice_admin (notice_id, admin_id, notice_title, add_time, update_time) SELECT n.id, a.id, 'x', " +
		"a.add_time, a.add_time FROM admin a JOIN notice n WHERE n.id <= 3")
	s.Exec("INSERT INTO cart (user_id, goods_id, product_id, number, price, add_time, update_time) SELECT n, 3, 3, 1, 1, "+
		"'2030-01-01', '2030-01-01' FROM "+numbers, first, first+n)
}

// sent makes a call, which must succeed.
func (c change) sent(as *optest.Client) *optest.Answer { return c.send(as).OK() }

func (c change) send(as *optest.Client) *optest.Answer {
	if c.file != "" {
		return as.Upload(c.path, "file", "a.csv", []byte(c.file))
	}
	return as.POST(c.path, "%s", c.body)
}

// Every POST operation sends the same statements with ten rows in each table as with a thousand. The golden file has
// the number of each; if it grows with the call, it is that of the call here.
func TestChangesAmongAThousandRows(t *testing.T) {
	t.Parallel()
	few, many := withCalledRows(t), withCalledRows(t)
	withManyRows(few, 10)
	withManyRows(many, 1000)
	statements := map[string]int{}
	for _, c := range calls(t) {
		a, b := c.sent(few.Super()), c.sent(many.Super())
		require.Positive(t, a.Statements, c.path)
		statements[a.Spec.Key()] = a.Statements
		if a.Statements != b.Statements {
			t.Errorf("%s: %d statements beside ten rows, %d beside a thousand", c.path, a.Statements, b.Statements)
		}
	}
	for _, s := range few.Handler.Specs {
		if s.Method == http.MethodPost && statements[s.Key()] == 0 {
			t.Errorf("no call of %s", s.Key())
		}
	}
	golden.Value(t, "statements_changes", statements)
}
