package catalog

import (
	"context"
	"errors"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog/search/index"
	"shop.internal/pkg/domain/internal/store/lists"
)

// All lists goods for operators, on sale or not, with their rich text. Sort is add_time, id, retail_price or stock.
// It fails with errno.Invalid if no index has these filters in this order, and more than maxNarrowed goods would be
// read; none has the order by stock. All goods of a large shop are in the order by stock of at most ten minutes ago.
func (s *Service) All(ctx context.Context, f ListFilter, q page.Query) (page.List[Goods], error) {
	if x, sought, ok := s.nameQuery(ctx, f, q); ok {
		ids, total := x.Find(sought)
		return pageOf(x, sought, q, ids, total, func(ids []int64) ([]Goods, error) {
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
	var found lookup
	if f.Name != "" {
		found, err = words.find(ctx, s.db, f.Name)
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
	stock := q.Sort == "stock"
	if many && f.Name == "" && len(of) == 1 && byTime && !stock && f.Stock == AnyStock {
		l.In(of[0].column, of[0].index, of[0].of...)
		return lists.Fetch[Goods](ctx, s.lists, l, q)
	}
	for _, o := range of {
		l.Where("i."+o.column+" IN ?", o.of)
	}
	if many && (len(of) > 0 || stock || f.Name != "" && sortColumn(q.Sort) == "retail_price") {
		err := s.narrow(ctx, l, of, found.term)
		if stock && len(of) == 0 && f.Name == "" && errors.Is(err, errno.Invalid) {
			return s.allByStock(ctx, q)
		}
		if err != nil {
			return page.List[Goods]{}, err
		}
	}
	if stock {
		return s.byStock(ctx, l, q)
	}
	return lists.Fetch[Goods](ctx, s.lists, l, q)
}

// nameQuery returns the index with all changes that are committed, since operators look for what they have just
// saved, and the query for it. ok reports whether there is such an index; it is of no use to other filters than the
// name.
func (s *Service) nameQuery(
	ctx context.Context, f ListFilter, q page.Query,
) (x *index.Index, sought index.Query, ok bool) {
	if f.Name == "" || len(f.equals()) > 0 || f.chooses() || sortColumn(q.Sort) == "name" ||
		q.Sort == "stock" {
		return nil, sought, false
	}
	if sought, ok = (Filter{Keyword: f.Name}).query(q); !ok || len(sought.Words) == 0 {
		return nil, sought, false
	}
	sought.All, sought.InName = true, true
	x = s.index.UpToDate(ctx)
	return x, sought, x != nil
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
