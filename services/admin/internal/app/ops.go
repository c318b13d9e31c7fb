package app

import (
	"slices"
	"time"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	domainaftersale "shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/audit"
	domaincatalog "shop.internal/pkg/domain/catalog"
	domaincontent "shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/ratelimit"
	domainpromotion "shop.internal/pkg/domain/promotion"
	domainreport "shop.internal/pkg/domain/report"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/settings"
	domainstorage "shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/aftersale"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/catalog"
	"shop.internal/services/admin/internal/comment"
	"shop.internal/services/admin/internal/content"
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

// Deps are the dependencies of the operations. The zero Deps can only be used to list operations.
type Deps struct {
	Access    *access.Service
	Sessions  *access.Sessions
	Content   *domaincontent.Service
	Catalog   *domaincatalog.Service
	Orders    *domainorder.Service
	Cases     *domainaftersale.Service
	Accounts  *account.Service
	Addresses *address.Service
	Traces    *engagement.Service
	Reviews   *review.Service
	Objects   *domainstorage.Service
	// Comments are those of shoppers on what they have bought.
	Comments *review.Lines
	// Limiter counts the writes of operators.
	Limiter    *ratelimit.Limiter
	Promotions *domainpromotion.Service
	Settings   *settings.Service
	Audit      *audit.Service
	Books      *domainreport.Service
	Days       *domainreport.Rollup
	Zone       wire.Zone
	// Language is that of what people read.
	Language string
	Channels domainorder.Channels
	// Now is the clock of the shop.
	Now func() time.Time
}

// Ops declares all operations of the service.
func Ops(p Deps) ([]op.Op, *authz.Registry, error) {
	var registry *authz.Registry
	// The answer of a login depends on the operations, so the registry is known only after all are declared.
	shown := func(values []string) []string { return registry.Shown(values) }
	editors := content.Deps{Content: p.Content, Catalog: p.Catalog, Zone: p.Zone}
	ops := slices.Concat(
		auth.Ops(p.Access, p.Sessions, shown),
		auth.Refusals(),
		report.Dashboard(p.Books),
		profile.Ops(p.Access, p.Sessions, p.Zone, p.Language),
		user.Ops(p.Accounts, p.Audit, p.Zone),
		userdata.Ops(p.Addresses, p.Traces, p.Zone),
		region.Ops(p.Addresses),
		tree.Ops(tree.Deps{Catalog: p.Catalog, Zone: p.Zone}),
		order.Ops(p.Orders, p.Accounts, p.Comments, p.Audit, p.Zone, p.Channels),
		aftersale.Ops(p.Cases, p.Zone),
		content.Ops(editors),
		catalog.Ops(p.Catalog, p.Audit, p.Zone, p.Language),
		comment.Ops(p.Reviews, p.Zone),
		promotion.Ops(promotion.Deps{
			Promotions: p.Promotions, Orders: p.Orders, Goods: p.Catalog, Audit: p.Audit, Zone: p.Zone,
		}),
		staff.Ops(p.Access, p.Sessions, p.Zone),
		notice.Ops(p.Access, p.Zone),
		oplog.Ops(p.Audit, p.Zone),
		role.Ops(p.Access, func() *authz.Registry { return registry }, p.Zone),
		storage.Ops(p.Objects, p.Zone),
		setting.Ops(p.Settings),
		report.Statistics(p.Days),
	)
	var err error
	registry, err = authz.NewRegistry(ops...)
	return ops, registry, err
}
