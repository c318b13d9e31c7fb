// Package paging has the pagination rules of shoppers' lists.
package paging

import (
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/kit/wire"
)

const (
	defaultLimit = 10
	maxLimit     = 1000
)

// Rules are the rules of all lists: 10 rows by default, at most 1000, and an empty page past the last one.
func Rules() wire.Rules {
	return wire.Rules{Default: defaultLimit, Max: maxLimit, Clamp: true, Beyond: page.Empty, FoldSort: true}
}

// Of parses the paging of a request. It fails with errno.Invalid.
func Of(p wire.Paging) (page.Query, error) { return OfList(p, wire.Listing{}) }

// OfList is Of for a list with rules of its own.
func OfList(p wire.Paging, l wire.Listing) (page.Query, error) { return p.Query(Rules(), l) }
