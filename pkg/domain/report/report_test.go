package report_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/report"
)

func disagreements(t testing.TB, d *db.DB) []string {
	t.Helper()
	var all []string
	require.NoError(t, report.New(d).Verify(t.Context(), func(d report.Disagreement) error {
		all = append(all, d.String())
		return nil
	}))
	return all
}

func TestBooksThatAgreeAreSilent(t *testing.T) {
	require.Empty(t, disagreements(t, consistent(t).d))
}

// Each case corrupts one row and lists all expected disagreements: that row, and both rows if two are compared.
func TestEveryBrokenRowIsNamed(t *testing.T) {
	tests := map[string]struct {
		corrupt string
		want    string
	}{
		"stock":              {"UPDATE goods_product SET number = number + 1 WHERE id = 1", "goods_product 1: number"},
		"stock in a bucket":  {"UPDATE stock_bucket SET available = 6 WHERE bucket_no = 0", "goods_product 2: number"},
		"stock never opened": {"DELETE FROM stock_log WHERE id = 1", "goods_product 1: number"},
		"line never taken": {
			"DELETE FROM stock_log WHERE ref_key = 'line:21:out'",
			"goods_product 1: number; order_goods 21: taken from stock is never",
		},
		"line not given back": {
			"DELETE FROM stock_log WHERE ref_key = 'line:31:in'",
			"goods_product 1: number; order_goods 31: given back to stock is never",
		},
		"line given back though it was sold": {
			"INSERT INTO stock_log (product_id, order_id, order_goods_id, reason, delta, ref_key, add_time) VALUES " +
				"(1, 2, 21, 5, 1, 'line:21:in', " + noon + ")",
			"goods_product 1: number; order_goods 21: given back to stock is once, should be never",
		},
		"goods returned after sale, not given back": {
			"DELETE FROM stock_log WHERE ref_key = 'line:82:in'",
			"goods_product 2: number; order_goods 82: given back to stock is never",
		},
		"ledger row of another quantity": {
			"UPDATE stock_log SET delta = -2 WHERE ref_key = 'line:21:out'",
			"goods_product 1: number; stock_log 5: delta is -2, should be -1",
		},
		"ledger row of another product": {
			"UPDATE stock_log SET product_id = 2 WHERE ref_key = 'line:21:out'",
			"goods_product 1: number; goods_product 2: number; stock_log 5: product_id/order_id is 2/2, should be 1/2",
		},
		"ledger row under another key": {
			"UPDATE stock_log SET ref_key = 'x' WHERE ref_key = 'line:21:out'",
			"stock_log 5: ref_key is x, should be line:21:out; order_goods 21: taken from stock",
		},
		"ledger row of no product": {
			"INSERT INTO stock_log (product_id, reason, delta, ref_key, add_time) VALUES (99, 7, 1, 'open:99', " + noon + ")",
			"stock_log 33: product_id is 99",
		},
		"bucket of no product": {
			"INSERT INTO stock_bucket (product_id, bucket_no, available, update_time) VALUES (99, 3, 0, " + noon + ")",
			"stock_bucket 99/3: product_id is 99",
		},

		"price of the goods": {"UPDATE orders SET goods_price = 51, order_price = order_price + 1, actual_price = " +
			"actual_price + 1 WHERE id = 1", "orders 1: goods_price is 51.00, should be 50.00"},
		"price of the order": {"UPDATE orders SET order_price = 52, integral_price = -1 WHERE id = 1", "orders 1: " +
			"order_price is 52.00, should be 53.00"},
		"price to pay": {"UPDATE orders SET actual_price = 1 WHERE id = 1", "orders 1: actual_price is 1.00, " +
			"should be 53.00"},
		"share of the reductions": {"UPDATE order_goods SET discount_share = 4 WHERE id = 11", "orders 1: discount_share " +
			"of its lines is 4.00, should be 5.00"},
		"line's price": {
			"UPDATE order_goods SET price = 11 WHERE id = 11",
			"orders 1: goods_price is 50.00, should be 51.00",
		},
		"line's quantity": {
			"UPDATE order_goods SET number = 0 WHERE id = 11",
			"stock_log 3: delta; orders 1: goods_price; order_goods 11: number is 0",
		},
		"groupon without a part": {
			"DELETE FROM groupon WHERE id = 2",
			"orders 11: groupon_price; groupon 1: member_count is 1, should be 0",
		},
		"order without lines": {
			"UPDATE order_goods SET order_id = 99 WHERE order_id = 11",
			"stock_log 28: product_id/order_id is 1/11; orders 11: goods_price is 7.00, should be nothing; " +
				"order_goods 111: order_id is 99",
		},

		"coupon of another order": {
			"UPDATE coupon_user SET order_id = 2 WHERE id = 10000001",
			"orders 1: coupon_user_id; coupon_user 10000001: order_id is 2",
		},
		"coupon free while its order lives": {
			"UPDATE coupon_user SET order_id = NULL, status = 0 WHERE id = 10000001", "orders 1: coupon_user_id",
		},
		"coupon still used after the order was cancelled": {
			"UPDATE coupon_user SET order_id = 3, status = 1, used_time = add_time WHERE id = 10000002",
			"orders 3: coupon_user_id; coupon_user 10000002: order_id is 3",
		},
		"coupon used by no order": {
			"UPDATE coupon_user SET status = 1, used_time = add_time WHERE id = 10000003", "coupon_user 10000003: order_id is " +
				"nothing",
		},
		"coupon free but held": {"UPDATE coupon_user SET order_id = 2 WHERE id = 10000003", "coupon_user 10000003: " +
			"order_id is 2, should be nothing"},
		"coupons given out": {"UPDATE coupon SET received = 3 WHERE id = 1", "coupon 1: received is 3, should be 2"},
		"more coupons than there": {"UPDATE coupon SET total = 1 WHERE id = 1", "coupon 1: received is 2, should be at " +
			"most 1"},
		"more coupons than one may have": {
			"UPDATE coupon SET per_user_limit = 1 WHERE id = 1",
			"coupon_user 10000002: number of this coupon that the shopper has had is 2, should be at most 1",
		},
		"coupon of no kind": {
			"UPDATE coupon_user SET coupon_id = 99 WHERE id = 10000003",
			"coupon 2: received is 1, should be 0; coupon_user 10000003: coupon_id is 99",
		},
		"code coupon without code": {"UPDATE coupon SET code = NULL WHERE id = 2", "coupon 2: code is nothing"},

		"paid order without payment": {
			"DELETE FROM payment WHERE id = 6", "orders 6: successful payments is 0, should be 1; orders 6: pay_time",
		},
		"unpaid order with payment": {
			"UPDATE payment SET status = 2, paid_amount = 53, paid_time = add_time WHERE id = 101",
			"orders 1: successful payments is 1, should be 0; orders 1: pay_channel; orders 1: pay_time is nothing",
		},
		"payment of another amount": {"UPDATE payment SET paid_amount = 57 WHERE id = 6", "orders 6: actual_price " +
			"(against its payment) is 58.00, should be 57.00"},
		"payment of another number": {"UPDATE payment SET transaction_id = 'other' WHERE id = 6", "orders 6: pay_id is " +
			"txn6, should be other"},
		"payment of another channel": {"UPDATE payment SET channel = 'wechat' WHERE id = 6", "orders 6: pay_channel is " +
			"sandbox, should be wechat"},
		"payment of another shopper": {"UPDATE payment SET user_id = 2 WHERE id = 6", "payment 6: user_id is 2, should be 1"},
		"payment without a time":     {"UPDATE payment SET paid_time = NULL WHERE id = 6", "payment 6: paid_time"},
		"payment of no order": {
			"UPDATE payment SET order_id = 99 WHERE id = 100", "payment 100: order_id is 99",
		},
		"refunded amount": {"UPDATE payment SET refunded_amount = 1 WHERE id = 5", "payment 5: refunded_amount " +
			"is 1.00, should be 58.00"},
		"refunded more than paid": {"UPDATE payment SET paid_amount = 57 WHERE id = 102", "payment 102: refunded_amount " +
			"is 58.00, should be at most 57.00"},
		"refund of a refunded order": {"UPDATE orders SET refund_amount = 1 WHERE id = 5", "orders 5: refund_amount is " +
			"1.00, should be 58.00"},
		"refunded order without refund": {
			"DELETE FROM refund WHERE id = 2", "orders 5: refund_amount is 58.00, should be nothing; payment 5: refunded_amount",
		},
		"refund asked for without refund": {"DELETE FROM refund WHERE id = 1", "orders 4: refunds under way is 0, should " +
			"be 1"},
		"refund under way of a paid order": {
			"UPDATE refund SET status = 0, active_mark = 0 WHERE id = 3", "orders 2: refunds under way is 1, should be 0",
		},
		"late money kept": {
			"DELETE FROM refund WHERE id = 4", "payment 102: refunded_amount; payment 102: refund of money that came too late " +
				"is nothing",
		},
		"refund of no payment": {
			"UPDATE refund SET payment_id = 99 WHERE id = 3", "refund 3: payment_id is 99",
		},
		"refund done at no time": {"UPDATE refund SET done_time = NULL WHERE id = 2", "refund 2: done_time is nothing"},
		"after-sale refund": {
			"UPDATE refund SET amount = 19 WHERE id = 5", "payment 8: refunded_amount; aftersale 2: refund is 19.00, should " +
				"be 20.00",
		},

		"refunded case without refund": {
			"DELETE FROM refund WHERE id = 5", "payment 8: refunded_amount; aftersale 2: refund is nothing, should be 20.00",
		},
		"refunded case whose refund failed": {
			"UPDATE refund SET status = 3 WHERE id = 5", "payment 8: refunded_amount; aftersale 2: refund is nothing, should " +
				"be 20.00",
		},
		"refund of a case that is not refunded": {
			"UPDATE refund SET order_id = 7, payment_id = 7, aftersale_id = 1 WHERE id = 5",
			"payment 7: refunded_amount; payment 8: refunded_amount; refund 5: status (against its case) is 2, should be " +
				"not done while the case is in 1; aftersale 2: refund is nothing",
		},
		"more back after the sale than the goods have cost": {
			"UPDATE refund r JOIN aftersale a ON a.id = r.aftersale_id JOIN payment p ON p.id = r.payment_id " +
				"SET r.amount = 50.01, a.amount = 50.01, p.refunded_amount = 50.01",
			"orders 8: refunds after the sale is 50.01, should be at most 50.00",
		},
		"more to go back after the sale than the goods have cost": {
			"INSERT INTO refund (id, out_refund_no, order_id, payment_id, aftersale_id, user_id, amount, status, active_mark, " +
				"add_time, update_time) VALUES (6, 'x', 8, 8, 1, 1, 30.01, 0, 0, " + noon + ", " + noon + ")",
			"orders 8: refunds after the sale is 50.01, should be at most 50.00",
		},
		"case of another shopper": {
			"UPDATE aftersale SET user_id = 2 WHERE id = 1", "aftersale 1: user_id is 2, should be 1",
		},
		"case of an order that was not received": {
			"UPDATE aftersale SET order_id = 6 WHERE id = 1",
			"orders 6: aftersale_status is 0, should be 1; orders 7: aftersale_status is 1, should be 0; " +
				"aftersale 1: order_status of its order is 301, should be 401 or 402",
		},
		"case of no order": {
			"UPDATE aftersale SET order_id = 99 WHERE id = 1",
			"orders 7: aftersale_status is 1, should be 0; aftersale 1: order_id is 99",
		},
		"deleted case": {
			"UPDATE aftersale SET deleted = 1, open_mark = id WHERE id = 1", "orders 7: aftersale_status is 1, should be 0",
		},
		"state of a case": {
			"UPDATE aftersale SET status = 2 WHERE id = 1", "orders 7: aftersale_status is 1, should be 2",
		},

		"state against history": {
			"UPDATE orders SET order_status = 301 WHERE id = 2", "orders 2: order_status (against order_status_log) is 301, " +
				"should be 201",
		},
		"order without history": {
			"DELETE FROM order_status_log WHERE order_id = 2", "orders 2: order_status (against order_status_log) is 201, " +
				"should be nothing",
		},
		"history of no order": {
			"INSERT INTO order_status_log (order_id, from_status, to_status, actor_type, add_time) VALUES (99, 0, 101, 1, " +
				noon + ")",
			"order_status_log 31: order_id is 99",
		},
		"lines open for comments": {"UPDATE orders SET comments = 2 WHERE id = 7", "orders 7: comments is 2, should be 1"},
		"comment of a line": {
			"UPDATE order_goods SET comment_id = 9 WHERE id = 71",
			"order_goods 71: comment_id is 9; comment 1: order_goods_id is 71",
		},
		"after-sale state": {"UPDATE orders SET aftersale_status = 2 WHERE id = 7", "orders 7: aftersale_status is 2, " +
			"should be 1"},
		"members of a group": {"UPDATE groupon SET member_count = 2 WHERE id = 1", "groupon 1: member_count is 2, " +
			"should be 1"},
		"part of an unpaid order": {
			"UPDATE groupon SET status = 1 WHERE id = 2", "groupon 2: status (against its order) is 1, should be 0",
		},
		"part without its group": {
			"UPDATE groupon SET groupon_id = 99 WHERE id = 2", "groupon 1: member_count; groupon 2: groupon_id is 99",
		},
		"two default addresses": {
			"UPDATE address SET is_default = 1 WHERE id = 2",
			"address 2: is_default is 1, should be 0: address 1 is the default; address 2: default_slot is nothing, should be 1",
		},
		"default that is none": {"UPDATE address SET default_slot = NULL WHERE id = 1", "address 1: default_slot is " +
			"nothing, should be 1"},
		"mark of a payment": {"UPDATE payment SET active_mark = 6 WHERE id = 6", "payment 6: active_mark is 6, should " +
			"be 0"},
		"mark of a closed one": {"UPDATE payment SET active_mark = 7 WHERE id = 100", "payment 100: active_mark is 7, " +
			"should be 100"},
		"mark of a refund": {"UPDATE refund SET active_mark = 1 WHERE id = 1", "refund 1: active_mark is 1, should " +
			"be 0"},
		"mark of a case": {"UPDATE aftersale SET open_mark = 1 WHERE id = 1", "aftersale 1: open_mark is 1, should " +
			"be 0"},
		"mark of an offer": {"UPDATE groupon_rules SET active_mark = 9 WHERE id = 2", "groupon_rules 2: active_mark " +
			"is 9, should be 2"},
		"mark of a part": {"UPDATE groupon SET active_mark = 2 WHERE id = 2", "groupon 1: member_count; groupon 2: " +
			"active_mark is 2, should be 0"},
		"mark of a product": {"UPDATE goods_product SET del_mark = 1 WHERE id = 1", "goods_product 1: del_mark is 1, " +
			"should be 0"},
		"mark of a coupon":      {"UPDATE coupon SET deleted = 1 WHERE id = 2", "coupon 2: del_mark is 0, should be 2"},
		"mark of a shopper":     {"UPDATE user SET del_mark = 2 WHERE id = 1", "user 1: del_mark is 2, should be 0"},
		"mark of an operator":   {"UPDATE admin SET del_mark = 2 WHERE id = 1", "admin 1: del_mark"},
		"mark of a role":        {"UPDATE role SET del_mark = 2 WHERE id = 1", "role 1: del_mark"},
		"mark of a grant":       {"UPDATE permission SET del_mark = 2 WHERE id = 1", "permission 1: del_mark"},
		"mark of an object":     {"UPDATE storage SET del_mark = 2 WHERE id = 1", "storage 1: del_mark"},
		"name owned":            {"UPDATE goods SET name = 'jug' WHERE id = 1", "goods 1: name_key"},
		"name of deleted goods": {"UPDATE goods SET deleted = 1 WHERE id = 1", "goods 1: name_key"},
		"product of no goods":   {"UPDATE goods_product SET goods_id = 99 WHERE id = 1", "goods_product 1: goods_id is 99"},
		"attribute of no goods": {"UPDATE goods_attribute SET goods_id = 99", "goods_attribute 1: goods_id is 99"},
		"value of no goods":     {"UPDATE goods_specification SET goods_id = 99", "goods_specification 1: goods_id is 99"},
		"goods of no category":  {"UPDATE goods SET category_id = 99 WHERE id = 1", "goods 1: category_id is 99"},
		"goods of no brand":     {"UPDATE goods SET brand_id = 99 WHERE id = 1", "goods 1: brand_id is 99"},
		"category of no parent": {"UPDATE category SET pid = 99 WHERE id = 2", "category 2: pid is 99"},
		"region of no parent":   {"UPDATE region SET pid = 99 WHERE id = 2", "region 2: pid is 99"},
		"grant of no role":      {"UPDATE permission SET role_id = 99", "permission 1: role_id is 99"},
		"address of nobody":     {"UPDATE address SET user_id = 99 WHERE id = 2", "address 2: user_id is 99"},
		"cart of nobody":        {"UPDATE cart SET user_id = 99", "cart 1: user_id is 99"},
		"offer on no goods":     {"UPDATE groupon_rules SET goods_id = 99 WHERE id = 2", "groupon_rules 2: goods_id is 99"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := consistent(t)
			w.exec(tt.corrupt)
			got := disagreements(t, w.d)
			want := strings.Split(tt.want, "; ")
			require.Len(t, got, len(want), "%s", strings.Join(got, "\n"))
			for _, part := range want {
				require.Contains(t, strings.Join(got, "\n"), part)
			}
		})
	}
}

func TestVerifyWalksInRanges(t *testing.T) {
	w := consistent(t)
	w.exec("UPDATE orders SET comments = 9")
	s := report.New(w.d)
	s.SetSpan(3)
	var keys []string
	require.NoError(t, s.Verify(t.Context(), func(d report.Disagreement) error {
		keys = append(keys, d.Key)
		return nil
	}))
	require.Equal(t, strings.Split("1 2 3 4 5 6 7 8 9 10 11 12", " "), keys, "each row once, whatever the span")
}

func TestVerifyEndsWhereItsCallerDoes(t *testing.T) {
	w := consistent(t)
	w.exec("UPDATE orders SET comments = 9")
	enough := errors.New("enough")
	n := 0
	err := report.New(w.d).Verify(t.Context(), func(report.Disagreement) error {
		n++
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, n)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, report.New(w.d).Verify(ctx, nil), context.Canceled)
}
