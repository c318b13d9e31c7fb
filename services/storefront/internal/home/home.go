// Package home serves /wx/home and /wx/index: the home page, and the shop's own data. The page of guests is cached; a
// shopper's coupons are read for each call and appended. If a part fails, the whole page fails.
package home

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/pagecache"

	goodsview "shop.internal/services/storefront/internal/catalog"
	contentview "shop.internal/services/storefront/internal/content"
	promotionview "shop.internal/services/storefront/internal/promotion"
)

// Deps are the dependencies of the home page.
type Deps struct {
	Catalog   *catalog.Service
	Content   *content.Service
	Promotion *promotion.Service
	Settings  *settings.Service
	Zone      wire.Zone
	// Now is a clock for durations.
	Now func() time.Time
}

// Handlers are the operations with the page cache. A zero Handlers can only be used to list operations.
type Handlers struct {
	parts Deps
	page  *pagecache.Cache[struct{}]
}

// New returns the handlers. They drop the cached page when this process has changed goods, categories or brands.
func New(p Deps) (*Handlers, error) {
	h := &Handlers{parts: p, page: nil}
	page, err := pagecache.New(p.Now, h.load)
	if err != nil {
		return nil, fmt.Errorf("build the cache of the home page: %w", err)
	}
	h.page = page
	p.Catalog.OnChange(func(c catalog.Change) {
		if c.Listed {
			h.Drop()
		}
	})
	return h, nil
}

// Drop drops the cached page; it must be called after the commit of other changes that the page shows.
func (h *Handlers) Drop() { h.page.DropAll() }

// Ops declares the operations of the home page.
func (h *Handlers) Ops() []op.Op {
	return []op.Op{
		op.Read[op.None, wire.Raw[Index]]{
			Path: "/wx/home/index", Title: "Show the home page", Access: op.Optional, Budget: 17, Do: h.index,
		},
		op.Read[op.None, About]{
			Path: "/wx/home/about", Title: "Show the shop's own data", Access: op.Public, Budget: 1, Do: h.about,
		},
		op.Read[op.None, string]{
			Path: "/wx/index/index", Title: "Give a sign of life", Access: op.Public,
			Do: func(context.Context, op.None) (string, error) { return "hello", nil },
		},
	}
}

// Refused declares operations that some clients know but the shop refuses: callers must not clear caches.
func Refused() []op.Op {
	return []op.Op{
		op.Read[op.None, op.None]{
			Path: "/wx/home/cache", Title: "Not offered", Access: op.Public, Fails: []*errno.Code{errno.NotSupported},
			Do: func(context.Context, op.None) (op.None, error) { return op.None{}, errno.NotSupported },
		},
	}
}

func (h *Handlers) about(ctx context.Context, _ op.None) (About, error) {
	v, err := h.parts.Settings.Now(ctx)
	return About{
		Name: v.MallName, Address: v.MallAddress, Phone: v.MallPhone, QQ: v.MallQQ, Longitude: v.MallLongitude,
		Latitude: v.MallLatitude,
	}, err
}

func (h *Handlers) index(ctx context.Context, _ op.None) (wire.Raw[Index], error) {
	p, err := h.page.Get(ctx, struct{}{})
	if err != nil {
		return wire.Raw[Index]{}, err
	}
	shopper := auth.ID(ctx)
	if shopper == 0 {
		return wire.RawBody[Index](p.Body()), nil
	}
	coupons, err := h.coupons(ctx, shopper)
	if err != nil {
		return wire.Raw[Index]{}, err
	}
	with, err := p.With(coupons)
	return wire.RawJSON[Index](with), err
}

// The numbers of entries without a setting.
const (
	homeCoupons = 3
	homeRules   = 5
	// rulesLooked bounds the group-buy rules that are examined to find homeRules with goods on sale.
	rulesLooked = 50
)

// load renders the page for guests.
func (h *Handlers) load(ctx context.Context, _ struct{}) (pagecache.Page, error) {
	values, err := h.parts.Settings.Fresh(ctx)
	if err != nil {
		return pagecache.Page{}, err
	}
	var view Index
	for _, part := range []func(context.Context, settings.Values, *Index) error{
		h.editorial, h.goods, h.tree, h.rules,
	} {
		if err := part(ctx, values, &view); err != nil {
			return pagecache.Page{}, err
		}
	}
	if view.CouponList, err = h.coupons(ctx, 0); err != nil {
		return pagecache.Page{}, err
	}
	return pagecache.Encode(view, view.CouponList)
}

// editorial adds the editorial content.
func (h *Handlers) editorial(ctx context.Context, v settings.Values, to *Index) error {
	banners, err := h.parts.Content.Banners(ctx)
	if err != nil {
		return err
	}
	to.Banner = wire.Each(banners, func(b content.Banner) contentview.Banner {
		return contentview.BannerView(h.parts.Zone, b)
	})
	topics, err := h.parts.Content.Topics(ctx, v.IndexTopic)
	to.TopicList = wire.Each(topics, contentview.TopicSummaryView)
	return err
}

// goods adds the lists of goods and brands.
func (h *Handlers) goods(ctx context.Context, v settings.Values, to *Index) error {
	yes := true
	fresh, err := h.parts.Catalog.Newest(ctx, catalog.Filter{New: &yes}, v.IndexNew)
	if err != nil {
		return err
	}
	hot, err := h.parts.Catalog.Newest(ctx, catalog.Filter{Hot: &yes}, v.IndexHot)
	if err != nil {
		return err
	}
	brands, err := h.parts.Catalog.FirstBrands(ctx, v.IndexBrand)
	if err != nil {
		return err
	}
	to.NewGoodsList, to.HotGoodsList = wire.Each(fresh, goodsview.SummaryView), wire.Each(hot, goodsview.SummaryView)
	to.BrandList = wire.Each(brands, goodsview.BrandSummaryView)
	return nil
}

// tree adds the channels and the floors.
func (h *Handlers) tree(ctx context.Context, v settings.Values, to *Index) error {
	channels, err := h.parts.Catalog.FirstCategories(ctx)
	if err != nil {
		return err
	}
	floors, err := h.parts.Catalog.Floors(ctx, v.FloorCount, v.FloorGoods)
	if err != nil {
		return err
	}
	to.Channel = wire.Each(channels, func(c catalog.Category) Channel {
		return Channel{ID: c.ID, Name: c.Name, IconURL: wire.Link(c.IconURL)}
	})
	to.FloorGoodsList = wire.Each(floors, func(f catalog.Floor) Floor {
		return Floor{ID: f.ID, Name: f.Name, GoodsList: wire.Each(f.Goods, goodsview.SummaryView)}
	})
	return nil
}

// rules adds the newest group-buy rules whose goods are on sale.
func (h *Handlers) rules(ctx context.Context, _ settings.Values, to *Index) error {
	to.GrouponList = []GrouponGoods{}
	rules, err := h.parts.Promotion.LiveRules(ctx, rulesLooked)
	if err != nil {
		return err
	}
	goods, err := h.parts.Catalog.Summaries(ctx, wire.Each(rules, func(r promotion.GroupRule) int64 { return r.GoodsID }))
	if err != nil {
		return err
	}
	for _, r := range rules {
		if g, ok := goods[r.GoodsID]; ok && len(to.GrouponList) < homeRules {
			to.GrouponList = append(to.GrouponList, h.groupon(r, g))
		}
	}
	return nil
}

func (h *Handlers) groupon(r promotion.GroupRule, g catalog.Summary) GrouponGoods {
	return GrouponGoods{
		ID: g.ID, Name: g.Name, Brief: g.Brief, PicURL: wire.Link(g.PicURL), CounterPrice: wire.Money(g.CounterPrice),
		RetailPrice: wire.Money(g.RetailPrice), GrouponPrice: wire.Money(max(g.RetailPrice-r.Discount, 0)),
		GrouponDiscount: int64(r.Discount / money.Yuan(1)), GrouponMember: r.Members, RulesID: r.ID,
		ExpireTime: h.parts.Zone.At(r.ExpireTime),
	}
}

func (h *Handlers) coupons(ctx context.Context, shopper int64) ([]promotionview.Coupon, error) {
	offered, err := h.parts.Promotion.ReceivableBy(ctx, shopper, homeCoupons)
	return wire.Each(offered, promotionview.CouponView(h.parts.Zone)), err
}
