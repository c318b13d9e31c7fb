package report

// sums are the totals of the lines of a range of orders.
const sums = `(
		SELECT g.order_id, SUM(g.price * g.number) AS gross,
			SUM(GREATEST(g.price - x.groupon_price, 0) * g.number) AS net, SUM(g.discount_share) AS shares,
			SUM(g.comment_id = 0) AS uncommented
		FROM order_goods g
		JOIN orders x ON x.id = g.order_id
		WHERE g.order_id BETWEEN @lo AND @hi
		GROUP BY g.order_id) l`

func orderRules() []rule {
	rules := append(amountRules(), orderPaymentRules()...)
	return append(rules,
		rule{"order_status (against order_status_log)", `
			SELECT t.id AS row_key, t.order_status AS says, s.to_status AS should
			FROM orders t
			LEFT JOIN (
				SELECT h.order_id, h.to_status,
					ROW_NUMBER() OVER (PARTITION BY h.order_id ORDER BY h.add_time DESC, h.id DESC) AS n
				FROM order_status_log h
				WHERE h.order_id BETWEEN @lo AND @hi) s ON s.order_id = t.id AND s.n = 1
			WHERE t.id BETWEEN @lo AND @hi AND NOT (s.to_status <=> t.order_status)`},
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
						OR (c.order_id <=> t.id AND c.status = @coupon_used) = (t.order_status IN @order_free))`},
		rule{"groupon_price", `
			SELECT t.id AS row_key, t.groupon_price AS says, '0.00: it has no part in a groupon' AS should
			FROM orders t
			LEFT JOIN groupon g ON g.order_id = t.id
			WHERE t.id BETWEEN @lo AND @hi AND t.groupon_price <> 0 AND g.id IS NULL`},
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
		lines("discount_share of its lines", "l.shares", "l.gross - l.net + t.coupon_price"),
		holds("orders", "order_price", "t.order_price", "GREATEST(0, t.goods_price + t.freight_price - "+
			"t.coupon_price)"),
		holds("orders", "actual_price", "t.actual_price",
			"IF(t.pay_channel <=> 'offline', t.actual_price, t.order_price - t.integral_price)"),
	}
}

// orderPaymentRules compare orders with payments: a paid order has one successful payment of its amount and number; a
// refunded one also has its refund; any other has none.
func orderPaymentRules() []rule {
	const paid = `FROM orders t
			LEFT JOIN payment p ON p.order_id = t.id AND p.status = @payment_paid`
	return []rule{
		{"successful payments", `SELECT t.id AS row_key, COUNT(p.id) AS says,
				IF(t.order_status IN @order_never_paid, 0, 1) AS should
			` + paid + `
			WHERE t.id BETWEEN @lo AND @hi
				AND t.order_status <> @order_group_failed
			GROUP BY t.id, t.order_status
			HAVING COUNT(p.id) <> IF(t.order_status IN @order_never_paid, 0, 1)`},
		{"actual_price (against its payment)", `SELECT t.id AS row_key, t.actual_price AS says, p.paid_amount AS should
			` + paid + `
			WHERE t.id BETWEEN @lo AND @hi AND t.actual_price <> p.paid_amount`},
		{"pay_id", `SELECT t.id AS row_key, t.pay_id AS says, p.transaction_id AS should
			` + paid + `
			WHERE t.id BETWEEN @lo AND @hi AND p.id IS NOT NULL AND NOT (t.pay_id <=> p.transaction_id)`},
		{"pay_channel", `SELECT t.id AS row_key, t.pay_channel AS says, p.channel AS should
			` + paid + `
			WHERE t.id BETWEEN @lo AND @hi AND p.id IS NOT NULL AND NOT (t.pay_channel <=> p.channel)`},
		{"pay_time", `SELECT t.id AS row_key, t.pay_time AS says, IF(p.id IS NULL, NULL, 'a time') AS should
			` + paid + `
			WHERE t.id BETWEEN @lo AND @hi
				AND (t.pay_time IS NULL) <> (p.id IS NULL)
				AND t.order_status <> @order_group_failed`},
		{"refund_amount", `SELECT t.id AS row_key, t.refund_amount AS says, r.amount AS should
			FROM orders t
			LEFT JOIN payment p ON p.order_id = t.id AND p.status = @payment_paid
			LEFT JOIN refund r ON r.order_id = t.id
				AND r.payment_id = p.id
				AND r.aftersale_id = 0
				AND r.status = @refund_done
			WHERE t.id BETWEEN @lo AND @hi
				AND t.order_status = @order_refunded
				AND (r.id IS NULL OR NOT (t.refund_amount <=> r.amount))`},
		{"refunds under way", `SELECT t.id AS row_key, COUNT(r.id) AS says,
				IF(t.order_status = @order_refund_asked, 1, 0) AS should
			` + paid + `
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

func paymentRules() []rule {
	const given = `COALESCE((
				SELECT SUM(r.amount)
				FROM refund r
				WHERE r.order_id = t.order_id AND r.payment_id = t.id AND r.status IN @refund_given_out
			), 0)`
	return []rule{
		orphans("payment", "order_id", "orders"),
		versionMark("payment", "active_mark", "t.status IN @payment_active"),
		holds("payment", "refunded_amount", "t.refunded_amount", given),
		{"refunded_amount", `
			SELECT t.id AS row_key, t.refunded_amount AS says, CONCAT('at most ', t.paid_amount) AS should
			FROM payment t
			WHERE t.id BETWEEN @lo AND @hi AND t.refunded_amount > t.paid_amount`},
		{"user_id", `SELECT t.id AS row_key, t.user_id AS says, o.user_id AS should
			FROM payment t
			JOIN orders o ON o.id = t.order_id
			WHERE t.id BETWEEN @lo AND @hi AND t.user_id <> o.user_id`},
		{"paid_time", `SELECT t.id AS row_key, t.paid_time AS says, 'the time of payment' AS should
			FROM payment t
			WHERE t.id BETWEEN @lo AND @hi AND t.status IN @payment_received AND t.paid_time IS NULL`},
		{"refund of money that came too late", `
			SELECT t.id AS row_key, NULL AS says, 'a refund or an event that makes it' AS should
			FROM payment t
			WHERE t.id BETWEEN @lo AND @hi
				AND t.status = @payment_late
				AND NOT EXISTS (SELECT 1 FROM refund r WHERE r.order_id = t.order_id AND r.payment_id = t.id)`},
	}
}

func refundRules() []rule {
	return []rule{
		orphans("refund", "order_id", "orders"),
		orphans("refund", "payment_id", "payment"),
		orphans("refund", "aftersale_id", "aftersale"),
		versionMark("refund", "active_mark", "t.status IN @refund_standing"),
		{"done_time", `SELECT t.id AS row_key, t.done_time AS says, 'the time when it was done' AS should
			FROM refund t
			WHERE t.id BETWEEN @lo AND @hi AND t.status = @refund_done AND t.done_time IS NULL`},
		{"status (against its case)", `
			SELECT t.id AS row_key, t.status AS says, CONCAT('not done while the case is in ', a.status) AS should
			FROM refund t
			JOIN aftersale a ON a.id = t.aftersale_id
			WHERE t.id BETWEEN @lo AND @hi AND t.status = @refund_done AND a.status <> @case_refunded`},
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
		{"refund", `SELECT t.id AS row_key, r.amount AS says, t.amount AS should
			FROM aftersale t
			LEFT JOIN refund r ON r.order_id = t.order_id AND r.aftersale_id = t.id AND r.status = @refund_done
			WHERE t.id BETWEEN @lo AND @hi
				AND t.status = @case_refunded
				AND t.amount > 0
				AND NOT (r.amount <=> t.amount)`},
	}
}
