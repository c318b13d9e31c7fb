package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	s := open(t)
	home := s.category(t, "家居", 0)
	cups := s.category(t, "杯壶", home)
	b, err := s.CreateBrand(t.Context(), catalog.Brand{Name: "青窑"})
	require.NoError(t, err)
	s.goods(t, catalog.Goods{Name: "纪念品", Brief: "只做五十只马克杯"})
	s.goods(t, catalog.Goods{Name: "听雨盖碗", Keywords: "茶具", CategoryID: cups, BrandID: b.ID})
	s.goods(t, catalog.Goods{Name: "马克杯"})
	s.goods(t, catalog.Goods{Name: "早安马克杯", Keywords: "杯子,咖啡杯", CategoryID: cups, BrandID: b.ID})
	s.goods(t, catalog.Goods{Name: "纸巾", Keywords: "马克杯"})
	s.goods(t, catalog.Goods{Name: "棉被", Keywords: "Café"})
	exact := map[string][]string{
		"马克杯": {"马克杯", "早安马克杯", "纸巾", "纪念品"}, "馬克杯": {"马克杯", "早安马克杯", "纸巾", "纪念品"},
		"青窑": {"早安马克杯", "听雨盖碗"}, "青窑 咖啡": {"早安马克杯"}, "家居": {"早安马克杯", "听雨盖碗"},
		"杯壶 茶具": {"听雨盖碗"}, "": {"棉被", "纸巾", "早安马克杯", "马克杯", "听雨盖碗", "纪念品"}, "café": {"棉被"},
	}
	approximate := map[string]struct {
		corrected string
		want      []string
	}{
		"马克怀": {"马克杯", []string{"马克杯", "早安马克杯", "纸巾", "纪念品"}}, "beizi": {"杯子", []string{"早安马克杯"}},
		"bz": {"杯子", []string{"早安马克杯"}}, "qingyao": {"青窑", []string{"早安马克杯", "听雨盖碗"}},
		"清瑶": {"青窑", []string{"早安马克杯", "听雨盖碗"}}, "cafe": {"café", []string{"棉被"}},
		"红色茶具": {"茶具", []string{"听雨盖碗"}}, "被子": {"杯子", []string{"早安马克杯"}}, "褥被": {"被", []string{"棉被"}},
		"棉被 茶具": {"茶具", []string{"听雨盖碗"}}, "坚果": {"", []string{}}, "火星被": {"", []string{}}, "zzzz": {"", []string{}},
	}
	search := func(keyword string) (catalog.Relevant, []string) {
		found, err := s.Search(t.Context(), catalog.Filter{Keyword: keyword}, page.Query{Page: 1, Limit: 10})
		require.NoError(t, err)
		return found, names(found.Items)
	}
	for keyword, want := range exact {
		found, got := search(keyword)
		require.Equal(t, want, got, keyword)
		require.False(t, found.Approximate)
	}
	for keyword := range approximate {
		found, _ := search(keyword)
		require.Zero(t, found.Total, "without the index")
		require.False(t, found.Approximate)
	}
	require.NoError(t, s.Index().Load(t.Context()))
	for keyword, want := range exact {
		found, got := search(keyword)
		require.Equal(t, want, got, keyword)
		require.False(t, found.Approximate)
		require.Empty(t, found.Corrected)
	}
	for keyword, want := range approximate {
		found, got := search(keyword)
		require.Equal(t, want.want, got, keyword)
		require.Equal(t, want.corrected, found.Corrected, keyword)
		require.Equal(t, want.corrected != "", found.Approximate, keyword)
	}
	found, err := s.Search(t.Context(), catalog.Filter{Keyword: "马克怀", BrandID: b.ID}, page.Query{Page: 1, Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []string{"早安马克杯"}, names(found.Items), "filters hold for what is shown instead")
	found, err = s.Search(t.Context(), catalog.Filter{Keyword: "棉被", BrandID: b.ID}, page.Query{Page: 1, Limit: 10})
	require.NoError(t, err)
	require.Empty(t, found.Items)
	require.False(t, found.Approximate, "goods have the word, only not of this brand")
}
