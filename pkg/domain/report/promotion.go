package report

func couponRules() []rule {
	return []rule{
		versionMark("coupon", "del_mark", "t.deleted = 0"),
		holds("coupon", "received", "t.received",
			"(SELECT COUNT(*) FROM coupon_user c WHERE c.coupon_id = t.id AND c.deleted = 0)"),
		{"received", `SELECT t.id AS row_key, t.received AS says, CONCAT('at most ', t.total) AS should
			FROM coupon t
			WHERE t.id BETWEEN @lo AND @hi AND t.total > 0 AND t.received > t.total`},
		{"code", `SELECT t.id AS row_key, t.code AS says, 'a code' AS should
			FROM coupon t
			WHERE t.id BETWEEN @lo AND @hi AND t.type = @coupon_code AND t.deleted = 0 AND t.code IS NULL`},
	}
}

// holdingRules check user coupons: a used one belongs to an order that has not ended and names it, any other to none,
// and nobody has more of a coupon than its limit per shopper. An operator may have lowered that limit, so coupons
// received before the last change do not count against it.
func holdingRules() []rule {
	return []rule{
		orphans("coupon_user", "coupon_id", "coupon"),
		orphans("coupon_user", "user_id", "user"),
		{"order_id", `SELECT t.id AS row_key, t.order_id AS says,
				IF(t.status = @coupon_used, 'an order that lives and uses it', NULL) AS should
			FROM coupon_user t
			LEFT JOIN orders o ON o.id = t.order_id
			WHERE t.id BETWEEN @lo AND @hi
				AND (
					(
						t.status = @coupon_used
							AND (o.id IS NULL OR o.coupon_user_id <> t.id OR o.order_status IN @order_free))
						OR (t.status <> @coupon_used AND t.order_id IS NOT NULL))`},
		{"number of this coupon that the shopper has had", `
			SELECT t.id AS row_key, COUNT(h.id) AS says, CONCAT('at most ', c.per_user_limit) AS should
			FROM coupon_user t
			JOIN coupon c ON c.id = t.coupon_id
			JOIN coupon_user h ON h.user_id = t.user_id
				AND h.coupon_id = t.coupon_id
				AND h.seq <= t.seq
				AND h.deleted = 0
			WHERE t.id BETWEEN @lo AND @hi
				AND t.deleted = 0
				AND c.per_user_limit > 0
				AND t.seq > c.per_user_limit
				AND t.add_time >= c.update_time
			GROUP BY t.id, c.per_user_limit
			HAVING COUNT(h.id) > c.per_user_limit`},
		{"used_time", `SELECT t.id AS row_key, t.used_time AS says, 'the time of use' AS should
			FROM coupon_user t
			WHERE t.id BETWEEN @lo AND @hi AND t.status = @coupon_used AND t.used_time IS NULL`},
	}
}

func grouponOfferRules() []rule {
	return []rule{
		orphans("groupon_rules", "goods_id", "goods"),
		versionMark("groupon_rules", "active_mark", "t.deleted = 0 AND t.status = @offer_on"),
	}
}

// grouponRules check group members. A member who succeeded may release the place only with a refunded order.
func grouponRules() []rule {
	const open = "t.status IN @part_open OR (t.status = @part_succeeded AND t.active_mark = 0)"
	return []rule{
		orphans("groupon", "order_id", "orders"),
		orphans("groupon", "rules_id", "groupon_rules"),
		orphans("groupon", "groupon_id", "groupon"),
		versionMark("groupon", "active_mark", open+" OR (t.status = @part_succeeded AND t.active_mark NOT IN (0, t.id))"),
		holds("groupon", "member_count", "t.member_count",
			"(SELECT COUNT(*) FROM groupon m WHERE m.groupon_id = t.id AND m.active_mark = 0)"),
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
