package seed

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
)

const someRows = 20_000 // enough to choose from, and small enough for memory

func someOffers(ctx context.Context, q db.Querier) ([]offer, error) {
	var all []offer
	err := table.Scan(ctx, q, &all, `SELECT p.id AS product_id, p.goods_id, g.name, g.goods_sn AS sn,
			COALESCE(g.pic_url, '') AS pic_url, p.specifications, p.price
		FROM goods_product p
		JOIN goods g ON g.id = p.goods_id
		WHERE p.deleted = 0 AND g.deleted = 0
		ORDER BY p.id
		LIMIT ?`, someRows)
	return all, err
}

// someBuyers returns shoppers in the order of their registration; those without an address get a generated one.
func someBuyers(ctx context.Context, q db.Querier) ([]buyer, error) {
	var all []buyer
	err := table.Scan(ctx, q, &all, `SELECT u.id, COALESCE(a.name, '测试收货人') AS name,
			COALESCE(a.tel, '13900000000') AS mobile,
			COALESCE(CONCAT(a.province, a.city, a.county, ' ', a.address_detail),
				'上海市市辖区徐汇区 测试路1号') AS detail,
			u.add_time
		FROM user u
		LEFT JOIN address a ON a.user_id = u.id AND a.is_default = 1 AND a.deleted = 0
		WHERE u.deleted = 0
		ORDER BY u.id
		LIMIT ?`, someRows)
	slices.SortStableFunc(all, func(a, b buyer) int { return a.AddTime.Compare(b.AddTime) })
	return all, err
}

func orderCount(ctx context.Context, q db.Querier) (int64, int64, error) {
	var r struct{ Have, Last int64 }
	err := table.Scan(ctx, q, &r, "SELECT COUNT(*) AS have, COALESCE(MAX(id), 0) AS last FROM orders")
	return r.Have, r.Last, err
}

func lastOrder(ctx context.Context, q db.Querier) (id int64, err error) {
	err = table.Scan(ctx, q, &id, "SELECT COALESCE(MAX(id), 0) FROM orders")
	return id, err
}

// insertOrders writes orders with all their rows. The ids are read back by the order numbers, and dependent rows are
// derived in SQL.
func insertOrders(ctx context.Context, tx *db.Tx, list []madeOrder) error {
	err := insert(ctx, tx, `INSERT INTO orders (
			user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price, coupon_price,
				order_price, actual_price, pay_channel, pay_id, pay_time, ship_sn, ship_channel, ship_time,
				refund_amount, refund_type, refund_content, refund_time, confirm_time, end_time, add_time,
				update_time)`, list, orderValues)
	if err != nil {
		return err
	}
	all, err := numberOrders(ctx, tx, list)
	if err != nil {
		return err
	}
	if err := insertLines(ctx, tx, list); err != nil {
		return err
	}
	var history []step
	for _, o := range list {
		history = append(history, o.history()...)
	}
	err = insert(ctx, tx, `
		INSERT INTO order_status_log (order_id, from_status, to_status, actor_type, actor_id, add_time)`, history,
		func(s step) []any { return []any{s.order, s.from, s.to, s.by, s.who, s.at} })
	if err != nil {
		return err
	}
	return derive(ctx, tx, all)
}

func orderValues(o madeOrder) []any {
	total := o.goods + o.freight
	var channel, txn, parcel, carrier, back, way, returned any
	if o.paidAt() != nil {
		channel, txn = sandbox.Code, "made"+o.sn
	}
	if o.shippedAt() != nil {
		parcel, carrier = "SF"+o.sn, "YTO"
	}
	if o.status == refunded {
		back, way, returned = total, new(sandbox.Section).Info().RefundName.Stored(), "made"+o.sn
	}
	return []any{
		o.buyer.ID, o.sn, o.status, o.buyer.Name, o.buyer.Mobile, o.buyer.Detail, o.goods, o.freight, 0, total, total,
		channel, txn, o.paidAt(), parcel, carrier, o.shippedAt(), back, way, returned, refundTime(o), o.confirmedAt(),
		o.endedAt(), o.placed, o.placed,
	}
}

func refundTime(o madeOrder) any {
	if o.status == refunded {
		return o.endedAt()
	}
	return nil
}

func numberOrders(ctx context.Context, tx *db.Tx, list []madeOrder) ([]int64, error) {
	numbered, err := idsBy(ctx, tx, "SELECT id, order_sn AS word FROM orders WHERE order_sn IN ?", list,
		func(o madeOrder) string { return o.sn })
	for i := range list {
		list[i].id = numbered[list[i].sn]
	}
	return slices.Sorted(maps.Values(numbered)), err
}

type placedLine struct {
	madeLine
	order madeOrder
}

// insertLines writes the lines; those of received orders are past the comment period.
func insertLines(ctx context.Context, tx *db.Tx, list []madeOrder) error {
	var lines []placedLine
	for _, o := range list {
		for _, l := range o.lines {
			lines = append(lines, placedLine{l, o})
		}
	}
	return insert(ctx, tx, `INSERT INTO order_goods (
			order_id, goods_id, goods_name, goods_sn, product_id, number, price, specifications, pic_url,
				comment_id, add_time, update_time)`, lines, func(l placedLine) []any {
		comment := 0
		if l.order.confirmedAt() != nil {
			comment = -1
		}
		f := l.offer
		return []any{
			l.order.id, f.GoodsID, f.Name, f.SN, f.ProductID, l.number, f.Price, f.Specifications, f.PicURL, comment,
			l.order.placed, l.order.placed,
		}
	})
}

// derive writes what follows from orders and lines: the stock ledger and the payments.
func derive(ctx context.Context, tx *db.Tx, orders []int64) error {
	statements := []string{
		`INSERT INTO stock_log (product_id, reason, delta, ref_key, operator_type, add_time)
			SELECT g.product_id, @edited, SUM(g.number), CONCAT('edit:made-', MIN(g.id), ':', g.product_id), @operator,
				MIN(g.add_time)
			FROM order_goods g
			JOIN orders o ON o.id = g.order_id
			WHERE o.id IN @orders AND o.order_status NOT IN @over
			GROUP BY g.product_id`,
		`INSERT INTO stock_log (product_id, order_id, order_goods_id, reason, delta, ref_key, operator_type,
				operator_id, add_time)
			SELECT g.product_id, g.order_id, g.id, @ordered, -g.number, CONCAT('line:', g.id, ':out'), @shopper, o.user_id,
				o.add_time
			FROM order_goods g
			JOIN orders o ON o.id = g.order_id
			WHERE o.id IN @orders`,
		`INSERT INTO stock_log (product_id, order_id, order_goods_id, reason, delta, ref_key, operator_type,
				operator_id, add_time)
			SELECT g.product_id, g.order_id, g.id,
				CASE o.order_status WHEN @cancelled THEN @by_shopper WHEN @expired THEN @by_timeout ELSE @by_refund END,
				g.number, CONCAT('line:', g.id, ':in'), IF(o.order_status = @cancelled, @shopper, @system),
				IF(o.order_status = @cancelled, o.user_id, 0), o.end_time
			FROM order_goods g
			JOIN orders o ON o.id = g.order_id
			WHERE o.id IN @orders AND o.order_status IN @over`,
		`INSERT INTO payment (order_id, user_id, out_trade_no, channel, trade_type, amount, status,
				transaction_id, paid_amount, refunded_amount, paid_time, add_time, update_time)
			SELECT id, user_id, order_sn, pay_channel, @trade_type, actual_price, @payment_paid, pay_id, actual_price,
				COALESCE(refund_amount, 0), pay_time, add_time, pay_time
			FROM orders
			WHERE id IN @orders AND pay_time IS NOT NULL`,
		`INSERT INTO payment_notify (channel, notify_id, kind, out_no, signature_ok, result, amount, add_time)
			SELECT pay_channel, CONCAT('made', order_sn), 1, order_sn, 1, @applied, actual_price, pay_time
			FROM orders
			WHERE id IN @orders AND pay_time IS NOT NULL`,
		`INSERT INTO refund (out_refund_no, order_id, payment_id, user_id, amount, reason, status,
				channel_refund_id, attempts, done_time, add_time, update_time)
			SELECT CONCAT('refund_', o.order_sn), o.id, p.id, o.user_id, o.refund_amount, '', @refund_done,
				o.refund_content, 1, o.end_time, o.end_time, o.end_time
			FROM orders o
			JOIN payment p ON p.order_id = o.id
			WHERE o.id IN @orders AND o.order_status = @refunded`,
		`INSERT INTO refund (out_refund_no, order_id, payment_id, user_id, amount, reason, status, attempts,
				add_time, update_time)
			SELECT CONCAT('refund_', o.order_sn), o.id, p.id, o.user_id, o.actual_price, '', @refund_asked, 0,
				o.add_time + INTERVAL 10 MINUTE, o.add_time + INTERVAL 10 MINUTE
			FROM orders o
			JOIN payment p ON p.order_id = o.id
			WHERE o.id IN @orders AND o.order_status = @refund_wanted`,
	}
	named := names(orders)
	for _, statement := range statements {
		if _, err := db.Exec(ctx, tx, statement, named); err != nil {
			return fmt.Errorf("derive from orders: %w", err)
		}
	}
	return nil
}

// names are the arguments of the statements of derive.
func names(orders []int64) map[string]any {
	return map[string]any{
		"orders": orders, "over": []int{cancelled, expired, refunded}, "cancelled": cancelled, "expired": expired,
		"refunded": refunded, "refund_wanted": refundAsked, "payment_paid": payment.Paid,
		"applied":     payment.NotificationApplied,
		"trade_type":  new(sandbox.Section).Info().Methods[0].TradeType,
		"refund_done": payment.RefundDone, "refund_asked": payment.RefundAsked,
		"edited": catalog.Edited, "ordered": catalog.Ordered, "by_shopper": catalog.CancelledByShopper,
		"by_timeout": catalog.CancelledByTimeout, "by_refund": catalog.Refunded,
		"operator": actor.KindOperator, "shopper": actor.KindShopper, "system": actor.KindSystem,
	}
}
