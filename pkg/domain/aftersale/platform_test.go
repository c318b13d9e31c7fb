package aftersale_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/stripe"
	"shop.internal/pkg/domain/settings"
)

// platform is a shop that is paid by a payment platform. pay makes the payment of a number and delivers its
// notification; refunds are what the platform was asked to pay back of it, by the numbers of the refunds.
type platform struct {
	*domaintest.Shop
	channel string
	kind    payment.Kind
	pay     func(number string) error
	refunds func(number string) map[string]string
}

func byWechat(t *testing.T) platform {
	s, wechat := domaintest.OpenWechat(t)
	return platform{s, "wechat", "", func(number string) error {
		wechat.Pay(number)
		header, body := wechat.Notification(number, nil)
		return s.Orders.HandleNotification(t.Context(), "wechat", header.Get, body)
	}, func(number string) map[string]string {
		sums := map[string]string{}
		for refund, asked := range wechat.Refunds {
			require.Equal(t, "4200"+number, asked["transaction_id"])
			sums[refund] = fmt.Sprint(asked["amount"].(map[string]any)["refund"])
		}
		return sums
	}}
}

func byAlipay(t *testing.T) platform {
	s, _, alipay := domaintest.OpenPlatforms(t, "alipay")
	return platform{s, "alipay", payment.KindQR, func(number string) error {
		alipay.Pay(number)
		none := func(string) string { return "" }
		return s.Orders.HandleNotification(t.Context(), "alipay", none, alipay.Notification(number, nil))
	}, func(number string) map[string]string {
		sums := map[string]string{}
		for refund, amount := range alipay.Trade(number).Refunds {
			sums[refund] = amount.String()
		}
		return sums
	}}
}

func byStripe(t *testing.T, currency string) platform {
	s := domaintest.Open(t)
	there := domaintest.OpenStripe(t, s.Clock.Now)
	s.Domain = s.With(func(c *app.Config) {
		c.Payment.Providers = payment.ProvidersOf(&struct{ Stripe stripe.Section }{there.Section})
		c.Payment.Offered = []string{"stripe"}
	})
	code := map[string]string{"litemall_mall_currency": currency}
	require.NoError(t, s.Settings.Save(called(t.Context(), "编辑"), settings.Mall, code))
	return platform{s, "stripe", "", func(number string) error {
		header, body := there.Pay(number)
		return s.Orders.HandleNotification(t.Context(), "stripe", header, body)
	}, func(number string) map[string]string {
		sums := map[string]string{}
		for refund, r := range there.Refunds {
			require.Equal(t, there.Session(number)["payment_intent"], r["payment_intent"])
			sums[refund] = fmt.Sprint(r["amount"])
		}
		return sums
	}}
}

// received is an order of two teas and three pots, for which 30.00 were paid with a coupon, and the number of its
// payment.
func (p platform) received(w *world) (id int64, number string) {
	ctx := w.t.Context()
	w.pot.Number = 3
	for _, ware := range []cart.AddRequest{w.tea, w.pot} {
		_, err := w.Cart.Set(ctx, w.lin, ware)
		require.NoError(w.t, err)
	}
	coupon, held := w.Coupon(w.lin, money.Yuan(17), 0)
	placed, err := w.Orders.Submit(ctx, w.lin, order.Submission{Choice: order.Choice{
		Cart: cart.Everything, Address: w.Address(w.lin), Coupon: coupon, UserCoupon: held,
	}})
	require.NoError(w.t, err)
	id = placed.OrderID
	if p.channel == "stripe" {
		_, err = w.Orders.PrepayH5(ctx, w.lin, id, "192.0.2.1", "https://shop.test/pay/1/result", p.channel, "")
	} else {
		_, err = w.Orders.Prepay(ctx, w.lin, id, "192.0.2.1", p.channel, p.kind)
	}
	require.NoError(w.t, err)
	number = w.Text("SELECT out_trade_no FROM payment WHERE order_id = ?", id)
	require.NoError(w.t, p.pay(number))
	require.NoError(w.t, w.Orders.Ship(ctx, staff, id, "ZTO", "1"))
	require.NoError(w.t, w.Orders.Confirm(ctx, w.lin, id))
	return id, number
}

// A pot is refunded, and then all the rest. Each platform is asked for both sums, in its unit, and for no more than was
// paid for the goods.
func TestLinesAreRefundedByEachPlatform(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		open        func(*testing.T) platform
		first, rest string
		lines       string
	}{
		"wechat": {byWechat, "574", "2426", "1|5.74|5.74|0|0"},
		"alipay": {byAlipay, "5.74", "24.26", "1|5.74|5.74|0|0"},
		"stripe": {func(t *testing.T) platform { return byStripe(t, "CNY") }, "574", "2426", "1|5.74|5.74|0|0"},
		"stripe without decimals": {
			func(t *testing.T) platform { return byStripe(t, "JPY") }, "5", "25", "1|5.00|5.00|0|0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := tt.open(t)
			w := sells(t, p.Shop)
			w.Exec("UPDATE user SET wx_openid = 'openid-of-lin' WHERE id = ?", w.lin)
			ctx := called(t.Context(), "退款")
			id, number := p.received(w)
			first := w.submit(w.some(id, aftersale.Returned, 0, 1))
			require.Equal(t, tt.lines, w.about(first))
			require.NoError(t, w.Aftersales.Refund(ctx, staff, w.accept(first)))
			sums := p.refunds(number)
			require.Len(t, sums, 1)
			for _, sum := range sums {
				require.Equal(t, tt.first, sum)
			}

			rest := w.some(id, aftersale.RefundOnly, 2, 2)
			rest.Amount = new(money.Yuan(30))
			_, err := w.Aftersales.Submit(ctx, w.lin, rest)
			require.ErrorIs(t, err, errno.AftersaleInvalidAmount, "more than is left of what was paid")
			rest.Amount = nil
			require.NoError(t, w.Aftersales.Refund(ctx, staff, w.accept(w.submit(rest))))
			sums = p.refunds(number)
			require.Len(t, sums, 2)
			var all []string
			for _, sum := range sums {
				all = append(all, sum)
			}
			require.ElementsMatch(t, []string{tt.first, tt.rest}, all)
			require.Equal(t, "30.00|30.00", w.Text("SELECT CONCAT_WS('|', p.refunded_amount, o.refund_amount) "+
				"FROM payment p JOIN orders o ON o.id = p.order_id"))
			w.Agree()
		})
	}
}
