package paging_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

func TestOf(t *testing.T) {
	n := func(i int) *int { return &i }
	tests := map[string]struct {
		paging wire.Paging
		want   page.Query
		err    error
	}{
		"nothing said": {
			wire.Paging{}, page.Query{Page: 1, Limit: 10, Sort: "add_time", Desc: true, Beyond: page.Last}, nil,
		},
		"a page": {
			wire.Paging{Page: n(3), Limit: n(20), Sort: "id", Order: "asc"},
			page.Query{Page: 3, Limit: 20, Sort: "id", Beyond: page.Last},
			nil,
		},
		"all rows": {
			wire.Paging{Page: n(7), Limit: n(0)},
			page.Query{Page: 1, Limit: 10000, Sort: "add_time", Desc: true, Beyond: page.Last, All: true},
			nil,
		},
		"the most": {
			wire.Paging{Limit: n(10000)},
			page.Query{Page: 1, Limit: 10000, Sort: "add_time", Desc: true, Beyond: page.Last},
			nil,
		},
		"more than the most":  {wire.Paging{Limit: n(10001)}, page.Query{}, errno.Invalid},
		"fewer than none":     {wire.Paging{Limit: n(-1)}, page.Query{}, errno.Invalid},
		"page 0":              {wire.Paging{Page: n(0)}, page.Query{}, errno.Invalid},
		"another column":      {wire.Paging{Sort: "password"}, page.Query{}, errno.Invalid},
		"sort in capitals":    {wire.Paging{Sort: "ADD_TIME"}, page.Query{}, errno.Invalid},
		"sort with a comment": {wire.Paging{Sort: "add_time desc,(select sleep(5))"}, page.Query{}, errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := paging.Of(tt.paging)
			require.ErrorIs(t, err, tt.err)
			if tt.err == nil {
				require.Equal(t, tt.want, got)
			}
		})
	}
}

func TestListOfAllRows(t *testing.T) {
	same := func(i int) int { return i }
	q := page.Query{Page: 1, Limit: 10000, All: true}
	got := paging.List(page.List[int]{Items: []int{1, 2, 3}, Total: 3, Query: q}, same)
	require.Equal(t, wire.List[int]{List: []int{1, 2, 3}, Total: 3, Page: 1, Limit: 3, Pages: 1}, got)
	got = paging.List(page.List[int]{Query: q}, same)
	require.Equal(t, wire.List[int]{List: []int{}, Page: 1}, got)
	got = paging.List(page.List[int]{Items: []int{4}, Total: 3, Query: page.Query{Page: 2, Limit: 2}}, same)
	require.Equal(t, wire.List[int]{List: []int{4}, Total: 3, Page: 2, Limit: 2, Pages: 2}, got)
}
