package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"shop.internal/pkg/base/bound"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/richtext"
	"shop.internal/pkg/base/text"
)

// NewGoods is the input of Create. Create assigns the times, the ids and the retail price, which is the lowest price of
// the products. Goods.Detail is HTML that is stored unchanged, so it must come from the shop itself.
type NewGoods struct {
	Goods          Goods
	Attributes     []Attribute
	Specifications []Specification
	Products       []Product
}

// cleaned returns the goods as stored: with sanitized HTML and the lowest price of their products.
func (n NewGoods) cleaned() NewGoods {
	n.Goods.Detail = richtext.Clean(n.Goods.Detail)
	n.Goods.ShareURL = ""
	n.Goods.RetailPrice = cheapest(n.Products)
	return n
}

// priced refuses amounts out of range; field is the price concerned.
func priced(field *text.Field, a money.Amount) error {
	if !bound.Price.Contains(int64(a)) {
		return errno.Invalid.Because(text.ValidationRange, field,
			money.Amount(bound.Price.Min), money.Amount(bound.Price.Max))
	}
	return nil
}

// Problem is one reason why new goods are refused.
type Problem struct {
	Field *text.Field
	// Err carries errno.Missing or errno.Invalid with the reason.
	Err error
	// Product is the index of the product with the problem, or a negative number for a problem of the goods as a whole.
	Product int
}

// whole is the Product of a problem of the goods as a whole.
const whole = -1

// The maximum lengths of texts in characters and the maximum number of children of one goods. The detail and the
// specifications of a product are limited in bytes by their columns.
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

// MaxStock is the maximum stock of a product.
var MaxStock = int(bound.Stock.Max)

// problems collects the problems of new goods.
type problems []Problem

func (p *problems) add(field *text.Field, err error, product int) {
	*p = append(*p, Problem{field, err, product})
}

func (p *problems) refuse(field *text.Field, product int, why *text.Text, args ...any) {
	p.add(field, errno.Invalid.Because(why, append([]any{field}, args...)...), product)
}

// filled requires a text that is not blank.
func (p *problems) filled(field *text.Field, t string, longest int) {
	if strings.TrimSpace(t) == "" {
		p.add(field, errno.Missing.About(field), whole)
		return
	}
	p.atMost(field, t, longest, whole)
}

func (p *problems) atMost(field *text.Field, t string, longest, product int) {
	if utf8.RuneCountInString(t) > longest {
		p.refuse(field, product, text.ValidationMaxLength, longest)
	}
}

// name requires a visible text, so that names that look alike are equal.
func (p *problems) name(field *text.Field, t string, longest int) {
	p.filled(field, t, longest)
	p.visible(field, t)
}

func (p *problems) visible(field *text.Field, t string) {
	if !form.Visible(t) {
		p.refuse(field, whole, text.ValidationPrintable)
	}
}

// link requires the address of a picture.
func (p *problems) link(field *text.Field, address string, product int) {
	p.atMost(field, address, maxText, product)
	if !form.Link(address) {
		p.refuse(field, product, text.ValidationURLOrPath)
	}
}

func (p *problems) within(field *text.Field, n int, r bound.Range, product int) {
	if !r.Contains(int64(n)) {
		p.refuse(field, product, text.ValidationRange, r.Min, r.Max)
	}
}

func (p *problems) priced(field *text.Field, a money.Amount, product int) {
	if err := priced(field, a); err != nil {
		p.add(field, err, product)
	}
}

// Problems returns all problems of new goods that can be found without the database, those of missing values first.
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
			p.refuse(field, whole, text.ValidationMaxItems, maxChildren)
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
	for _, c := range columns {
		if c.check != nil {
			c.check(g, p)
		}
	}
	if len(g.Gallery) > maxGallery {
		p.refuse(text.FieldGallery, whole, text.ValidationMaxItems, maxGallery)
	}
	for _, url := range g.Gallery {
		p.link(text.FieldGallery, url, whole)
	}
	if len(g.Detail) > maxDetail {
		p.refuse(text.FieldDetail, whole, text.ValidationMaxBytes, maxDetail)
	}
}

// products requires that each product has one value of each specification group, in the order of the groups, and that
// no two products are equal.
func (n NewGoods) products(p *problems) {
	groups, values := grouped(n.Specifications)
	seen := map[string]bool{}
	for i, v := range n.Products {
		p.priced(text.FieldPrice, v.Price, i)
		p.within(text.FieldNumber, v.Number, bound.Stock, i)
		p.link(text.FieldURL, v.URL, i)
		column, err := textsColumn(v.Specifications)
		fits := err == nil && len(column) <= maxSpecs && len(v.Specifications) == len(groups) && !seen[column]
		for k, value := range v.Specifications {
			fits = fits && values[Specification{Group: groups[k], Value: value}]
		}
		if !fits {
			p.add(text.FieldSpecifications, errno.Invalid.Because(text.ProductMismatch), i)
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

// twice finds a value that is repeated within its group.
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

// textsColumn encodes a list of texts as a JSON array; it is also the canonical form for specHash.
func textsColumn(list []string) (string, error) {
	if list == nil {
		list = []string{}
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("write a list of texts: %w", err)
	}
	return string(b), nil
}
