package report

import (
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/promotion"
)

// states names what the rules use: the states of the machines, and the actors and reasons. Which states mean what is
// repeated here on purpose, because the books check the areas that own them.
var states = map[string]any{
	"order_states": order.Life().States(), "order_steps": steps(),
	"order_unpaid": order.Unpaid, "order_paid": order.Paid, "order_refund_asked": order.RefundAsked,
	"order_refunded": order.Refunded, "order_sent": order.Shipped, "order_none": 0, "order_cancelled": order.Cancelled,
	"order_expired": order.Expired, "order_dropped": order.Dropped, "order_confirmed": order.Received,
	"order_by_time":      []order.Status{order.Expired, order.AutoReceived},
	"order_under_way":    []order.Status{order.Unpaid, order.Paid, order.RefundAsked, order.Shipped},
	"order_group_failed": order.GroupFailed,
	// States in which an order ended unpaid; was never paid; holds neither coupon nor stock; was shipped.
	"order_unsold":     []order.Status{order.Cancelled, order.Expired, order.Dropped},
	"order_never_paid": []order.Status{order.Unpaid, order.Cancelled, order.Expired, order.Dropped},
	"order_free":       []order.Status{order.Cancelled, order.Expired, order.Dropped, order.Refunded},
	"order_refunding":  []order.Status{order.RefundAsked, order.Refunded},
	"order_received":   []order.Status{order.Received, order.AutoReceived},
	"order_shipped":    []order.Status{order.Shipped, order.Received, order.AutoReceived},

	"payment_states": payment.Life().States(),
	"payment_paid":   payment.Paid, "payment_late": payment.Late, "payment_issued": payment.Issued,
	"payment_active":   []payment.Status{payment.Created, payment.Issued, payment.Paid},
	"payment_open":     []payment.Status{payment.Created, payment.Issued},
	"payment_received": []payment.Status{payment.Paid, payment.Late},
	"channels":         []string{payment.Free, payment.Offline, "wechat", "sandbox", "none"},
	"notice_kinds":     []int{1, 2},
	"notice_results": []payment.Result{
		payment.NotificationReceived, payment.NotificationApplied, payment.NotificationRepeated, payment.NotificationRefused,
		payment.NotificationSettled, payment.NotificationUnsettled,
	},
	"notice_with_staff": []payment.Result{
		payment.NotificationRefused, payment.NotificationUnsettled, payment.NotificationSettled,
	},
	"notice_applied": payment.NotificationApplied,
	"notice_taken":   []payment.Result{payment.NotificationApplied, payment.NotificationRepeated},

	"refund_states": payment.RefundLife().States(),
	"refund_done":   payment.RefundDone, "refund_asked": payment.RefundAsked,
	"refund_given_out": []payment.RefundStatus{payment.RefundReleased, payment.RefundDone},
	"refund_under_way": []payment.RefundStatus{payment.RefundAsked, payment.RefundReleased, payment.RefundFailed},
	"refund_standing": []payment.RefundStatus{
		payment.RefundAsked, payment.RefundReleased, payment.RefundDone, payment.RefundFailed,
	},
	"refund_tried":    []payment.RefundStatus{payment.RefundReleased, payment.RefundDone, payment.RefundFailed},
	"refund_sent":     []payment.RefundStatus{payment.RefundReleased, payment.RefundFailed, payment.RefundRejected},
	"refund_rejected": payment.RefundRejected,
	"refund_answered": []payment.RefundStatus{payment.RefundDone, payment.RefundFailed, payment.RefundRejected},
	"refund_decided":  []payment.RefundStatus{payment.RefundDone, payment.RefundRejected},

	"by_hand": payment.ByHandNumbers, "paid_by_hand": text.RefundByHand.Stored(),
	"paid_by_platform": text.RefundByPlatform.Stored(),

	"by_import": actor.KindImport, "by_operator": actor.KindOperator, "by_shopper": actor.KindShopper,
	"by_system": actor.KindSystem, "people": []actor.Kind{actor.KindShopper, actor.KindOperator},
	"actors": []actor.Kind{
		actor.KindSystem, actor.KindShopper, actor.KindOperator, actor.KindPlatform, actor.KindImport,
	},
	"stock_cancelled": catalog.CancelledByShopper, "stock_expired": catalog.CancelledByTimeout,
	"stock_dropped": catalog.CancelledByOperator, "stock_refunded": catalog.Refunded, "stock_returned": catalog.Returned,
	"stock_taken": catalog.Ordered, "stock_opened": catalog.Opened, "stock_edited": catalog.Edited,
	"stock_reasons": []catalog.Reason{
		catalog.Ordered, catalog.CancelledByShopper, catalog.CancelledByTimeout, catalog.CancelledByOperator,
		catalog.Refunded, catalog.Returned, catalog.Edited, catalog.Opened, catalog.Dealt,
	},
	"stock_given_back": []catalog.Reason{
		catalog.CancelledByShopper, catalog.CancelledByTimeout, catalog.CancelledByOperator, catalog.Refunded,
		catalog.Returned,
	},

	"case_states":   aftersale.Life().States(),
	"case_types":    []aftersale.Type{aftersale.NotReceived, aftersale.RefundOnly, aftersale.Returned},
	"case_refunded": aftersale.Refunded, "case_returned": aftersale.Returned,
	"case_open":    []aftersale.Status{aftersale.Requested, aftersale.Accepted},
	"case_closed":  []aftersale.Status{aftersale.Refunded, aftersale.Cancelled},
	"case_handled": []aftersale.Status{aftersale.Accepted, aftersale.Refunded, aftersale.Rejected},

	"holding_states": promotion.UserCouponLife().States(),
	"coupon_states":  []int{0, 1, 2}, "coupon_kinds": []int{0, 1, 2}, "coupon_scopes": []int{0, 1, 2},
	"coupon_validities": []int{0, 1}, "offer_states": []int{0, 1, 2},
	"coupon_code": promotion.Code, "coupon_used": promotion.Used, "offer_on": promotion.GroupRuleOn,

	"part_states": promotion.MemberLife().States(),
	"part_unpaid": promotion.MemberUnpaid, "part_running": promotion.MemberRunning,
	"part_succeeded": promotion.MemberSucceeded, "part_failed": promotion.MemberFailed,
	"part_open":    []promotion.MemberStatus{promotion.MemberUnpaid, promotion.MemberRunning},
	"part_paid":    []promotion.MemberStatus{promotion.MemberRunning, promotion.MemberSucceeded},
	"part_decided": []promotion.MemberStatus{promotion.MemberSucceeded, promotion.MemberFailed},
	"part_standing": []promotion.MemberStatus{
		promotion.MemberUnpaid, promotion.MemberRunning, promotion.MemberSucceeded,
	},

	"event_states": outbox.Life().States(), "event_dead": outbox.DeadLetter, "event_pending": outbox.Pending,
	// Value sets without a machine.
	"user_states": []int{0, 1, 2}, "genders": []int{0, 1, 2}, "levels": []int{0, 1, 2}, "admin_states": []int{0, 1},
	"area_kinds": []int{1, 2, 3}, "subjects": []int{0, 1}, "log_kinds": []int{0, 1, 2, 3}, "log_security": audit.Security,
	"owners":        []int{0, 1, 2},
	"answer_states": []int{0, 1}, "answered": 1, "category_levels": []string{catalog.FirstLevel, catalog.SecondLevel},
	"stock_modes": []int{0, 1},
}
