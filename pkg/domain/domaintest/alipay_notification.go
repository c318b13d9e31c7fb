package domaintest

import "net/url"

// Notification returns the notification about a trade's state, modified by edit before it is signed.
func (a *Alipay) Notification(outTradeNo string, edit func(url.Values)) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	trade := a.trades[taken(outTradeNo)]
	v := url.Values{}
	for name, value := range map[string]string{
		"notify_time": "2030-01-02 12:00:01", "notify_type": "trade_status_sync", "charset": "utf-8", "version": "1.0",
		"notify_id": "20300102" + trade.status + outTradeNo, "app_id": AlipayApp, "auth_app_id": AlipayApp,
		"seller_id": AlipaySeller, "trade_no": trade.number, "out_trade_no": taken(outTradeNo), "trade_status": trade.status,
		"total_amount": trade.amount().String(), "receipt_amount": trade.amount().String(), "subject": "茶 & a+b=c",
		"gmt_create": "2030-01-02 11:59:00", "gmt_payment": "2030-01-02 12:00:00", "buyer_id": "2088000000000002",
		"fund_bill_list": `[{"amount":"1.00","fundChannel":"ALIPAYACCOUNT"}]`, "passback_params": "",
	} {
		v.Set(name, value)
	}
	if edit != nil {
		edit(v)
	}
	v.Set("sign", a.sign(lines(v)))
	v.Set("sign_type", "RSA2")
	return []byte(v.Encode())
}

// RefundNotification returns the notification that a refund of a trade was made.
func (a *Alipay) RefundNotification(outTradeNo, outRefundNo string) []byte {
	trade := a.Trade(outTradeNo)
	return a.Notification(outTradeNo, func(v url.Values) {
		v.Set("notify_id", "20300102refund"+outRefundNo)
		v.Set("gmt_refund", "2030-01-02 12:30:00.123")
		v.Set("refund_fee", trade.refunded().String())
		v.Set("out_biz_no", outRefundNo)
	})
}
