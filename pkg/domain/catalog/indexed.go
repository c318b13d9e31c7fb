package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog/search"
	"shop.internal/pkg/domain/catalog/search/index"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

const (
	// maxRows bounds the rows in memory, of about half a KiB each, and maxRowAge their age. Those that change are dropped
	// with the feed.
	maxRows   = 50_000
	maxRowAge = time.Minute
)

// openIndex prepares the index, and what is remembered beside it: the rows of goods that were shown lately, and the
// categories of the second level.
func (s *Service) openIndex() {
	s.index = search.New(s.db, s.now, search.Rows{
		About: func(ctx context.Context) (int64, error) { return largestID(ctx, s.db) },
		Count: func(ctx context.Context) (n int64, err error) {
			if err = table.Scan(ctx, s.db, &n, "SELECT COUNT(*) FROM goods WHERE deleted = 0"); err != nil {
				err = fmt.Errorf("count the goods for the index: %w", err)
			}
			return n, err
		},
		After: func(ctx context.Context, all []index.Goods, id int64, limit int) ([]index.Goods, error) {
			return indexed(ctx, s.db, all, "id > ? AND deleted = 0 ORDER BY id LIMIT ?", id, limit)
		},
		Of: func(ctx context.Context, ids []int64) ([]index.Goods, error) {
			return indexed(ctx, s.db, nil, "id IN ? AND deleted = 0", ids)
		},
		Differs: s.differs,
		Loaded:  func() { s.summaries.InvalidateAll() },
		Changed: func(ids []int64) {
			for _, id := range ids {
				s.summaries.Invalidate(id)
				s.notify(Change{Goods: id, Listed: true})
			}
		},
	})
	// Rows are read many at once only.
	none := func(context.Context, int64) (Summary, error) { return Summary{}, errors.ErrUnsupported }
	s.summaries = cache.New(cache.Options[Summary]{
		Name: "goods on lists", Meter: s.db.Meter(),
		TTL: cache.For[Summary](maxRowAge), MaxSize: maxRows, Deadline: search.Timeout, Sweep: true, Now: s.now,
		Weigh: nil, Ahead: 0, Stale: 0, MaxWait: 0,
	}, none)
	s.labels = cache.NewOne(cache.Options[labels]{
		Name: "names of brands and categories", Meter: s.db.Meter(),
		TTL: cache.For[labels](labelsAge), Ahead: labelsAge / 2, MaxSize: 1, Deadline: search.Timeout, Sweep: false,
		Now: s.now, Weigh: nil, Stale: 0, MaxWait: 0,
	}, s.readLabels)
	s.secondLevel = cache.NewOne(cache.Options[[]Category]{
		Name: "categories", Meter: s.db.Meter(),
		TTL: cache.For[[]Category](time.Second), Ahead: time.Second / 2, MaxSize: 1, Deadline: search.Timeout, Sweep: false,
		Now: s.now, Weigh: nil, Stale: 0, MaxWait: 0,
	}, s.SecondCategories)
}

// Index is the index of the goods by which lists are answered.
func (s *Service) Index() *search.Engine { return s.index }

// indexed appends goods as the index knows them, with the lower case and the order of names that the database computes.
// Blanks at the end do not count in that order.
func indexed(
	ctx context.Context, q db.Querier, all []index.Goods, where string, args ...any,
) (_ []index.Goods, err error) {
	rows, err := db.Query(ctx, q, `SELECT id, category_id, brand_id, LOWER(name), LOWER(keywords),
		IF(id <= ?, LOWER(brief), ''), WEIGHT_STRING(TRIM(TRAILING ' ' FROM name)), CAST(retail_price * 100 AS SIGNED),
		TIMESTAMPDIFF(MICROSECOND, '1970-01-01', add_time) DIV 1000, is_on_sale, is_new, is_hot
		FROM goods WHERE `+where, append([]any{maxBriefs}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read goods for the index: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var name, keywords, brief, key sql.RawBytes
	var texts []byte
	for rows.Next() {
		var g index.Goods
		err := rows.Scan(&g.ID, &g.CategoryID, &g.BrandID, &name, &keywords, &brief, &key, &g.Price, &g.Added,
			&g.OnSale, &g.New, &g.Hot)
		if err != nil {
			return nil, fmt.Errorf("read goods for the index: %w", err)
		}
		// One piece of memory for all takes less than several.
		texts = append(append(append(append(texts[:0], name...), keywords...), brief...), key...)
		one := string(texts)
		g.Name, one = one[:len(name)], one[len(name):]
		g.Keywords, one = one[:len(keywords)], one[len(keywords):]
		g.Brief, g.NameKey = one[:len(brief)], one[len(brief):]
		all = append(all, g)
	}
	return all, rows.Err()
}

// query returns the query for the index, and whether it answers as the database does: letters beyond ASCII may have
// another lower case there.
func (f Filter) query(q page.Query) (index.Query, bool) {
	sought := index.Query{
		Categories: f.categories(), BrandID: f.BrandID, Except: f.Except, New: f.New, Hot: f.Hot,
		MinPrice: cents(f.MinPrice), MaxPrice: cents(f.MaxPrice),
		Desc: q.Desc, Offset: q.Offset(), Limit: q.Limit,
	}
	switch sortColumn(q.Sort) {
	case "id":
		sought.Sort = index.ID
	case "retail_price":
		sought.Sort = index.Price
	case "name":
		sought.Sort = index.Name
	default:
		sought.Sort = index.Added
	}
	sought.Words = form.Words(f.Keyword)
	return sought, !cased(f.Keyword)
}

// cased reports whether a text has letters of which the database may make other lower-case ones.
func cased(t string) bool {
	return strings.ContainsFunc(t, func(r rune) bool {
		return r > unicode.MaxASCII && unicode.ToLower(r) != unicode.ToUpper(r)
	})
}

func cents(a *money.Amount) *int64 {
	if a == nil {
		return nil
	}
	n := int64(*a)
	return &n
}

// indexQuery returns the index and the query for it; ok reports whether there is an index that answers as the database
// does.
func (s *Service) indexQuery(f Filter, q page.Query) (x *index.Index, sought index.Query, ok bool) {
	if x = s.index.Current(); x == nil {
		return nil, sought, false
	}
	sought, ok = f.query(q)
	return x, sought, ok
}

// listIndexed is list from what the index has found: only the rows of the page are read.
func (s *Service) listIndexed(
	ctx context.Context, x *index.Index, sought index.Query, q page.Query, ids []int64, total int,
) (page.List[Summary], error) {
	return pageOf(x, sought, q, ids, total, func(ids []int64) ([]Summary, error) { return s.summariesInOrder(ctx, ids) })
}

// pageOf reads the rows of a page that an index has found, or of the page that is shown in its place.
func pageOf[R any](
	x *index.Index, sought index.Query, q page.Query, ids []int64, total int, rows func(ids []int64) ([]R, error),
) (page.List[R], error) {
	count := func() (int64, error) { return int64(total), nil }
	return page.Fetch(q, count, func(q page.Query) ([]R, error) {
		if q.Offset() != sought.Offset || q.Limit != sought.Limit {
			within := sought
			within.Offset, within.Limit = q.Offset(), q.Limit
			ids, _ = x.Find(within)
		}
		return rows(ids)
	})
}

// displayed returns the categories of some ids, in display order.
func (s *Service) displayed(ctx context.Context, ids []int64) ([]Category, error) {
	all, err := s.secondLevel.Get(ctx)
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	var found []Category
	for _, c := range all {
		if _, ok := slices.BinarySearch(ids, c.ID); ok {
			found = append(found, c)
		}
	}
	return found, nil
}

// summariesInOrder reads the goods of a page. Goods that were taken off sale just now are left out.
func (s *Service) summariesInOrder(ctx context.Context, ids []int64) ([]Summary, error) {
	byID, err := s.summaries.GetAll(ctx, ids, func(ctx context.Context, ids []int64) (map[int64]Summary, error) {
		return summariesOf(ctx, s.db, ids, forSale)
	})
	if err != nil {
		return nil, err
	}
	list := make([]Summary, 0, len(ids))
	for _, id := range ids {
		if g, ok := byID[id]; ok {
			list = append(list, g)
		}
	}
	return list, nil
}
