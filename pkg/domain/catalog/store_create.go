package catalog

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

func insertGoods(ctx context.Context, tx *db.Tx, g Goods, at time.Time) (int64, error) {
	gallery, err := textsColumn(g.Gallery)
	if err != nil {
		return 0, err
	}
	if err := priced(g.CounterPrice); err != nil {
		return 0, err
	}
	id, err := db.Insert(ctx, tx, "INSERT INTO goods (goods_sn, name, name_key, category_id, brand_id, gallery, "+
		"keywords, "+
		"brief, is_on_sale, sort_order, pic_url, share_url, is_new, is_hot, unit, counter_price, retail_price, add_time, "+
		"update_time) VALUES "+groups(1, "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
		g.SN, g.Name, nameKey(g.Name), g.CategoryID, g.BrandID, gallery, g.Keywords, g.Brief, g.OnSale, g.SortOrder,
		optional(g.PicURL), optional(g.ShareURL), g.New, g.Hot, g.Unit, g.CounterPrice, g.RetailPrice, at, at)
	if db.Duplicate(err, "uk_goods_name") {
		return 0, fmt.Errorf("create goods: %w: %w", errno.GoodsNameExists, err)
	}
	if err != nil {
		return 0, fmt.Errorf("create goods: %w", err)
	}
	err = tx.G(ctx).Exec("INSERT INTO goods_content (goods_id, detail, update_time) VALUES (?, ?, ?)", id, g.Detail, at).
		Error
	if err != nil {
		return 0, fmt.Errorf("create the content of goods %d: %w", id, err)
	}
	return id, nil
}

func insertAttributes(ctx context.Context, tx *db.Tx, goodsID int64, list []Attribute, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	var args []any
	for _, a := range list {
		args = append(args, goodsID, a.Name, a.Value, at, at)
	}
	err := tx.G(ctx).Exec("INSERT INTO goods_attribute (goods_id, attribute, value, add_time, update_time) VALUES "+
		groups(len(list), "(?, ?, ?, ?, ?)"), args...).Error
	if err != nil {
		return fmt.Errorf("create the attributes of goods %d: %w", goodsID, err)
	}
	return nil
}

func insertSpecifications(ctx context.Context, tx *db.Tx, goodsID int64, list []Specification, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	var args []any
	for _, v := range list {
		args = append(args, goodsID, v.Group, v.Value, v.PicURL, at, at)
	}
	err := tx.G(ctx).Exec("INSERT INTO goods_specification (goods_id, specification, value, pic_url, add_time, "+
		"update_time) VALUES "+groups(len(list), "(?, ?, ?, ?, ?, ?)"), args...).Error
	if err != nil {
		return fmt.Errorf("create the specifications of goods %d: %w", goodsID, err)
	}
	return nil
}

func insertProducts(ctx context.Context, tx *db.Tx, goodsID int64, list []Product, at time.Time) error {
	var args []any
	for _, p := range list {
		specs, err := textsColumn(p.Specifications)
		if err != nil {
			return err
		}
		if err := priced(p.Price); err != nil {
			return err
		}
		if p.Number < 0 {
			return fmt.Errorf("create a product with stock %d: %w", p.Number, errno.Invalid)
		}
		args = append(args, goodsID, specs, specHash(specs), p.Price, p.Number, optional(p.URL), at, at)
	}
	err := tx.G(ctx).Exec("INSERT INTO goods_product (goods_id, specifications, spec_hash, price, number, url, add_time, "+
		"update_time) VALUES "+groups(len(list), "(?, ?, ?, ?, ?, ?, ?, ?)"), args...).Error
	if db.Duplicate(err, "uk_product_spec") {
		return fmt.Errorf("create the products of goods %d: %w: %w", goodsID, errno.Invalid, err)
	}
	if err != nil {
		return fmt.Errorf("create the products of goods %d: %w", goodsID, err)
	}
	return nil
}

// logOpening opens the ledger of each product of new goods with the stock that it was created with.
func logOpening(ctx context.Context, tx *db.Tx, goodsID int64, at time.Time) error {
	err := tx.G(ctx).Exec("INSERT INTO stock_log (product_id, reason, delta, ref_key, add_time) "+
		"SELECT id, ?, number, CONCAT('open:', id), ? FROM goods_product WHERE goods_id = ?",
		int(Opened), at, goodsID).Error
	if err != nil {
		return fmt.Errorf("open the stock ledger of goods %d: %w", goodsID, err)
	}
	return nil
}

func insertCategory(ctx context.Context, tx *db.Tx, c Category, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO category (pid, name, keywords, description, icon_url, pic_url, level, "+
		"sort_order, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		c.Pid, c.Name, c.Keywords, c.Desc, c.IconURL, c.PicURL, c.Level, c.SortOrder, at, at)
	if err != nil {
		return 0, fmt.Errorf("create category %q: %w", c.Name, err)
	}
	return id, nil
}

func insertBrand(ctx context.Context, tx *db.Tx, b Brand, at time.Time) (int64, error) {
	if err := priced(b.FloorPrice); err != nil {
		return 0, err
	}
	id, err := db.Insert(ctx, tx, "INSERT INTO brand (name, description, pic_url, sort_order, floor_price, add_time, "+
		"update_time) VALUES (?, ?, ?, ?, ?, ?, ?)", b.Name, b.Desc, b.PicURL, b.SortOrder, b.FloorPrice, at, at)
	if err != nil {
		return 0, fmt.Errorf("create brand %q: %w", b.Name, err)
	}
	return id, nil
}
