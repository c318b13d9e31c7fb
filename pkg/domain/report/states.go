package report

import (
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/promotion"
)

// states names the states that the rules use, and the actors and reasons. They are repeated here on purpose, because
// the books check the areas that own them.
var states = map[string]any{
	"order_unpaid": order.Unpaid, "order_paid": order.Paid, "order_refund_asked": order.RefundAsked,
	"order_refunded": order.Refunded, "order_group_failed": order.GroupFailed,
	// States in which an order ended unpaid; was never paid; holds neither coupon nor stock.
	"order_unsold":     []order.Status{order.Cancelled, order.Expired, order.Dropped},
	"order_never_paid": []order.Status{order.Unpaid, order.Cancelled, order.Expired, order.Dropped},
	"order_free":       []order.Status{order.Cancelled, order.Expired, order.Dropped, order.Refunded},
	"order_refunding":  []order.Status{order.RefundAsked, order.Refunded},
	"order_received":   []order.Status{order.Received, order.AutoReceived},

	"payment_paid": payment.Paid, "payment_late": payment.Late,
	"payment_active":   []payment.Status{payment.Created, payment.Issued, payment.Paid},
	"payment_received": []payment.Status{payment.Paid, payment.Late},

	"refund_done":      payment.RefundDone,
	"refund_given_out": []payment.RefundStatus{payment.RefundReleased, payment.RefundDone},
	"refund_under_way": []payment.RefundStatus{payment.RefundAsked, payment.RefundReleased, payment.RefundFailed},
	"refund_standing": []payment.RefundStatus{
		payment.RefundAsked, payment.RefundReleased, payment.RefundDone, payment.RefundFailed,
	},

	"by_import":   actor.KindImport,
	"stock_taken": catalog.Ordered,
	"stock_given_back": []catalog.Reason{
		catalog.CancelledByShopper, catalog.CancelledByTimeout, catalog.CancelledByOperator, catalog.Refunded,
		catalog.Returned,
	},

	"case_refunded": aftersale.Refunded, "case_returned": aftersale.Returned,
	"case_open": []aftersale.Status{aftersale.Requested, aftersale.Accepted},

	"coupon_code": promotion.Code, "coupon_used": promotion.Used, "offer_on": promotion.GroupRuleOn,

	"part_unpaid": promotion.MemberUnpaid, "part_running": promotion.MemberRunning,
	"part_succeeded": promotion.MemberSucceeded, "part_failed": promotion.MemberFailed,
	"part_open":    []promotion.MemberStatus{promotion.MemberUnpaid, promotion.MemberRunning},
	"part_paid":    []promotion.MemberStatus{promotion.MemberRunning, promotion.MemberSucceeded},
	"part_decided": []promotion.MemberStatus{promotion.MemberSucceeded, promotion.MemberFailed},
	"part_standing": []promotion.MemberStatus{
		promotion.MemberUnpaid, promotion.MemberRunning, promotion.MemberSucceeded,
	},
}
