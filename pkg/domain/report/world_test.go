package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
)

// world is a small shop whose books agree: an order in every state, with its lines, payments and history.
type world struct {
	t testing.TB
	d *db.DB
	q db.Querier
}

const noon = "'2030-01-02 12:00:00'"

func consistent(t testing.TB) world {
	d := dbtest.Open(t)
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		world{t, d, tx}.fill()
		return nil
	}))
	return world{t, d, d}
}

func (w world) fill() {
	for _, statement := range strings.Split(strings.TrimSpace(strings.ReplaceAll(shop, "NOON", noon)), ";\n") {
		w.exec(statement)
	}
	for _, o := range orders {
		w.order(o)
	}
	for _, statement := range strings.Split(strings.TrimSpace(strings.ReplaceAll(after, "NOON", noon)), ";\n") {
		w.exec(statement)
	}
	w.exec("UPDATE goods_product p SET number = (SELECT SUM(delta) FROM stock_log l WHERE l.product_id = p.id) - " +
		"COALESCE((SELECT SUM(available) FROM stock_bucket b WHERE b.product_id = p.id), 0)")
}

func (w world) exec(statement string) {
	w.t.Helper()
	require.NoError(w.t, w.q.G(w.t.Context()).Exec(statement).Error, statement)
}

// purchase is an order of one piece of product 1 and two of product 2, or of one piece of product 1 in a group.
type purchase struct {
	id, status int
	channel    string // of the successful payment
	groupon    bool
	coupon     int
	returned   bool
	actual     string
}

var orders = []purchase{
	{id: 1, status: 101, coupon: 10000001},
	{id: 2, status: 201, channel: "sandbox"},
	{id: 3, status: 102, coupon: 10000002, returned: true},
	{id: 4, status: 202, channel: "wechat"},
	{id: 5, status: 203, channel: "sandbox", returned: true},
	{id: 6, status: 301, channel: "sandbox"},
	{id: 7, status: 401, channel: "sandbox"},
	{id: 8, status: 402, channel: "sandbox", returned: true},
	{id: 9, status: 201, channel: "offline", actual: "55.00"},
	{id: 10, status: 201, channel: "sandbox", groupon: true},
	{id: 11, status: 101, groupon: true},
	{id: 12, status: 103, returned: true},
}

func (w world) order(o purchase) {
	product2, reduction, freight := 2, "0.00", "8.00"
	goods, coupon, perPiece := "50.00", "0.00", "0.00"
	if o.groupon {
		product2, goods, perPiece, reduction = 0, "7.00", "3.00", "3.00"
	}
	if o.coupon != 0 {
		coupon, reduction = "5.00", "5.00"
	}
	price := fmt.Sprintf("%s + %s - %s", goods, freight, coupon)
	actual := price
	if o.actual != "" {
		actual = o.actual
	}
	w.exec(fmt.Sprintf("INSERT INTO orders (id, user_id, order_sn, order_status, consignee, mobile, address, "+
		"goods_price, "+
		"freight_price, coupon_price, groupon_price, order_price, actual_price, coupon_user_id, add_time, update_time) "+
		"VALUES "+
		"(%d, 1, 'sn%d', %d, 'a', '1', 'b', %s, %s, %s, %s, %s, %s, %d, %s, %s)", o.id, o.id, o.status, goods, freight,
		coupon,
		perPiece, price, actual, o.coupon, noon, noon))
	w.line(o, o.id*10+1, 1, 1, "10.00", reduction)
	if product2 > 0 {
		w.line(o, o.id*10+2, 2, product2, "20.00", "0.00")
	}
	w.history(o)
	if o.channel != "" {
		w.exec(fmt.Sprintf("INSERT INTO payment (id, order_id, user_id, out_trade_no, channel, amount, paid_amount, status, "+
			"transaction_id, paid_time, add_time, update_time) SELECT id, id, 1, order_sn, '%s', actual_price, actual_price, "+
			"2, "+
			"CONCAT('txn', id), %s, %s, %s FROM orders WHERE id = %d", o.channel, noon, noon, noon, o.id))
		w.exec(fmt.Sprintf("UPDATE orders SET pay_id = CONCAT('txn', id), pay_channel = '%s', pay_time = %s WHERE id = %d",
			o.channel, noon, o.id))
	}
}

func (w world) line(o purchase, id, product, number int, price, share string) {
	w.exec(fmt.Sprintf("INSERT INTO order_goods (id, order_id, goods_id, product_id, number, price, discount_share, "+
		"specifications, add_time, update_time) VALUES (%d, %d, 1, %d, %d, %s, %s, '[]', %s, %s)", id, o.id, product, number,
		price, share, noon, noon))
	const move = "INSERT INTO stock_log (product_id, order_id, order_goods_id, reason, delta, ref_key, add_time) VALUES " +
		"(%d, %d, %d, %d, %d, 'line:%d:%s', %s)"
	w.exec(fmt.Sprintf(move, product, o.id, id, 1, -number, id, "out", noon))
	if o.returned {
		w.exec(fmt.Sprintf(move, product, o.id, id, 2, number, id, "in", noon))
	}
}

// history writes the history of the order within one moment, so that the id decides which entry is the last.
func (w world) history(o purchase) {
	ways := map[int][]int{
		101: {101}, 102: {101, 102}, 103: {101, 103}, 201: {101, 201}, 202: {101, 201, 202},
		203: {101, 201, 202, 203}, 301: {101, 201, 301}, 401: {101, 201, 301, 401}, 402: {101, 201, 301, 402},
	}
	from := 0
	for _, to := range ways[o.status] {
		w.exec(fmt.Sprintf("INSERT INTO order_status_log (order_id, from_status, to_status, actor_type, add_time) VALUES "+
			"(%d, %d, %d, 1, %s)", o.id, from, to, noon))
		from = to
	}
}

const shop = `
INSERT INTO user (id, username, username_key, add_time, update_time) VALUES (1, 'lin', 'lin', NOON, NOON), (2, 'mo',
 'mo', NOON, NOON);
INSERT INTO address (id, user_id, province, city, county, is_default, default_slot, add_time, update_time) VALUES
 (1, 1, 'p', 'c', 'd', 1, 1, NOON, NOON), (2, 1, 'p', 'c', 'd', 0, NULL, NOON, NOON);
INSERT INTO category (id, name, pid, add_time, update_time) VALUES (1, 'one', 0, NOON, NOON), (2, 'two', 1, NOON, NOON);
INSERT INTO brand (id, name, add_time, update_time) VALUES (1, 'maker', NOON, NOON);
INSERT INTO goods (id, name, name_key, category_id, brand_id, add_time, update_time) VALUES
 (1, 'cup', SHA2('cup', 256), 2, 1, NOON, NOON), (2, 'cup', NULL, 2, 0, NOON, NOON);
INSERT INTO goods_product (id, goods_id, specifications, price, add_time, update_time) VALUES
 (1, 1, '["a"]', 10, NOON, NOON), (2, 1, '["b"]', 20, NOON, NOON);
INSERT INTO goods_attribute (id, goods_id, attribute, value, add_time, update_time) VALUES (1, 1, 'a', 'b', NOON, NOON);
INSERT INTO goods_specification (id, goods_id, specification, value, add_time, update_time) VALUES (1, 1, 'a', 'b',
 NOON, NOON);
INSERT INTO stock_log (id, product_id, reason, delta, ref_key, add_time) VALUES
 (1, 1, 7, 100, 'open:1', NOON), (2, 2, 7, 100, 'open:2', NOON);
INSERT INTO stock_bucket (product_id, bucket_no, available, update_time) VALUES (2, 0, 5, NOON), (2, 1, 0, NOON);
INSERT INTO coupon (id, name, total, received, discount, type, code, add_time, update_time) VALUES
 (1, 'five', 10, 2, 5, 0, NULL, NOON, NOON), (2, 'word', 0, 1, 5, 2, 'ABCDEFGH', NOON, NOON);
INSERT INTO coupon_user (id, user_id, coupon_id, seq, status, used_time, order_id, last_order_id, add_time,
 update_time) VALUES
 (10000001, 1, 1, 1, 1, NOON, 1, NULL, NOON, NOON), (10000002, 2, 1, 1, 0, NULL, NULL, 3, NOON, NOON),
 (10000003, 1, 2, 1, 0, NULL, NULL, NULL, NOON, NOON);
INSERT INTO role (id, name, add_time, update_time) VALUES (1, 'all', NOON, NOON);
INSERT INTO permission (id, role_id, permission, add_time, update_time) VALUES (1, 1, '*', NOON, NOON);
INSERT INTO admin (id, username, username_key, password_hash, add_time, update_time) VALUES (1, 'root', 'root', 'x',
 NOON, NOON);
INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, 'p', 1, 110000), (2, 1, 'c', 2, 110100);
INSERT INTO cart (id, user_id, goods_id, product_id, add_time, update_time) VALUES (1, 1, 1, 1, NOON, NOON);
INSERT INTO storage (id, storage_key, name, type, size, add_time, update_time) VALUES (1, 'k', 'n', 't', 1, NOON, NOON)`

// The rows that refer to the orders above.
const after = `
UPDATE coupon_user SET user_id = 1, seq = 2 WHERE id = 10000002;
UPDATE coupon SET per_user_limit = 2 WHERE id = 1;
INSERT INTO payment (id, order_id, user_id, out_trade_no, channel, amount, status, active_mark, add_time,
 update_time) VALUES
 (100, 3, 1, 'sn3', 'sandbox', 53, 3, 100, NOON, NOON), (101, 1, 1, 'sn1', 'sandbox', 53, 1, 0, NOON, NOON);
INSERT INTO payment (id, order_id, user_id, out_trade_no, channel, amount, paid_amount, refunded_amount, status,
 transaction_id,
 paid_time, active_mark, add_time, update_time) VALUES (102, 12, 1, 'sn12', 'sandbox', 58, 58, 58, 5, 'late', NOON,
 102, NOON, NOON);
INSERT INTO refund (id, out_refund_no, order_id, payment_id, user_id, amount, status, done_time, active_mark,
 add_time, update_time) VALUES
 (1, 'refund_sn4', 4, 4, 1, 58, 0, NULL, 0, NOON, NOON), (2, 'refund_sn5', 5, 5, 1, 58, 2, NOON, 0, NOON, NOON),
 (3, 'refund_sn2', 2, 2, 1, 58, 4, NULL, 3, NOON, NOON), (4, 'refund_sn12', 12, 102, 1, 58, 1, NULL, 0, NOON, NOON);
UPDATE payment SET refunded_amount = 58 WHERE id = 5;
UPDATE orders SET refund_amount = 58 WHERE id = 5;
UPDATE orders SET comments = 1, aftersale_status = 1 WHERE id = 7;
INSERT INTO comment (id, value_id, user_id, order_goods_id, add_time, update_time) VALUES (1, 1, 1, 71, NOON, NOON);
UPDATE order_goods SET comment_id = 1 WHERE id = 71;
UPDATE order_goods SET comment_id = -1 WHERE order_id = 8;
UPDATE orders SET aftersale_status = 3 WHERE id = 8;
INSERT INTO aftersale (id, aftersale_sn, order_id, user_id, type, amount, status, open_mark, add_time, update_time)
 VALUES
 (1, 'as1', 7, 1, 1, 10, 1, 0, NOON, NOON), (2, 'as2', 8, 1, 2, 20, 3, 2, NOON, NOON);
INSERT INTO refund (id, out_refund_no, order_id, payment_id, aftersale_id, user_id, amount, status, done_time,
 add_time, update_time)
 VALUES (5, 'aftersale_as2', 8, 8, 2, 1, 20, 2, NOON, NOON, NOON);
UPDATE payment SET refunded_amount = 20 WHERE id = 8;
INSERT INTO groupon_rules (id, goods_id, goods_name, discount, discount_member, status, active_mark, add_time,
 update_time) VALUES
 (1, 1, 'cup', 3, 3, 0, 0, NOON, NOON), (2, 1, 'cup', 3, 3, 1, 2, NOON, NOON);
INSERT INTO groupon (id, order_id, groupon_id, rules_id, user_id, creator_user_id, status, member_count, add_time,
 update_time) VALUES
 (1, 10, NULL, 1, 1, 1, 1, 1, NOON, NOON), (2, 11, 1, 1, 2, 1, 0, 0, NOON, NOON)`
