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

// keyed is a slot with the number by which it is sorted.
type keyed struct {
	key uint64
	at  slot
}

// sortSlots sorts slots. It sorts numbers, which lie side by side in memory, and looks at the goods only where they are
// equal.
func sortSlots(by Sort, goods []Goods, slots []slot) {
	sortIn(make([]keyed, len(slots)), by, goods, slots)
}

// sortIn is sortSlots with memory for as many numbers as there are slots.
func sortIn(all []keyed, by Sort, goods []Goods, slots []slot) {
	for i, at := range slots {
		all[i] = keyed{by.key(&goods[at]), at}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return by.compare(&goods[a.at], &goods[b.at])
	})
	for i, one := range all {
		slots[i] = one.at
	}
}

// by orders slots.
func (x *Index) by(s Sort) func(a, b slot) int {
	return func(a, b slot) int { return s.compare(&x.goods[a], &x.goods[b]) }
}

// reordered returns the orders with other goods at some places, and without those of old. It copies what lies between
// the changes, so that a change of a few goods costs little more than copying the orders.
func (x *Index) reordered(batch []Goods, places, old []slot) (orders [sorts][]slot) {
	for s := range sorts {
		order := x.orders[s].slots
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
	limit := min(q.Limit, total-q.Offset)
	var page []slot
	if x.sparse(total, q.Offset+limit) {
		page = x.sorted(matches, q.Sort, q.Desc)[q.Offset : q.Offset+limit]
	} else {
		page = x.orders[q.Sort].page(matches, total, x.start(q), q.Offset, limit, q.Desc)
	}
	ids := make([]int64, len(page))
	for i, at := range page {
		ids[i] = x.goods[at].ID
	}
	return ids
}

// start is the place, in the direction of the list, before which nothing can match.
func (x *Index) start(q Query) int {
	if q.Sort != Price {
		return 0
	}
	from, to := x.priced(q.MinPrice, q.MaxPrice)
	if q.Desc {
		return len(x.orders[Price].slots) - to
	}
	return from
}

// sparse reports whether sorting the matches is less work than testing the goods in their order until enough match.
func (x *Index) sparse(total, wanted int) bool {
	const (
		perMatch = 16     // what sorting a match costs, in tests
		most     = 16_384 // about what finding a page anywhere in an order costs, in tests
	)
	return total*perMatch < min(wanted*(len(x.orders[ID].slots)/total), most)
}

// sorted returns the matches in an order.
func (x *Index) sorted(matches *roaring.Bitmap, by Sort, desc bool) []slot {
	all := matches.ToArray()
	sortSlots(by, x.goods, all)
	if desc {
		slices.Reverse(all)
	}
	return all
}
