package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// takesGoods fails with errno.Invalid for a category of the first level that has children: goods belong into these. A
// category that is held gets no child meanwhile.
func takesGoods(ctx context.Context, q db.Querier, category int64) error {
	if category == 0 {
		return nil
	}
	children, err := childrenOf(ctx, q, []int64{category})
	if err == nil && len(children) > 0 {
		err = fmt.Errorf("goods in category %d: %w", category, errno.Invalid.Because(text.GoodsAboveChildren, len(children)))
	}
	return err
}

// holdParents keeps a category and a brand from being deleted until the transaction ends; 0 is none. It fails with
// errno.Invalid for an unknown one.
func holdParents(ctx context.Context, tx *db.Tx, category, brand int64) error {
	for _, parent := range []struct {
		field *text.Field
		hold  func(context.Context, *db.Tx, int64) (bool, error)
		id    int64
	}{{text.FieldCategory, categories.Hold, category}, {text.FieldBrand, brands.Hold, brand}} {
		if parent.id == 0 {
			continue
		}
		found, err := parent.hold(ctx, tx, parent.id)
		if err == nil && !found {
			err = fmt.Errorf("%s %d is not there: %w", parent.field.In(text.English), parent.id, errno.NoSuch(parent.field))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// holdParentsOf keeps the category, the brand and the freight template of goods from being deleted.
func (s *Service) holdParentsOf(ctx context.Context, tx *db.Tx, g Goods) error {
	if err := holdParents(ctx, tx, g.CategoryID, g.BrandID); err != nil {
		return err
	}
	return s.holdFreight(ctx, tx, g.FreightID)
}

// holdAllParents is holdParentsOf for many goods, in ascending order of ids.
func (s *Service) holdAllParents(ctx context.Context, tx *db.Tx, goods []NewGoods) error {
	categories, brands := map[int64]bool{}, map[int64]bool{}
	freights := make([]int64, len(goods))
	for i, n := range goods {
		categories[n.Goods.CategoryID], brands[n.Goods.BrandID] = true, true
		freights[i] = n.Goods.FreightID
	}
	for _, id := range slices.Sorted(maps.Keys(categories)) {
		if err := holdParents(ctx, tx, id, 0); err != nil {
			return err
		}
		if err := takesGoods(ctx, tx, id); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(brands)) {
		if err := holdParents(ctx, tx, 0, id); err != nil {
			return err
		}
	}
	return s.holdFreight(ctx, tx, freights...)
}
