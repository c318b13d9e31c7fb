package order

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

type lineRow struct {
	ID, OrderID, GoodsID, ProductID int64
	GoodsName                       string
	GoodsSN                         string `gorm:"column:goods_sn"`
	Number                          int
	Price, DiscountShare            money.Amount
	Specifications                  string
	PicURL                          string `gorm:"column:pic_url"`
	CommentID                       int64
	AddTime, UpdateTime             time.Time
	Deleted                         bool
}

const lineColumns = "id, order_id, goods_id, product_id, goods_name, goods_sn, number, price, discount_share, " +
	"specifications, pic_url, comment_id, add_time, update_time, deleted"

func lines(query *gorm.DB) ([]Line, error) {
	var rows []lineRow
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Line, len(rows))
	for i, r := range rows {
		all[i] = Line{
			ID: r.ID, OrderID: r.OrderID, GoodsID: r.GoodsID, ProductID: r.ProductID, GoodsName: r.GoodsName, GoodsSN: r.GoodsSN,
			Number: r.Number, Price: r.Price, Reduction: r.DiscountShare, PicURL: r.PicURL, CommentID: r.CommentID,
			AddTime: r.AddTime, UpdateTime: r.UpdateTime, Deleted: r.Deleted,
		}
		if err := json.Unmarshal([]byte(r.Specifications), &all[i].Specifications); err != nil {
			return nil, fmt.Errorf("specifications of order line %d: %w", r.ID, err)
		}
	}
	return all, nil
}

// linesIn returns the lines of several orders, by order and id.
func linesIn(ctx context.Context, q db.Querier, orders []int64) ([]Line, error) {
	if len(orders) == 0 {
		return nil, nil
	}
	return lines(q.G(ctx).Raw("SELECT "+lineColumns+" FROM order_goods WHERE order_id IN ? AND deleted = 0 ORDER BY "+
		"order_id, id",
		orders))
}

func lineByID(ctx context.Context, q db.Querier, id int64) (Line, bool, error) {
	found, err := lines(q.G(ctx).Raw("SELECT "+lineColumns+" FROM order_goods WHERE id = ? AND deleted = 0", id))
	if err != nil || len(found) == 0 {
		return Line{}, false, err
	}
	return found[0], true, nil
}

func lineIDs(ctx context.Context, tx *db.Tx, order int64) (map[int64]int64, error) {
	var rows []struct{ ID, ProductID int64 }
	if err := tx.G(ctx).Raw("SELECT id, product_id FROM order_goods WHERE order_id = ?",
		order).Scan(&rows).Error; err != nil {
		return nil, err
	}
	ids := make(map[int64]int64, len(rows))
	for _, r := range rows {
		ids[r.ProductID] = r.ID
	}
	return ids, nil
}

func insertLines(ctx context.Context, tx *db.Tx, order int64, all []Line, now time.Time) error {
	const tuple = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	args := make([]any, 0, len(all)*12)
	for _, l := range all {
		specifications, err := encode(l.Specifications)
		if err != nil {
			return err
		}
		args = append(args, order, l.GoodsID, l.GoodsName, l.GoodsSN, l.ProductID, l.Number, l.Price, l.Reduction,
			specifications,
			l.PicURL, now, now)
	}
	return tx.G(ctx).Exec("INSERT INTO order_goods (order_id, goods_id, goods_name, goods_sn, product_id, number, price, "+
		"discount_share, specifications, pic_url, add_time, update_time) VALUES "+
		tuple+strings.Repeat(", "+tuple, len(all)-1), args...).Error
}

// setComment gives a line its comment, if it still waits for one.
func setComment(ctx context.Context, tx *db.Tx, line, comment int64, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE order_goods SET comment_id = ?, update_time = ? WHERE id = ? AND comment_id = 0",
		comment, now, line)
	return res.RowsAffected == 1, res.Error
}

func lowerComments(ctx context.Context, tx *db.Tx, order int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE orders SET comments = comments - 1, version = version + 1, update_time = ? "+
		"WHERE id = ? AND comments > 0", now, order).Error
}
