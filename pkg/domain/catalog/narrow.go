package catalog

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// choices are the filters of an operators' list that have an index each.
func (s *Service) choices(ctx context.Context, f ListFilter) ([]choice, error) {
	var all []choice
	if f.Stock != AnyStock {
		c, err := s.atLevel(ctx, f.Stock)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if f.CategoryID != nil {
		of := []any{*f.CategoryID}
		if *f.CategoryID != 0 { // goods without a category have 0, and so have categories without a parent
			below, err := table.Select[int64](ctx, s.db, "SELECT id FROM category WHERE pid = ? AND deleted = 0", *f.CategoryID)
			if err != nil {
				return nil, fmt.Errorf("read the categories below %d: %w", *f.CategoryID, err)
			}
			for _, id := range below {
				of = append(of, id)
			}
		}
		all = append(all, choice{"category_id", "ix_goods_cat", of})
	}
	if f.BrandID != nil {
		all = append(all, choice{"brand_id", "ix_goods_brand", []any{*f.BrandID}})
	}
	if f.FreightID != nil {
		all = append(all, choice{"freight_id", "ix_goods_freight", []any{*f.FreightID}})
	}
	for _, flag := range []struct {
		column, index string
		is            *bool
	}{
		{"is_on_sale", "ix_goods_sale", f.OnSale}, {"is_new", "ix_goods_new", f.New}, {"is_hot", "ix_goods_hot", f.Hot},
	} {
		if flag.is != nil {
			all = append(all, choice{flag.column, flag.index, []any{*flag.is}})
		}
	}
	return all, nil
}

// narrow restricts a list to the goods of the first of its choices, of the term of its name, or of the shop, that are
// few. It fails with errno.Invalid if none are: they would all have to be read.
func (s *Service) narrow(ctx context.Context, l *lists.Query, of []choice, term string) error {
	all := choice{"deleted", "ix_goods_time", []any{0}}
	for _, c := range append(of[:len(of):len(of)], all) {
		few, err := s.few(ctx, l,
			"SELECT id FROM goods FORCE INDEX ("+c.index+") WHERE deleted = 0 AND "+c.column+" IN ?", c.of)
		if few || err != nil {
			return err
		}
	}
	if term != "" {
		few, err := s.few(ctx, l, "SELECT goods_id FROM goods_term WHERE term = ?", term)
		if few || err != nil {
			return err
		}
	}
	return errno.Invalid.Because(text.ListNarrow)
}

// few restricts a list to the goods whose ids a statement finds, if they are few.
func (s *Service) few(ctx context.Context, l *lists.Query, statement string, of any) (bool, error) {
	ids, err := table.Select[int64](ctx, s.db, statement+" LIMIT ?", of, maxNarrowed+1)
	if err != nil {
		return false, fmt.Errorf("find few goods: %w", err)
	}
	if len(ids) > maxNarrowed {
		return false, nil
	}
	l.Where("i.id IN ?", append(ids, 0))
	return true, nil
}
