package wire

import (
	"cmp"
	"slices"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
)

// The sort words of all lists.
const (
	byTime = "add_time"
	byID   = "id"
)

// Paging is embedded in the request of every list. Rules define which limits and sort words are valid.
type Paging struct {
	Page  *int   `json:"page" doc:"Page number, from 1."`
	Limit *int   `json:"limit" label:"size" doc:"Rows of a page; 0 means as many as allowed."`
	Sort  string `json:"sort" doc:"Sort field, for example add_time or id."`
	Order string `json:"order" doc:"desc or asc." check:"enum=desc|asc"`
}

// Listing is how one list differs from the others of its service. The zero Listing is the default.
type Listing struct {
	// Default is the default number of rows, 0 for that of the service.
	Default int
	// Sort are the additional sort words.
	Sort []string
}

// Words returns the sort words of the list, the default first.
func (l Listing) Words() []string { return append([]string{byTime, byID}, l.Sort...) }

// Listed is a request for a page of a list. Every type that embeds Paging is one; a list that differs overrides
// Listing.
type Listed interface{ Listing() Listing }

// Listing implements Listed with the defaults.
func (Paging) Listing() Listing { return Listing{} }

// Requested returns the paging of a request that embeds it.
func (p Paging) Requested() Paging { return p }

// Rules are the pagination rules of a service.
type Rules struct {
	// Default and Max are numbers of rows; Clamp reduces a larger limit to Max instead of refusing it.
	Default, Max int
	Clamp        bool
	// Beyond is the answer to a page past the last one.
	Beyond page.Beyond
	// FoldSort accepts the sort word in any case.
	FoldSort bool
}

// Query validates the paging of a list by the rules of its service. It fails with errno.Invalid.
func (p Paging) Query(r Rules, l Listing) (page.Query, error) {
	q := page.Query{Page: 1, Limit: cmp.Or(l.Default, r.Default), Sort: byTime, Desc: p.Order != "asc", Beyond: r.Beyond}
	if p.Page != nil {
		if q.Page = *p.Page; q.Page < 1 {
			return q, errno.Invalid.Because(text.ValidationMin, text.FieldPage, 1)
		}
	}
	if p.Limit != nil {
		switch q.Limit = *p.Limit; {
		case q.Limit < 0, q.Limit > r.Max && !r.Clamp:
			return q, errno.Invalid.Because(text.ValidationRange, text.FieldPageSize, 0, r.Max)
		case q.Limit == 0:
			q.Limit, q.All = r.Max, true
		case q.Limit > r.Max:
			q.Limit = r.Max
		}
	}
	if p.Sort != "" {
		if q.Sort = p.Sort; r.FoldSort {
			q.Sort = lower(p.Sort)
		}
		if words := l.Words(); !slices.Contains(words, q.Sort) {
			return q, errno.Invalid.Because(text.ValidationEnum, text.FieldSort,
				strings.Join(words, ", "))
		}
	}
	return q, nil
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// List is the list envelope of the contract.
type List[T any] struct {
	List  []T   `json:"list"`
	Total int64 `json:"total"`
	Page  int   `json:"page"`
	Limit int   `json:"limit"`
	Pages int64 `json:"pages"`
}

// ListOf renders a page of a list, each item by view.
func ListOf[T, V any](l page.List[T], view func(T) V) List[V] {
	out := make([]V, len(l.Items))
	for i, item := range l.Items {
		out[i] = view(item)
	}
	return List[V]{List: out, Total: l.Total, Page: l.Query.Page, Limit: l.Query.Limit, Pages: l.Pages()}
}
