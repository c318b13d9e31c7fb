package consistency

import (
	"maps"
	"slices"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/settings"
)

// fact is what holds of an order in some of its states. It is the name by which statements know the set of them.
type fact string

const (
	underWay  fact = "order_under_way"  // its shopper is still needed
	neverPaid fact = "order_never_paid" // it has no payment
	unsold    fact = "order_unsold"     // it ended before it was paid
	free      fact = "order_free"       // it holds neither coupon nor stock
	refunding fact = "order_refunding"  // its refund was asked for
	sold      fact = "order_sold"       // it was paid and is not being refunded
	shipped   fact = "order_shipped"    // it has a parcel
	received  fact = "order_received"   // its goods have arrived
	byTime    fact = "order_by_time"    // the shop moved it, not a person
)

// facts says of each state what holds of an order in it. A test fails for a state without a row.
var facts = map[order.Status][]fact{
	order.Unpaid:       {underWay, neverPaid},
	order.Cancelled:    {neverPaid, unsold, free},
	order.Expired:      {neverPaid, unsold, free, byTime},
	order.Dropped:      {neverPaid, unsold, free},
	order.Paid:         {underWay, sold},
	order.RefundAsked:  {underWay, refunding},
	order.Refunded:     {refunding, free},
	order.GroupFailed:  {},
	order.Shipped:      {underWay, sold, shipped},
	order.Received:     {sold, shipped, received},
	order.AutoReceived: {sold, shipped, received, byTime},
}

// statesOf returns the states of orders of which a fact holds.
func statesOf(f fact) []order.Status {
	var all []order.Status
	for _, status := range slices.Sorted(maps.Keys(facts)) {
		if slices.Contains(facts[status], f) {
			all = append(all, status)
		}
	}
	return all
}

// states names what the rules use: the states of the machines, and the actors and reasons. Which states mean what is
// repeated here on purpose, because the books check the areas that own them.
var states = func() map[string]any {
	all := maps.Clone(otherStates)
	for _, f := range slices.Concat(slices.Collect(maps.Values(facts))...) {
		all[string(f)] = statesOf(f)
	}
	return all
}()

// otherStates are the states but for the facts of orders.
var otherStates = map[string]any{
	"order_states": order.Life().States(), "order_steps": steps(),
	"order_unpaid": order.Unpaid, "order_paid": order.Paid, "order_refund_asked": order.RefundAsked,
	"order_refunded": order.Refunded, "order_sent": order.Shipped, "order_none": 0, "order_cancelled": order.Cancelled,
	"order_expired": order.Expired, "order_dropped": order.Dropped, "order_confirmed": order.Received,
	"order_group_failed": order.GroupFailed,
	"step_pay":           order.Pay, "step_later": order.PayLater, "step_collect": order.Collect,

	"way_parcel": settings.Parcel, "way_collect": settings.Collect, "way_courier": settings.Courier,
	"collect_code": settings.Collect.Code(), "courier_code": settings.Courier.Code(),

	"payment_states": payment.Life().States(),
	"payment_paid":   payment.Paid, "payment_late": payment.Late, "payment_issued": payment.Issued,
	"payment_active":   []payment.Status{payment.Created, payment.Issued, payment.Paid},
	"payment_received": []payment.Status{payment.Paid, payment.Late},
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
	"refund_tried":   []payment.RefundStatus{payment.RefundReleased, payment.RefundDone, payment.RefundFailed},
	"refund_decided": []payment.RefundStatus{payment.RefundDone, payment.RefundRejected},

	"by_hand": payment.ByHandNumbers, "paid_by_hand": text.RefundByHand.Stored(),

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

	"case_states": aftersale.Life().States(),
	"case_types": []aftersale.Type{
		aftersale.NotReceived, aftersale.RefundOnly, aftersale.Returned, aftersale.Replacement,
	},
	"case_refunded": aftersale.Refunded, "case_returned": aftersale.Returned,
	"case_exchanged": aftersale.Exchanged, "case_replacement": aftersale.Replacement,
	"case_open":    []aftersale.Status{aftersale.Requested, aftersale.Accepted},
	"case_settled": []aftersale.Status{aftersale.Refunded, aftersale.Exchanged},
	"case_standing": []aftersale.Status{
		aftersale.Requested, aftersale.Accepted, aftersale.Refunded, aftersale.Exchanged,
	},
	"case_handled": []aftersale.Status{
		aftersale.Accepted, aftersale.Refunded, aftersale.Rejected, aftersale.Exchanged,
	},
	"case_sent_back": []aftersale.Type{aftersale.Returned, aftersale.Replacement},

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
	"area_kinds": []int{1, 2, 3}, "subjects": []int{0, 1}, "log_kinds": []int{0, 1, 2, 3},
	"log_security":  logkind.Security,
	"owners":        []int{0, 1, 2},
	"answer_states": []int{0, 1}, "answered": 1, "category_levels": []string{catalog.FirstLevel, catalog.SecondLevel},
	"stock_modes": []int{0, 1}, "freight_charges": freight.Charges, "by_weight": freight.ByWeight,
}
