package text

// The states of an order.
var (
	OrderUnpaid       = entry("order.state.unpaid")
	OrderCancelled    = entry("order.state.cancelled")
	OrderExpired      = entry("order.state.expired")
	OrderDropped      = entry("order.state.dropped")
	OrderPaid         = entry("order.state.paid")
	OrderOnDelivery   = entry("order.state.on-delivery")
	OrderRefundAsked  = entry("order.state.refund-asked")
	OrderRefunded     = entry("order.state.refunded")
	OrderGroupExpired = entry("order.state.group-failed")
	OrderReady        = entry("order.state.ready")
	OrderShipped      = entry("order.state.shipped")
	OrderReceived     = entry("order.state.received")
	OrderAutoReceived = entry("order.state.auto-received")
)

// The states of an after-sale case.
var (
	CaseNone      = entry("case.none")
	CaseRequested = entry("case.requested")
	CaseAccepted  = entry("case.accepted")
	CaseRefunded  = entry("case.refunded")
	CaseRejected  = entry("case.rejected")
	CaseCancelled = entry("case.cancelled")
	CaseExchanged = entry("case.exchanged")
)
