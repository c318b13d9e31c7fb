package report

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

func orderWalks() []walk {
	return []walk{
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
	const shipped = "(t.order_status IN @order_shipped)"
	const back = "(t.order_status = @order_refunded OR t.aftersale_status = @case_refunded)"
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
		must("coupon_price", "t.coupon_price = 0 OR t.coupon_user_id <> 0", "0.00 without a coupon"),
		must("coupon_price", "t.coupon_user_id = 0 OR t.coupon_price = LEAST(COALESCE((SELECT IF(h.name IS NULL, "+
			"t.coupon_price, COALESCE(h.discount, 0)) FROM coupon_user h WHERE h.id = t.coupon_user_id), t.coupon_price), "+
			"t.goods_price + t.freight_price) OR "+imported, "the discount of the coupon"),
		only("pay_channel", "t.order_status NOT IN @order_never_paid"),
		must("pay_id", "t.pay_id IS NULL OR t.order_status NOT IN @order_never_paid", "nothing before the payment"),
		must("ship_sn", "t.ship_sn IS NULL OR t.ship_sn <> '' OR "+imported, "a number"),
		must("ship_channel", "t.ship_channel IS NULL OR t.ship_channel <> '' OR "+imported, "a carrier"),
		shippedAs("ship_sn", "shipSn"), shippedAs("ship_channel", "shipChannel"),
		only("ship_time", shipped), only("ship_sn", shipped), only("ship_channel", shipped),
		only("confirm_time", "t.order_status IN @order_received"),
		only("end_time", "t.order_status IN @order_free"),
		only("refund_time", back), only("refund_amount", back), only("refund_type", back),
		must("user_deleted", "t.user_deleted = 0 OR "+hideable, "0 while the order lives"),
		must("deleted", "t.deleted = 0 OR "+hideable, "0 while the order lives"),
		changes(orderChanges, "NOT "+placedHere("t.id")),
	}
}

// announced is the rule that an event has told of a step of an order, which has its time in a column. Events are kept
// for a week; orders that were not placed by a shopper of this shop, or before amounts were recorded, may have none.
// The events are read once for a range of orders: no index finds a key whose beginning depends on the row.
func announced(column, taken, topic string) rule {
	return rule{column, `
			SELECT t.id AS row_key, t.` + column + ` AS says, 'a time with an event of ` + topic + `' AS should
			FROM orders t
			LEFT JOIN (
				SELECT DISTINCT CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(e.event_key, ':', 2), ':', -1) AS SIGNED) AS id
				FROM outbox_event e
				WHERE e.event_key LIKE '` + topic + `:%:%'
			) AS told ON told.id = t.id
			WHERE t.id BETWEEN @lo AND @hi
				AND ` + taken + `
				AND told.id IS NULL
				AND NOT COALESCE(t.` + column + ` < @now - INTERVAL 6 DAY, FALSE)
				AND EXISTS (SELECT 1 FROM order_status_log p WHERE p.order_id = t.id AND p.amount IS NOT NULL)`}
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
		announced("pay_time", "t.pay_time IS NOT NULL", order.TopicPaid),
		announced("ship_time", "t.ship_time IS NOT NULL", order.TopicShipped),
		announced("refund_time", "t.order_status = @order_refunded", order.TopicRefunded),
		rule{"comments", `SELECT t.id AS row_key, t.comments AS says,
				IF(t.order_status IN @order_received, COALESCE(l.uncommented, 0), 0) AS should
			FROM orders t
			LEFT JOIN ` + sums + ` ON l.order_id = t.id
			WHERE t.id BETWEEN @lo AND @hi
				AND t.comments <> IF(t.order_status IN @order_received, COALESCE(l.uncommented, 0), 0)`},
		rule{"aftersale_status", `
			SELECT t.id AS row_key, t.aftersale_status AS says, COALESCE(a.status, 0) AS should
			FROM orders t
			LEFT JOIN aftersale a ON a.order_id = t.id AND a.deleted = 0
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
