// Package content serves operators the ads, topics, keywords and common questions of the shop's pages, and the files
// that they show.
package content

import (
	"slices"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Deps are what the operations need.
type Deps struct {
	Content *content.Service
	Catalog *catalog.Service
	Objects *storage.Service
	Zone    wire.Zone
}

// Ops declares the operations on what the pages show and on files.
func Ops(d Deps) []op.Op { return slices.Concat(pageOps(d), objectOps(d)) }
