package app

import (
	"slices"

	"shop.internal/pkg/base/country"
	domain "shop.internal/pkg/domain/app"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/access"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/catalog"
	"shop.internal/services/admin/internal/content"
	"shop.internal/services/admin/internal/orders"
	"shop.internal/services/admin/internal/people"
	"shop.internal/services/admin/internal/promotion"
	"shop.internal/services/admin/internal/statistics"
	"shop.internal/services/admin/internal/system"
)

// Deps are what the operations need, package by package. A zero Deps can only be used to list operations.
type Deps struct {
	// Country decides the forms of texts.
	Country    country.Country
	Access     access.Deps
	Catalog    catalog.Deps
	Content    content.Deps
	Orders     orders.Deps
	People     people.Deps
	Promotion  promotion.Deps
	Statistics statistics.Deps
	System     system.Deps
}

// depsOf takes from the shop what the operations need.
func depsOf(d *domain.Domain, c Config) (Deps, error) {
	zone, err := wire.ZoneOf(c.Shop.Clock())
	if err != nil {
		return Deps{}, err
	}
	return Deps{
		Country: c.Shop.Place(),
		Access: access.Deps{
			Access: d.Access, Sessions: d.Sessions, Zone: zone, Language: c.Shop.Speaks(), Registry: nil,
		},
		Catalog: catalog.Deps{
			Catalog: d.Catalog, Freight: d.Freight, Audit: d.Audit, Zone: zone, Language: c.Shop.Speaks(),
		},
		Content: content.Deps{Content: d.Content, Catalog: d.Catalog, Objects: d.Storage, Zone: zone},
		Orders: orders.Deps{
			Orders: d.Orders, Freight: d.Freight, Aftersales: d.Aftersales, Payments: d.Payments, People: d.Accounts,
			Staff: d.Access, Comments: d.LineComments, Parcels: d.Parcels, Settings: d.Settings, Audit: d.Audit, Zone: zone,
			Channels: domainorder.ParseChannels(c.Order.Channels, c.Shop.Speaks()), Cases: d.Cases, Language: c.Shop.Speaks(),
		},
		People: people.Deps{
			Accounts: d.Accounts, Addresses: d.Addresses, Goods: d.Catalog, Traces: d.Engagement, Reviews: d.Reviews,
			Lines: d.LineComments, Audit: d.Audit, Zone: zone,
		},
		Promotion: promotion.Deps{
			Promotions: d.Promotions, Orders: d.Orders, Goods: d.Catalog, Accounts: d.Accounts, Audit: d.Audit,
			Zone: zone,
		},
		Statistics: statistics.Deps{Rollup: d.Rollup, Settings: d.Settings, Audit: d.Audit, Zone: zone},
		System: system.Deps{
			Country: c.Shop.Place(),
			Access:  d.Access, Audit: d.Audit, Cases: d.Aftersales, Failures: d.Failures, Goods: d.Catalog, Jobs: d,
			Orders: d.Orders, Outbox: d.Outbox, Payments: d.Payments, People: d.Accounts, Report: d.Consistency,
			Settings: d.Settings, Takers: map[string]system.Taker{"goods": d.Catalog}, Trials: d.Trials, Now: d.Now, Zone: zone,
			Registry: nil, Language: c.Shop.Speaks(),
		},
	}, nil
}

// Ops declares all operations of the service, with the permissions that they ask for.
func Ops(d Deps) ([]op.Op, *authz.Registry, error) {
	var registry *authz.Registry
	// Some operations show the permissions, so the registry is only known after all are declared.
	known := func() *authz.Registry { return registry }
	d.Access.Registry, d.System.Registry = known, known
	ops := op.In(d.Country, slices.Concat(
		access.Ops(d.Access),
		catalog.Ops(d.Catalog),
		content.Ops(d.Content),
		orders.Ops(d.Orders),
		people.Ops(d.People),
		promotion.Ops(d.Promotion),
		statistics.Ops(d.Statistics),
		system.Ops(d.System),
	))
	var err error
	registry, err = authz.NewRegistry(ops...)
	return ops, registry, err
}
