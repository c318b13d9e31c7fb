package catalog

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

const (
	// lowAge is how old the list of low goods, and the order of all by stock, may be before a read renews it: an index on
	// the number of pieces would be written by every purchase, and without one all products are read, which takes seconds
	// for a million.
	lowAge = time.Minute
	// lowKept is how long it is served while it is renewed.
	lowKept    = 10 * time.Minute
	lowTimeout = 10 * time.Second
)

// lowIn finds the goods of which a product has fewer pieces than a number, by the product with the fewest, among the
// products of a condition.
const lowIn = `SELECT p.goods_id FROM goods_product p WHERE p.deleted = 0 AND p.number < ? AND %s
	GROUP BY p.goods_id HAVING MIN(` + shownStock + `) < ? ORDER BY MIN(` + shownStock + `), p.goods_id LIMIT ?`

func remembered(name string, d *db.DB, now func() time.Time) cache.Options[[]int64] {
	return cache.Options[[]int64]{
		Name: name, Meter: d.Meter(), TTL: cache.For[[]int64](lowKept), MaxSize: 1, Deadline: lowTimeout, Now: now,
		Weigh: nil, Ahead: lowAge, Stale: 0, MaxWait: 0, Sweep: false,
	}
}

func newLow(d *db.DB, now func() time.Time) *cache.One[[]int64] {
	return cache.NewOne(remembered("low stock", d, now), func(ctx context.Context) ([]int64, error) {
		return lowGoods(ctx, d, LowFrom, "1 = 1")
	})
}

func lowGoods(ctx context.Context, q db.Querier, below int, where string, args ...any) ([]int64, error) {
	args = append(append([]any{below}, args...), below, maxNarrowed)
	found, err := table.Select[int64](ctx, q, fmt.Sprintf(lowIn, where), args...)
	if err != nil {
		return nil, fmt.Errorf("find the goods with low stock: %w", err)
	}
	return found, nil
}

// atLevel returns the choice of the goods of a level, at most maxNarrowed with the least stock. Goods that were stocked
// up are left out at once.
func (s *Service) atLevel(ctx context.Context, level StockLevel) (choice, error) {
	known, err := s.low.Get(ctx)
	if err != nil {
		return choice{}, err
	}
	below := LowFrom
	if level == SoldOut {
		below = 1
	}
	still, err := lowGoods(ctx, s.db, below, "p.goods_id IN ?", append(known[:len(known):len(known)], 0))
	ids := []any{0} // no goods
	for _, id := range still {
		ids = append(ids, id)
	}
	return choice{"id", "PRIMARY", ids}, err
}

// pieces are those of all products of the goods i.
const pieces = "(SELECT COALESCE(SUM(" + shownStock + `), 0)
	FROM goods_product p WHERE p.goods_id = i.id AND p.deleted = 0)`

// newRanking returns the ids of all goods, those with the fewest pieces first.
func newRanking(d *db.DB, now func() time.Time) *cache.One[[]int64] {
	return cache.NewOne(remembered("goods by stock", d, now), func(ctx context.Context) ([]int64, error) {
		ids, err := table.Select[int64](ctx, d,
			"SELECT i.id FROM goods i WHERE i.deleted = 0 ORDER BY "+pieces+", i.id")
		if err != nil {
			return nil, fmt.Errorf("sort all goods by stock: %w", err)
		}
		return ids, nil
	})
}

// byStock returns a page of the goods of a list, at most maxNarrowed, by the pieces of all their products.
func (s *Service) byStock(ctx context.Context, l *lists.Query, q page.Query) (page.List[Goods], error) {
	where, args := l.Condition()
	ids, err := table.Select[int64](ctx, s.db,
		"SELECT i.id FROM goods i WHERE "+where+" ORDER BY "+pieces+", i.id", args...)
	if err != nil {
		return page.List[Goods]{}, fmt.Errorf("sort goods by stock: %w", err)
	}
	return s.ranked(ctx, ids, q)
}

// allByStock is byStock of all goods of a large shop, in the order of at most ten minutes ago.
func (s *Service) allByStock(ctx context.Context, q page.Query) (page.List[Goods], error) {
	ids, err := s.ranking.Get(ctx)
	if err != nil {
		return page.List[Goods]{}, err
	}
	return s.ranked(ctx, ids, q)
}

// ranked returns a page of goods in the order of their ids, or its reverse. Goods that were deleted are left out.
func (s *Service) ranked(ctx context.Context, ids []int64, q page.Query) (page.List[Goods], error) {
	return page.Fetch(q, func() (int64, error) { return int64(len(ids)), nil }, func(q page.Query) ([]Goods, error) {
		first := min(q.Offset(), len(ids))
		shown := slices.Clone(ids[first:min(first+q.Limit, len(ids))])
		if q.Desc {
			shown = slices.Clone(ids[max(len(ids)-first-q.Limit, 0) : len(ids)-first])
			slices.Reverse(shown)
		}
		found, err := findGoods(ctx, s.db, "r.id IN ? AND r.deleted = 0", append(shown, 0))
		byID := make(map[int64]Goods, len(found))
		for _, g := range found {
			byID[g.ID] = g
		}
		sorted := make([]Goods, 0, len(found))
		for _, id := range shown {
			if g, live := byID[id]; live {
				sorted = append(sorted, g)
			}
		}
		return sorted, err
	})
}

// Stocks returns the pieces of all products of goods, in one statement; goods without products are left out.
func (s *Service) Stocks(ctx context.Context, goods []int64) (map[int64]int64, error) {
	rows, err := table.Select[struct{ GoodsID, Stock int64 }](ctx, s.db, "SELECT p.goods_id, SUM("+shownStock+`) AS stock
		FROM goods_product p WHERE p.goods_id IN ? AND p.deleted = 0 GROUP BY p.goods_id`, append(goods, 0))
	if err != nil {
		return nil, fmt.Errorf("sum the stock of goods: %w", err)
	}
	stocks := make(map[int64]int64, len(rows))
	for _, r := range rows {
		stocks[r.GoodsID] = r.Stock
	}
	return stocks, nil
}
