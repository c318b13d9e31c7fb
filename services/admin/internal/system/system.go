// Package system serves operators the shop as a system: its settings, the operation log, the audit records, the checks
// of the books and the jobs, and the search across all areas.
package system

import (
	"slices"
	"time"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/authz"
)

// Deps are what the operations need.
type Deps struct {
	// Country decides what a mobile number is.
	Country  country.Country
	Access   *access.Service
	Audit    *audit.Service
	Cases    *aftersale.Service
	Failures *job.Failures
	Goods    *catalog.Service
	Jobs     Jobs
	Orders   *order.Service
	Outbox   *outbox.Service
	Payments *payment.Service
	People   *account.Service
	Report   *consistency.Service
	Settings *settings.Service
	// Takers take back changes, by table.
	Takers map[string]Taker
	// Trials sends test messages.
	Trials *app.Trials
	Now    func() time.Time
	Zone   wire.Zone
	// Registry knows the operations; it is called only while serving.
	Registry func() *authz.Registry
	// Language is the language of callers who ask for none.
	Language string
}

// Ops declares the operations.
func Ops(d Deps) []op.Op {
	return slices.Concat(booksOps(d), findOps(d), logOps(d), settingOps(d), auditOps(d))
}
