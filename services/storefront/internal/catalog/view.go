package catalog

import (
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/review"
)

// Summary is a goods as lists show it.
type Summary struct {
	ID           int64      `json:"id"`
	Name         string     `json:"name"`
	Brief        string     `json:"brief"`
	PicURL       wire.Link  `json:"picUrl"`
	IsNew        bool       `json:"isNew"`
	IsHot        bool       `json:"isHot"`
	CounterPrice wire.Money `json:"counterPrice"`
	RetailPrice  wire.Money `json:"retailPrice"`
}

// SummaryView shows a goods in a list.
func SummaryView(g catalog.Summary) Summary {
	return Summary{
		ID: g.ID, Name: g.Name, Brief: g.Brief, PicURL: wire.Link(g.PicURL), IsNew: g.New, IsHot: g.Hot,
		CounterPrice: wire.Money(g.CounterPrice), RetailPrice: wire.Money(g.RetailPrice),
	}
}

// Category is a node of the category tree.
type Category struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Keywords  string    `json:"keywords"`
	Desc      string    `json:"desc"`
	Pid       int64     `json:"pid"`
	IconURL   wire.Link `json:"iconUrl"`
	PicURL    wire.Link `json:"picUrl"`
	Level     string    `json:"level"`
	SortOrder int       `json:"sortOrder"`
	wire.Stamps
}

func (h *Handlers) category(c catalog.Category) Category {
	return Category{
		ID: c.ID, Name: c.Name, Keywords: c.Keywords, Desc: c.Desc, Pid: c.Pid, IconURL: wire.Link(c.IconURL),
		PicURL: wire.Link(c.PicURL),
		Level:  c.Level, SortOrder: c.SortOrder, Stamps: h.zone.Stamps(c.AddTime, c.UpdateTime),
	}
}

// BrandSummary is a brand as lists show it.
type BrandSummary struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	Desc       string     `json:"desc"`
	PicURL     wire.Link  `json:"picUrl"`
	FloorPrice wire.Money `json:"floorPrice"`
}

// BrandSummaryView shows a brand in a list.
func BrandSummaryView(b catalog.Brand) BrandSummary {
	return BrandSummary{
		ID: b.ID, Name: b.Name, Desc: b.Desc, PicURL: wire.Link(b.PicURL), FloorPrice: wire.Money(b.FloorPrice),
	}
}

// Brand is a whole brand.
type Brand struct {
	BrandSummary
	SortOrder int `json:"sortOrder"`
	wire.Stamps
}

func (h *Handlers) brandView(b catalog.Brand) Brand {
	return Brand{BrandSummary: BrandSummaryView(b), SortOrder: b.SortOrder, Stamps: h.zone.Stamps(b.AddTime, b.UpdateTime)}
}

// BrandOrNone is the brand of goods, an empty object for goods without one.
type BrandOrNone struct{ *Brand }

// Info is the goods itself on its page.
type Info struct {
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

func (h *Handlers) info(g catalog.Goods) Info {
	return Info{
		ID: g.ID, GoodsSN: g.SN, Name: g.Name, CategoryID: g.CategoryID, BrandID: g.BrandID,
		Gallery: wire.Links(g.Gallery), Keywords: g.Keywords, Brief: g.Brief, IsOnSale: g.OnSale, SortOrder: g.SortOrder,
		PicURL: wire.Link(g.PicURL), ShareURL: wire.Link(g.ShareURL), IsNew: g.New, IsHot: g.Hot, Unit: g.Unit,
		CounterPrice: wire.Money(g.CounterPrice), RetailPrice: wire.Money(g.RetailPrice), Detail: g.Detail,
		Stamps: h.zone.Stamps(g.AddTime, g.UpdateTime),
	}
}

// Product is a sellable variant.
type Product struct {
	ID             int64      `json:"id"`
	GoodsID        int64      `json:"goodsId"`
	Specifications []string   `json:"specifications"`
	Price          wire.Money `json:"price"`
	Number         int        `json:"number"`
	URL            wire.Link  `json:"url"`
	wire.Stamps
}

func (h *Handlers) product(p catalog.Product) Product {
	return Product{
		ID: p.ID, GoodsID: p.GoodsID, Specifications: wire.OrEmpty(p.Specifications), Price: wire.Money(p.Price),
		Number: p.Number, URL: wire.Link(p.URL), Stamps: h.zone.Stamps(p.AddTime, p.UpdateTime),
	}
}

// SpecificationValue is one value of a specification group.
type SpecificationValue struct {
	ID            int64     `json:"id"`
	GoodsID       int64     `json:"goodsId"`
	Specification string    `json:"specification"`
	Value         string    `json:"value"`
	PicURL        wire.Link `json:"picUrl"`
	wire.Stamps
}

// SpecificationGroup is a choice, such as the colour.
type SpecificationGroup struct {
	Name      string               `json:"name"`
	ValueList []SpecificationValue `json:"valueList"`
}

// groups puts values, which come by id, into groups in the order of their first value.
func (h *Handlers) groups(values []catalog.Specification) []SpecificationGroup {
	out := []SpecificationGroup{}
	place := map[string]int{}
	for _, v := range values {
		i, known := place[v.Group]
		if !known {
			i = len(out)
			place[v.Group] = i
			out = append(out, SpecificationGroup{Name: v.Group, ValueList: nil})
		}
		out[i].ValueList = append(out[i].ValueList, SpecificationValue{
			ID: v.ID, GoodsID: v.GoodsID, Specification: v.Group, Value: v.Value, PicURL: wire.Link(v.PicURL),
			Stamps: h.zone.Stamps(v.AddTime, v.UpdateTime),
		})
	}
	return out
}

// Attribute is a descriptive parameter.
type Attribute struct {
	ID        int64  `json:"id"`
	GoodsID   int64  `json:"goodsId"`
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
	wire.Stamps
}

func (h *Handlers) attribute(a catalog.Attribute) Attribute {
	return Attribute{
		ID: a.ID, GoodsID: a.GoodsID, Attribute: a.Name, Value: a.Value, Stamps: h.zone.Stamps(a.AddTime, a.UpdateTime),
	}
}

// Rule is a groupon offer on goods. Discount counts whole currency units.
type Rule struct {
	ID             int64     `json:"id"`
	GoodsID        int64     `json:"goodsId"`
	GoodsName      string    `json:"goodsName"`
	PicURL         wire.Link `json:"picUrl"`
	Discount       int64     `json:"discount"`
	DiscountMember int       `json:"discountMember"`
	ExpireTime     wire.Time `json:"expireTime"`
	Status         int       `json:"status"`
	wire.Stamps
}

func (h *Handlers) rule(r promotion.GroupRule) Rule {
	return Rule{
		ID: r.ID, GoodsID: r.GoodsID, GoodsName: r.GoodsName, PicURL: wire.Link(r.PicURL),
		Discount:       int64(r.Discount / money.Yuan(1)),
		DiscountMember: r.Members, ExpireTime: h.zone.At(r.ExpireTime), Status: r.Status,
		Stamps: h.zone.Stamps(r.AddTime, r.UpdateTime),
	}
}

// DetailComment is a comment on the goods' page. It names its author twice, since clients read either.
type DetailComment struct {
	review.Entry
	Nickname string    `json:"nickname"`
	Avatar   wire.Link `json:"avatar"`
}

// DetailComments are the newest comments, and how many there are in all.
type DetailComments struct {
	Data  []DetailComment `json:"data"`
	Count int64           `json:"count"`
}

// Detail is the page of one goods. What depends on the caller stands last.
type Detail struct {
	Info              Info                 `json:"info"`
	SpecificationList []SpecificationGroup `json:"specificationList"`
	ProductList       []Product            `json:"productList"`
	Attribute         []Attribute          `json:"attribute"`
	Issue             []content.Question   `json:"issue"`
	Comment           DetailComments       `json:"comment"`
	Groupon           []Rule               `json:"groupon"`
	Brand             BrandOrNone          `json:"brand"`
	ShareImage        wire.Link            `json:"shareImage"`
	Share             bool                 `json:"share"`
	UserHasCollect    int                  `json:"userHasCollect" doc:"1 where the caller has collected the goods."`
}
