package catalog

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
)

// goodsAtOnce bounds the goods in memory, whose rich texts are long.
const goodsAtOnce = 50

// EachGoods hands over all goods that a filter chooses, newest first, with everything that belongs to them, a batch
// at a time.
func (s *Service) EachGoods(ctx context.Context, f ListFilter, yield func([]Detail) error) error {
	c := conditions{texts: []string{"r.deleted = 0"}}
	if f.ID != 0 {
		c.add("r.id = ?", f.ID)
	}
	if f.SN != "" {
		c.add("r.goods_sn = ?", f.SN)
	}
	if f.Name != "" {
		c.add("LOWER(r.name) LIKE LOWER(?) COLLATE utf8mb4_bin", db.Contains(f.Name))
	}
	return listing.Stretches(ctx, s.db, "goods", func(low, high int64) error {
		for {
			list, err := goodsBetween(ctx, s.db, low, high, c)
			if err != nil || len(list) == 0 {
				return err
			}
			details, err := detailsOf(ctx, s.db, list)
			if err != nil {
				return err
			}
			if err := yield(details); err != nil {
				return err
			}
			if len(list) < goodsAtOnce {
				return nil
			}
			high = list[len(list)-1].ID - 1
		}
	})
}

func goodsBetween(ctx context.Context, q db.Querier, low, high int64, c conditions) ([]Goods, error) {
	var rows []goodsRow
	err := q.G(ctx).Raw("SELECT "+goodsColumns+wholeGoods+"r.id > ? AND r.id <= ? AND "+c.where()+
		" ORDER BY r.id DESC LIMIT ?", append(append([]any{low, high}, c.args...), goodsAtOnce)...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("walk the goods: %w", err)
	}
	return goodsOf(rows)
}

// detailsOf reads what belongs to goods, in a statement for each kind of children.
func detailsOf(ctx context.Context, q db.Querier, list []Goods) ([]Detail, error) {
	at := make(map[int64]int, len(list))
	ids := make([]int64, len(list))
	details := make([]Detail, len(list))
	for i, g := range list {
		at[g.ID], ids[i], details[i].Goods = i, g.ID, g
	}
	specifications, err := specificationsOf(ctx, q, ids...)
	if err != nil {
		return nil, err
	}
	for _, v := range specifications {
		d := &details[at[v.GoodsID]]
		d.Specifications = append(d.Specifications, v)
	}
	products, err := productsOf(ctx, q, ids...)
	if err != nil {
		return nil, err
	}
	for _, p := range products {
		d := &details[at[p.GoodsID]]
		d.Products = append(d.Products, p)
	}
	attributes, err := attributesOf(ctx, q, ids...)
	if err != nil {
		return nil, err
	}
	for _, a := range attributes {
		d := &details[at[a.GoodsID]]
		d.Attributes = append(d.Attributes, a)
	}
	return details, nil
}
