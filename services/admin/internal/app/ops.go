package app

import (
	"slices"

	"shop.internal/pkg/domain"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/aftersale"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/catalog"
	"shop.internal/services/admin/internal/comment"
	"shop.internal/services/admin/internal/content"
	"shop.internal/services/admin/internal/find"
	"shop.internal/services/admin/internal/notice"
	"shop.internal/services/admin/internal/oplog"
	"shop.internal/services/admin/internal/order"
	"shop.internal/services/admin/internal/profile"
	"shop.internal/services/admin/internal/promotion"
	"shop.internal/services/admin/internal/region"
	"shop.internal/services/admin/internal/report"
	"shop.internal/services/admin/internal/role"
	"shop.internal/services/admin/internal/setting"
	"shop.internal/services/admin/internal/staff"
	"shop.internal/services/admin/internal/storage"
	"shop.internal/services/admin/internal/tree"
	"shop.internal/services/admin/internal/user"
	"shop.internal/services/admin/internal/userdata"
)

// Deps are what the operations need, package by package. A zero Deps can only be used to list operations.
type Deps struct {
	Aftersale aftersale.Deps
	Auth      auth.Deps
	Catalog   catalog.Deps
	Comment   comment.Deps
	Content   content.Deps
	Find      find.Deps
	Notice    notice.Deps
	Oplog     oplog.Deps
	Order     order.Deps
	Profile   profile.Deps
	Promotion promotion.Deps
	Region    region.Deps
	Report    report.Deps
	Role      role.Deps
	Setting   setting.Deps
	Staff     staff.Deps
	Storage   storage.Deps
	Tree      tree.Deps
	User      user.Deps
	UserData  userdata.Deps
}

// depsOf takes from the shop what the operations need.
func depsOf(d *domain.Domain, c Config) (Deps, error) {
	zone, err := wire.ZoneOf(c.Shop.Zone)
	if err != nil {
		return Deps{}, err
	}
	return Deps{
		Aftersale: aftersale.Deps{Cases: d.Aftersales, Zone: zone},
		Auth:      auth.Deps{Access: d.Access, Sessions: d.Sessions, Shown: nil},
		Catalog:   catalog.Deps{Catalog: d.Catalog, Audit: d.Audit, Zone: zone, Language: c.Shop.Language},
		Comment:   comment.Deps{Reviews: d.Reviews, Accounts: d.Accounts, Goods: d.Catalog, Zone: zone},
		Content:   content.Deps{Content: d.Content, Catalog: d.Catalog, Zone: zone},
		Find: find.Deps{
			Access: d.Access, Orders: d.Orders, Cases: d.Aftersales, People: d.Accounts, Goods: d.Catalog,
		},
		Notice: notice.Deps{Access: d.Access, Zone: zone},
		Oplog:  oplog.Deps{Audit: d.Audit, Zone: zone},
		Order: order.Deps{
			Orders: d.Orders, People: d.Accounts, Comments: d.LineComments, Audit: d.Audit, Zone: zone,
			Channels: domainorder.ParseChannels(c.Order.Channels), Cases: d.Cases, Language: c.Shop.Language,
		},
		Profile: profile.Deps{Access: d.Access, Sessions: d.Sessions, Zone: zone, Language: c.Shop.Language},
		Promotion: promotion.Deps{
			Promotions: d.Promotions, Orders: d.Orders, Goods: d.Catalog, Audit: d.Audit, Zone: zone,
		},
		Region:  region.Deps{Addresses: d.Addresses},
		Report:  report.Deps{Report: d.Report, Rollup: d.Rollup},
		Role:    role.Deps{Access: d.Access, Registry: nil, Zone: zone},
		Setting: setting.Deps{Settings: d.Settings},
		Staff:   staff.Deps{Access: d.Access, Sessions: d.Sessions, Zone: zone},
		Storage: storage.Deps{Objects: d.Storage, Zone: zone},
		Tree:    tree.Deps{Catalog: d.Catalog, Zone: zone},
		User:    user.Deps{Accounts: d.Accounts, Audit: d.Audit, Zone: zone},
		UserData: userdata.Deps{
			Addresses: d.Addresses, Accounts: d.Accounts, Goods: d.Catalog, Traces: d.Engagement, Zone: zone,
		},
	}, nil
}

// Ops declares all operations of the service, with the permissions that they ask for.
func Ops(d Deps) ([]op.Op, *authz.Registry, error) {
	var registry *authz.Registry
	// The login tells operators their operations, so the registry is only known after all are declared.
	d.Auth.Shown = func(values []string) []string { return registry.Shown(values) }
	d.Role.Registry = func() *authz.Registry { return registry }
	ops := slices.Concat(
		aftersale.Ops(d.Aftersale),
		auth.Ops(d.Auth),
		catalog.Ops(d.Catalog),
		comment.Ops(d.Comment),
		content.Ops(d.Content),
		find.Ops(d.Find),
		notice.Ops(d.Notice),
		oplog.Ops(d.Oplog),
		order.Ops(d.Order),
		profile.Ops(d.Profile),
		promotion.Ops(d.Promotion),
		region.Ops(d.Region),
		report.Ops(d.Report),
		role.Ops(d.Role),
		setting.Ops(d.Setting),
		staff.Ops(d.Staff),
		storage.Ops(d.Storage),
		tree.Ops(d.Tree),
		user.Ops(d.User),
		userdata.Ops(d.UserData),
	)
	var err error
	registry, err = authz.NewRegistry(ops...)
	return ops, registry, err
}
