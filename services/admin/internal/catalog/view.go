package catalog

import (
	"context"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Goods is a goods record, complete.
type Goods struct {
	ID           int64      `json:"id"`
	GoodsSN      string     `json:"goodsSn"`
	Name         string     `json:"name"`
	CategoryID   int64      `json:"categoryId"`
	BrandID      int64      `json:"brandId"`
	Gallery      wire.Links `json:"gallery"`
	Keywords     string     `json:"keywords"`
	Brief        string     `json:"brief"`
	IsOnSale     bool       `json:"isOnSale"`
	SortOrder    int        `json:"sortOrder"`
	PicURL       wire.Link  `json:"picUrl"`
	ShareURL     wire.Link  `json:"shareUrl"`
	IsNew        bool       `json:"isNew"`
	IsHot        bool       `json:"isHot"`
	Unit         string     `json:"unit"`
	CounterPrice wire.Money `json:"counterPrice"`
	RetailPrice  wire.Money `json:"retailPrice"`
	Detail       string     `json:"detail"`
	wire.Stamps
}

// View renders goods by the shop's clock.
func View(zone wire.Zone) func(catalog.Goods) Goods {
	return func(g catalog.Goods) Goods {
		return Goods{
			ID: g.ID, GoodsSN: g.SN, Name: g.Name, CategoryID: g.CategoryID, BrandID: g.BrandID,
			Gallery: wire.Links(g.Gallery), Keywords: g.Keywords, Brief: g.Brief, IsOnSale: g.OnSale,
			SortOrder: g.SortOrder, PicURL: wire.Link(g.PicURL), ShareURL: wire.Link(g.ShareURL), IsNew: g.New, IsHot: g.Hot,
			Unit:         g.Unit,
			CounterPrice: wire.Money(g.CounterPrice), RetailPrice: wire.Money(g.RetailPrice), Detail: g.Detail,
			Stamps: zone.Stamps(g.AddTime, g.UpdateTime),
		}
	}
}

// Sheet is everything about one goods.
type Sheet struct {
	Goods          Goods           `json:"goods"`
	Specifications []Specification `json:"specifications"`
	Products       []Product       `json:"products"`
	Attributes     []Attribute     `json:"attributes"`
	// CategoryIDs lead from the root of the tree to the category of the goods.
	CategoryIDs []int64 `json:"categoryIds"`
}

// Specification is one value of a specification group.
type Specification struct {
	ID            int64     `json:"id"`
	GoodsID       int64     `json:"goodsId"`
	Specification string    `json:"specification"`
	Value         string    `json:"value"`
	PicURL        wire.Link `json:"picUrl"`
	wire.Stamps
}

func (h handlers) specification(v catalog.Specification) Specification {
	return Specification{
		ID: v.ID, GoodsID: v.GoodsID, Specification: v.Group, Value: v.Value, PicURL: wire.Link(v.PicURL),
		Stamps: h.zone.Stamps(v.AddTime, v.UpdateTime),
	}
}

// Product is one sellable combination of specification values.
type Product struct {
	ID             int64      `json:"id"`
	GoodsID        int64      `json:"goodsId"`
	Specifications []string   `json:"specifications"`
	Price          wire.Money `json:"price"`
	Number         int        `json:"number"`
	URL            wire.Link  `json:"url"`
	// StockBase is the stock at this moment; sent back with an edit it makes the number a difference.
	StockBase int `json:"stockBase"`
	wire.Stamps
}

func (h handlers) product(p catalog.Product) Product {
	return Product{
		ID: p.ID, GoodsID: p.GoodsID, Specifications: wire.OrEmpty(p.Specifications), Price: wire.Money(p.Price),
		Number: p.Number, URL: wire.Link(p.URL), StockBase: p.Number, Stamps: h.zone.Stamps(p.AddTime, p.UpdateTime),
	}
}

// Attribute is a descriptive parameter.
type Attribute struct {
	ID        int64  `json:"id"`
	GoodsID   int64  `json:"goodsId"`
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
	wire.Stamps
}

func (h handlers) attribute(a catalog.Attribute) Attribute {
	return Attribute{
		ID: a.ID, GoodsID: a.GoodsID, Attribute: a.Name, Value: a.Value, Stamps: h.zone.Stamps(a.AddTime, a.UpdateTime),
	}
}

// Choices are what a goods can be put under.
type Choices struct {
	CategoryList []Choice `json:"categoryList"`
	BrandList    []Choice `json:"brandList"`
}

// Choice is an id with its label. Children is left out where there are none: the console would take a node with an
// empty list for one that cannot be chosen.
type Choice struct {
	Value    int64    `json:"value"`
	Label    string   `json:"label"`
	Children []Choice `json:"children,omitempty"`
}

// mostBrands is how many brands can be chosen from.
const mostBrands = 10_000

func (h handlers) choices(ctx context.Context, _ op.None) (Choices, error) {
	firsts, err := h.catalog.FirstCategories(ctx)
	if err != nil {
		return Choices{}, err
	}
	seconds, err := h.catalog.SecondCategories(ctx)
	if err != nil {
		return Choices{}, err
	}
	brands, err := h.catalog.FirstBrands(ctx, mostBrands)
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
