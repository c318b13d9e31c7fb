package text

// Texts of the sandbox's payment page.
var (
	PayPageTitle   = add("pay-page.title", "演示支付", "Demonstration payment")
	PayPageOrder   = add("pay-page.order", "订单编号", "Order number")
	PayPagePay     = add("pay-page.pay", "支付", "Pay")
	PayPageRefuse  = add("pay-page.refuse", "不支付", "Do not pay")
	PayPagePaid    = add("pay-page.paid", "支付成功", "Paid")
	PayPageRefused = add("pay-page.refused", "没有支付，订单仍待付款", "Not paid; the order is still open")
	PayPageWaiting = add("pay-page.waiting", "正在等待支付结果", "Waiting for the payment")
	PayPageGone    = add("pay-page.gone", "这笔支付不存在或已经关闭",
		"This payment does not exist, or it can no longer be made")
	PayPageBroken = add("pay-page.broken", "暂时无法支付，请稍后再试", "Payment is not possible now; try again later")
	PayPageBack   = add("pay-page.back", "返回商城", "Back to the shop")
	PayPageDemo   = add("pay-page.demo", "这是演示商城，不会收取任何费用。", "This is a demonstration shop. No money is taken.")
	PayPageAstray = add("pay-page.astray", "返回地址不属于本商城，已忽略。",
		"The address to return to is not one of this shop and was ignored.")
)
