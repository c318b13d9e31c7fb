package catalog

import (
	"context"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/wire"
)

// ListBrands is the query of /admin/brand/list.
type ListBrands struct {
	wire.Paging
	ID   *int64 `json:"id" doc:"Only the brand of this id."`
	Name string `json:"name" doc:"Words of the name, in any order, taken literally."`
}

// Brand is a brand of goods.
type Brand struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	Desc       string     `json:"desc" show:"long"`
	PicURL     wire.Link  `json:"picUrl" show:"picture"`
	SortOrder  int        `json:"sortOrder"`
	FloorPrice wire.Money `json:"floorPrice"`
	wire.Stamps
}

// NewBrand is the request of /admin/brand/create.
type NewBrand struct {
	Name       string       `json:"name" check:"required,maxLength=255,visible"`
	Desc       string       `json:"desc" check:"required,maxLength=255" show:"long"`
	PicURL     string       `json:"picUrl" check:"maxLength=255,link" show:"picture"`
	SortOrder  int          `json:"sortOrder" check:"default=50,range=sort-order"`
	FloorPrice money.Amount `json:"floorPrice" check:"required,range=price" doc:"The lowest price of the brand's goods."`
}

// BrandChange is the request of /admin/brand/update; absent members stay unchanged.
type BrandChange struct {
	wire.Ref
	wire.Expected
	Name       *string       `json:"name" check:"notBlank,maxLength=255,visible"`
	Desc       *string       `json:"desc" check:"notBlank,maxLength=255" show:"long"`
	PicURL     *string       `json:"picUrl" check:"maxLength=255,link" show:"picture"`
	SortOrder  *int          `json:"sortOrder" check:"range=sort-order"`
	FloorPrice *money.Amount `json:"floorPrice" check:"range=price"`
}

func (h treeHandlers) brand(b catalog.Brand) Brand {
	return Brand{
		ID: b.ID, Name: b.Name, Desc: b.Desc, PicURL: wire.Link(b.PicURL), SortOrder: b.SortOrder,
		FloorPrice: wire.Money(b.FloorPrice),
		Stamps:     h.Zone.Stamps(b.AddTime, b.UpdateTime),
	}
}

func (h treeHandlers) listBrands(ctx context.Context, r ListBrands, q page.Query) (page.List[catalog.Brand], error) {
	return h.Catalog.AllBrands(ctx, r.ID, r.Name, q)
}

func (h treeHandlers) createBrand(ctx context.Context, r NewBrand) (catalog.Brand, error) {
	return h.Catalog.CreateBrand(ctx, catalog.Brand{
		Name: r.Name, Desc: r.Desc, PicURL: r.PicURL, SortOrder: r.SortOrder, FloorPrice: r.FloorPrice,
	})
}

func (h treeHandlers) updateBrand(ctx context.Context, r BrandChange) (catalog.Brand, error) {
	return h.Catalog.ChangeBrand(ctx, r.ID, func(b *catalog.Brand) { patch.Apply(b, r) })
}
