package freight_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/freight"
)

// Codes of provinces, of cities in them and of counties in these.
const (
	beijing, dongcheng         = 110000, 110101
	shanghai, huangpu          = 310000, 310101
	jiangsu, nanjing, xuanwu   = 320000, 320100, 320102
	zhejiang, hangzhou, ningbo = 330000, 330100, 330200
	gongshu, xihu, haishu      = 330105, 330106, 330203
	anhui, yaohai              = 340000, 340102
	henan, counties, jiyuan    = 410000, 419000, 419001
	dongguan, zhongtang        = 441900, 441901
	hainan                     = 460000
	tibet, xinjiang, tianshan  = 540000, 650000, 650102
	taiwan, hongkong, macau    = 710000, 810000, 820000
	yuan                       = money.Amount(100)
)

// at is the region that an area code says.
func at(code int) freight.Region {
	return freight.RegionOf(address.Address{AreaCode: fmt.Sprint(code)})
}

// rule charges first for some units and more for each further ones. The prices are in cents.
func rule(units int, first money.Amount, further int, more money.Amount, regions ...int) freight.Rule {
	return freight.Rule{First: units, FirstPrice: first, Further: further, FurtherPrice: more, Regions: regions}
}

// free is a rule that charges nothing from a sum on.
func free(from money.Amount, r freight.Rule) freight.Rule {
	r.FreeFrom = from
	return r
}

func refused(regions ...int) freight.Rule {
	return freight.Rule{First: 1, Further: 1, Refused: true, Regions: regions}
}

func pieces(rules ...freight.Rule) freight.Template {
	return freight.Template{Charge: freight.ByPieces, Rules: rules}
}

// weight counts a piece without a weight for 300 grams.
func weight(rules ...freight.Rule) freight.Template {
	return freight.Template{Charge: freight.ByWeight, PieceWeight: 300, Rules: rules}
}

// no is the price of what is not delivered.
const no money.Amount = -1

// order is a number of pieces, of one weight and for one sum, to a region, with the freight that is computed by hand.
type order struct {
	to           int
	number, gram int
	sum, freight money.Amount
}

// The usual shapes of templates, at the edges of units, of sums and of regions.
func TestTheUsualTemplates(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		template freight.Template
		orders   []order
	}{
		"one price for the country": {
			pieces(rule(1, 8*yuan, 1, 0)),
			[]order{{beijing, 1, 0, 1, 800}, {xihu, 99, 0, 9900 * yuan, 800}},
		},
		"each piece a price": {
			pieces(rule(1, 5*yuan, 1, 2*yuan)),
			[]order{{xihu, 1, 0, 1, 500}, {xihu, 2, 0, 1, 700}, {xihu, 10, 0, 1, 2300}},
		},
		"three pieces in a parcel, then two": {
			pieces(rule(3, 10*yuan, 2, 3*yuan)),
			[]order{{xihu, 3, 0, 1, 1000}, {xihu, 4, 0, 1, 1300}, {xihu, 5, 0, 1, 1300}, {xihu, 6, 0, 1, 1600}},
		},
		"a kilogram and each further one": {
			weight(rule(1000, 8*yuan, 1000, 2*yuan)),
			[]order{
				{xihu, 1, 1, 1, 800},
				{xihu, 1, 1000, 1, 800},
				{xihu, 1, 1001, 1, 1000},
				{xihu, 2, 1000, 1, 1000},
				{xihu, 3, 667, 1, 1200},
			},
		},
		"half a kilogram and each further half": {
			weight(rule(500, 6*yuan, 500, 150)),
			[]order{{xihu, 1, 500, 1, 600}, {xihu, 1, 501, 1, 750}, {xihu, 4, 250, 1, 750}, {xihu, 4, 251, 1, 900}},
		},
		"goods without a weight": {
			weight(rule(1000, 8*yuan, 1000, 2*yuan)),
			[]order{{xihu, 3, 0, 1, 800}, {xihu, 4, 0, 1, 1000}, {xihu, 6, 0, 1, 1000}, {xihu, 7, 0, 1, 1200}},
		},
		"free for all": {
			pieces(rule(1, 0, 1, 0)), []order{{xihu, 1, 0, 1, 0}, {tianshan, 9, 0, 1, 0}},
		},
		"free from a sum": {
			pieces(free(99*yuan, rule(1, 8*yuan, 1, 1*yuan))),
			[]order{{xihu, 2, 0, 9899, 900}, {xihu, 2, 0, 9900, 0}, {xihu, 2, 0, 9901, 0}},
		},
		"the neighbours are cheaper": {
			pieces(rule(1, 6*yuan, 1, 1*yuan, jiangsu, zhejiang, shanghai), rule(1, 10*yuan, 1, 3*yuan)),
			[]order{{xihu, 2, 0, 1, 700}, {huangpu, 1, 0, 1, 600}, {xuanwu, 1, 0, 1, 600}, {yaohai, 2, 0, 1, 1300}},
		},
		"far provinces are dearer": {
			weight(rule(1000, 25*yuan, 1000, 20*yuan, tibet, xinjiang), rule(1000, 10*yuan, 1000, 4*yuan)),
			[]order{{tianshan, 1, 1000, 1, 2500}, {tianshan, 1, 1001, 1, 4500}, {xihu, 1, 1001, 1, 1400}},
		},
		"far provinces get nothing": {
			pieces(rule(1, 8*yuan, 1, 0), refused(tibet, xinjiang, taiwan, hongkong, macau)),
			[]order{{tianshan, 1, 0, 1, no}, {hongkong, 1, 0, 1, no}, {yaohai, 1, 0, 1, 800}},
		},
		"only two provinces get anything": {
			pieces(refused(), rule(1, 8*yuan, 1, 0, zhejiang, shanghai)),
			[]order{{xihu, 1, 0, 1, 800}, {huangpu, 1, 0, 1, 800}, {yaohai, 1, 0, 1, no}, {0, 1, 0, 1, no}},
		},
		"the own city is cheaper than its province": {
			pieces(rule(1, 8*yuan, 1, 0), rule(1, 5*yuan, 1, 0, zhejiang), rule(1, 3*yuan, 1, 0, hangzhou)),
			[]order{{xihu, 1, 0, 1, 300}, {gongshu, 1, 0, 1, 300}, {haishu, 1, 0, 1, 500}, {yaohai, 1, 0, 1, 800}},
		},
		"the own county is free": {
			pieces(rule(1, 0, 1, 0, xihu), rule(1, 4*yuan, 1, 0, hangzhou), rule(1, 9*yuan, 1, 0)),
			[]order{{xihu, 5, 0, 1, 0}, {gongshu, 1, 0, 1, 400}, {hangzhou, 1, 0, 1, 400}, {haishu, 1, 0, 1, 900}},
		},
		"one county of a city that gets nothing": {
			pieces(rule(1, 9*yuan, 1, 0), refused(hangzhou), rule(1, 4*yuan, 1, 0, xihu)),
			[]order{{xihu, 1, 0, 1, 400}, {gongshu, 1, 0, 1, no}, {haishu, 1, 0, 1, 900}},
		},
		"a city of a province gets nothing": {
			pieces(rule(1, 9*yuan, 1, 0), rule(1, 5*yuan, 1, 0, zhejiang), refused(ningbo)),
			[]order{{haishu, 1, 0, 1, no}, {xihu, 1, 0, 1, 500}, {yaohai, 1, 0, 1, 900}},
		},
		"free from less at home": {
			pieces(free(50*yuan, rule(1, 5*yuan, 1, 0, hangzhou)), free(200*yuan, rule(1, 12*yuan, 1, 0))),
			[]order{{xihu, 1, 0, 4999, 500}, {xihu, 1, 0, 5000, 0}, {haishu, 1, 0, 19999, 1200}, {haishu, 1, 0, 20000, 0}},
		},
		"free from a sum, but not far away": {
			pieces(free(88*yuan, rule(1, 8*yuan, 1, 0)), rule(1, 20*yuan, 1, 5*yuan, xinjiang)),
			[]order{{xihu, 1, 0, 8800, 0}, {tianshan, 2, 0, 8800, 2500}},
		},
		"counties of a province itself": {
			pieces(rule(1, 8*yuan, 1, 0), rule(1, 6*yuan, 1, 0, henan), rule(1, 7*yuan, 1, 0, counties), rule(1, 2*yuan, 1, 0, jiyuan)),
			[]order{{jiyuan, 1, 0, 1, 200}, {counties, 1, 0, 1, 700}, {henan, 1, 0, 1, 600}},
		},
		"a city with towns and no counties": {
			pieces(rule(1, 8*yuan, 1, 0), rule(1, 5*yuan, 1, 0, dongguan)),
			[]order{{zhongtang, 1, 0, 1, 500}, {dongguan, 1, 0, 1, 500}, {440100, 1, 0, 1, 800}},
		},
		"a city that is its own province": {
			weight(rule(1000, 8*yuan, 1000, 2*yuan), rule(2000, 5*yuan, 1000, 1*yuan, beijing)),
			[]order{{dongcheng, 1, 2000, 1, 500}, {dongcheng, 1, 2001, 1, 600}, {110100, 1, 1, 1, 500}, {huangpu, 1, 1001, 1, 1000}},
		},
		"across the sea by the piece": {
			pieces(rule(2, 9*yuan, 1, 1*yuan), rule(1, 30*yuan, 1, 12*yuan, hainan)),
			[]order{{460100, 1, 0, 1, 3000}, {460100, 3, 0, 1, 5400}, {xihu, 3, 0, 1, 1000}},
		},
	} {
		for _, o := range tt.orders {
			f := freight.Freight{Templates: map[int64]freight.Template{1: tt.template}, To: at(o.to)}
			what := fmt.Sprintf("%s: %d pieces of %d g to %d", name, o.number, o.gram, o.to)
			require.Equal(t, o.freight != no, f.Delivers(1), what)
			require.Equal(t, max(o.freight, 0), f.Of([]freight.Item{
				{Template: 1, Weight: o.gram, Number: o.number, Sum: o.sum},
			}), what)
		}
	}
}

// Several templates in one purchase: the dearest first price once, the further units of each, every part by its own
// goods.
func TestSeveralTemplates(t *testing.T) {
	t.Parallel()
	f := freight.Freight{
		Value: 8 * yuan, FreeFrom: 88 * yuan, To: at(xihu),
		Templates: map[int64]freight.Template{
			1: weight(rule(1000, 10*yuan, 1000, 2*yuan)),
			2: pieces(rule(1, 6*yuan, 1, 5*yuan)),
			3: pieces(free(50*yuan, rule(1, 20*yuan, 1, 1*yuan))),
			4: pieces(rule(1, 9*yuan, 1, 0), refused(hangzhou)),
		},
	}
	item := func(template int64, gram, number int, sum money.Amount) freight.Item {
		return freight.Item{Template: template, Weight: gram, Number: number, Sum: sum}
	}
	for name, tt := range map[string]struct {
		items []freight.Item
		want  money.Amount
	}{
		"nothing":                             {nil, 0},
		"no template, below":                  {[]freight.Item{item(0, 0, 9, 8799)}, 800},
		"no template, free":                   {[]freight.Item{item(0, 0, 9, 8800)}, 0},
		"no template, together free":          {[]freight.Item{item(0, 0, 1, 8700), item(0, 5, 1, 100)}, 0},
		"an unknown template is none":         {[]freight.Item{item(99, 0, 1, 8700), item(0, 0, 1, 100)}, 0},
		"one template, lines together":        {[]freight.Item{item(1, 600, 1, 1), item(1, 500, 1, 1)}, 1200},
		"with and without a weight":           {[]freight.Item{item(1, 701, 1, 1), item(1, 0, 1, 1)}, 1200},
		"the dearest first unit once":         {[]freight.Item{item(1, 1000, 1, 1), item(2, 0, 1, 1)}, 1000},
		"and the further units of each":       {[]freight.Item{item(1, 2500, 1, 1), item(2, 0, 3, 1)}, 1000 + 2*200 + 2*500},
		"the order of lines does not matter":  {[]freight.Item{item(2, 0, 3, 1), item(1, 2500, 1, 1)}, 1000 + 2*200 + 2*500},
		"without a template beside one":       {[]freight.Item{item(0, 0, 5, 100), item(2, 0, 2, 1)}, 800 + 500},
		"free without a template beside one":  {[]freight.Item{item(0, 0, 5, 8800), item(2, 0, 2, 1)}, 600 + 500},
		"a template's sum frees only itself":  {[]freight.Item{item(0, 0, 1, 8799), item(2, 0, 1, 99999)}, 800},
		"a free part has no further units":    {[]freight.Item{item(3, 0, 9, 5000), item(2, 0, 2, 1)}, 600 + 500},
		"a part that is not free is dearest":  {[]freight.Item{item(3, 0, 9, 4999), item(2, 0, 2, 1)}, 2000 + 800 + 500},
		"what is not delivered costs nothing": {[]freight.Item{item(4, 0, 9, 1), item(2, 0, 1, 1)}, 600},
	} {
		require.Equal(t, tt.want, f.Of(tt.items), name)
	}
	require.True(t, f.Delivers(0))
	require.True(t, f.Delivers(99))
	require.False(t, f.Delivers(4))
	f.FreeFrom = 0
	require.Zero(t, f.Of([]freight.Item{item(0, 0, 1, 1)}), "free from nothing on")
	require.Equal(t, 7*yuan, freight.Fixed(7*yuan).Of([]freight.Item{item(0, 0, 1, money.Max)}))
}

// For any purchase: no freight is negative or wraps, none is more than that of its templates one by one, a further
// piece never makes it cheaper but where it makes a part free, and the order of the lines does not matter.
func TestFreightOfAnything(t *testing.T) {
	t.Parallel()
	price := rapid.Custom(func(t *rapid.T) money.Amount { return money.Amount(rapid.Int64Range(0, 999_999_999).Draw(t, "price")) })
	rapid.Check(t, func(t *rapid.T) {
		f := freight.Freight{Value: price.Draw(t, "value"), FreeFrom: price.Draw(t, "from"), Templates: map[int64]freight.Template{}}
		for id := range rapid.Int64Range(0, 4).Draw(t, "templates") {
			of := freight.Template{Charge: freight.Charge(rapid.IntRange(1, 2).Draw(t, "charge"))}
			of.PieceWeight = rapid.IntRange(1, 1_000_000).Draw(t, "piece")
			of.Rules = []freight.Rule{rule(rapid.IntRange(1, 1_000_000).Draw(t, "first"), price.Draw(t, "first price"),
				rapid.IntRange(1, 1_000_000).Draw(t, "further"), price.Draw(t, "further price"))}
			f.Templates[id+1] = of
		}
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) freight.Item {
			return freight.Item{
				Template: rapid.Int64Range(0, 5).Draw(t, "template"), Weight: rapid.IntRange(0, 1_000_000).Draw(t, "weight"),
				Number: rapid.IntRange(1, 2_147_483_647).Draw(t, "number"), Sum: price.Draw(t, "sum"),
			}
		}), 0, 8).Draw(t, "items")
		whole := f.Of(items)
		require.GreaterOrEqual(t, whole, money.Amount(0))
		var apart money.Amount
		for id := range int64(6) {
			var own []freight.Item
			for _, i := range items {
				if i.Template == id || id == 0 && f.Templates[i.Template].Charge == 0 {
					own = append(own, i)
				}
			}
			if id == 0 || f.Templates[id].Charge != 0 {
				apart = apart.Plus(f.Of(own))
			}
		}
		require.LessOrEqual(t, whole, apart)
		backwards := make([]freight.Item, len(items))
		for i, item := range items {
			backwards[len(items)-1-i] = item
		}
		require.Equal(t, whole, f.Of(backwards))
		for i := range items {
			items[i].Number++
			require.GreaterOrEqual(t, f.Of(items), whole)
			items[i].Number--
		}
	})
}
