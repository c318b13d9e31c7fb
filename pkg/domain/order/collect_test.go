package order_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/cod"
	"shop.internal/pkg/domain/settings"
)

// offers lets a shop offer ways of delivery. The courier brings to Shanghai alone, for 5 yuan, and from 50 yuan on for
// nothing.
func offers(t *testing.T, s *domaintest.Shop, ways string) {
	t.Helper()
	here, elsewhere := piece(500, 0, 310000), piece(0, 0)
	here.FreeFrom, elsewhere.Refused = 5000, true
	require.NoError(t, s.Settings.Save(called(t.Context(), "ways", "配送"), settings.Express, map[string]string{
		"litemall_express_ways": ways, "litemall_express_courier_freight": fmt.Sprint(template(t, s, here, elsewhere)),
		"litemall_express_collect_address": "1 Main Street", "litemall_express_collect_hours": "9 to 6",
	}))
}

// codeOf is the code of an order.
func codeOf(s *domaintest.Shop, id int64) string {
	return s.Text("SELECT COALESCE(collect_code, '') FROM orders WHERE id = ?", id)
}

// An order that is collected costs no freight, is ready in the shop instead of sent, stays so until staff check it off
// by its code, and keeps the address of the shop of its time.
func TestCollect(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	offers(t, s, "parcel,collect")
	ctx, lin := t.Context(), s.Shopper("lin")
	tea := s.Product("tea", 1000, 10)
	id := s.OrderBy("collect", lin, tea)
	offers(t, s, "parcel")
	code := codeOf(s, id)
	require.Regexp(t, "^[0-9]{8}$", code)
	_, err := s.Orders.CheckOff(ctx, clerk, 0, code)
	require.ErrorIs(t, err, errno.OrderConfirmNotAllowed, "it is not paid")
	s.Pay(lin, id)
	require.ErrorIs(t, s.Orders.Ship(ctx, clerk, id, "ZTO", "1"), errno.Invalid)
	require.NoError(t, s.Orders.Ship(called(ctx, "s", "发货"), clerk, id, "", ""))
	const announced = "SELECT COUNT(*) FROM outbox_event WHERE topic = 'order.ready' AND aggregate_id = ?"
	require.EqualValues(t, 1, s.Int(announced, id))
	require.ErrorIs(t, s.Orders.Reship(ctx, clerk, id, "ZTO", "1"), errno.Invalid)
	s.Clock.Move(30 * 24 * time.Hour)
	n, err := s.Orders.ReceiveShipped(ctx)
	require.NoError(t, err)
	require.Zero(t, n, "it is not collected")

	d, err := s.Orders.Find(ctx, lin, id)
	require.NoError(t, err)
	require.Zero(t, d.Price.Freight)
	require.Equal(t, "待取货", d.Text("zh"))
	require.Equal(t, "1 Main Street, 9 to 6", d.CollectAddress+", "+d.CollectHours)
	require.True(t, d.Collectable())
	list, err := s.Orders.List(ctx, lin, order.ToReceive, page.Query{Page: 1, Limit: 10, Sort: "add_time"})
	require.NoError(t, err)
	require.Equal(t, "Ready to collect", list.Items[0].Text("en"))
	s.Agree()

	_, err = s.Orders.CheckOff(ctx, clerk, id+1, code)
	require.ErrorIs(t, err, errno.Invalid, "the code of another order")
	done, err := s.Orders.CheckOff(called(ctx, "c", "核销"), clerk, id, code)
	require.NoError(t, err)
	require.Equal(t, order.Collected{ID: id, SN: d.SN}, done)
	require.Empty(t, codeOf(s, id))
	require.EqualValues(t, order.Received, s.Int("SELECT order_status FROM orders WHERE id = ?", id))
	require.Zero(t, s.Int("SELECT COUNT(*) FROM audit_log WHERE CONCAT(before_json, after_json) LIKE ?", "%"+code+"%"))
	_, err = s.Orders.CheckOff(ctx, clerk, 0, code)
	require.ErrorIs(t, err, errno.Invalid)
	s.Agree()
}

// What waits to be collected is refunded, or is ready once more where staff refuse that; a parcel on its way is not.
func TestCollectedNever(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	offers(t, s, "parcel,collect")
	ctx, lin := t.Context(), s.Shopper("lin")
	tea := s.Product("tea", 1000, 10)
	id, sent := s.OrderBy("collect", lin, tea), s.Order(lin, tea)
	for _, o := range []int64{id, sent} {
		s.Pay(lin, o)
	}
	require.NoError(t, s.Orders.Ship(ctx, clerk, sent, "ZTO", "1"))
	require.ErrorIs(t, s.Orders.AskRefund(ctx, lin, sent), errno.OrderInvalidOperation)
	code := codeOf(s, id)
	for range 2 {
		s.Clock.Move(3 * time.Hour)
		require.NoError(t, s.Orders.Ship(ctx, clerk, id, "", ""))
		d, err := s.Orders.Find(ctx, lin, id)
		require.NoError(t, err)
		require.True(t, d.Options(s.Clock.Now(), time.Hour).Refund)
		require.NoError(t, s.Orders.AskRefund(ctx, lin, id))
		_, err = s.Orders.CheckOff(ctx, clerk, 0, code)
		require.ErrorIs(t, err, errno.OrderConfirmNotAllowed, "its money is asked back")
		s.Agree()
		require.NoError(t, s.Orders.RejectRefund(ctx, clerk, id, "it waits for you"))
		s.Agree()
	}
	require.NoError(t, s.Orders.AskRefund(ctx, lin, id))
	require.NoError(t, s.Orders.Refund(ctx, clerk, id, 1000))
	require.Empty(t, codeOf(s, id))
	require.Equal(t, 9, s.Stock(tea), "the piece is on the shelf again")
	s.Agree()
}

// An order can be collected before it was noted as ready, and is not once it was called off.
func TestCollectAtOnce(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{})
	offers(t, c.Shop, "collect")
	tea := c.tea("tea", 10)
	id := c.OrderBy("collect", c.lin, tea)
	require.NoError(t, c.atTheDoor(id))
	_, err := c.Orders.CheckOff(t.Context(), clerk, 0, codeOf(c.Shop, id))
	require.ErrorIs(t, err, errno.OrderConfirmNotAllowed)
	require.ErrorContains(t, err, "record the money first")
	require.NoError(t, c.Orders.PayOffline(called(t.Context(), "p", "收款"), clerk, id, order.Receipt{Amount: 100}))
	_, err = c.Orders.CheckOff(called(t.Context(), "c", "核销"), clerk, 0, codeOf(c.Shop, id))
	require.NoError(t, err)
	gone := c.OrderBy("collect", c.lin, tea)
	code := codeOf(c.Shop, gone)
	require.NoError(t, c.Orders.Cancel(t.Context(), c.lin, gone))
	_, err = c.Orders.CheckOff(t.Context(), clerk, 0, code)
	require.ErrorIs(t, err, errno.Invalid)
	c.Agree()
}

// Codes cannot be guessed: an operator may try a few wrong ones.
func TestWrongCodes(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	offers(t, s, "collect")
	lin := s.Shopper("lin")
	id := s.OrderBy("collect", lin, s.Product("tea", 1000, 10))
	s.Pay(lin, id)
	for i := range 30 {
		_, err := s.Orders.CheckOff(t.Context(), clerk, 0, fmt.Sprint("wrong", i))
		require.ErrorIs(t, err, errno.Invalid)
	}
	_, err := s.Orders.CheckOff(t.Context(), clerk, 0, codeOf(s, id))
	require.ErrorIs(t, err, errno.OrderConfirmNotAllowed)
	_, err = s.Orders.CheckOff(t.Context(), actor.Operator(8), 0, codeOf(s, id))
	require.NoError(t, err, "a colleague")
}

// The shop's own courier is charged by one template, whatever the templates of the goods are, brings to its regions
// alone, and needs no number.
func TestCourier(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	offers(t, s, "parcel,collect,courier")
	ctx, lin := t.Context(), s.Shopper("lin")
	tea := s.Product("tea", 1000, 100)
	names(t, s, tea, template(t, s, piece(3000, 0)))
	var to []int64
	for _, a := range places[1:3] { // Ningbo and Shanghai
		a.Shopper, a.Name, a.Tel, a.Detail = lin, "lin", "13900000001", "1"
		id, err := s.Addresses.Save(ctx, a)
		require.NoError(t, err)
		to = append(to, id)
	}
	row, err := s.Cart.Set(ctx, lin, tea)
	require.NoError(t, err)
	choice := func(address int64, way string) order.Choice {
		return order.Choice{Cart: row, Address: address, Coupon: order.NoCoupon, Delivery: way}
	}
	quote := func(address int64, way string) order.Quote {
		q, err := s.Orders.Quote(ctx, lin, choice(address, way))
		require.NoError(t, err)
		require.Len(t, q.Ways, 3)
		return q
	}
	q := quote(to[1], "courier")
	require.Equal(t, []money.Amount{3000, 0, 500}, []money.Amount{q.Ways[0].Freight, q.Ways[1].Freight, q.Ways[2].Freight})
	require.EqualValues(t, 500, q.Price.Freight)
	require.Equal(t, "1 Main Street", q.Ways[1].Address)
	q = quote(to[0], "courier")
	require.False(t, q.Ways[2].Delivered)
	require.Len(t, q.Undeliverable, 1)
	require.Empty(t, quote(to[0], "").Undeliverable, "a parcel")
	_, err = s.Orders.Submit(ctx, lin, order.Submission{Choice: choice(to[0], "courier")})
	require.ErrorIs(t, err, errno.OrderCheckoutFailed)
	placed, err := s.Orders.Submit(ctx, lin, order.Submission{Choice: choice(to[1], "courier")})
	require.NoError(t, err)
	require.Equal(t, "15.00", s.Text("SELECT actual_price FROM orders WHERE id = ?", placed.OrderID))
	s.Pay(lin, placed.OrderID)
	require.NoError(t, s.Orders.Ship(ctx, clerk, placed.OrderID, "", ""))
	require.Equal(t, "本店配送", s.Text("SELECT ship_channel FROM orders WHERE id = ?", placed.OrderID))
	require.Equal(t, "none", s.Text("SELECT COALESCE(ship_sn, 'none') FROM orders WHERE id = ?", placed.OrderID))
	r, err := s.Orders.RehearseFreight(ctx, freight.Template{Charge: freight.ByPieces, Rules: []freight.Rule{piece(1, 1)}})
	require.NoError(t, err)
	require.Empty(t, r.All, "a template is tried on parcels")
	s.Agree()
}

// Who chooses no way gets a parcel, or the first way of a shop that sends none; one that is not offered is refused at
// the submission, and replaced at the checkout.
func TestWays(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, tea := s.Shopper("lin"), s.Product("tea", 10_000, 100)
	way := func(id int64) settings.Way {
		return settings.Way(s.Int("SELECT delivery FROM orders WHERE id = ?", id))
	}
	require.Equal(t, settings.Parcel, way(s.Order(lin, tea)))
	offers(t, s, "courier,parcel")
	require.Equal(t, settings.Parcel, way(s.Order(lin, tea)))
	offers(t, s, "courier,collect")
	to := s.Int("SELECT MAX(id) FROM address")
	s.Exec("UPDATE address SET province = '上海市', city = '上海市', county = '黄浦区', area_code = '310101'")
	require.Equal(t, settings.Courier, way(s.Order(lin, tea)))
	row, err := s.Cart.Set(t.Context(), lin, tea)
	require.NoError(t, err)
	parcel := order.Choice{Cart: row, Address: to, Coupon: order.NoCoupon, Delivery: "parcel"}
	q, err := s.Orders.Quote(t.Context(), lin, parcel)
	require.NoError(t, err)
	require.Equal(t, settings.Courier, q.Way)
	_, err = s.Orders.Submit(t.Context(), lin, order.Submission{Choice: parcel})
	require.ErrorIs(t, err, errno.OrderCheckoutFailed)
	require.ErrorContains(t, err, "“Parcel” is not offered")
}

// Of the ways in which an order that waits in the shop can end, one happens, once.
func TestCheckOffIsRaced(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		if round == 0 {
			offers(t, s, "collect")
		}
		lin := s.Shopper(fmt.Sprint("lin", round))
		tea := s.Product(fmt.Sprint("tea", round), 4550, 10)
		id := s.OrderBy("collect", lin, tea)
		s.Pay(lin, id)
		code := codeOf(s, id)
		checkOff := func(i int) error {
			_, err := s.Orders.CheckOff(t.Context(), actor.Operator(int64(100*round+i)), id, code)
			return err
		}
		got := domaintest.AtOnce(append(domaintest.Times(6, checkOff),
			domaintest.Times(6, func(int) error { return s.Orders.AskRefund(t.Context(), lin, id) })...)...)
		require.Equal(t, 1, got[0], "%v", got)
		second := s.OrderBy("collect", lin, tea)
		s.Pay(lin, second)
		require.NoError(t, s.Orders.Ship(t.Context(), clerk, second, "", ""))
		id, code = second, codeOf(s, second)
		got = domaintest.AtOnce(append(domaintest.Times(6, checkOff),
			domaintest.Times(6, func(int) error { return s.Orders.Confirm(t.Context(), lin, id) })...)...)
		require.Equal(t, 1, got[0], "%v", got)
		require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM order_status_log WHERE order_id = ? AND to_status = 401", id))
	})
}

// An order that waits for its group is not handed over; it is once the group is complete.
func TestAnOpenGroupIsNotCollected(t *testing.T) {
	t.Parallel()
	c := newGroupShop(t, domaintest.Open(t), 2)
	offers(t, c.Shop, "collect")
	_, opener := c.paid(0)
	code := codeOf(c.Shop, opener.OrderID)
	_, err := c.Orders.CheckOff(t.Context(), clerk, 0, code)
	require.ErrorIs(t, err, errno.OrderConfirmNotAllowed)
	require.ErrorContains(t, err, "group")
	c.paid(opener.Group)
	_, err = c.Orders.CheckOff(called(t.Context(), "c", "核销"), clerk, 0, code)
	require.NoError(t, err)
	c.Agree()
}

// An order that owes its money is handed over for it or called off, not both.
func TestCollectedOrCalledOff(t *testing.T) {
	t.Parallel()
	c := door(t, cod.Section{})
	offers(t, c.Shop, "collect")
	tea := c.tea("tea", 100)
	for range rounds {
		id := c.OrderBy("collect", c.lin, tea)
		require.NoError(t, c.atTheDoor(id))
		code := codeOf(c.Shop, id)
		ended := domaintest.AtOnce(
			func() error { return c.Orders.CallOff(called(t.Context(), "b", "取消"), clerk, id, "") },
			func() error {
				err := c.Orders.PayOffline(called(t.Context(), "p", "收款"), clerk, id, order.Receipt{Amount: 10000})
				if err != nil {
					return err
				}
				_, err = c.Orders.CheckOff(called(t.Context(), "c", "核销"), clerk, id, code)
				return err
			},
		)
		require.Equal(t, 1, ended[0], "%v", ended)
		require.Contains(t, []string{"104 0.00", "401 100.00"}, c.Text(
			"SELECT CONCAT(order_status, ' ', (SELECT COALESCE(SUM(paid_amount), 0) FROM payment WHERE order_id = o.id)) "+
				"FROM orders o WHERE id = ?", id))
	}
	c.Agree()
}

// A way of delivery that is switched off while shoppers submit is that of orders placed before, and of none after.
func TestAWayIsSwitchedOffWhileShoppersBuy(t *testing.T) {
	t.Parallel()
	race(t, func(t *testing.T, s *domaintest.Shop, round int) {
		offers(t, s, "parcel,collect")
		tea := s.Product(fmt.Sprint("tea", round), 4550, 100)
		submit := func(i int) error {
			lin := s.Shopper(fmt.Sprintf("lin-%d-%d", round, i))
			row, err := s.Cart.Set(t.Context(), lin, tea)
			if err != nil {
				return err
			}
			choice := order.Choice{Cart: row, Address: s.Address(lin), Delivery: "collect"}
			_, err = s.Orders.Submit(t.Context(), lin, order.Submission{Choice: choice})
			return err
		}
		off := func() error {
			return s.Replica().Settings.Save(called(t.Context(), "off", "配送"), settings.Express,
				map[string]string{"litemall_express_ways": "parcel"})
		}
		ended := domaintest.AtOnce(append(domaintest.Times(10, submit), off)...)
		placed := s.Int("SELECT COUNT(*) FROM orders o JOIN order_goods g ON g.order_id = o.id "+
			"WHERE g.goods_id = ? AND o.delivery = 1 AND o.collect_code <> ''", tea.GoodsID)
		require.Equal(t, 11, ended[0]+ended[domaintest.Code(errno.OrderCheckoutFailed)], "%v", ended)
		require.EqualValues(t, ended[0]-1, placed, "%v", ended)
		require.ErrorIs(t, submit(10), errno.OrderCheckoutFailed)
	})
}
