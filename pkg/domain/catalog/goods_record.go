package catalog

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/errno"
)

// Sheet is everything about one goods as operators edit it.
type Sheet struct {
	Goods          Goods
	Specifications []Specification
	Products       []Product
	Attributes     []Attribute
	// Categories are the ids of the parent and the category, of the category alone where it has no parent, and none where
	// the goods have no category that is there.
	Categories []int64
}

// Sheet returns everything about one goods, on sale or not. The goods are read first, so that an operator who edits
// what has changed in between is told. It fails with errno.Invalid.
func (s *Service) Sheet(ctx context.Context, id int64) (Sheet, error) {
	g, err := findGoods(ctx, s.db, id)
	if errors.Is(err, errno.GoodsUnknown) {
		return Sheet{}, fmt.Errorf("goods %d: %w", id, errno.NoSuch("goodsId"))
	}
	if err != nil {
		return Sheet{}, err
	}
	sheet := Sheet{Goods: g}
	if sheet.Specifications, err = specificationsOf(ctx, s.db, id); err != nil {
		return Sheet{}, err
	}
	if sheet.Products, err = productsOf(ctx, s.db, id); err != nil {
		return Sheet{}, err
	}
	if sheet.Attributes, err = attributesOf(ctx, s.db, id); err != nil {
		return Sheet{}, err
	}
	sheet.Categories, err = s.path(ctx, g.CategoryID)
	return sheet, err
}

// path returns the ids from the root of the tree to a category.
func (s *Service) path(ctx context.Context, category int64) ([]int64, error) {
	if category == 0 {
		return nil, nil
	}
	c, err := findCategory(ctx, s.db, category)
	switch {
	case errors.Is(err, errno.Invalid):
		return nil, nil
	case err != nil:
		return nil, err
	case c.Level == SecondLevel:
		return []int64{c.Pid, c.ID}, nil
	}
	return []int64{c.ID}, nil
}
