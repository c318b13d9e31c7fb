package catalog

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

func (s *Service) brands() edit.CRUD[Brand] {
	return edit.CRUD[Brand]{
		Table: "brand", Once: s.once, Lock: lockBrand,
		Insert: func(ctx context.Context, tx *db.Tx, b Brand) (int64, error) {
			return insertBrand(ctx, tx, b, s.clock())
		},
		Save: func(ctx context.Context, tx *db.Tx, id int64, b Brand) error {
			return saveBrand(ctx, tx, id, b, s.clock())
		},
		Remove: func(ctx context.Context, tx *db.Tx, id int64) error {
			return removeRow(ctx, tx, "brand", id, s.clock())
		},
		Changed: func(tx *db.Tx, _ int64) { s.touch(tx, 0) },
	}
}

// CreateBrand adds a brand. It fails with errno.Invalid for a price that no column holds.
func (s *Service) CreateBrand(ctx context.Context, b Brand) (Brand, error) {
	return s.brands().Create(ctx, b, func(_ *db.Tx, b *Brand) error { return priced("floorPrice", b.FloorPrice) })
}

// ChangeBrand changes a brand. It fails with errno.UpdateFailed where there is none, and as CreateBrand does.
func (s *Service) ChangeBrand(ctx context.Context, id int64, change func(*Brand)) (Brand, error) {
	return s.brands().Update(ctx, id, func(_ *db.Tx, b *Brand) error {
		change(b)
		return priced("floorPrice", b.FloorPrice)
	})
}

// DeleteBrand deletes a brand, where there is one. It fails with errno.Invalid while goods are of that brand. Who puts
// goods on the shelf locks their brand, so none slips in meanwhile.
func (s *Service) DeleteBrand(ctx context.Context, id int64) error {
	return s.brands().Delete(ctx, func(tx *db.Tx, b Brand) error {
		return unused(ctx, tx, "brand_id", b.ID,
			text.BrandHasGoods)
	}, id)
}

// FindBrand returns a brand. It fails with errno.Invalid.
func (s *Service) FindBrand(ctx context.Context, id int64) (Brand, error) {
	b, err := findBrand(ctx, s.db, id)
	if err == nil && b == nil {
		err = fmt.Errorf("brand %d: %w", id, errno.NoSuch("brandId"))
	}
	if err != nil {
		return Brand{}, err
	}
	return *b, nil
}

// AllBrands lists the brands of an id, nil for any, whose name contains a text. Sort is add_time or id.
func (s *Service) AllBrands(ctx context.Context, id *int64, name string, w page.Query) (page.List[Brand], error) {
	l, err := listing.Fetch[brandRow](ctx, s.db, listing.Of("brand", brandListColumns).ID("id", id).Contains("name",
		name), w)
	return page.Map(l, brandRow.brand), err
}

func (s *Service) categories() edit.CRUD[Category] {
	return edit.CRUD[Category]{
		Table: "category", Once: s.once, Lock: lockCategory,
		Insert: func(ctx context.Context, tx *db.Tx, c Category) (int64, error) {
			return insertCategory(ctx, tx, c, s.clock())
		},
		Save: func(ctx context.Context, tx *db.Tx, id int64, c Category) error {
			return saveCategory(ctx, tx, id, c, s.clock())
		},
		Remove: func(ctx context.Context, tx *db.Tx, id int64) error {
			return removeRow(ctx, tx, "category", id, s.clock())
		},
		Changed: func(tx *db.Tx, _ int64) { s.touch(tx, 0) },
	}
}

// placed puts a category into the tree: at the top without a parent, or below a category that is at the top. The parent
// is locked, so that it neither goes nor moves down meanwhile.
func placed(ctx context.Context, tx *db.Tx, c *Category) error {
	switch c.Level {
	case FirstLevel:
		c.Pid = 0
		return nil
	case SecondLevel:
	default:
		return fmt.Errorf("category of level %q: %w", c.Level, errno.Invalid.Because(text.MemberOneOf, text.Member("level"),
			FirstLevel+", "+SecondLevel))
	}
	if c.Pid == 0 {
		return fmt.Errorf("category without a parent: %w", errno.Missing.About("pid"))
	}
	if _, err := hold(ctx, tx, "category", c.Pid); err != nil {
		return err
	}
	parent, found, err := lockCategory(ctx, tx, c.Pid)
	if err != nil {
		return err
	}
	if !found || parent.Level != FirstLevel || parent.ID == c.ID {
		return fmt.Errorf("category below %d: %w", c.Pid, errno.Invalid.Because(text.CategoryParent))
	}
	return nil
}

// CreateCategory adds a category. It fails with errno.Missing for one of the second level without a parent, and with
// errno.Invalid for a level that does not exist or a parent that is not at the top.
func (s *Service) CreateCategory(ctx context.Context, c Category) (Category, error) {
	return s.categories().Create(ctx, c, func(tx *db.Tx, c *Category) error { return placed(ctx, tx, c) })
}

// ChangeCategory changes a category. It fails with errno.UpdateFailed where there is none, as CreateCategory does, and
// with errno.Invalid where a category that has children would become one.
func (s *Service) ChangeCategory(ctx context.Context, id int64, change func(*Category)) (Category, error) {
	return s.categories().Update(ctx, id, func(tx *db.Tx, c *Category) error {
		was := *c
		change(c)
		if err := placed(ctx, tx, c); err != nil {
			return err
		}
		if was.Level == FirstLevel && c.Level == SecondLevel {
			return childless(ctx, tx, id)
		}
		return nil
	})
}

func childless(ctx context.Context, tx *db.Tx, id int64) error {
	children, err := childrenOf(ctx, tx, []int64{id})
	if err == nil && len(children) > 0 {
		err = fmt.Errorf("category %d: %w", id, errno.Invalid.Because(text.CategoryHasChildren, len(children)))
	}
	return err
}

// DeleteCategory deletes a category, where there is one. It fails with errno.Invalid while it has children or goods.
func (s *Service) DeleteCategory(ctx context.Context, id int64) error {
	return s.categories().Delete(ctx, func(tx *db.Tx, c Category) error {
		if err := childless(ctx, tx, c.ID); err != nil {
			return err
		}
		return unused(ctx, tx, "category_id", c.ID, text.CategoryHasGoods)
	}, id)
}

// Branch is a category of the first level with its children.
type Branch struct {
	Category
	Children []Category
}

// Tree returns all categories in display order.
func (s *Service) Tree(ctx context.Context) ([]Branch, error) {
	top, err := categoriesOfLevel(ctx, s.db, FirstLevel)
	if err != nil {
		return nil, err
	}
	children, err := categoriesOfLevel(ctx, s.db, SecondLevel)
	if err != nil {
		return nil, err
	}
	tree := make([]Branch, len(top))
	for i, c := range top {
		tree[i] = Branch{Category: c}
	}
	for _, c := range children {
		if i := slices.IndexFunc(tree, func(b Branch) bool { return b.ID == c.Pid }); i >= 0 {
			tree[i].Children = append(tree[i].Children, c)
		}
	}
	return tree, nil
}

// Live tells which of some goods are there, on sale or not.
func Live(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	return liveGoods(ctx, q, ids)
}

// LiveSummaries returns the goods of ids that are there, on sale or not, by id.
func (s *Service) LiveSummaries(ctx context.Context, ids []int64) (map[int64]Summary, error) {
	return summariesOf(ctx, s.db, ids, "")
}
