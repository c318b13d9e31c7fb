package index

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// Query selects goods on sale and a page of them. The zero Query selects all, and an empty page.
type Query struct {
	// All selects goods that are not on sale, too.
	All bool
	// Categories are ids, one of which the goods have; none is no filter.
	Categories []int64
	// BrandID and Except are ids; 0 is no filter. Except excludes one goods.
	BrandID, Except int64
	// Words are the words that the name or the keywords contain, or with InName the name, each in one of its spellings in
	// lower case. None is no filter.
	Words  [][]string
	InName bool
	// New and Hot filter if they are not nil.
	New, Hot *bool
	// MinPrice and MaxPrice are bounds of the price, both included; nil is none.
	MinPrice, MaxPrice *int64

	Sort          Sort
	Desc          bool
	Offset, Limit int
}

// Find returns the ids of a page of the goods that match, in order, and how many match.
func (x *Index) Find(q Query) (ids []int64, total int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.page(x.matches(q), q)
}

// FindIn is Find with the ids of the categories, in no order, of all goods that match q without its Categories. Goods
// without a category have the category 0, which is left out.
func (x *Index) FindIn(q Query) (ids []int64, total int, categories []int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	matches := x.matches(q)
	ids, total = x.page(matches, q)
	if len(q.Categories) > 0 {
		q.Categories = nil
		matches = x.matches(q)
	}
	return ids, total, x.categoriesOf(matches)
}

// categoriesOf returns the categories of some goods.
func (x *Index) categoriesOf(matches *roaring.Bitmap) (categories []int64) {
	for id, goods := range x.categories {
		if id != 0 && goods.Intersects(matches) {
			categories = append(categories, id)
		}
	}
	return categories
}

// page returns the ids of a page of the matches, and their number.
func (x *Index) page(matches *roaring.Bitmap, q Query) (ids []int64, total int) {
	total = int(matches.GetCardinality()) //nolint:gosec // no more than goods
	if q.Limit <= 0 || q.Offset < 0 || q.Offset >= total {
		return nil, total
	}
	return x.window(matches, total, q), total
}

// matches returns the goods that match, as a bitmap that the caller must not change.
func (x *Index) matches(q Query) *roaring.Bitmap {
	m := narrowed{from: x.onSale}
	if q.All {
		m.from = x.known
	}
	switch len(q.Categories) {
	case 0:
	case 1:
		m.in(x.categories[q.Categories[0]])
	default:
		m.in(x.ofAny(q.Categories))
	}
	if q.BrandID != 0 {
		m.in(x.brands[q.BrandID])
	}
	in := inTitles
	if q.InName {
		in = inName
	}
	for _, spellings := range q.Words {
		m.in(x.containingAny(spellings, in))
	}
	if q.New != nil {
		m.are(x.fresh, *q.New)
	}
	if q.Hot != nil {
		m.are(x.hot, *q.Hot)
	}
	if q.MinPrice != nil || q.MaxPrice != nil {
		from, to := x.priced(q.MinPrice, q.MaxPrice)
		m.from, m.own = x.orders[Price].between(m.from, from, to), true
	}
	if at, ok := x.find(q.Except); ok && m.from.Contains(at) {
		m.are(roaring.BitmapOf(at), false)
	}
	return m.from
}

// priced returns the part of the order by price that lies within bounds, as its start and its end.
func (x *Index) priced(low, high *int64) (from, to int) {
	byPrice := x.orders[Price].slots
	to = len(byPrice)
	if low != nil {
		from = sort.Search(to, func(i int) bool { return x.goods[byPrice[i]].Price >= *low })
	}
	if high != nil {
		to = sort.Search(to, func(i int) bool { return x.goods[byPrice[i]].Price > *high })
	}
	return from, to
}

// ofAny returns the goods of any of some categories.
func (x *Index) ofAny(categories []int64) *roaring.Bitmap {
	var of []*roaring.Bitmap
	for _, id := range categories {
		if goods := x.categories[id]; goods != nil {
			of = append(of, goods)
		}
	}
	return roaring.FastOr(of...)
}

// containingAny returns the goods of which a text contains one of some phrases.
func (x *Index) containingAny(phrases []string, in place) *roaring.Bitmap {
	found := x.containing(sought{phrases[0], in})
	for _, p := range phrases[1:] {
		if more := x.containing(sought{p, in}); !more.IsEmpty() {
			found = roaring.Or(found, more)
		}
	}
	return found
}

// containing returns the goods of which a text contains a phrase.
func (x *Index) containing(s sought) *roaring.Bitmap {
	if strings.ContainsRune(s.phrase, 0) {
		return roaring.New()
	}
	return x.found.get(s, func() (found *roaring.Bitmap, remember bool) {
		all := x.terms
		if s.place == inBrief {
			all = x.briefs
		}
		found, exact := all.candidates(s.phrase)
		if exact && (s.place == inTitles || s.place == inBrief) || found.IsEmpty() {
			return found, false
		}
		for _, at := range found.ToArray() {
			if !s.in(&x.goods[at]) {
				found.Remove(at)
			}
		}
		return found, true
	})
}

// narrowed is a bitmap that is copied before its first change.
type narrowed struct {
	from *roaring.Bitmap
	own  bool
}

// in keeps what is in other, too; nil is the empty set.
func (n *narrowed) in(other *roaring.Bitmap) {
	if other == nil {
		n.from, n.own = roaring.New(), true
		return
	}
	if n.own {
		n.from.And(other)
		return
	}
	n.from, n.own = roaring.And(n.from, other), true
}

// are keeps what is in other, or what is not.
func (n *narrowed) are(other *roaring.Bitmap, in bool) {
	switch {
	case in:
		n.in(other)
	case n.own:
		n.from.AndNot(other)
	default:
		n.from, n.own = roaring.AndNot(n.from, other), true
	}
}

// Ranges returns the numbers of the ranges of ids that have goods, in ascending order: range n has size ids and ends
// with n * size.
func (x *Index) Ranges(size int64) []int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	byID, all := x.orders[ID].slots, []int64{}
	for len(byID) > 0 {
		n := (x.goods[byID[0]].ID-1)/size + 1
		all = append(all, n)
		past, _ := slices.BinarySearchFunc(byID, n*size+1, func(at slot, id int64) int {
			return cmp.Compare(x.goods[at].ID, id)
		})
		byID = byID[past:]
	}
	return all
}
