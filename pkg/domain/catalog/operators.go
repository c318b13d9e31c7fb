package catalog

import (
	"context"

	"shop.internal/pkg/domain/catalog/index"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/page"
)

// ListFilter selects goods for operators, on sale or not.
type ListFilter struct {
	ID int64
	SN string
	// Name are words that the name contains, in any order and case.
	Name string
	// CategoryID and BrandID are ids, nil for no filter and 0 for goods that have none. A category selects the goods of
	// those below it, too.
	CategoryID, BrandID *int64
	// OnSale, New and Hot filter if they are not nil.
	OnSale, New, Hot *bool
}

// equality requires a column to have a value that few goods have.
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

// named returns the condition on the name of goods with an alias, and its arguments.
func (f ListFilter) named(alias string) (condition string, args []any) {
	return db.Matches(f.Name, alias+".name")
}

// conditions are all conditions of the filter, with its choices, on live goods with an alias.
func (f ListFilter) conditions(alias string, of []choice) conditions {
	c := conditions{texts: []string{alias + ".deleted = 0"}}
	for _, e := range f.equals() {
		c.add(alias+"."+e.column+" = ?", e.value)
	}
	if f.Name != "" {
		condition, args := f.named(alias)
		c.add(condition, args...)
	}
	for _, o := range of {
		c.add(alias+"."+o.column+" IN ?", o.of)
	}
	return c
}

// All lists goods for operators, on sale or not, with their rich text. Sort is add_time, id or retail_price. It fails
// with errno.Invalid if no index has these filters in this order, and more than maxNarrowed goods would be read.
func (s *Service) All(ctx context.Context, f ListFilter, q page.Query) (page.List[Goods], error) {
	if x, asked, ok := s.askedByName(ctx, f, q); ok {
		ids, total := x.Find(asked)
		return pageOf(x, asked, q, ids, total, func(ids []int64) ([]Goods, error) {
			return findGoods(ctx, s.db, "r.id IN ? AND r.deleted = 0 ORDER BY "+orderBy("r", q.Sort, q.Desc), ids)
		})
	}
	of, err := s.choices(ctx, f)
	if err != nil {
		return page.List[Goods]{}, err
	}
	l := lists.Select(goods.Name(), goods.Columns("r")+
		", COALESCE((SELECT c.detail FROM goods_content c WHERE c.goods_id = r.id), '') AS detail").
		TimeIndex("ix_goods_time").SortIndex("retail_price", "ix_goods_price")
	for _, e := range f.equals() {
		l.Equals(e.column, e.value)
	}
	var found search
	if f.Name != "" {
		found, err = s.words.find(ctx, s.db, f.Name)
		if err != nil {
			return page.List[Goods]{}, err
		}
		condition, args := f.named("i")
		l.Where(condition, args...)
		if found.none {
			l.Where("1 = 0")
		}
		if found.term != "" {
			l.CountVia("id", "SELECT goods_id AS id FROM goods_term WHERE term = ?", found.term)
		}
	}
	byTime, many := sortColumn(q.Sort) == "add_time", len(f.equals()) == 0 && !found.none
	if many && f.Name == "" && len(of) == 1 && byTime {
		l.In(of[0].column, of[0].index, of[0].of...)
		return lists.Fetch[Goods](ctx, s.lists, l, q)
	}
	for _, o := range of {
		l.Where("i."+o.column+" IN ?", o.of)
	}
	if many && (len(of) > 0 || f.Name != "" && sortColumn(q.Sort) == "retail_price") {
		if err := s.narrow(ctx, l, of, found.term); err != nil {
			return page.List[Goods]{}, err
		}
	}
	return lists.Fetch[Goods](ctx, s.lists, l, q)
}

// askedByName returns the index with all changes that are committed, since operators look for what they have just
// saved, and the question for it. ok reports whether there is such an index; it is of no use to other filters than the
// name.
func (s *Service) askedByName(
	ctx context.Context, f ListFilter, q page.Query,
) (x *index.Index, asked index.Query, ok bool) {
	if f.Name == "" || len(f.equals()) > 0 || f.chooses() || sortColumn(q.Sort) == "name" {
		return nil, asked, false
	}
	if asked, ok = (Filter{Keyword: f.Name}).query(q); !ok || len(asked.Words) == 0 {
		return nil, asked, false
	}
	asked.All, asked.InName = true, true
	x = s.upToDate(ctx)
	return x, asked, x != nil
}

// chooses reports whether the filter has choices.
func (f ListFilter) chooses() bool {
	return f.CategoryID != nil || f.BrandID != nil || f.OnSale != nil || f.New != nil || f.Hot != nil
}

// goodsPerBatch bounds the goods in memory, since their rich texts are long.
const goodsPerBatch = 50

// EachGoods passes all goods of a filter to yield, newest first, with all their children, in batches.
func (s *Service) EachGoods(ctx context.Context, f ListFilter, yield func([]Detail) error) error {
	of, err := s.choices(ctx, f)
	if err != nil {
		return err
	}
	c := f.conditions("r", of)
	return lists.IDRanges(ctx, s.db, "goods", func(low, high int64) error {
		for {
			list, err := findGoods(ctx, s.db, "r.id > ? AND r.id <= ? AND "+c.where()+" ORDER BY r.id DESC LIMIT ?",
				append(append([]any{low, high}, c.args...), goodsPerBatch)...)
			if err != nil || len(list) == 0 {
				return err
			}
			details, err := detailsOf(ctx, s.db.Reads(), list)
			if err != nil {
				return err
			}
			if err := yield(details); err != nil {
				return err
			}
			if len(list) < goodsPerBatch {
				return nil
			}
			high = list[len(list)-1].ID - 1
		}
	})
}
