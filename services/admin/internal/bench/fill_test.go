package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// orders is the length of the measured list, batch the number of orders that one statement inserts.
	orders = 1_000_000
	batch  = 50_000
)

// numbers are those from 0 to batch-1.
const numbers = "(WITH d AS (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 " +
	"UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) " +
	"SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM d a, d b, d c, d d, d e WHERE e.n < 5) x"

// consignee is the name of the recipient of order n: one of 20 family names, 50 and 50 characters.
const consignee = "CONCAT(SUBSTRING('王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗', 1 + n % 20, 1), " +
	"SUBSTRING('一丁七万三上下丰丹久义之乐书云亚京亦亨人仁今介从仕令仪任伊休伟传伦伯佑佳依侃俊保信修倩健傲元光克兰其', 1 + n DIV 20 % 50, 1), " +
	"SUBSTRING('典军冬冰凡凤凯刚利力勇勤北华南博卫卿厚原友双发同向君启周和咏哲唐善喜嘉国圆坚坤垚城培堂增声夏天奇好如', 1 + n DIV 1000 % 50, 1))"

// The states of orders are distributed as in a healthy shop.
const order = "INSERT INTO orders (id, user_id, order_sn, order_status, consignee, mobile, address, goods_price, " +
	"freight_price, coupon_price, order_price, actual_price, add_time, update_time) SELECT n, 1 + n * 7919 % 50000, " +
	"CONCAT('2025', LPAD(n, 12, '0')), CASE WHEN n % 500 = 1 THEN 203 WHEN n % 100 < 60 THEN 401 WHEN n % 100 < 80 THEN 402 " +
	"WHEN n % 100 < 85 THEN 102 WHEN n % 100 < 91 THEN 103 WHEN n % 100 < 97 THEN 301 ELSE 201 END, " +
	consignee + ", '13900000000', '上海市市辖区徐汇区 测试路1号', 100, 8, 0, 108, 108, " +
	"'2025-01-01' + INTERVAL n * 30 SECOND, '2025-01-01' + INTERVAL n * 30 SECOND FROM (SELECT n + ? AS n FROM " + numbers +
	") y ORDER BY n"

const line = "INSERT INTO order_goods (order_id, goods_id, goods_name, goods_sn, product_id, number, price, specifications, " +
	"pic_url, add_time, update_time) SELECT id, 1, '商品', 'sn', 1, 1, 100, '[]', '', add_time, add_time FROM orders " +
	"WHERE id BETWEEN ? AND ?"

// fill inserts the missing orders, each with a line.
func (s *shop) fill(b *testing.B) {
	b.Helper()
	have := 0
	require.NoError(b, s.db.QueryRowContext(b.Context(), "SELECT COALESCE(MAX(id), 0) FROM orders").Scan(&have))
	for ; have < orders; have += batch {
		_, err := s.db.ExecContext(b.Context(), order, have+1)
		require.NoError(b, err)
		_, err = s.db.ExecContext(b.Context(), line, have+1, have+batch)
		require.NoError(b, err)
	}
	_, err := s.db.ExecContext(b.Context(), "ANALYZE TABLE orders, order_goods")
	require.NoError(b, err)
}
