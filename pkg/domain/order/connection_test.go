package order_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/review"
)

// No transaction needs a second connection: with an exhausted pool such calls would wait for each other.
func TestOneConnectionIsEnough(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	d := s.Narrow()
	lin, staff := s.Shopper("lin"), actor.Operator(1)
	to, tea := s.Address(lin), s.Product("tea", 10000, 10)
	coupon, _ := s.Coupon(lin, 100, 0)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	must := func(err error) { t.Helper(); require.NoError(t, err) }
	place := func(coupon int64) int64 {
		row, err := d.Cart.Set(ctx, lin, tea)
		must(err)
		must(d.Cart.Change(ctx, lin, row, tea))
		placed, err := d.Orders.Submit(ctx, lin, order.Submission{Choice: order.Choice{Cart: row, Address: to, Coupon: coupon}})
		must(err)
		return placed.OrderID
	}
	pay := func(id int64) {
		_, err := d.Orders.Prepay(ctx, lin, id, "192.0.2.1")
		must(err)
		header, body, err := s.Sandbox.Compose(ctx, s.Notification(id))
		must(err)
		must(d.Orders.HandleNotification(ctx, header.Get, body))
	}
	_, err := d.Cart.Add(ctx, lin, tea)
	must(err)
	_, err = d.Cart.Check(ctx, lin, []int64{tea.ProductID}, true)
	must(err)
	_, err = d.Orders.Quote(ctx, lin, order.Choice{Cart: cart.Everything})
	must(err)
	must(d.Orders.Cancel(ctx, lin, place(coupon)))
	id := place(coupon)
	pay(id)
	must(d.Orders.AskRefund(ctx, lin, id))
	must(d.Orders.RejectRefund(ctx, staff, id, ""))
	must(d.Orders.AskRefund(ctx, lin, id))
	must(d.Orders.Refund(ctx, staff, id, money.Yuan(99)))
	id = place(0)
	pay(id)
	must(d.Orders.Ship(ctx, staff, id, "ZTO", "1"))
	must(d.Orders.Confirm(ctx, lin, id))
	s.Clock.Move(time.Minute) // the settings must be read again
	must(d.LineComments.Comment(ctx, lin, s.Int("SELECT id FROM order_goods WHERE order_id = ?", id),
		review.Comment{Content: "good", Star: 5}))
	must(d.Orders.Hide(ctx, lin, id))
	place(0)
	s.Clock.Move(time.Hour)
	_, err = d.Orders.ExpireUnpaid(ctx)
	must(err)
	_, err = d.Outbox.Deliver(ctx)
	must(err)
	s.Agree()
}
