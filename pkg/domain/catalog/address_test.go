package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// Ranges of ids name all goods on sale, and none that are off sale or deleted.
func TestGoodsByRangesOfIDs(t *testing.T) {
	t.Parallel()
	s := open(t)
	all, err := s.Ranges(t.Context(), 2)
	require.NoError(t, err)
	require.Empty(t, all)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s.goods(t, catalog.Goods{Name: name})
	}
	require.NoError(t, dbtest.Exec(t.Context(), s.d, "UPDATE goods SET deleted = id = 4, is_on_sale = id <> 2"))
	all, err = s.Ranges(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2, 3}, all)
	for n, want := range map[int64][]int64{1: {1}, 2: {3}, 3: {5}, 4: {}} {
		list, err := s.OnSaleBetween(t.Context(), (n-1)*2+1, n*2)
		require.NoError(t, err)
		ids := []int64{}
		for _, g := range list {
			ids = append(ids, g.ID)
			require.False(t, g.UpdateTime.IsZero())
		}
		require.Equal(t, want, ids)
	}
	for id, want := range map[int64]bool{1: true, 2: true, 4: true, 6: false, 0: false} {
		existed, err := s.Existed(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, want, existed, id)
	}
}
