package promotion_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	domainpromotion "shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/promotion"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, promotion.Ops(promotion.Deps{})...)) }

const (
	list    = "/wx/coupon/list"
	mine    = "/wx/coupon/mylist"
	fitting = "/wx/coupon/selectlist"
	receive = "/wx/coupon/receive"
)

func create(t *testing.T, s *apitest.Shop, c domainpromotion.Coupon) int64 {
	t.Helper()
	if c.Name == "" {
		c.Name = "coupon"
	}
	if c.Days == 0 && c.End.IsZero() {
		c.Days = 30
	}
	id, err := s.Domain.Promotions.Create(t.Context(), c)
	require.NoError(t, err)
	return id
}

func TestReceivableCoupons(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET(list).Empty()
	create(t, s, domainpromotion.Coupon{
		Name: "满100减10", Description: "全场", Tag: "新人", Discount: money.Yuan(10), Min: money.Yuan(100), PerShopper: 1,
	})
	s.Domain.Clock.Move(time.Minute)
	create(t, s, domainpromotion.Coupon{
		Name: "元旦", Discount: 550, Start: domaintest.Noon.Add(-time.Hour), End: domaintest.Noon.Add(time.Hour), Total: 1,
	})
	s.Guest().GET(list).OK().Golden("list")
	hidden := map[string]domainpromotion.Coupon{
		"a gift":      {Kind: domainpromotion.Gift},
		"for a code":  {Kind: domainpromotion.Code, Code: "ABCDEFG1"},
		"expired":     {Status: domainpromotion.Expired},
		"withdrawn":   {Status: domainpromotion.Withdrawn},
		"over by now": {Start: domaintest.Noon.Add(-time.Hour), End: domaintest.Noon},
		"exhausted":   {Total: 3, Name: "exhausted"},
		"deleted":     {Name: "deleted"},
	}
	for _, c := range hidden {
		create(t, s, c)
	}
	s.Domain.Exec("UPDATE coupon SET received = total WHERE name = 'exhausted'")
	s.Domain.Exec("UPDATE coupon SET deleted = 1 WHERE name = 'deleted'")
	require.Equal(t, []int64{2, 1}, s.Guest().GET(list).IDs())
	s.Domain.Clock.Move(2 * time.Hour)
	require.Equal(t, []int64{1}, s.Guest().GET(list).IDs(), "the clock ends coupons, not a job")
}

func TestPaging(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	shopper := s.Domain.Shopper("lin")
	lin := s.As(shopper)
	for range 3 {
		create(t, s, domainpromotion.Coupon{PerShopper: 1})
		s.Domain.Clock.Move(time.Minute)
	}
	create(t, s, domainpromotion.Coupon{PerShopper: 1}) // at the same moment as the next
	create(t, s, domainpromotion.Coupon{PerShopper: 1})
	for id := range int64(5) {
		lin.POST(receive, `{"couponId":%d}`, id+1).OK()
	}
	tests := map[string]struct {
		ids         []int64
		page, limit int
	}{
		"":                         {[]int64{5, 4, 3, 2, 1}, 1, 10},
		"order=asc":                {[]int64{1, 2, 3, 4, 5}, 1, 10},
		"sort=ID&order=asc":        {[]int64{1, 2, 3, 4, 5}, 1, 10},
		"page=2&limit=2":           {[]int64{3, 2}, 2, 2},
		"page=3&limit=2":           {[]int64{1}, 3, 2},
		"page=4&limit=2":           {[]int64{}, 4, 2},
		"page=2147483647&limit=1":  {[]int64{}, 2147483647, 1},
		"limit=0":                  {[]int64{5, 4, 3, 2, 1}, 1, 1000},
		"limit=1001":               {[]int64{5, 4, 3, 2, 1}, 1, 1000},
		"page=undefined&limit=NaN": {[]int64{5, 4, 3, 2, 1}, 1, 10},
	}
	for _, path := range []string{list, mine} {
		for query, tt := range tests {
			t.Run(path+"?"+query, func(t *testing.T) {
				var got struct {
					Total, Page, Limit, Pages int
				}
				a := lin.In(t).GET(path + "?" + query)
				a.Data(&got)
				require.Equal(t, []int{5, tt.page, tt.limit, (5 + tt.limit - 1) / tt.limit},
					[]int{got.Total, got.Page, got.Limit, got.Pages})
				want := tt.ids
				if path == mine {
					want = []int64{}
					for _, id := range tt.ids {
						want = append(want, 10_000_000+id)
					}
				}
				require.Equal(t, want, a.IDs())
			})
		}
		for _, query := range []string{
			"limit=-1", "limit=x", "page=0", "page=-1", "sort=password", "sort=discount", "sort=id%20desc", "order=DESC",
			"order=desc,id", "page=2147483648",
		} {
			t.Run(path+"?"+query, func(t *testing.T) { lin.In(t).GET(path + "?" + query).Fails(errno.Invalid) })
		}
	}
}

// Dates are compared with the clock, not with the state that the job sets.
func TestReceive(t *testing.T) {
	t.Parallel()
	past, future := domaintest.Noon.Add(-time.Minute), domaintest.Noon.Add(time.Minute)
	tests := map[string]struct {
		coupon domainpromotion.Coupon
		spoil  string
		want   *errno.Code
	}{
		"good":                        {domainpromotion.Coupon{PerShopper: 1}, "", errno.OK},
		"the last one":                {domainpromotion.Coupon{Total: 3}, "received = 2", errno.OK},
		"dates that run":              {domainpromotion.Coupon{Start: past, End: future}, "", errno.OK},
		"dates to come":               {domainpromotion.Coupon{Start: future, End: future.Add(time.Hour)}, "", errno.OK},
		"a gift":                      {domainpromotion.Coupon{Kind: domainpromotion.Gift}, "", errno.CouponReceiveFailed},
		"for a code":                  {domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "ABCDEFG1"}, "", errno.CouponReceiveFailed},
		"a withdrawn gift":            {domainpromotion.Coupon{Kind: domainpromotion.Gift, Status: domainpromotion.Withdrawn}, "", errno.CouponReceiveFailed},
		"withdrawn":                   {domainpromotion.Coupon{Status: domainpromotion.Withdrawn}, "", errno.CouponExceedLimit},
		"withdrawn and over":          {domainpromotion.Coupon{Status: domainpromotion.Withdrawn, Start: past, End: past}, "", errno.CouponExceedLimit},
		"expired":                     {domainpromotion.Coupon{Status: domainpromotion.Expired}, "", errno.CouponReceiveFailed},
		"over by the clock":           {domainpromotion.Coupon{Start: past, End: domaintest.Noon}, "", errno.CouponReceiveFailed},
		"over and exhausted":          {domainpromotion.Coupon{Start: past, End: past, Total: 3}, "received = 3", errno.CouponReceiveFailed},
		"exhausted":                   {domainpromotion.Coupon{Total: 3}, "received = 3", errno.CouponExceedLimit},
		"given out more than allowed": {domainpromotion.Coupon{Total: 3}, "received = 4", errno.CouponExceedLimit},
		"deleted":                     {domainpromotion.Coupon{}, "deleted = 1", errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := apitest.Open(t)
			id := create(t, s, tt.coupon)
			if tt.spoil != "" {
				s.Domain.Exec("UPDATE coupon SET " + tt.spoil)
			}
			before := s.Domain.Int("SELECT received FROM coupon")
			s.Shopper("lin").In(t).POST(receive, `{"couponId":"%d"}`, id).Fails(tt.want)
			given := int64(0)
			if tt.want == errno.OK {
				given = 1
			}
			require.Equal(t, given, s.Domain.Int("SELECT COUNT(*) FROM coupon_user"))
			require.Equal(t, before+given, s.Domain.Int("SELECT received FROM coupon"))
		})
	}
}

func TestReceiveAgain(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	one, two, any := create(t, s, domainpromotion.Coupon{PerShopper: 1}), create(t, s, domainpromotion.Coupon{PerShopper: 2}),
		create(t, s, domainpromotion.Coupon{PerShopper: 0})
	lin.POST(receive, `{"couponId":%d}`, one).OK()
	lin.POST(receive, `{"couponId":%d}`, one).Fails(errno.CouponExceedLimit).Says("每人最多领取 1 张")
	lin.POST(receive, `{"couponId":%d}`, two).OK()
	lin.POST(receive, `{"couponId":%d}`, two).OK()
	lin.POST(receive, `{"couponId":%d}`, two).Fails(errno.CouponExceedLimit)
	for range 4 {
		lin.POST(receive, `{"couponId":%d}`, any).OK()
	}
	s.Shopper("mei").POST(receive, `{"couponId":%d}`, one).OK()
	s.Domain.Exec("UPDATE coupon SET type = 1")
	lin.POST(receive, `{"couponId":%d}`, one).Fails(errno.CouponReceiveFailed).Says("该优惠券不能直接领取")
	keyed := s.Shopper("wang").With("Idempotency-Key", "one")
	s.Domain.Exec("UPDATE coupon SET type = 0")
	keyed.POST(receive, `{"couponId":%d}`, two).OK()
	keyed.POST(receive, `{"couponId":%d}`, two).OK()
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM coupon_user h JOIN user u ON u.id = h.user_id AND u.username = 'wang'"))
	s.Domain.Agree()
}

func TestReceiveBadValues(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	for body, want := range map[string]*errno.Code{
		``:                              errno.Missing,
		`{"couponId":null}`:             errno.Missing,
		`{"couponId":" "}`:              errno.Missing,
		`{"couponId":0}`:                errno.Invalid,
		`{"couponId":-1}`:               errno.Invalid,
		`{"couponId":99}`:               errno.Invalid,
		`{"couponId":1.5}`:              errno.Invalid,
		`{"couponId":"1 or 1=1"}`:       errno.Invalid,
		`{"couponId":[1]}`:              errno.Invalid,
		`{"couponId":9007199254740993}`: errno.Invalid,
		`[]`:                            errno.Invalid,
		strings.Repeat("[", 10_000):     errno.Invalid,
		`{"x":"` + strings.Repeat("x", 2<<20) + `"}`: errno.Invalid,
	} {
		lin.POST(receive, "%s", body).Fails(want)
	}
	create(t, s, domainpromotion.Coupon{PerShopper: 1})
	s.API.Count = func(ctx context.Context) (context.Context, func() int) {
		return domaintest.Conflict(ctx, "UPDATE coupon")
	}
	lin.POST(receive, `{"couponId":1}`).Fails(errno.Stale)
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM coupon_user"))
}

func TestNeedALogin(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET(mine + "?limit=-1").Fails(errno.LoginRequired)
	s.Guest().GET(fitting + "?cartId=x").Fails(errno.LoginRequired)
	s.Guest().POST(receive, `{`).Fails(errno.LoginRequired)
	s.Guest().GET(receive).Fails(errno.WrongMethod)
}

// withUserCoupons is a shop where lin has one coupon of each kind: usable, used, past its end, marked expired, withdrawn, of a
// withdrawn definition, and one of a deleted definition, which is never shown.
func withUserCoupons(t *testing.T) (*apitest.Shop, *optest.Client) {
	t.Helper()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	for i, c := range []domainpromotion.Coupon{
		{Name: "good", Description: "全场", Tag: "新人", Discount: money.Yuan(10), Min: money.Yuan(99)},
		{Name: "used"},
		{Name: "past", Start: domaintest.Noon.Add(-time.Hour), End: domaintest.Noon.Add(time.Minute)},
		{Name: "expired"},
		{Name: "taken back"},
		{Name: "withdrawn"},
		{Name: "deleted"},
	} {
		create(t, s, c)
		lin.POST(receive, `{"couponId":%d}`, i+1).OK()
	}
	s.Domain.Clock.Move(2 * time.Minute)
	for name, set := range map[string]string{"used": "status = 1, order_id = 7", "expired": "status = 2", "taken back": "status = 3"} {
		s.Domain.Exec("UPDATE coupon_user SET "+set+" WHERE coupon_id = (SELECT id FROM coupon WHERE name = ?)", name)
	}
	s.Domain.Exec("UPDATE coupon SET status = 2 WHERE name = 'withdrawn'")
	s.Domain.Exec("UPDATE coupon SET deleted = 1 WHERE name = 'deleted'")
	return s, lin
}

// A coupon stays with who has it when its definition is deleted.
func TestMine(t *testing.T) {
	t.Parallel()
	s, lin := withUserCoupons(t)
	s.Shopper("mei").GET(mine).Empty()
	lin.GET(mine + "?sort=id&order=asc").OK().Golden("mine")
	for query, want := range map[string][]int64{
		"status=0":         {10000007, 10000006, 10000001},
		"status=1":         {10000002},
		"status=2":         {10000004, 10000003},
		"status=":          {10000007, 10000006, 10000005, 10000004, 10000003, 10000002, 10000001},
		"status=undefined": {10000007, 10000006, 10000005, 10000004, 10000003, 10000002, 10000001},
	} {
		require.Equal(t, want, lin.GET(mine+"?sort=id&"+query).IDs(), query)
	}
	for _, query := range []string{"status=3", "status=-1", "status=x", "status=0%20or%201"} {
		lin.GET(mine + "?" + query).Fails(errno.Invalid)
	}
}

// reasons returns the shopper's coupons for the cart, each with why it does not fit.
func reasons(shopper *optest.Client) (all [][2]string) {
	var got struct {
		List []struct {
			ID              json.Number
			Available       bool
			Reason, Missing string
		}
	}
	shopper.GET(fitting + "?all=true").Data(&got)
	for _, c := range got.List {
		all = append(all, [2]string{c.ID.String(), strings.TrimSpace(c.Reason + " " + c.Missing)})
	}
	return all
}

func TestFitting(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	shopper := s.Domain.Shopper("lin")
	lin := s.As(shopper)
	tea, pot := s.Domain.Product("tea", 5000, 10), s.Domain.Product("pot", 10000, 10)
	s.Domain.Exec("UPDATE goods SET category_id = 12 WHERE id = ?", tea.GoodsID)
	lin.GET(fitting).Empty()
	for _, w := range []string{
		fmt.Sprintf(`{"goodsId":%d,"productId":%d,"number":1}`, tea.GoodsID, tea.ProductID),
		fmt.Sprintf(`{"goodsId":%d,"productId":%d,"number":1}`, pot.GoodsID, pot.ProductID),
	} {
		lin.POST("/wx/cart/add", "%s", w).OK()
	}
	soon := domaintest.Noon.Add(time.Hour)
	for i, c := range []domainpromotion.Coupon{
		{Discount: 500, Min: money.Yuan(150)}, // exactly the sum
		{Discount: 900, Min: 15001},
		{Discount: 700, Scope: domainpromotion.SomeGoods, Scoped: []int64{pot.GoodsID, 99}, Min: money.Yuan(100)},
		{Discount: 900, Scope: domainpromotion.SomeGoods, Scoped: []int64{tea.GoodsID}, Min: money.Yuan(51)},
		{Discount: 500, Scope: domainpromotion.SomeCategories, Scoped: []int64{12}, Min: money.Yuan(50), Start: domaintest.Noon, End: soon},
		{Discount: 900, Scope: domainpromotion.SomeCategories, Scoped: []int64{13}},
		{Discount: 900, Scope: domainpromotion.SomeGoods},
		{Discount: 900, Start: soon, End: soon.Add(time.Hour)},
		{Discount: 900, Name: "withdrawn"},
		{Discount: 900, Name: "deleted"},
		{Discount: 500, Min: 0},
	} {
		create(t, s, c)
		lin.POST(receive, `{"couponId":%d}`, i+1).OK()
	}
	s.Domain.Exec("UPDATE coupon SET status = 2 WHERE name = 'withdrawn'")
	s.Domain.Exec("UPDATE coupon SET deleted = 1 WHERE name = 'deleted'") // which is kept by who has it
	lin.GET(fitting).OK().Golden("fitting")
	require.Equal(t, []int64{10000010, 10000003, 10000005, 10000001, 10000011}, lin.GET(fitting+"?cartId=0&grouponRulesId=-1").IDs())
	require.Equal(t, []int64{10000010, 10000003, 10000011}, lin.GET(fitting+"?cartId=2").IDs(), "the pot alone")
	require.Equal(t, []int64{10000010, 10000005, 10000011}, lin.GET(fitting+"?cartId=1").IDs(), "the tea alone")
	lin.GET(fitting + "?all=true").OK().Golden("fitting_all")
	require.Equal(t, [][2]string{
		{"10000010", ""},
		{"10000003", ""},
		{"10000005", ""},
		{"10000001", ""},
		{"10000011", ""},
		{"10000002", "minimum 0.01"},
		{"10000004", "minimum 1.00"},
		{"10000006", "goods"},
		{"10000007", "goods"},
		{"10000008", "early"},
		{"10000009", "withdrawn"},
	}, reasons(lin), "those that do not fit come last, with the reason")

	mei := s.Shopper("mei")
	for _, cart := range []string{"99", "1", "-1", "x", "1.5"} { // 1 is lin's
		mei.GET(fitting + "?cartId=" + cart).Fails(errno.Invalid)
	}
	lin.GET(fitting + "?grouponRulesId=1").Fails(errno.Invalid)
	s.Domain.Exec("UPDATE goods_product SET deleted = 1 WHERE id = ?", tea.ProductID)
	lin.GET(fitting + "?cartId=1").Fails(errno.GoodsInvalid)
	s.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = ?", tea.GoodsID)
	lin.GET(fitting + "?cartId=1").Fails(errno.GoodsUnshelved)
	require.Equal(t, []int64{10000010, 10000003, 10000011}, lin.GET(fitting).IDs(), "what is not live counts nowhere")
}
