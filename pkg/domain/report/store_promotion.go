package report

func couponRules() []rule {
	return []rule{
		mark("coupon", "del_mark", "t.deleted = 0"),
		holds("coupon", "received", "t.received",
			"(SELECT COUNT(*) FROM coupon_user c WHERE c.coupon_id = t.id AND c.deleted = 0)"),
		{"received", "SELECT t.id AS row_key, t.received AS says, CONCAT('at most ', t.total) AS should FROM coupon t " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.total > 0 AND t.received > t.total"},
		{"code", "SELECT t.id AS row_key, t.code AS says, 'a code' AS should FROM coupon t " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.type = 2 AND t.deleted = 0 AND t.code IS NULL"},
	}
}

// holdingRules hold the coupons in shoppers' hands: one that is used is held by an order that lives and names it, any
// other is held by none, and nobody has been given more of a coupon than one shopper may have. An operator may have
// lowered that bound, so what was given out before the coupon was last changed is not held against it.
func holdingRules() []rule {
	return []rule{
		orphan("coupon_user", "coupon_id", "coupon"),
		orphan("coupon_user", "user_id", "user"),
		{"order_id", "SELECT t.id AS row_key, t.order_id AS says, " +
			"IF(t.status = 1, 'an order that lives and uses it', NULL) AS should " +
			"FROM coupon_user t LEFT JOIN orders o ON o.id = t.order_id WHERE t.id BETWEEN @lo AND @hi AND (" +
			"(t.status = 1 AND (o.id IS NULL OR o.coupon_user_id <> t.id OR o.order_status IN " + freeStates + ")) OR " +
			"(t.status <> 1 AND t.order_id IS NOT NULL))"},
		{"number of this coupon that the shopper has had", "SELECT t.id AS row_key, COUNT(h.id) AS says, " +
			"CONCAT('at most ', c.per_user_limit) AS should FROM coupon_user t JOIN coupon c ON c.id = t.coupon_id " +
			"JOIN coupon_user h ON h.user_id = t.user_id AND h.coupon_id = t.coupon_id AND h.seq <= t.seq AND h.deleted = 0 " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.deleted = 0 AND c.per_user_limit > 0 AND t.seq > c.per_user_limit " +
			"AND t.add_time >= c.update_time GROUP BY t.id, c.per_user_limit HAVING COUNT(h.id) > c.per_user_limit"},
		{"used_time", "SELECT t.id AS row_key, t.used_time AS says, 'the time of use' AS should FROM coupon_user t " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.status = 1 AND t.used_time IS NULL"},
	}
}

func grouponOfferRules() []rule {
	return []rule{
		orphan("groupon_rules", "goods_id", "goods"),
		mark("groupon_rules", "active_mark", "t.deleted = 0 AND t.status = 0"),
	}
}

// grouponRules hold the parts in groups. A part that succeeded may give its place back only with its refunded order.
func grouponRules() []rule {
	const open = "t.status IN (0, 1) OR (t.status = 2 AND t.active_mark = 0)"
	return []rule{
		orphan("groupon", "order_id", "orders"),
		orphan("groupon", "rules_id", "groupon_rules"),
		orphan("groupon", "groupon_id", "groupon"),
		mark("groupon", "active_mark", open+" OR (t.status = 2 AND t.active_mark NOT IN (0, t.id))"),
		holds("groupon", "member_count", "t.member_count",
			"(SELECT COUNT(*) FROM groupon m WHERE m.groupon_id = t.id AND m.active_mark = 0)"),
		{"status (against its order)", "SELECT t.id AS row_key, t.status AS says, " +
			"CASE o.order_status WHEN 101 THEN '0' WHEN 201 THEN '1 or 2' WHEN 202 THEN '2 or 3' WHEN 203 THEN '2 or 3' " +
			"ELSE '3' END AS should FROM groupon t JOIN orders o ON o.id = t.order_id " +
			"WHERE t.id BETWEEN @lo AND @hi AND ((o.order_status = 101 AND t.status <> 0) OR " +
			"(o.order_status IN (102, 103, 104) AND t.status <> 3) OR (o.order_status = 201 AND t.status NOT IN (1, 2)) OR " +
			"(o.order_status IN (202, 203) AND t.status NOT IN (2, 3)))"},
		{"status (against its group)", "SELECT t.id AS row_key, t.status AS says, " +
			"CONCAT('none that goes with ', g.status, ' of the group') AS should FROM groupon t " +
			"JOIN groupon g ON g.id = t.groupon_id WHERE t.id BETWEEN @lo AND @hi AND t.status IN (0, 1, 2) AND " +
			"((g.status = 0) OR (g.status = 1 AND t.status = 2) OR (g.status = 2 AND t.status = 1) OR g.status = 3)"},
	}
}
