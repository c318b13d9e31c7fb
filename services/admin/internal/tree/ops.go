// Package tree serves operators the brands and categories.
package tree

import (
	"slices"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/crud"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Catalog *catalog.Service
	Zone    wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on brands and categories.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return slices.Concat(h.brands(), h.categories())
}

// brands are the operations /admin/brand/list, /admin/brand/create, /admin/brand/read, /admin/brand/update and
// /admin/brand/delete.
func (h handlers) brands() []op.Op {
	return crud.Resource{
		Path: "/admin/brand", Menu: menu.Brands(), One: "a brand", Many: "brands",
		List:   crud.List(3, h.brand, h.listBrands),
		Create: crud.Create(4, h.brand, h.createBrand),
		Read:   crud.Read(2, h.brand, h.Catalog.Brand),
		Update: crud.Update(5, h.brand, wire.Expecting(h.Zone, h.updateBrand)),
		Delete: crud.Delete(5, h.Catalog.DeleteBrand).Titled("Delete a brand that no goods are of"),
		Columns: op.Columns{
			Names: []string{"picUrl", "name", "desc", "floorPrice", "sortOrder", "addTime"}, Opens: "name",
		},
	}.Ops()
}

// categories are the operations /admin/category/list, /admin/category/create, /admin/category/read,
// /admin/category/update and /admin/category/delete.
func (h handlers) categories() []op.Op {
	return append(crud.Resource{
		Path: "/admin/category", Menu: menu.Categories(), One: "a category", Many: "categories",
		List:   crud.Answer(3, h.listCategories).Titled("Show the tree of categories"),
		Create: crud.Create(6, h.category, h.createCategory),
		Read:   crud.Read(2, h.category, h.Catalog.Category),
		Update: crud.Update(7, h.category, wire.Expecting(h.Zone, h.updateCategory)),
		Delete: crud.Delete(6, h.Catalog.DeleteCategory).Titled("Delete a category without children and goods"),
		Columns: op.Columns{
			Names: []string{"iconUrl", "name", "level", "keywords"}, Opens: "name",
		},
	}.Ops(), op.Read[paging.Slice, wire.List[Option]]{
		Path: "/admin/category/l1", Title: "List the categories of the first level",
		Access: op.SharedPermit("admin:category:list"), Budget: 2, Do: h.listTop,
	})
}
