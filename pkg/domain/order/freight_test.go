package order_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/order"
)

// places are in five provinces, from the shop's own county to one that no rule names.
var places = []address.Address{
	{Place: address.Place{Province: "浙江省", City: "杭州市", County: "西湖区"}, AreaCode: "330106"},
	{Place: address.Place{Province: "浙江省", City: "宁波市", County: "海曙区"}, AreaCode: "330203"},
	{Place: address.Place{Province: "上海市", City: "上海市", County: "黄浦区"}, AreaCode: "310101"},
	{Place: address.Place{Province: "新疆维吾尔自治区", City: "乌鲁木齐市", County: "天山区"}, AreaCode: "650102"},
	{Place: address.Place{Province: "?", City: "?", County: "?"}, AreaCode: "1"},
}

// template returns a template by pieces of some rules; the first is for everywhere else.
func template(t *testing.T, s *domaintest.Shop, rules ...freight.Rule) int64 {
	t.Helper()
	made, err := s.Freight.Create(t.Context(), freight.Template{
		Name: fmt.Sprint(len(rules)), Charge: freight.ByPieces, Rules: rules,
	})
	require.NoError(t, err)
	return made.ID
}

// piece charges first for the first piece and more for each further one.
func piece(first, more money.Amount, regions ...int) freight.Rule {
	return freight.Rule{First: 1, FirstPrice: first, Further: 1, FurtherPrice: more, Regions: regions}
}

// names lets goods name a template.
func names(t *testing.T, s *domaintest.Shop, goods cart.AddRequest, template int64) {
	t.Helper()
	require.NoError(t, s.Catalog.Edit(t.Context(), actor.Operator(1), catalog.GoodsEdit{
		ID: goods.GoodsID, Change: func(g *catalog.Goods) { g.FreightID = template },
	}))
}

// What a checkout says is what the order costs, whatever the templates, the goods and the place are; and it is refused
// where the checkout says so.
func TestTheCheckoutSaysTheFreight(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	r := rand.New(rand.NewPCG(1, 2))
	lin := s.Shopper("lin")
	var goods []cart.AddRequest
	for i := range 5 {
		goods = append(goods, s.Product(fmt.Sprint("goods", i), money.Amount(100+r.IntN(5000)), 1_000_000))
	}
	var to []int64
	for _, a := range places {
		a.Shopper, a.Name, a.Tel, a.Detail = lin, "lin", "13900000001", "1"
		id, err := s.Addresses.Save(t.Context(), a)
		require.NoError(t, err)
		to = append(to, id)
	}
	price := func() money.Amount { return money.Amount(r.IntN(3000)) }
	rule := func(regions ...int) freight.Rule {
		return freight.Rule{
			First: 1 + r.IntN(3), FirstPrice: price(), Further: 1 + r.IntN(3), FurtherPrice: price(), Refused: r.IntN(8) == 0,
			FreeFrom: money.Amount(r.IntN(2) * r.IntN(20_000)), Regions: regions,
		}
	}
	drawn := func(of *freight.Template) {
		of.Charge, of.PieceWeight = freight.Charge(1+r.IntN(2)), 1+r.IntN(3)
		of.Rules = []freight.Rule{rule(), rule(330000), rule(330106, 310000), rule(650000)}
	}
	of := []int64{0}
	for range 3 {
		of = append(of, template(t, s, piece(1, 1)))
	}
	placed, refused := 0, 0
	for range 60 {
		for _, id := range of[1:] {
			_, err := s.Freight.Change(t.Context(), id, drawn)
			require.NoError(t, err)
		}
		for _, g := range goods {
			s.Exec("UPDATE goods SET weight = ?, freight_id = ? WHERE id = ?", r.IntN(4), of[r.IntN(len(of))], g.GoodsID)
			if g.Number = 1 + r.IntN(5); r.IntN(2) == 0 {
				_, err := s.Cart.Add(t.Context(), lin, g)
				require.NoError(t, err)
			}
		}
		c := order.Choice{Cart: cart.Everything, Address: to[r.IntN(len(to))], Coupon: order.NoCoupon}
		q, err := s.Orders.Quote(t.Context(), lin, c)
		require.NoError(t, err)
		if len(q.Lines) == 0 {
			continue
		}
		made, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: c})
		if len(q.Undeliverable) > 0 {
			require.ErrorIs(t, err, errno.OrderCheckoutFailed)
			refused++
			continue
		}
		require.NoError(t, err)
		o, err := s.Orders.AdminFind(t.Context(), made.OrderID)
		require.NoError(t, err)
		require.Equal(t, q.Price, o.Price)
		placed++
	}
	require.Greater(t, placed, 10)
	require.GreaterOrEqual(t, refused, 10)
	before := s.Texts("SELECT CONCAT_WS(' ', id, freight_price, actual_price) FROM orders ORDER BY id")
	for _, id := range of[1:] {
		_, err := s.Freight.Change(t.Context(), id, drawn)
		require.NoError(t, err)
	}
	s.Exec("UPDATE goods SET freight_id = 0")
	require.Equal(t, before, s.Texts("SELECT CONCAT_WS(' ', id, freight_price, actual_price) FROM orders ORDER BY id"),
		"no change of a template or of goods changes an order")
	s.Agree()
}

// Goods that are not delivered are named at the checkout, before an order is refused because of them.
func TestNotDelivered(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea, pot := s.Product("tea", 1000, 9), s.Product("pot", 1000, 9)
	far := template(t, s, piece(800, 0), freight.Rule{First: 1, Further: 1, Refused: true, Regions: []int{330100}})
	names(t, s, tea, far)
	for _, g := range []cart.AddRequest{tea, pot} {
		_, err := s.Cart.Add(t.Context(), lin, g)
		require.NoError(t, err)
	}
	quote := func() order.Quote {
		q, err := s.Orders.Quote(t.Context(), lin, order.Choice{})
		require.NoError(t, err)
		return q
	}
	require.Empty(t, quote().Undeliverable, "without an address nothing is known")
	to := s.Address(lin)
	q := quote()
	require.Len(t, q.Undeliverable, 1)
	require.Equal(t, tea.GoodsID, q.Undeliverable[0].GoodsID)
	_, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Address: to}})
	require.ErrorIs(t, err, errno.OrderCheckoutFailed)
	require.Equal(t, "「tea」不配送到浙江省杭州市西湖区，请换一个收货地址，或取消选择该商品", errno.Text(err, text.Chinese))
	require.Zero(t, s.Int("SELECT COUNT(*) FROM orders"))
	require.Equal(t, 9, s.Stock(tea))
	_, err = s.Cart.Check(t.Context(), lin, []int64{tea.ProductID}, false)
	require.NoError(t, err)
	_, err = s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Address: to}})
	require.NoError(t, err)
}

// The group discount counts for the sum from which delivery is free, and a coupon does not.
func TestFreeFromWhatGoodsCost(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	c := newGroupShop(t, s, 3) // 20 off
	free := piece(800, 0)
	free.FreeFrom = money.Yuan(100)
	names(t, s, c.tea, template(t, s, free))
	lin := c.member()
	coupon, held := s.Coupon(lin, 1000, 0)
	for rule, want := range map[int64]money.Amount{c.rule: 800, 0: 0} {
		row, err := s.Cart.Set(t.Context(), lin, c.tea)
		require.NoError(t, err)
		q, err := s.Orders.Quote(t.Context(), lin, order.Choice{Cart: row, Rule: rule, Coupon: coupon, UserCoupon: held})
		require.NoError(t, err)
		require.Equal(t, want, q.Price.Freight)
		require.Equal(t, money.Yuan(10), q.Price.Coupon)
	}
}

// A purchase without a template reads none, one with templates reads all in one statement, at most once a second.
func TestStatementsOfFreight(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	to := s.Address(lin)
	tea, pot := s.Product("tea", 1000, 99), s.Product("pot", 1000, 99)
	statements := func(do func(context.Context)) (all int) {
		ctx, _ := domaintest.Listen(t.Context(), func(statement string) {
			if strings.Contains(statement, "freight_rule") {
				all++
			}
		})
		do(ctx)
		return all
	}
	quote := func(ctx context.Context) {
		_, err := s.Orders.Quote(ctx, lin, order.Choice{Address: to})
		require.NoError(t, err)
	}
	submit := func(ctx context.Context) {
		for _, g := range []cart.AddRequest{tea, pot} {
			_, err := s.Cart.Set(t.Context(), lin, g)
			require.NoError(t, err)
		}
		_, err := s.Orders.Submit(ctx, lin, order.Submission{Choice: order.Choice{Address: to}})
		require.NoError(t, err)
	}
	first, second := template(t, s, piece(800, 0)), template(t, s, piece(900, 0))
	require.Zero(t, statements(submit)+statements(quote))
	names(t, s, tea, first)
	names(t, s, pot, second)
	require.Equal(t, 1, statements(submit))
	require.Equal(t, 1, statements(submit), "a transaction does not fill the cache")
	for _, g := range []cart.AddRequest{tea, pot} {
		_, err := s.Cart.Add(t.Context(), lin, g)
		require.NoError(t, err)
	}
	require.Equal(t, 1, statements(quote))
	require.Zero(t, statements(quote)+statements(submit))
}

// Staff change all rules of a template while shoppers buy: each order has the old price or the new one.
func TestARuleChangesWhileShoppersBuy(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		old, changed := piece(800, 200), piece(2000, 500)
		of := template(t, s, old, piece(1, 1, 310000))
		tea := s.Product(s.Text("SELECT CONCAT('tea', COUNT(*)) FROM goods"), 1000, 1000)
		names(t, s, tea, of)
		tea.Number = 3
		calls := buyers(t, s, 20, round, tea)
		calls = append(calls, func() error {
			_, err := s.Freight.Change(t.Context(), of, func(t *freight.Template) { t.Rules = []freight.Rule{changed} })
			return err
		})
		got := domaintest.AtOnce(calls...)
		require.Equal(t, 21, got[0]+got[504], "%v", got)
		require.Zero(t, s.Int("SELECT COUNT(*) FROM orders WHERE freight_price NOT IN (12, 30) "+
			"OR actual_price <> goods_price + freight_price"))
		after := buyers(t, s, 1, round+1000, tea)
		require.NoError(t, after[0]())
		require.Equal(t, "30.00", s.Text("SELECT freight_price FROM orders ORDER BY id DESC LIMIT 1"), "at once in this process")
		t.Log(got, s.Texts("SELECT CONCAT_WS(' ', freight_price, COUNT(*)) FROM orders GROUP BY freight_price"))
	})
}

// Another process follows a changed template within a second.
func TestOtherProcessesFollow(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	there := s.Replica()
	lin := s.Shopper("lin")
	s.Address(lin)
	tea := s.Product("tea", 1000, 9)
	of := template(t, s, piece(800, 0))
	names(t, s, tea, of)
	_, err := s.Cart.Add(t.Context(), lin, tea)
	require.NoError(t, err)
	freightOf := func(o *order.Service) money.Amount {
		q, err := o.Quote(t.Context(), lin, order.Choice{Coupon: order.NoCoupon})
		require.NoError(t, err)
		return q.Price.Freight
	}
	require.EqualValues(t, 800, freightOf(there.Orders))
	_, err = s.Freight.Change(t.Context(), of, func(t *freight.Template) { t.Rules[0].FirstPrice = 900 })
	require.NoError(t, err)
	require.EqualValues(t, 900, freightOf(s.Orders))
	require.EqualValues(t, 800, freightOf(there.Orders))
	s.Clock.Move(time.Second)
	require.EqualValues(t, 900, freightOf(there.Orders))
}
