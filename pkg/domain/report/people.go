package report

func peopleWalks() []walk {
	return []walk{
		{table: "user", checks: []check{
			among("status", "user_states"), among("gender", "genders"), among("user_level", "levels"),
			must("username", "t.username <> ''", "a name"),
			must("username_key", sameName+" OR t.username LIKE 'wx\\_%' AND t.username_key = CONCAT('#', t.wx_openid)",
				"the name in the form that is compared, or # and wx_openid"),
			must("password_hash", "t.password_hash IS NULL OR CHAR_LENGTH(t.password_hash) = 60", "a hash, or nothing"),
			must("deleted", "t.deleted = 0 OR NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = t.id "+
				"AND o.order_status IN @order_under_way)", "0 while an order of the shopper is under way"),
			changes(userChanges, "t.version >= "+userChanges+" - (SELECT COUNT(*) FROM orders o WHERE o.user_id = t.id "+
				"AND NOT "+placedHere("o.id")+")"),
		}},
		{table: "address", checks: addressChecks(), rules: []rule{{"is_default", `
			SELECT t.id AS row_key, 1 AS says, CONCAT('0: address ', MIN(d.id), ' is the default') AS should
			FROM address t
			JOIN address d ON d.user_id = t.user_id AND d.id < t.id AND d.is_default = 1 AND d.deleted = 0
			WHERE t.id BETWEEN @lo AND @hi AND t.is_default = 1 AND t.deleted = 0
			GROUP BY t.id`}}},
		{table: "region", checks: []check{
			among("type", "area_kinds"), must("name", "t.name <> ''", "a name"), must("code", "t.code > 0", "a code"),
			must("type", "t.type = 1 AND t.pid = 0 OR EXISTS (SELECT 1 FROM region r WHERE r.id = t.pid "+
				"AND r.type = t.type - 1)", "one below the parent"),
		}},
		{table: "collect", checks: []check{among("type", "subjects")}},
		{table: "footprint", checks: []check{
			must("view_count", "t.view_count >= 1", "1 or more"),
			must("view_time", "t.view_time >= t.add_time", "the first view or later"),
		}},
		{table: "search_history", checks: []check{
			must("keyword", "t.keyword <> ''", "a word"), must("times", "t.times >= 1", "1 or more"),
		}},
		{table: "feedback", checks: []check{
			must("content", "t.content <> ''", "a text"),
			holds("has_picture", "(COALESCE(t.pic_urls, '[]') NOT IN ('[]', ''))").mending(),
		}},
		{table: "comment", checks: commentChecks()},
		{table: "storage", checks: []check{
			among("owner_type", "owners"), must("storage_key", "t.storage_key <> ''", "a key"),
			must("size", "t.size > 0", "more than 0"), must("type", "t.type LIKE '%/%'", "a media type"),
			must("name", "t.name <> '' OR t.owner_type IN @people", "a name"),
			must("url", "t.url LIKE CONCAT('%', t.storage_key)", "an address of the key"),
			must("sha256", "t.sha256 REGEXP '^[0-9a-f]{64}$'", "a hash"),
			must("unused_since", "t.unused_since IS NULL OR t.owner_type = @by_shopper", "nothing for the shop's own"),
		}},
	}
}

// staffWalks check operators, what they may do, and their notices.
func staffWalks() []walk {
	return []walk{
		{table: "admin", checks: []check{
			among("status", "admin_states"), must("username", "t.username <> ''", "a name"),
			must("username_key", sameName, "the name in the form that is compared"),
			must("password_hash", "CHAR_LENGTH(t.password_hash) = 60", "a hash"),
			must("password_hash", "COALESCE((SELECT JSON_UNQUOTE(JSON_EXTRACT("+parsed("a.after_json")+", '$.fingerprint')) "+
				"FROM audit_log a WHERE a.target_type = 'admin' AND a.target_id = t.id AND JSON_CONTAINS_PATH("+
				parsed("a.after_json")+", 'one', '$.fingerprint') ORDER BY a.id DESC LIMIT 1) = SHA2(t.password_hash, 256), TRUE)",
				"the hash of an audit record").saying("'another hash'"),
			must("id", "t.deleted = 1 OR "+onRecord("admin", "t.id", "t.add_time", setUp("t.add_time")),
				"an operator with an audit record"),
		}},
		{table: "role", checks: []check{
			must("name", "t.name <> ''", "a name"),
			must("id", "t.deleted = 1 OR "+onRecord("role", "t.id", "t.add_time", setUp("t.add_time")+" OR EXISTS (SELECT 1 "+
				"FROM permission p JOIN admin_role h ON h.role_id = p.role_id JOIN admin a ON a.id = h.admin_id "+
				"WHERE p.role_id = t.id AND a.add_time BETWEEN t.add_time AND t.add_time + INTERVAL 1 MINUTE)"),
				"a role with an audit record, or made with its operator"),
		}},
		{table: "permission", checks: []check{
			must("permission", granted("role", "t.role_id", "t.permission", "role"), "a right with an audit record"),
			must("update_time", "t.deleted = 1 OR t.update_time = t.add_time", "as add_time"),
			must("permission", "t.permission <> ''", "a right"),
		}},
		{table: "admin_role", checks: []check{
			must("role_id", granted("admin", "t.admin_id", "t.role_id", "admin"), "a role with an audit record"),
			must("position", "t.position BETWEEN 0 AND 1000", "a position"),
		}},
		{table: "notice", checks: []check{must("title", "t.title <> ''", "a title")}},
		{table: "notice_admin", checks: []check{
			holds("notice_title", "n.title").mending().with("notice", "LEFT JOIN notice n ON n.id = t.notice_id"),
			must("deleted", "t.deleted = 1 OR n.deleted = 0", "1 for a deleted notice").
				with("notice", "LEFT JOIN notice n ON n.id = t.notice_id"),
			must("read_time", "t.read_time IS NULL OR t.read_time >= t.add_time", "add_time or later"),
		}},
	}
}

// sameName is the condition that the form in which a login name is compared is that of the name. Names that are not
// plain letters have a form that no statement computes.
const sameName = `t.username REGEXP '[^ -~]' AND t.username_key <> '' OR t.username_key = LOWER(TRIM(t.username))`

// setUp is the condition that something was made when the shop was set up, before an operator had done anything.
func setUp(at string) string {
	return at + " < (SELECT MIN(a.add_time) FROM audit_log a) OR " + at + " <= (SELECT MIN(b.add_time) FROM role b)"
}

// onRecord is the condition that an operator's change of a row at a time has an audit record, or that unless holds. The
// records of the time may have been purged, or not be kept at all. The record has the time of the call; a refund that
// it asked for is done when the platform answers, which may be days later.
func onRecord(target, id, at, unless string) string {
	return "(" + unless + ") OR " + unrecorded(at) +
		" OR " + at + " < COALESCE((SELECT MIN(a.add_time) FROM audit_log a), '9999-01-01')" +
		" OR EXISTS (SELECT 1 FROM audit_log a WHERE a.target_type = '" + target + "' AND a.target_id = " + id +
		" AND a.add_time <= " + at + " + INTERVAL 10 MINUTE)"
}

// granted is the condition that a right is as old as what has it, or named by an audit record of it.
func granted(target, id, value, owner string) string {
	return "t.add_time <= (SELECT w.add_time + INTERVAL 1 MINUTE FROM " + owner + " w WHERE w.id = " + id + ")" +
		" OR t.add_time < (SELECT MIN(a.add_time) FROM audit_log a) OR " + unrecorded("t.add_time") +
		" OR EXISTS (SELECT 1 FROM audit_log a WHERE a.target_type = '" + target + "' AND a.target_id = " + id +
		" AND CONCAT_WS(' ', a.before_json, a.after_json) REGEXP CONCAT('[^0-9a-z:*]', REPLACE(" + value +
		", '*', '[*]'), '[^0-9a-z:*]'))"
}

func addressChecks() []check {
	return []check{
		holds("default_slot", "IF(t.is_default = 1 AND t.deleted = 0, 1, NULL)"),
		must("province", "t.province <> ''", "a name"), must("city", "t.city <> ''", "a name"),
		must("county", "t.county <> ''", "a name"),
	}
}

// commentChecks compare a comment with the order line that it is about.
func commentChecks() []check {
	const line = "LEFT JOIN order_goods g ON g.id = t.order_goods_id"
	const order = "LEFT JOIN orders o ON o.id = g.order_id"
	return []check{
		among("type", "subjects"), must("star", "t.star BETWEEN 1 AND 5", "1 to 5"),
		holds("has_picture", "(COALESCE(t.pic_urls, '[]') NOT IN ('[]', ''))").mending(),
		must("order_goods_id", "t.order_goods_id IS NULL OR g.comment_id <=> t.id", "a line with this comment").
			with("order_goods", line),
		must("value_id", "g.id IS NULL OR t.type = 0 AND t.value_id = g.goods_id", "the goods of the line").
			with("order_goods", line),
		must("user_id", "g.id IS NULL OR t.user_id = o.user_id", "the shopper of the line").with("orders", line, order),
	}
}
