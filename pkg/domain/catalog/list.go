package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
)

// Filter chooses goods. The zero Filter chooses all.
type Filter struct {
	// CategoryID, BrandID and Except are ids; 0 is no filter. Except leaves one goods out.
	CategoryID, BrandID, Except int64
	// Keyword is literal text that the name or the keywords contain, in any case; empty is no filter.
	Keyword string
	// New and Hot filter when set, also by false.
	New, Hot *bool
}

// Floor is a first-level category on the home page with the newest goods below it.
type Floor struct {
	ID    int64
	Name  string
	Goods []Summary
}

// head is a goods among the newest of its category.
type head struct {
	ID, CategoryID int64
	AddTime        time.Time
}

var categorized = table.Part[head](goodsRows)

// OnSale lists goods on sale. Sort is add_time, id, retail_price or name.
func (s *Service) OnSale(ctx context.Context, f Filter, q page.Query) (page.List[Summary], error) {
	found, err := s.search(ctx, f.Keyword)
	if err != nil {
		return page.List[Summary]{}, err
	}
	return s.list(ctx, f, found, q)
}

// Find is OnSale together with the second-level categories of all goods that match the filter without its CategoryID,
// in display order. Where a keyword matches more than 5,000 goods, the categories are those of 5,000 of them.
func (s *Service) Find(ctx context.Context, f Filter, q page.Query) (page.List[Summary], []Category, error) {
	found, err := s.search(ctx, f.Keyword)
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

func (s *Service) list(ctx context.Context, f Filter, found search, q page.Query) (page.List[Summary], error) {
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

// Newest returns the first n goods on sale that match, newest first, without counting the others.
func (s *Service) Newest(ctx context.Context, f Filter, n int) ([]Summary, error) {
	if n <= 0 {
		return nil, nil
	}
	found, err := s.search(ctx, f.Keyword)
	if err != nil || found.none {
		return nil, err
	}
	return listOnSale(ctx, s.db, f, found, window{sort: "add_time", desc: true, limit: n})
}

// Count returns the number of goods on sale.
func (s *Service) Count(ctx context.Context) (int64, error) {
	return countOnSale(ctx, s.db, Filter{}, search{})
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
		return page.List[Summary]{Query: q}, nil
	}
	return s.OnSale(ctx, Filter{CategoryID: g.CategoryID, Except: id}, q)
}

// promoted is the first-level category that collects goods of all others; it would repeat them on the home page.
const promoted = "推荐"

// Floors returns the first floors of the home page, each with its newest goods on sale.
func (s *Service) Floors(ctx context.Context, floors, goods int) ([]Floor, error) {
	if floors <= 0 {
		return nil, nil
	}
	firsts, err := s.FirstCategories(ctx)
	if err != nil {
		return nil, err
	}
	firsts = slices.DeleteFunc(firsts, func(c Category) bool { return c.Name == promoted })
	firsts = firsts[:min(floors, len(firsts))]
	ids := make([]int64, len(firsts))
	for i, c := range firsts {
		ids[i] = c.ID
	}
	children, err := childrenOf(ctx, s.db, ids)
	if err != nil {
		return nil, err
	}
	newest, err := s.newestOf(ctx, children, goods)
	if err != nil {
		return nil, err
	}
	out := make([]Floor, len(firsts))
	for i, c := range firsts {
		out[i] = Floor{ID: c.ID, Name: c.Name, Goods: newest[c.ID]}
	}
	return out, nil
}

// newestOf returns, by first-level category, the newest n goods of all its children: a few from each child, merged.
func (s *Service) newestOf(ctx context.Context, children []Category, n int) (map[int64][]Summary, error) {
	parent := make(map[int64]int64, len(children))
	ids := make([]int64, len(children))
	for i, c := range children {
		parent[c.ID], ids[i] = c.Pid, c.ID
	}
	heads, err := newestByCategory(ctx, s.db, ids, n)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(heads, func(a, b head) int {
		return cmp.Or(b.AddTime.Compare(a.AddTime), cmp.Compare(b.ID, a.ID))
	})
	chosen := map[int64][]int64{}
	var all []int64
	for _, h := range heads {
		if floor := parent[h.CategoryID]; len(chosen[floor]) < n {
			chosen[floor] = append(chosen[floor], h.ID)
			all = append(all, h.ID)
		}
	}
	summaries, err := summariesOf(ctx, s.db, all, forSale)
	if err != nil {
		return nil, err
	}
	out := make(map[int64][]Summary, len(chosen))
	for floor, ids := range chosen {
		for _, id := range ids {
			if g, ok := summaries[id]; ok {
				out[floor] = append(out[floor], g)
			}
		}
	}
	return out, nil
}
