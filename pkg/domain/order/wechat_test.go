package order_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
)

// paying is a shop with WeChat Pay, a shopper with an identity there, and goods to buy.
type paying struct {
	*domaintest.Shop
	platform *domaintest.Wechat
	t        *testing.T
	lin      int64
	tea      cart.AddRequest
}

func openWechat(t *testing.T) *paying {
	t.Helper()
	s, platform := domaintest.OpenWechat(t)
	p := &paying{s, platform, t, s.Shopper("lin"), s.Product("tea", 10000, 10)}
	s.Exec("UPDATE user SET wx_openid = 'openid-of-lin' WHERE id = ?", p.lin)
	return p
}

// announced returns an unpaid order with a payment at the platform, and its number.
func (p *paying) announced() (id int64, number string) {
	p.t.Helper()
	id = p.Order(p.lin, p.tea)
	_, err := p.Orders.Prepay(p.t.Context(), p.lin, id, "192.0.2.1")
	require.NoError(p.t, err)
	return id, p.Text("SELECT out_trade_no FROM payment WHERE order_id = ? ORDER BY id DESC LIMIT 1", id)
}

func (p *paying) take(h http.Header, body []byte) error {
	return p.Orders.HandleNotification(p.t.Context(), h.Get, body)
}

func (p *paying) status(id int64) int64 {
	p.t.Helper()
	return p.Int("SELECT order_status FROM orders WHERE id = ?", id)
}

// paid returns a paid order.
func (p *paying) paid() (id int64, number string) {
	p.t.Helper()
	id, number = p.announced()
	p.platform.Pay(number)
	require.NoError(p.t, p.take(p.platform.Notification(number, nil)))
	return id, number
}

func (p *paying) deliver() {
	p.t.Helper()
	_, err := p.Outbox.Deliver(p.t.Context())
	require.NoError(p.t, err)
}

func TestWechatPrepayRefuses(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	mei := p.Shopper("mei")
	id := p.Order(mei, p.tea)
	_, err := p.Orders.Prepay(t.Context(), mei, id, "192.0.2.1")
	require.ErrorIs(t, err, errno.AuthOpenIDUnaccess)
	require.Zero(t, p.Int("SELECT COUNT(*) FROM payment"))
	require.Empty(t, p.platform.Calls())
	to, err := p.Orders.PrepayH5(t.Context(), mei, id, "192.0.2.1")
	require.NoError(t, err, "a browser needs no identity")
	require.Contains(t, to, "https://wx.tenpay.test/")

	for name, answer := range map[string]string{"refused": `{"code":"PARAM_ERROR","message":"x"}`, "no address": `{}`} {
		status := 200
		if name == "refused" {
			status = 400
		}
		p.platform.Answer(func(*http.Request) (int, string, bool) { return status, answer, true })
		to, err = p.Orders.PrepayH5(t.Context(), mei, id, "192.0.2.1")
		require.ErrorIs(t, err, errno.OrderPayFailed, name)
		require.Empty(t, to, "never a success without an address")
		_, err = p.Orders.Prepay(t.Context(), p.lin, p.Order(p.lin, p.tea), "192.0.2.1")
		require.ErrorIs(t, err, errno.OrderPayFailed, name)
	}
	require.Equal(t, int64(order.Unpaid), p.status(id))
	p.Agree()
}

// Another way of paying closes the payment and creates one with its own number; the same way reuses it.
func TestWechatWaysOfPaying(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, number := p.announced()
	_, err := p.Orders.Prepay(t.Context(), p.lin, id, "192.0.2.1")
	require.NoError(t, err)
	require.Len(t, p.platform.Calls(), 1, "one number while it lives")
	for range 2 {
		_, err = p.Orders.PrepayH5(t.Context(), p.lin, id, "192.0.2.1")
		require.NoError(t, err)
	}
	require.Equal(t, "MWEB", p.Text("SELECT trade_type FROM payment WHERE out_trade_no = ?", number+"-2"))
	require.Equal(t, int64(2), p.Int("SELECT COUNT(*) FROM payment"))
	p.deliver()
	require.Contains(t, p.platform.Calls(), "POST /v3/pay/transactions/out-trade-no/"+number+"/close")
	p.platform.Pay(number + "-2")
	require.NoError(t, p.take(p.platform.Notification(number+"-2", nil)))
	require.Equal(t, int64(order.Paid), p.status(id))
	p.Agree()
}

func TestWechatNotificationRefused(t *testing.T) {
	t.Parallel()
	amount := func(total int, currency string) func(map[string]any) {
		return func(m map[string]any) { m["amount"] = map[string]any{"total": total, "currency": currency} }
	}
	set := func(key, value string) func(map[string]any) { return func(m map[string]any) { m[key] = value } }
	for name, edit := range map[string]func(map[string]any){
		"another app":      set("appid", "wx1"),
		"another merchant": set("mchid", "1"),
		"another state":    set("trade_state", "NOTPAY"),
		"an unknown order": set("out_trade_no", "99"),
		"a cent less":      amount(9999, "CNY"),
		"a cent more":      amount(10001, "CNY"),
		"another currency": amount(10000, "USD"),
		"no transaction":   set("transaction_id", ""),
	} {
		t.Run(name, func(t *testing.T) {
			p := openWechat(t)
			id, number := p.announced()
			p.platform.Pay(number)
			require.ErrorIs(t, p.take(p.platform.Notification(number, edit)), order.ErrNotTaken)
			require.Equal(t, int64(order.Unpaid), p.status(id))
			require.Equal(t, int64(3), p.Int("SELECT result FROM payment_notify"))
			require.Equal(t, int64(1), p.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicAlarm))
			p.Agree()
			require.NoError(t, p.take(p.platform.Notification(number, nil)), "the right one comes after all")
			require.Equal(t, int64(order.Paid), p.status(id))
			p.Agree()
		})
	}
}

func TestWechatNotificationForged(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, number := p.announced()
	p.platform.Pay(number)
	header, body := p.platform.Notification(number, nil)
	forged := header.Clone()
	forged.Set("Wechatpay-Signature", header.Get("Wechatpay-Nonce"))
	require.ErrorIs(t, p.take(forged, body), order.ErrNotTaken)
	require.Equal(t, int64(0), p.Int("SELECT signature_ok FROM payment_notify"))
	require.Equal(t, int64(order.Unpaid), p.status(id))
	require.Zero(t, p.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicAlarm))
	p.Clock.Move(5*time.Minute + time.Second)
	require.ErrorIs(t, p.take(header, body), order.ErrNotTaken, "too old")
	require.NoError(t, p.take(p.platform.SignedAt(p.Clock.Now(), body), body))
	require.Equal(t, int64(order.Paid), p.status(id))
	p.Agree()
}

func TestWechatNotificationConcurrently(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, number := p.announced()
	transaction := p.platform.Pay(number)
	header, body := p.platform.Notification(number, nil)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if err := p.take(header, body); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, transaction, p.Text("SELECT pay_id FROM orders WHERE id = ?", id))
	require.Equal(t, int64(1), p.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicPaid))
	p.Agree()
}

// Payments for a cancelled order, and duplicate payments, are refunded under their own numbers.
func TestWechatLateMoney(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, number := p.announced()
	p.platform.Pay(number)
	require.NoError(t, p.Orders.Cancel(t.Context(), p.lin, id))
	require.NoError(t, p.take(p.platform.Notification(number, nil)))
	require.NoError(t, p.take(p.platform.Notification(number, nil)), "a repetition")
	require.Equal(t, int64(order.Cancelled), p.status(id))
	require.Equal(t, int64(5), p.Int("SELECT status FROM payment"))
	p.deliver()
	require.True(t, p.platform.Refunded("refund_"+number))
	require.Equal(t, int64(1), p.Int("SELECT COUNT(*) FROM refund WHERE status = 2"))
	p.Agree()

	id, number = p.paid()
	require.NoError(t, p.take(p.platform.Notification(number, func(m map[string]any) { m["transaction_id"] = "42second" })), "same notice id")
	second := func(m map[string]any) { m["transaction_id"] = "42second" }
	p.Exec("UPDATE payment_notify SET notify_id = CONCAT('old', id), body = ''")
	require.NoError(t, p.take(p.platform.Notification(number, second)))
	p.deliver()
	require.Equal(t, int64(order.Paid), p.status(id))
	require.Equal(t, int64(2), p.Int("SELECT COUNT(*) FROM refund WHERE status = 2"))
	back := p.platform.Refunds[p.Text("SELECT out_refund_no FROM refund ORDER BY id DESC LIMIT 1")]
	require.Equal(t, "42second", back["transaction_id"], "the second payment goes back, not the first")
	p.Agree()
}

// Without the row of a payment nobody knows where its money is: it is not reported as refunded.
func TestRefundWithoutItsPayment(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, refund := p.asked()
	p.Exec("UPDATE refund SET payment_id = 0")
	require.ErrorIs(t, p.Orders.Refund(t.Context(), actor.Operator(1), id, 10000), errno.OrderRefundFailed)
	require.Equal(t, int64(order.RefundAsked), p.status(id))
	require.False(t, p.platform.Refunded(refund))
	require.Equal(t, int64(3), p.Int("SELECT status FROM refund"), "it can be sent again once the row is back")
	p.Exec("UPDATE refund SET payment_id = (SELECT MIN(id) FROM payment)")
	require.NoError(t, p.Orders.Refund(t.Context(), actor.Operator(1), id, 10000))
	require.True(t, p.platform.Refunded(refund))
	p.Agree()
}

// A free order refunds nothing, and names no platform for it.
func TestRefundOfAFreeOrder(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	coupon, _ := p.Coupon(p.lin, 20000, 0)
	row, err := p.Cart.Set(t.Context(), p.lin, p.tea)
	require.NoError(t, err)
	placed, err := p.Orders.Submit(t.Context(), p.lin, order.Submission{
		Choice: order.Choice{Cart: row, Address: p.Address(p.lin), Coupon: coupon},
	})
	require.NoError(t, err)
	require.True(t, placed.Paid)
	require.NoError(t, p.Orders.AskRefund(t.Context(), p.lin, placed.OrderID))
	require.NoError(t, p.Orders.Refund(t.Context(), actor.Operator(1), placed.OrderID, 0))
	require.Equal(t, "203|0.00|线下退款|-|free", p.Text("SELECT CONCAT_WS('|', order_status, refund_amount, refund_type, "+
		"COALESCE(refund_content, '-'), pay_channel) FROM orders"))
	p.Agree()
}

// A refund notification locks the payment and then the refund before it decides.
func TestRefundNotificationLocks(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, refund := p.asked()
	require.NoError(t, p.Orders.Refund(t.Context(), actor.Operator(1), id, 10000))
	var locks []string
	ctx, _ := domaintest.Listen(t.Context(), func(statement string) {
		if before, ok := strings.CutSuffix(statement, " FOR UPDATE"); ok {
			_, rest, _ := strings.Cut(before, " FROM ")
			locks = append(locks, strings.Fields(rest)[0])
		}
	})
	h, body := p.platform.RefundNotification(refund, "SUCCESS", 10000)
	require.NoError(t, p.Orders.HandleNotification(ctx, h.Get, body))
	require.Equal(t, []string{"payment", "refund"}, locks)
}

// The payer was faster than the cancellation, and no notification arrives: closing the payment finds the money.
func TestWechatClosingFindsTheMoney(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, number := p.announced()
	p.platform.Pay(number)
	require.NoError(t, p.Orders.Cancel(t.Context(), p.lin, id))
	p.deliver()
	p.deliver()
	require.True(t, p.platform.Refunded("refund_"+number))
	require.Equal(t, int64(5), p.Int("SELECT status FROM payment"))
	require.Equal(t, int64(order.Cancelled), p.status(id))
	p.Agree()
}

// asked returns a paid order with a requested refund.
func (p *paying) asked() (id int64, refund string) {
	p.t.Helper()
	id, number := p.paid()
	require.NoError(p.t, p.Orders.AskRefund(p.t.Context(), p.lin, id))
	return id, "refund_" + number
}

func TestWechatRefundNotifications(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	ctx := t.Context()
	id, refund := p.asked()
	require.ErrorIs(t, p.take(p.platform.RefundNotification("refund_99", "SUCCESS", 10000)), order.ErrNotTaken)
	require.NoError(t, p.Orders.Refund(ctx, actor.Operator(1), id, 10000))
	require.Equal(t, int64(order.Refunded), p.status(id))
	require.ErrorIs(t, p.take(p.platform.RefundNotification(refund, "CLOSED", 1)), order.ErrNotTaken, "another amount")
	require.NoError(t, p.take(p.platform.RefundNotification(refund, "SUCCESS", 10000)))
	require.Equal(t, int64(2), p.Int("SELECT status FROM refund"))
	require.Empty(t, p.Text("SELECT last_error FROM refund"))
	alarms := p.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicAlarm)
	require.NoError(t, p.take(p.platform.RefundNotification(refund, "ABNORMAL", 10000)))
	require.Equal(t, alarms+1, p.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", order.TopicAlarm))
	require.NotEmpty(t, p.Text("SELECT last_error FROM refund"))
	require.Equal(t, int64(order.Refunded), p.status(id), "only the refund's row")
	require.Equal(t, int64(4), p.Int("SELECT COUNT(*) FROM payment_notify WHERE kind = 2"))
	p.Agree()
}
