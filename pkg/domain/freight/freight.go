package freight

import (
	"slices"

	"shop.internal/pkg/base/money"
)

// Freight is what delivery costs to one place, by the templates and the settings of one moment. The checkout, the
// submission of an order and the rehearsal of a template use it alike.
//
// The items of a purchase are divided into parts, one for each template and one for the goods without a template. What
// a part costs follows from its own goods alone:
//
//   - The rule of a part is the one of its template that names the county, else the city, else the province, else the
//     rule without regions. A rule may refuse the delivery.
//   - The units of a part are its pieces, or in a template by weight the grams of its pieces; a piece of goods without
//     a weight counts there for the PieceWeight of the template.
//   - A part is free if its goods cost at least FreeFrom of its rule, after the group discount and before a coupon.
//   - The first price of a part covers the first units; each further unit, also one that is begun, costs the further
//     price.
//   - Goods without a template are a part whose first price is Value and covers any number of pieces. It is free if
//     they cost at least FreeFrom.
//
// Of all parts that are not free, the dearest first price is charged once, and the further units of each.
type Freight struct {
	// Value is charged for goods without a template that cost less than FreeFrom: the two settings of the shop.
	Value, FreeFrom money.Amount
	// Templates are those of the shop by id. Goods of an unknown one are charged like goods without a template; one of
	// the id 0 is for all of these.
	Templates map[int64]Template
	// To is where the parcel goes.
	To Region
}

// Fixed is a freight of an amount, whatever is bought.
func Fixed(amount money.Amount) Freight { return Freight{Value: amount, FreeFrom: money.Max + 1} }

// Item is a line of a purchase.
type Item struct {
	// Template is 0 for goods without one.
	Template int64
	// Weight is that of a piece in grams, 0 if it is not known.
	Weight, Number int
	// Sum is what the pieces cost after the group discount.
	Sum money.Amount
}

// part are the items of one template.
type part struct {
	// units are grams or pieces, as the template counts them.
	units int64
	sum   money.Amount
}

// Of returns the freight of a purchase. It may exceed money.Max, but never overflows. What is not delivered costs
// nothing.
func (f Freight) Of(items []Item) money.Amount {
	parts := map[int64]part{}
	for _, i := range items {
		i.Template = f.part(i.Template)
		t := f.Templates[i.Template]
		p := parts[i.Template]
		p.units += t.units(i)
		p.sum = p.sum.Plus(i.Sum)
		parts[i.Template] = p
	}
	var first, further money.Amount
	for id, p := range parts {
		r := f.rule(id)
		if r.Refused || r.FreeFrom > 0 && p.sum >= r.FreeFrom {
			continue
		}
		first = max(first, r.FirstPrice)
		further = further.Plus(r.further(p.units))
	}
	return first.Plus(further)
}

// Delivers reports whether goods of a template are delivered to the place.
func (f Freight) Delivers(template int64) bool { return !f.rule(f.part(template)).Refused }

// part is the template by which goods of a template are charged, 0 for those without a known one.
func (f Freight) part(template int64) int64 {
	if _, known := f.Templates[template]; known {
		return template
	}
	return 0
}

// rule returns the rule of a part for the place.
func (f Freight) rule(template int64) Rule {
	if t, known := f.Templates[template]; known {
		return t.rule(f.To)
	}
	if f.FreeFrom <= 0 {
		return Rule{}
	}
	return Rule{FirstPrice: f.Value, FreeFrom: f.FreeFrom}
}

// rule returns the rule for a region, the one for everywhere else if none names it.
func (t Template) rule(to Region) Rule {
	for _, code := range []int{to.County, to.City, to.Province} {
		if code == 0 {
			continue
		}
		for _, r := range t.Rules {
			if slices.Contains(r.Regions, code) {
				return r
			}
		}
	}
	for _, r := range t.Rules {
		if len(r.Regions) == 0 {
			return r
		}
	}
	return Rule{}
}

// units are what an item counts for.
func (t Template) units(i Item) int64 {
	switch {
	case t.Charge != ByWeight:
		return int64(i.Number)
	case i.Weight > 0:
		return int64(i.Weight) * int64(i.Number)
	}
	return int64(t.PieceWeight) * int64(i.Number)
}

// further is what the units beyond the first ones cost.
func (r Rule) further(units int64) money.Amount {
	beyond := units - int64(r.First)
	if beyond <= 0 || r.Further <= 0 {
		return 0
	}
	each := int64(r.Further)
	return r.FurtherPrice.Times(int((beyond + each - 1) / each))
}
