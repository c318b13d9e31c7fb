package catalog

import (
	"context"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// Brand is a manufacturer, with the lowest price of its goods for display.
type Brand struct {
	ID                  int64
	Name                string
	Desc                string `gorm:"column:description"`
	PicURL              string
	SortOrder           int
	FloorPrice          money.Amount
	AddTime, UpdateTime time.Time
	Version             int
}

var brands = table.Of[Brand]("brand")

func (s *Service) brands() edit.CRUD[Brand] {
	c := edit.Of(brands, s.once, s.clock)
	c.Changed = func(ctx context.Context, tx *db.Tx, _ int64) error { return s.touch(ctx, tx) }
	return c
}

// CreateBrand adds a brand. It fails with errno.Invalid for a price out of range.
func (s *Service) CreateBrand(ctx context.Context, b Brand) (Brand, error) {
	return s.brands().Create(ctx, b, func(_ *db.Tx, b *Brand) error { return priced(text.FieldFloorPrice, b.FloorPrice) })
}

// ChangeBrand changes a brand. It fails with errno.UpdateFailed for an unknown brand, and like CreateBrand.
func (s *Service) ChangeBrand(ctx context.Context, id int64, change func(*Brand)) (Brand, error) {
	return s.brands().Update(ctx, id, func(_ *db.Tx, b *Brand) error {
		change(b)
		return priced(text.FieldFloorPrice, b.FloorPrice)
	})
}

// DeleteBrand deletes a brand; an unknown one is ignored. It fails with errno.Invalid while goods belong to the brand.
// Adding goods locks their brand, so none can be added concurrently.
func (s *Service) DeleteBrand(ctx context.Context, id int64) error {
	return s.brands().Delete(ctx, func(tx *db.Tx, b Brand) error {
		return unused(ctx, tx, "brand_id", b.ID, text.BrandHasGoods)
	}, id)
}

// Brand returns a brand. It fails with errno.Invalid for an unknown one.
func (s *Service) Brand(ctx context.Context, id int64) (Brand, error) {
	return edit.Find(ctx, s.db, brands, text.FieldBrand, id)
}

// AllBrands lists the brands with an id (nil for any) whose name contains a text. Sort is add_time or id.
func (s *Service) AllBrands(ctx context.Context, id *int64, name string, w page.Query) (page.List[Brand], error) {
	return lists.Fetch[Brand](ctx, s.lists,
		lists.Of(brands).ID("id", id).Contains("name", name), w)
}

// Brands lists brands. Sort is add_time or id.
func (s *Service) Brands(ctx context.Context, q page.Query) (page.List[Brand], error) {
	return s.AllBrands(ctx, nil, "", q)
}

// FirstBrands returns the first n brands in display order.
func (s *Service) FirstBrands(ctx context.Context, n int) ([]Brand, error) {
	if n <= 0 {
		return nil, nil
	}
	return brands.Find(ctx, s.db, "r.deleted = 0 ORDER BY r.sort_order, r.id LIMIT ?", n)
}
