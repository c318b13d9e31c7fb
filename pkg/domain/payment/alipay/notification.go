package alipay

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
)

// Read implements payment.Gateway. A notification is a form whose fields are signed, in the order of their names.
func (g *Gateway) Read(
	_ context.Context, _ func(string) string, body []byte, _ time.Time,
) (n payment.Notification, err error) {
	v, err := url.ParseQuery(string(body))
	if err != nil {
		return n, fmt.Errorf("%w: %w", payment.ErrSignature, err)
	}
	for name, values := range v {
		if len(values) != 1 { // which of them is signed?
			return n, fmt.Errorf("%w: %.40q is there twice", payment.ErrSignature, name)
		}
	}
	if v.Get("sign_type") != signType {
		return n, fmt.Errorf("%w: of the type %.40q", payment.ErrSignature, v.Get("sign_type"))
	}
	content := contentOf(v, "sign", "sign_type", "alipay_cert_sn")
	if err := g.keys.verify([]byte(content), v.Get("sign"), v.Get("alipay_cert_sn")); err != nil {
		return n, err
	}
	return g.reported(v)
}

// reported is the content of a signed notification. It fails with payment.ErrRefused for content that is not usable.
func (g *Gateway) reported(v url.Values) (n payment.Notification, err error) {
	n = payment.Notification{
		ID: v.Get("notify_id"), OutTradeNo: ours(v.Get("out_trade_no")), TransactionID: v.Get("trade_no"), Currency: currency,
	}
	if len(n.ID) > 96 {
		n.ID = ""
	}
	status := v.Get("trade_status")
	amount, at := v.Get("total_amount"), v.Get("gmt_payment")
	if n.Refund = v.Get("gmt_refund") != ""; n.Refund {
		// The platform reports the sum of all refunds so far, and has no number of its own for a refund.
		n.OutRefundNo, n.RefundID, n.Sum = v.Get("out_biz_no"), v.Get("out_biz_no"), true
		amount, at = v.Get("refund_fee"), v.Get("notify_time")
	}
	unusable := func(why string) (payment.Notification, error) {
		return n, fmt.Errorf("%w: %s", payment.ErrRefused, why)
	}
	switch {
	case n.ID == "":
		return unusable("it has no number")
	case v.Get("app_id") != g.o.AppID || v.Get("seller_id") != g.o.SellerID:
		return unusable("another merchant's")
	case !n.Refund && (status == waiting || status == closed):
		return n, fmt.Errorf("%w: state %s", payment.ErrNoNews, status)
	case !n.Refund && status != succeeded && status != finished:
		return unusable(fmt.Sprintf("state %.40q", status))
	case !fits(n.TransactionID) || n.OutTradeNo == "" || len(n.OutTradeNo) > 64:
		return unusable("numbers of the trade")
	case n.Refund && (n.OutRefundNo == "" || len(n.OutRefundNo) > 64):
		return unusable("number of the refund")
	}
	if n.Amount, err = money.Parse(amount); err != nil || n.Amount <= 0 {
		return unusable("amount")
	}
	if n.Time, err = timeOf(at); err != nil {
		return unusable("time")
	}
	return n, nil
}
