// Package paging has the pagination rules of operators' lists.
package paging

import (
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/kit/wire"
)

const (
	defaultLimit = 10
	maxLimit     = 10_000
)

// Rules are the rules of all lists: 10 rows by default, at most 10000, and the last page for a page past it.
func Rules() wire.Rules { return wire.Rules{Default: defaultLimit, Max: maxLimit, Beyond: page.Last} }

// Of parses the paging of a request, with 0 rows for all of them. It fails with errno.Invalid.
func Of(p wire.Paging) (page.Query, error) { return OfListing(p, wire.Listing{}) }

// OfListing is Of for a list with rules of its own.
func OfListing(p wire.Paging, l wire.Listing) (page.Query, error) {
	q, err := p.Query(Rules(), l)
	if q.All {
		q.Page = 1
	}
	return q, err
}

// Page reads the requested page and renders each item by view. It fails with errno.Invalid and with the error of fetch.
func Page[T, V any](
	p wire.Paging, fetch func(page.Query) (page.List[T], error), view func(T) V,
) (wire.List[V], error) {
	return PageOf(p, wire.Listing{}, fetch, view)
}

// PageOf is Page for a list with rules of its own.
func PageOf[T, V any](
	p wire.Paging, l wire.Listing, fetch func(page.Query) (page.List[T], error), view func(T) V,
) (wire.List[V], error) {
	q, err := OfListing(p, l)
	if err != nil {
		return wire.List[V]{}, err
	}
	found, err := fetch(q)
	if err != nil {
		return wire.List[V]{}, err
	}
	return List(found, view), nil
}

// List renders a page of a list, each item by view. All rows are one page as long as the list.
func List[T, V any](l page.List[T], view func(T) V) wire.List[V] {
	out := wire.ListOf(l, view)
	if l.Query.All {
		out.Page, out.Limit, out.Pages = 1, int(l.Total), min(l.Total, 1)
	}
	return out
}
