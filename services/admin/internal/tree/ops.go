// Package tree serves operators the brands and categories.
package tree

import (
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

type handlers struct {
	catalog *catalog.Service
	zone    wire.Zone
}

// The tables whose changes are recorded.
const (
	brands     = "brand"
	categories = "category"
)

// Brands declares the operations on brands.
func Brands(c *catalog.Service, zone wire.Zone) []op.Op {
	h := handlers{c, zone}
	return []op.Op{
		op.Read[ListBrands, wire.List[Brand]]{
			Path: "/admin/brand/list", Title: "List brands",
			Access: op.Permit("admin:brand:list", menu.Brands(), menu.Query()), Budget: 3, Do: h.listBrands,
		},
		op.Write[NewBrand, Brand]{
			Path: "/admin/brand/create", Title: "Add a brand",
			Access:           op.Permit("admin:brand:create", menu.Brands(), menu.Add()),
			IdempotencyScope: "admin.brand-create", Audit: op.Audit{Target: brands}, Budget: 6, Do: h.createBrand,
		},
		op.Read[wire.Ref, Brand]{
			Path: "/admin/brand/read", Title: "Show a brand",
			Access: op.Permit("admin:brand:read", menu.Brands(), menu.Detail()), Budget: 2, Do: h.readBrand,
		},
		op.Write[BrandChange, Brand]{
			Path: "/admin/brand/update", Title: "Change a brand",
			Access: op.Permit("admin:brand:update", menu.Brands(), menu.Edit()), Fails: []*errno.Code{errno.UpdateFailed},
			IdempotencyScope: "admin.brand-update", Audit: op.Audit{Target: brands}, Budget: 5, Do: h.changeBrand,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/brand/delete", Title: "Delete a brand that no goods are of",
			Access:           op.Permit("admin:brand:delete", menu.Brands(), menu.Delete()),
			IdempotencyScope: "admin.brand-delete", Audit: op.Audit{Target: brands}, Budget: 5, Do: h.deleteBrand,
		},
	}
}

// Categories declares the operations on categories.
func Categories(c *catalog.Service, zone wire.Zone) []op.Op {
	h := handlers{c, zone}
	return []op.Op{
		op.Read[paging.Slice, wire.List[Branch]]{
			Path: "/admin/category/list", Title: "Show the tree of categories",
			Access: op.Permit("admin:category:list", menu.Categories(), menu.Query()), Budget: 3, Do: h.listCategories,
		},
		op.Read[paging.Slice, wire.List[Option]]{
			Path: "/admin/category/l1", Title: "List the categories of the first level",
			Access: op.SharedPermit("admin:category:list"), Budget: 2, Do: h.listTop,
		},
		op.Write[NewCategory, Category]{
			Path: "/admin/category/create", Title: "Add a category",
			Access:           op.Permit("admin:category:create", menu.Categories(), menu.Add()),
			IdempotencyScope: "admin.category-create", Audit: op.Audit{Target: categories}, Budget: 6, Do: h.createCategory,
		},
		op.Read[wire.Ref, Category]{
			Path: "/admin/category/read", Title: "Show a category",
			Access: op.Permit("admin:category:read", menu.Categories(), menu.Detail()), Budget: 2, Do: h.readCategory,
		},
		op.Write[CategoryChange, Category]{
			Path: "/admin/category/update", Title: "Change a category",
			Access:           op.Permit("admin:category:update", menu.Categories(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed},
			IdempotencyScope: "admin.category-update", Audit: op.Audit{Target: categories}, Budget: 7, Do: h.changeCategory,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/category/delete", Title: "Delete a category without children and goods",
			Access:           op.Permit("admin:category:delete", menu.Categories(), menu.Delete()),
			IdempotencyScope: "admin.category-delete", Audit: op.Audit{Target: categories}, Budget: 6, Do: h.deleteCategory,
		},
	}
}

// Option is a category to choose.
type Option struct {
	Value int64  `json:"value"`
	Label string `json:"label"`
}
