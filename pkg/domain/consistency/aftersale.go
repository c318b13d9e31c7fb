package consistency

// ofLines is the condition that a case, by its alias, is about lines.
func ofLines(alias string) string {
	return "EXISTS (SELECT 1 FROM aftersale_line m WHERE m.aftersale_id = " + alias + ".id)"
}

// sent is the condition that an order line, by its alias, was sent in exchange.
func sent(alias string) string {
	return "EXISTS (SELECT 1 FROM aftersale_line m WHERE m.sent_id = " + alias + ".id)"
}

// aftersaleChecks compare cases with their orders, which must have been received.
func aftersaleChecks() []check {
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	pair := func(one, other string) string { return "(t." + one + " IS NULL) = (t." + other + " IS NULL)" }
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
		must("deleted", "t.deleted = 0 OR o.deleted = 1 OR t.status NOT IN @case_settled AND EXISTS (SELECT 1 "+
			"FROM aftersale n WHERE n.order_id = t.order_id AND n.id > t.id)", "0 while it is the case of its order").
			with("orders", order),
		must("type", "t.type <> @case_replacement OR "+ofLines("t"), "an exchange of lines"),
		must("status", "t.status <> @case_exchanged OR t.type = @case_replacement", "the state of an exchange"),
		must("answer", "t.answer = '' OR t.status IN @case_handled", "nothing before a decision"),
		must("back_time", pair("back_time", "back_sn")+" AND (t.back_time IS NULL OR t.type IN @case_sent_back "+
			"AND t.back_time BETWEEN t.add_time AND t.update_time)", "a time with a number"),
		must("back_channel", pair("back_channel", "back_sn"), "a carrier"),
		must("back_sn", "t.back_sn IS NULL OR t.back_sn <> ''", "a number"),
		must("back_channel", "t.back_channel IS NULL OR t.back_channel <> ''", "a carrier"),
		must("arrive_time", "t.arrive_time IS NULL OR t.type IN @case_sent_back AND t.status IN @case_handled "+
			"AND t.arrive_time BETWEEN GREATEST(t.add_time, COALESCE(t.back_time, t.add_time)) AND t.handle_time",
			"a time between its request and its end"),
		must("sent_channel",
			"(t.sent_channel IS NOT NULL) = (t.status = @case_exchanged) AND COALESCE(t.sent_channel, 'x') <> ''", "a carrier"),
		must("sent_sn",
			"(t.sent_sn IS NOT NULL) = (t.status = @case_exchanged) AND COALESCE(t.sent_sn, 'x') <> ''", "a number"),
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
		{"amount of its lines", `SELECT t.id AS row_key, t.amount AS says, SUM(l.amount) AS should
			FROM aftersale t
			JOIN aftersale_line l ON l.aftersale_id = t.id
			WHERE t.id BETWEEN @lo AND @hi
			GROUP BY t.id, t.amount
			HAVING t.amount <> SUM(l.amount)`},
		{"refunds of the order", `SELECT t.id AS row_key, SUM(b.amount) AS says,
				CONCAT('at most ', GREATEST(0, o.actual_price - o.freight_price)) AS should
			FROM aftersale t
			JOIN orders o ON o.id = t.order_id
			JOIN aftersale b ON b.order_id = t.order_id AND b.id <= t.id AND b.deleted = 0 AND b.status IN @case_standing
			WHERE t.id BETWEEN @lo AND @hi AND t.deleted = 0 AND t.status IN @case_standing
			GROUP BY t.id, o.actual_price, o.freight_price
			HAVING SUM(b.amount) > GREATEST(0, o.actual_price - o.freight_price)`},
	}
}

// aftersaleLineChecks compare the lines of cases with the order lines that they are about.
func aftersaleLineChecks() []check {
	const of = "LEFT JOIN aftersale a ON a.id = t.aftersale_id"
	const line = "LEFT JOIN order_goods g ON g.id = t.order_goods_id"
	const product = "LEFT JOIN goods_product p ON p.id = t.product_id"
	const other = "LEFT JOIN order_goods n ON n.id = t.sent_id"
	return []check{
		must("order_goods_id", "g.order_id <=> a.order_id", "a line of the order of the case").with("order_goods", of, line),
		must("number", "t.number BETWEEN 1 AND g.number", "1 up to the pieces of the line").with("order_goods", line),
		must("amount", "t.amount BETWEEN 0 AND t.worth", "at most what was paid for the pieces"),
		must("amount", "t.amount = 0 OR a.type <> @case_replacement", "0.00 for an exchange").with("aftersale", of),
		must("product_id", "(t.product_id <> 0) = (a.type = @case_replacement)", "a product for an exchange").
			with("aftersale", of),
		must("product_id", "t.product_id = 0 OR p.goods_id = g.goods_id AND t.product_id <> g.product_id",
			"another product of the goods").with("goods_product", product, line),
		must("sent_id", "(t.sent_id <> 0) = (a.status = @case_exchanged)", "a line once it was exchanged").
			with("aftersale", of),
		must("sent_id", "t.sent_id = 0 OR n.order_id = a.order_id AND n.product_id = t.product_id "+
			"AND n.number = t.number AND n.price = 0 AND n.discount_share = 0",
			"a line of what was sent, at no price").with("order_goods", of, other),
	}
}

// cost is what an order line costs after its reduction.
func cost(alias string) string {
	return "GREATEST(0, " + alias + ".price * " + alias + ".number - " + alias + ".discount_share)"
}

// paidFor is what was paid for an order line g of an order o, a little more or less than its whole cents: for one that
// was sent in exchange what was paid for what it replaces.
var paidFor = `COALESCE(
		(SELECT m.worth FROM aftersale_line m WHERE m.sent_id = g.id LIMIT 1),
		GREATEST(0, o.actual_price - o.freight_price) * ` + cost("g") + ` / NULLIF((
			SELECT SUM(` + cost("x") + `) FROM order_goods x WHERE x.order_id = g.order_id), 0))`

// aftersaleLineRules compare what lines of cases are worth with what was paid for the order lines, and the stock that
// came back with their pieces.
func aftersaleLineRules() []rule {
	const joined = `
			FROM aftersale_line t
			JOIN aftersale a ON a.id = t.aftersale_id
			JOIN order_goods g ON g.id = t.order_goods_id
			JOIN orders o ON o.id = g.order_id`
	// Amounts of a currency without decimals are rounded to whole ones.
	const exact = `IF(t.worth = FLOOR(t.worth) AND o.actual_price = FLOOR(o.actual_price), 1.00, 0.02)`
	share := paidFor + " * t.number / g.number"
	return []rule{
		{"worth", `SELECT t.id AS row_key, t.worth AS says, ROUND(` + share + `, 2) AS should` + joined + `
			WHERE t.id BETWEEN @lo AND @hi AND a.status IN @case_standing AND ABS(t.worth - ` + share + `) >= ` + exact},
		{"number of all cases", `SELECT t.id AS row_key, ` + upToHere("number") + ` AS says,
				CONCAT('at most ', g.number) AS should` + joined + `
			WHERE t.id BETWEEN @lo AND @hi AND a.status IN @case_standing AND ` + upToHere("number") + ` > g.number`},
		{"amount of all cases", `SELECT t.id AS row_key, ` + upToHere("amount") + ` AS says,
				CONCAT('at most ', ROUND(` + paidFor + `, 2)) AS should` + joined + `
			WHERE t.id BETWEEN @lo AND @hi AND a.status IN @case_standing
				AND ` + upToHere("amount") + ` >= ` + paidFor + ` + 1.00`},
		{"given back to stock", `SELECT t.id AS row_key, l.delta AS says,
				IF(` + backByCase + `, t.number, NULL) AS should` + joined + `
			LEFT JOIN stock_log l ON l.ref_key = CONCAT('line:', t.order_goods_id, ':in:', t.aftersale_id)
			WHERE t.id BETWEEN @lo AND @hi AND NOT (l.delta <=> IF(` + backByCase + `, t.number, NULL))`},
	}
}

// upToHere is the sum of a column over the lines of standing cases about the same order line, up to a line t.
func upToHere(column string) string {
	return `(SELECT SUM(c.` + column + `) FROM aftersale_line c
				JOIN aftersale b ON b.id = c.aftersale_id AND b.status IN @case_standing AND b.deleted = 0
				WHERE c.order_goods_id = t.order_goods_id AND c.id <= t.id)`
}

// backByCase is the condition that the goods of a case a came back.
const backByCase = "(a.status = @case_exchanged OR a.status = @case_refunded AND a.type = @case_returned)"
