// Package contract defines the records that both services answer alike, so that each member is declared once. What only
// one of them shows belongs to that service.
package contract

import (
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/wire"
)

// Goods is a complete goods record.
type Goods struct {
	ID           int64      `json:"id"`
	GoodsSN      string     `json:"goodsSn"`
	Name         string     `json:"name"`
	CategoryID   int64      `json:"categoryId" show:"of=category"`
	BrandID      int64      `json:"brandId" show:"of=brand"`
	Gallery      wire.Links `json:"gallery" doc:"Pictures of the page of the goods." show:"picture"`
	Keywords     string     `json:"keywords"`
	Brief        string     `json:"brief" show:"long"`
	IsOnSale     bool       `json:"isOnSale"`
	SortOrder    int        `json:"sortOrder"`
	PicURL       wire.Link  `json:"picUrl" show:"picture"`
	ShareURL     wire.Link  `json:"shareUrl" show:"picture"`
	IsNew        bool       `json:"isNew" doc:"Shown among what is new."`
	IsHot        bool       `json:"isHot" doc:"Shown among what is popular."`
	Unit         string     `json:"unit" doc:"What a piece is called."`
	Weight       int        `json:"weight" doc:"Grams of a piece; 0 if unknown."`
	FreightID    int64      `json:"freightId" show:"of=freight" doc:"How delivery is charged; 0 for the settings."`
	CounterPrice wire.Money `json:"counterPrice" doc:"A price to compare with."`
	RetailPrice  wire.Money `json:"retailPrice" doc:"The price of the cheapest product."`
	Detail       string     `json:"detail" show:"rich"`
	wire.Stamps
}

// GoodsOf renders goods.
func GoodsOf(z wire.Zone, g catalog.Goods) Goods {
	return Goods{
		ID: g.ID, GoodsSN: g.SN, Name: g.Name, CategoryID: g.CategoryID, BrandID: g.BrandID,
		Gallery: wire.Links(g.Gallery), Keywords: g.Keywords, Brief: g.Brief, IsOnSale: g.OnSale, SortOrder: g.SortOrder,
		PicURL: wire.Link(g.PicURL), ShareURL: wire.Link(g.ShareURL), IsNew: g.New, IsHot: g.Hot, Unit: g.Unit,
		Weight: g.Weight, FreightID: g.FreightID,
		CounterPrice: wire.Money(g.CounterPrice), RetailPrice: wire.Money(g.RetailPrice), Detail: g.Detail,
		Stamps: z.Stamps(g.AddTime, g.UpdateTime),
	}
}

// GoodsSummary is goods as shown in lists.
type GoodsSummary struct {
	ID           int64      `json:"id"`
	Name         string     `json:"name"`
	Brief        string     `json:"brief" show:"long"`
	PicURL       wire.Link  `json:"picUrl" show:"picture"`
	IsNew        bool       `json:"isNew" doc:"Shown among what is new."`
	IsHot        bool       `json:"isHot" doc:"Shown among what is popular."`
	CounterPrice wire.Money `json:"counterPrice" doc:"A price to compare with."`
	RetailPrice  wire.Money `json:"retailPrice" doc:"The price of the cheapest product."`
}

// GoodsSummaryOf renders goods for a list.
func GoodsSummaryOf(g catalog.Summary) GoodsSummary {
	return GoodsSummary{
		ID: g.ID, Name: g.Name, Brief: g.Brief, PicURL: wire.Link(g.PicURL), IsNew: g.New, IsHot: g.Hot,
		CounterPrice: wire.Money(g.CounterPrice), RetailPrice: wire.Money(g.RetailPrice),
	}
}

// Product is the common part of a product; the stamps come last.
type Product struct {
	ID             int64      `json:"id"`
	GoodsID        int64      `json:"goodsId" show:"of=goods"`
	Specifications []string   `json:"specifications"`
	Price          wire.Money `json:"price"`
	Number         int        `json:"number"`
	URL            wire.Link  `json:"url"`
}

// ProductOf renders a variant of goods.
func ProductOf(p catalog.Product) Product {
	return Product{
		ID: p.ID, GoodsID: p.GoodsID, Specifications: wire.OrEmpty(p.Specifications), Price: wire.Money(p.Price),
		Number: p.Number, URL: wire.Link(p.URL),
	}
}

// Specification is one value of a specification group.
type Specification struct {
	ID            int64     `json:"id"`
	GoodsID       int64     `json:"goodsId" show:"of=goods"`
	Specification string    `json:"specification"`
	Value         string    `json:"value"`
	PicURL        wire.Link `json:"picUrl" show:"picture"`
	wire.Stamps
}

// SpecificationOf renders one value of a specification group.
func SpecificationOf(z wire.Zone, v catalog.Specification) Specification {
	return Specification{
		ID: v.ID, GoodsID: v.GoodsID, Specification: v.Group, Value: v.Value, PicURL: wire.Link(v.PicURL),
		Stamps: z.Stamps(v.AddTime, v.UpdateTime),
	}
}

// Attribute is a descriptive parameter of goods.
type Attribute struct {
	ID        int64  `json:"id"`
	GoodsID   int64  `json:"goodsId" show:"of=goods"`
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
	wire.Stamps
}

// AttributeOf renders a descriptive parameter.
func AttributeOf(z wire.Zone, a catalog.Attribute) Attribute {
	return Attribute{
		ID: a.ID, GoodsID: a.GoodsID, Attribute: a.Name, Value: a.Value, Stamps: z.Stamps(a.AddTime, a.UpdateTime),
	}
}

// GroupRule is a group-buy rule. Discount is in whole currency units.
type GroupRule struct {
	ID             int64     `json:"id"`
	GoodsID        int64     `json:"goodsId" show:"of=goods"`
	GoodsName      string    `json:"goodsName"`
	PicURL         wire.Link `json:"picUrl" show:"picture"`
	Discount       int64     `json:"discount" doc:"What each piece is cheaper."`
	DiscountMember int       `json:"discountMember" doc:"How many shoppers a group needs."`
	ExpireTime     wire.Time `json:"expireTime"`
	Status         int       `json:"status" show:"one=group-rule-state"`
	wire.Stamps
}

// GroupRuleOf renders a group-buy rule.
func GroupRuleOf(z wire.Zone, r promotion.GroupRule) GroupRule {
	return GroupRule{
		ID: r.ID, GoodsID: r.GoodsID, GoodsName: r.GoodsName, PicURL: wire.Link(r.PicURL),
		Discount: int64(r.Discount / money.Yuan(1)), DiscountMember: r.Members, ExpireTime: z.At(r.ExpireTime),
		Status: r.Status, Stamps: z.Stamps(r.AddTime, r.UpdateTime),
	}
}

// Question is a common question with its answer.
type Question struct {
	ID       int64  `json:"id"`
	Question string `json:"question" show:"long"`
	Answer   string `json:"answer" show:"long"`
	wire.Stamps
}

// QuestionOf renders a common question.
func QuestionOf(z wire.Zone, q content.Question) Question {
	return Question{ID: q.ID, Question: q.Question, Answer: q.Answer, Stamps: z.Stamps(q.AddTime, q.UpdateTime)}
}
