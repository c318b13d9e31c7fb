package app_test

import (
	"github.com/stretchr/testify/require"
)

// grown turns the ten rows of each table of a list into a thousand, including the shopper's own.
func (m *filledShop) grown() *filledShop {
	m.t.Helper()
	m.times = 100
	const product = " SELECT id, '[]', 100, 1000, add_time, update_time FROM goods WHERE id NOT IN (SELECT goods_id FROM goods_product)"
	m.grow("brand", "name", "t.name")
	m.grow("category", "name, pid, level", "t.name, t.pid, t.level")
	m.grow("topic", "title, price, goods", "t.title, t.price, t.goods")
	m.grow("issue", "question, answer", "t.question, t.answer")
	m.grow("ad", "name, url, position, enabled", "t.name, t.url, t.position, t.enabled")
	m.grow("comment", "value_id, type, user_id, content, star, pic_urls",
		"t.value_id, t.type, t.user_id, t.content, t.star, t.pic_urls")
	m.grow("goods_attribute", "goods_id, attribute, value", "t.goods_id, CONCAT(t.attribute, '-', n.i), t.value")
	m.grow("goods", "name, category_id, brand_id, is_on_sale, is_new, is_hot, retail_price",
		"t.name, t.category_id, t.brand_id, t.is_on_sale, t.is_new, t.is_hot, t.retail_price")
	m.fillUp("goods_product", "goods_id, specifications, price, number, add_time, update_time", product)
	m.fillUp("goods_term", "goods_id, term", "SELECT g.id, t.term FROM goods g JOIN (SELECT DISTINCT term FROM goods_term) t")
	m.fillUp("groupon_rules", "goods_id, goods_name, discount, discount_member, expire_time, add_time, update_time",
		"SELECT g.id, r.goods_name, r.discount, r.discount_member, r.expire_time, r.add_time, r.update_time FROM goods g "+
			"JOIN (SELECT * FROM groupon_rules ORDER BY id LIMIT 1) r")
	m.fillUp("region", "pid, name, type, code", "SELECT t.pid, t.name, t.type, t.code FROM region t JOIN topic LIMIT 990")
	m.grow("address", "user_id, name, province, city, county, address_detail, area_code, tel",
		"t.user_id, t.name, t.province, t.city, t.county, t.address_detail, t.area_code, t.tel")
	m.grow("coupon", "name, discount, min_amount, per_user_limit, days",
		"t.name, t.discount, t.min_amount, t.per_user_limit, t.days")
	m.fillUp("coupon_user", "user_id, coupon_id, seq, start_time, end_time, add_time, update_time",
		"SELECT u.user_id, c.id, 1, u.start_time, u.end_time, u.add_time, u.update_time FROM coupon c "+
			"JOIN (SELECT * FROM coupon_user ORDER BY id LIMIT 1) u")
	m.growOrders()
	return m
}

// grow adds rows to a table until there are m.times as many. values are the columns of a new row, where t is the
// original row and n.i distinguishes its copies.
func (m *filledShop) grow(table, columns, values string) {
	m.t.Helper()
	if m.times == 1 {
		return
	}
	m.Domain.Exec("INSERT INTO `"+table+"` ("+columns+", add_time, update_time) WITH RECURSIVE n AS "+
		"(SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) SELECT "+values+", t.add_time, t.update_time "+
		"FROM `"+table+"` t CROSS JOIN n", m.times)
	m.many(table)
}

// fillUp inserts the rows of a query that do not exist yet.
func (m *filledShop) fillUp(table, columns, query string) {
	m.t.Helper()
	if m.times == 1 {
		return
	}
	m.Domain.Exec("INSERT IGNORE INTO `" + table + "` (" + columns + ") " + query)
	m.many(table)
}

func (m *filledShop) many(table string) {
	m.t.Helper()
	require.GreaterOrEqual(m.t, m.Domain.Int("SELECT COUNT(*) FROM `"+table+"`"), int64(m.n*m.times), table)
}

// growOrders copies the shopper's orders with their lines. A copy refers to nothing but the original order.
func (m *filledShop) growOrders() {
	m.t.Helper()
	m.grow("orders", "user_id, order_sn, src_order_sn, order_status, consignee, mobile, address, goods_price, "+
		"freight_price, coupon_price, order_price, actual_price",
		"t.user_id, CONCAT(t.order_sn, '-', n.i), t.order_sn, t.order_status, t.consignee, t.mobile, t.address, "+
			"t.goods_price, t.freight_price, t.coupon_price, t.order_price, t.actual_price")
	m.fillUp("order_goods", "order_id, goods_id, goods_name, product_id, number, price, specifications, add_time, update_time",
		"SELECT o.id, l.goods_id, l.goods_name, l.product_id, l.number, l.price, l.specifications, l.add_time, l.update_time "+
			"FROM orders o JOIN orders f ON f.order_sn = o.src_order_sn JOIN order_goods l ON l.order_id = f.id")
}

// growTraces turns the ten traces of each kind into a thousand.
func (m *filledShop) growTraces() {
	m.t.Helper()
	m.grow("keyword", "keyword, is_hot, is_default", "CONCAT(t.keyword, '-', n.i), t.is_hot, t.is_default")
	m.grow("search_history", "user_id, keyword, source", "t.user_id, CONCAT(t.keyword, '-', n.i), t.source")
	for _, kind := range []string{"0, g.add_time, g.update_time FROM goods g", "1, g.add_time, g.update_time FROM topic g"} {
		m.fillUp("collect", "value_id, user_id, type, add_time, update_time", "SELECT g.id, 1, "+kind)
	}
	m.fillUp("footprint", "goods_id, user_id, view_time, add_time, update_time",
		"SELECT g.id, 1, g.add_time, g.add_time, g.update_time FROM goods g")
}

// growGroups turns the copies of the opener's orders into groups, and gives one of these groups as many joiners.
func (m *filledShop) growGroups(first int64) {
	m.t.Helper()
	m.fillUp("groupon", "order_id, rules_id, user_id, creator_user_id, status, add_time, update_time",
		"SELECT o.id, g.rules_id, o.user_id, o.user_id, 1, g.add_time, g.update_time FROM orders o "+
			"JOIN (SELECT * FROM groupon ORDER BY id LIMIT 1) g WHERE o.src_order_sn IS NOT NULL")
	m.Domain.Exec("INSERT INTO groupon (order_id, groupon_id, rules_id, user_id, creator_user_id, status, add_time, update_time) "+
		"SELECT 1000000 + id, ?, rules_id, 1000000 + id, ?, 1, add_time, update_time FROM groupon", first, m.lin)
}

// growCases gives each of the shopper's first orders a withdrawn after-sale case.
func (m *filledShop) growCases() {
	m.t.Helper()
	m.Domain.Exec("INSERT INTO aftersale (aftersale_sn, order_id, user_id, type, reason, amount, pictures, status, open_mark, "+
		"add_time, update_time) SELECT order_sn, id, user_id, 2, 'x', 1, '[]', 5, id, add_time, update_time FROM orders "+
		"WHERE user_id = ? ORDER BY id LIMIT ?", m.lin, m.n*m.times)
	m.many("aftersale")
}
