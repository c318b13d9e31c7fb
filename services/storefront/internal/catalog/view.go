package catalog

import (
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/review"
)

// Summary are goods as shown in lists.
type Summary contract.GoodsSummary

// SummaryView renders goods for a list.
func SummaryView(g catalog.Summary) Summary { return Summary(contract.GoodsSummaryOf(g)) }

// Category is a node of the category tree.
type Category struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Keywords  string    `json:"keywords"`
	Desc      string    `json:"desc"`
	Pid       int64     `json:"pid" doc:"The category above, 0 for none."`
	IconURL   wire.Link `json:"iconUrl"`
	PicURL    wire.Link `json:"picUrl"`
	Level     string    `json:"level" doc:"L1 or L2."`
	SortOrder int       `json:"sortOrder"`
	wire.Stamps
}

func (h handlers) category(c catalog.Category) Category {
	return Category{
		ID: c.ID, Name: c.Name, Keywords: c.Keywords, Desc: c.Desc, Pid: c.Pid, IconURL: wire.Link(c.IconURL),
		PicURL: wire.Link(c.PicURL),
		Level:  c.Level, SortOrder: c.SortOrder, Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
}

// BrandSummary is a brand as shown in lists.
type BrandSummary struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	Desc       string     `json:"desc"`
	PicURL     wire.Link  `json:"picUrl"`
	FloorPrice wire.Money `json:"floorPrice" doc:"From which price its goods are sold."`
}

// BrandSummaryView renders a brand for a list.
func BrandSummaryView(b catalog.Brand) BrandSummary {
	return BrandSummary{
		ID: b.ID, Name: b.Name, Desc: b.Desc, PicURL: wire.Link(b.PicURL), FloorPrice: wire.Money(b.FloorPrice),
	}
}

// Brand is a complete brand.
type Brand struct {
	BrandSummary
	SortOrder int `json:"sortOrder"`
	wire.Stamps
}

func (h handlers) brandView(b catalog.Brand) Brand {
	return Brand{BrandSummary: BrandSummaryView(b), SortOrder: b.SortOrder, Stamps: h.Zone.Stamps(b.AddTime, b.UpdateTime)}
}

// BrandOrNone is the brand of goods, an empty object for goods without one.
type BrandOrNone struct{ *Brand }

// Info are the goods on their page.
type Info contract.Goods

func (h handlers) info(g catalog.Goods) Info { return Info(contract.GoodsOf(h.Zone, g)) }

// Product is a variant for sale.
type Product struct {
	contract.Product
	wire.Stamps
}

func (h handlers) product(p catalog.Product) Product {
	return Product{Product: contract.ProductOf(p), Stamps: h.Zone.Stamps(p.AddTime, p.UpdateTime)}
}

// SpecificationValue is one value of a specification group.
type SpecificationValue contract.Specification

// SpecificationGroup is a choice, such as the colour.
type SpecificationGroup struct {
	Name      string               `json:"name"`
	ValueList []SpecificationValue `json:"valueList"`
}

// groups groups values, which are sorted by id, in the order of their first value.
func (h handlers) groups(values []catalog.Specification) []SpecificationGroup {
	out := []SpecificationGroup{}
	place := map[string]int{}
	for _, v := range values {
		i, known := place[v.Group]
		if !known {
			i = len(out)
			place[v.Group] = i
			out = append(out, SpecificationGroup{Name: v.Group, ValueList: nil})
		}
		out[i].ValueList = append(out[i].ValueList, SpecificationValue(contract.SpecificationOf(h.Zone, v)))
	}
	return out
}

// Attribute is a descriptive parameter.
type Attribute contract.Attribute

func (h handlers) attribute(a catalog.Attribute) Attribute {
	return Attribute(contract.AttributeOf(h.Zone, a))
}

// Rule is a group-buy rule. Discount is in whole currency units.
type Rule contract.GroupRule

func (h handlers) rule(r promotion.GroupRule) Rule { return Rule(contract.GroupRuleOf(h.Zone, r)) }

// DetailComment is a comment on the goods' page, with its author under two names that clients read.
type DetailComment struct {
	review.Entry
	Nickname string    `json:"nickname"`
	Avatar   wire.Link `json:"avatar"`
}

// DetailComments are the newest comments and their total number.
type DetailComments struct {
	Data  []DetailComment `json:"data"`
	Count int64           `json:"count"`
	Star  float64         `json:"star" doc:"The stars that the newest of them give on average, to a tenth; 0 without any."`
}

// Detail is the page of goods. What depends on the caller comes last.
type Detail struct {
	Info              Info                 `json:"info"`
	SpecificationList []SpecificationGroup `json:"specificationList" doc:"What can be chosen, by name."`
	ProductList       []Product            `json:"productList" doc:"What can be bought: a product for each choice."`
	Attribute         []Attribute          `json:"attribute"`
	Issue             []content.Question   `json:"issue"`
	Comment           DetailComments       `json:"comment"`
	Groupon           []Rule               `json:"groupon"`
	Brand             BrandOrNone          `json:"brand"`
	ShareImage        wire.Link            `json:"shareImage" doc:"With a code that leads to the goods; empty for none."`
	Share             bool                 `json:"share"`
	UserHasCollect    int                  `json:"userHasCollect" doc:"1 where the caller has collected the goods."`
}
