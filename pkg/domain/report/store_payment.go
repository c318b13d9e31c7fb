package report

func paymentRules() []rule {
	const given = "COALESCE((SELECT SUM(r.amount) FROM refund r WHERE r.order_id = t.order_id AND r.payment_id = t.id " +
		"AND r.status IN @refund_given_out), 0)"
	return []rule{
		orphans("payment", "order_id", "orders"),
		versionMark("payment", "active_mark", "t.status IN @payment_active"),
		holds("payment", "refunded_amount", "t.refunded_amount", given),
		{"refunded_amount", "SELECT t.id AS row_key, t.refunded_amount AS says, CONCAT('at most ', t.paid_amount) " +
			"AS should FROM payment t WHERE t.id BETWEEN @lo AND @hi AND t.refunded_amount > t.paid_amount"},
		{"user_id", "SELECT t.id AS row_key, t.user_id AS says, o.user_id AS should FROM payment t " +
			"JOIN orders o ON o.id = t.order_id WHERE t.id BETWEEN @lo AND @hi AND t.user_id <> o.user_id"},
		{"paid_time", "SELECT t.id AS row_key, t.paid_time AS says, 'the time of payment' AS should FROM payment t " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.status IN @payment_received AND t.paid_time IS NULL"},
		{"refund of money that came too late", "SELECT t.id AS row_key, NULL AS says, 'a refund or an event that makes it' " +
			"AS should FROM payment t WHERE t.id BETWEEN @lo AND @hi AND t.status = @payment_late AND NOT EXISTS " +
			"(SELECT 1 FROM refund r WHERE r.order_id = t.order_id AND r.payment_id = t.id)"},
	}
}

func refundRules() []rule {
	return []rule{
		orphans("refund", "order_id", "orders"),
		orphans("refund", "payment_id", "payment"),
		orphans("refund", "aftersale_id", "aftersale"),
		versionMark("refund", "active_mark", "t.status IN @refund_standing"),
		{"done_time", "SELECT t.id AS row_key, t.done_time AS says, 'the time when it was done' AS should FROM refund t " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.status = @refund_done AND t.done_time IS NULL"},
		{"status (against its case)", "SELECT t.id AS row_key, t.status AS says, " +
			"CONCAT('not done while the case is in ', a.status) AS should FROM refund t " +
			"JOIN aftersale a ON a.id = t.aftersale_id WHERE t.id BETWEEN @lo AND @hi AND t.status = @refund_done " +
			"AND a.status <> @case_refunded"},
	}
}

// aftersaleRules compare cases with their orders, which must have been received, and with their refunds.
func aftersaleRules() []rule {
	const ofOrder = "FROM aftersale t JOIN orders o ON o.id = t.order_id WHERE t.id BETWEEN @lo AND @hi AND "
	return []rule{
		orphans("aftersale", "order_id", "orders"),
		versionMark("aftersale", "open_mark", "t.deleted = 0 AND t.status IN @case_open"),
		{"user_id", "SELECT t.id AS row_key, t.user_id AS says, o.user_id AS should " + ofOrder + "t.user_id <> o.user_id"},
		{"order_status of its order", "SELECT t.id AS row_key, o.order_status AS says, '401 or 402' AS should " + ofOrder +
			"o.order_status NOT IN @order_received"},
		{"refund", "SELECT t.id AS row_key, r.amount AS says, t.amount AS should FROM aftersale t " +
			"LEFT JOIN refund r ON r.order_id = t.order_id AND r.aftersale_id = t.id AND r.status = @refund_done " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.status = @case_refunded AND t.amount > 0 AND NOT (r.amount <=> t.amount)"},
	}
}
