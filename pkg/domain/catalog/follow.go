package catalog

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"shop.internal/pkg/domain/catalog/index"
	"shop.internal/pkg/domain/platform/cache"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/trace"
)

const (
	// followEvery is the period in which a replica reads the feed, and so about the age of its index.
	followEvery = 200 * time.Millisecond
	// followTimeout bounds reading a batch of the feed or of the goods.
	followTimeout = 10 * time.Second
	// retryAfter is the time between attempts to load the goods.
	retryAfter = 2 * time.Second
	// growAfter is the time after which a shop with too few goods is looked at again.
	growAfter = time.Minute
	// maxLag is the time without the feed after which lists are read from the database, until it has been read again.
	maxLag = 10 * time.Second
	// maxRows bounds the rows in memory, of about half a KiB each, and maxRowAge their age. Those that change are dropped
	// with the feed.
	maxRows   = 50_000
	maxRowAge = time.Minute
	// outdatedAfter is the time without the feed after which the goods are loaded anew, before its entries are removed.
	outdatedAfter = time.Hour
	// goodsPerLoad is the number of goods that one statement loads.
	goodsPerLoad = 20_000
	// collectEvery is the number of such statements after which garbage is collected: some 50 MiB.
	collectEvery = 8
)

// live is the index of this process with the rows of the goods that were shown lately.
type live struct {
	index atomic.Pointer[index.Index] // nil until the goods are loaded
	// source is the index that is or was current with its feed.
	source atomic.Pointer[source]
	// read is when the feed was read last, in nanoseconds since 1970.
	read atomic.Int64
	rows *cache.Cache[int64, Summary]
	// categories are those of the second level, at most a second old.
	categories *cache.One[[]Category]
	// samples and disagreements are those of IndexState.
	samples, disagreements atomic.Int64
}

// source is an index with the feed that keeps it current.
type source struct {
	index *index.Index
	feed  *feed
}

// newLive returns an empty index; categories reads the categories of the second level.
func newLive(m *meter.Meter, now func() time.Time, categories func(context.Context) ([]Category, error)) *live {
	// Rows are read many at once only.
	none := func(context.Context, int64) (Summary, error) { return Summary{}, errors.ErrUnsupported }
	return &live{
		rows: cache.New(cache.Options[Summary]{
			Name: "goods on lists", Meter: m,
			TTL: cache.For[Summary](maxRowAge), MaxSize: maxRows, Deadline: followTimeout, Sweep: true, Now: now,
			Weigh: nil, Ahead: 0, Stale: 0, Patience: 0,
		}, none),
		categories: cache.NewOne(cache.Options[[]Category]{
			Name: "categories", Meter: m,
			TTL: cache.For[[]Category](time.Second), Ahead: time.Second / 2, MaxSize: 1, Deadline: followTimeout, Sweep: false,
			Now: now, Weigh: nil, Stale: 0, Patience: 0,
		}, categories),
	}
}

// serve makes an index that was just loaded the current one.
func (l *live) serve(x *index.Index, f *feed, now time.Time) {
	l.rows.InvalidateAll()
	l.source.Store(&source{x, f})
	l.read.Store(now.UnixNano())
	l.index.Store(x)
}

// current returns the index if it is at most maxLag old.
func (l *live) current(now time.Time) *index.Index {
	if now.Sub(time.Unix(0, l.read.Load())) > maxLag {
		return nil
	}
	return l.index.Load()
}

// Follow loads the index of the goods and keeps it current until ctx ends. Until it is loaded, and after a failure that
// makes it outdated, lists are read from the database, and so are those of a shop with fewer than atLeast goods.
func (s *Service) Follow(ctx context.Context, atLeast int64, log *slog.Logger) {
	ctx = trace.With(ctx, "load", "index of the goods")
	for ctx.Err() == nil {
		wait := growAfter
		if s.hasAbout(ctx, atLeast) {
			err := s.follow(ctx)
			s.live.index.Store(nil)
			s.live.source.Store(nil) // which would keep the old index beside the new one
			if ctx.Err() != nil {
				return
			}
			log.WarnContext(ctx, "the index of the goods is loaded anew", "error", err)
			wait = retryAfter
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// hasAbout reports whether the shop has about n goods or more.
func (s *Service) hasAbout(ctx context.Context, n int64) bool {
	if n == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	largest, err := largestID(ctx, s.db)
	return err == nil && largest >= n
}

// errAnew says that the goods must be loaded anew.
var errAnew = errors.New("any goods may have changed")

// follow loads the index and keeps it current. It returns when the index may be outdated.
func (s *Service) follow(ctx context.Context) error {
	f, err := openFeed(ctx, s.db, s.now()) // before the goods, so that no change is missed
	if err != nil {
		return err
	}
	x, err := s.load(ctx)
	if err != nil {
		return err
	}
	s.live.serve(x, f, s.now())
	tick, sample := time.NewTicker(followEvery), time.NewTicker(sampleEvery)
	defer tick.Stop()
	defer sample.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-sample.C:
			if err := s.sample(ctx, f, x); err != nil {
				return err
			}
			continue
		case <-tick.C:
		}
		err := s.catchUp(ctx, f, x)
		switch now := s.now(); {
		case err == nil:
			s.live.read.Store(now.UnixNano())
		case errors.Is(err, errAnew), now.Sub(time.Unix(0, s.live.read.Load())) > outdatedAfter:
			return err
		}
	}
}

// catchUp applies the entries of the feed that are new. After a failure the next call goes on with those that are left.
func (s *Service) catchUp(ctx context.Context, f *feed, x *index.Index) error {
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		if len(f.left) == 0 {
			ids, err := f.next(ctx, s.db, s.now())
			if err != nil || len(ids) == 0 {
				return err
			}
			f.left = ids
		}
		if f.left[0] == everything {
			return errAnew
		}
		part := f.left[:min(rowsPerStatement, len(f.left))]
		if err := s.reindex(ctx, x, part); err != nil {
			return err
		}
		f.left = f.left[len(part):]
	}
}

// reindex brings some goods of an index up to date.
func (s *Service) reindex(ctx context.Context, x *index.Index, ids []int64) error {
	goods, err := indexed(ctx, s.db, nil, "id IN ? AND deleted = 0", ids)
	if err != nil {
		return err
	}
	known := make(map[int64]bool, len(goods))
	for _, g := range goods {
		known[g.ID] = true
	}
	for _, id := range ids { // first, so that no row is older than what the index says of it
		s.live.rows.Invalidate(id)
	}
	x.Apply(goods, slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return known[id] }))
	s.announce(ids)
	return nil
}

// announce calls the hooks of OnChange for goods that may have been changed by another process.
func (s *Service) announce(ids []int64) {
	for _, id := range ids {
		s.notify(Change{Goods: id, Listed: true})
	}
}

// query returns the question for the index, and whether it answers as the database does: letters beyond ASCII may have
// another lower case there.
func (f Filter) query(q page.Query) (index.Query, bool) {
	asked := index.Query{
		Categories: f.categories(), BrandID: f.BrandID, Except: f.Except, New: f.New, Hot: f.Hot,
		MinPrice: cents(f.MinPrice), MaxPrice: cents(f.MaxPrice),
		Desc: q.Desc, Offset: q.Offset(), Limit: q.Limit,
	}
	switch sortColumn(q.Sort) {
	case "id":
		asked.Sort = index.ID
	case "retail_price":
		asked.Sort = index.Price
	case "name":
		asked.Sort = index.Name
	default:
		asked.Sort = index.Added
	}
	asked.Words = form.Words(f.Keyword)
	cased := func(r rune) bool { return r > unicode.MaxASCII && unicode.ToLower(r) != unicode.ToUpper(r) }
	return asked, !strings.ContainsFunc(f.Keyword, cased)
}

func cents(a *money.Amount) *int64 {
	if a == nil {
		return nil
	}
	n := int64(*a)
	return &n
}

// asked returns the index and the question for it; ok reports whether there is an index that answers as the database
// does.
func (s *Service) asked(f Filter, q page.Query) (x *index.Index, asked index.Query, ok bool) {
	if x = s.live.current(s.now()); x == nil {
		return nil, asked, false
	}
	asked, ok = f.query(q)
	return x, asked, ok
}

// upToDate returns the index after applying all changes that are committed, nil if there is none or the changes cannot
// be read.
func (s *Service) upToDate(ctx context.Context) *index.Index {
	x, from := s.live.current(s.now()), s.live.source.Load()
	if x == nil || from == nil || from.index != x || s.catchUp(ctx, from.feed, x) != nil {
		return nil
	}
	return x
}

// listIndexed is list from what the index has found: only the rows of the page are read.
func (s *Service) listIndexed(
	ctx context.Context, x *index.Index, asked index.Query, q page.Query, ids []int64, total int,
) (page.List[Summary], error) {
	return pageOf(x, asked, q, ids, total, func(ids []int64) ([]Summary, error) { return s.summariesInOrder(ctx, ids) })
}

// pageOf reads the rows of a page that an index has found, or of the page that is shown in its place.
func pageOf[R any](
	x *index.Index, asked index.Query, q page.Query, ids []int64, total int, rows func(ids []int64) ([]R, error),
) (page.List[R], error) {
	count := func() (int64, error) { return int64(total), nil }
	return page.Fetch(q, count, func(q page.Query) ([]R, error) {
		if q.Offset() != asked.Offset || q.Limit != asked.Limit {
			within := asked
			within.Offset, within.Limit = q.Offset(), q.Limit
			ids, _ = x.Find(within)
		}
		return rows(ids)
	})
}

// displayed returns the categories of some ids, in display order.
func (s *Service) displayed(ctx context.Context, ids []int64) ([]Category, error) {
	all, err := s.live.categories.Get(ctx)
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
	byID, err := s.live.rows.GetAll(ctx, ids, func(ctx context.Context, ids []int64) (map[int64]Summary, error) {
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
