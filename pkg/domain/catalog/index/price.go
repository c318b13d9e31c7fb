package index

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// priceSteps divides the goods by price into steps of about the same number, so that a range is the union of the steps
// inside of it and a part of the two at its ends.
type priceSteps struct {
	// least are the lowest prices of the steps, ascending; the first is below every price.
	least []int64
	goods []*roaring.Bitmap
}

const steps = 64

// newPriceSteps divides goods whose order by price is given.
func newPriceSteps(goods []Goods, order []slot) priceSteps {
	p := priceSteps{least: []int64{-1 << 62}}
	for i := range steps {
		if n := i * len(order) / steps; n > 0 {
			p.least = append(p.least, goods[order[n]].Price)
		}
	}
	p.least = slices.Compact(p.least)
	for range p.least {
		p.goods = append(p.goods, roaring.New())
	}
	for i := range goods {
		p.add(slot(i), goods[i].Price)
	}
	return p
}

// step is the step of a price.
func (p priceSteps) step(price int64) int {
	i, exact := slices.BinarySearch(p.least, price)
	if exact {
		return i
	}
	return i - 1
}

func (p priceSteps) add(at slot, price int64) { p.goods[p.step(price)].Add(at) }

func (p priceSteps) remove(at slot, price int64) { p.goods[p.step(price)].Remove(at) }

// between returns the matches with a price of a range, both ends included.
func (p priceSteps) between(matches *roaring.Bitmap, goods []Goods, low, high int64) *roaring.Bitmap {
	first, last := p.step(low), p.step(high)
	var inside []*roaring.Bitmap
	for i := first + 1; i < last; i++ {
		inside = append(inside, p.goods[i])
	}
	found := roaring.FastOr(inside...)
	found.And(matches)
	for _, i := range slices.Compact([]int{first, last}) {
		edge := roaring.And(p.goods[i], matches)
		for it := edge.Iterator(); it.HasNext(); {
			at := it.Next()
			if price := goods[at].Price; low <= price && price <= high {
				found.Add(at)
			}
		}
	}
	return found
}
