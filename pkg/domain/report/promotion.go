package report

func promotionWalks() []walk {
	return []walk{
		{table: "coupon", checks: couponChecks()},
		{table: "coupon_user", checks: holdingChecks(), rules: holdingRules()},
		{table: "groupon_rules", checks: []check{
			among("status", "offer_states"),
			openMark("active_mark", "t.deleted = 0 AND t.status = @offer_on"),
			must("discount", "t.discount > 0", "more than 0.00"),
			must("discount_member", "t.discount_member >= 2", "2 or more"),
			labelled("goods_name", "g.name", "the name of the goods"),
			labelled("pic_url", "COALESCE(g.pic_url, '')", "the picture of the goods"),
			must("expire_time", "t.expire_time IS NOT NULL", "a time"),
		}},
		{table: "groupon", checks: memberChecks(), rules: memberRules()},
	}
}

// labelled is the check that a group-buy rule which an operator has made, and which is on, has a column of its goods.
func labelled(column, of, should string) check {
	return must(column, "t.deleted = 1 OR t.status <> @offer_on OR "+same(column, of)+" OR NOT EXISTS (SELECT 1 "+
		"FROM audit_log a WHERE a.target_type = 'groupon_rules' AND a.target_id = t.id)", should).with("goods", goodsOf)
}

func couponChecks() []check {
	return []check{
		among("type", "coupon_kinds"), among("status", "coupon_states"), among("goods_type", "coupon_scopes"),
		among("time_type", "coupon_validities"),
		holds("received", "(SELECT COUNT(*) FROM coupon_user c WHERE c.coupon_id = t.id AND c.deleted = 0)").mending(),
		must("received", "t.total = 0 OR t.received <= t.total", "at most the total"),
		must("total", "t.total >= 0", "0 or more"), must("per_user_limit", "t.per_user_limit >= 0", "0 or more"),
		must("name", "t.name <> ''", "a name"),
		must("code", "(t.code IS NOT NULL) = (t.type = @coupon_code)", "a code, for the kind that has one"),
		must("code", "t.code IS NULL OR t.code REGEXP '^[0-9A-Z]{8}$'", "eight letters or digits"),
		must("days", "(t.days > 0) = (t.time_type = 0)", "days for a validity from receipt"),
		must("start_time", "(t.start_time IS NOT NULL) = (t.time_type = 1)", "a time for fixed dates"),
		must("end_time", "(t.end_time IS NOT NULL) = (t.time_type = 1)", "a time for fixed dates"),
		must("end_time", "t.end_time IS NULL OR t.end_time >= t.start_time", "not before the start"),
		must("goods_value", "(t.goods_type = 0) = (COALESCE(t.goods_value, '[]') = '[]')", "ids where the scope has some"),
		changes(couponChanges, "FALSE"),
	}
}

// promised is the check that a term of a user coupon is that of its definition, unless staff has changed that since,
// or at the same time: a record has the time of the call. A term that is zero, an expression of the column's type, is
// stored as NULL.
func promised(column, zero string) check {
	return asPromised(column, "NULLIF(t."+column+", "+zero+") <=> NULLIF(c."+column+", "+zero+")")
}

// asPromised is the check that a term of a user coupon t follows from its definition c.
func asPromised(column, same string) check {
	return must(column, "t.name IS NULL OR "+same+" OR "+unrecorded("t.add_time")+
		" OR EXISTS (SELECT 1 FROM audit_log a WHERE a.target_type = 'coupon' "+
		"AND a.target_id = t.coupon_id AND a.add_time >= t.add_time - INTERVAL 30 SECOND)",
		"as the coupon was").with("coupon", "LEFT JOIN coupon c ON c.id = t.coupon_id")
}

// importing is the condition that rows of another shop were imported, whose coupons may have other dates.
const importing = "EXISTS (SELECT 1 FROM import_run)"

// holdingChecks check user coupons: a used one belongs to an order that has not ended and names it, any other to none.
func holdingChecks() []check {
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	return []check{
		among("status", "holding_states"),
		must("order_id", "(t.status = @coupon_used) = (t.order_id IS NOT NULL)", "an order that uses it"),
		must("order_id", "t.order_id IS NULL OR o.coupon_user_id = t.id AND o.user_id = t.user_id "+
			"AND o.order_status NOT IN @order_free", "an order that lives and uses it").with("orders", order),
		must("last_order_id", "t.last_order_id IS NULL OR EXISTS (SELECT 1 FROM orders l WHERE l.id = t.last_order_id "+
			"AND l.coupon_user_id = t.id AND l.order_status IN @order_free)", "an order that returned it"),
		must("used_time", "(t.used_time IS NOT NULL) = (t.status = @coupon_used)", "the time of use"),
		must("used_time", "t.used_time IS NULL OR o.id IS NULL "+
			"OR "+near("t.used_time", "o.add_time"),
			"the time of the order").with("orders", order),
		must("start_time", "t.start_time IS NOT NULL", "a time"),
		must("end_time", "t.end_time >= t.start_time", "not before the start"),
		must("start_time", "c.time_type <> 0 OR "+near("t.start_time", "t.add_time"),
			"the receipt, or a fixed date").with("coupon", "LEFT JOIN coupon c ON c.id = t.coupon_id"),
		promised("name", "''"), promised("description", "''"), promised("tag", "''"), promised("discount", "0"),
		promised("min_amount", "0"), promised("goods_type", "0"), promised("goods_value", "'[]'"),
		asPromised("start_time", "c.time_type = 0 OR t.start_time <=> c.start_time OR "+importing),
		asPromised("end_time", "IF(c.time_type = 0, "+near("t.end_time", "t.add_time + INTERVAL LEAST(c.days, 3650) DAY")+
			", t.end_time <=> c.end_time) OR "+importing),
		changes(holdingChanges, "t.name IS NULL"),
	}
}

// holdingRules check that the copies of a shopper are numbered, and no more than the limit for each shopper. An
// operator may have lowered that limit since, which has an audit record.
func holdingRules() []rule {
	return []rule{
		{"seq", `SELECT t.id AS row_key, t.seq AS says, (SELECT COUNT(*) FROM coupon_user n
				WHERE n.user_id = t.user_id AND n.coupon_id = t.coupon_id AND n.seq <= t.seq) AS should
			FROM coupon_user t
			WHERE t.id BETWEEN @lo AND @hi
			HAVING says <> should`},
		{"number of this coupon that the shopper has had", `
			SELECT t.id AS row_key, t.seq AS says, CONCAT('at most ', c.per_user_limit) AS should
			FROM coupon_user t
			JOIN coupon c ON c.id = t.coupon_id
			WHERE t.id BETWEEN @lo AND @hi
				AND t.deleted = 0
				AND c.per_user_limit > 0
				AND t.seq > c.per_user_limit
				AND (
					SELECT COUNT(*) FROM coupon_user h
					WHERE h.user_id = t.user_id AND h.coupon_id = t.coupon_id AND h.seq <= t.seq AND h.deleted = 0
				) > c.per_user_limit
				AND NOT ` + unrecorded("t.add_time") + `
				AND NOT EXISTS (
					SELECT 1 FROM audit_log a
					WHERE a.target_type = 'coupon' AND a.target_id = c.id
						AND a.add_time >= t.add_time - INTERVAL 30 SECOND AND a.after_json LIKE '%Shopper%')`},
	}
}

// memberChecks compare group members with their orders, their group and its rule.
func memberChecks() []check {
	const open = "t.status IN @part_open OR (t.status = @part_succeeded AND t.active_mark = 0)"
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	const group = "LEFT JOIN groupon g ON g.id = COALESCE(t.groupon_id, t.id)"
	return []check{
		among("status", "part_states"),
		openMark("active_mark", open+" OR (t.status = @part_succeeded AND t.active_mark NOT IN (0, t.id))"),
		must("active_mark", "t.status <> @part_succeeded OR t.active_mark = 0 OR o.order_status = @order_refunded",
			"0 in a group that succeeded").with("orders", order),
		holds("member_count", "(SELECT COUNT(*) FROM groupon m WHERE m.groupon_id = t.id AND m.active_mark = 0)").mending(),
		holds("user_id", "o.user_id").with("orders", order),
		holds("creator_user_id", "g.user_id").with("groupon", group),
		holds("rules_id", "g.rules_id").with("groupon", group),
		must("groupon_id", "t.groupon_id IS NULL OR g.groupon_id IS NULL AND g.id < t.id",
			"the opener").with("groupon", group),
		must("groupon_id", "t.groupon_id IS NOT NULL OR t.creator_user_id = t.user_id", "the group that was joined"),
		must("rules_id", "EXISTS (SELECT 1 FROM groupon_rules r JOIN order_goods l ON l.goods_id = r.goods_id "+
			"WHERE r.id = t.rules_id AND l.order_id = t.order_id)", "a rule on the goods of the order"),
		must("creator_user_time",
			"t.groupon_id IS NOT NULL AND t.creator_user_time IS NULL OR "+near("t.creator_user_time", "g.add_time"),
			"when the group was opened").with("groupon", group),
		must("creator_user_time", "t.groupon_id IS NOT NULL OR t.creator_user_time = t.add_time OR NOT "+
			placedHere("t.order_id"), "as add_time"),
		changes(memberChanges, "NOT "+placedHere("t.order_id")),
		must("add_time", near("t.add_time", "o.add_time"), "the time of the order").
			with("orders", order),
		must("status", "o.order_status NOT IN @order_shipped OR t.status = @part_succeeded", "success when it was shipped").
			with("orders", order),
		must("deleted", "t.deleted = 0", "0"),
	}
}

// memberRules compare the states of members with those of their orders and of their group. A member who succeeded may
// release the place only with a refunded order.
func memberRules() []rule {
	return []rule{
		{"status (against its order)", `SELECT t.id AS row_key, t.status AS says,
				CASE WHEN o.order_status = @order_unpaid THEN '0' WHEN o.order_status = @order_paid THEN '1 or 2'
					WHEN o.order_status IN @order_refunding THEN '2 or 3' ELSE '3' END AS should
			FROM groupon t
			JOIN orders o ON o.id = t.order_id
			WHERE t.id BETWEEN @lo AND @hi
				AND (
					(o.order_status = @order_unpaid AND t.status <> @part_unpaid)
						OR (o.order_status IN @order_unsold AND t.status <> @part_failed)
						OR (o.order_status = @order_paid AND t.status NOT IN @part_paid)
						OR (o.order_status IN @order_refunding AND t.status NOT IN @part_decided))`},
		{"status (against its group)", `SELECT t.id AS row_key, t.status AS says,
				CONCAT('none that goes with ', g.status, ' of the group') AS should
			FROM groupon t
			JOIN groupon g ON g.id = t.groupon_id
			WHERE t.id BETWEEN @lo AND @hi
				AND t.status IN @part_standing
				AND (
					(g.status = @part_unpaid)
						OR (g.status = @part_running AND t.status = @part_succeeded)
						OR (g.status = @part_succeeded AND t.status = @part_running)
						OR g.status = @part_failed)`},
	}
}
