package app_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// change is a valid call of a POST operation on the data of busy: a body, or a file to upload.
type change struct{ path, body, file string }

// calls contains a valid call of every POST operation, in an order in which each finds its record. Those that are not
// listed are found: see found.
func calls(t *testing.T) []change {
	t.Helper()
	list := listed(t)
	last := slices.IndexFunc(list, func(c change) bool { return c.path == "/admin/profile/password" })
	return slices.Insert(list, last, found(t, list[:last])...)
}

func listed(t *testing.T) []change {
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
		{"/admin/audit/takeback", `{"id":9000}`, ""},
		{"/admin/books/check", `{}`, ""},
		{"/admin/job/retry", `{"job":"expireOrders","id":7}`, ""},
		{"/admin/job/resend", `{"id":903}`, ""},
		{"/admin/access/view", `{"roleId":2}`, ""},
		{"/admin/admin/delete", `{"id":2}`, ""},
		{"/admin/role/delete", `{"id":4}`, ""},
		{"/admin/aftersale/recept", `{"id":2}`, ""},
		{"/admin/aftersale/refund", `{"id":2}`, ""},
		{"/admin/aftersale/reject", `{"id":3}`, ""},
		{"/admin/aftersale/batch-recept", `{"ids":[4,5]}`, ""},
		{"/admin/aftersale/batch-reject", `{"ids":[6,7]}`, ""},
		{"/admin/aftersale/receive", `{"id":8}`, ""},
		{"/admin/aftersale/exchange", `{"id":8,"shipChannel":"ZTO","shipSn":"1"}`, ""},
		{"/admin/brand/create", `{"name":"new","desc":"b","floorPrice":1}`, ""},
		{"/admin/brand/update", `{"id":1,"name":"changed"}`, ""},
		{"/admin/brand/delete", `{"id":1}`, ""},
		{"/admin/freight/create", `{"name":"new","charge":2,"rules":[{"firstPrice":8}]}`, ""},
		{"/admin/freight/update", `{"id":1,"name":"changed","rules":[{"firstPrice":8},{"regions":[330000],"refused":true}]}`, ""},
		{"/admin/freight/delete", `{"id":3}`, ""},
		{"/admin/category/create", `{"name":"new","level":"L2","pid":1}`, ""},
		{"/admin/category/update", `{"id":1,"name":"changed"}`, ""},
		{"/admin/category/delete", `{"id":2}`, ""},
		{"/admin/order/reply", `{"commentId":1,"content":"thanks"}`, ""},
		{"/admin/moderation/hide", `{"id":1,"hidden":true}`, ""},
		{"/admin/comment/delete", `{"id":1}`, ""},
		{"/admin/config/mall", `{"litemall_mall_name":"x"}`, ""},
		{"/admin/config/express", `{"litemall_express_freight_min":"99"}`, ""},
		{"/admin/config/order", `{"litemall_order_unpaid":5}`, ""},
		{"/admin/config/wx", `{"litemall_wx_index_new":9}`, ""},
		{"/admin/coupon/create", `{"name":"c","days":1}`, ""},
		{"/admin/coupon/update", `{"id":1,"name":"changed","limit":0}`, ""},
		{"/admin/couponuser/create", `{"userId":1,"couponId":1}`, ""},
		{"/admin/coupon/delete", `{"id":1}`, ""},
		{"/admin/groupon/update", `{"id":1,"discount":2}`, ""},
		{"/admin/groupon/delete", `{"id":2}`, ""},
		{"/admin/groupon/create", `{"goodsId":2,"discount":1,"discountMember":2,"expireTime":"2030-02-01 00:00:00"}`, ""},
		{"/admin/goods/create", teapot, ""},
		{"/admin/goods/update", `{"goods":{"id":3,"name":"changed"},"products":[{"id":3,"price":5,"number":4,"url":"",` +
			`"specifications":["标准"]}]}`, ""},
		{"/admin/goods/hot", `{"productId":3,"hotMode":1}`, ""},
		{"/admin/goods/batch/check", `{"ids":[2,3],"priceAmount":1}`, ""},
		{"/admin/goods/batch", `{"ids":[2,3],"priceAmount":1,"isHot":true,"categoryId":0}`, ""},
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
		{"/admin/order/printed", `{"ids":[2,3]}`, ""},
		{"/admin/order/refund", `{"orderId":3,"refundMoney":99}`, ""},
		{"/admin/order/reject", `{"orderId":4,"reason":"sent"}`, ""},
		{"/admin/order/pay", `{"orderId":5,"newMoney":90}`, ""},
		{"/admin/order/call-off", `{"orderId":13,"note":"refused"}`, ""},
		{"/admin/order/collect", `{"code":"00000015"}`, ""},
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
		{"/admin/profile/view/save", `{"page":"mall/order","name":"to ship","query":"orderStatusArray=201"}`, ""},
		{"/admin/profile/view/drop", `{"id":1}`, ""},
		{"/admin/channel/update", `{"channels":["sandbox"]}`, ""},
		{"/admin/message/test", `{"channel":"sms","recipient":"13900000001"}`, ""},
		{"/admin/profile/password", `{"oldPassword":"` + apitest.Password + `","newPassword":"secret-9"}`, ""},
		{"/admin/auth/logout", "", ""},
	}
}

// finding finds calls, once for all tests.
var finding struct {
	sync.Mutex

	done bool
	all  []change
}

// found has a call of each operation that no list has: a random one by its declaration that succeeds after the listed
// ones.
func found(t *testing.T, before []change) []change {
	t.Helper()
	finding.Lock()
	defer finding.Unlock()
	if finding.done {
		return finding.all
	}
	known := map[string]bool{"/admin/profile/password": true, "/admin/auth/logout": true}
	for _, c := range before {
		known[c.path] = true
	}
	unlisted := slices.DeleteFunc(apitest.Open(t).Handler.Specs, func(s op.Spec) bool {
		return s.Method != http.MethodPost || known[s.Path]
	})
	if len(unlisted) > 0 {
		w := withCalledRows(t)
		for _, c := range before {
			c.sent(w.Super())
		}
		for _, s := range unlisted {
			body := optest.Accepted(t, w.Super(), s)
			require.NotEmpty(t, body, "no random call of %s succeeds: listed needs one", s.Path)
			finding.all = append(finding.all, change{s.Path, body, ""})
		}
	}
	finding.done = true
	return finding.all
}

// owed orders goods that are to be paid on delivery.
func owed(t *testing.T, s *domaintest.Shop, shopper int64, goods cart.AddRequest) int64 {
	t.Helper()
	id := s.Order(shopper, goods)
	_, err := s.Orders.Prepay(t.Context(), shopper, id, "192.0.2.1", sandbox.Code, payment.KindDelivery)
	require.NoError(t, err)
	return id
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
			_, err := s.Aftersales.Submit(ctx, lin, aftersale.Submission{OrderID: id, Type: aftersale.RefundOnly, Amount: new(money.Yuan(1))})
			require.NoError(t, err)
		}
	}
	require.NoError(t, s.Orders.AskRefund(ctx, lin, 3))
	require.NoError(t, s.Orders.AskRefund(ctx, lin, 4))
	require.NoError(t, s.Orders.Cancel(ctx, lin, 6))
	require.EqualValues(t, 13, owed(t, s, lin, tea))
	withOpenCases(t, s, lin, tea)
	collected := s.Order(lin, tea)
	s.Pay(lin, collected)
	s.Exec("UPDATE orders SET delivery = 1, collect_code = '00000015', collect_address = 'x', collect_hours = 'y' WHERE id = ?",
		collected)
	s.Product("cup", money.Yuan(5), 5)
	withExchange(t, s, lin, tea)
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

// withOpenCases adds a refused notification, a refused refund, 3, dead letters, 901 to 903, a
// row set aside by a job, and an audit record of goods, 9000.
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
		"(901, 'x', 'a', 2, ?, ?), (902, 'x', 'b', 2, ?, ?), (903, 'x', 'c', 2, ?, ?)",
		s.Clock.Now(), s.Clock.Now(), s.Clock.Now(), s.Clock.Now(), s.Clock.Now(), s.Clock.Now())
	withGoodsRecord(s)
	s.Exec("INSERT INTO job_failure (job, row_id, tries, retry_time, add_time) VALUES ('expireOrders', 7, 3, ?, ?)",
		s.Clock.Now(), s.Clock.Now())
}

// withExchange adds an accepted case, 8, of a product that the shopper wants another one for.
func withExchange(t *testing.T, s *domaintest.Shop, shopper int64, w cart.AddRequest) {
	t.Helper()
	ctx := t.Context()
	s.Exec(`INSERT INTO goods_product (id, goods_id, specifications, price, number, add_time, update_time)
		SELECT 900, goods_id, '["large"]', price, 9, add_time, update_time FROM goods_product WHERE id = ?`, w.ProductID)
	id := s.Order(shopper, w)
	s.Pay(shopper, id)
	require.NoError(t, s.Orders.Ship(ctx, actor.Operator(1), id, "ZTO", "1"))
	require.NoError(t, s.Orders.Confirm(ctx, shopper, id))
	c, err := s.Aftersales.Submit(ctx, shopper, aftersale.Submission{
		OrderID: id, Type: aftersale.Replacement, Lines: []aftersale.Wanted{{
			Line: s.Int("SELECT id FROM order_goods WHERE order_id = ?", id), Number: 1, Product: 900,
		}},
	})
	require.NoError(t, err)
	require.EqualValues(t, 8, c)
	require.NoError(t, s.Aftersales.Accept(ctx, actor.Operator(1), c, ""))
}

// withGoodsRecord adds an audit record of the first goods, 9000, as if it had set their flag.
func withGoodsRecord(s *domaintest.Shop) {
	s.Exec(`INSERT IGNORE INTO audit_log (id, admin_id, admin_name, permission, method_path, target_type, target_id, before_json,
			after_json, add_time)
		SELECT 9000, 1, 'super', 'admin:goods:update', 'POST /admin/goods/update', 'goods', id,
			CONCAT('{"hot":', IF(is_hot, 'false', 'true'), '}'), CONCAT('{"hot":', IF(is_hot, 'true', 'false'),
			',"updateTime":"', DATE_FORMAT(update_time, '%Y-%m-%dT%H:%i:%s.%fZ'), '"}'), add_time
		FROM goods WHERE deleted = 0 ORDER BY id LIMIT 1`)
}

// withManyRows gives the rows of the calls n related rows, beside n unrelated ones. Rules that are closed have no
// groups, which end one by one.
func withManyRows(w *apitest.Env, n int) {
	const first = 1000 // above all ids that busy uses
	growTo(w, first, first+n)
	s := w.Shop
	s.Exec("UPDATE category SET pid = 1, level = 'L2' WHERE id > 2")
	s.Exec("DELETE FROM freight WHERE id > 100") // a shop has no more than some
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
