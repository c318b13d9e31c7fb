package catalog_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
)

var noon = time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC)

// shop is a catalogue with a clock that a test can move.
type shop struct {
	*catalog.Service
	d     *db.DB
	clock *dbtest.Clock
}

func open(t *testing.T) *shop {
	t.Helper()
	s := &shop{d: dbtest.Open(t), clock: dbtest.At(noon)}
	now := s.clock.Now
	s.Service = catalog.New(s.d, idempotency.New(s.d, dbtest.Secret, now), now)
	return s
}

// goods creates goods, a second after the last ones.
func (s *shop) goods(t *testing.T, g catalog.Goods) int64 {
	t.Helper()
	return s.priced(t, g, 990)
}

func (s *shop) category(t *testing.T, name string, pid int64) int64 {
	t.Helper()
	c := catalog.Category{Name: name, Pid: pid, Level: catalog.FirstLevel, SortOrder: 50}
	if pid != 0 {
		c.Level = catalog.SecondLevel
	}
	made, err := s.CreateCategory(t.Context(), c)
	require.NoError(t, err)
	return made.ID
}

func newest(n, limit int) page.Query {
	return page.Query{Page: n, Limit: limit, Sort: "add_time", Desc: true}
}

func names(list []catalog.Summary) []string {
	out := []string{}
	for _, g := range list {
		out = append(out, g.Name)
	}
	return out
}

func TestCreate(t *testing.T) {
	t.Parallel()
	s := open(t)
	brand, err := s.CreateBrand(t.Context(), catalog.Brand{Name: "Maker", FloorPrice: 990})
	require.NoError(t, err)
	var told []catalog.Change
	s.OnChange(func(c catalog.Change) { told = append(told, c) })
	id, err := s.Create(t.Context(), catalog.NewGoods{
		Goods: catalog.Goods{
			Name: "Teapot", SN: "T-1", BrandID: brand.ID, Gallery: []string{"http://x/1.png"}, OnSale: true, CounterPrice: 5000,
			Detail: "<p>clay</p>", RetailPrice: 1,
		},
		Attributes:     []catalog.Attribute{{Name: "material", Value: "clay"}},
		Specifications: []catalog.Specification{{Group: "size", Value: "S"}, {Group: "size", Value: "L"}},
		Products: []catalog.Product{
			{Specifications: []string{"S"}, Price: 3600, Number: 7}, {Specifications: []string{"L"}, Price: 2990, Number: 0},
		},
	})
	require.NoError(t, err)
	require.Equal(t, []catalog.Change{{Goods: id, Listed: true}}, told, "told once, after the commit")
	s.Changed(id)
	require.Equal(t, catalog.Change{Goods: id}, told[1])

	d, err := s.Detail(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, money.Amount(2990), d.Goods.RetailPrice, "the lowest price of the products")
	require.Equal(t, "<p>clay</p>", d.Goods.Detail)
	require.Equal(t, []string{"http://x/1.png"}, d.Goods.Gallery)
	require.Equal(t, "clay", d.Attributes[0].Value)
	require.Equal(t, []string{"S", "L"}, []string{d.Specifications[0].Value, d.Specifications[1].Value})
	require.Equal(t, []string{"L"}, d.Products[1].Specifications)
	require.Equal(t, 7, d.Products[0].Number)
	require.Equal(t, "Maker", d.Brand.Name)

	var ledger []string
	require.NoError(t, table.Scan(t.Context(), s.d, &ledger, "SELECT CONCAT(ref_key, ' ', reason, ' ', delta) FROM stock_log ORDER BY id"))
	require.Equal(t, []string{"open:1 8 7", "open:2 8 0"}, ledger)
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	one := []catalog.Product{{Specifications: []string{"std"}, Price: 100, Number: 1}}
	tests := map[string]struct {
		goods catalog.NewGoods
		want  error
	}{
		"a name that exists":         {catalog.NewGoods{Goods: catalog.Goods{Name: "Cup"}, Products: one}, errno.GoodsNameExists},
		"no product":                 {catalog.NewGoods{Goods: catalog.Goods{Name: "Pot"}}, errno.Invalid},
		"two products of one kind":   {catalog.NewGoods{Goods: catalog.Goods{Name: "Pot"}, Products: append(one, one...)}, errno.Invalid},
		"a price below nothing":      {catalog.NewGoods{Goods: catalog.Goods{Name: "Pot"}, Products: []catalog.Product{{Price: -1}}}, errno.Invalid},
		"a stock below nothing":      {catalog.NewGoods{Goods: catalog.Goods{Name: "Pot"}, Products: []catalog.Product{{Number: -1}}}, errno.Invalid},
		"a price no column can hold": {catalog.NewGoods{Goods: catalog.Goods{Name: "Pot", CounterPrice: money.Max + 1}, Products: one}, errno.Invalid},
	}
	s := open(t)
	s.goods(t, catalog.Goods{Name: "Cup"})
	s.OnChange(func(catalog.Change) { t.Error("told of a change that was rolled back") })
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := s.Create(t.Context(), tt.goods)
			require.ErrorIs(t, err, tt.want)
			for _, of := range []string{"goods", "goods_content", "goods_product", "stock_log"} {
				var n int
				require.NoError(t, table.Scan(t.Context(), s.d, &n, "SELECT COUNT(*) FROM "+of))
				require.Equal(t, 1, n, "rows left in %s", of)
			}
		})
	}
	_, err := s.CreateCategory(t.Context(), catalog.Category{Name: "deep", Level: "L3"})
	require.ErrorIs(t, err, errno.Invalid)
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.goods(t, catalog.Goods{Name: "gone"})
	require.NoError(t, dbtest.Exec(t.Context(), s.d, "UPDATE goods SET deleted = 1"))
	_, err := s.Detail(t.Context(), id)
	require.ErrorIs(t, err, errno.GoodsUnknown)
	_, err = s.Goods(t.Context(), 404)
	require.ErrorIs(t, err, errno.GoodsUnknown)
	_, err = s.Related(t.Context(), id, newest(1, 6))
	require.ErrorIs(t, err, errno.GoodsUnknown)
	_, err = s.Category(t.Context(), 1)
	require.ErrorIs(t, err, errno.Invalid)
	_, err = s.FamilyOf(t.Context(), 1)
	require.ErrorIs(t, err, errno.Invalid)
	_, err = s.Brand(t.Context(), 1)
	require.ErrorIs(t, err, errno.Invalid)
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := open(t)
	home := s.category(t, "Home", 0)
	tea, cups := s.category(t, "Tea", home), s.category(t, "Cups", home)
	s.category(t, "Empty", home)
	brand, err := s.CreateBrand(t.Context(), catalog.Brand{Name: "Maker"})
	require.NoError(t, err)
	s.goods(t, catalog.Goods{Name: "Green tea 100% pure", CategoryID: tea, New: true})
	s.goods(t, catalog.Goods{Name: "Black TEA", CategoryID: tea, Keywords: "drink,hot_water", Hot: true})
	s.goods(t, catalog.Goods{Name: `Cup a\b`, CategoryID: cups, BrandID: brand.ID, Keywords: "tea"})
	s.goods(t, catalog.Goods{Name: "off teapot", CategoryID: cups, New: true, Hot: true, BrandID: brand.ID})
	s.goods(t, catalog.Goods{Name: "绿茶壶", CategoryID: cups, New: true})
	yes, no := true, false
	tests := map[string]struct {
		filter     catalog.Filter
		want       []string
		categories []string
	}{
		"all":                        {catalog.Filter{}, []string{"绿茶壶", `Cup a\b`, "Black TEA", "Green tea 100% pure"}, []string{"Tea", "Cups"}},
		"a category":                 {catalog.Filter{CategoryID: tea}, []string{"Black TEA", "Green tea 100% pure"}, []string{"Tea", "Cups"}},
		"a first-level category":     {catalog.Filter{CategoryID: home}, []string{"绿茶壶", `Cup a\b`, "Black TEA", "Green tea 100% pure"}, []string{"Tea", "Cups"}},
		"a brand":                    {catalog.Filter{BrandID: brand.ID}, []string{`Cup a\b`}, []string{"Cups"}},
		"new":                        {catalog.Filter{New: &yes}, []string{"绿茶壶", "Green tea 100% pure"}, []string{"Tea", "Cups"}},
		"not new":                    {catalog.Filter{New: &no}, []string{`Cup a\b`, "Black TEA"}, []string{"Tea", "Cups"}},
		"hot":                        {catalog.Filter{Hot: &yes}, []string{"Black TEA"}, []string{"Tea"}},
		"hot and new":                {catalog.Filter{Hot: &yes, New: &yes}, []string{}, []string{}},
		"name or keywords, any case": {catalog.Filter{Keyword: "Tea"}, []string{`Cup a\b`, "Black TEA", "Green tea 100% pure"}, []string{"Tea", "Cups"}},
		"keyword and category":       {catalog.Filter{Keyword: "tea", CategoryID: cups}, []string{`Cup a\b`}, []string{"Tea", "Cups"}},
		"one character":              {catalog.Filter{Keyword: "茶"}, []string{"绿茶壶"}, []string{"Cups"}},
		"two characters":             {catalog.Filter{Keyword: "茶壶"}, []string{"绿茶壶"}, []string{"Cups"}},
		"not neighbours":             {catalog.Filter{Keyword: "绿壶"}, []string{}, []string{}},
		"all pairs, wrong order":     {catalog.Filter{Keyword: "teate"}, []string{}, []string{}},
		"percent is a percent":       {catalog.Filter{Keyword: "%"}, []string{"Green tea 100% pure"}, []string{"Tea"}},
		"percent between":            {catalog.Filter{Keyword: "G%p"}, []string{}, []string{}},
		"underscore":                 {catalog.Filter{Keyword: "_"}, []string{"Black TEA"}, []string{"Tea"}},
		"backslash":                  {catalog.Filter{Keyword: `\`}, []string{`Cup a\b`}, []string{"Cups"}},
		"an accent is a letter":      {catalog.Filter{Keyword: "téa"}, []string{}, []string{}},
		"quotes":                     {catalog.Filter{Keyword: "' or 1=1 -- "}, []string{}, []string{}},
		"blank is no filter":         {catalog.Filter{Keyword: "  ", CategoryID: tea}, []string{"Black TEA", "Green tea 100% pure"}, []string{"Tea", "Cups"}},
		"words in another order":     {catalog.Filter{Keyword: "TEA  green"}, []string{"Green tea 100% pure"}, []string{"Tea"}},
		"name and keywords":          {catalog.Filter{Keyword: "drink black"}, []string{"Black TEA"}, []string{"Tea"}},
		"one word is missing":        {catalog.Filter{Keyword: "green tea cup"}, []string{}, []string{}},
		"other width":                {catalog.Filter{Keyword: "ＢＬＡＣＫ"}, []string{"Black TEA"}, []string{"Tea"}},
		"longer than any name":       {catalog.Filter{Keyword: strings.Repeat("tea", 100)}, []string{}, []string{}},
		"one left out":               {catalog.Filter{CategoryID: tea, Except: 1}, []string{"Black TEA"}, []string{"Tea", "Cups"}},
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
			first, err := s.Newest(t.Context(), tt.filter, 1)
			require.NoError(t, err)
			require.Equal(t, tt.want[:min(1, len(tt.want))], names(first))
		})
	}
}

// seedMany inserts n goods directly: with names in random order and few times and prices, so that ties are common.
func seedMany(t *testing.T, s *shop, n int, category int64) {
	t.Helper()
	for i, number := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		name := fmt.Sprintf("widget %05d", number)
		require.NoError(t, dbtest.Exec(t.Context(), s.d, "INSERT INTO goods (name, category_id, retail_price, add_time, update_time) VALUES (?, ?, ?, ?, ?)",
			name, category, number%7, noon.Add(time.Duration(i%5)*time.Second), noon))
	}
	require.NoError(t, dbtest.Exec(t.Context(), s.d, "INSERT INTO goods_term (term, goods_id) SELECT t.term, g.id FROM goods g JOIN "+
		"(SELECT 'wi' AS term UNION SELECT 'id' UNION SELECT 'w') t"))
}

// Each list has a total order.
func TestPagesCoverEveryRowOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	seedMany(t, s, 600, 0)
	for _, sort := range []string{"add_time", "id", "retail_price", "name"} {
		for _, desc := range []bool{true, false} {
			for _, keyword := range []string{"", "wi"} { // 600 goods have the term: it is frequent
				t.Run(fmt.Sprint(sort, desc, keyword), func(t *testing.T) {
					var got, backwards []int64
					walk := func(desc bool) (ids []int64) {
						for n := 1; ; n++ {
							l, err := s.OnSale(t.Context(), catalog.Filter{Keyword: keyword},
								page.Query{Page: n, Limit: 70, Sort: sort, Desc: desc})
							require.NoError(t, err)
							require.EqualValues(t, 600, l.Total)
							require.EqualValues(t, 9, l.Pages())
							if len(l.Items) == 0 {
								require.Equal(t, 10, n)
								return ids
							}
							for _, g := range l.Items {
								ids = append(ids, g.ID)
							}
						}
					}
					got, backwards = walk(desc), walk(!desc)
					slices.Reverse(backwards)
					require.Equal(t, got, backwards, "the other direction is the same list reversed")
					slices.Sort(got)
					require.Len(t, slices.Compact(got), 600)
				})
			}
		}
	}
}

func TestStatementsDoNotGrowWithRows(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.category(t, "Home", 0)
	second := s.category(t, "Tea", first)
	brand, err := s.CreateBrand(t.Context(), catalog.Brand{Name: "Maker"})
	require.NoError(t, err)
	id := s.goods(t, catalog.Goods{Name: "widget x", CategoryID: second, BrandID: brand.ID})
	require.NoError(t, dbtest.Exec(t.Context(), s.d, "DELETE FROM goods_term"))
	calls := map[string]struct {
		most int
		call func(ctx context.Context) error
	}{
		"list": {3, func(ctx context.Context) error {
			_, _, err := s.Find(ctx, catalog.Filter{}, newest(1, 1000))
			return err
		}},
		"keyword list": {5, func(ctx context.Context) error {
			_, _, err := s.Find(ctx, catalog.Filter{Keyword: "widget"}, newest(1, 1000))
			return err
		}},
		"detail":  {5, func(ctx context.Context) error { _, err := s.Detail(ctx, id); return err }},
		"related": {3, func(ctx context.Context) error { _, err := s.Related(ctx, id, newest(1, 1000)); return err }},
		"floors":  {4, func(ctx context.Context) error { _, err := s.Floors(ctx, 10, 1000); return err }},
		"all": {2, func(ctx context.Context) error {
			_, err := s.All(ctx, catalog.ListFilter{}, newest(1, 1000))
			return err
		}},
		"brands": {2, func(ctx context.Context) error { _, err := s.Brands(ctx, newest(1, 1000)); return err }},
	}
	before := 0
	for _, rows := range []int{10, 300} {
		seedMany(t, s, rows-before, second)
		before = rows
		require.NoError(t, dbtest.Exec(t.Context(), s.d, "DELETE FROM goods_term"))
		for name, tt := range calls {
			t.Run(fmt.Sprint(name, rows), func(t *testing.T) {
				ctx, counter := db.WithCounter(t.Context())
				require.NoError(t, tt.call(ctx))
				require.LessOrEqual(t, counter.Count(), tt.most)
			})
		}
		require.NoError(t, dbtest.Exec(t.Context(), s.d, "INSERT INTO goods_term SELECT 'wi', id FROM goods"))
		ctx, counter := db.WithCounter(t.Context())
		l, _, err := s.Find(ctx, catalog.Filter{Keyword: "wi"}, newest(1, 1000))
		require.NoError(t, err)
		require.Len(t, l.Items, rows+1)
		require.Equal(t, 5, counter.Count())
		require.NoError(t, dbtest.Exec(t.Context(), s.d, "DELETE FROM goods_term"))
	}
}
