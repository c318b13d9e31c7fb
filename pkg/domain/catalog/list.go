package catalog

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog/search/index"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// withChildren returns the filter with the children of its category. A child that was added or moved shows within a
// second.
func (s *Service) withChildren(ctx context.Context, f Filter) (Filter, error) {
	if f.CategoryID == 0 {
		return f, nil
	}
	all, err := s.secondLevel.Get(ctx)
	if err != nil {
		return f, err
	}
	f.children = nil
	for _, c := range all {
		if c.Pid == f.CategoryID {
			f.children = append(f.children, c.ID)
		}
	}
	return f, nil
}

// OnSale lists goods on sale. Sort is add_time, id, retail_price or name. It fails with errno.Invalid for a lowest
// price above the highest.
func (s *Service) OnSale(ctx context.Context, f Filter, q page.Query) (page.List[Summary], error) {
	err := f.check()
	if err == nil {
		f, err = s.withChildren(ctx, f)
	}
	if err != nil {
		return page.List[Summary]{}, err
	}
	return s.listOf(ctx, f, q)
}

// listOf is OnSale of a filter that is complete.
func (s *Service) listOf(ctx context.Context, f Filter, q page.Query) (page.List[Summary], error) {
	if x, sought, ok := s.indexQuery(f, q); ok {
		ids, total := x.Find(sought)
		return s.listIndexed(ctx, x, sought, q, ids, total)
	}
	found, err := s.lookUp(ctx, f)
	if err != nil {
		return page.List[Summary]{}, err
	}
	return s.list(ctx, f, found, q)
}

// Find returns OnSale and the second-level categories of all goods that match the filter without its CategoryID, in
// display order. If a keyword matches more than 5,000 goods, the categories are those of 5,000 of them. It fails like
// OnSale.
func (s *Service) Find(ctx context.Context, f Filter, q page.Query) (page.List[Summary], []Category, error) {
	err := f.check()
	if err == nil {
		f, err = s.withChildren(ctx, f)
	}
	if err != nil {
		return page.List[Summary]{}, nil, err
	}
	if x, sought, ok := s.indexQuery(f, q); ok {
		ids, total, in := x.FindIn(sought)
		list, err := s.listIndexed(ctx, x, sought, q, ids, total)
		if err != nil {
			return page.List[Summary]{}, nil, err
		}
		categories, err := s.displayed(ctx, in)
		return list, categories, err
	}
	found, err := s.lookUp(ctx, f)
	if err != nil {
		return page.List[Summary]{}, nil, err
	}
	list, err := s.list(ctx, f, found, q)
	if err != nil {
		return page.List[Summary]{}, nil, err
	}
	f.CategoryID = 0
	if found.none {
		return list, nil, nil
	}
	categories, err := categoriesOf(ctx, s.db, f, found)
	return list, categories, err
}

// list reads a page without package lists: a keyword is looked up in an index of terms, and where it is frequent, the
// index of the order is forced for each sort word.
func (s *Service) list(ctx context.Context, f Filter, found lookup, q page.Query) (page.List[Summary], error) {
	var total int64
	count := func() (n int64, err error) {
		if !found.none {
			n, err = countOnSale(ctx, s.db, f, found)
		}
		total = n
		return n, err
	}
	return page.Fetch(q, count, func(q page.Query) ([]Summary, error) {
		return listOnSale(ctx, s.db, f, found, windowOf(q, total))
	})
}

// Newest returns the first n matching goods on sale, newest first, without counting the others.
func (s *Service) Newest(ctx context.Context, f Filter, n int) ([]Summary, error) {
	if n <= 0 {
		return nil, nil
	}
	f, err := s.withChildren(ctx, f)
	if err != nil {
		return nil, err
	}
	if x, sought, ok := s.indexQuery(f, page.Query{Page: 1, Limit: n, Desc: true}); ok {
		ids, _ := x.Find(sought)
		return s.summariesInOrder(ctx, ids)
	}
	found, err := s.lookUp(ctx, f)
	if err != nil || found.none {
		return nil, err
	}
	return listOnSale(ctx, s.db, f, found, window{sort: "add_time", desc: true, limit: n})
}

// Count returns the number of goods on sale.
func (s *Service) Count(ctx context.Context) (int64, error) {
	if x := s.index.Current(); x != nil {
		_, total := x.Find(index.Query{})
		return int64(total), nil
	}
	return countOnSale(ctx, s.db, Filter{}, lookup{})
}

// Related lists the other goods on sale of the same category. It fails with errno.GoodsUnknown.
func (s *Service) Related(ctx context.Context, id int64, q page.Query) (page.List[Summary], error) {
	g, found, err := categorized.Live(ctx, s.db, id)
	if err == nil && !found {
		err = fmt.Errorf("read the category of goods %d: %w", id, errno.GoodsUnknown)
	}
	if err != nil {
		return page.List[Summary]{}, err
	}
	if g.CategoryID == 0 { // goods without a category have no relatives; a filter by 0 would be none
		return page.None[Summary](q), nil
	}
	return s.listOf(ctx, Filter{CategoryID: g.CategoryID, Except: id}, q)
}

// window is the part of an ordered list that is read. Pages in the second half are read from the other end.
type window struct {
	sort          string
	desc          bool
	offset, limit int
	// reverse says that the scan runs against the order of the list.
	reverse bool
}

// windowOf returns the shorter of the two scans to the rows of a page.
func windowOf(q page.Query, total int64) window {
	w := window{sort: q.Sort, desc: q.Desc, offset: q.Offset(), limit: q.Limit}
	if int64(w.offset) <= total/2 {
		return w
	}
	w.limit = min(w.limit, int(total)-w.offset)
	w.offset = int(total) - w.offset - w.limit
	w.reverse = true
	return w
}

// walk is the order in which the window is scanned, and list the order in which it is shown.
func (w window) walk(alias string) string { return orderBy(alias, w.sort, w.desc != w.reverse) }

func (w window) list(alias string) string { return orderBy(alias, w.sort, w.desc) }

// countOnSale counts exactly. Collecting the candidates of a frequent term would cost more than scanning the goods.
func countOnSale(ctx context.Context, q db.Querier, f Filter, found lookup) (int64, error) {
	from, args := candidates(found)
	if found.frequent {
		from, args = "goods g", nil
	}
	c := conditionsOf(f, found)
	var n int64
	err := table.Scan(ctx, q, &n, "SELECT COUNT(*) FROM "+from+" WHERE "+c.where(), append(args, c.args...)...)
	if err != nil {
		return 0, fmt.Errorf("count goods on sale: %w", err)
	}
	return n, nil
}

// walked returns the FROM clause of a page: for a frequent term, scanning the goods in the order of the list is faster.
func walked(f Filter, found lookup, w window) (from string, args []any) {
	if !found.frequent {
		return candidates(found)
	}
	if f.CategoryID != 0 || f.BrandID != 0 || f.New != nil || f.Hot != nil {
		return "goods g", nil
	}
	key := map[string]string{
		"add_time": "ix_goods_time", "retail_price": "ix_goods_price", "name": "ix_goods_nameord", "id": "PRIMARY",
	}[sortColumn(w.sort)]
	return "goods g FORCE INDEX FOR ORDER BY (" + key + ")", nil
}

// listOnSale reads a page in one statement of two steps: the ids from an index alone, then the rows.
func listOnSale(ctx context.Context, q db.Querier, f Filter, found lookup, w window) ([]Summary, error) {
	from, args := walked(f, found, w)
	c := conditionsOf(f, found)
	args = append(append(args, c.args...), w.limit, w.offset)
	return summaries.From(ctx, q, "(SELECT g.id FROM "+from+" WHERE "+c.where()+
		" ORDER BY "+w.walk("g")+" LIMIT ? OFFSET ?) p JOIN goods r ON r.id = p.id ORDER BY "+w.list("r"), args...)
}
