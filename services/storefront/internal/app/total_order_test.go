package app_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// ids reads the pages of a list, three rows each, and returns the ids of its rows.
func (m *filledShop) ids(query string) []int64 {
	m.t.Helper()
	var all []int64
	for page := 1; ; page++ {
		var l struct {
			List []struct {
				ID int64 `json:"id"`
			} `json:"list"`
			Total int `json:"total"`
		}
		m.As(m.lin).GET("%s", query+"&limit=3&page="+strconv.Itoa(page)).Data(&l)
		if len(l.List) == 0 {
			require.Len(m.t, all, l.Total, query)
			return all
		}
		for _, row := range l.List {
			all = append(all, row.ID)
		}
	}
}

// Brands, questions, topics, addresses and categories have a total order, even if all were created at the same moment:
// pages neither overlap nor omit a row.
func TestListsHaveATotalOrder(t *testing.T) {
	t.Parallel()
	m := newFilledShop(t, 10)
	for table, list := range map[string]string{
		"brand": "/wx/brand/list?", "issue": "/wx/issue/list?", "topic": "/wx/topic/list?", "address": "/wx/address/list?",
	} {
		require.EqualValues(t, 1, m.Domain.Int("SELECT COUNT(DISTINCT add_time) FROM `"+table+"`"), table)
		down := m.ids(list)
		require.Len(t, down, 10, list)
		require.True(t, slices.IsSortedFunc(down, func(a, b int64) int { return int(b - a) }), "%s: %v", list, down)
		require.Len(t, slices.Compact(slices.Clone(down)), 10, list)
		up := m.ids(list + "&sort=add_time&order=asc")
		slices.Reverse(up)
		require.Equal(t, down, up, list)
	}
	// The default address comes first, whatever its id, unless the caller asks for another order.
	m.Domain.Exec("UPDATE address SET is_default = IF(id = 4, 1, 0), default_slot = NULL")
	m.Domain.Exec("UPDATE address SET default_slot = 1 WHERE id = 4")
	require.Equal(t, []int64{4, 10, 9, 8, 7, 6, 5, 3, 2, 1}, m.ids("/wx/address/list?"))

	// Categories are sorted by their position, then by id.
	m.Domain.Exec("UPDATE category SET sort_order = IF(id > 10, 1, 2)")
	for path, want := range map[string][]int64{
		"/wx/catalog/getfirstcategory":       {11, 13, 15, 17, 19, 1, 3, 5, 7, 9},
		"/wx/catalog/getsecondcategory?id=1": {12, 14, 16, 18, 20, 2, 4, 6, 8, 10},
	} {
		var rows []struct {
			ID int64 `json:"id"`
		}
		m.Guest().GET("%s", path).Data(&rows)
		var got []int64
		for _, row := range rows {
			got = append(got, row.ID)
		}
		require.Equal(t, want, got, path)
	}
}
