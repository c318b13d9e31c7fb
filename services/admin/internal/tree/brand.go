package tree

import (
	"context"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

// ListBrands is the query of /admin/brand/list.
type ListBrands struct {
	wire.Paging
	ID   *int64 `json:"id" doc:"Only the brand of this id."`
	Name string `json:"name" doc:"Part of the name, taken literally."`
}

// Brand is a brand of goods.
type Brand struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	Desc       string     `json:"desc"`
	PicURL     wire.Link  `json:"picUrl"`
	SortOrder  int        `json:"sortOrder"`
	FloorPrice wire.Money `json:"floorPrice"`
	wire.Stamps
}

// NewBrand is the request of /admin/brand/create.
type NewBrand struct {
	Name       string       `json:"name" check:"required,blank,max=255,visible"`
	Desc       string       `json:"desc" check:"required,blank,max=255"`
	PicURL     string       `json:"picUrl" check:"max=255,link"`
	SortOrder  int          `json:"sortOrder" check:"default=50,range=sort-order"`
	FloorPrice money.Amount `json:"floorPrice" check:"required,range=price" doc:"The lowest price of the brand's goods."`
}

// BrandChange is the request of /admin/brand/update; what is absent stays.
type BrandChange struct {
	ID         int64         `json:"id" check:"required"`
	Name       *string       `json:"name" check:"filled,max=255,visible"`
	Desc       *string       `json:"desc" check:"filled,max=255"`
	PicURL     *string       `json:"picUrl" check:"max=255,link"`
	SortOrder  *int          `json:"sortOrder" check:"range=sort-order"`
	FloorPrice *money.Amount `json:"floorPrice" check:"range=price"`
}

func (h handlers) brand(b catalog.Brand) Brand {
	return Brand{
		ID: b.ID, Name: b.Name, Desc: b.Desc, PicURL: wire.Link(b.PicURL), SortOrder: b.SortOrder,
		FloorPrice: wire.Money(b.FloorPrice),
		Stamps:     h.zone.Stamps(b.AddTime, b.UpdateTime),
	}
}

func (h handlers) listBrands(ctx context.Context, r ListBrands) (wire.List[Brand], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[catalog.Brand], error) {
		return h.catalog.AllBrands(ctx, r.ID, r.Name, q)
	}, h.brand)
}

func (h handlers) createBrand(ctx context.Context, r NewBrand) (Brand, error) {
	b, err := h.catalog.CreateBrand(ctx, catalog.Brand{
		Name: r.Name, Desc: r.Desc, PicURL: r.PicURL, SortOrder: r.SortOrder, FloorPrice: r.FloorPrice,
	})
	return h.brand(b), err
}

func (h handlers) readBrand(ctx context.Context, r wire.Ref) (Brand, error) {
	b, err := h.catalog.Brand(ctx, r.ID)
	return h.brand(b), err
}

func (h handlers) changeBrand(ctx context.Context, r BrandChange) (Brand, error) {
	b, err := h.catalog.ChangeBrand(ctx, r.ID, func(b *catalog.Brand) {
		wire.Set(&b.Name, r.Name)
		wire.Set(&b.Desc, r.Desc)
		wire.Set(&b.PicURL, r.PicURL)
		wire.Set(&b.SortOrder, r.SortOrder)
		wire.Set(&b.FloorPrice, r.FloorPrice)
	})
	return h.brand(b), err
}

func (h handlers) deleteBrand(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.catalog.DeleteBrand(ctx, r.ID)
}
