package promotion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/order"
	"shop.internal/services/admin/internal/apitest"
)

const (
	tryCoupon = "/admin/rehearsal/coupon"
	tryGroup  = "/admin/rehearsal/groupon"
)

type rehearsal struct {
	Orders, Had int
	Off         float64
	List        []struct {
		ID  int64
		Off float64
	}
}

// A rule is tried on the orders that were paid and not refunded, with the prices that they had, and changes nothing.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	s := w.Shop
	c := w.Operator("planner", "admin:rehearsal:coupon", "admin:rehearsal:groupon")
	c.GET(tryCoupon + "?discount=5").OK().Golden("rehearsal_none")
	tea, cup := s.Product("tea", money.Yuan(30), 99), s.Product("cup", money.Yuan(10), 99)
	tea.Number, cup.Number = 2, 1
	lin := s.Shopper("lin")
	unpaid := func(all ...cart.AddRequest) int64 {
		for _, w := range all {
			_, err := s.Cart.Add(t.Context(), lin, w)
			require.NoError(t, err)
		}
		choice := order.Choice{Cart: cart.Everything, Address: s.Address(lin), Coupon: order.NoCoupon}
		placed, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: choice})
		require.NoError(t, err)
		return placed.OrderID
	}
	paid := func(all ...cart.AddRequest) int64 {
		id := unpaid(all...)
		s.Pay(lin, id)
		return id
	}
	first, second, third := paid(tea), paid(cup), paid(tea, cup)
	open, refunded := unpaid(tea), paid(tea)
	require.NoError(t, s.Orders.AskRefund(t.Context(), lin, refunded))
	s.Product("rose", money.Yuan(1), 1)
	// The price of today does not count.
	s.Exec("UPDATE goods_product SET price = 99 WHERE goods_id = 1")
	rehearse := func(path string) (r rehearsal) {
		c.GET(path).Data(&r)
		return r
	}
	ids := func(r rehearsal) (all []int64) {
		for _, o := range r.List {
			all = append(all, o.ID)
		}
		require.Len(t, all, r.Had)
		return all
	}
	all := rehearse(tryCoupon + "?discount=5")
	require.Equal(t, []int64{third, second, first}, ids(all))
	require.Equal(t, 3, all.Orders)
	require.InDelta(t, 15.0, all.Off, 0)
	require.Equal(t, []int64{third, first}, ids(rehearse(tryCoupon+"?discount=5&min=60")))
	require.Equal(t, []int64{third}, ids(rehearse(tryCoupon+"?discount=5&min=60.01")))
	require.Equal(t, []int64{third, second}, ids(rehearse(tryCoupon+"?discount=5&goodsType=2&goodsValue=2")))
	require.Empty(t, ids(rehearse(tryCoupon+"?discount=5&goodsType=2&goodsValue=2&min=10.01")))
	require.Empty(t, ids(rehearse(tryCoupon+"?discount=5&goodsType=1&goodsValue=99")))
	s.Exec("INSERT INTO category (id, pid, name, level, add_time, update_time) "+
		"SELECT 70 + n.n, IF(n.n = 1, 0, 71), 'c', CONCAT('L', n.n), ?, ? FROM (SELECT 1 AS n UNION SELECT 2) n",
		s.Clock.Now(), s.Clock.Now())
	s.Exec("UPDATE goods SET category_id = 72 WHERE id = 2")
	for _, of := range []string{"71", "72"} {
		require.Equal(t, []int64{third, second}, ids(rehearse(tryCoupon+"?discount=5&goodsType=1&goodsValue="+of)))
	}
	// No coupon takes off more than goods and freight.
	require.InDelta(t, 10+8, rehearse(tryCoupon + "?discount=500&goodsType=2&goodsValue=2").List[1].Off, 0)
	s.Exec("UPDATE orders SET order_sn = CONCAT(20300102, id)")
	c.GET(tryCoupon + "?discount=5&goodsType=2&goodsValue=2").OK().Golden("rehearsal")
	c.GET(tryGroup + "?goodsId=1&discount=4").OK().Golden("rehearsal_group")
	group := rehearse(tryGroup + "?goodsId=1&discount=4")
	require.Equal(t, []int64{first}, ids(group), "goods that are bought alone")
	require.InDelta(t, 8.0, group.Off, 0, "for each piece")
	require.InDelta(t, 60.0, rehearse(tryGroup+"?goodsId=1&discount=1000").Off, 0, "at most the price")
	require.EqualValues(t, 0, s.Int("SELECT COUNT(*) FROM audit_log"))
	require.EqualValues(t, 101, s.Int("SELECT order_status FROM orders WHERE id = ?", open))
	for _, query := range []string{"", "?discount=x", "?discount=5&min=-1", "?discount=5&goodsType=9"} {
		code := errno.Invalid
		if query == "" {
			code = errno.Missing
		}
		c.GET(tryCoupon + query).Fails(code)
	}
	c.GET(tryGroup + "?discount=1").Fails(errno.Missing)
	c.GET(tryGroup + "?goodsId=1&discount=0").Fails(errno.Invalid)
}

// A hundred orders are looked at, whatever there is, with the same statements.
func TestRehearsalIsBounded(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	s := w.Shop
	c := w.Operator("planner", "admin:rehearsal:coupon")
	tea, lin := s.Product("tea", money.Yuan(30), 99), s.Shopper("lin")
	tea.Number = 1
	s.Pay(lin, s.Order(lin, tea))
	c.GET(tryCoupon + "?discount=5").OK()
	few := c.GET(tryCoupon + "?discount=5").OK().Statements
	for range 8 { // doubled
		s.Exec("INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price, " +
			"coupon_price, order_price, actual_price, add_time, update_time) SELECT user_id, UUID(), 301, consignee, mobile, " +
			"address, goods_price, freight_price, coupon_price, order_price, actual_price, add_time, update_time FROM orders")
	}
	var r rehearsal
	answer := c.GET(tryCoupon + "?discount=5")
	answer.Data(&r)
	require.Equal(t, 100, r.Orders)
	require.LessOrEqual(t, answer.Statements, few)
}
