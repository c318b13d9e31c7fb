package catalog

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

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
	if err := priced("floorPrice", b.FloorPrice); err != nil {
		return 0, err
	}
	id, err := db.Insert(ctx, tx, "INSERT INTO brand (name, description, pic_url, sort_order, floor_price, add_time, "+
		"update_time) VALUES (?, ?, ?, ?, ?, ?, ?)", b.Name, b.Desc, b.PicURL, b.SortOrder, b.FloorPrice, at, at)
	if err != nil {
		return 0, fmt.Errorf("create brand %q: %w", b.Name, err)
	}
	return id, nil
}
