package catalog

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/richtext"
)

// Add puts goods on the shelf as an operator writes them, once for a repeated request, and returns their id. Unlike
// Create it trusts nothing: it fails with errno.Missing or errno.Invalid for goods with Problems, and for a category or
// a brand that is not there, and cleans the rich text. It fails with errno.GoodsNameExists like Create.
func (s *Service) Add(ctx context.Context, n NewGoods) (int64, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (int64, error) {
		if wrong := n.Problems(); len(wrong) > 0 {
			return 0, fmt.Errorf("add goods: %w", wrong[0].Err)
		}
		if err := holdParents(ctx, tx, n.Goods.CategoryID, n.Goods.BrandID); err != nil {
			return 0, err
		}
		ids, err := s.insert(ctx, tx, []NewGoods{n.tidy()})
		if err != nil {
			return 0, err
		}
		if err := recordAdded(ctx, tx, ids[0]); err != nil {
			return 0, err
		}
		s.touch(tx, ids[0])
		return ids[0], nil
	})
}

// tidy returns the goods as they are kept: clean, at the lowest price of their products.
func (n NewGoods) tidy() NewGoods {
	n.Goods.Detail = richtext.Clean(n.Goods.Detail)
	n.Goods.ShareURL = ""
	n.Goods.RetailPrice = cheapest(n.Products)
	return n
}

// insert stores goods with all that belongs to them, the words to find them by and the opening balances, and asks for
// their share pictures. Its statements do not grow with the number of children.
func (s *Service) insert(ctx context.Context, tx *db.Tx, list []NewGoods) ([]int64, error) {
	ids, err := insertGoods(ctx, tx, list, s.clock())
	if err != nil {
		return nil, err
	}
	if err := insertChildren(ctx, tx, ids, list, s.clock()); err != nil {
		return nil, err
	}
	if err := logOpenings(ctx, tx, ids, s.clock()); err != nil {
		return nil, err
	}
	if err := s.draw(ctx, tx, ids...); err != nil {
		return nil, err
	}
	texts := make([][]string, len(list))
	for i, n := range list {
		texts[i] = []string{n.Goods.Name, n.Goods.Keywords}
	}
	if err := s.words.add(ctx, tx, ids, texts); err != nil {
		return nil, err
	}
	return ids, upload.Use(ctx, tx, list)
}

// kept is goods with what belongs to them, as the record of a change shows them.
type kept struct {
	Goods

	Specifications []Specification
	Products       []Product
	Attributes     []Attribute
}

// recordAdded records goods as they have been stored.
func recordAdded(ctx context.Context, tx *db.Tx, id int64) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	g, err := findGoods(ctx, tx, id)
	if err != nil {
		return err
	}
	after := kept{Goods: g}
	if after.Specifications, err = specificationsOf(ctx, tx, id); err != nil {
		return err
	}
	if after.Products, err = productsOf(ctx, tx, id); err != nil {
		return err
	}
	if after.Attributes, err = attributesOf(ctx, tx, id); err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Change{ID: id, Before: nil, After: after, Result: g.Name})
}

// parentUnknown is the failure for a category or a brand that is not there.
func parentUnknown(field string, id int64) error {
	return fmt.Errorf("%s %d is not there: %w", field, id, errno.NoSuch(field))
}
