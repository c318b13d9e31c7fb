package paging

import (
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/kit/wire"
)

// Slice is embedded in the request of a list that answers all rows, in its own order, unless a page is requested.
type Slice struct {
	Page  *int `json:"page" check:"min=1" doc:"Page number, from 1; the whole list where neither this nor limit is sent."`
	Limit *int `json:"limit" label:"size" check:"min=0,max=10000" doc:"Rows of a page; 0 means all."`
}

// OfSlice renders a list of items: all of them, or the requested page. It fails with errno.Invalid.
func OfSlice[T, V any](c Slice, items []T, view func(T) V) (wire.List[V], error) {
	if c.Page == nil && c.Limit == nil {
		return List(page.Whole(items), view), nil
	}
	q, err := Of(wire.Paging{Page: c.Page, Limit: c.Limit, Sort: "", Order: ""})
	if err != nil {
		return wire.List[V]{}, err
	}
	l, err := page.Fetch(q, func() (int64, error) { return int64(len(items)), nil }, func(q page.Query) ([]T, error) {
		return items[q.Offset():min(q.Offset()+q.Limit, len(items))], nil
	})
	return List(l, view), err
}
