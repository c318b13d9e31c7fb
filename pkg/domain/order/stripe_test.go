package order_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/settings"
)

// abroad is a shop that offers Stripe, and the sandbox.
type abroad struct {
	*channelled
	platform *domaintest.Stripe
}

func openStripe(t *testing.T) *abroad {
	t.Helper()
	c := offering(t, "sandbox")
	a := &abroad{c, domaintest.OpenStripe(t, c.Clock.Now)}
	c.list.Stripe = a.platform.Section
	c.offer("stripe", "sandbox")
	return a
}

// begun is the number of an order's payment that has begun by Stripe, where the browser returns to the shop.
func (a *abroad) begun(id int64) string {
	a.t.Helper()
	answer, err := a.Orders.PrepayH5(a.t.Context(), a.lin, id, "192.0.2.1", "https://shop.test/pay/1/result", "", "")
	require.NoError(a.t, err)
	require.Equal(a.t, payment.KindRedirect, answer.Kind)
	require.True(a.t, strings.HasPrefix(answer.Address, "https://checkout.stripe.test/"))
	return a.Text("SELECT out_trade_no FROM payment WHERE order_id = ? ORDER BY id DESC LIMIT 1", id)
}

func (a *abroad) take(header func(string) string, body []byte) error {
	return a.Orders.HandleNotification(a.t.Context(), "stripe", header, body)
}

func (a *abroad) paid() (id int64, number string) {
	a.t.Helper()
	id = a.Order(a.lin, a.tea(a.t.Name(), 10))
	number = a.begun(id)
	require.NoError(a.t, a.take(a.platform.Pay(number)))
	return id, number
}

// An order is paid and refunded by Stripe, in the browser of a client that names no channel.
func TestStripe(t *testing.T) {
	t.Parallel()
	a := openStripe(t)
	id := a.Order(a.lin, a.tea("tea", 10))
	number := a.begun(id)
	require.Equal(t, number, a.begun(id), "the same page again")
	header, body := a.platform.Pay(number)
	for range 2 {
		require.NoError(t, a.take(header, body))
	}
	require.NoError(t, a.Orders.HandleNotification(t.Context(), "", header, body), "at the common address")
	require.Equal(t, "201|stripe|pi_1", a.Text("SELECT CONCAT_WS('|', order_status, pay_channel, pay_id) FROM orders"))
	require.EqualValues(t, 1, a.Int("SELECT COUNT(*) FROM payment_notify"))
	header, body = a.platform.Tell("payment_intent.created", map[string]any{})
	require.NoError(t, a.take(header, body))
	require.EqualValues(t, 1, a.Int("SELECT COUNT(*) FROM payment_notify"), "it is no news")
	require.NoError(t, a.Orders.AskRefund(t.Context(), a.lin, id))
	require.NoError(t, a.Orders.Refund(t.Context(), clerk, id, 10000))
	require.Equal(t, "203|Stripe 退款", a.Text("SELECT CONCAT_WS('|', order_status, refund_type) FROM orders"))
	require.NoError(t, a.take(a.platform.Tell("refund.updated", a.platform.Refunds["re_1"])))
	a.platform.Refunds["re_1"]["status"] = "failed"
	require.NoError(t, a.take(a.platform.Tell("refund.failed", a.platform.Refunds["re_1"])))
	require.EqualValues(t, 1, a.Int("SELECT COUNT(*) FROM payment_notify WHERE result = ?", payment.NotificationUnsettled))
	a.Agree()
}

// A case is refunded in part, and an answer that was lost is asked for again without a second refund.
func TestStripeRefundsInPart(t *testing.T) {
	t.Parallel()
	a := openStripe(t)
	ctx := t.Context()
	id, number := a.paid()
	require.NoError(t, a.Orders.Ship(ctx, clerk, id, "SF", "1"))
	require.NoError(t, a.Orders.Confirm(ctx, a.lin, id))
	_, err := a.Aftersales.Submit(ctx, a.lin, aftersale.Submission{OrderID: id, Amount: new(money.Amount(2500))})
	require.NoError(t, err)
	c := a.Int("SELECT id FROM aftersale")
	require.NoError(t, a.Aftersales.Accept(ctx, clerk, c, ""))
	a.platform.Fail("POST /v1/refunds", domaintest.StripeFailure{Status: 504, Body: "<html>", Late: true})
	require.Error(t, a.Aftersales.Refund(ctx, clerk, c))
	require.EqualValues(t, payment.RefundReleased, a.Int("SELECT status FROM refund"), "the outcome is unknown")
	a.Clock.Move(6 * time.Minute)
	_, err = a.Payments.RetryRefunds(ctx)
	require.NoError(t, err)
	require.Equal(t, "2|25.00", a.Text("SELECT CONCAT_WS('|', status, amount) FROM refund"))
	require.Len(t, a.platform.Refunds, 1)
	require.EqualValues(t, 2500, a.platform.Refunds["re_1"]["amount"])
	require.Equal(t, "25.00", a.Text("SELECT refunded_amount FROM payment WHERE out_trade_no = ?", number))
	a.Agree()
}

// The end of an order ends its page at Stripe. Who paid just before gets the money back.
func TestStripeEndsWithTheOrder(t *testing.T) {
	t.Parallel()
	a := openStripe(t)
	tea := a.tea("tea", 10)
	open, late := a.Order(a.lin, tea), a.Order(a.lin, tea)
	numbers := []string{a.begun(open), a.begun(late)}
	a.platform.Pay(numbers[1])
	for _, id := range []int64{open, late} {
		require.NoError(t, a.Orders.Cancel(t.Context(), a.lin, id))
	}
	for range 2 { // the close, then the refund that it finds
		_, err := a.Outbox.Deliver(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, "expired", a.platform.Session(numbers[0])["status"])
	require.Equal(t, "3,5", a.Text("SELECT GROUP_CONCAT(status ORDER BY id) FROM payment"))
	require.Len(t, a.platform.Refunds, 1)
	a.Agree()
}

// A payment without a notification is asked for, by the platform's number, and by ours where the database has no row.
func TestStripeIsAsked(t *testing.T) {
	t.Parallel()
	a := openStripe(t)
	tea := a.tea("tea", 10)
	known := a.Order(a.lin, tea)
	a.platform.Pay(a.begun(known))
	a.Clock.Move(2 * time.Minute)
	_, err := a.Payments.QueryOpen(t.Context())
	require.NoError(t, err)
	lost := a.Order(a.lin, tea)
	a.platform.Pay(a.begun(lost))
	a.Exec("DELETE FROM payment WHERE order_id = ?", lost)
	require.NoError(t, a.Orders.ReconcilePayments(t.Context(), func(r order.Reconciled) { require.NoError(t, r.Err) }))
	require.Equal(t, "201,201", a.Text("SELECT GROUP_CONCAT(order_status ORDER BY id) FROM orders"))
	a.Agree()
}

// A session lives for a day. An order that waits longer is paid by another payment then.
func TestStripeAfterADay(t *testing.T) {
	t.Parallel()
	a := openStripe(t)
	require.NoError(t, a.Settings.Save(called(t.Context(), "r", "编辑"), settings.Order, map[string]string{
		"litemall_order_unpaid": "4320",
	}))
	id := a.Order(a.lin, a.tea("tea", 10))
	first := a.begun(id)
	a.Clock.Move(22 * time.Hour)
	require.Equal(t, first, a.begun(id))
	a.Clock.Move(time.Hour)
	second := a.begun(id)
	require.NotEqual(t, first, second)
	require.NoError(t, a.take(a.platform.Pay(second)))
	_, err := a.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Equal(t, "expired", a.platform.Session(first)["status"])
	require.Equal(t, "3,2", a.Text("SELECT GROUP_CONCAT(status ORDER BY id) FROM payment"))
	a.Agree()
}

// A wrong amount or currency, a wrong secret and an old time stamp pay for nothing.
func TestStripeIsNotBelieved(t *testing.T) {
	t.Parallel()
	a := openStripe(t)
	number := a.begun(a.Order(a.lin, a.tea("tea", 10)))
	_, body := a.platform.Pay(number)
	s := a.platform.Session(number)
	for key, value := range map[string]any{"amount_total": 9999, "currency": "usd"} {
		right := s[key]
		s[key] = value
		require.ErrorIs(t, a.take(a.platform.Tell("checkout.session.completed", s)), order.ErrNotTaken, key)
		s[key] = right
	}
	now := a.Clock.Now()
	require.ErrorIs(t, a.take(a.platform.Signed(body, now, "whsec_wrong"), body), payment.ErrSignature)
	require.ErrorIs(t, a.take(a.platform.Signed(body, now.Add(-time.Hour), domaintest.StripeSecret), body),
		payment.ErrSignature)
	require.EqualValues(t, order.Unpaid, a.Int("SELECT order_status FROM orders"))
	require.NoError(t, a.take(a.platform.Signed(body, now, domaintest.StripeSecret), body))
	require.EqualValues(t, order.Paid, a.Int("SELECT order_status FROM orders"))
	a.Agree()
}
