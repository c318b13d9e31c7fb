// Package home serves /wx/home and /wx/index: the home page, and the shop's own data. The page of guests is cached; a
// shopper's coupons are read for each call and appended. If a part fails, the whole page fails.
package home

import (
	"context"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/errno"
	domaincatalog "shop.internal/pkg/domain/catalog"
	domaincontent "shop.internal/pkg/domain/content"
	domainpromotion "shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/catalog"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/pagecache"
	"shop.internal/services/storefront/internal/promotion"
)

// Deps are what the operations need.
type Deps struct {
	Catalog   *domaincatalog.Service
	Content   *domaincontent.Service
	Promotion *domainpromotion.Service
	Settings  *settings.Service
	Zone      wire.Zone
	// Page is the cached page, built by NewPage.
	Page *cache.One[pagecache.Page]
}

type handlers struct{ Deps }

// NewPage returns the cache of the page. It is dropped when this process has changed goods, categories or
// brands.
func NewPage(d Deps, o pagecache.Options) *cache.One[pagecache.Page] {
	page := pagecache.NewOne(o, handlers{d}.load)
	d.Catalog.OnChange(func(c domaincatalog.Change) {
		if c.Listed {
			page.Invalidate()
		}
	})
	return page
}

// Ops declares the operations of the home page, and one that some clients know but the shop refuses:
// callers must not clear caches.
func Ops(d Deps) []op.Op {
	h := handlers{d}
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
		op.Refused{Path: "/wx/home/cache", Title: "Not offered", Code: errno.NotSupported},
	}
}

func (h handlers) about(ctx context.Context, _ op.None) (About, error) {
	v, err := h.Settings.Now(ctx)
	return About{
		Name: v.MallName, Address: v.MallAddress, Phone: v.MallPhone, QQ: v.MallQQ, Longitude: v.MallLongitude,
		Latitude: v.MallLatitude, FreightPrice: wire.Money(v.FreightValue), FreightFrom: wire.Money(v.FreightMin),
	}, err
}

func (h handlers) index(ctx context.Context, _ op.None) (wire.Raw[Index], error) {
	p, err := h.Page.Get(ctx)
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
func (h handlers) load(ctx context.Context) (pagecache.Page, error) {
	values, err := h.Settings.Fresh(ctx)
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
func (h handlers) editorial(ctx context.Context, v settings.Values, to *Index) error {
	banners, err := h.Content.Banners(ctx)
	if err != nil {
		return err
	}
	to.Banner = wire.Each(banners, func(b domaincontent.Banner) content.Banner {
		return content.BannerView(h.Zone, b)
	})
	topics, err := h.Content.Topics(ctx, v.IndexTopic)
	to.TopicList = wire.Each(topics, content.TopicSummaryView)
	return err
}

// goods adds the lists of goods and brands.
func (h handlers) goods(ctx context.Context, v settings.Values, to *Index) error {
	yes := true
	fresh, err := h.Catalog.Newest(ctx, domaincatalog.Filter{New: &yes}, v.IndexNew)
	if err != nil {
		return err
	}
	hot, err := h.Catalog.Newest(ctx, domaincatalog.Filter{Hot: &yes}, v.IndexHot)
	if err != nil {
		return err
	}
	brands, err := h.Catalog.FirstBrands(ctx, v.IndexBrand)
	if err != nil {
		return err
	}
	to.NewGoodsList, to.HotGoodsList = wire.Each(fresh, catalog.SummaryView), wire.Each(hot, catalog.SummaryView)
	to.BrandList = wire.Each(brands, catalog.BrandSummaryView)
	return nil
}

// tree adds the channels and the floors.
func (h handlers) tree(ctx context.Context, v settings.Values, to *Index) error {
	channels, err := h.Catalog.FirstCategories(ctx)
	if err != nil {
		return err
	}
	floors, err := h.Catalog.Floors(ctx, v.FloorCount, v.FloorGoods)
	if err != nil {
		return err
	}
	to.Channel = wire.Each(channels, func(c domaincatalog.Category) Channel {
		return Channel{ID: c.ID, Name: c.Name, IconURL: wire.Link(c.IconURL)}
	})
	to.FloorGoodsList = wire.Each(floors, func(f domaincatalog.Floor) Floor {
		return Floor{ID: f.ID, Name: f.Name, GoodsList: wire.Each(f.Goods, catalog.SummaryView)}
	})
	return nil
}

// rules adds the newest group-buy rules whose goods are on sale.
func (h handlers) rules(ctx context.Context, _ settings.Values, to *Index) error {
	to.GrouponList = []promotion.Offer{}
	rules, err := h.Promotion.LiveGroupRules(ctx, rulesLooked)
	if err != nil {
		return err
	}
	goods, err := h.Catalog.Summaries(ctx, wire.Each(rules, func(r domainpromotion.GroupRule) int64 { return r.GoodsID }))
	if err != nil {
		return err
	}
	offer := promotion.OfferView(h.Zone)
	for _, r := range rules {
		if g, ok := goods[r.GoodsID]; ok && len(to.GrouponList) < homeRules {
			to.GrouponList = append(to.GrouponList, offer(domainpromotion.GroupRuleOnSale{GroupRule: r, Goods: g.OnSale()}))
		}
	}
	return nil
}

func (h handlers) coupons(ctx context.Context, shopper int64) ([]promotion.Coupon, error) {
	offered, err := h.Promotion.ReceivableBy(ctx, shopper, homeCoupons)
	return wire.Each(offered, promotion.CouponView(h.Zone)), err
}
