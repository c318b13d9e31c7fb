package promotion_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/idempotency"
)

func TestPick(t *testing.T) {
	t.Parallel()
	noon := domaintest.Noon
	held := func(id, coupon int64, hours int) promotion.UserCoupon {
		return promotion.UserCoupon{ID: id, Coupon: promotion.Coupon{ID: coupon}, End: noon.Add(time.Duration(hours) * time.Hour)}
	}
	// The best first, as Usable returns them; coupon 1 three times, the second ending first and the third at the same
	// time.
	usable := []promotion.UserCoupon{
		held(10000001, 2, 9), held(10000004, 1, 5), held(10000003, 1, 3), held(10000002, 1, 3), held(10000005, 10000004, 1),
	}
	tests := map[string]struct {
		coupon, held, want int64
	}{
		"a coupon and its copy":                     {1, 10000004, 10000004},
		"a copy under both names":                   {10000004, 10000004, 10000004},
		"a coupon alone: ends first, smallest id":   {1, 0, 10000002},
		"the same with a negative copy":             {1, -1, 10000002},
		"a copy alone":                              {10000001, 0, 10000001},
		"a coupon's id before a copy's":             {10000004, 0, 10000005},
		"another coupon's copy":                     {2, 10000004, 0},
		"a copy that is not usable":                 {1, 10000009, 0},
		"an unknown coupon with a good copy":        {9, 10000004, 0},
		"an unknown coupon":                         {9, 0, 0},
		"nothing":                                   {0, 0, 0},
		"a copy, its coupon given by another's own": {10000001, 10000004, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := promotion.Pick(usable, tt.coupon, tt.held)
			require.Equal(t, tt.want != 0, ok)
			require.Equal(t, tt.want, got.ID)
		})
	}
	require.Equal(t, int64(10000001), usable[0].ID, "the list is left as it was")
}

// Whether a coupon fits depends on the sum of the lines in its scope, in whatever order they come.
func TestFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) promotion.Line {
			return promotion.Line{
				GoodsID: rapid.Int64Range(1, 4).Draw(t, "goods"), CategoryID: rapid.Int64Range(1, 4).Draw(t, "category"),
				Sum: money.Amount(rapid.Int64Range(0, 1000).Draw(t, "sum")),
			}
		}), 0, 6).Draw(t, "lines")
		c := promotion.Coupon{
			Scope:  promotion.Scope(rapid.IntRange(0, 2).Draw(t, "scope")),
			Scoped: rapid.SliceOfN(rapid.Int64Range(1, 5), 0, 3).Draw(t, "scoped"),
			Min:    money.Amount(rapid.Int64Range(0, 2500).Draw(t, "min")),
		}
		named := map[int64]bool{}
		for _, id := range c.Scoped {
			named[id] = true
		}
		var sum money.Amount
		some := false
		for _, l := range lines {
			if c.Scope == promotion.AllGoods || c.Scope == promotion.SomeGoods && named[l.GoodsID] ||
				c.Scope == promotion.SomeCategories && named[l.CategoryID] {
				sum, some = sum+l.Sum, true
			}
		}
		want := sum >= c.Min && (some || c.Scope == promotion.AllGoods)
		require.Equal(t, want, c.Fits(lines))
		require.Equal(t, want, c.Fits(rapid.Permutation(lines).Draw(t, "shuffled")))
	})
}

func create(t *testing.T, s *domaintest.Shop, c promotion.Coupon) int64 {
	t.Helper()
	if c.Days == 0 && c.End.IsZero() {
		c.Days = 30
	}
	if c.Name == "" {
		c.Name = "coupon"
	}
	if c.Discount == 0 {
		c.Discount = 100
	}
	id, err := s.Promotions.Create(t.Context(), c)
	require.NoError(t, err)
	return id
}

// register registers an account as shoppers do and returns its id.
func register(t *testing.T, s *domaintest.Shop, name, mobile string) int64 {
	t.Helper()
	require.NoError(t, s.Accounts.SendCode(t.Context(), mobile, "192.0.2.1"))
	_, err := s.Accounts.Register(t.Context(), account.Registration{
		Username: name, Password: domaintest.Password, Mobile: mobile, Code: s.Messages.Code(mobile), Address: "192.0.2.1",
	})
	require.NoError(t, err)
	return s.Int("SELECT id FROM user WHERE username = ?", name)
}

// No limit per shopper means one each, and the total is respected.
func TestRegistrationGifts(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	past, future := domaintest.Noon.Add(-time.Hour), domaintest.Noon.Add(time.Hour)
	gifts := map[string]promotion.Coupon{
		"without a limit": {PerShopper: 0},
		"one each":        {PerShopper: 1},
		"three each":      {PerShopper: 3},
		"two left":        {PerShopper: 3, Total: 5},
		"none left":       {PerShopper: 1, Total: 5},
		"dates":           {PerShopper: 1, Start: past, End: future},
		"over":            {PerShopper: 1, Start: past, End: domaintest.Noon},
		"expired":         {PerShopper: 1, Status: promotion.Expired},
		"withdrawn":       {PerShopper: 1, Status: promotion.Withdrawn},
		"deleted":         {PerShopper: 1},
		"common":          {PerShopper: 1, Kind: promotion.Common},
		"for a code":      {PerShopper: 1, Kind: promotion.Code, Code: "ABCDEFG1"},
	}
	for name, c := range gifts {
		c.Name = name
		if name != "common" && c.Code == "" {
			c.Kind = promotion.Gift
		}
		create(t, s, c)
	}
	s.Exec("UPDATE coupon SET received = 3 WHERE name = 'two left'")
	s.Exec("UPDATE coupon SET received = 5 WHERE name = 'none left'")
	s.Exec("UPDATE coupon SET deleted = 1 WHERE name = 'deleted'")
	lin := register(t, s, "lin", "13900000001")
	want := map[string]int64{"without a limit": 1, "one each": 1, "three each": 3, "two left": 2, "dates": 1}
	for name := range gifts {
		require.Equal(t, want[name], s.Int("SELECT COUNT(*) FROM coupon_user h JOIN coupon c ON c.id = h.coupon_id "+
			"WHERE h.user_id = ? AND c.name = ?", lin, name), name)
	}
	require.EqualValues(t, 5, s.Int("SELECT received FROM coupon WHERE name = 'two left'"))
	require.Equal(t, "2030-02-01 04:00:00.000", s.Text("SELECT CAST(end_time AS CHAR) FROM coupon_user h "+
		"WHERE coupon_id = (SELECT id FROM coupon WHERE name = 'one each')"))
	require.Equal(t, "2030-01-02 05:00:00.000", s.Text("SELECT CAST(end_time AS CHAR) FROM coupon_user h "+
		"WHERE coupon_id = (SELECT id FROM coupon WHERE name = 'dates')"))
	// The next shopper finds the total used up, and registers nevertheless.
	mei := register(t, s, "mei", "13900000002")
	require.EqualValues(t, 6, s.Int("SELECT COUNT(*) FROM coupon_user WHERE user_id = ?", mei))
}

// 64 at once get one coupon.
func TestOneCouponLeft(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	const n = 64
	shoppers := make([]int64, n)
	for i := range shoppers {
		shoppers[i] = s.Shopper(fmt.Sprint("shopper", i))
	}
	tests := map[string]struct {
		coupon promotion.Coupon
		who    func(i int) int64
		given  int
	}{
		"one shopper":                  {promotion.Coupon{Total: 1, PerShopper: 1}, func(int) int64 { return shoppers[0] }, 1},
		"64 shoppers":                  {promotion.Coupon{Total: 1, PerShopper: 1}, func(i int) int64 { return shoppers[i] }, 1},
		"one shopper, no total":        {promotion.Coupon{PerShopper: 3}, func(int) int64 { return shoppers[0] }, 3},
		"one shopper, only a total":    {promotion.Coupon{Total: 7}, func(int) int64 { return shoppers[0] }, 7},
		"64 shoppers, ten for them":    {promotion.Coupon{Total: 10, PerShopper: 1}, func(i int) int64 { return shoppers[i] }, 10},
		"64 shoppers, enough for them": {promotion.Coupon{PerShopper: 1}, func(i int) int64 { return shoppers[i] }, n},
	}
	for name, tt := range tests {
		for range 3 {
			tt.coupon.Name = name
			id := create(t, s, tt.coupon)
			want := map[int]int{0: tt.given}
			if tt.given < n {
				want[errno.CouponExceedLimit.Num] = n - tt.given
			}
			require.Equal(t, want, domaintest.Together(n, func(i int) error {
				return s.Promotions.Receive(t.Context(), tt.who(i), id)
			}), name)
			require.EqualValues(t, tt.given, s.Int("SELECT COUNT(*) FROM coupon_user WHERE coupon_id = ?", id), name)
			require.EqualValues(t, tt.given, s.Int("SELECT received FROM coupon WHERE id = ?", id), name)
		}
	}
	s.Agree()
}

func TestTheSameKeyTakesOnce(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, id := s.Shopper("lin"), create(t, s, promotion.Coupon{})
	ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "coupon.receive", Owner: lin, Key: "k", Hash: "h"})
	require.Equal(t, map[int]int{0: 20}, domaintest.Together(20, func(int) error { return s.Promotions.Receive(ctx, lin, id) }))
	require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM coupon_user"))
}

// A coupon expires by the clock, not by a job: it is spent and returned by time. Returned after its end it is expired,
// and no longer refers to its order.
func TestGivenBackByTheClock(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		wait time.Duration
		want promotion.UserCouponStatus
	}{
		"still good":            {time.Hour - time.Millisecond, promotion.Unused},
		"over at this moment":   {time.Hour, promotion.PastDue},
		"over for a long while": {24 * time.Hour, promotion.PastDue},
	} {
		t.Run(name, func(t *testing.T) {
			s := domaintest.Open(t)
			lin := s.Shopper("lin")
			id := create(t, s, promotion.Coupon{Discount: 100, Start: domaintest.Noon, End: domaintest.Noon.Add(time.Hour), Name: "c"})
			require.NoError(t, s.Promotions.Receive(t.Context(), lin, id))
			row, err := s.Cart.Set(t.Context(), lin, s.Product("tea", 4550, 10))
			require.NoError(t, err)
			placed, err := s.Orders.Submit(t.Context(), lin, order.Submission{
				Choice: order.Choice{Cart: row, Address: s.Address(lin), Coupon: id},
			})
			require.NoError(t, err)
			s.Clock.Move(tt.wait)
			require.NoError(t, s.Orders.Cancel(t.Context(), lin, placed.OrderID))
			require.Equal(t, fmt.Sprintf("%d|%d", tt.want, placed.OrderID),
				s.Text("SELECT CONCAT_WS('|', status, used_time, order_id, last_order_id) FROM coupon_user"))
			s.Agree()
		})
	}
}

func TestUsableByTheClock(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	from, to := domaintest.Noon.Add(time.Hour), domaintest.Noon.Add(2*time.Hour)
	require.NoError(t, s.Promotions.Receive(t.Context(), lin, create(t, s, promotion.Coupon{Start: from, End: to})))
	for at, want := range []int{0, 0, 1, 1, 1, 0} {
		if at > 0 {
			s.Clock.Move([]time.Duration{
				0, time.Hour - time.Millisecond, time.Millisecond, time.Hour - time.Millisecond,
				time.Millisecond, time.Millisecond,
			}[at])
		}
		require.Len(t, s.Usable(lin), want, at)
	}
	expired := promotion.PastDue
	list, err := s.Promotions.Mine(t.Context(), lin, &expired, page.Query{Page: 1, Limit: 10, Sort: "id"})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
}

// 64 concurrent calls redeem one code.
func TestOneCodeLeft(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	const n = 64
	shoppers := make([]int64, n)
	for i := range shoppers {
		shoppers[i] = s.Shopper(fmt.Sprint("shopper", i))
	}
	for code, who := range map[string]func(i int) int64{
		"ONLYONE1": func(int) int64 { return shoppers[0] }, "ONLYONE2": func(i int) int64 { return shoppers[i] },
	} {
		create(t, s, promotion.Coupon{Kind: promotion.Code, Code: code, Total: 1, PerShopper: 1})
		got := domaintest.Together(n, func(i int) error { return s.Promotions.Exchange(t.Context(), who(i), code) })
		require.Equal(t, map[int]int{0: 1, 740: n - 1}, got, code)
		s.Agree()
	}
	require.EqualValues(t, 2, s.Int("SELECT COUNT(*) FROM coupon_user"))
}

func TestExpireCoupons(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	soon := domaintest.Noon.Add(time.Hour)
	create(t, s, promotion.Coupon{Name: "days", Days: 1})
	create(t, s, promotion.Coupon{Name: "dates", Start: domaintest.Noon, End: soon})
	create(t, s, promotion.Coupon{Name: "later", Start: domaintest.Noon, End: soon.AddDate(1, 0, 0)})
	withdrawn := create(t, s, promotion.Coupon{Name: "withdrawn", Start: domaintest.Noon, End: soon})
	for id := range int64(4) {
		require.NoError(t, s.Promotions.Receive(t.Context(), lin, id+1))
	}
	s.Exec("UPDATE coupon SET status = 2 WHERE id = ?", withdrawn)
	states := func() string {
		return s.Text("SELECT GROUP_CONCAT(CONCAT(c.status, h.status) ORDER BY c.id) FROM coupon c " +
			"JOIN coupon_user h ON h.coupon_id = c.id")
	}
	expire := func(want int, after string) {
		t.Helper()
		n, err := s.Promotions.ExpireCoupons(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, n)
		require.Equal(t, after, states())
		s.Agree()
	}
	expire(0, "00,00,00,20")
	s.Clock.Move(time.Hour)
	expire(0, "00,00,00,20") // up to the last moment
	s.Clock.Move(time.Millisecond)
	expire(3, "00,12,00,22")
	expire(0, "00,12,00,22")
	s.Clock.Move(23 * time.Hour)
	expire(1, "02,12,00,22")
}
