package text

// Refusals in any area.
var (
	Unknown    = entry("unknown")
	EndsBefore = entry("ends-before")
	ListNarrow = entry("list.narrow")
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

// Faults of a cell in a CSV file of goods.
var (
	CSVMissing         = entry("csv.missing")
	CSVMalformed       = entry("csv.malformed")
	CSVUnknown         = entry("csv.unknown")
	CSVTaken           = entry("csv.taken")
	CSVTwice           = entry("csv.twice")
	CSVDiffers         = entry("csv.differs")
	CSVRounded         = entry("csv.rounded")
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
	SettingWrong   = entry("setting.wrong")
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
	CartEmpty           = entry("cart.empty")
	StockLeft           = entry("goods.stock-left")
	SumTooHigh          = entry("order.sum-too-high")
	OrderState          = entry("order.state")
	OrderTrackingNumber = entry("order.tracking-number")
	OrderCaseOpen       = entry("order.case-open")
	OrderGroupOpen      = entry("order.group-open")
	OrderGroupFailed    = entry("order.group-failed")
	RefundSum           = entry("order.refund-sum")
)

// Refusals about after-sale cases.
var (
	CaseState  = entry("case.state")
	CaseAmount = entry("case.amount")
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
	NoticeRead          = entry("notice.read")
)

// Refusals about shoppers' accounts and addresses.
var (
	UserName      = entry("user.name")
	AddressesFull = entry("address.full")
	OnlyBuyers    = entry("comment.only-buyers")
)

// Refusals because of limits and concurrent changes of money and goods.
var (
	CartFull          = entry("cart.full")
	OfferAbovePrice   = entry("goods.offer-above-price")
	RefundInProgress  = entry("refund.in-progress")
	RequestInProgress = entry("request.in-progress")
)

// Why a shopper must pay before ordering more. The argument is the most there may be.
var (
	UnpaidOrders = entry("order.unpaid-orders")
	UnpaidPieces = entry("order.unpaid-pieces")
)
