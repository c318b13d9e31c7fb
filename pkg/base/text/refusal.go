package text

// Refusals in any area.
var (
	Unknown    = entry("unknown")
	EndsBefore = entry("ends-before")
	ListNarrow = entry("list.narrow")
	// ViewsFull takes the number of views.
	ViewsFull = entry("views.full")
)

// Refusals about goods, brands and categories.
var (
	BrandHasGoods       = entry("brand.has-goods")
	CategoryHasGoods    = entry("category.has-goods")
	CategoryHasChildren = entry("category.has-children")
	CategoryParent      = entry("category.parent")
	SpecificationTwice  = entry("goods.specification-twice")
	ProductTwice        = entry("goods.product-twice")
	ProductMismatch     = entry("goods.product-mismatch")
	GoodsRestructured   = entry("goods.restructured")
	PriceRange          = entry("goods.price-range")
	CSVCell             = entry("csv.cell")
	CSVLine             = entry("csv.line")
)

// Refusals about freight templates.
var (
	// FreightRegionTwice takes the region, FreightFull the most templates, FreightHasGoods the number of goods.
	FreightRegionTwice = entry("freight.region-twice")
	FreightElsewhere   = entry("freight.elsewhere")
	FreightFull        = entry("freight.full")
	FreightHasGoods    = entry("freight.has-goods")
	FreightOfCourier   = entry("freight.of-courier")
)

// Refusals about ways of delivery.
var (
	CollectNeedsPlace   = entry("delivery.collect-place")
	CourierNeedsFreight = entry("delivery.courier-freight")
	// DeliveryOff takes the way that is not offered.
	DeliveryOff      = entry("delivery.off")
	CollectNoParcel  = entry("delivery.no-parcel")
	CollectUnpaid    = entry("delivery.unpaid")
	CollectCodeWrong = entry("delivery.code-wrong")
	CollectGuessed   = entry("delivery.guessed")
)

// Faults of a cell in a CSV file of goods.
var (
	CSVMissing         = entry("csv.missing")
	CSVMalformed       = entry("csv.malformed")
	CSVUnknown         = entry("csv.unknown")
	CSVTaken           = entry("csv.taken")
	CSVTwice           = entry("csv.twice")
	CSVDiffers         = entry("csv.differs")
	CSVRounded         = entry("csv.rounded")
	CSVDecimals        = entry("csv.decimals")
	CSVUnreadable      = entry("csv.unreadable")
	GoodsOffSale       = entry("goods.off-sale")
	GoodsAboveChildren = entry("goods.above-children")
	CSVTooMany         = entry("csv.too-many")
)

// Refusals about pictures and other files.
var (
	FileUnsupported    = entry("file.unsupported")
	PictureBroken      = entry("picture.broken")
	PictureTooLarge    = entry("picture.too-large")
	PictureTooDetailed = entry("picture.too-detailed")
	UploadExpired      = entry("upload.expired")
	PictureAnimatedPNG = entry("picture.animated-png")
	AnimationTooLarge  = entry("picture.animation-too-large")
)

// Refusals about settings.
var (
	SettingUnknown = entry("setting.unknown")
	// CurrencyFixed and CurrencyOfAmounts say why the currency stays. The argument of the latter is the other one.
	CurrencyFixed     = entry("setting.currency-fixed")
	CurrencyOfAmounts = entry("setting.currency-amounts")
	SettingWrong      = entry("setting.wrong")
	SettingColorWrong = entry("setting.color-wrong")
)

// Refusals of requests that are too frequent or come from the wrong place.
var (
	TooMany        = entry("rate.too-many")
	Busy           = entry("busy")
	TooManyBuyers  = entry("order.too-many-buyers")
	ContentType    = entry("request.content-type")
	CommentedToday = entry("comment.once-a-day")
)

// Refusals about carts and orders.
var (
	CartEmpty     = entry("cart.empty")
	StockLeft     = entry("goods.stock-left")
	SumTooHigh    = entry("order.sum-too-high")
	PriceNotWhole = entry("order.price-not-whole")
	// NotDelivered takes the goods and the region.
	NotDelivered        = entry("order.not-delivered")
	OrderState          = entry("order.state")
	OrderTrackingNumber = entry("order.tracking-number")
	OrderCaseOpen       = entry("order.case-open")
	OrderGroupOpen      = entry("order.group-open")
	// FreightHigher takes the freight that would be due and the one that was paid.
	FreightHigher    = entry("order.freight-higher")
	OrderReminded    = entry("order.reminded")
	OrderGroupFailed = entry("order.group-failed")
	RefundSum        = entry("order.refund-sum")
	PaidBy           = entry("order.paid-by")
	PaidByAsking     = entry("order.paid-by-asking")
	ChannelUnknown   = entry("payment.channel-unknown")
	PaidBeforeGroup  = entry("order.group-before-delivery")
	OwesTooMuch      = entry("order.owes-too-much")
	RefusedTooOften  = entry("order.refused-too-often")
	MoneyNotRecorded = entry("order.money-not-recorded")
)

// Refusals about after-sale cases.
var (
	CaseState  = entry("case.state")
	CaseAmount = entry("case.amount")
	// CasePieces takes the goods and the number of pieces.
	CasePieces = entry("case.pieces")
	CaseOwed   = entry("case.owed")
	// CaseExchangeLines, CaseOtherProduct and CaseNoExchange are about what is wanted in exchange.
	CaseExchangeLines = entry("case.exchange-lines")
	CaseOtherProduct  = entry("case.other-product")
	CaseNoExchange    = entry("case.no-exchange")
	CaseOfExchange    = entry("case.of-exchange")
	CaseOfMoney       = entry("case.of-money")
	CaseNoGoods       = entry("case.no-goods")
	CaseArrived       = entry("case.arrived")
)

// Refusals about coupons and group purchases.
var (
	CouponNotApplicable  = entry("coupon.not-applicable")
	CouponUsed           = entry("coupon.used")
	CouponNotReceivable  = entry("coupon.not-receivable")
	CouponExpired        = entry("coupon.expired")
	CouponGone           = entry("coupon.gone")
	CouponPerShopper     = entry("coupon.per-shopper")
	CouponScope          = entry("coupon.scope")
	CouponScopeUnknown   = entry("coupon.scope-unknown")
	CouponTotal          = entry("coupon.total")
	CouponGiftPerShopper = entry("coupon.gift-per-shopper")
	RuleDiscount         = entry("rule.discount")
	RuleExpires          = entry("rule.expires")
	RuleExists           = entry("rule.exists")
	RuleEnded            = entry("rule.ended")
	RuleHasGroups        = entry("rule.has-groups")
	RuleOtherGoods       = entry("rule.other-goods")
)

// Refusals about operators and roles.
var (
	OperatorName        = entry("operator.name")
	OperatorPassword    = entry("operator.password")
	OperatorSuper       = entry("operator.super")
	OperatorSuperDelete = entry("operator.super-delete")
	OperatorSelf        = entry("operator.self")
	OperatorLastSuper   = entry("operator.last-super")
	RoleNotHeld         = entry("role.not-held")
	RolesDiffer         = entry("role.choices-differ")
	RoleSuper           = entry("role.super")
	RoleSuperRequired   = entry("role.super-required")
	RoleSuperGrant      = entry("role.super-grant")
	GrantNotHeld        = entry("grant.not-held")
	ViewOnly            = entry("view.only")
	BookDiffers         = entry("book.differs")
	TakeBackEdited      = entry("take-back.edited")
	TakeBackGone        = entry("take-back.gone")
	TakeBackOther       = entry("take-back.other")
	TakeBackNot         = entry("take-back.not")
	TakeBackUsed        = entry("take-back.used")
	NoticeRead          = entry("notice.read")
)

// Refusals about shoppers' accounts and addresses.
var (
	UserName        = entry("user.name")
	AddressesFull   = entry("address.full")
	MessageNotTaken = entry("message.not-taken")
	OnlyBuyers      = entry("comment.only-buyers")
)

// Refusals because of limits and concurrent changes of money and goods.
var (
	CartFull          = entry("cart.full")
	OfferAbovePrice   = entry("goods.offer-above-price")
	RaiseTwice        = entry("goods.raise-twice")
	RefundInProgress  = entry("refund.in-progress")
	RequestInProgress = entry("request.in-progress")
)

// Why a shopper must pay before ordering more. The argument is the most there may be.
var (
	UnpaidOrders = entry("order.unpaid-orders")
	UnpaidPieces = entry("order.unpaid-pieces")
)
