package system_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/system"
)

const (
	takeback = "/admin/audit/takeback"
	batch    = "/admin/goods/batch"
)

// stocked is a service with n goods of 10 yuan, whose prices an editor (2) has raised by 5 per cent.
func stocked(t *testing.T, n int) (w *apitest.Env, editor *optest.Client) {
	t.Helper()
	w = apitest.Open(t)
	w.Super()
	editor = w.Operator("editor", "admin:goodsbatch:update", "admin:goods:update", "admin:goods:delete", "admin:audit:takeback")
	ids := make([]string, n)
	for i := range ids {
		w.Shop.Product(fmt.Sprintf("goods %d", i+1), money.Yuan(10), 5)
		ids[i] = fmt.Sprint(i + 1)
	}
	editor.POST(batch, `{"ids":[%s],"pricePercent":"5"}`, strings.Join(ids, ",")).OK()
	require.EqualValues(t, n, w.Shop.Int("SELECT COUNT(*) FROM goods_product WHERE price = 10.50"))
	w.Shop.Exec("UPDATE audit_log SET request_id = 'the batch'")
	return w, editor
}

// plan is what the tests read of a check.
type plan struct {
	Taken, Kept int
	Seen        string
	Rows        []system.TakeBackRow
}

func TestTakeBack(t *testing.T) {
	t.Parallel()
	w, editor := stocked(t, 4)
	editor.POST("/admin/goods/update", `{"goods":{"id":2,"name":"renamed"},"products":[]}`).OK()
	editor.POST("/admin/goods/delete", `{"id":3}`).OK()
	editor.GET("%s?id=1", takeback).OK().Golden("audit/takeback_check")
	var p plan
	editor.With(op.LanguageHeader, "en").GET("%s?id=4", takeback).Data(&p)
	require.Equal(t, []int{2, 2}, []int{p.Taken, p.Kept}, "any record of the call leads to all of it")
	require.Contains(t, p.Rows[1].Reason, "changed again since")
	require.Contains(t, p.Rows[2].Reason, "deleted since")

	key := editor.With("Idempotency-Key", "k1")
	first := key.POST(takeback, `{"id":1,"seen":"%s"}`, p.Seen).OK().Golden("audit/takeback")
	require.JSONEq(t, string(first.Body), string(key.POST(takeback, `{"id":1,"seen":"%s"}`, p.Seen).OK().Body))
	require.Equal(t, []string{"10.00", "10.50", "10.50", "10.00"},
		w.Shop.Texts("SELECT price FROM goods_product ORDER BY id"))
	require.Equal(t, []string{"10.00", "10.50", "10.50", "10.00"}, w.Shop.Texts("SELECT retail_price FROM goods ORDER BY id"))
	require.Empty(t, w.Shop.Disagreements())

	// Taken back, it cannot be taken back again, but that can.
	editor.GET("%s?id=1", takeback).Data(&p)
	require.Zero(t, p.Taken)
	editor.POST(takeback, `{"id":1,"seen":"%s"}`, p.Seen).OK()
	last := w.Shop.Int("SELECT MIN(id) FROM audit_log WHERE method_path = 'POST /admin/audit/takeback'")
	editor.GET("%s?id=%d", takeback, last).Data(&p)
	require.Equal(t, 2, p.Taken)
	editor.POST(takeback, `{"id":%d,"seen":"%s"}`, last, p.Seen).OK()
	require.EqualValues(t, 4, w.Shop.Int("SELECT COUNT(*) FROM goods_product WHERE price = 10.50"))
	require.Empty(t, w.Shop.Disagreements())
}

func TestTakeBackIsRefused(t *testing.T) {
	t.Parallel()
	w, editor := stocked(t, 2)
	var p plan
	editor.GET("%s?id=1", takeback).Data(&p)
	editor.POST(takeback, `{"id":1,"seen":"x"}`).Fails(errno.Stale)
	editor.POST("/admin/goods/update", `{"goods":{"id":2,"name":"renamed"},"products":[]}`).OK()
	editor.POST(takeback, `{"id":1,"seen":"%s"}`, p.Seen).Fails(errno.Stale)
	editor.POST(takeback, `{}`).Fails(errno.Missing)
	for _, id := range []string{"99", "x", "0"} {
		editor.GET("%s?id=%s", takeback, id).Fails(errno.Invalid)
	}
	// Of what is more than prices, flags, category, brand and position nothing is taken back.
	last := w.Shop.Int("SELECT MAX(id) FROM audit_log")
	editor.GET("%s?id=%d", takeback, last).Data(&p)
	require.Equal(t, 1, p.Kept)
	w.Super().POST("/admin/role/create", `{"name":"another"}`).OK()
	w.Super().GET("%s?id=%d", takeback, last+1).Fails(errno.Invalid).Says("这项改动不能撤回")
	// Whoever may take back needs the permission of what was done.
	other := w.Operator("other", "admin:audit:takeback")
	other.GET("%s?id=1", takeback).Fails(errno.NoPermission)
	other.POST(takeback, `{"id":1,"seen":"%s"}`, p.Seen).Fails(errno.NoPermission)
}

// Flags and categories return as well, unless the category is gone.
func TestTakeBackOfACategory(t *testing.T) {
	t.Parallel()
	w, editor := stocked(t, 2)
	super := w.Super()
	super.POST("/admin/category/create", `{"name":"first","level":"L1"}`).OK()
	super.POST("/admin/category/create", `{"name":"second","level":"L1"}`).OK()
	super.POST("/admin/category/create", `{"name":"third","level":"L1"}`).OK()
	first := w.Shop.Int("SELECT MIN(id) FROM category WHERE name = 'first'")
	editor.POST(batch, `{"ids":[1],"categoryId":%d}`, first).OK()
	editor.POST(batch, `{"ids":[2],"categoryId":%d}`, first+1).OK()
	editor.POST(batch, `{"ids":[1,2],"categoryId":%d,"isHot":true,"isOnSale":false}`, first+2).OK()
	last := w.Shop.Int("SELECT MAX(id) FROM audit_log")
	super.POST("/admin/category/delete", `{"id":%d}`, first+1).OK()
	var p plan
	editor.GET("%s?id=%d", takeback, last).Data(&p)
	require.Equal(t, []int{1, 1}, []int{p.Taken, p.Kept})
	editor.POST(takeback, `{"id":%d,"seen":"%s"}`, last, p.Seen).OK()
	require.Equal(t, []string{fmt.Sprintf("%d 0 1", first), fmt.Sprintf("%d 1 0", first+2)},
		w.Shop.Texts("SELECT CONCAT_WS(' ', category_id, is_hot, is_on_sale) FROM goods ORDER BY id"))
	require.Empty(t, w.Shop.Disagreements())
}

// The number of statements does not grow with the goods.
func TestTakeBackOfManyGoods(t *testing.T) {
	t.Parallel()
	w, editor := stocked(t, 200)
	for _, id := range []int{7, 77, 177} {
		editor.POST("/admin/goods/update", `{"goods":{"id":%d,"name":"edited %d"},"products":[]}`, id, id).OK()
	}
	var p plan
	editor.GET("%s?id=1", takeback).Data(&p)
	require.Equal(t, []int{197, 3}, []int{p.Taken, p.Kept})
	editor.POST(takeback, `{"id":1,"seen":"%s"}`, p.Seen).OK()
	require.EqualValues(t, 197, w.Shop.Int("SELECT COUNT(*) FROM goods_product WHERE price = 10"))
	require.Empty(t, w.Shop.Disagreements())
}
