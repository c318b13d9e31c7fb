// Package catalog serves operators the goods.
package catalog

import (
	"context"
	"slices"

	auditing "shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/cleaned"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Catalog *catalog.Service
	Audit   *auditing.Service
	Zone    wire.Zone
	// Language is the language of the faults of files.
	Language string
}

type handlers struct{ Deps }

// Ops declares the operations on goods.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return slices.Concat(goodsOps(h), csvOps(h))
}

func goodsOps(h handlers) []op.Op {
	return []op.Op{
		op.Read[ListGoods, wire.List[Goods]]{
			Path: "/admin/goods/list", Title: "List goods, on sale or not",
			Access: op.Permit("admin:goods:list", menu.Goods(), menu.Query()), Budget: 12, MayLag: true,
			Columns: op.Columns{
				Names: []string{"picUrl", "name", "goodsSn", "retailPrice", "isOnSale", "isNew", "isHot", "sortOrder", "addTime"},
				Opens: "name",
			},
			Do: h.listGoods,
		},
		op.Read[op.None, Choices]{
			Path: "/admin/goods/catAndBrand", Title: "List the categories and brands that goods can have",
			Access: op.SignedIn, Budget: 4, Do: h.choices,
		},
		op.Read[wire.Ref, GoodsDetail]{
			Path: "/admin/goods/detail", Title: "Show goods with everything that is edited",
			Access: op.Permit("admin:goods:read", menu.Goods(), menu.Detail()), Budget: 6, Do: h.detail,
		},
		op.Write[CreateGoods, Created]{
			Path: "/admin/goods/create", Title: "Put goods on the shelf",
			Access:           op.Permit("admin:goods:create", menu.Goods(), menu.Button("Put on sale", "上架")),
			Fails:            []*errno.Code{errno.GoodsNameExists},
			IdempotencyScope: "admin.goods-create", Audit: audit("添加商品"), Budget: 19, Do: h.create,
		},
		op.Write[UpdateGoods, cleaned.Alone]{
			Path: "/admin/goods/update", Title: "Change goods",
			Access: op.Permit("admin:goods:update", menu.Goods(), menu.Edit()),
			Fails: []*errno.Code{
				errno.UpdateFailed, errno.GoodsNameExists, errno.Stale, errno.GoodsUpdateNotAllowed,
			},
			IdempotencyScope: "admin.goods-update", Audit: audit("编辑商品"), Budget: 22, Do: h.update,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/goods/delete", Title: "Delete goods",
			Access: op.Permit("admin:goods:delete", menu.Goods(), menu.Delete()), Audit: audit("删除商品"),
			Budget: op.PerItem, Do: h.remove, // the groups of its rule end one by one
		},
		op.Write[SetHot, op.None]{
			Path: "/admin/goods/hot", Title: "Choose whether the purchases of a product are gathered",
			Access: op.Permit("admin:goods:hot", menu.Goods(), menu.Button("Hot product", "热销")),
			Audit:  op.Audit{Target: "goods_product", Action: "设置热销商品"}, Budget: 8, Do: h.setHot,
		},
	}
}

func audit(action string) op.Audit { return op.Audit{Target: "goods", Action: action} }

// ListGoods is the query of /admin/goods/list.
type ListGoods struct {
	wire.Paging
	GoodsFilter
}

// GoodsFilter filters goods.
type GoodsFilter struct {
	GoodsID *int64 `json:"goodsId" doc:"Only the goods of this id."`
	GoodsSN string `json:"goodsSn" doc:"Only goods with exactly this number."`
	Name    string `json:"name" doc:"Only goods whose name contains these words, in any order."`

	CategoryID *int64 `json:"categoryId" doc:"Only goods of this category or those below; 0 for none." show:"of=category"`
	BrandID    *int64 `json:"brandId" doc:"Only goods of this brand; 0 for none." show:"of=brand"`
	OnSale     *bool  `json:"isOnSale" doc:"Only goods on sale, or only others."`
	New        *bool  `json:"isNew" doc:"Only new goods, or only others."`
	Hot        *bool  `json:"isHot" doc:"Only hot goods, or only others."`
}

// Listing adds the order by price. Filters that no index has together, or with this order, are refused where each of
// them selects many goods.
func (ListGoods) Listing() wire.Listing { return wire.Listing{Sort: []string{"retail_price"}} }

// noGoods is an id of no goods.
const noGoods = -1

func (f GoodsFilter) filter() catalog.ListFilter {
	out := catalog.ListFilter{
		SN: f.GoodsSN, Name: f.Name, CategoryID: f.CategoryID, BrandID: f.BrandID, OnSale: f.OnSale, New: f.New, Hot: f.Hot,
	}
	if f.GoodsID != nil {
		if out.ID = *f.GoodsID; out.ID == 0 { // 0 means no filter in the catalogue, but an unknown id in a request
			out.ID = noGoods
		}
	}
	return out
}

func (h handlers) listGoods(ctx context.Context, r ListGoods) (wire.List[Goods], error) {
	return paging.PageOf(r.Paging, r.Listing(), func(q page.Query) (page.List[catalog.Goods], error) {
		return h.Catalog.All(ctx, r.filter(), q)
	}, View(h.Zone))
}

func (h handlers) detail(ctx context.Context, r wire.Ref) (GoodsDetail, error) {
	s, err := h.Catalog.EditDetail(ctx, r.ID)
	if err != nil {
		return GoodsDetail{}, err
	}
	return GoodsDetail{
		Goods: View(h.Zone)(s.Goods), Specifications: wire.Each(s.Specifications, h.specification),
		Products: wire.Each(s.Products, h.product), Attributes: wire.Each(s.Attributes, h.attribute),
		CategoryIDs: wire.OrEmpty(s.Categories),
	}, nil
}

// SetHot is the body of /admin/goods/hot.
type SetHot struct {
	ProductID int64 `json:"productId" check:"required"`
	HotMode   int   `json:"hotMode" check:"required,enum=0|1|2" doc:"0 by load, 1 always, 2 never."`
}

func (h handlers) setHot(ctx context.Context, r SetHot) (op.None, error) {
	return op.None{}, h.Catalog.SetHot(ctx, r.ProductID, catalog.HotMode(r.HotMode))
}

func (h handlers) remove(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Catalog.Remove(ctx, r.ID)
}
