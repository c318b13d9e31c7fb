package report

func moneyWalks() []walk {
	return []walk{
		{table: "payment", checks: paymentChecks(), rules: paymentRules()},
		{table: "payment_notify", checks: notifyChecks()},
		{table: "refund", checks: refundChecks()},
		{table: "aftersale", checks: aftersaleChecks(), rules: aftersaleRules()},
	}
}

// paidOrder is an order t with its successful payment p.
const paidOrder = `FROM orders t
			LEFT JOIN payment p ON p.order_id = t.id AND p.status = @payment_paid`

// orderPaymentRules compare orders with payments: a paid or refunded order has one successful payment of its amount and
// number; any other has none.
func orderPaymentRules() []rule {
	return []rule{
		{"successful payments", `SELECT t.id AS row_key, COUNT(p.id) AS says,
				IF(t.order_status IN @order_never_paid, 0, 1) AS should
			` + paidOrder + `
			WHERE t.id BETWEEN @lo AND @hi
				AND t.order_status <> @order_group_failed
			GROUP BY t.id, t.order_status
			HAVING COUNT(p.id) <> IF(t.order_status IN @order_never_paid, 0, 1)`},
		{"actual_price (against its payment)", `SELECT t.id AS row_key, t.actual_price AS says, p.paid_amount AS should
			` + paidOrder + `
			WHERE t.id BETWEEN @lo AND @hi AND t.actual_price <> p.paid_amount`},
		{"pay_id", `SELECT t.id AS row_key, t.pay_id AS says, p.transaction_id AS should
			` + paidOrder + `
			WHERE t.id BETWEEN @lo AND @hi AND p.id IS NOT NULL AND NOT (t.pay_id <=> p.transaction_id)`},
		{"pay_channel", `SELECT t.id AS row_key, t.pay_channel AS says, p.channel AS should
			` + paidOrder + `
			WHERE t.id BETWEEN @lo AND @hi AND p.id IS NOT NULL AND NOT (t.pay_channel <=> p.channel)`},
		{"pay_time", `SELECT t.id AS row_key, t.pay_time AS says, IF(p.id IS NULL, NULL, 'a time') AS should
			` + paidOrder + `
			WHERE t.id BETWEEN @lo AND @hi
				AND (t.pay_time IS NULL) <> (p.id IS NULL)
				AND t.order_status <> @order_group_failed`},
	}
}

// orderRefundRules compare orders with refunds: a refunded order repeats its refund, one whose refund was asked for has
// it under way, and the refunds after the sale stay within the price of the goods.
func orderRefundRules() []rule {
	return []rule{
		{"refund_amount, refund_type, refund_content", `SELECT t.id AS row_key, ` + refundSays + ` AS says,
				` + refundShould + ` AS should
			` + paidOrder + `
			LEFT JOIN refund r ON r.order_id = t.id
				AND r.payment_id = p.id
				AND r.aftersale_id = 0
				AND r.status = @refund_done
			WHERE t.id BETWEEN @lo AND @hi
				AND t.order_status = @order_refunded
				AND (r.id IS NULL OR NOT (` + refundAgrees + `))`},
		{"refund_amount, refund_type, refund_content (after the sale)", `SELECT t.id AS row_key,
				CONCAT_WS(' ', ` + refundSays + `, t.refund_time) AS says,
				CONCAT_WS(' ', ` + refundShould + `, r.done_time) AS should
			FROM orders t
			JOIN aftersale a ON a.order_id = t.id AND a.deleted = 0 AND a.status = @case_refunded
			LEFT JOIN refund r ON r.order_id = t.id AND r.aftersale_id = a.id AND r.status = @refund_done
			WHERE t.id BETWEEN @lo AND @hi AND a.amount > 0
				AND NOT (` + refundAgrees + ` AND NOT ` + apart("t.refund_time", "r.done_time") + `)`},
		{"refunds under way", `SELECT t.id AS row_key, COUNT(r.id) AS says,
				IF(t.order_status = @order_refund_asked, 1, 0) AS should
			` + paidOrder + `
			LEFT JOIN refund r ON r.order_id = t.id
				AND r.payment_id = p.id
				AND r.aftersale_id = 0
				AND r.status IN @refund_under_way
			WHERE t.id BETWEEN @lo AND @hi
			GROUP BY t.id, t.order_status
			HAVING COUNT(r.id) <> IF(t.order_status = @order_refund_asked, 1, 0)`},
		{"refunds after the sale", `SELECT t.id AS row_key, SUM(r.amount) AS says,
				CONCAT('at most ', GREATEST(0, t.actual_price - t.freight_price)) AS should
			FROM orders t
			JOIN refund r ON r.order_id = t.id AND r.aftersale_id <> 0 AND r.status IN @refund_standing
			WHERE t.id BETWEEN @lo AND @hi
			GROUP BY t.id, t.actual_price, t.freight_price
			HAVING SUM(r.amount) > GREATEST(0, t.actual_price - t.freight_price)`},
	}
}

// How an order t repeats its refund r: the amount, the number, and in words who has paid it.
const (
	refundWay = "IF(COALESCE(r.channel_refund_id, '') = '' OR r.channel_refund_id LIKE @by_hand, @paid_by_hand, " +
		"@paid_by_platform)"
	refundSays   = "CONCAT_WS(' ', t.refund_amount, t.refund_type, t.refund_content)"
	refundShould = "CONCAT_WS(' ', r.amount, " + refundWay + ", r.channel_refund_id)"
	refundAgrees = "t.refund_amount <=> r.amount AND (t.refund_type <=> " + refundWay +
		" AND t.refund_content <=> r.channel_refund_id OR " + refundOfOldDemo + ")"
	// Demo orders of earlier releases do not repeat the number.
	refundOfOldDemo = "t.refund_content IS NULL AND r.channel_refund_id LIKE 'made%'"
)

// paymentChecks compare a payment with its order, its refunds and what proves it.
func paymentChecks() []check {
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	const got = "(t.status IN @payment_received)"
	const given = `COALESCE((
				SELECT SUM(r.amount)
				FROM refund r
				WHERE r.order_id = t.order_id AND r.payment_id = t.id AND r.status IN @refund_given_out
			), 0)`
	return []check{
		among("status", "payment_states"), among("channel", "channels"),
		openMark("active_mark", "t.status IN @payment_active"),
		holds("refunded_amount", given),
		must("refunded_amount", "t.refunded_amount <= t.paid_amount", "at most what was paid"),
		holds("user_id", "o.user_id").with("orders", order),
		must("paid_time", "(t.paid_time IS NOT NULL) = "+got, "the time of payment, and nothing before"),
		must("paid_time", "t.paid_time IS NULL OR t.paid_time <= t.update_time + INTERVAL 1 HOUR",
			"not after the last change"),
		holds("paid_amount", "IF("+got+", t.amount, 0)"),
		must("amount", "t.amount IN (o.actual_price, o.order_price - o.integral_price)", "the amount of the order").
			with("orders", order),
		must("transaction_id", "(COALESCE(t.transaction_id, '') <> '') = ("+got+" AND t.channel <> 'free')",
			"a number for money that was received"),
		must("prepay_id", "t.status <> @payment_issued OR t.prepay_id <> ''", "the platform's number"),
		must("prepay_expire", "(t.prepay_expire IS NULL) = (t.prepay_id IS NULL)", "a time with a number"),
		must("out_trade_no", "t.out_trade_no LIKE CONCAT(o.order_sn, '%')", "the number of the order").with("orders", order),
		must("deleted", "t.deleted = 0", "0"),
		changes(paymentChanges, "NOT "+placedHere("t.order_id")),
		must("trade_type", "IF(t.channel IN ('free', 'offline'), t.trade_type = '', t.trade_type IN ('JSAPI', 'MWEB')) "+
			"OR NOT "+placedHere("t.order_id"), "a way to pay at the platform, if there is one"),
		must("paid_time", "t.status <> @payment_paid OR COALESCE((SELECT MIN(n.add_time) FROM payment_notify n "+
			"WHERE n.out_no = t.out_trade_no AND n.kind = 1 AND n.result = @notice_applied) <= o.pay_time + INTERVAL 2 HOUR, "+
			"TRUE) OR NOT "+placedHere("t.order_id"), "not before its notice").with("orders", order),
	}
}

// paymentRules demand that money was received for a reason: a platform's notice, an operator's record, or a free order.
// Money that came too late goes back.
func paymentRules() []rule {
	return []rule{
		{"what proves it", `SELECT t.id AS row_key, t.channel AS says,
				'free for an order that costs nothing, offline for one that an operator recorded' AS should
			FROM payment t
			LEFT JOIN orders o ON o.id = t.order_id
			WHERE t.id BETWEEN @lo AND @hi AND t.status IN @payment_received AND (
				(t.channel = 'free' AND t.amount <> 0)
				OR (t.channel = 'offline' AND NOT EXISTS (
					SELECT 1 FROM order_status_log s
					WHERE s.order_id = t.order_id AND s.to_status = @order_paid AND s.actor_type = @by_operator)))`},
		{"applied notices of the platform", `SELECT t.id AS row_key, (
				SELECT COUNT(*) FROM payment q JOIN payment_notify n ON n.out_no = q.out_trade_no
				WHERE q.order_id = t.order_id AND n.kind = 1 AND n.result = @notice_applied AND n.signature_ok = 1
					AND n.channel = t.channel) AS says, (
				SELECT COUNT(*) FROM payment q
				WHERE q.order_id = t.order_id AND q.status IN @payment_received AND q.channel = t.channel) AS should
			FROM payment t
			WHERE t.id BETWEEN @lo AND @hi AND t.channel NOT IN ('free', 'offline')
				AND NOT EXISTS (SELECT 1 FROM order_status_log s WHERE s.order_id = t.order_id AND s.actor_type = @by_import)
			HAVING says <> should`},
		{"refund of money that came too late", `
			SELECT t.id AS row_key, NULL AS says, 'a refund that is on its way or done' AS should
			FROM payment t
			WHERE t.id BETWEEN @lo AND @hi
				AND t.status = @payment_late
				AND NOT EXISTS (
					SELECT 1 FROM refund r
					WHERE r.order_id = t.order_id AND r.payment_id = t.id AND r.status IN @refund_standing)`},
	}
}

// notifyChecks compare notices with their payments. Bodies are purged, notices stay.
func notifyChecks() []check {
	return []check{
		among("channel", "channels"), among("kind", "notice_kinds"), among("result", "notice_results"),
		must("signature_ok", "(t.signature_ok = 1) = (t.result <> 0) "+
			"AND (t.signature_ok = 1) = (t.notify_id NOT LIKE 'bad-%')",
			"1 for a notice that was read"),
		must("notify_id", "t.notify_id <> ''", "a number"),
		// A notice that a query found has no body. One that is too long is cut off.
		must("body", "t.signature_ok = 0 OR COALESCE(t.body, '') = '' OR CHAR_LENGTH(t.body) >= 65536 "+
			"OR LEFT(JSON_UNQUOTE(JSON_EXTRACT("+parsed("t.body")+", '$.id')), 96) <=> t.notify_id", "one with the same number"),
		must("out_no", "t.kind <> 1 OR t.result NOT IN @notice_taken OR EXISTS (SELECT 1 FROM payment p "+
			"WHERE p.out_trade_no = t.out_no)", "the number of a payment"),
		must("out_no", "t.kind <> 2 OR t.result NOT IN @notice_taken OR EXISTS (SELECT 1 FROM refund r "+
			"WHERE r.out_refund_no = t.out_no)", "the number of a refund"),
		// Rows of releases without the column have no amount.
		must("amount", "t.amount IS NULL OR t.kind <> 1 OR t.result NOT IN @notice_taken OR t.amount = (SELECT p.amount "+
			"FROM payment p WHERE p.out_trade_no = t.out_no)", "the amount of the payment"),
		must("amount", "t.amount IS NULL OR t.kind <> 2 OR t.result NOT IN @notice_taken OR t.amount = (SELECT r.amount "+
			"FROM refund r WHERE r.out_refund_no = t.out_no)", "the amount of the refund"),
		must("add_time", "t.kind <> 1 OR t.result NOT IN @notice_taken OR NOT EXISTS (SELECT 1 FROM payment p "+
			"JOIN orders o ON o.id = p.order_id WHERE p.out_trade_no = t.out_no AND t.add_time < o.add_time - INTERVAL 2 HOUR "+
			"AND "+placedHere("o.id")+")", "after the order"),
		must("reason", "t.reason = '' OR t.result IN @notice_with_staff OR t.kind = 2 AND t.result = @notice_applied",
			"nothing unless staff must act"),
	}
}

// refundChecks compare a refund with its order, its payment and its case.
func refundChecks() []check {
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	const pay = "LEFT JOIN payment p ON p.id = t.payment_id"
	const of = "LEFT JOIN aftersale a ON a.id = t.aftersale_id"
	return []check{
		among("status", "refund_states"),
		openMark("active_mark", "t.status IN @refund_standing"),
		must("done_time", "(t.done_time IS NOT NULL) = (t.status = @refund_done)", "the time when it was done"),
		must("channel_refund_id", "t.status <> @refund_done OR t.amount = 0 OR p.channel IN ('free', 'offline') "+
			"OR p.id IS NULL OR t.channel_refund_id <> ''", "the platform's number").with("payment", pay),
		must("done_time", "t.done_time IS NULL OR t.done_time <= t.update_time", "not after the last change"),
		must("channel_refund_id", "COALESCE(t.channel_refund_id, '') = '' OR t.status = @refund_done", "nothing before"),
		must("status", "t.aftersale_id = 0 OR (t.status = @refund_done) = (a.status = @case_refunded)", "done with its case").
			with("aftersale", of),
		must("status", "t.aftersale_id <> 0 OR p.status <=> @payment_late OR (t.status = @refund_done) <= "+
			"(o.order_status = @order_refunded)", "not done while the order waits").with("orders", order, pay),
		holds("user_id", "o.user_id").with("orders", order),
		must("payment_id", "t.payment_id = 0 OR p.order_id <=> t.order_id", "a payment of the order").with("payment", pay),
		must("aftersale_id", "t.aftersale_id = 0 OR a.order_id <=> t.order_id", "a case of the order").with("aftersale", of),
		must("amount", "p.id IS NULL OR t.amount <= p.paid_amount", "at most what was paid").with("payment", pay),
		must("amount", "t.aftersale_id <> 0 OR p.id IS NULL OR t.amount = p.paid_amount",
			"what was paid").with("payment", pay),
		must("amount", "t.aftersale_id = 0 OR t.status NOT IN @refund_standing OR t.amount = a.amount",
			"the amount of the case").
			with("aftersale", of),
		must("out_refund_no", "t.aftersale_id <> 0 OR t.out_refund_no LIKE CONCAT('refund_', o.order_sn, '%')",
			"the number of the order").with("orders", order),
		must("out_refund_no", "t.aftersale_id = 0 OR t.out_refund_no LIKE CONCAT('aftersale_', a.aftersale_sn, '%')",
			"the number of the case").with("aftersale", of),
		must("attempts", "t.attempts >= IF(t.status IN @refund_tried, 1, 0)", "a number of attempts"),
		must("operator_id",
			"t.operator_id <> 0 OR t.status NOT IN @refund_decided OR p.status <=> @payment_late OR p.id IS NULL "+
				"OR t.channel_refund_id LIKE 'made%'", "the operator who decided").with("payment", pay),
		must("released_time", "t.released_time IS NULL OR t.status <> @refund_asked", "nothing before it is released"),
		must("released_time", "t.released_time IS NULL OR t.released_time BETWEEN t.add_time AND t.update_time "+
			"AND t.released_time <= COALESCE(t.done_time, t.released_time)", "a time between its request and its end"),
		must("ordered_by", "COALESCE(t.ordered_by, '') = '' OR t.status IN @refund_sent", "nothing when it is done"),
		// Another operator may reject a refund that the platform has refused.
		must("ordered_by", "COALESCE(t.ordered_by, '') = '' OR t.status = @refund_rejected OR JSON_VALUE("+
			parsed("t.ordered_by")+", '$.By.ID') <=> t.operator_id", "a call of the operator"),
		must("reason", "t.reason <=> IF(t.aftersale_id = 0, '', a.reason) OR NOT "+placedHere("t.order_id"),
			"the reason of the case").with("aftersale", of),
		must("add_time", "t.aftersale_id = 0 OR t.add_time >= a.add_time - INTERVAL 2 HOUR OR NOT "+
			placedHere("t.order_id"), "after its case").with("aftersale", of),
		must("add_time", "t.aftersale_id <> 0 OR p.status <=> @payment_late OR NOT "+placedHere("t.order_id")+
			" OR EXISTS (SELECT 1 FROM order_status_log s WHERE s.order_id = t.order_id AND s.to_status = @order_refund_asked "+
			"AND "+near("s.add_time", "t.add_time")+")", "when the order asked for it").with("payment", pay),
		must("deleted", "t.deleted = 0", "0"),
		changes(refundChanges, "NOT "+placedHere("t.order_id")).with("payment", pay),
	}
}

// aftersaleChecks compare cases with their orders, which must have been received.
func aftersaleChecks() []check {
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	// A job handles a case without a record, and changes its state with the time.
	after := parsed("a.after_json")
	recorded := func(what string) string {
		return "EXISTS (SELECT 1 FROM audit_log a WHERE a.target_type = 'aftersale' AND a.target_id = t.id AND JSON_VALUE(" +
			after + ", " + what + ")"
	}
	return []check{
		among("status", "case_states"), among("type", "case_types"),
		openMark("open_mark", "t.deleted = 0 AND t.status IN @case_open"),
		holds("user_id", "o.user_id").with("orders", order),
		must("order_id", "o.id IS NULL OR o.order_status IN @order_received",
			"an order that was received").with("orders", order),
		must("amount", "t.amount <= GREATEST(0, o.actual_price - o.freight_price)", "at most the price of the goods").
			with("orders", order),
		must("aftersale_sn", "t.aftersale_sn <> '' OR t.aftersale_sn IS NULL AND t.handler_id = 0", "a number"),
		must("handler_id", "(t.handler_id <> 0) = (t.status IN @case_handled)", "the operator who decided"),
		must("handle_time", "(t.handle_time IS NOT NULL) = (t.status IN @case_handled)", "the time of the decision"),
		must("handle_time", "t.handle_time IS NULL OR t.handle_time <= t.update_time", "not after the last change"),
		must("deleted", "t.deleted = 0 OR o.deleted = 1 OR EXISTS (SELECT 1 FROM aftersale n WHERE n.order_id = t.order_id "+
			"AND n.id > t.id)", "0 while it is the case of its order").with("orders", order),
		must("handle_time", "NOT "+recorded("'$.status') = t.status")+" OR NOT "+recorded("'$.handleTime') IS NOT NULL")+
			" OR "+recorded("'$.handleTime') = CONCAT(LEFT(DATE_FORMAT(t.handle_time, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')"),
			"the time of an audit record"),
		changes(caseChanges, "NOT "+placedHere("t.order_id")),
	}
}

func aftersaleRules() []rule {
	return []rule{
		{"refund", `SELECT t.id AS row_key, r.amount AS says, t.amount AS should
			FROM aftersale t
			LEFT JOIN refund r ON r.order_id = t.order_id AND r.aftersale_id = t.id AND r.status = @refund_done
			WHERE t.id BETWEEN @lo AND @hi
				AND t.status = @case_refunded
				AND t.amount > 0
				AND NOT (r.amount <=> t.amount)`},
	}
}
