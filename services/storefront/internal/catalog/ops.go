// Package catalog serves goods, brands and categories to shoppers: /wx/goods, /wx/brand, /wx/catalog and the result of
// /wx/search. All answers are cached; the shopper's own part is read for each call.
package catalog

import (
	"context"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/pagecache"
)

// Deps are what the operations need.
type Deps struct {
	Catalog    *catalog.Service
	Content    *content.Service
	Engagement *engagement.Service
	Promotion  *promotion.Service
	Review     *review.Service
	Settings   *settings.Service
	Zone       wire.Zone
	// Pages are the cached pages of goods by id, built by NewPages; Answers are those of the other operations.
	Pages   *cache.Cache[int64, pagecache.Page]
	Answers *pagecache.Answers
}

type handlers struct{ Deps }

// NewPages returns the cache of the pages of goods. A page is dropped when this process has changed what it shows.
func NewPages(d Deps, o pagecache.Options) *cache.Cache[int64, pagecache.Page] {
	h := handlers{d}
	shown := h.newCommon(o.Now)
	o.Parts = commonAge
	pages := pagecache.New(o, func(ctx context.Context, id int64) (pagecache.Page, error) {
		return h.load(ctx, id, shown)
	})
	d.Catalog.OnChange(func(c catalog.Change) {
		if c.Goods == 0 {
			pages.InvalidateAll()
			return
		}
		pages.Invalidate(c.Goods)
	})
	return pages
}

// Ops declares the operations on goods, brands and categories.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	list := h.list()
	return []op.Op{
		op.Read[ListRequest, wire.Raw[Goods]]{
			Path: "/wx/goods/list", Title: "List goods on sale", Access: op.Optional, Budget: 8, AllowStale: true, Do: list,
		},
		op.Read[ListRequest, wire.Raw[Goods]]{
			Path: "/wx/search/result", Title: "List goods on sale that a search finds", Access: op.Optional,
			Budget: 7, AllowStale: true, Do: list,
		},
		op.Read[SuggestRequest, wire.Raw[[]Summary]]{
			Path: "/wx/search/goods", Title: "Suggest goods for what is being typed", Access: op.Public,
			Budget: 8, AllowStale: true, Do: pagecache.Same(d.Answers, h.suggest),
		},
		op.Read[wire.Ref, wire.Raw[Detail]]{
			Path: "/wx/goods/detail", Title: "Show a goods", Access: op.Optional,
			Fails: []*errno.Code{errno.GoodsUnknown}, Budget: 14, Do: h.detail,
		},
		op.Read[RelatedRequest, wire.Raw[wire.List[Summary]]]{
			Path: "/wx/goods/related", Title: "List other goods of the same category", Access: op.Public,
			Fails: []*errno.Code{errno.GoodsUnknown}, Budget: 3, Do: pagecache.Same(d.Answers, h.related),
		},
		op.Read[wire.Ref, wire.Raw[Family]]{
			Path: "/wx/goods/category", Title: "Show a category among its kin", Access: op.Public,
			Budget: 3, Do: pagecache.Same(d.Answers, h.family),
		},
		op.Read[op.None, wire.Raw[int64]]{
			Path: "/wx/goods/count", Title: "Count the goods on sale", Access: op.Public,
			Budget: 1, AllowStale: true, Do: pagecache.Same(d.Answers, h.count),
		},
		op.Read[BrandsRequest, wire.Raw[wire.List[BrandSummary]]]{
			Path: "/wx/brand/list", Title: "List brands", Access: op.Public,
			Budget: 2, AllowStale: true, Do: pagecache.Same(d.Answers, h.brands),
		},
		op.Read[wire.Ref, wire.Raw[Brand]]{
			Path: "/wx/brand/detail", Title: "Show a brand", Access: op.Public,
			Budget: 1, Do: pagecache.Same(d.Answers, h.brand),
		},
		op.Read[IndexRequest, wire.Raw[Index]]{
			Path: "/wx/catalog/index", Title: "Show the categories, one of them opened", Access: op.Public,
			Budget: 3, AllowStale: true, Do: pagecache.Same(d.Answers, h.index),
		},
		op.Read[wire.Ref, wire.Raw[Current]]{
			Path: "/wx/catalog/current", Title: "Show a category with those below it", Access: op.Public,
			Budget: 2, Do: pagecache.Same(d.Answers, h.current),
		},
		op.Read[op.None, wire.Raw[All]]{
			Path: "/wx/catalog/all", Title: "Show the whole tree of categories", Access: op.Public,
			Budget: 2, AllowStale: true, Do: pagecache.Same(d.Answers, h.all),
		},
		op.Read[op.None, wire.Raw[[]Category]]{
			Path: "/wx/catalog/getfirstcategory", Title: "List the first-level categories", Access: op.Public,
			Budget: 1, AllowStale: true, Do: pagecache.Same(d.Answers, h.firsts),
		},
		op.Read[wire.Ref, wire.Raw[[]Category]]{
			Path: "/wx/catalog/getsecondcategory", Title: "List the categories below one", Access: op.Public,
			Budget: 1, Do: pagecache.Same(d.Answers, h.seconds),
		},
	}
}

func (h handlers) count(ctx context.Context, _ op.None) (int64, error) {
	return h.Catalog.Count(ctx)
}
