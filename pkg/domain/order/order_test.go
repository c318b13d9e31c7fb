package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
)

func TestSubmit(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	to := s.Address(lin)
	tea := s.Product("tea", 4550, 10)
	coupon, held := s.Coupon(lin, money.Yuan(10), money.Yuan(80))
	tea.Number = 2
	row, err := s.Cart.Set(t.Context(), lin, tea)
	require.NoError(t, err)

	placed, err := s.Orders.Submit(t.Context(), lin, order.Submission{
		Choice: order.Choice{Cart: row, Address: to, Coupon: coupon}, Message: "轻拿轻放",
	})
	require.NoError(t, err)

	o, err := s.Orders.Find(t.Context(), lin, placed.OrderID)
	require.NoError(t, err)
	require.Equal(t, order.Price{Goods: 9100, Coupon: 1000, Total: 8100, Actual: 8100}, o.Price)
	require.Regexp(t, `^20300102\d{10}$`, o.SN)
	require.Equal(t, order.Unpaid, o.Status)
	require.Equal(t, "浙江省杭州市西湖区 文三路 1 号", o.Address)
	require.Equal(t, held, o.CouponUserID)
	require.Len(t, o.Lines, 1)
	require.Equal(t, money.Amount(1000), o.Lines[0].Reduction)
	require.Equal(t, 8, s.Stock(tea))
	s.Agree()

	_, err = s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Cart: row, Address: to}})
	require.ErrorIs(t, err, errno.Invalid, "the row is used up")
}

func TestSubmitRefuses(t *testing.T) {
	t.Parallel()
	type world struct {
		*domaintest.Shop
		lin int64
		tea cart.AddRequest
		sub order.Submission
	}
	tests := map[string]struct {
		arrange func(w *world)
		want    error
	}{
		"an unknown address":           {func(w *world) { w.sub.Address = 99 }, errno.Invalid},
		"another shopper's address":    {func(w *world) { w.sub.Address = w.Address(w.Shopper("mei")) }, errno.Invalid},
		"an unknown row":               {func(w *world) { w.sub.Cart = 99 }, errno.Invalid},
		"nothing ticked":               {func(w *world) { w.sub.Cart = cart.Everything; w.Exec("UPDATE cart SET checked = 0") }, errno.Invalid},
		"another shopper's row":        {func(w *world) { w.Exec("UPDATE cart SET user_id = 77") }, errno.Invalid},
		"goods off the shelf":          {func(w *world) { w.Exec("UPDATE goods SET is_on_sale = 0") }, errno.GoodsUnshelved},
		"a deleted product":            {func(w *world) { w.Exec("UPDATE goods_product SET deleted = 1") }, errno.GoodsInvalid},
		"too little stock":             {func(w *world) { w.Exec("UPDATE goods_product SET number = 0") }, errno.GoodsNoStock},
		"an unknown coupon":            {func(w *world) { w.sub.Coupon = 5 }, errno.Invalid},
		"another shopper's coupon":     {func(w *world) { w.sub.Coupon, w.sub.UserCoupon = w.Coupon(w.Shopper("mei"), 100, 0) }, errno.Invalid},
		"a coupon of too little goods": {func(w *world) { w.sub.Coupon, _ = w.Coupon(w.lin, 100, money.Yuan(500)) }, errno.Invalid},
		"an unknown offer":             {func(w *world) { w.sub.Rule = 1 }, errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := domaintest.Open(t)
			w := &world{Shop: s, lin: s.Shopper("lin"), tea: s.Product("tea", 4550, 10)}
			row, err := s.Cart.Set(t.Context(), w.lin, w.tea)
			require.NoError(t, err)
			w.sub = order.Submission{Choice: order.Choice{Cart: row, Address: s.Address(w.lin)}}
			tt.arrange(w)
			_, err = s.Orders.Submit(t.Context(), w.lin, w.sub)
			require.ErrorIs(t, err, tt.want)
			require.Zero(t, s.Int("SELECT COUNT(*) FROM orders"))
			require.Zero(t, s.Int("SELECT COUNT(*) FROM stock_log WHERE reason = 1"), "nothing half done")
			require.Equal(t, int64(1), s.Int("SELECT COUNT(*) FROM cart WHERE deleted = 0"))
		})
	}
}

func TestNothingToPay(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Product("tea", 500, 3)
	coupon, _ := s.Coupon(lin, money.Yuan(1000), 0)
	row, err := s.Cart.Set(t.Context(), lin, tea)
	require.NoError(t, err)
	placed, err := s.Orders.Submit(t.Context(), lin, order.Submission{
		Choice: order.Choice{Cart: row, Address: s.Address(lin), Coupon: coupon},
	})
	require.NoError(t, err)
	require.True(t, placed.Paid)
	o, err := s.Orders.Find(t.Context(), lin, placed.OrderID)
	require.NoError(t, err)
	require.Equal(t, order.Price{Goods: 500, Freight: 800, Coupon: 1300}, o.Price, "the coupon covers goods and freight, no more")
	require.Equal(t, order.Paid, o.Status)
	require.False(t, o.PayTime.IsZero())
	s.Agree()
}

func TestLife(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, staff := s.Shopper("lin"), actor.Operator(1)
	tea := s.Product("tea", 10000, 10)
	ctx := t.Context()

	id := s.Order(lin, tea)
	s.Pay(lin, id)
	require.ErrorIs(t, s.Orders.Cancel(ctx, lin, id), errno.OrderInvalidOperation)
	require.ErrorIs(t, s.Orders.Confirm(ctx, lin, id), errno.OrderInvalidOperation)
	require.ErrorIs(t, s.Orders.Hide(ctx, lin, id), errno.OrderInvalidOperation)
	require.NoError(t, s.Orders.Ship(ctx, staff, id, "ZTO", "Z123"))
	require.ErrorIs(t, s.Orders.Ship(ctx, staff, id, "ZTO", "Z123"), errno.OrderConfirmNotAllowed)
	require.NoError(t, s.Orders.Confirm(ctx, lin, id))
	o, err := s.Orders.Find(ctx, lin, id)
	require.NoError(t, err)
	require.Equal(t, 1, o.Comments)
	require.NoError(t, s.Orders.Hide(ctx, lin, id))
	require.ErrorIs(t, s.Orders.Hide(ctx, lin, id), errno.OrderUnknown)
	s.Agree()

	id = s.Order(lin, tea)
	require.ErrorIs(t, s.Orders.Cancel(ctx, s.Shopper("mei"), id), errno.OrderUnknown)
	require.NoError(t, s.Orders.Cancel(ctx, lin, id))
	require.ErrorIs(t, s.Orders.Cancel(ctx, lin, id), errno.OrderInvalidOperation)
	require.Equal(t, 9, s.Stock(tea))
	s.Agree()

	id = s.Order(lin, tea)
	s.Pay(lin, id)
	require.NoError(t, s.Orders.AskRefund(ctx, lin, id))
	require.ErrorIs(t, s.Orders.Refund(ctx, staff, id, 1), errno.Invalid)
	require.NoError(t, s.Orders.RejectRefund(ctx, staff, id, "已打包"))
	require.ErrorIs(t, s.Orders.Refund(ctx, staff, id, 10000), errno.OrderConfirmNotAllowed)
	require.NoError(t, s.Orders.AskRefund(ctx, lin, id))
	require.NoError(t, s.Orders.Refund(ctx, staff, id, 10000))
	require.ErrorIs(t, s.Orders.Refund(ctx, staff, id, 10000), errno.OrderConfirmNotAllowed)
	require.Equal(t, 9, s.Stock(tea))
	s.Agree()

	_, err = s.Outbox.Deliver(ctx)
	require.NoError(t, err)
	require.Zero(t, s.Int("SELECT COUNT(*) FROM outbox_event WHERE state = 2"), "every effect has a handler")
}

func TestExpireUnpaid(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Product("tea", 10000, 10)
	early := s.Order(lin, tea)
	s.Clock.Move(29 * time.Minute)
	late := s.Order(lin, tea)
	ended, err := s.Orders.ExpireUnpaid(t.Context())
	require.NoError(t, err)
	require.Zero(t, ended)
	s.Clock.Move(time.Minute)
	ended, err = s.Orders.ExpireUnpaid(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, ended)
	o, err := s.Orders.Find(t.Context(), lin, early)
	require.NoError(t, err)
	require.Equal(t, order.Expired, o.Status)
	o, err = s.Orders.Find(t.Context(), lin, late)
	require.NoError(t, err)
	require.Equal(t, order.Unpaid, o.Status)
	require.Equal(t, 9, s.Stock(tea))
	s.Agree()
}
