package division

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheListIsWhole(t *testing.T) {
	all, err := Provinces()
	require.NoError(t, err)
	require.Len(t, all, 34)
	cities, counties := 0, 0
	for _, p := range all {
		require.Zero(t, p.Code%inProvince, p.Name)
		require.NotEmpty(t, p.Below, p.Name)
		for _, c := range p.Below {
			require.Equal(t, p.Code/inProvince, c.Code/inProvince, c.Name)
			require.NotEmpty(t, c.Below, "a shopper cannot end the choice at %s", c.Name)
			for _, d := range c.Below {
				require.Equal(t, c.Code/inCity, d.Code/inCity, d.Name)
				require.LessOrEqual(t, len([]rune(d.Name)), 63, "an address must hold %s", d.Name)
				require.Empty(t, d.Below)
			}
			counties += len(c.Below)
		}
		cities += len(p.Below)
	}
	require.Greater(t, cities, 340)
	require.Greater(t, counties, 2800)

	zhejiang := all[10]
	require.Equal(t, Division{330000, "浙江省", zhejiang.Below}, zhejiang)
	require.Equal(t, Division{330100, "杭州市", zhejiang.Below[0].Below}, zhejiang.Below[0])
	require.Contains(t, zhejiang.Below[0].Below, Division{Code: 330106, Name: "西湖区"})
}

func TestABrokenListIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"a city before any province":        "330100 a\n",
		"a city of another province":        "330000 a\n440100 b\n",
		"a county of another city":          "330000 a\n330100 b\n330206 c\n",
		"a county of a province":            "330000 a\n330106 c\n",
		"a code twice":                      "330000 a\n330000 b\n",
		"an order that is none":             "330000 a\n330200 b\n330100 c\n",
		"a code of five digits":             "33000 a\n",
		"a code without a name":             "330000\n",
		"a name without a code":             "a\n",
		"a line that says nothing we know:": "=\n",
	} {
		_, err := parse(text)
		require.Error(t, err, name)
	}
	all, err := parse("# people\n330000 a\n330100 b\n330106 c d\n\n440000 e\n")
	require.NoError(t, err)
	require.Equal(t, []Division{
		{330000, "a", []Division{{330100, "b", []Division{{330106, "c d", nil}}}}}, {440000, "e", nil},
	}, all)
}
