package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// rowsAtOnce is how many short rows one statement stores.
const rowsAtOnce = 1000

// insertRows stores rows, each of which is as many arguments as the group has placeholders.
func insertRows(ctx context.Context, q db.Querier, into, group string, rows [][]any) error {
	for part := range slices.Chunk(rows, rowsAtOnce) {
		args := make([]any, 0, len(part)*len(part[0]))
		for _, row := range part {
			args = append(args, row...)
		}
		if err := q.G(ctx).Exec(into+" VALUES "+groups(len(part), group), args...).Error; err != nil {
			return err
		}
	}
	return nil
}

// row is the group of n placeholders.
func row(n int) string { return "(?" + strings.Repeat(", ?", n-1) + ")" }

// insertGoods stores the rows of goods and their rich texts, and returns their ids in the order of the list. Their
// names must differ. It fails with errno.GoodsNameExists.
func insertGoods(ctx context.Context, tx *db.Tx, list []NewGoods, at time.Time) ([]int64, error) {
	rows := make([][]any, len(list))
	keys := make([]string, len(list))
	for i, n := range list {
		g := n.Goods
		gallery, err := textsColumn(g.Gallery)
		if err != nil {
			return nil, err
		}
		if err := priced("counterPrice", g.CounterPrice); err != nil {
			return nil, err
		}
		keys[i] = nameKey(g.Name)
		rows[i] = []any{
			g.SN, g.Name, keys[i], g.CategoryID, g.BrandID, gallery, g.Keywords, g.Brief, g.OnSale, g.SortOrder,
			optional(g.PicURL), optional(g.ShareURL), g.New, g.Hot, g.Unit, g.CounterPrice, g.RetailPrice, at, at,
		}
	}
	err := insertRows(ctx, tx, "INSERT INTO goods (goods_sn, name, name_key, category_id, brand_id, gallery, keywords, "+
		"brief, is_on_sale, sort_order, pic_url, share_url, is_new, is_hot, unit, counter_price, retail_price, add_time, "+
		"update_time)", row(19), rows)
	if db.Duplicate(err, "uk_goods_name") {
		return nil, fmt.Errorf("create goods: %w: %w", errno.GoodsNameExists, err)
	}
	if err != nil {
		return nil, fmt.Errorf("create goods: %w", err)
	}
	ids, err := idsOf(ctx, tx, keys)
	if err != nil {
		return nil, err
	}
	return ids, insertContents(ctx, tx, ids, list, at)
}

// insertContents stores rich texts. They are long, so a statement takes as many as fit into what a server accepts.
func insertContents(ctx context.Context, tx *db.Tx, ids []int64, list []NewGoods, at time.Time) error {
	var rows [][]any
	size := 0
	for i, n := range list {
		rows = append(rows, []any{ids[i], n.Goods.Detail, at})
		if size += len(n.Goods.Detail); size < maxDetail && i+1 < len(list) {
			continue
		}
		err := insertRows(ctx, tx, "INSERT INTO goods_content (goods_id, detail, update_time)", row(3), rows)
		if err != nil {
			return fmt.Errorf("create the contents of goods: %w", err)
		}
		rows, size = nil, 0
	}
	return nil
}

// idsOf returns the ids of the live goods that own the names, in the order of the keys.
func idsOf(ctx context.Context, q db.Querier, keys []string) ([]int64, error) {
	byKey, err := owners(ctx, q, keys)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(keys))
	for i, key := range keys {
		ids[i] = byKey[key]
	}
	return ids, nil
}

// owners returns which live goods own names, by the key of the name.
func owners(ctx context.Context, q db.Querier, keys []string) (map[string]int64, error) {
	byKey := make(map[string]int64, len(keys))
	for part := range slices.Chunk(keys, rowsAtOnce) {
		var rows []struct {
			ID      int64
			NameKey string
		}
		err := q.G(ctx).Raw("SELECT id, name_key FROM goods WHERE name_key IN ?", part).Scan(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("look for the names of goods: %w", err)
		}
		for _, r := range rows {
			byKey[r.NameKey] = r.ID
		}
	}
	return byKey, nil
}

// insertChildren stores what belongs to goods. It fails with errno.Invalid for a product that no column holds, and for
// two of a goods that are alike.
func insertChildren(ctx context.Context, tx *db.Tx, ids []int64, list []NewGoods, at time.Time) error {
	var attributes, specifications, products [][]any
	for i, n := range list {
		id := ids[i]
		for _, a := range n.Attributes {
			attributes = append(attributes, []any{id, a.Name, a.Value, at, at})
		}
		for _, v := range n.Specifications {
			specifications = append(specifications, []any{id, v.Group, v.Value, v.PicURL, at, at})
		}
		for _, p := range n.Products {
			r, err := productArgs(id, p, at)
			if err != nil {
				return err
			}
			products = append(products, r)
		}
	}
	if err := insertAttributes(ctx, tx, attributes); err != nil {
		return err
	}
	err := insertRows(ctx, tx, "INSERT INTO goods_specification (goods_id, specification, value, pic_url, add_time, "+
		"update_time)", row(6), specifications)
	if err != nil {
		return fmt.Errorf("create specifications: %w", err)
	}
	err = insertRows(ctx, tx, "INSERT INTO goods_product (goods_id, specifications, spec_hash, price, number, url, "+
		"add_time, update_time)", row(8), products)
	if db.Duplicate(err, "uk_product_spec") {
		return fmt.Errorf("create products: %w: %w", errno.Invalid.Because(text.ProductUnfit), err)
	}
	if err != nil {
		return fmt.Errorf("create products: %w", err)
	}
	return nil
}

// insertAttributes stores rows of goods, name, value and the two times.
func insertAttributes(ctx context.Context, tx *db.Tx, rows [][]any) error {
	err := insertRows(ctx, tx, "INSERT INTO goods_attribute (goods_id, attribute, value, add_time, update_time)", row(5),
		rows)
	if err != nil {
		return fmt.Errorf("create attributes: %w", err)
	}
	return nil
}

func productArgs(goodsID int64, p Product, at time.Time) ([]any, error) {
	specs, err := textsColumn(p.Specifications)
	if err != nil {
		return nil, err
	}
	if err := priced("price", p.Price); err != nil {
		return nil, err
	}
	if p.Number < 0 {
		return nil, errno.Invalid.Because(text.MemberAtLeast, text.Member("number"), 0)
	}
	if p.Number > MaxStock {
		return nil, errno.Invalid.Because(text.MemberAtMost, text.Member("number"), MaxStock)
	}
	return []any{goodsID, specs, specHash(specs), p.Price, p.Number, optional(p.URL), at, at}, nil
}

// logOpenings opens the ledger of each product of new goods with the stock that it was created with.
func logOpenings(ctx context.Context, tx *db.Tx, ids []int64, at time.Time) error {
	for part := range slices.Chunk(ids, rowsAtOnce) {
		err := tx.G(ctx).Exec("INSERT INTO stock_log (product_id, reason, delta, ref_key, add_time) "+
			"SELECT id, ?, number, CONCAT('open:', id), ? FROM goods_product WHERE goods_id IN ? ORDER BY id",
			int(Opened), at, part).Error
		if err != nil {
			return fmt.Errorf("open the stock ledger of goods: %w", err)
		}
	}
	return nil
}

// holdParents keeps a category and a brand from being deleted until the transaction ends; 0 is none. It fails with
// errno.Invalid for one that is not there.
func holdParents(ctx context.Context, tx *db.Tx, category, brand int64) error {
	for _, parent := range []struct {
		field, table string
		id           int64
	}{{"categoryId", "category", category}, {"brandId", "brand", brand}} {
		if parent.id == 0 {
			continue
		}
		found, err := hold(ctx, tx, parent.table, parent.id)
		if err != nil {
			return err
		}
		if !found {
			return parentUnknown(parent.field, parent.id)
		}
	}
	return nil
}

// hold keeps a live row from being changed or deleted until the transaction ends, and reports whether there is one. It
// locks by writing: a locking read holds up nobody who writes to another server of a cluster.
func hold(ctx context.Context, tx *db.Tx, table string, id int64) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE "+table+" SET version = version + 1 WHERE id = ? AND deleted = 0", id)
	if res.Error != nil {
		return false, fmt.Errorf("hold %s %d: %w", table, id, res.Error)
	}
	return res.RowsAffected == 1, nil
}
