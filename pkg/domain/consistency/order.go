package consistency

import (
	"slices"

	"shop.internal/pkg/domain/order"
)

// sums are the totals of the lines of a range of orders.
const sums = `(
		SELECT g.order_id, SUM(g.price * g.number) AS gross,
			SUM(GREATEST(g.price - x.groupon_price, 0) * g.number) AS net, SUM(g.discount_share) AS shares,
			SUM(g.comment_id = 0) AS uncommented
		FROM order_goods g
		JOIN orders x ON x.id = g.order_id
		WHERE g.order_id BETWEEN @lo AND @hi
		GROUP BY g.order_id) l`

// imported is the condition that an order t came from another shop.
const imported = `EXISTS (SELECT 1 FROM order_status_log s WHERE s.order_id = t.id AND s.actor_type = @by_import)`

// later is the condition that an order t was to be paid on delivery, owed that its money is not recorded. The log of
// its steps says so.
const (
	later = `EXISTS (SELECT 1 FROM order_status_log s WHERE s.order_id = t.id AND s.reason = @step_later)`
	owed  = "(" + later + ` AND NOT EXISTS (SELECT 1 FROM order_status_log s
		WHERE s.order_id = t.id AND ` + brings + `))`
	// brings is the condition that a step s of an order says when the money came.
	brings = `(s.to_status = @order_paid AND s.from_status <> @order_refund_asked AND COALESCE(s.reason, '') <> @step_later
		OR s.to_status = s.from_status AND s.reason = @step_pay)`
)

func orderTables() []tableCheck {
	return []tableCheck{
		{
			table: "orders", checks: orderChecks(), rules: orderRules(),
			mended: map[string]string{"comments": "comments"},
		},
		{table: "order_goods", checks: lineChecks(), rules: lineRules()},
		{table: "order_status_log", checks: historyChecks()},
	}
}

// orderChecks compare the columns of an order with its state.
func orderChecks() []check {
	const sent = "EXISTS (SELECT 1 FROM order_status_log s WHERE s.order_id = t.id AND s.to_status = @order_sent)"
	const shipped = "(t.order_status IN @order_shipped AND t.delivery <> @way_collect OR " +
		"(t.order_status IN @order_shipped OR t.order_status = @order_dropped OR t.delivery = @way_collect) AND " + sent + ")"
	const back = "(t.order_status = @order_refunded OR EXISTS (SELECT 1 FROM aftersale a WHERE a.order_id = t.id " +
		"AND a.status = @case_refunded))"
	only := func(column, in string) check {
		return must(column, "(t."+column+" IS NOT NULL) = ("+in+") OR "+imported, "set in exactly the states that have it")
	}
	return []check{
		must("order_status", "t.order_status IN @order_states OR "+imported, "a state of orders"),
		holds("order_price", "GREATEST(0, t.goods_price + t.freight_price - t.coupon_price)"),
		holds("actual_price", "IF(t.pay_channel <=> 'offline', t.actual_price, t.order_price - t.integral_price)"),
		must("order_sn", "t.order_sn <> ''", "a number"),
		must("src_order_sn", "t.src_order_sn IS NULL OR "+imported, "nothing for an order of this shop"),
		must("consignee", "t.consignee <> ''", "a name"),
		must("mobile", "t.mobile <> ''", "a number"),
		must("address", "t.address <> ''", "an address"),
		must("delivery", "t.delivery = COALESCE((SELECT MAX(CASE s.reason WHEN @collect_code THEN @way_collect "+
			"WHEN @courier_code THEN @way_courier END) FROM order_status_log s WHERE s.order_id = t.id "+
			"AND s.from_status = @order_none), @way_parcel)", "the way of its first step"),
		only("collect_code", "t.delivery = @way_collect AND t.order_status IN @order_under_way"),
		must("collect_code", "t.collect_code IS NULL OR t.collect_code REGEXP '^[0-9]{8}$'", "eight digits"),
		must("collect_address", "(t.collect_address <> '') = (t.delivery = @way_collect)", "set for what is collected"),
		must("collect_hours", "(t.collect_hours <> '') = (t.delivery = @way_collect)", "set for what is collected"),
		must("coupon_price", "t.coupon_price = 0 OR t.coupon_user_id <> 0", "0.00 without a coupon"),
		must("coupon_price", "t.coupon_user_id = 0 OR t.coupon_price = LEAST(COALESCE((SELECT IF(h.name IS NULL, "+
			"t.coupon_price, COALESCE(h.discount, 0)) FROM coupon_user h WHERE h.id = t.coupon_user_id), t.coupon_price), "+
			"t.goods_price + t.freight_price) OR "+imported, "the discount of the coupon"),
		must("pay_before", "t.pay_before IS NULL OR EXISTS (SELECT 1 FROM payment p WHERE p.order_id = t.id "+
			"AND p.channel <> 'offline' AND COALESCE(p.prepay_expire, t.pay_before) >= t.pay_before)",
			"at most the end of a payment"),
		only("pay_channel", "t.order_status NOT IN @order_never_paid OR "+later),
		must("pay_channel", "t.pay_channel IS NULL OR t.pay_time IS NOT NULL OR t.pay_channel IN @channels OR "+imported,
			"a channel"),
		must("pay_id", "t.pay_id IS NULL OR t.order_status NOT IN @order_never_paid", "nothing before the payment"),
		must("ship_sn", "t.ship_sn IS NULL OR t.ship_sn <> '' OR "+imported, "a number"),
		must("ship_channel", "t.ship_channel IS NULL OR t.ship_channel <> '' OR "+imported, "a carrier"),
		emitted("pay_time", "t.pay_time IS NOT NULL", order.TopicPaid),
		emitted("add_time", later, order.TopicPaidLater),
		emitted("ship_time", "t.ship_time IS NOT NULL AND t.delivery <> @way_collect", order.TopicShipped),
		emitted("ship_time", "t.ship_time IS NOT NULL AND t.delivery = @way_collect", order.TopicReady),
		emitted("refund_time", "t.order_status = @order_refunded", order.TopicRefunded),
		shippedAs("ship_sn", "shipSn"), shippedAs("ship_channel", "shipChannel"),
		only("ship_time", shipped), only("ship_channel", shipped+" AND t.delivery <> @way_collect"),
		only("ship_sn", shipped+" AND (t.delivery = @way_parcel OR t.delivery = @way_courier AND t.ship_sn IS NOT NULL)"),
		only("confirm_time", "t.order_status IN @order_received"),
		only("end_time", "t.order_status IN @order_free"),
		only("refund_time", back), only("refund_amount", back), only("refund_type", back),
		must("user_deleted", "t.user_deleted = 0 OR "+hideable, "0 while the order lives"),
		must("deleted", "t.deleted = 0 OR "+hideable, "0 while the order lives"),
	}
}

// emitted is the check that an event reports a step of an order, which has its time in a column. Events are kept
// for a week; orders that were not placed by a shopper of this shop, or before amounts were recorded, may have none.
// The events of the topic are read once for a range of orders: to look for a key by its beginning reads all for each.
func emitted(column, taken, topic string) check {
	return must(column, "NOT ("+taken+") OR t."+column+" < @now - INTERVAL 6 DAY OR NOT EXISTS (SELECT 1 FROM "+
		"order_status_log p WHERE p.order_id = t.id AND p.amount IS NOT NULL) OR "+
		"t.id IN (SELECT e.aggregate_id FROM outbox_event e WHERE e.topic = '"+topic+"')", "a time with an event of "+topic)
}

// shippedAs is the check that a column of an order is what one of its audit records names.
func shippedAs(column, member string) check {
	records := " FROM audit_log a WHERE a.target_type = 'orders' AND a.target_id = t.id " +
		"AND JSON_CONTAINS_PATH(" + parsed("a.after_json") + ", 'one', '$." + member + "')"
	return must(column, "t."+column+" IS NULL OR NOT EXISTS (SELECT 1"+records+") OR t."+column+
		" = (SELECT JSON_VALUE("+parsed("a.after_json")+", '$."+member+"')"+records+" ORDER BY a.id DESC LIMIT 1)",
		"what the audit record says")
}

// hideable is the condition that an order may be removed from sight.
const hideable = `(t.order_status IN @order_free
	OR t.order_status IN @order_received AND t.aftersale_status NOT IN @case_open)`

func orderRules() []rule {
	return append(slices.Concat(amountRules(), orderPaymentRules(), orderRefundRules(), historyRules()),
		rule{"comments", `SELECT t.id AS row_key, t.comments AS says,
				IF(t.order_status IN @order_received, COALESCE(l.uncommented, 0), 0) AS should
			FROM orders t
			LEFT JOIN ` + sums + ` ON l.order_id = t.id
			WHERE t.id BETWEEN @lo AND @hi
				AND t.comments <> IF(t.order_status IN @order_received, COALESCE(l.uncommented, 0), 0)`},
		rule{"aftersale_status", `
			SELECT t.id AS row_key, t.aftersale_status AS says, COALESCE(a.status, 0) AS should
			FROM orders t
			LEFT JOIN aftersale a ON a.order_id = t.id AND a.deleted = 0 AND NOT (
				a.status IN @case_settled
				AND EXISTS (SELECT 1 FROM aftersale n WHERE n.order_id = t.id AND n.deleted = 0 AND n.id > a.id))
			WHERE t.id BETWEEN @lo AND @hi AND t.deleted = 0 AND t.aftersale_status <> COALESCE(a.status, 0)`},
		rule{"coupon_user_id", `SELECT t.id AS row_key, t.coupon_user_id AS says,
				IF(t.order_status IN @order_free, 'a coupon that it no longer holds', 'a coupon used by it') AS should
			FROM orders t
			LEFT JOIN coupon_user c ON c.id = t.coupon_user_id
			WHERE t.id BETWEEN @lo AND @hi
				AND t.coupon_user_id <> 0
				AND (
					c.id IS NULL
						OR c.user_id <> t.user_id
						OR t.order_status IN @order_free AND c.last_order_id IS NULL
						OR (c.order_id <=> t.id AND c.status = @coupon_used) = (t.order_status IN @order_free))`},
		rule{"groupon_price", `
			SELECT t.id AS row_key, t.groupon_price AS says, IF(g.id IS NULL, '0.00', 'more than 0.00') AS should
			FROM orders t
			LEFT JOIN groupon g ON g.order_id = t.id
			WHERE t.id BETWEEN @lo AND @hi AND (t.groupon_price <> 0) <> (g.id IS NOT NULL)`},
	)
}

func amountRules() []rule {
	lines := func(what, says, should string) rule {
		return rule{what, `SELECT t.id AS row_key, ` + says + ` AS says, ` + should + ` AS should
			FROM orders t
			LEFT JOIN ` + sums + ` ON l.order_id = t.id
			WHERE t.id BETWEEN @lo AND @hi AND NOT (` + says + ` <=> ` + should + `)`}
	}
	return []rule{
		lines("goods_price", "t.goods_price", "l.net"),
		{"order_price", `SELECT t.id AS row_key, t.order_price AS says, s.amount AS should
			FROM orders t
			JOIN order_status_log s ON s.order_id = t.id AND s.from_status = @order_none AND s.amount IS NOT NULL
			WHERE t.id BETWEEN @lo AND @hi AND t.order_price <> s.amount`},
		lines("discount_share of its lines", "l.shares", "l.gross - l.net + t.coupon_price"),
	}
}
