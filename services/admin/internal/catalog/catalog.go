// Package catalog serves operators the goods, the brands and categories that order them, and the freight templates by
// which they are delivered.
package catalog

import (
	"slices"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/freight"
	auditing "shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Deps are what the operations need.
type Deps struct {
	Catalog *catalog.Service
	Freight *freight.Service
	Audit   *auditing.Service
	Zone    wire.Zone
	// Language is the language of the faults of files.
	Language string
}

// Ops declares the operations on goods, brands, categories and freight templates.
func Ops(d Deps) []op.Op { return slices.Concat(allGoodsOps(d), treeOps(d)) }
