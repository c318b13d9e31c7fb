package index

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
)

// order is the goods in the order of one sort, with places from which it can be read.
type order struct {
	slots []slot
	// marks lie at about equal distances, ascending; the first is at the start. Wherever the goods lie that a page needs,
	// or a range of prices ends, no more of the order is read than the distance of two marks.
	marks []mark
}

// mark is a place in an order.
type mark struct {
	// first is the least goods that lie behind it, or would, since they may have gone.
	first Goods
	// before are the goods before the mark, and n their number.
	before set
	n      int
}

// maxMarks is the number of marks of an order. Each takes a bit for each goods.
const maxMarks = 32

// newOrders sorts goods, by one after the other, so that the memory of one sorting is enough.
func newOrders(goods []Goods) (all [sorts]order) {
	numbers := make([]keyed, len(goods))
	for by := range all {
		slots := make([]slot, len(goods))
		for i := range slots {
			slots[i] = slot(i)
		}
		sortIn(numbers, Sort(by), goods, slots)
		all[by] = order{slots, newMarks(goods, slots)}
	}
	return all
}

func newMarks(goods []Goods, slots []slot) []mark {
	all := []mark{{}}
	before, n := make(set, len(goods)/64+1), 0
	for i := range maxMarks {
		next := i * len(slots) / maxMarks
		if next == n {
			continue
		}
		for _, at := range slots[n:next] {
			before.add(at)
		}
		n = next
		all = append(all, mark{goods[slots[n]], slices.Clone(before), n})
	}
	return all
}

// uneven reports whether the distances of marks have become so different that they should be set anew.
func (o *order) uneven() bool {
	most, last := 2*len(o.slots)/maxMarks+64, len(o.slots)
	for _, m := range slices.Backward(o.marks) {
		if last-m.n > most {
			return true
		}
		last = m.n
	}
	return false
}

// add notes goods at the marks behind them.
func (o *order) add(by Sort, at slot, g *Goods) {
	behind := sort.Search(len(o.marks)-1, func(i int) bool { return by.compare(g, &o.marks[i+1].first) < 0 })
	for i := behind + 1; i < len(o.marks); i++ {
		o.marks[i].before.add(at)
		o.marks[i].n++
	}
}

// remove is the opposite of add.
func (o *order) remove(at slot) {
	for i := range o.marks {
		if m := &o.marks[i]; m.before.has(at) {
			m.before.remove(at)
			m.n--
		}
	}
}

// nearest returns the mark that is nearest to a place.
func (o *order) nearest(place int) mark {
	distance := func(m mark) int { return max(m.n-place, place-m.n) }
	return slices.MinFunc(o.marks, func(a, b mark) int { return cmp.Compare(distance(a), distance(b)) })
}

// between returns the matches that lie from one place of the order up to the one before another.
func (o *order) between(matches *roaring.Bitmap, from, to int) *roaring.Bitmap {
	if from >= to {
		return roaring.New()
	}
	all := set(matches.ToDense())
	found := make(set, len(all))
	start, end := o.nearest(from), o.nearest(to)
	found.between(all, start.before, end.before)
	for _, part := range [][]slot{o.slots[from:max(from, start.n)], o.slots[min(end.n, to):to]} {
		for _, at := range part {
			if all.has(at) {
				found.add(at)
			}
		}
	}
	for _, part := range [][]slot{o.slots[min(start.n, from):from], o.slots[to:max(to, end.n)]} {
		for _, at := range part {
			found.remove(at)
		}
	}
	return roaring.FromDense(found, false)
}

// page returns the goods of a page of the matches, of which there are total, in the direction of the list, in which no
// match lies before the place.
func (o *order) page(matches *roaring.Bitmap, total, place, offset, limit int, desc bool) []slot {
	const scan = 1024 // goods that are looked at one by one before a mark is read
	page := make([]slot, 0, limit)
	seen, end := 0, min(len(o.slots), place+min(scan, len(o.slots)/maxMarks+1))
	full := func(in func(slot) bool) bool {
		for ; place < end; place++ {
			at := o.slots[place]
			if desc {
				at = o.slots[len(o.slots)-1-place]
			}
			if !in(at) {
				continue
			}
			if seen++; seen > offset {
				page = append(page, at)
				if len(page) == limit {
					return true
				}
			}
		}
		return false
	}
	// The first matches are mostly near.
	if full(matches.Contains) {
		return page
	}
	for all := set(matches.ToDense()); place < len(o.slots); {
		from, to, before := o.stretch(all, total, max(seen, offset), desc)
		if from > place {
			place, seen = from, before
		}
		if end = max(to, place+1); full(all.has) {
			break
		}
	}
	return page
}

// stretch returns the part of the order between two marks in which the match with a number lies, and how many matches
// lie before it, all in the direction of the list.
func (o *order) stretch(all set, total, number int, desc bool) (from, to, before int) {
	if desc {
		number = total - 1 - number
	}
	next := 1 + sort.Search(len(o.marks)-1, func(i int) bool { return all.shared(o.marks[i+1].before) > number })
	from, to, before = o.marks[next-1].n, len(o.slots), all.shared(o.marks[next-1].before)
	upTo := total
	if next < len(o.marks) {
		to, upTo = o.marks[next].n, all.shared(o.marks[next].before)
	}
	if desc {
		return len(o.slots) - to, len(o.slots) - from, total - upTo
	}
	return from, to, before
}

// set is a bit for each slot; those behind its end are not in it.
type set []uint64

func (s set) has(at slot) bool { return int(at/64) < len(s) && s[at/64]&(1<<(at%64)) != 0 }

func (s *set) add(at slot) {
	if missing := int(at/64) + 1 - len(*s); missing > 0 {
		*s = append(*s, make(set, missing)...)
	}
	(*s)[at/64] |= 1 << (at % 64)
}

func (s set) remove(at slot) {
	if s.has(at) {
		s[at/64] &^= 1 << (at % 64)
	}
}

// shared is the number of slots that are in another set, too.
func (s set) shared(other set) (n int) {
	for i := range min(len(s), len(other)) {
		n += bits.OnesCount64(s[i] & other[i])
	}
	return n
}

// between fills an empty set with what is in a set of the same length and in end, but not in start.
func (s set) between(all, start, end set) {
	for i := range min(len(s), len(end)) {
		s[i] = all[i] & end[i]
	}
	for i := range min(len(s), len(start)) {
		s[i] &^= start[i]
	}
}
