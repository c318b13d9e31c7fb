package catalog

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

func lockBrand(ctx context.Context, tx *db.Tx, id int64) (Brand, bool, error) {
	rows, err := readBrands(ctx, tx, "FROM brand b WHERE b.id = ? AND b.deleted = 0 FOR UPDATE", id)
	if err != nil || len(rows) == 0 {
		return Brand{}, false, err
	}
	return rows[0], true, nil
}

func lockCategory(ctx context.Context, tx *db.Tx, id int64) (Category, bool, error) {
	var rows []categoryRow
	err := tx.G(ctx).Raw("SELECT "+categoryColumns+" FROM category c WHERE c.id = ? AND c.deleted = 0 FOR UPDATE", id).
		Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		if err != nil {
			err = fmt.Errorf("lock category %d: %w", id, err)
		}
		return Category{}, false, err
	}
	return rows[0].category(), true, nil
}

func saveBrand(ctx context.Context, tx *db.Tx, id int64, b Brand, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE brand SET name = ?, description = ?, pic_url = ?, sort_order = ?, floor_price = ?, "+
		"update_time = ?, version = version + 1 WHERE id = ?", b.Name, b.Desc, b.PicURL, b.SortOrder, b.FloorPrice, at,
		id).Error
	if err != nil {
		return fmt.Errorf("save brand %d: %w", id, err)
	}
	return nil
}

func saveCategory(ctx context.Context, tx *db.Tx, id int64, c Category, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE category SET pid = ?, name = ?, keywords = ?, description = ?, icon_url = ?, "+
		"pic_url = ?, level = ?, sort_order = ?, update_time = ?, version = version + 1 WHERE id = ?",
		c.Pid, c.Name, c.Keywords, c.Desc, c.IconURL, c.PicURL, c.Level, c.SortOrder, at, id).Error
	if err != nil {
		return fmt.Errorf("save category %d: %w", id, err)
	}
	return nil
}

func removeRow(ctx context.Context, tx *db.Tx, table string, id int64, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE "+table+" SET deleted = 1, update_time = ?, version = version + 1 WHERE id = ?", at,
		id).Error
	if err != nil {
		return fmt.Errorf("delete %s %d: %w", table, id, err)
	}
	return nil
}

// mostCounted bounds how many goods a refusal counts.
const mostCounted = 1000

// unused fails with errno.Invalid while goods name a row by this column; why says how many do.
func unused(ctx context.Context, tx *db.Tx, column string, id int64, why *text.Text) error {
	var goods []int64
	err := tx.G(ctx).Raw("SELECT id FROM goods WHERE "+column+" = ? AND deleted = 0 LIMIT ?", id, mostCounted).
		Scan(&goods).Error
	if err != nil {
		return fmt.Errorf("look for goods by %s: %w", column, err)
	}
	if len(goods) > 0 {
		return fmt.Errorf("goods %d has %s %d: %w", goods[0], column, id, errno.Invalid.Because(why, len(goods)))
	}
	return nil
}

func liveGoods(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var live []int64
	if err := q.G(ctx).Raw("SELECT id FROM goods WHERE id IN ? AND deleted = 0", ids).Scan(&live).Error; err != nil {
		return nil, fmt.Errorf("look for goods: %w", err)
	}
	return live, nil
}
