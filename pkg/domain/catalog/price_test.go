package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
)

// priced creates goods with a price, a second after the last ones.
func (s *shop) priced(t *testing.T, g catalog.Goods, price money.Amount) int64 {
	t.Helper()
	s.clock.Tick()
	g.OnSale = !strings.HasPrefix(g.Name, "off ")
	id, err := s.Create(t.Context(), catalog.NewGoods{
		Goods: g, Products: []catalog.Product{{Specifications: []string{"std"}, Price: price, Number: 5}},
	})
	require.NoError(t, err)
	return id
}

// The bounds belong to the range, and the categories are those of the goods in it.
func TestFindByPrice(t *testing.T) {
	t.Parallel()
	s := open(t)
	home := s.category(t, "Home", 0)
	tea, cups := s.category(t, "Tea", home), s.category(t, "Cups", home)
	brand, err := s.CreateBrand(t.Context(), catalog.Brand{Name: "Maker"})
	require.NoError(t, err)
	s.priced(t, catalog.Goods{Name: "free tea", CategoryID: tea, New: true}, 0)
	s.priced(t, catalog.Goods{Name: "cup 19.99", CategoryID: cups}, 1999)
	s.priced(t, catalog.Goods{Name: "cup 20.00", CategoryID: cups, BrandID: brand.ID}, 2000)
	s.priced(t, catalog.Goods{Name: "tea 20.01", CategoryID: tea, BrandID: brand.ID, New: true}, 2001)
	s.priced(t, catalog.Goods{Name: "off cup", CategoryID: cups, BrandID: brand.ID}, 2000)
	s.priced(t, catalog.Goods{Name: "dear cup", CategoryID: cups, BrandID: brand.ID}, 999_999_999)
	yes := true
	at := func(cents money.Amount) *money.Amount { return &cents }
	both, onlyTea, onlyCups := []string{"Tea", "Cups"}, []string{"Tea"}, []string{"Cups"}
	tests := map[string]struct {
		filter     catalog.Filter
		want       []string
		categories []string
	}{
		"from":             {catalog.Filter{MinPrice: at(2000)}, []string{"dear cup", "tea 20.01", "cup 20.00"}, both},
		"up to":            {catalog.Filter{MaxPrice: at(2000)}, []string{"cup 20.00", "cup 19.99", "free tea"}, both},
		"between":          {catalog.Filter{MinPrice: at(1999), MaxPrice: at(2001)}, []string{"tea 20.01", "cup 20.00", "cup 19.99"}, both},
		"equal":            {catalog.Filter{MinPrice: at(2000), MaxPrice: at(2000)}, []string{"cup 20.00"}, onlyCups},
		"nothing":          {catalog.Filter{MinPrice: at(2002), MaxPrice: at(2003)}, []string{}, []string{}},
		"what is free":     {catalog.Filter{MaxPrice: at(0)}, []string{"free tea"}, onlyTea},
		"not free":         {catalog.Filter{MinPrice: at(1), MaxPrice: at(1999)}, []string{"cup 19.99"}, onlyCups},
		"the highest":      {catalog.Filter{MinPrice: at(999_999_999)}, []string{"dear cup"}, onlyCups},
		"with a keyword":   {catalog.Filter{Keyword: "cup", MaxPrice: at(2000)}, []string{"cup 20.00", "cup 19.99"}, onlyCups},
		"with a brand":     {catalog.Filter{BrandID: brand.ID, MaxPrice: at(2001)}, []string{"tea 20.01", "cup 20.00"}, both},
		"with a category":  {catalog.Filter{CategoryID: cups, MaxPrice: at(2001)}, []string{"cup 20.00", "cup 19.99"}, both},
		"with what is new": {catalog.Filter{New: &yes, MinPrice: at(1)}, []string{"tea 20.01"}, onlyTea},
		"with all of them": {
			catalog.Filter{Keyword: "tea", BrandID: brand.ID, CategoryID: tea, MinPrice: at(2000), MaxPrice: at(3000)},
			[]string{"tea 20.01"},
			onlyTea,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			list, categories, err := s.Find(t.Context(), tt.filter, newest(1, 10))
			require.NoError(t, err)
			require.Equal(t, tt.want, names(list.Items))
			require.EqualValues(t, len(tt.want), list.Total)
			got := []string{}
			for _, c := range categories {
				got = append(got, c.Name)
			}
			require.Equal(t, tt.categories, got)
		})
	}

	last, _, err := s.Find(t.Context(), catalog.Filter{MaxPrice: at(2000)}, newest(2, 2))
	require.NoError(t, err)
	require.Equal(t, []string{"free tea"}, names(last.Items))
	require.EqualValues(t, 3, last.Total)

	reversed := catalog.Filter{MinPrice: at(2001), MaxPrice: at(2000)}
	_, _, err = s.Find(t.Context(), reversed, newest(1, 10))
	require.ErrorIs(t, err, errno.Invalid)
	require.Equal(t, "最低价不能高于最高价", errno.Text(err, text.Chinese))
	_, err = s.OnSale(t.Context(), reversed, newest(1, 10))
	require.ErrorIs(t, err, errno.Invalid)
}

// A word of most goods is searched otherwise.
func TestFindByPriceAndAFrequentWord(t *testing.T) {
	t.Parallel()
	s := open(t)
	tea := s.category(t, "Tea", s.category(t, "Home", 0))
	seedMany(t, s, 600, tea)
	price, above := money.Yuan(6), money.Yuan(7)
	list, categories, err := s.Find(t.Context(), catalog.Filter{Keyword: "wi", MinPrice: &price}, newest(1, 1000))
	require.NoError(t, err)
	require.Len(t, list.Items, 85) // of every seven goods the last
	for _, g := range list.Items {
		require.Equal(t, price, g.RetailPrice)
	}
	require.Len(t, categories, 1)
	_, categories, err = s.Find(t.Context(), catalog.Filter{Keyword: "wi", MinPrice: &above}, newest(1, 1000))
	require.NoError(t, err)
	require.Empty(t, categories)
}
