package text

// Refusals because of limits and concurrent changes of money and goods.
var (
	CartFull        = add("cart.full", "购物车最多放 %d 种商品，请先清理", "a cart holds %d products at most: take some out first")
	OfferAbovePrice = add("goods.offer-above-price", "价格须高于团购优惠 %s",
		"the price must be above the %s that the group offer takes off")
	RefundUnderWay = add("refund.under-way", "退款处理中，支付平台尚未答复，系统会自动完成",
		"the refund is under way: the payment platform has not answered, and the shop finishes it by itself")
	RequestUnderWay = add("request.under-way", "相同的请求正在处理中，请稍后再试", "an equal request is under way, please retry later")
)
