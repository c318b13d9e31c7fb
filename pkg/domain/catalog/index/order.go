package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Sort is what a list is sorted by, ties by id in the same direction.
type Sort int

// The sorts.
const (
	ID Sort = iota
	Added
	Price
	Name
	sorts
)

// compare orders goods by a sort.
func (s Sort) compare(a, b *Goods) int {
	var c int
	switch s {
	case Added:
		c = cmp.Compare(a.Added, b.Added)
	case Price:
		c = cmp.Compare(a.Price, b.Price)
	case Name:
		c = cmp.Compare(a.NameKey, b.NameKey)
	case ID, sorts:
	}
	return cmp.Or(c, cmp.Compare(a.ID, b.ID))
}

// key returns a number that orders goods by a sort, as far as it differs.
func (s Sort) key(g *Goods) uint64 {
	signed := func(n int64) uint64 { return uint64(n) ^ 1<<63 } //nolint:gosec // the lowest number becomes 0
	switch s {
	case Added:
		return signed(g.Added)
	case Price:
		return signed(g.Price)
	case Name:
		var first [8]byte
		copy(first[:], g.NameKey)
		return binary.BigEndian.Uint64(first[:])
	case ID, sorts:
	}
	return signed(g.ID)
}

// sortedBy returns the slots of all goods in an order. It sorts numbers, which lie side by side in memory, and looks at
// the goods only where they are equal.
func sortedBy(s Sort, goods []Goods) []slot {
	type keyed struct {
		key uint64
		at  slot
	}
	all := make([]keyed, len(goods))
	for i := range goods {
		all[i] = keyed{s.key(&goods[i]), slot(i)}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return s.compare(&goods[a.at], &goods[b.at])
	})
	order := make([]slot, len(all))
	for i, one := range all {
		order[i] = one.at
	}
	return order
}

// by orders slots.
func (x *Index) by(s Sort) func(a, b slot) int {
	return func(a, b slot) int { return s.compare(&x.goods[a], &x.goods[b]) }
}

// reordered returns the orders with other goods at some places, and without those of old. It copies what lies between
// the changes, so that a change of a few goods costs little more than copying the orders.
func (x *Index) reordered(batch []Goods, places, old []slot) (orders [sorts][]slot) {
	for s := range sorts {
		order := x.orders[s]
		cuts := make([]int, len(old))
		for i, at := range old {
			cuts[i], _ = slices.BinarySearchFunc(order, at, x.by(s))
		}
		slices.Sort(cuts)
		sorted := make([]int, len(batch))
		for i := range sorted {
			sorted[i] = i
		}
		slices.SortFunc(sorted, func(a, b int) int { return s.compare(&batch[a], &batch[b]) })
		m := merge{from: order, cuts: cuts, to: make([]slot, 0, len(order)+len(batch))}
		for _, i := range sorted {
			n, _ := slices.BinarySearchFunc(order, &batch[i], func(at slot, g *Goods) int { return s.compare(&x.goods[at], g) })
			m.copyUpTo(n)
			m.to = append(m.to, places[i])
		}
		m.copyUpTo(len(order))
		orders[s] = m.to
	}
	return orders
}

// merge copies an order without the places that are cut.
type merge struct {
	from, to []slot
	at       int
	cuts     []int // ascending
}

func (m *merge) copyUpTo(end int) {
	for len(m.cuts) > 0 && m.cuts[0] < end {
		m.to = append(m.to, m.from[m.at:m.cuts[0]]...)
		m.at, m.cuts = m.cuts[0]+1, m.cuts[1:]
	}
	m.to = append(m.to, m.from[m.at:end]...)
	m.at = end
}

// window returns the ids of a page of the matching goods. The caller has found that it is not empty.
func (x *Index) window(matches *roaring.Bitmap, total int, q Query) []int64 {
	offset, limit := q.Offset, min(q.Limit, total-q.Offset)
	// Pages in the second half are read from the other end.
	backward := offset > total/2
	if backward {
		offset = total - offset - limit
	}
	var page []slot
	if x.sparse(total, offset+limit) {
		page = x.sorted(matches, q.Sort, q.Desc != backward)[offset : offset+limit]
	} else {
		page = x.walked(matches, q.Sort, q.Desc != backward, offset, limit)
	}
	ids := make([]int64, len(page))
	for i, at := range page {
		ids[i] = x.goods[at].ID
	}
	if backward {
		slices.Reverse(ids)
	}
	return ids
}

// sparse reports whether sorting the matches is less work than testing the goods in their order until enough match.
func (x *Index) sparse(total, wanted int) bool {
	const perMatch = 8 // what sorting a match costs, in tests
	return total*perMatch < wanted*(len(x.orders[ID])/total)
}

// sorted returns the matches in an order.
func (x *Index) sorted(matches *roaring.Bitmap, by Sort, desc bool) []slot {
	all := matches.ToArray()
	order := x.by(by)
	slices.SortFunc(all, func(a, b slot) int {
		if desc {
			a, b = b, a
		}
		return order(a, b)
	})
	return all
}

// walked returns a page of the matches, found by testing all goods in their order.
func (x *Index) walked(matches *roaring.Bitmap, by Sort, desc bool, offset, limit int) []slot {
	order := x.orders[by]
	page := make([]slot, 0, limit)
	for i := range order {
		at := order[i]
		if desc {
			at = order[len(order)-1-i]
		}
		if !matches.Contains(at) {
			continue
		}
		if offset > 0 {
			offset--
			continue
		}
		if page = append(page, at); len(page) == limit {
			break
		}
	}
	return page
}
