package text

// Refusals about carts and orders.
var (
	CartEmpty   = add("cart.empty", "购物车中没有要购买的商品", "there is nothing in the cart to buy")
	StockLeft   = add("goods.stock-left", "库存不足，仅剩 %d 件", "not enough stock, %d left")
	SumTooHigh  = add("order.sum-too-high", "商品总价太高，请减少数量", "the total is too high, take fewer pieces")
	OrderState  = add("order.state", "订单当前为「%s」，不能进行该操作", "the order is in the state \"%s\", which does not allow this")
	OrderParcel = add("order.parcel", "没有找到这个快递单号的订单", "no order has gone with this tracking number")
	OrderCase   = add("order.case", "订单的售后尚未处理完，不能删除", "the after-sale case of the order is still open")
	OrderGroup  = add("order.group", "订单的团购尚未成团，不能发货", "the group of the order has not come about yet")
	OrderFailed = add("order.group-failed", "团购未成功，订单只能退款", "the group of the order has failed, its money goes back")
	RefundSum   = add("order.refund-sum", "退款金额应为实付金额 %s", "the amount to refund must be what was paid, %s")
)

// Refusals about after-sale cases.
var (
	CaseState  = add("case.state", "售后当前为「%s」，不能进行该操作", "the case is in the state \"%s\", which does not allow this")
	CaseAmount = add("case.amount", "退款金额应在 0.00 到 %s 之间", "the amount must be between 0.00 and %s")
)

// The states of an after-sale case.
var (
	CaseNone      = add("case.none", "未申请", "not asked for")
	CaseRequested = add("case.requested", "待审核", "asked for")
	CaseAccepted  = add("case.accepted", "审核通过", "accepted")
	CaseRefunded  = add("case.refunded", "已退款", "refunded")
	CaseRejected  = add("case.rejected", "审核不通过", "rejected")
	CaseCancelled = add("case.cancelled", "已取消", "withdrawn")
)

// Refusals about coupons and group purchases.
var (
	CouponUnfit  = add("coupon.unfit", "优惠券不能用于本次购买", "the coupon cannot be used for this purchase")
	CouponSpent  = add("coupon.spent", "优惠券已使用或已过期", "the coupon is used or over")
	CouponGiven  = add("coupon.given", "该优惠券不能直接领取", "the coupon cannot be taken by oneself")
	CouponOver   = add("coupon.over", "优惠券已过期", "the time of the coupon is over")
	CouponGone   = add("coupon.gone", "优惠券已领完或已下架", "the coupon is used up or withdrawn")
	CouponEnough = add("coupon.enough", "每人最多领取 %d 张", "at most %d of this coupon for each shopper")
	CouponScope  = add("coupon.scope", "请选择优惠券适用的商品或分类", "choose the goods or categories of the coupon")
	CouponScoped = add("coupon.scoped", "适用的商品或分类中有不存在的", "some goods or categories of the coupon do not exist")
	CouponTotal  = add("coupon.total", "总数量不能少于已领取的 %d 张", "the total must not be below the %d that were taken")
	GiftForeach  = add("coupon.gift-foreach", "新人券每人至少一张", "a gift gives each shopper at least one coupon")
	RuleDiscount = add("rule.discount", "优惠金额应不少于 %s，且低于商品售价 %s",
		"the discount must be at least %s and below the price of the goods, %s")
	RuleExpires   = add("rule.expires", "截止时间应晚于现在", "the time of expiry must be later than now")
	RuleTaken     = add("rule.taken", "该商品已有进行中的团购规则", "the goods have a running group-buy rule already")
	RuleEnded     = add("rule.ended", "团购规则已结束，不能修改", "the group-buy rule has ended and can no longer be changed")
	RuleHasGroups = add("rule.has-groups", "已有人开团，不能更换商品", "groups were opened, the goods can no longer be exchanged")
	RuleElsewhere = add("rule.elsewhere", "团购规则不适用于所购商品", "the group-buy rule is for other goods")
)
