package catalog

import (
	"context"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Goods is a complete goods record.
type Goods contract.Goods

// ListedGoods is goods in the list.
type ListedGoods struct {
	Goods
	Stock int64 `json:"stock" doc:"The pieces of all variants."`
}

// View renders goods by the shop's clock.
func View(zone wire.Zone) func(catalog.Goods) Goods {
	return func(g catalog.Goods) Goods { return Goods(contract.GoodsOf(zone, g)) }
}

// GoodsDetail is goods with all their records.
type GoodsDetail struct {
	Goods          Goods           `json:"goods"`
	Specifications []Specification `json:"specifications"`
	Products       []Product       `json:"products"`
	Attributes     []Attribute     `json:"attributes"`
	// CategoryIDs lead from the root of the tree to the category of the goods.
	CategoryIDs []int64 `json:"categoryIds"`
}

// Specification is one value of a specification group.
type Specification contract.Specification

func (h goodsHandlers) specification(v catalog.Specification) Specification {
	return Specification(contract.SpecificationOf(h.Zone, v))
}

// Product is one combination of specification values for sale.
type Product struct {
	contract.Product
	// StockBase is the current stock; sent back with an edit it makes the number a difference.
	StockBase int `json:"stockBase"`
	HotMode   int `json:"hotMode" doc:"Purchases in batches: 0 by load, 1 always, 2 never."`
	wire.Stamps
}

func (h goodsHandlers) product(p catalog.Product) Product {
	return Product{
		Product: contract.ProductOf(p), StockBase: p.Number, HotMode: int(p.HotMode),
		Stamps: h.Zone.Stamps(p.AddTime, p.UpdateTime),
	}
}

// Attribute is a descriptive parameter.
type Attribute contract.Attribute

func (h goodsHandlers) attribute(a catalog.Attribute) Attribute {
	return Attribute(contract.AttributeOf(h.Zone, a))
}

// Choices are the categories and brands to choose from.
type Choices struct {
	CategoryList []Choice `json:"categoryList"`
	BrandList    []Choice `json:"brandList"`
}

// Choice is an id with its label. Children is omitted if empty: the console does not let a node with an empty list be
// chosen.
type Choice struct {
	Value    int64    `json:"value"`
	Label    string   `json:"label"`
	Children []Choice `json:"children,omitempty"`
}

// maxBrands is the maximum number of brands to choose from.
const maxBrands = 10_000

func (h goodsHandlers) choices(ctx context.Context, _ op.None) (Choices, error) {
	firsts, err := h.Catalog.FirstCategories(ctx)
	if err != nil {
		return Choices{}, err
	}
	seconds, err := h.Catalog.SecondCategories(ctx)
	if err != nil {
		return Choices{}, err
	}
	brands, err := h.Catalog.FirstBrands(ctx, maxBrands)
	if err != nil {
		return Choices{}, err
	}
	children := map[int64][]Choice{}
	for _, c := range seconds {
		children[c.Pid] = append(children[c.Pid], Choice{Value: c.ID, Label: c.Name, Children: nil})
	}
	return Choices{
		CategoryList: wire.Each(firsts, func(c catalog.Category) Choice {
			return Choice{Value: c.ID, Label: c.Name, Children: children[c.ID]}
		}),
		BrandList: wire.Each(brands, func(b catalog.Brand) Choice {
			return Choice{Value: b.ID, Label: b.Name, Children: nil}
		}),
	}, nil
}
