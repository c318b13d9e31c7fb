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
	// below has the goods of all steps before every stride-th one, so that a wide range is the difference of two of them
	// and a few steps.
	below []*roaring.Bitmap
}

const (
	steps  = 256
	stride = 16
)

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
		p.goods[p.step(goods[i].Price)].Add(slot(i))
	}
	sum := roaring.New()
	for i, step := range p.goods {
		if i%stride == 0 {
			p.below = append(p.below, sum.Clone())
		}
		sum.Or(step)
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

func (p priceSteps) add(at slot, price int64) {
	step := p.step(price)
	p.goods[step].Add(at)
	for _, below := range p.below[step/stride+1:] {
		below.Add(at)
	}
}

func (p priceSteps) remove(at slot, price int64) {
	step := p.step(price)
	p.goods[step].Remove(at)
	for _, below := range p.below[step/stride+1:] {
		below.Remove(at)
	}
}

// between returns the matches with a price of a range, both ends included.
func (p priceSteps) between(matches *roaring.Bitmap, goods []Goods, low, high int64) *roaring.Bitmap {
	first, last := p.step(low), p.step(high)
	found := p.inside(first+1, last)
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

// inside returns the goods of whole steps, from one up to the one before another.
func (p priceSteps) inside(from, before int) *roaring.Bitmap {
	if before-from <= stride {
		return roaring.FastOr(p.goods[from:max(from, before)]...)
	}
	start, end := (from+stride-1)/stride, before/stride
	found := roaring.AndNot(p.below[end], p.below[start])
	for _, step := range slices.Concat(p.goods[from:start*stride], p.goods[end*stride:before]) {
		found.Or(step) // found is dense, to which a step is added faster than to another step
	}
	return found
}
