// Package people serves operators the shoppers: their accounts, what they have left in the shop, their comments, and
// the regions of their addresses.
package people

import (
	"slices"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Deps are what the operations need.
type Deps struct {
	Accounts  *account.Service
	Addresses *address.Service
	Goods     *catalog.Service
	Traces    *engagement.Service
	Reviews   *review.Service
	Lines     *review.Lines
	Audit     *audit.Service
	Zone      wire.Zone
}

// Ops declares the operations on shoppers.
func Ops(d Deps) []op.Op {
	return slices.Concat(commentOps(d), regionOps(d), userOps(d), traceOps(d))
}
