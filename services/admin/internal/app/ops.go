package app

import (
	"slices"
	"time"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	domainaftersale "shop.internal/pkg/domain/aftersale"
	domaincatalog "shop.internal/pkg/domain/catalog"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/aftersale"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/catalog"
	"shop.internal/services/admin/internal/order"
)

// Parts are what the operations stand on. The zero Parts will do for reading the declarations.
type Parts struct {
	Access   *access.Service
	Sessions *access.Sessions
	Catalog  *domaincatalog.Service
	Orders   *domainorder.Service
	Cases    *domainaftersale.Service
	Accounts *account.Service
	Zone     wire.Zone
	Channels domainorder.Channels
	// Now is the clock of the shop.
	Now func() time.Time
}

// Ops declares all operations of the service. The order is that of the menus in the console.
func Ops(p Parts) ([]op.Op, *authz.Registry, error) {
	var registry *authz.Registry
	// Who is logged in is told what the operations are, so the registry is known only after all are declared.
	shown := func(values []string) []string { return registry.Shown(values) }
	ops := slices.Concat(
		auth.Ops(p.Access, p.Sessions, shown),
		auth.Refusals(),
		order.Ops(p.Orders, p.Accounts, p.Zone, p.Channels),
		aftersale.Ops(p.Cases, p.Zone),
		catalog.Ops(p.Catalog, p.Zone),
	)
	var err error
	registry, err = authz.NewRegistry(ops...)
	return ops, registry, err
}
