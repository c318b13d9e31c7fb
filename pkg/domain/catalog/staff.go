package catalog

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
)

// ListFilter chooses goods for operators, on sale or not.
type ListFilter struct {
	ID int64
	SN string
	// Name is literal text that the name contains.
	Name string
}

// equality holds a column to one value, which few goods have.
type equality struct {
	column string
	value  any
}

func (f ListFilter) equals() (all []equality) {
	if f.ID != 0 {
		all = append(all, equality{"id", f.ID})
	}
	if f.SN != "" {
		all = append(all, equality{"goods_sn", f.SN})
	}
	return all
}

// named returns the condition on the name of goods that have an alias, and its argument.
func (f ListFilter) named(alias string) (condition string, like string) {
	return "LOWER(" + alias + ".name) LIKE LOWER(?) COLLATE utf8mb4_bin", db.Contains(f.Name)
}

// conditions are all of the filter's, on live goods that have an alias.
func (f ListFilter) conditions(alias string) conditions {
	c := conditions{texts: []string{alias + ".deleted = 0"}}
	for _, e := range f.equals() {
		c.add(alias+"."+e.column+" = ?", e.value)
	}
	if f.Name != "" {
		condition, like := f.named(alias)
		c.add(condition, like)
	}
	return c
}

// All lists goods for operators, on sale or not, with their rich text.
func (s *Service) All(ctx context.Context, f ListFilter, q page.Query) (page.List[Goods], error) {
	l := lists.Select(goods.Name(), goods.Columns("r")+
		", COALESCE((SELECT c.detail FROM goods_content c WHERE c.goods_id = r.id), '') AS detail").TimeIndex("ix_goods_time")
	for _, e := range f.equals() {
		l.Equals(e.column, e.value)
	}
	if f.Name != "" {
		found, err := s.words.find(ctx, s.db, f.Name)
		if err != nil {
			return page.List[Goods]{}, err
		}
		condition, like := f.named("i")
		l.Where(condition, like)
		if found.none {
			l.Where("1 = 0")
		}
		if found.term != "" {
			l.CountVia("id", "SELECT goods_id AS id FROM goods_term WHERE term = ?", found.term)
		}
	}
	return lists.Fetch[Goods](ctx, s.lists, l, q)
}

// goodsAtOnce bounds the goods in memory, whose rich texts are long.
const goodsAtOnce = 50

// EachGoods hands over all goods that a filter chooses, newest first, with everything that belongs to them, a batch
// at a time.
func (s *Service) EachGoods(ctx context.Context, f ListFilter, yield func([]Detail) error) error {
	c := f.conditions("r")
	return lists.IDRanges(ctx, s.db, "goods", func(low, high int64) error {
		for {
			list, err := findGoods(ctx, s.db, "r.id > ? AND r.id <= ? AND "+c.where()+" ORDER BY r.id DESC LIMIT ?",
				append(append([]any{low, high}, c.args...), goodsAtOnce)...)
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

// EditDetail is everything about one goods as operators edit it.
type EditDetail struct {
	Detail
	// Categories are the ids of the parent and the category, of the category alone where it has no parent, and none where
	// the goods have no category that is there.
	Categories []int64
}

// EditDetail returns everything about one goods but the brand, on sale or not. It fails with errno.Invalid.
func (s *Service) EditDetail(ctx context.Context, id int64) (EditDetail, error) {
	d, err := detailOf(ctx, s.db, id)
	if errors.Is(err, errno.GoodsUnknown) {
		return EditDetail{}, fmt.Errorf("goods %d: %w", id, errno.NoSuch(text.FieldGoods))
	}
	if err != nil {
		return EditDetail{}, err
	}
	path, err := s.path(ctx, d.Goods.CategoryID)
	return EditDetail{d, path}, err
}

// path returns the ids from the root of the tree to a category.
func (s *Service) path(ctx context.Context, category int64) ([]int64, error) {
	if category == 0 {
		return nil, nil
	}
	c, err := s.Category(ctx, category)
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
