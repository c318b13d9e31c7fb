package catalog

import (
	"slices"
	"strings"
	"unicode/utf8"

	"shop.internal/pkg/domain/platform/bound"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
)

// Problem is one thing that is wrong with goods that somebody wants to add.
type Problem struct {
	Field *text.Field
	// Err carries errno.Missing or errno.Invalid, and says what is wrong.
	Err error
	// Product is the place of the product that has the problem, from 0; below 0 it is about the goods as a whole.
	Product int
}

// whole is the Product of a problem of the goods as a whole.
const whole = -1

// The longest texts in characters, and the most children of one goods. The detail and the specifications of a product
// are bounded by what their columns hold, in bytes.
const (
	maxSN       = 63
	maxName     = 127
	maxText     = 255
	maxUnit     = 31
	maxGallery  = 20
	maxChildren = 1000
	maxDetail   = 1 << 20
	maxSpecs    = 1<<16 - 1
)

// MaxStock is the most pieces that a product can have.
var MaxStock = int(bound.Stock.Max)

// problems collects what is wrong.
type problems []Problem

func (p *problems) add(field *text.Field, err error, product int) {
	*p = append(*p, Problem{field, err, product})
}

func (p *problems) refuse(field *text.Field, product int, why *text.Text, args ...any) {
	p.add(field, errno.Invalid.Because(why, append([]any{field}, args...)...), product)
}

// filled demands a text that is not blank.
func (p *problems) filled(field *text.Field, t string, longest int) {
	if strings.TrimSpace(t) == "" {
		p.add(field, errno.Missing.About(field), whole)
		return
	}
	p.atMost(field, t, longest, whole)
}

func (p *problems) atMost(field *text.Field, t string, longest, product int) {
	if utf8.RuneCountInString(t) > longest {
		p.refuse(field, product, text.MemberLong, longest)
	}
}

// name demands a text that can be told from others by looking.
func (p *problems) name(field *text.Field, t string, longest int) {
	p.filled(field, t, longest)
	p.visible(field, t)
}

func (p *problems) visible(field *text.Field, t string) {
	if !form.Visible(t) {
		p.refuse(field, whole, text.MemberVisible)
	}
}

// link demands the address of a picture.
func (p *problems) link(field *text.Field, address string, product int) {
	p.atMost(field, address, maxText, product)
	if !form.Link(address) {
		p.refuse(field, product, text.MemberPage)
	}
}

func (p *problems) priced(field *text.Field, a money.Amount, product int) {
	if err := priced(field, a); err != nil {
		p.add(field, err, product)
	}
}

// Problems returns everything that is wrong with new goods by themselves, without a look at what the shop has already.
// What is missing comes first.
func (n NewGoods) Problems() []Problem {
	var p problems
	n.Goods.problems(&p)
	if len(n.Specifications) == 0 {
		p.add(text.FieldSpecifications, errno.Missing.About(text.FieldSpecifications), whole)
	}
	if len(n.Products) == 0 {
		p.add(text.FieldProducts, errno.Missing.About(text.FieldProducts), whole)
	}
	for field, count := range map[*text.Field]int{
		text.FieldSpecifications: len(n.Specifications), text.FieldProducts: len(n.Products),
		text.FieldAttributes: len(n.Attributes),
	} {
		if count > maxChildren {
			p.refuse(field, whole, text.MemberMany, maxChildren)
		}
	}
	for _, a := range n.Attributes {
		p.name(text.FieldAttributes, a.Name, maxText)
		p.name(text.FieldAttributes, a.Value, maxText)
	}
	for _, v := range n.Specifications {
		p.name(text.FieldSpecifications, v.Group, maxText)
		p.name(text.FieldSpecifications, v.Value, maxText)
		p.link(text.FieldSpecifications, v.PicURL, whole)
	}
	if v, ok := twice(n.Specifications); ok {
		p.add(text.FieldSpecifications, errno.Invalid.Because(text.SpecificationTwice, v.Group, v.Value), whole)
	}
	n.products(&p)
	slices.SortStableFunc(p, func(a, b Problem) int { return errno.Of(a.Err).Num - errno.Of(b.Err).Num })
	return p
}

func (g Goods) problems(p *problems) {
	p.name(text.FieldGoodsNumber, g.SN, maxSN)
	p.name(text.FieldName, g.Name, maxName)
	p.atMost(text.FieldKeywords, g.Keywords, maxText, whole)
	p.visible(text.FieldKeywords, g.Keywords)
	p.atMost(text.FieldBrief, g.Brief, maxText, whole)
	p.link(text.FieldPicture, g.PicURL, whole)
	p.atMost(text.FieldUnit, g.Unit, maxUnit, whole)
	p.visible(text.FieldUnit, g.Unit)
	p.priced(text.FieldCounterPrice, g.CounterPrice, whole)
	if !bound.SortOrder.Holds(int64(g.SortOrder)) {
		p.refuse(text.FieldSortOrder, whole, text.MemberBetween, bound.SortOrder.Min, bound.SortOrder.Max)
	}
	if len(g.Gallery) > maxGallery {
		p.refuse(text.FieldGallery, whole, text.MemberMany, maxGallery)
	}
	for _, url := range g.Gallery {
		p.link(text.FieldGallery, url, whole)
	}
	if len(g.Detail) > maxDetail {
		p.refuse(text.FieldDetail, whole, text.MemberBytes, maxDetail)
	}
}

// products demands of each product one value of each specification group, in the order of the groups, and that no two
// are alike.
func (n NewGoods) products(p *problems) {
	groups, values := grouped(n.Specifications)
	seen := map[string]bool{}
	for i, v := range n.Products {
		p.priced(text.FieldPrice, v.Price, i)
		if !bound.Stock.Holds(int64(v.Number)) {
			p.refuse(text.FieldNumber, i, text.MemberBetween, bound.Stock.Min, bound.Stock.Max)
		}
		p.link(text.FieldURL, v.URL, i)
		column, err := textsColumn(v.Specifications)
		fits := err == nil && len(column) <= maxSpecs && len(v.Specifications) == len(groups) && !seen[column]
		for k, value := range v.Specifications {
			fits = fits && values[Specification{Group: groups[k], Value: value}]
		}
		if !fits {
			p.add(text.FieldSpecifications, errno.Invalid.Because(text.ProductUnfit), i)
		}
		seen[column] = true
	}
}

// grouped returns the names of the groups in the order of their first values, and the set of values.
func grouped(list []Specification) (groups []string, values map[Specification]bool) {
	values = make(map[Specification]bool, len(list))
	for _, v := range list {
		if !slices.Contains(groups, v.Group) {
			groups = append(groups, v.Group)
		}
		values[Specification{Group: v.Group, Value: v.Value}] = true
	}
	return groups, values
}

// twice finds a value that comes twice in its group.
func twice(list []Specification) (Specification, bool) {
	seen := make(map[[2]string]bool, len(list))
	for _, v := range list {
		key := [2]string{v.Group, v.Value}
		if seen[key] {
			return v, true
		}
		seen[key] = true
	}
	return Specification{}, false
}
