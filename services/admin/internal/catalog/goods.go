package catalog

import (
	"context"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/cleaned"
)

// CreateGoods is the body of /admin/goods/create: goods with all their records.
type CreateGoods struct {
	Goods          NewGoods           `json:"goods" check:"required"`
	Specifications []NewSpecification `json:"specifications" check:"required,notEmpty"`
	Products       []NewProduct       `json:"products" check:"required,notEmpty"`
	Attributes     []NewAttribute     `json:"attributes"`
}

// NewGoods are the goods themselves. The retail price is the lowest price of the products.
type NewGoods struct {
	GoodsFields `check:"goodsSn:required,name:required,isOnSale:default=true,sortOrder:default=100,unit:default=件"`
}

// GoodsFields are the members of goods that operators edit, by the names of the fields of catalog.Goods.
type GoodsFields struct {
	SN           *string       `json:"goodsSn" check:"notBlank,maxLength=63,visible"`
	Name         *string       `json:"name" check:"notBlank,maxLength=127,visible" doc:"Unique among undeleted goods."`
	CategoryID   *int64        `json:"categoryId" check:"nullAsZero,blankAsZero" doc:"0 for none." show:"of=category"`
	BrandID      *int64        `json:"brandId" check:"nullAsZero,blankAsZero" doc:"The brand; 0 for none." show:"of=brand"`
	Gallery      *[]string     `json:"gallery" check:"maxItems=20,itemMax=255,link" show:"picture"`
	Keywords     *string       `json:"keywords" check:"maxLength=255,visible" doc:"For searches; separated by commas."`
	Brief        *string       `json:"brief" check:"maxLength=255" show:"long"`
	OnSale       *bool         `json:"isOnSale"`
	SortOrder    *int          `json:"sortOrder" check:"range=sort-order"`
	PicURL       *string       `json:"picUrl" check:"maxLength=255,link" show:"picture"`
	New          *bool         `json:"isNew"`
	Hot          *bool         `json:"isHot"`
	Unit         *string       `json:"unit" check:"maxLength=31,visible"`
	Weight       *int          `json:"weight" check:"range=weight" doc:"Grams of a piece; 0 if it is not known."`
	FreightID    *int64        `json:"freightId" check:"nullAsZero,blankAsZero" doc:"0 for none." show:"of=freight"`
	CounterPrice *money.Amount `json:"counterPrice" check:"range=price"`
	Detail       *string       `json:"detail" check:"maxBytes=1048576,clean=none" show:"rich"`
}

// onto sets the given fields of goods.
func (f GoodsFields) onto(g *catalog.Goods) { patch.Apply(g, f) }

// NewSpecification is one value of a specification group.
type NewSpecification struct {
	Specification string `json:"specification" check:"required,maxLength=255,visible" doc:"The group, such as a colour."`
	Value         string `json:"value" check:"required,maxLength=255,visible"`
	PicURL        string `json:"picUrl" check:"maxLength=255,link" show:"picture"`
}

// NewProduct is one combination for sale.
type NewProduct struct {
	Specifications []string `json:"specifications" check:"required,notEmpty,itemMax=255,visible" doc:"One of each group."`

	Price  money.Amount `json:"price" check:"required,range=price"`
	Number int          `json:"number" check:"required,range=stock"`
	URL    string       `json:"url" check:"maxLength=255,link" doc:"The picture that shows this combination."`
}

// NewAttribute is a descriptive parameter; one that is marked as deleted is skipped.
type NewAttribute struct {
	Attribute string `json:"attribute" check:"requiredUnless=deleted,maxLength=255,visible"`
	Value     string `json:"value" check:"requiredUnless=deleted,maxLength=255,visible"`
	Deleted   bool   `json:"deleted"`
}

// Created is the id of new goods.
type Created struct {
	ID int64 `json:"id"`
	cleaned.HTML
}

func (h goodsHandlers) create(ctx context.Context, r CreateGoods) (Created, error) {
	var n catalog.NewGoods
	r.Goods.onto(&n.Goods)
	for _, v := range r.Specifications {
		n.Specifications = append(n.Specifications, catalog.Specification{
			Group: v.Specification, Value: v.Value, PicURL: v.PicURL,
		})
	}
	for _, p := range r.Products {
		n.Products = append(n.Products, catalog.Product{
			Specifications: p.Specifications, Price: p.Price, Number: p.Number, URL: p.URL,
		})
	}
	for _, a := range r.Attributes {
		if !a.Deleted {
			n.Attributes = append(n.Attributes, catalog.Attribute{Name: a.Attribute, Value: a.Value})
		}
	}
	id, err := h.Catalog.Add(ctx, n)
	return Created{ID: id, HTML: cleaned.Of(n.Goods.Detail)}, err
}

// UpdateGoods is the body of /admin/goods/update. Children are identified by ids; those that are not sent stay.
type UpdateGoods struct {
	Goods          GoodsEdit           `json:"goods" check:"required"`
	Specifications []SpecificationEdit `json:"specifications"`
	Products       []ProductEdit       `json:"products"`
	Attributes     []AttributeEdit     `json:"attributes"`
}

// GoodsEdit is the goods itself; absent members stay.
type GoodsEdit struct {
	ID int64 `json:"id" check:"required"`
	GoodsFields
	UpdateTime string `json:"updateTime" doc:"As the goods were read; refused if they have changed."`
}

// edited are the members that mark children.
type edited struct {
	UpdateTime string `json:"updateTime" doc:"Empty for a row that was edited; else it is left alone."`
	Deleted    bool   `json:"deleted" doc:"Counts whatever updateTime says. Only attributes can be deleted."`
}

func (e edited) yes() bool { return e.UpdateTime == "" }

// SpecificationEdit changes the picture of a specification.
type SpecificationEdit struct {
	edited

	ID            int64   `json:"id"`
	Specification string  `json:"specification" check:"required,maxLength=255"`
	Value         string  `json:"value" check:"required,maxLength=255"`
	PicURL        *string `json:"picUrl" check:"maxLength=255,link" show:"picture"`
}

// ProductEdit changes price, stock and picture of a product.
type ProductEdit struct {
	edited

	ID             int64        `json:"id"`
	Specifications []string     `json:"specifications" check:"required,notEmpty,itemMax=255"`
	Price          money.Amount `json:"price" check:"required,range=price"`
	Number         int          `json:"number" check:"required,range=stock"`
	URL            *string      `json:"url" check:"maxLength=255,link"`
	StockBase      *int         `json:"stockBase" check:"range=stock-seen" doc:"As it was read: the change is booked."`
}

// AttributeEdit adds an attribute without an id, changes one, or removes one that is marked as deleted.
type AttributeEdit struct {
	edited

	ID        int64  `json:"id"`
	Attribute string `json:"attribute" check:"requiredUnless=deleted,maxLength=255,visible"`
	Value     string `json:"value" check:"requiredUnless=deleted,maxLength=255,visible"`
}

func (h goodsHandlers) update(ctx context.Context, r UpdateGoods) (cleaned.Alone, error) {
	g := r.Goods
	e := catalog.GoodsEdit{ID: g.ID, Change: g.onto}
	if g.UpdateTime != "" {
		if _, err := time.Parse(wire.Layout, g.UpdateTime); err != nil {
			return cleaned.Alone{}, errno.Invalid.Because(text.ValidationDateTime, text.FieldUpdateTime)
		}
		e.Fresh = func(updated time.Time) bool {
			return updated.In(h.Zone.Location()).Format(wire.Layout) == g.UpdateTime
		}
	}
	for _, v := range r.Specifications {
		e.Specifications = append(e.Specifications, catalog.SpecificationEdit{
			ID: v.ID, Edited: v.yes(), Deleted: v.Deleted, Group: v.Specification, Value: v.Value, PicURL: v.PicURL,
		})
	}
	for _, p := range r.Products {
		e.Products = append(e.Products, catalog.ProductEdit{
			ID: p.ID, Edited: p.yes(), Deleted: p.Deleted, Specifications: p.Specifications, Price: p.Price,
			Number: p.Number, Base: p.StockBase, URL: p.URL,
		})
	}
	for _, a := range r.Attributes {
		e.Attributes = append(e.Attributes, catalog.AttributeEdit{
			ID: a.ID, Edited: a.yes(), Deleted: a.Deleted, Name: a.Attribute, Value: a.Value,
		})
	}
	return cleaned.Alone{HTML: cleaned.OfAny(g.Detail)}, h.Catalog.Edit(ctx, auth.Actor(ctx), e)
}
