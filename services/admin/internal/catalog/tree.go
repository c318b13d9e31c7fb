package catalog

import (
	"slices"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/crud"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

type treeHandlers struct{ Deps }

// treeOps declares the operations on brands, categories and freight templates.
func treeOps(d Deps) []op.Op {
	h := treeHandlers{d}
	return slices.Concat(h.brands(), h.categories(), h.freights())
}

// brands are the operations /admin/brand/list, /admin/brand/create, /admin/brand/read, /admin/brand/update and
// /admin/brand/delete.
func (h treeHandlers) brands() []op.Op {
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
func (h treeHandlers) categories() []op.Op {
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
