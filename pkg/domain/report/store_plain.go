package report

// plainWalks check tables by themselves and for the rows that they refer to: no orphans, no mark of another state, one
// default address.
func plainWalks() []walk {
	walks := []walk{
		{"address", "id", addressRules()},
		{"goods", "id", []rule{
			orphans("goods", "category_id", "category"),
			orphans("goods", "brand_id", "brand"),
			holds("goods", "name_key", "t.name_key",
				"IF(t.deleted = 0 AND t.name_key IS NOT NULL, SHA2(t.name, 256), NULL)"),
		}},
		{"goods_product", "id", []rule{
			orphans("goods_product", "goods_id", "goods"),
			versionMark("goods_product", "del_mark", "t.deleted = 0"),
		}},
		{"goods_attribute", "id", []rule{orphans("goods_attribute", "goods_id", "goods")}},
		{"goods_specification", "id", []rule{
			orphans("goods_specification", "goods_id", "goods"),
		}},
		{"category", "id", []rule{
			orphans("category", "pid", "category"),
		}},
		{"region", "id", []rule{orphans("region", "pid", "region")}},
		{"cart", "id", []rule{orphans("cart", "user_id", "user"), orphans("cart", "product_id", "goods_product")}},
		{"permission", "id", []rule{
			orphans("permission", "role_id", "role"), versionMark("permission", "del_mark", "t.deleted = 0"),
		}},
		{"comment", "id", []rule{{"order_goods_id", "SELECT t.id AS row_key, t.order_goods_id AS says, " +
			"'a line with this comment' AS should FROM comment t LEFT JOIN order_goods g ON g.id = t.order_goods_id " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.order_goods_id IS NOT NULL AND NOT (g.comment_id <=> t.id)"}}},
	}
	for _, table := range []string{"user", "admin", "role", "notice_admin", "storage", "system_config"} {
		walks = append(walks, walk{table, "id", []rule{versionMark(table, "del_mark", "t.deleted = 0")}})
	}
	return walks
}

func addressRules() []rule {
	return []rule{
		orphans("address", "user_id", "user"),
		{"is_default", "SELECT t.id AS row_key, 1 AS says, CONCAT('0: address ', MIN(d.id), ' is the default') AS should " +
			"FROM address t JOIN address d ON d.user_id = t.user_id AND d.id < t.id AND d.is_default = 1 AND d.deleted = 0 " +
			"WHERE t.id BETWEEN @lo AND @hi AND t.is_default = 1 AND t.deleted = 0 GROUP BY t.id"},
		holds("address", "default_slot", "t.default_slot", "IF(t.is_default = 1 AND t.deleted = 0, 1, NULL)"),
	}
}
