package text

// Why a shopper must pay before ordering more. The argument is the most there may be.
var (
	UnpaidOrders = add("order.unpaid-orders", "您已有 %d 个待付款订单，请先付款或取消后再下单",
		"you have %d unpaid orders; pay or cancel some of them before you order more")
	UnpaidPieces = add("order.unpaid-pieces", "待付款订单中的商品合计不能超过 %d 件，请先付款或取消后再下单",
		"unpaid orders may hold %d pieces together at most; pay or cancel some of them before you order more")
)
