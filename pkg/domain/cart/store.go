package cart

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
)

// most is how many rows one cart can have. Older releases let it have more: then the newest count, for showing and for
// buying alike.
const most = 500

type row struct {
	ID, UserID, GoodsID, ProductID int64
	Number                         int
	Checked                        bool
	AddTime, UpdateTime            time.Time
}

func (r row) line(o catalog.Offer) Line {
	return Line{
		ID: r.ID, UserID: r.UserID, Number: r.Number, Checked: r.Checked, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		Offer: o,
	}
}

const columns = "id, user_id, goods_id, product_id, number, checked, add_time, update_time"

func scan(query *gorm.DB) ([]row, error) {
	var rows []row
	err := query.Scan(&rows).Error
	return rows, err
}

// newest is the one reading of a cart: what is shown is what is bought.
const newest = "SELECT " + columns + " FROM cart WHERE user_id = ? AND deleted = 0 ORDER BY id DESC LIMIT ?"

func rowsOf(ctx context.Context, q db.Querier, shopper int64) ([]row, error) {
	return scan(q.G(ctx).Raw(newest, shopper, most))
}

// lockRows is rowsOf that keeps the rows for the transaction. The shopper must be locked: the rows are not locked by
// ascending id.
func lockRows(ctx context.Context, tx *db.Tx, shopper int64) ([]row, error) {
	return scan(tx.G(ctx).Raw(newest+" FOR UPDATE", shopper, most))
}

func rowNamed(ctx context.Context, q db.Querier, shopper, id int64) ([]row, error) {
	return scan(q.G(ctx).Raw("SELECT "+columns+" FROM cart WHERE id = ? AND user_id = ? AND deleted = 0", id, shopper))
}

func lockRow(ctx context.Context, tx *db.Tx, shopper, id int64) (row, bool, error) {
	rows, err := scan(tx.G(ctx).Raw("SELECT "+columns+" FROM cart WHERE id = ? AND user_id = ? AND deleted = 0 FOR UPDATE",
		id, shopper))
	if err != nil || len(rows) == 0 {
		return row{}, false, err
	}
	return rows[0], true, nil
}

// lockChosen locks the rows of a purchase and returns them by ascending id.
func lockChosen(ctx context.Context, tx *db.Tx, shopper, id int64) ([]row, error) {
	if id == Everything {
		rows, err := lockRows(ctx, tx, shopper)
		rows = slices.DeleteFunc(rows, func(r row) bool { return !r.Checked })
		slices.Reverse(rows)
		return rows, err
	}
	r, ok, err := lockRow(ctx, tx, shopper, id)
	if err != nil || !ok {
		return nil, err
	}
	return []row{r}, nil
}

// How the number of an existing row follows the wish: a removed row starts anew. The sum stops at what the column
// holds; it is far above any stock then.
const (
	addNumber = "IF(deleted = 1, VALUES(number), LEAST(number + VALUES(number), 2147483647))"
	setNumber = "VALUES(number)"
)

func upsert(ctx context.Context, tx *db.Tx, shopper int64, o catalog.Offer, n int, how string, now time.Time) error {
	specifications, err := json.Marshal(o.Specifications)
	if err != nil {
		return err
	}
	// The assignments run from left to right: deleted is cleared after all that look at it.
	return tx.G(ctx).Exec("INSERT INTO cart (user_id, goods_id, goods_sn, goods_name, product_id, price, number, "+
		"specifications, checked, pic_url, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?) "+
		"ON DUPLICATE KEY UPDATE number = "+how+", checked = IF(deleted = 1, 1, checked), "+
		"add_time = IF(deleted = 1, VALUES(add_time), add_time), goods_id = VALUES(goods_id), "+
		"goods_name = VALUES(goods_name), price = VALUES(price), update_time = VALUES(update_time), deleted = 0",
		shopper, o.GoodsID, o.GoodsSN, o.GoodsName, o.ProductID, o.Price, min(n, math.MaxInt32), string(specifications),
		o.PicURL, now, now).Error
}

// stored is a row that was just put into a cart, and whether the cart has more rows than it can have.
type stored struct {
	ID                  int64
	Number              int
	AddTime, UpdateTime time.Time
	Overfull            bool
}

// isNew reports whether the row was added by its last change.
func (r stored) isNew() bool { return r.AddTime.Equal(r.UpdateTime) }

func storedOf(ctx context.Context, tx *db.Tx, shopper, product int64) (r stored, err error) {
	err = tx.G(ctx).Raw("SELECT id, number, add_time, update_time, (SELECT COUNT(*) FROM (SELECT id FROM cart "+
		"WHERE user_id = ? AND deleted = 0 LIMIT ?) n) > ? AS overfull FROM cart WHERE user_id = ? AND product_id = ?",
		shopper, most+1, most, shopper, product).Scan(&r).Error
	return r, err
}

func setNumberOf(ctx context.Context, tx *db.Tx, id int64, n int, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE cart SET number = ?, update_time = ? WHERE id = ?", n, now, id).Error
}

func checkProducts(ctx context.Context, tx *db.Tx, shopper int64, products []int64, checked bool, now time.Time) error {
	if len(products) == 0 {
		return nil
	}
	return tx.G(ctx).Exec("UPDATE cart SET checked = ?, update_time = ? WHERE user_id = ? AND product_id IN ? AND "+
		"deleted = 0",
		checked, now, shopper, products).Error
}

func removeProducts(ctx context.Context, tx *db.Tx, shopper int64, products []int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE cart SET deleted = 1, update_time = ? WHERE user_id = ? AND product_id IN ? AND "+
		"deleted = 0",
		now, shopper, products).Error
}

func removeRows(ctx context.Context, tx *db.Tx, ids []int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE cart SET deleted = 1, update_time = ? WHERE id IN ?", now, ids).Error
}

func uncheck(ctx context.Context, tx *db.Tx, shopper int64, ids []int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE cart SET checked = 0, update_time = ? WHERE id IN ? AND user_id = ?", now, ids,
		shopper).Error
}
