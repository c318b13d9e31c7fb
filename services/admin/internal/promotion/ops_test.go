package promotion_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/promotion"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, promotion.Ops(promotion.Deps{})...)) }

const (
	list   = "/admin/coupon/list"
	users  = "/admin/coupon/listuser"
	read   = "/admin/coupon/read"
	create = "/admin/coupon/create"
	update = "/admin/coupon/update"
	remove = "/admin/coupon/delete"
)

func clerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:coupon:list", "admin:coupon:listuser", "admin:coupon:read", "admin:coupon:create",
		"admin:coupon:update", "admin:coupon:delete", "admin:groupon:list", "admin:groupon:read", "admin:groupon:create",
		"admin:groupon:update", "admin:groupon:delete")
}

func TestCreateCoupon(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := clerk(w)
	w.Shop.Product("tea", money.Yuan(9), 5)
	c.POST(create, `{"name":"新人券","id":7,"deleted":true,"addTime":"2001-01-01 00:00:00","code":"MINE","received":9,`+
		`"days":"10","discount":"5.50","min":30,"daysType":0}`).OK().Golden("create")
	c.POST(create, `{"name":"节日券","desc":"国庆","tag":"节","total":100,"discount":10,"min":99,"limit":2,"type":0,`+
		`"goodsType":2,"goodsValue":[1],"timeType":1,"days":7,"startTime":"2030-10-01 00:00:00",`+
		`"endTime":"2030-10-08 00:00:00"}`).OK().Golden("create_fixed")
	for _, body := range []string{
		`{}`, `{"name":""}`, `{"name":" ","days":1}`, `{"name":"x","timeType":1}`,
		`{"name":"x","timeType":1,"startTime":"2030-10-01 00:00:00"}`,
		`{"name":"x","timeType":1,"endTime":"2030-10-01 00:00:00"}`,
	} {
		c.POST(create, "%s", body).Fails(errno.Missing)
	}
	for _, rest := range []string{
		``, `"days":0`, `"days":-1`, `"days":1,"total":-1`, `"days":1,"discount":-0.01`, `"days":1,"discount":0.001`,
		`"days":1,"min":-1`, `"days":1,"limit":-1`, `"days":1,"type":3`, `"days":1,"type":1,"limit":0`,
		`"days":1,"status":3`, `"days":1,"goodsType":3`, `"days":1,"goodsType":1`, `"days":1,"goodsType":1,"goodsValue":[]`,
		`"days":1,"goodsType":1,"goodsValue":[1]`, `"days":1,"goodsType":2,"goodsValue":[1,2]`,
		`"days":1,"goodsType":2,"goodsValue":["x"]`, `"days":1,"timeType":2`, `"days":1,"tag":"` + fmt.Sprintf("%064d", 1) + `"`,
		`"days":1,"desc":"` + fmt.Sprintf("%0128d", 1) + `"`, `"timeType":1,"startTime":"x","endTime":"y"`,
		`"timeType":1,"startTime":"2030-10-01 00:00:00","endTime":"2030-10-01 00:00:00"`,
	} {
		body := `{"name":"x"`
		if rest != "" {
			body += "," + rest
		}
		c.POST(create, "%s}", body).Fails(errno.Invalid)
	}
	c.POST(create, `{"name":"%064d","days":1}`, 1).Fails(errno.Invalid)
	require.EqualValues(t, 2, w.Shop.Int("SELECT COUNT(*) FROM coupon"))
	w.Shop.Agree()
	w.Conflict("INSERT INTO coupon")
	c.POST(create, `{"name":"x","days":1}`).Fails(errno.Stale)
}

// A redeemable coupon has a code that the server generates; no two live ones have the same.
func TestCodes(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := clerk(w)
	type coupon struct {
		ID   int64
		Code *string
	}
	form := regexp.MustCompile(`^[A-Z0-9]{8}$`)
	seen := map[string]bool{}
	for range 20 {
		var got coupon
		c.POST(create, `{"name":"code","days":1,"type":2,"code":"AAAAAAAA"}`).Data(&got)
		require.Regexp(t, form, *got.Code)
		seen[*got.Code] = true
	}
	require.Len(t, seen, 20)
	var plain, changed coupon
	c.POST(create, `{"name":"plain","days":1}`).Data(&plain)
	require.Nil(t, plain.Code)
	c.POST(update, `{"id":%d,"type":2}`, plain.ID).Data(&changed)
	require.Regexp(t, form, *changed.Code)
	var again coupon
	c.POST(update, `{"id":%d,"type":2,"name":"other","code":"BBBBBBBB"}`, plain.ID).Data(&again)
	require.Equal(t, changed.Code, again.Code, "a code stays")
	var back coupon
	c.POST(update, `{"id":%d,"type":0}`, plain.ID).Data(&back)
	require.Nil(t, back.Code)
	w.Shop.Agree()
}

func TestUpdateCoupon(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := clerk(w)
	tea := w.Shop.Product("tea", money.Yuan(9), 5)
	c.POST(create, `{"name":"券","tag":"t","total":5,"days":10,"limit":2,"discount":5,"goodsType":2,"goodsValue":[1]}`).OK()
	for i := range 3 {
		require.NoError(t, w.Shop.Promotions.Receive(t.Context(), w.Shop.Shopper(fmt.Sprint("s", i)), 1))
	}
	w.Shop.Clock.Move(time.Hour)
	c.POST(update, `{"id":1,"total":2}`).Fails(errno.Invalid)
	c.POST(update, `{"name":"x"}`).Fails(errno.Missing)
	c.POST(update, `{"id":1,"name":""}`).Fails(errno.Missing)
	c.POST(update, `{"id":1,"timeType":1}`).Fails(errno.Missing)
	c.POST(update, `{"id":1,"days":0}`).Fails(errno.Invalid)
	c.POST(update, `{"id":1,"goodsType":1}`).Fails(errno.Invalid)
	c.POST(update, `{"id":99,"name":"x"}`).Fails(errno.UpdateFailed)
	keyed := c.With("Idempotency-Key", "u")
	const body = `{"id":1,"name":"新券","total":3,"discount":null,"deleted":true,"received":0,"status":2}`
	keyed.POST(update, body).OK().Golden("update")
	keyed.POST(update, body).OK()
	require.EqualValues(t, 3, w.Shop.Int("SELECT received FROM coupon"))
	w.Shop.Agree()
	// The scope of a coupon may have been deleted since; the coupon can be changed nevertheless, but not to deleted goods.
	require.NoError(t, w.Shop.Catalog.Remove(t.Context(), tea.GoodsID))
	c.POST(update, `{"id":1,"goodsType":2,"goodsValue":[1],"total":0,"limit":1}`).OK()
	c.POST(update, `{"id":1,"goodsType":0}`).OK()
	c.POST(update, `{"id":1,"goodsType":2,"goodsValue":[1]}`).Fails(errno.Invalid)
	w.Shop.Agree()
	// A lower limit per shopper applies to new coupons; shoppers keep those that they have.
	c.POST(create, `{"name":"券","days":10,"limit":3}`).OK()
	for range 3 {
		require.NoError(t, w.Shop.Promotions.Receive(t.Context(), 1, 2))
	}
	w.Shop.Clock.Move(time.Hour)
	c.POST(update, `{"id":2,"limit":1}`).OK()
	require.ErrorIs(t, w.Shop.Promotions.Receive(t.Context(), 1, 2), errno.CouponExceedLimit)
	require.NoError(t, w.Shop.Promotions.Receive(t.Context(), 2, 2))
	w.Shop.Agree()
	w.Conflict("UPDATE coupon")
	c.POST(update, `{"id":1,"name":"x"}`).Fails(errno.Stale)
}

func TestDeleteCoupon(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := clerk(w)
	lin := w.Shop.Shopper("lin")
	c.POST(create, `{"name":"券","days":10,"discount":5,"type":0,"limit":0}`).OK()
	require.NoError(t, w.Shop.Promotions.Receive(t.Context(), lin, 1))
	require.Len(t, w.Shop.Usable(lin), 1)
	c.POST(remove, `{}`).Fails(errno.Missing)
	c.POST(remove, `{"id":"x"}`).Fails(errno.Invalid)
	c.POST(remove, `{"id":1,"name":"other"}`).OK().Golden("delete")
	c.POST(remove, `{"id":1}`).OK().Golden("delete_again")
	c.GET(read + "?id=1").Fails(errno.Invalid)
	c.POST(update, `{"id":1,"name":"x"}`).Fails(errno.UpdateFailed)
	c.GET(list).Empty()
	require.Equal(t, []int64{10000001}, c.GET(users).IDs(), "the shopper's copy stays")
	require.Len(t, w.Shop.Usable(lin), 1, "and may be used")
	require.ErrorIs(t, w.Shop.Promotions.Receive(t.Context(), lin, 1), errno.Invalid)
	w.Shop.Agree()
	c.POST(create, `{"name":"券","days":10}`).OK()
	w.Conflict("UPDATE coupon")
	c.POST(remove, `{"id":2}`).Fails(errno.Stale)
}

func TestCouponLists(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := clerk(w)
	c.POST(create, `{"name":"满100减10","days":10,"limit":0}`).OK()
	w.Shop.Clock.Move(time.Hour)
	c.POST(create, `{"name":"生日_100%%","days":10,"type":1}`).OK()
	w.Shop.Clock.Move(time.Hour)
	c.POST(create, `{"name":"BIRTHDAY","days":10,"status":2}`).OK()
	c.GET(list).OK().Golden("list")
	for query, want := range map[string][]int64{
		"": {3, 2, 1}, "sort=id&order=asc": {1, 2, 3}, "page=9&limit=2": {1}, "name=100": {2, 1}, "name=birth": {3},
		"name=%25": {2}, "name=_": {2}, "type=1": {2}, "type=0&status=2": {3}, "status=9": {}, "type=&status=&name=": {3, 2, 1},
		"name=x%27+or+%271%27=%271": {},
	} {
		require.Equal(t, want, c.GET(list+"?"+query).IDs(), query)
	}
	for _, query := range []string{"type=x", "status=x", "sort=name", "order=up", "limit=10001", "page=0"} {
		c.GET(list + "?" + query).Fails(errno.Invalid)
	}
	c.GET(read + "?id=2").OK().Golden("read")
	c.GET(read).Fails(errno.Missing)
	for _, id := range []string{"99", "0", "x", "1.5"} {
		c.GET(read + "?id=" + id).Fails(errno.Invalid)
	}
	for _, name := range []string{"lin", "mei"} {
		require.NoError(t, w.Shop.Promotions.Receive(t.Context(), w.Shop.Shopper(name), 1))
	}
	w.Shop.Exec("UPDATE coupon_user SET status = 1, used_time = ?, order_id = 5 WHERE id = 10000001", w.Shop.Clock.Now())
	c.GET(users + "?couponId=1").OK().Golden("listuser")
	for query, want := range map[string][]int64{
		"userId=1": {10000001}, "userId=0": {}, "couponId=2": {}, "status=0": {10000002}, "status=1&couponId=1": {10000001},
		"userId=&couponId=&status=": {10000002, 10000001},
	} {
		require.Equal(t, want, c.GET(users+"?"+query).IDs(), query)
	}
	c.GET(users + "?userId=x").Fails(errno.Invalid)
}

// The total may be lowered while shoppers receive the coupon: it never falls below the number given out.
func TestUpdateAgainstReceive(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := clerk(w)
	const shoppers = 8
	c.POST(create, `{"name":"券","days":10,"total":100,"limit":1}`).OK()
	done := make(chan error)
	for i := range shoppers {
		id := w.Shop.Shopper(fmt.Sprint("s", i))
		go func() { done <- w.Shop.Promotions.Receive(t.Context(), id, 1) }()
	}
	for total := 1; total <= shoppers; total++ {
		a := c.POST(update, `{"id":1,"total":%d}`, total)
		require.Contains(t, []*errno.Code{errno.OK, errno.Invalid}, a.Code())
	}
	for range shoppers {
		if err := <-done; err != nil {
			require.ErrorIs(t, err, errno.CouponExceedLimit)
		}
	}
	w.Shop.Agree()
}
