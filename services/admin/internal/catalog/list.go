package catalog

import (
	"context"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/cleaned"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

type goodsHandlers struct{ Deps }

// allGoodsOps declares the operations on goods.
func allGoodsOps(d Deps) []op.Op {
	h := goodsHandlers{d}
	return slices.Concat(goodsOps(h), batchOps(h), csvOps(h))
}

func goodsOps(h goodsHandlers) []op.Op {
	return []op.Op{
		op.Read[ListGoods, wire.List[ListedGoods]]{
			Path: "/admin/goods/list", Title: "List goods, on sale or not",
			Access: op.Permit("admin:goods:list", menu.Goods(), menu.Query()), Budget: 14, AllowStale: true,
			Columns: op.Columns{
				Names: []string{
					"picUrl", "name", "goodsSn", "retailPrice", "stock", "isOnSale", "isNew", "isHot", "sortOrder", "addTime",
				},
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
			Path: "/admin/goods/create", Title: "Put goods on sale",
			Access:           op.Permit("admin:goods:create", menu.Goods(), menu.Button("put-on-sale")),
			Fails:            []*errno.Code{errno.GoodsNameExists},
			IdempotencyScope: "admin.goods-create", Audit: audit("goods-create"), Budget: 19, Do: h.create,
		},
		op.Write[UpdateGoods, cleaned.Alone]{
			Path: "/admin/goods/update", Title: "Change goods",
			Access: op.Permit("admin:goods:update", menu.Goods(), menu.Edit()),
			Fails: []*errno.Code{
				errno.UpdateFailed, errno.GoodsNameExists, errno.Stale, errno.GoodsUpdateNotAllowed,
			},
			IdempotencyScope: "admin.goods-update", Audit: audit("goods-update"), Budget: 22, Do: h.update,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/goods/delete", Title: "Delete goods",
			Access: op.Permit("admin:goods:delete", menu.Goods(), menu.Delete()), Audit: audit("goods-delete"),
			Budget: op.PerItem, Do: h.remove, // the groups of its rule end one by one
		},
		op.Write[SetHot, op.None]{
			Path: "/admin/goods/hot", Title: "Choose whether the purchases of a product are batched",
			Access: op.Permit("admin:goods:hot", menu.Goods(), menu.Button("hot-product")),
			Audit:  op.Audit{Target: "goods_product", Action: text.ForAction("goods-hot")}, Budget: 8, Do: h.setHot,
		},
	}
}

func audit(action string) op.Audit { return op.Audit{Target: "goods", Action: text.ForAction(action)} }

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
	FreightID  *int64 `json:"freightId" doc:"Only goods that name this template; 0 for none." show:"of=freight"`
	OnSale     *bool  `json:"isOnSale" doc:"Only goods on sale, or only others."`
	New        *bool  `json:"isNew" doc:"Only new goods, or only others."`
	Hot        *bool  `json:"isHot" doc:"Only hot goods, or only others."`
	Stock      string `json:"stock" check:"enum=low|out" show:"one=stock-level" doc:"low: a variant has fewer than 10 pieces; out: none. At most 1,000 goods."` //nolint:lll // one tag
}

// Listing adds the orders by price and by the pieces of all variants. Filters that no index has together, or with this
// order, are refused where each of them selects many goods.
func (ListGoods) Listing() wire.Listing { return wire.Listing{Sort: []string{"retail_price", "stock"}} }

// noGoods is an id of no goods.
const noGoods = -1

func (f GoodsFilter) filter() catalog.ListFilter {
	out := catalog.ListFilter{
		SN: f.GoodsSN, Name: f.Name, CategoryID: f.CategoryID, BrandID: f.BrandID, FreightID: f.FreightID,
		OnSale: f.OnSale, New: f.New, Hot: f.Hot,
		Stock: catalog.StockLevel(f.Stock),
	}
	if f.GoodsID != nil {
		if out.ID = *f.GoodsID; out.ID == 0 { // 0 means no filter in the catalogue, but an unknown id in a request
			out.ID = noGoods
		}
	}
	return out
}

func (h goodsHandlers) listGoods(ctx context.Context, r ListGoods) (wire.List[ListedGoods], error) {
	q, err := paging.OfListing(r.Paging, r.Listing())
	if err != nil {
		return wire.List[ListedGoods]{}, err
	}
	list, err := h.Catalog.All(ctx, r.filter(), q)
	if err != nil {
		return wire.List[ListedGoods]{}, err
	}
	stocks, err := h.Catalog.Stocks(ctx, wire.Each(list.Items, func(g catalog.Goods) int64 { return g.ID }))
	view := View(h.Zone)
	return paging.List(list, func(g catalog.Goods) ListedGoods { return ListedGoods{view(g), stocks[g.ID]} }), err
}

func (h goodsHandlers) detail(ctx context.Context, r wire.Ref) (GoodsDetail, error) {
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

func (h goodsHandlers) setHot(ctx context.Context, r SetHot) (op.None, error) {
	return op.None{}, h.Catalog.SetHot(ctx, r.ProductID, catalog.HotMode(r.HotMode))
}

func (h goodsHandlers) remove(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Catalog.Remove(ctx, r.ID)
}
