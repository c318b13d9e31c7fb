package seed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

func secondLevel(ctx context.Context, q db.Querier) ([]int64, error) {
	var all []int64
	err := table.Scan(ctx, q, &all, "SELECT id FROM category WHERE level = 'L2' AND deleted = 0 ORDER BY id")
	return all, err
}

// goodsCount returns the number of goods and the largest id, from which new goods are numbered.
func goodsCount(ctx context.Context, q db.Querier) (int64, int64, error) {
	var r struct{ Have, Last int64 }
	err := table.Scan(ctx, q, &r, "SELECT COUNT(*) AS have, COALESCE(MAX(id), 0) AS last FROM goods")
	return r.Have, r.Last, err
}

// insertGoods writes goods with all their rows.
func insertGoods(ctx context.Context, tx *db.Tx, list []madeGoods, at time.Time) error {
	err := insert(ctx, tx, `INSERT INTO goods (
			id, goods_sn, name, name_key, category_id, brand_id, gallery, keywords, brief, is_on_sale, is_new, is_hot,
				unit, counter_price, retail_price, add_time, update_time)`, list,
		func(g madeGoods) []any {
			return []any{
				g.id, g.sn, g.name, digest(g.name), g.category, g.brand, "[]", g.keywords, g.name, 1, g.isNew, g.isHot, "件",
				g.price * 2, g.price, at, at,
			}
		})
	if err != nil {
		return err
	}
	err = insert(ctx, tx, "INSERT INTO goods_content (goods_id, detail, update_time)", list, func(g madeGoods) []any {
		return []any{g.id, "<p>" + g.name + "</p>", at}
	})
	if err != nil {
		return err
	}
	if err := insertVariants(ctx, tx, list, at); err != nil {
		return err
	}
	return insert(ctx, tx, "INSERT INTO goods_term (term, goods_id)", termsOf(list), func(t term) []any {
		return []any{t.text, t.goods}
	})
}

// insertVariants adds to each goods a specification with two values, a product for each, and their ledgers.
func insertVariants(ctx context.Context, tx *db.Tx, list []madeGoods, at time.Time) error {
	for _, size := range []string{"小号", "大号"} {
		err := insert(ctx, tx, "INSERT INTO goods_specification (goods_id, specification, value, add_time, update_time)",
			list,
			func(g madeGoods) []any { return []any{g.id, "规格", size, at, at} })
		if err != nil {
			return err
		}
		specs := fmt.Sprintf("[%q]", size)
		err = insert(ctx, tx, `INSERT INTO goods_product (goods_id, specifications, spec_hash, price, number,
				add_time, update_time)`, list, func(g madeGoods) []any {
			return []any{g.id, specs, digest(specs), g.price, 10_000, at, at}
		})
		if err != nil {
			return err
		}
	}
	goods := make([]int64, len(list))
	for i, g := range list {
		goods[i] = g.id
	}
	_, err := db.Exec(ctx, tx, `INSERT INTO stock_log (product_id, reason, delta, ref_key, add_time)
		SELECT id, ?, number, CONCAT('open:', id), ?
		FROM goods_product
		WHERE goods_id IN ?`, catalog.Opened, at, goods)
	return err
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
