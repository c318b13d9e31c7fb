package report

import "strings"

func catalogWalks() []walk {
	return []walk{
		{table: "category", checks: []check{
			among("level", "category_levels"), must("name", "t.name <> ''", "a name"),
			must("pid", "(t.pid = 0) = (t.level = 'L1')", "a parent of the first level, for the second"),
			must("pid", "t.pid = 0 OR t.deleted = 1 OR EXISTS (SELECT 1 FROM category c WHERE c.id = t.pid "+
				"AND c.level = 'L1' AND c.deleted = 0)", "a live parent of the first level"),
		}},
		{table: "brand", checks: []check{must("name", "t.name <> ''", "a name")}},
		{table: "goods", checks: goodsChecks()},
		{table: "goods_product", checks: productChecks()},
		{table: "goods_attribute", checks: []check{
			must("attribute", "t.attribute <> ''", "a name"),
			must("deleted", "t.deleted = 1 OR g.deleted = 0", "1 for deleted goods").with("goods", goodsOf),
		}},
		{table: "goods_specification", checks: []check{
			must("specification", "t.specification <> ''", "a group"),
			must("deleted", "t.deleted = 1 OR g.deleted = 0", "1 for deleted goods").with("goods", goodsOf),
			must("value", "t.deleted = 1 OR EXISTS (SELECT 1 FROM goods_product p WHERE p.goods_id = t.goods_id "+
				"AND p.deleted = 0 AND JSON_CONTAINS("+parsed("p.specifications")+", JSON_QUOTE(t.value)))",
				"a value that a product has"),
		}},
		{table: "cart", checks: []check{
			must("number", "t.number >= 1", "1 or more"),
			must("goods_id", "p.goods_id = t.goods_id", "the goods of the product").with("goods_product", productOf),
			copied("goods_name", "g.name"), copied("goods_sn", "g.goods_sn"), copied("specifications", "p.specifications"),
			copied("price", "p.price"), copied("pic_url", pictureOf),
		}},
	}
}

const (
	productOf = "LEFT JOIN goods_product p ON p.id = t.product_id"
	goodsOf   = "LEFT JOIN goods g ON g.id = t.goods_id"
	pictureOf = "COALESCE(NULLIF(p.url, ''), g.pic_url)"
)

// copied is the check that a column is what a row t has copied from goods g or a product p, unless they have changed
// since. A copy may be a while older than its row.
func copied(column, source string) check {
	changed := "g.update_time"
	if strings.Contains(source, "p.") {
		changed = "GREATEST(g.update_time, p.update_time)"
	}
	return must(column, "g.id IS NULL OR p.id IS NULL OR "+changed+" >= t.add_time - INTERVAL 1 HOUR OR "+
		same(column, source), "as in the catalogue").with("goods", goodsOf, productOf)
}

// same is the condition that a column of a row t and what it was copied from are the same, where one of two addresses
// may be stored whole and of the other only the key.
func same(column, source string) string {
	key := func(address string) string {
		return "IF(" + address + " REGEXP '(^|^http.*/)[a-z2-7]{20}[.][a-z0-9]+$', SUBSTRING_INDEX(" + address +
			", '/', -1), NULL)"
	}
	equal := "t." + quoted(column) + " <=> " + source
	if column == "pic_url" {
		equal += " OR " + key("t."+column) + " = " + key(source)
	}
	return equal
}

func goodsChecks() []check {
	return []check{
		must("name", "t.name <> ''", "a name"),
		must("goods_sn", "t.goods_sn <> ''", "a number"),
		must("name_key", "t.name_key IS NULL OR t.deleted = 0 AND t.name_key = SHA2(t.name, 256)", "the hash of the name"),
		must("name_key", "t.name_key IS NOT NULL OR t.deleted = 1 OR EXISTS (SELECT 1 FROM goods o "+
			"WHERE o.name_key = SHA2(t.name, 256))", "the hash of the name, unless other goods have it"),
		must("category_id", "t.deleted = 1 OR t.category_id = 0 OR EXISTS (SELECT 1 FROM category c "+
			"WHERE c.id = t.category_id AND c.deleted = 0)", "a live category"),
		must("brand_id", "t.deleted = 1 OR t.brand_id = 0 OR EXISTS (SELECT 1 FROM brand b "+
			"WHERE b.id = t.brand_id AND b.deleted = 0)", "a live brand"),
		must("retail_price", "t.deleted = 1 OR t.retail_price <=> (SELECT MIN(p.price) FROM goods_product p "+
			"WHERE p.goods_id = t.id AND p.deleted = 0)", "the lowest price of its products"),
		must("content", "t.deleted = 1 OR EXISTS (SELECT 1 FROM goods_content c WHERE c.goods_id = t.id)",
			"a row of goods_content").saying("t.id"),
	}
}

// saying replaces the expression of what is there.
func (c check) saying(says string) check {
	c.says = says
	return c
}

func productChecks() []check {
	return []check{
		among("stock_mode", "stock_modes"),
		// Without a record nobody chose, unless the product is older than the oldest record that is kept.
		must("hot_mode", "t.hot_mode = COALESCE((SELECT JSON_VALUE("+parsed("a.after_json")+", '$.hotMode') "+
			"FROM audit_log a WHERE a.target_type = 'goods_product' AND a.target_id = t.id AND JSON_CONTAINS_PATH("+
			parsed("a.after_json")+", 'one', '$.hotMode') ORDER BY a.id DESC LIMIT 1), "+
			"IF(t.add_time < (SELECT MIN(o.add_time) FROM audit_log o) OR "+unrecorded("t.add_time")+", t.hot_mode, 0))",
			"what staff chose last"),
		must("deleted", "t.deleted = g.deleted", "as the goods").with("goods", goodsOf),
		must("spec_hash", "t.spec_hash IS NULL OR t.spec_hash = SHA2(t.specifications, 256)", "the hash of the values"),
		must("spec_hash", "t.spec_hash IS NOT NULL OR EXISTS (SELECT 1 FROM goods_product o WHERE o.goods_id = t.goods_id "+
			"AND o.spec_hash = SHA2(t.specifications, 256))", "the hash of the values, unless another product has it"),
		must("specifications",
			"t.deleted = 1 OR JSON_LENGTH("+parsed("t.specifications")+") <= (SELECT COUNT(*) FROM goods_specification s "+
				"WHERE s.goods_id = t.goods_id AND s.deleted = 0 "+
				"AND JSON_CONTAINS("+parsed("t.specifications")+", JSON_QUOTE(s.value)))",
			"values of its goods"),
		must("opening", "EXISTS (SELECT 1 FROM stock_log l WHERE l.ref_key = CONCAT('open:', t.id) "+
			"AND l.reason = @stock_opened)",
			"a row of stock_log").saying("t.id"),
	}
}
