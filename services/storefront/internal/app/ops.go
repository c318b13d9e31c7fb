package app

import (
	"slices"

	"shop.internal/pkg/base/country"
	domain "shop.internal/pkg/domain/app"
	domaincatalog "shop.internal/pkg/domain/catalog"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/address"
	"shop.internal/services/storefront/internal/aftersale"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/cart"
	"shop.internal/services/storefront/internal/catalog"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/engagement"
	"shop.internal/services/storefront/internal/express"
	"shop.internal/services/storefront/internal/home"
	"shop.internal/services/storefront/internal/message"
	"shop.internal/services/storefront/internal/order"
	"shop.internal/services/storefront/internal/pagecache"
	"shop.internal/services/storefront/internal/paypage"
	"shop.internal/services/storefront/internal/promotion"
	"shop.internal/services/storefront/internal/redirect"
	"shop.internal/services/storefront/internal/review"
	"shop.internal/services/storefront/internal/storage"
	"shop.internal/services/storefront/internal/topic"
	"shop.internal/services/storefront/internal/user"
)

// Deps are what the operations need, package by package. A zero Deps can only be used to list operations.
type Deps struct {
	// Country decides the forms of texts.
	Country    country.Country
	Address    address.Deps
	Aftersale  aftersale.Deps
	Auth       auth.Deps
	Cart       cart.Deps
	Catalog    catalog.Deps
	Content    content.Deps
	Engagement engagement.Deps
	Express    express.Deps
	Home       home.Deps
	Message    message.Deps
	Order      order.Deps
	Paypage    paypage.Deps
	Promotion  promotion.Deps
	Review     review.Deps
	Storage    storage.Deps
	Topic      topic.Deps
	User       user.Deps
}

// depsOf takes from the shop what the operations need.
func depsOf(s *domain.Domain, c Config, t program.Tools) (Deps, error) {
	zone, err := wire.ZoneOf(c.Shop.Clock())
	if err != nil {
		return Deps{}, err
	}
	channels := domainorder.ParseChannels(c.Order.Channels, c.Shop.Speaks())
	parcels := express.View{Parcels: s.Parcels, Channels: channels}
	answers := answersOf(s, t)
	d := Deps{
		Country:   c.Shop.Place(),
		Address:   address.Deps{Addresses: s.Addresses, Country: c.Shop.Place(), Zone: zone},
		Aftersale: aftersale.Deps{Cases: s.Aftersales, Express: parcels, Zone: zone},
		Auth:      auth.Deps{Accounts: s.Accounts},
		Cart:      cart.Deps{Cart: s.Cart, Zone: zone},
		Catalog: catalog.Deps{
			Catalog: s.Catalog, Content: s.Content, Engagement: s.Engagement, Promotion: s.Promotions, Review: s.Reviews,
			Settings: s.Settings, Zone: zone, Pages: nil, Answers: answers,
		},
		Content:    content.Deps{Content: s.Content, Zone: zone, Answers: answers},
		Engagement: engagement.Deps{Traces: s.Engagement, Content: s.Content, Zone: zone},
		Express:    express.Deps{Orders: s.Orders, View: parcels},
		Home: home.Deps{
			Catalog: s.Catalog, Content: s.Content, Promotion: s.Promotions, Settings: s.Settings, Zone: zone, Page: nil,
		},
		Message: message.Deps{Token: c.Wechat.MessageToken, Now: t.Now},
		Order: order.Deps{
			Orders: s.Orders, Comments: s.LineComments, Settings: s.Settings,
			Channels: channels, Express: parcels, Zone: zone, Language: c.Shop.Speaks(), Now: t.Now,
			Back: redirect.New(c.Payment.NotifyURL, c.CORS.Origins),
		},
		Paypage: paypage.Deps{
			Sandbox: s.Sandbox, Language: c.Shop.Speaks(), Shop: c.Payment.NotifyURL, Origins: c.CORS.Origins,
		},
		Promotion: promotion.Deps{
			Promotions: s.Promotions, Orders: s.Orders, Catalog: s.Catalog, Zone: zone, Now: t.Now,
		},
		Review: review.Deps{
			Comments: s.Reviews, Posts: s.LineComments, OnlyBuyers: c.Comment.GoodsRequirePurchase, Zone: zone,
		},
		Storage: storage.Deps{
			Objects: s.Storage, Zone: zone, Limit: int64(c.Limits.Upload), Open: !c.Storage.UploadRequiresLogin,
		},
		Topic: topic.Deps{
			Content: s.Content, Catalog: s.Catalog, Engagement: s.Engagement, Zone: zone, Answers: answers,
		},
		User: user.Deps{Orders: s.Orders},
	}
	pages := pagecache.Options{Name: "home page", Meter: s.Meter(), Now: t.Clock, AllowStale: false, Parts: 0}
	d.Home.Page = home.NewPage(d.Home, pages)
	pages.Name = "goods pages"
	d.Catalog.Pages = catalog.NewPages(d.Catalog, pages)
	return d, nil
}

// pages returns how many pages and answers are in memory.
func (d *Deps) pages() int {
	return d.Home.Page.Len() + d.Catalog.Pages.Len() + d.Catalog.Answers.Len()
}

// answersOf returns the cache of answers. They are dropped when goods on lists have changed.
func answersOf(s *domain.Domain, t program.Tools) *pagecache.Answers {
	answers := pagecache.NewAnswers(pagecache.Options{
		Name: "answers", Meter: s.Meter(), Now: t.Clock, AllowStale: true, Parts: 0,
	})
	s.Catalog.OnChange(func(c domaincatalog.Change) {
		if c.Listed {
			answers.InvalidateAll()
		}
	})
	return answers
}

// Ops declares all operations of the service.
func Ops(d Deps) []op.Op {
	return op.In(d.Country, slices.Concat(
		address.Ops(d.Address),
		aftersale.Ops(d.Aftersale),
		auth.Ops(d.Auth),
		cart.Ops(d.Cart),
		catalog.Ops(d.Catalog),
		content.Ops(d.Content),
		engagement.Ops(d.Engagement),
		express.Ops(d.Express),
		home.Ops(d.Home),
		message.Ops(d.Message),
		order.Ops(d.Order),
		paypage.Ops(d.Paypage),
		promotion.Ops(d.Promotion),
		review.Ops(d.Review),
		storage.Ops(d.Storage),
		topic.Ops(d.Topic),
		user.Ops(d.User),
	))
}
