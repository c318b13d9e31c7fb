package order

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
)

// unpaidOrder is the condition that the order of a payment with the alias r waits for its money.
var unpaidOrder = gorm.Expr("EXISTS (SELECT 1 FROM orders o WHERE o.id = r.order_id AND o.order_status = ?)", Unpaid)

func unpaidBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = q.G(ctx).Raw(`SELECT id FROM orders WHERE order_status = ? AND add_time <= ? AND deleted = 0 AND ?
		ORDER BY add_time, id LIMIT ?`, Unpaid, due, ready, limit).Scan(&ids).Error
	return ids, err
}

func shippedBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = q.G(ctx).Raw(`SELECT id FROM orders WHERE order_status = ? AND ship_time <= ? AND deleted = 0 AND ?
		ORDER BY ship_time, id LIMIT ?`, Shipped, due, ready, limit).Scan(&ids).Error
	return ids, err
}

// commentableBefore finds orders with lines to comment on; deleted ones are closed too.
func commentableBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = q.G(ctx).Raw(`SELECT id FROM orders WHERE comments > 0 AND confirm_time < ? AND order_status IN (?, ?) AND ?
		ORDER BY id LIMIT ?`, due, Received, AutoReceived, ready, limit).Scan(&ids).Error
	return ids, err
}

// closeComments locks the order before its lines, as a comment on one of them does.
func closeComments(ctx context.Context, tx *db.Tx, id int64, due, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE orders SET comments = 0, version = version + 1, update_time = ? WHERE id = ? "+
		"AND comments > 0 AND confirm_time < ? AND order_status IN (?, ?)", now, id, due, Received, AutoReceived)
	if res.Error != nil || res.RowsAffected == 0 {
		return false, res.Error
	}
	err := tx.G(ctx).Exec("UPDATE order_goods SET comment_id = -1, update_time = ? WHERE order_id = ? AND comment_id = 0",
		now, id).Error
	return true, err
}
