package promotion_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	domainpromotion "shop.internal/pkg/domain/promotion"
	"shop.internal/services/storefront/internal/apitest"
)

const (
	offers   = "/wx/groupon/list"
	query    = "/wx/groupon/query"
	join     = "/wx/groupon/join"
	exchange = "/wx/coupon/exchange"
)

func offer(t *testing.T, s *apitest.Shop, w cart.AddRequest) int64 {
	t.Helper()
	id, err := s.Domain.Promotions.CreateGroupRule(t.Context(), domainpromotion.GroupRule{
		GoodsID: w.GoodsID, GoodsName: "tea", PicURL: "http://shop.test/tea.png", Discount: money.Yuan(20), Members: 3,
		ExpireTime: s.Domain.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	return id
}

// Rules on deleted goods are neither shown nor counted.
func TestGroupRules(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET(offers).Empty()
	tea, gum := s.Domain.Product("tea", 5000, 10), s.Domain.Product("gum", 500, 10)
	offer(t, s, tea)
	s.Domain.Clock.Move(time.Minute)
	offer(t, s, gum)
	s.Guest().GET(offers).OK().Golden("offers")
	require.Equal(t, []int64{tea.GoodsID, gum.GoodsID}, s.Guest().GET(offers+"?order=asc&sort=add_time").IDs())
	require.Equal(t, []int64{tea.GoodsID}, s.Guest().GET(offers+"?page=2&limit=1").IDs())
	s.Guest().GET(offers + "?sort=price").Fails(errno.Invalid)

	s.Guest().GET(query+"?goodsId=%d", tea.GoodsID).OK().Golden("offers_of_goods")
	s.Guest().GET(query + "?goodsId=99").Fails(errno.GoodsUnknown)
	s.Guest().GET(query).Fails(errno.Missing)
	s.Guest().GET(query + "?goodsId=x").Fails(errno.Invalid)

	s.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = ?", gum.GoodsID)
	require.Equal(t, []int64{tea.GoodsID}, s.Guest().GET(offers).IDs())
	s.Domain.Clock.Move(time.Hour - time.Minute)
	require.Empty(t, s.Guest().GET(offers).IDs(), "the clock ends offers, not a job")
	var rules []struct{}
	s.Guest().GET(query+"?goodsId=%d", tea.GoodsID).Data(&rules)
	require.Empty(t, rules)
}

// The public page reveals neither the order nor the opener.
func TestInvitation(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	tea := s.Domain.Product("tea", 5000, 10)
	rule := offer(t, s, tea)
	buy := func(name string, link int64) (shopper, order int64) {
		shopper = s.Domain.Shopper(name)
		return shopper, groupOrder(t, s, shopper, tea, rule, link)
	}
	lin, opened := buy("lin", 0)
	s.Guest().GET(join + "?grouponId=1").Fails(errno.Invalid) // unpaid
	s.Domain.Pay(lin, opened)
	mei, _ := buy("mei", 1)
	s.Guest().GET(join + "?grouponId=1").OK().Golden("invitation")
	var got struct{ Groupon map[string]any }
	s.As(mei).GET(join + "?grouponId=2").Data(&got)
	require.EqualValues(t, 1, got.Groupon["id"], "a joiner's record leads to the opener's")
	require.NotContains(t, got.Groupon, "orderId")
	require.NotContains(t, got.Groupon, "userId")
	for _, id := range []string{"99", "0", "-1", "x"} {
		s.Guest().GET(join + "?grouponId=" + id).Fails(errno.Invalid)
	}
	s.Guest().GET(join).Fails(errno.Missing)
	_, cancelled := buy("an", 0)
	require.NoError(t, s.Domain.Orders.Cancel(t.Context(), s.Domain.Int("SELECT user_id FROM orders WHERE id = ?", cancelled), cancelled))
	s.Guest().GET(join + "?grouponId=3").Fails(errno.Invalid)
	s.Domain.Exec("UPDATE goods SET deleted = 1")
	s.Guest().GET(join + "?grouponId=1").Fails(errno.Invalid)
}

// Groups that gather members are offered to everybody until they are full, complete or over; who has not paid yet holds
// a place.
func TestOpenGroups(t *testing.T) {
	t.Parallel()
	const open = "/wx/groupon/open"
	s := apitest.Open(t)
	tea := s.Domain.Product("tea", 5000, 20)
	path := fmt.Sprintf("%s?goodsId=%d", open, tea.GoodsID)
	require.Empty(t, missing(t, s, path), "goods without an offer")
	rule := offer(t, s, tea)
	buy := func(name string, link int64) (shopper, order int64) {
		shopper = s.Domain.Shopper(name)
		return shopper, groupOrder(t, s, shopper, tea, rule, link)
	}
	lin, first := buy("lin", 0)
	require.Empty(t, missing(t, s, path), "the opener has not paid")
	s.Domain.Pay(lin, first)
	mei, second := buy("mei", 0)
	s.Domain.Pay(mei, second)
	an, joined := buy("an", 2)
	require.Equal(t, [][2]int64{{2, 1}, {1, 2}}, missing(t, s, path), "who lacks the fewest comes first")
	s.Guest().GET(path).OK().Golden("open_groups")
	bo, _ := buy("bo", 2)
	require.Equal(t, [][2]int64{{1, 2}}, missing(t, s, path), "all places are taken")
	require.NoError(t, s.Domain.Orders.Cancel(t.Context(), bo, 4))
	s.Domain.Pay(an, joined)
	require.Equal(t, [][2]int64{{2, 1}, {1, 2}}, missing(t, s, path), "a place is free again")
	s.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = ?", tea.GoodsID)
	require.Empty(t, missing(t, s, path), "the goods are off sale")
	s.Domain.Exec("UPDATE goods SET is_on_sale = 1 WHERE id = ?", tea.GoodsID)
	s.Domain.Clock.Move(2 * time.Hour)
	require.Empty(t, missing(t, s, path), "the offer is over")
	s.Guest().GET(open).Fails(errno.Missing)
	s.Guest().GET(open + "?goodsId=x").Fails(errno.Invalid)
	s.Guest().GET(open + "?goodsId=99").Fails(errno.GoodsUnknown)
}

// missing returns the open groups with their free places.
func missing(t *testing.T, s *apitest.Shop, path string) (all [][2]int64) {
	t.Helper()
	var got []struct {
		Groupon struct{ ID int64 }
		Missing int64
	}
	s.Guest().GET(path).Data(&got)
	for _, g := range got {
		all = append(all, [2]int64{g.Groupon.ID, g.Missing})
	}
	return all
}

// groupOrder lets a shopper buy one piece in a group; link is 0 to open one.
func groupOrder(t *testing.T, s *apitest.Shop, shopper int64, w cart.AddRequest, rule, link int64) int64 {
	t.Helper()
	row, err := s.Domain.Cart.Set(t.Context(), shopper, w)
	require.NoError(t, err)
	placed, err := s.Domain.Orders.Submit(t.Context(), shopper, order.Submission{
		Choice: order.Choice{Cart: row, Address: s.Domain.Address(shopper), Rule: rule}, Link: link,
	})
	require.NoError(t, err)
	return placed.OrderID
}

// Coupons are compared with the price after the group discount.
func TestFittingUnderARule(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	shopper := s.Domain.Shopper("lin")
	lin, tea := s.As(shopper), s.Domain.Product("tea", 5000, 10)
	rule := offer(t, s, tea)
	lin.POST("/wx/cart/add", `{"goodsId":%d,"productId":%d,"number":1}`, tea.GoodsID, tea.ProductID).OK()
	s.Domain.Coupon(shopper, 100, money.Yuan(30))
	s.Domain.Coupon(shopper, 100, 3001)
	require.Len(t, lin.GET(fitting).IDs(), 2)
	require.Equal(t, []int64{10000001}, lin.GET(fitting+"?grouponRulesId=%d", rule).IDs(), "after the group's reduction")
	s.Domain.Exec("UPDATE groupon_rules SET status = 2")
	lin.GET(fitting+"?grouponRulesId=%d", rule).Fails(errno.GrouponOffline)
	s.Domain.Clock.Move(time.Hour)
	lin.GET(fitting+"?grouponRulesId=%d", rule).Fails(errno.GrouponExpired)
}

func TestExchange(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	shopper := s.Domain.Shopper("lin")
	lin, now := s.As(shopper), s.Domain.Clock.Now()
	held := func() int64 { return s.Domain.Int("SELECT COUNT(*) FROM coupon_user WHERE user_id = ?", shopper) }
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "ABCDEFG1", PerShopper: 1})
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "ABCDEFG2", PerShopper: 2})
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "EXHAUSTE", Total: 1})
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "PASTDUE1", Start: now.Add(-time.Hour), End: now})
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "WITHDRAW", Status: domainpromotion.Withdrawn})
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "EXPIRED1", Status: domainpromotion.Expired})
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Common, Code: "COMMON01"})
	s.Shopper("mei").POST(exchange, `{"code":"EXHAUSTE"}`).OK()
	lin.POST(exchange, `{"code":" abcdefg1 "}`).OK()
	lin.POST(exchange, `{"code":"ABCDEFG1"}`).Fails(errno.CouponExceedLimit).Says("每人最多领取 1 张")
	lin.POST(exchange, `{"code":"EXHAUSTE"}`).Fails(errno.CouponExceedLimit)
	lin.POST(exchange, `{"code":"PASTDUE1"}`).Fails(errno.CouponReceiveFailed).Says("优惠券已过期")
	lin.POST(exchange, `{"code":"ABCDEFG2"}`).OK()
	lin.POST(exchange, `{"code":"ABCDEFG2"}`).OK()
	require.EqualValues(t, 3, held())
	for _, body := range []string{`{}`, `{"code":null}`, `{"code":"  "}`} {
		lin.POST(exchange, "%s", body).Fails(errno.Missing)
	}
	lin.POST(exchange, `{"code":[1]}`).Fails(errno.Invalid)
	s.Guest().POST(exchange, `{"code":"ABCDEFG1"}`).Fails(errno.LoginRequired)
	for i, code := range []string{"NOTHING1", "WITHDRAW", "EXPIRED1", "COMMON01", "ÁBCDEFG1", "%", "'"} {
		a := lin.POST(exchange, `{"code":"%s"}`, code).Fails(errno.CouponCodeInvalid)
		if i == 0 {
			a.Fails(errno.CouponCodeInvalid)
		}
	}
	s.Domain.Exec("UPDATE coupon SET code = NULL WHERE code = 'COMMON01'") // operators cannot make such a coupon
	s.Domain.Agree()
}

// Ten unknown codes end a shopper's attempts, and nobody else's.
func TestGuessing(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "ABCDEFG1", PerShopper: 2})
	for i := range 9 {
		lin.POST(exchange, `{"code":"%s"}`, fmt.Sprintf("NOTHING%d", i)).Fails(errno.CouponCodeInvalid)
	}
	lin.POST(exchange, `{"code":"ABCDEFG1"}`).OK()
	lin.POST(exchange, `{"code":"NOTHING9"}`).Fails(errno.CouponCodeInvalid)
	lin.POST(exchange, `{"code":"ABCDEFG1"}`).Fails(errno.CouponCodeInvalid)
	mei.POST(exchange, `{"code":"ABCDEFG1"}`).OK()
}

func TestExchangeLosesAgainstOthers(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	create(t, s, domainpromotion.Coupon{Kind: domainpromotion.Code, Code: "ABCDEFG1"})
	s.API.Count = func(ctx context.Context) (context.Context, func() int) {
		return domaintest.Conflict(ctx, "UPDATE coupon")
	}
	lin.POST(exchange, `{"code":"ABCDEFG1"}`).Fails(errno.Stale)
}
