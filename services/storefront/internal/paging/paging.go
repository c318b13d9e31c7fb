// Package paging says which pages of a list a shopper may ask for.
package paging

import (
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/wire"
)

const (
	usual = 10
	most  = 1000
)

// Rules are those of all lists: 10 rows by default, at most 1000, a page past the last one is empty.
func Rules() wire.Rules {
	return wire.Rules{Default: usual, Max: most, Clamp: true, Beyond: page.Empty, FoldSort: true}
}

// Of reads the paging of a request to a list like all others. It fails with errno.Invalid.
func Of(p wire.Paging) (page.Query, error) { return OfList(p, wire.Listing{}) }

// OfList is Of for a list that differs.
func OfList(p wire.Paging, l wire.Listing) (page.Query, error) { return p.Query(Rules(), l) }
