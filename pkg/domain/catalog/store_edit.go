package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

// lockGoods locks live goods until the transaction ends.
func lockGoods(ctx context.Context, tx *db.Tx, id int64) (Goods, bool, error) {
	var rows []goodsRow
	err := tx.G(ctx).Raw("SELECT "+goodsColumns+wholeGoods+"r.id = ? AND r.deleted = 0 FOR UPDATE", id).
		Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return Goods{}, false, err
	}
	g, err := rows[0].goods()
	return g, true, err
}

// updateGoods stores goods that are locked. It fails with errno.GoodsNameExists.
func updateGoods(ctx context.Context, tx *db.Tx, before, g Goods) error {
	gallery, err := textsColumn(g.Gallery)
	if err != nil {
		return err
	}
	err = tx.G(ctx).Exec("UPDATE goods SET goods_sn = ?, name = ?, name_key = ?, category_id = ?, brand_id = ?, "+
		"gallery = ?, keywords = ?, brief = ?, is_on_sale = ?, sort_order = ?, pic_url = ?, is_new = ?, is_hot = ?, "+
		"unit = ?, counter_price = ?, retail_price = ?, update_time = ?, version = version + 1 WHERE id = ?",
		g.SN, g.Name, nameKey(g.Name), g.CategoryID, g.BrandID, gallery, g.Keywords, g.Brief, g.OnSale, g.SortOrder,
		optional(g.PicURL), g.New, g.Hot, g.Unit, g.CounterPrice, g.RetailPrice, g.UpdateTime, g.ID).Error
	if db.Duplicate(err, "uk_goods_name") {
		return fmt.Errorf("rename goods %d: %w: %w", g.ID, errno.GoodsNameExists, err)
	}
	if err != nil {
		return fmt.Errorf("update goods %d: %w", g.ID, err)
	}
	if g.Detail == before.Detail {
		return nil
	}
	err = tx.G(ctx).Exec("INSERT INTO goods_content (goods_id, detail, update_time) VALUES (?, ?, ?) "+
		"ON DUPLICATE KEY UPDATE detail = VALUES(detail), update_time = VALUES(update_time)", g.ID, g.Detail, g.UpdateTime).
		Error
	if err != nil {
		return fmt.Errorf("update the content of goods %d: %w", g.ID, err)
	}
	return nil
}

// byRow is an SQL expression that gives each row its own value, by the id.
type byRow struct {
	ids  []int64
	args []any
}

func (b *byRow) add(id int64, v any) {
	b.ids = append(b.ids, id)
	b.args = append(b.args, id, v)
}

func (b *byRow) sql() string {
	return "CASE id" + strings.Repeat(" WHEN ? THEN ?", len(b.ids)) + " END"
}

// updatePictures stores the pictures of specifications.
func updatePictures(ctx context.Context, tx *db.Tx, list []Specification, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	var pic byRow
	for _, v := range list {
		pic.add(v.ID, v.PicURL)
	}
	err := tx.G(ctx).Exec("UPDATE goods_specification SET pic_url = "+pic.sql()+", update_time = ? WHERE id IN ?",
		append(pic.args, at, pic.ids)...).Error
	if err != nil {
		return fmt.Errorf("update %d specifications: %w", len(list), err)
	}
	return nil
}

func updateAttributes(ctx context.Context, tx *db.Tx, list []Attribute, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	var name, value byRow
	for _, a := range list {
		name.add(a.ID, a.Name)
		value.add(a.ID, a.Value)
	}
	err := tx.G(ctx).Exec("UPDATE goods_attribute SET attribute = "+name.sql()+", value = "+value.sql()+
		", update_time = ? WHERE id IN ?", append(append(name.args, value.args...), at, name.ids)...).Error
	if err != nil {
		return fmt.Errorf("update %d attributes: %w", len(list), err)
	}
	return nil
}

func deleteAttributes(ctx context.Context, tx *db.Tx, ids map[int64]bool, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	err := tx.G(ctx).Exec("UPDATE goods_attribute SET deleted = 1, update_time = ? WHERE id IN ?", at,
		slices.Sorted(maps.Keys(ids))).Error
	if err != nil {
		return fmt.Errorf("delete %d attributes: %w", len(ids), err)
	}
	return nil
}

// numbers is the stock of a product: all that is shown, and the part of it that one row holds.
type numbers struct {
	ID          int64
	Shown, Free int
}

// lockNumbers locks products until the transaction ends, in the order of their ids.
func lockNumbers(ctx context.Context, tx *db.Tx, ids []int64) (map[int64]numbers, error) {
	byID := make(map[int64]numbers, len(ids))
	if len(ids) == 0 {
		return byID, nil
	}
	var rows []numbers
	err := tx.G(ctx).Raw("SELECT p.id, p.number AS free, CASE WHEN p.stock_mode = 0 THEN p.number ELSE p.number + "+
		"(SELECT COALESCE(SUM(b.available), 0) FROM stock_bucket b WHERE b.product_id = p.id) END AS shown "+
		"FROM goods_product p WHERE p.id IN ? ORDER BY p.id FOR UPDATE", ids).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("lock %d products: %w", len(ids), err)
	}
	for _, r := range rows {
		byID[r.ID] = r
	}
	return byID, nil
}

// updateProducts stores price and picture of products that are locked, and moves their stock.
func updateProducts(ctx context.Context, tx *db.Tx, list []Product, deltas map[int64]int, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	var price, url, delta byRow
	for _, p := range list {
		price.add(p.ID, p.Price)
		url.add(p.ID, optional(p.URL))
		delta.add(p.ID, deltas[p.ID])
	}
	args := append(append(append(price.args, url.args...), delta.args...), at, price.ids)
	err := tx.G(ctx).Exec("UPDATE goods_product SET price = "+price.sql()+", url = "+url.sql()+", number = number + "+
		delta.sql()+", update_time = ?, version = version + 1 WHERE id IN ? ORDER BY id", args...).Error
	if err != nil {
		return fmt.Errorf("update %d products: %w", len(list), err)
	}
	return nil
}
