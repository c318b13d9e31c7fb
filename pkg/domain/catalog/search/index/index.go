// Package index is the read model of the goods for lists and searches: an inverted index in memory, from which a page
// of any filter and its exact total are found without reading the goods. It holds what is filtered and sorted by, not
// what is shown; the rows of a page are read by their ids.
//
// The index knows nothing of the database: who fills it gives lower-cased texts and the sort key of the name as the
// database computes them, so that it answers exactly what the database would.
package index

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// Goods is what the index knows of goods.
type Goods struct {
	ID, CategoryID, BrandID int64
	// Name and Keywords are the searched texts in lower case, Brief one that only searches by relevance look at.
	Name, Keywords, Brief string
	// NameKey sorts bytewise as the database sorts the names.
	NameKey string
	// Price is the retail price in cents, Added the time of creation in milliseconds since 1970.
	Price, Added     int64
	OnSale, New, Hot bool
}

// slot is the number of goods in the bitmaps. A slot that is free is used again.
type slot = uint32

// Index is safe for concurrent use: any number of readers, and one writer at a time.
type Index struct {
	writer sync.Mutex
	// mu guards everything below; a writer holds it only while it applies what it has computed.
	mu     sync.RWMutex
	goods  []Goods // by slot; a free one has the id 0
	free   []slot
	orders [sorts]order // the slots that are used

	known, onSale, fresh, hot *roaring.Bitmap
	categories, brands        map[int64]*roaring.Bitmap
	terms, briefs             *terms
	found                     phrases
	words                     *Words
}

// collectFrom is the number of goods from which building an index leaves garbage that is worth collecting at once.
const collectFrom = 100_000

// New returns an index of goods, in any order. The ids must differ.
func New(goods []Goods) *Index {
	x := &Index{
		goods: goods,
		known: roaring.New(), onSale: roaring.New(), fresh: roaring.New(), hot: roaring.New(),
		categories: map[int64]*roaring.Bitmap{}, brands: map[int64]*roaring.Bitmap{},
		terms: newTerms(titles), briefs: newTerms(briefs), found: newPhrases(), words: NewWords(),
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		x.orders = newOrders(goods)
		for i := range goods {
			x.mark(slot(i))
		}
		x.words.learn(goods)
	})
	// One part after the other, so that only one is gathered before it is compressed, and what it leaves is collected.
	wait.Go(func() {
		for i := range parts {
			x.terms.build(goods, i)
			x.briefs.build(goods, i)
			if len(goods) >= collectFrom {
				runtime.GC()
			}
		}
	})
	wait.Wait()
	return x
}

// Len returns the number of goods, on sale or not.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.orders[ID].slots)
}

// Some returns random goods; the zero Goods if there are none.
func (x *Index) Some() Goods {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if n := len(x.orders[ID].slots); n > 0 {
		return x.goods[x.orders[ID].slots[rand.IntN(n)]] //nolint:gosec // a sample
	}
	return Goods{}
}

// Apply replaces the goods of a batch, adding unknown ones, and removes those of gone. Of repeated goods the last
// counts; an id must not be in both.
func (x *Index) Apply(batch []Goods, gone []int64) {
	x.writer.Lock()
	defer x.writer.Unlock()
	batch = lastOf(batch)
	// Only a writer changes what is read here, and there is no other.
	old := roaring.New()
	for _, id := range gone {
		if at, ok := x.find(id); ok {
			old.Add(at)
		}
	}
	places := make([]slot, len(batch))
	free, next := slices.Clone(x.free), slot(len(x.goods)) //nolint:gosec // goods fit into memory
	for i, g := range batch {
		at, known := x.find(g.ID)
		switch n := len(free); {
		case known:
			old.Add(at)
		case n > 0:
			at, free = free[n-1], free[:n-1]
		default:
			at, next = next, next+1
		}
		places[i] = at
	}
	orders := x.reordered(batch, places, old.ToArray())
	x.replace(batch, places, old, free, orders)
	x.even()
}

// replace puts the goods of a batch at their places, and the orders in place of the old ones. What is left of the old
// goods is gone.
func (x *Index) replace(batch []Goods, places []slot, old *roaring.Bitmap, free []slot, orders [sorts][]slot) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, at := range old.ToArray() {
		x.drop(at)
	}
	x.free = free
	for i, g := range batch {
		if int(places[i]) == len(x.goods) {
			x.goods = append(x.goods, Goods{})
		}
		x.goods[places[i]] = g
		x.put(places[i])
		old.Remove(places[i])
		x.found.update(places[i], &batch[i])
	}
	for _, at := range old.ToArray() { // what is left of them is gone
		x.goods[at] = Goods{}
		x.free = append(x.free, at)
	}
	for s := range x.orders {
		x.orders[s].slots = orders[s]
	}
}

// even sets marks anew whose distances have become too different.
func (x *Index) even() {
	for s := range x.orders {
		o := &x.orders[s]
		if !o.uneven() {
			continue
		}
		marks := newMarks(x.goods, o.slots) // which only a writer changes
		x.mu.Lock()
		o.marks = marks
		x.mu.Unlock()
	}
}

// lastOf removes all but the last of repeated goods.
func lastOf(batch []Goods) []Goods {
	seen := make(map[int64]bool, len(batch))
	kept := make([]Goods, 0, len(batch))
	for _, g := range slices.Backward(batch) {
		if !seen[g.ID] {
			seen[g.ID] = true
			kept = append(kept, g)
		}
	}
	return kept
}

// find returns the slot of goods.
func (x *Index) find(id int64) (slot, bool) {
	byID := x.orders[ID].slots
	i, ok := slices.BinarySearchFunc(byID, id, func(at slot, id int64) int { return cmp.Compare(x.goods[at].ID, id) })
	if !ok {
		return 0, false
	}
	return byID[i], true
}

// put adds goods to everything but the slots of the orders.
func (x *Index) put(at slot) {
	x.mark(at)
	x.terms.add(at, &x.goods[at])
	x.briefs.add(at, &x.goods[at])
	x.words.add(&x.goods[at], 1)
	for s := range sorts {
		x.orders[s].add(s, at, &x.goods[at])
	}
}

// mark adds goods to the bitmaps of their properties.
func (x *Index) mark(at slot) {
	g := &x.goods[at]
	for _, f := range x.flags(g) {
		if f.on {
			f.goods.Add(at)
		}
	}
	addTo(x.categories, g.CategoryID, at)
	addTo(x.brands, g.BrandID, at)
}

// drop is the opposite of put.
func (x *Index) drop(at slot) {
	g := &x.goods[at]
	for _, f := range x.flags(g) {
		f.goods.Remove(at)
	}
	x.categories[g.CategoryID].Remove(at)
	x.brands[g.BrandID].Remove(at)
	x.terms.remove(at, g)
	x.briefs.remove(at, g)
	x.words.add(g, -1)
	for s := range sorts {
		x.orders[s].remove(at)
	}
}

// flag is a property that goods have or not, with those that have it.
type flag struct {
	goods *roaring.Bitmap
	on    bool
}

func (x *Index) flags(g *Goods) [4]flag {
	return [...]flag{{x.known, true}, {x.onSale, g.OnSale}, {x.fresh, g.New}, {x.hot, g.Hot}}
}

func addTo(all map[int64]*roaring.Bitmap, id int64, at slot) {
	bitmap, ok := all[id]
	if !ok {
		bitmap = roaring.New()
		all[id] = bitmap
	}
	bitmap.Add(at)
}
