package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/catalog"
)

func TestFloors(t *testing.T) {
	t.Parallel()
	s := open(t)
	best := s.category(t, "推荐", 0)
	home, food := s.category(t, "Home", 0), s.category(t, "Food", 0)
	tea, cups := s.category(t, "Tea", home), s.category(t, "Cups", home)
	s.goods(t, catalog.Goods{Name: "best", CategoryID: s.category(t, "Best", best)})
	s.goods(t, catalog.Goods{Name: "old tea", CategoryID: tea})
	s.goods(t, catalog.Goods{Name: "cup", CategoryID: cups})
	s.goods(t, catalog.Goods{Name: "new tea", CategoryID: tea})
	s.goods(t, catalog.Goods{Name: "off tea", CategoryID: tea})
	floors, err := s.Floors(t.Context(), 5, 2)
	require.NoError(t, err)
	require.Len(t, floors, 2)
	require.Equal(t, home, floors[0].ID)
	require.Equal(t, []string{"new tea", "cup"}, names(floors[0].Goods))
	require.Equal(t, food, floors[1].ID)
	require.Empty(t, floors[1].Goods)
	floors, err = s.Floors(t.Context(), 1, 0)
	require.NoError(t, err)
	require.Len(t, floors, 1)
	require.Empty(t, floors[0].Goods)
	floors, err = s.Floors(t.Context(), 0, 5)
	require.NoError(t, err)
	require.Empty(t, floors)
}

func TestFamilyOf(t *testing.T) {
	t.Parallel()
	s := open(t)
	home, food := s.category(t, "Home", 0), s.category(t, "Food", 0)
	tea, cups := s.category(t, "Tea", home), s.category(t, "Cups", home)
	tests := map[string]struct {
		id, current, parent int64
		brothers            int
	}{
		"first level":        {home, tea, home, 2},
		"first, no children": {food, food, food, 0},
		"second level":       {cups, cups, home, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := s.FamilyOf(t.Context(), tt.id)
			require.NoError(t, err)
			require.Equal(t, tt.current, f.Current.ID)
			require.Equal(t, tt.parent, f.Parent.ID)
			require.Len(t, f.Brothers, tt.brothers)
		})
	}
}

func TestAll(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.goods(t, catalog.Goods{Name: "Green tea", SN: "1001", Detail: "<p>x</p>"})
	off := s.goods(t, catalog.Goods{Name: "off tea", SN: "1002", Keywords: "green"})
	tests := map[string]struct {
		filter catalog.ListFilter
		want   []string
	}{
		"all":             {catalog.ListFilter{}, []string{"off tea", "Green tea"}},
		"by id":           {catalog.ListFilter{ID: off}, []string{"off tea"}},
		"by number":       {catalog.ListFilter{SN: "1001"}, []string{"Green tea"}},
		"name contains":   {catalog.ListFilter{Name: "TEA"}, []string{"off tea", "Green tea"}},
		"not by keywords": {catalog.ListFilter{Name: "green"}, []string{"Green tea"}},
		"nothing":         {catalog.ListFilter{Name: "%"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, err := s.All(t.Context(), tt.filter, newest(1, 10))
			require.NoError(t, err)
			require.EqualValues(t, len(tt.want), l.Total)
			var got []string
			for _, g := range l.Items {
				got = append(got, g.Name)
			}
			require.Equal(t, tt.want, got)
		})
	}
}
