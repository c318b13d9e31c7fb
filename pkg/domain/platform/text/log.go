package text

// What the business log says of operators and their logins.
var (
	LogLogin         = entry("log.login")
	LogLogout        = entry("log.logout")
	LogPassword      = entry("log.password")
	LogAnonymous     = entry("log.anonymous")
	LogTooManyLogins = entry("log.too-many-logins")
	LogNoOperator    = entry("log.no-operator")
	LogWrongPassword = entry("log.wrong-password")
	LogLocked        = entry("log.locked")
	LogGrants        = entry("log.grants")
)

// What the business log says of orders and after-sale cases.
var (
	LogOrder     = entry("log.order")
	LogCase      = entry("log.case")
	LogOrderCase = entry("log.order-case")
	LogPaid      = entry("log.paid")
)

// How money was refunded, as a refund record says it.
var (
	RefundByPlatform = entry("refund.by-platform")
	RefundByHand     = entry("refund.by-hand")
)
