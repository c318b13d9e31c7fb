package order

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

type row struct {
	ID, UserID                 int64
	OrderSN                    string `gorm:"column:order_sn"`
	OrderStatus                Status
	AftersaleStatus            int
	Consignee, Mobile, Address string
	Message                    string
	GoodsPrice, FreightPrice   money.Amount
	CouponPrice, IntegralPrice money.Amount
	GrouponPrice, OrderPrice   money.Amount
	ActualPrice                money.Amount
	CouponUserID               int64
	PayChannel                 string
	PayID                      string `gorm:"column:pay_id"`
	PayTime                    sql.NullTime
	ShipSN                     string `gorm:"column:ship_sn"`
	ShipChannel                string
	ShipTime                   sql.NullTime
	RefundAmount               money.Amount
	RefundType, RefundContent  string
	RefundTime, ConfirmTime    sql.NullTime
	Comments                   int
	EndTime                    sql.NullTime
	AddTime, UpdateTime        time.Time
	Deleted, UserDeleted       bool
	Version                    int
}

func (r row) order() Order {
	return Order{
		ID: r.ID, UserID: r.UserID, SN: r.OrderSN, Status: r.OrderStatus, Aftersale: r.AftersaleStatus,
		Consignee: r.Consignee, Mobile: r.Mobile, Address: r.Address, Message: r.Message,
		Price: Price{
			Goods: r.GoodsPrice, Freight: r.FreightPrice, Coupon: r.CouponPrice, Integral: r.IntegralPrice,
			Groupon: r.GrouponPrice, Total: r.OrderPrice, Actual: r.ActualPrice,
		},
		CouponUserID: r.CouponUserID, PayChannel: r.PayChannel, PayID: r.PayID, PayTime: r.PayTime.Time,
		ShipSN: r.ShipSN, ShipChannel: r.ShipChannel, ShipTime: r.ShipTime.Time,
		RefundAmount: r.RefundAmount, RefundType: r.RefundType, RefundContent: r.RefundContent,
		RefundTime: r.RefundTime.Time, ConfirmTime: r.ConfirmTime.Time, Comments: r.Comments, EndTime: r.EndTime.Time,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime, Deleted: r.Deleted, HiddenFromShopper: r.UserDeleted,
		version: r.Version,
	}
}

const columns = "o.id, o.user_id, o.order_sn, o.order_status, o.aftersale_status, o.consignee, o.mobile, " +
	"o.address, o.message, o.goods_price, o.freight_price, o.coupon_price, o.integral_price, o.groupon_price, " +
	"o.order_price, o.actual_price, o.coupon_user_id, COALESCE(o.pay_channel, '') AS pay_channel, " +
	"COALESCE(o.pay_id, '') AS pay_id, o.pay_time, " +
	"COALESCE(o.ship_sn, '') AS ship_sn, COALESCE(o.ship_channel, '') AS ship_channel, o.ship_time, o.refund_amount, " +
	"COALESCE(o.refund_type, '') AS refund_type, COALESCE(o.refund_content, '') AS refund_content, o.refund_time, " +
	"o.confirm_time, o.comments, o.end_time, o.add_time, o.update_time, o.deleted, o.user_deleted, o.version"

func orders(query *gorm.DB) ([]Order, error) {
	var rows []row
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Order, len(rows))
	for i, r := range rows {
		all[i] = r.order()
	}
	return all, nil
}

func one(query *gorm.DB) (Order, bool, error) {
	found, err := orders(query)
	if err != nil || len(found) == 0 {
		return Order{}, false, err
	}
	return found[0], true, nil
}

func byID(ctx context.Context, q db.Querier, id int64) (Order, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id = ?", id))
}

func lock(ctx context.Context, tx *db.Tx, id int64) (Order, bool, error) {
	return one(tx.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id = ? FOR UPDATE", id))
}

func insertOrder(ctx context.Context, tx *db.Tx, o Order, now time.Time) (int64, error) {
	if o.Price.Groupon != 0 {
		return db.Insert(ctx, tx, "INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, "+
			"message, goods_price, freight_price, coupon_price, groupon_price, order_price, actual_price, "+
			"coupon_user_id, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			o.UserID, o.SN, o.Status, o.Consignee, o.Mobile, o.Address, o.Message, o.Price.Goods, o.Price.Freight,
			o.Price.Coupon, o.Price.Groupon, o.Price.Total, o.Price.Actual, o.CouponUserID, o.AddTime, now)
	}
	return db.Insert(ctx, tx, "INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, message, "+
		"goods_price, freight_price, coupon_price, order_price, actual_price, coupon_user_id, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		o.UserID, o.SN, o.Status, o.Consignee, o.Mobile, o.Address, o.Message, o.Price.Goods, o.Price.Freight, o.Price.Coupon,
		o.Price.Total, o.Price.Actual, o.CouponUserID, o.AddTime, now)
}

// linesToComment is how many lines of the order have no comment yet.
var linesToComment = gorm.Expr("(SELECT COUNT(*) FROM order_goods l WHERE l.order_id = orders.id AND l.deleted = 0 " +
	"AND l.comment_id = 0)")

// move writes a status and what goes with it, if the order is still in the state and of the version it was read in.
func move(ctx context.Context, tx *db.Tx, o Order, to Status, also changes, now time.Time) (bool, error) {
	set := []string{"order_status = ?", "version = version + 1", "update_time = ?"}
	args := []any{to, now}
	for _, column := range slices.Sorted(maps.Keys(also)) {
		set = append(set, column+" = ?")
		args = append(args, also[column])
	}
	res := tx.G(ctx).Exec("UPDATE orders SET "+strings.Join(set, ", ")+
		" WHERE id = ? AND order_status = ? AND version = ? AND user_id = ? AND deleted = 0",
		append(args, o.ID, o.Status, o.version, o.UserID)...)
	return res.RowsAffected == 1, res.Error
}

func hide(ctx context.Context, tx *db.Tx, o Order, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE orders SET user_deleted = 1, version = version + 1, update_time = ? WHERE id = ? "+
		"AND user_id = ? AND order_status = ? AND aftersale_status = ? AND deleted = 0 AND user_deleted = 0",
		now, o.ID, o.UserID, o.Status, o.Aftersale)
	return res.RowsAffected == 1, res.Error
}

// lockAll locks orders by ascending id.
func lockAll(ctx context.Context, tx *db.Tx, ids []int64) ([]Order, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return orders(tx.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id IN ? ORDER BY o.id FOR UPDATE", ids))
}

func (s *Service) logMove(ctx context.Context, tx *db.Tx, o Order, from Status, by Actor, reason string) error {
	err := tx.G(ctx).Exec("INSERT INTO order_status_log (order_id, from_status, to_status, actor_type, actor_id, "+
		"reason, add_time) VALUES (?, ?, ?, ?, ?, ?, ?)", o.ID, from, o.Status, by.Type, by.ID, reason, s.Now()).Error
	if err != nil {
		return fmt.Errorf("log the move of order %d: %w", o.ID, err)
	}
	return nil
}

func nullText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

func encode(specifications []string) (string, error) {
	b, err := json.Marshal(append([]string{}, specifications...))
	return string(b), err
}
