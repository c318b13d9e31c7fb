// Package page represents page requests and the pages that answer them.
package page

// Beyond is the answer to a page number past the last page.
type Beyond int

// Shoppers get an empty page, since their clients append pages; operators get the last page, since their console
// requests a page again after deleting its only row.
const (
	Empty Beyond = iota
	Last
)

// Query is a validated page request with its defaults.
type Query struct {
	// Page counts from 1; Limit is the number of rows of a page, above 0.
	Page, Limit int
	// Sort is a word of the list's own fixed table, never text for SQL.
	Sort string
	// Desc reverses the order, including ties by id.
	Desc bool
	// Beyond is the answer to a page past the last.
	Beyond Beyond
	// All requests all rows (up to Limit) without pages.
	All bool
}

// Offset is the number of rows before the page.
func (q Query) Offset() int { return (q.Page - 1) * q.Limit }

// Direction is the SQL word for the order.
func (q Query) Direction() string {
	if q.Desc {
		return "DESC"
	}
	return "ASC"
}

// Within returns the request for a list of total rows, after applying Beyond. It reports false for a page without rows,
// so that no query is needed.
func (q Query) Within(total int64) (Query, bool) {
	if total == 0 {
		if q.Beyond == Last {
			q.Page = 1
		}
		return q, false
	}
	if last := q.pages(total); int64(q.Page) > last {
		if q.Beyond == Empty {
			return q, false
		}
		q.Page = int(last)
	}
	return q, true
}

func (q Query) pages(total int64) int64 {
	if total == 0 {
		return 0
	}
	return (total + int64(q.Limit) - 1) / int64(q.Limit)
}

// List is one page of a longer list.
type List[T any] struct {
	Items []T
	// Total is the number of rows that match, on all pages.
	Total int64
	// Query is the request that was answered.
	Query Query
}

// Pages is the number of pages, 0 for an empty list.
func (l List[T]) Pages() int64 { return l.Query.pages(l.Total) }

// Fetch answers a page request: it counts, adjusts the request, and fetches unless the page is empty. Lists of tables
// are read by package lists, which calls it.
func Fetch[T any](q Query, count func() (int64, error), fetch func(Query) ([]T, error)) (List[T], error) {
	total, err := count()
	if err != nil {
		return List[T]{}, err
	}
	within, some := q.Within(total)
	list := List[T]{Total: total, Query: within}
	if some {
		list.Items, err = fetch(within)
	}
	return list, err
}

// None answers a page request for a list without rows.
func None[T any](q Query) List[T] {
	within, _ := q.Within(0)
	return List[T]{Query: within}
}

// Map converts the items of a list.
func Map[T, U any](l List[T], turn func(T) U) List[U] {
	items := make([]U, len(l.Items))
	for i, v := range l.Items {
		items[i] = turn(v)
	}
	return List[U]{Items: items, Total: l.Total, Query: l.Query}
}

// Turn is Map with a function that may fail; the first error is returned.
func Turn[T, U any](l List[T], turn func(T) (U, error)) (List[U], error) {
	items := make([]U, len(l.Items))
	for i, v := range l.Items {
		var err error
		if items[i], err = turn(v); err != nil {
			return List[U]{}, err
		}
	}
	return List[U]{Items: items, Total: l.Total, Query: l.Query}, nil
}

// Whole returns a list whose items are all on one page.
func Whole[T any](items []T) List[T] {
	n := len(items)
	return List[T]{Items: items, Total: int64(n), Query: Query{Page: 1, Limit: n, All: true}}
}
