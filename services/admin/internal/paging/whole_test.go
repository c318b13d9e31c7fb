package paging_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

func TestWhole(t *testing.T) {
	five, n := []int{1, 2, 3, 4, 5}, func(i int) *int { return &i }
	for name, tt := range map[string]struct {
		cut   paging.Slice
		items []int
		want  wire.List[int]
	}{
		"all":             {paging.Slice{}, five, wire.List[int]{List: five, Total: 5, Page: 1, Limit: 5, Pages: 1}},
		"all of nothing":  {paging.Slice{}, nil, wire.List[int]{List: []int{}, Total: 0, Page: 1, Limit: 0, Pages: 0}},
		"limit 0":         {paging.Slice{Limit: n(0)}, five, wire.List[int]{List: five, Total: 5, Page: 1, Limit: 5, Pages: 1}},
		"a page":          {paging.Slice{Page: n(2), Limit: n(2)}, five, wire.List[int]{List: []int{3, 4}, Total: 5, Page: 2, Limit: 2, Pages: 3}},
		"the usual limit": {paging.Slice{Page: n(1)}, five, wire.List[int]{List: five, Total: 5, Page: 1, Limit: 10, Pages: 1}},
		"beyond the end":  {paging.Slice{Page: n(9), Limit: n(2)}, five, wire.List[int]{List: []int{5}, Total: 5, Page: 3, Limit: 2, Pages: 3}},
		"page of nothing": {paging.Slice{Page: n(9)}, nil, wire.List[int]{List: []int{}, Total: 0, Page: 1, Limit: 10, Pages: 0}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := paging.OfSlice(tt.cut, tt.items, func(i int) int { return i })
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	for _, cut := range []paging.Slice{{Page: n(0)}, {Limit: n(-1)}, {Limit: n(10_001)}} {
		_, err := paging.OfSlice(cut, five, func(i int) int { return i })
		require.ErrorIs(t, err, errno.Invalid)
	}
}
