package order_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
)

// both is a shop with two payment platforms, a shopper with an identity at one of them, and goods to buy.
type both struct {
	*domaintest.Shop
	wechat *domaintest.Wechat
	alipay *domaintest.Alipay
	t      *testing.T
	lin    int64
	tea    cart.AddRequest
}

func openBoth(t *testing.T, offered ...string) *both {
	t.Helper()
	s, w, a := domaintest.OpenPlatforms(t, offered...)
	b := &both{s, w, a, t, s.Shopper("lin"), s.Product("tea", 10000, 100)}
	s.Exec("UPDATE user SET wx_openid = 'openid-of-lin' WHERE id = ?", b.lin)
	return b
}

// offer opens the shop again with other channels on offer.
func (b *both) offer(offered ...string) {
	b.Domain = b.With(func(cfg *app.Config) { cfg.Payment.Offered = offered })
}

// number is that of an order's latest payment.
func (b *both) number(id int64) string {
	b.t.Helper()
	return b.Text("SELECT out_trade_no FROM payment WHERE order_id = ? ORDER BY id DESC LIMIT 1", id)
}

// scanned returns an order whose payer has scanned the code of its payment, and the payment's number.
func (b *both) scanned() (id int64, number string) {
	b.t.Helper()
	id = b.Order(b.lin, b.tea)
	_, err := b.Orders.Prepay(b.t.Context(), b.lin, id, "192.0.2.1", "alipay", payment.KindQR)
	require.NoError(b.t, err)
	return id, b.number(id)
}

// tell delivers a notification of Alipay.
func (b *both) tell(body []byte) error {
	return b.Orders.HandleNotification(b.t.Context(), "alipay", func(string) string { return "" }, body)
}

func (b *both) paid() (id int64, number string) {
	b.t.Helper()
	id, number = b.scanned()
	b.alipay.Pay(number)
	require.NoError(b.t, b.tell(b.alipay.Notification(number, nil)))
	return id, number
}

func (b *both) deliver() {
	b.t.Helper()
	_, err := b.Outbox.Deliver(b.t.Context())
	require.NoError(b.t, err)
}

func (b *both) status(id int64) order.Status {
	b.t.Helper()
	return order.Status(b.Int("SELECT order_status FROM orders WHERE id = ?", id))
}

// A client that was written before there were channels buys in a shop whose first channel is Alipay: in the app by the
// first channel that pays there, in a browser by Alipay.
func TestAnExistingClientWhereAlipayIsFirst(t *testing.T) {
	t.Parallel()
	b := openBoth(t, "alipay", "wechat")
	ctx := t.Context()
	inApp, inBrowser := b.Order(b.lin, b.tea), b.Order(b.lin, b.tea)
	answer, err := b.Orders.Prepay(ctx, b.lin, inApp, "192.0.2.1", "", "")
	require.NoError(t, err)
	require.Equal(t, "wechat", answer.Channel.Code)
	require.NotEmpty(t, answer.Params.PaySign)
	b.wechat.Pay(b.number(inApp))
	h, body := b.wechat.Notification(b.number(inApp), nil)
	require.NoError(t, b.Orders.HandleNotification(ctx, "", h.Get, body))
	require.Equal(t, order.Paid, b.status(inApp))

	answer, err = b.Orders.PrepayH5(ctx, b.lin, inBrowser, "192.0.2.1", "", "", "")
	require.NoError(t, err)
	require.Equal(t, "alipay.trade.wap.pay", b.alipay.Visit(answer.Address).Method)
	require.NoError(t, b.tell(b.alipay.Notification(b.number(inBrowser), nil)), "the payer is on the page")
	require.Equal(t, order.Unpaid, b.status(inBrowser))
	b.alipay.Pay(b.number(inBrowser))
	for range 2 {
		require.NoError(t, b.tell(b.alipay.Notification(b.number(inBrowser), nil)))
	}
	require.Equal(t, order.Paid, b.status(inBrowser))
	require.Equal(t, "wechat,alipay", b.Text("SELECT GROUP_CONCAT(pay_channel ORDER BY id) FROM orders"))
	for _, id := range []int64{inApp, inBrowser} {
		require.NoError(t, b.Orders.AskRefund(ctx, b.lin, id))
		require.NoError(t, b.Orders.Refund(ctx, clerk, id, 10000))
	}
	require.Equal(t, "微信退款接口,支付宝退款接口", b.Text("SELECT GROUP_CONCAT(refund_type ORDER BY id) FROM orders"))
	require.Len(t, b.alipay.Trade(b.number(inBrowser)).Refunds, 1)
	require.Zero(t, b.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicAlarm))
	b.Agree()
}

// Where no channel answers in the shape that such a client knows, it gets how the shop is paid, and nothing is
// written.
func TestAnExistingClientWhereNoChannelFits(t *testing.T) {
	t.Parallel()
	b := openBoth(t, "alipay", "transfer")
	id := b.Order(b.lin, b.tea)
	_, err := b.Orders.Prepay(t.Context(), b.lin, id, "192.0.2.1", "", "")
	require.ErrorIs(t, err, errno.OrderPayFailed)
	require.Equal(t, "this shop is paid by: Alipay, Bank transfer or in the shop", errno.Text(err, text.English))
	b.offer("transfer")
	_, err = b.Orders.PrepayH5(t.Context(), b.lin, id, "192.0.2.1", "", "", "")
	require.ErrorIs(t, err, errno.OrderPayFailed)
	require.Zero(t, b.Int("SELECT COUNT(*) FROM payment"))
	require.Empty(t, b.alipay.Calls())
	b.Agree()
}

// An order that is paid at both platforms at the same moment is paid once, and the other payment goes back at its own
// platform.
func TestPaidAtBothPlatformsAtOnce(t *testing.T) {
	t.Parallel()
	b := openBoth(t, "wechat", "alipay")
	ctx := t.Context()
	for round := range 2 * rounds {
		id := b.Order(b.lin, b.tea)
		numbers := map[string]string{}
		for i, channel := range []string{"wechat", "alipay", "wechat"} {
			if i == round%2*2 {
				continue // each of them is the first one in turn
			}
			_, err := b.Orders.Prepay(ctx, b.lin, id, "192.0.2.1", channel, "")
			require.NoError(t, err)
			numbers[channel] = b.number(id)
		}
		b.wechat.Pay(numbers["wechat"])
		b.alipay.Pay(numbers["alipay"])
		h, body := b.wechat.Notification(numbers["wechat"], nil)
		told := b.alipay.Notification(numbers["alipay"], nil)
		codes := domaintest.AtOnce(
			func() error { return b.Orders.HandleNotification(ctx, "", h.Get, body) },
			func() error { return b.tell(told) },
		)
		require.Equal(t, outcomes{0: 2}, codes)
		require.Equal(t, "2,5", b.Text("SELECT GROUP_CONCAT(status ORDER BY status) FROM payment WHERE order_id = ?", id))
		b.deliver()
		late := b.Text("SELECT channel FROM payment WHERE order_id = ? AND status = 5", id)
		require.NotEqual(t, late, b.Text("SELECT pay_channel FROM orders WHERE id = ?", id))
		refund := b.Text("SELECT out_refund_no FROM refund WHERE order_id = ? AND status = 2", id)
		require.Equal(t, late == "wechat", b.wechat.Refunded(refund))
		require.Equal(t, late == "alipay", len(b.alipay.Trade(numbers["alipay"]).Refunds) == 1)
		b.Agree()
	}
}

// What Alipay has collected is refunded, asked for and told by it, also when the shop does not offer it any more.
func TestAlipayIsNoLongerOffered(t *testing.T) {
	t.Parallel()
	b := openBoth(t, "alipay")
	ctx := t.Context()
	paid, number := b.paid()
	silent, unheard := b.scanned()
	require.NoError(t, b.Orders.AskRefund(ctx, b.lin, paid))
	b.offer("wechat")
	_, err := b.Orders.Prepay(ctx, b.lin, silent, "192.0.2.1", "alipay", payment.KindQR)
	require.ErrorIs(t, err, errno.OrderPayFailed)
	b.alipay.Hold(true)
	require.ErrorIs(t, b.Orders.Refund(ctx, clerk, paid, 10000), errno.OrderRefundFailed, "it has yet to make it")
	require.Equal(t, order.RefundAsked, b.status(paid))
	b.alipay.Hold(false)
	b.alipay.Pay(unheard)
	b.Clock.Move(6 * time.Minute)
	n, err := b.Payments.QueryOpen(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, order.Paid, b.status(silent), "no notification has come")
	_, err = b.Payments.RetryRefunds(ctx)
	require.NoError(t, err)
	require.Equal(t, order.Refunded, b.status(paid))
	require.Len(t, b.alipay.Trade(number).Refunds, 1)
	require.NoError(t, b.tell(b.alipay.RefundNotification(number, "refund_"+number)))
	for sum, want := range map[string]error{"99.99": order.ErrNotTaken, "150.00": nil} { // of all refunds so far
		err := b.tell(b.alipay.Notification(number, func(v url.Values) {
			v.Set("notify_id", "sum"+sum)
			v.Set("gmt_refund", "2030-01-02 12:30:00")
			v.Set("out_biz_no", "refund_"+number)
			v.Set("refund_fee", sum)
		}))
		require.ErrorIs(t, err, want, sum)
	}
	b.Agree()
}

// A payer who is faster than the cancellation, or who pays a page that the platform heard of only then, gets the money
// back.
func TestMoneyAtAlipayThatComesLate(t *testing.T) {
	t.Parallel()
	b := openBoth(t, "alipay")
	ctx := t.Context()
	fast, number := b.scanned()
	b.alipay.Pay(number)
	slow := b.Order(b.lin, b.tea)
	page, err := b.Orders.PrepayH5(ctx, b.lin, slow, "192.0.2.1", "", "", payment.KindPage)
	require.NoError(t, err)
	for _, id := range []int64{fast, slow} {
		require.NoError(t, b.Orders.Cancel(ctx, b.lin, id))
	}
	b.deliver()
	b.deliver()
	b.alipay.Visit(page.Address)
	b.alipay.Pay(b.number(slow))
	require.NoError(t, b.tell(b.alipay.Notification(b.number(slow), nil)))
	b.deliver()
	for _, id := range []int64{fast, slow} {
		require.Equal(t, order.Cancelled, b.status(id))
		require.Len(t, b.alipay.Trade(b.number(id)).Refunds, 1)
	}
	require.EqualValues(t, 2, b.Int("SELECT COUNT(*) FROM refund WHERE status = 2"))
	b.Agree()
	other, number := b.scanned()
	require.NoError(t, b.Orders.Cancel(ctx, b.lin, other))
	b.deliver()
	require.NoError(t, b.tell(b.alipay.Notification(number, nil)), "the trade is closed")
	require.Contains(t, strings.Join(b.alipay.Calls(), " "), "alipay.trade.close")
	b.Agree()
}

// A payment of another amount waits for staff, and the right one is taken after all.
func TestAnotherAmountAtAlipay(t *testing.T) {
	t.Parallel()
	b := openBoth(t, "alipay")
	id, number := b.scanned()
	b.alipay.Pay(number)
	for _, amount := range []string{"99.99", "100.01"} {
		err := b.tell(b.alipay.Notification(number, func(v url.Values) { v.Set("total_amount", amount) }))
		require.ErrorIs(t, err, order.ErrNotTaken, amount)
		require.Equal(t, order.Unpaid, b.status(id))
	}
	require.EqualValues(t, 1, b.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicAlarm))
	b.Agree()
	require.NoError(t, b.tell(b.alipay.Notification(number, nil)))
	require.Equal(t, order.Paid, b.status(id))
	b.Agree()
}
