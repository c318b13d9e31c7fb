package freight_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/address/division"
	"shop.internal/pkg/domain/freight"
)

// The names of an address decide, and its code says what they do not.
func TestRegionOf(t *testing.T) {
	t.Parallel()
	west := freight.Region{Province: zhejiang, City: hangzhou, County: xihu}
	for name, tt := range map[string]struct {
		province, city, county, code string
		want                         freight.Region
	}{
		"names and code":                      {"浙江省", "杭州市", "西湖区", "330106", west},
		"names alone":                         {"浙江省", "杭州市", "西湖区", "", west},
		"the code of another place":           {"浙江省", "杭州市", "西湖区", "650102", west},
		"a county that is not in the list":    {"浙江省", "杭州市", "西湖", "330106", west},
		"a city that is not in the list":      {"浙江省", "杭州", "西湖", "330106", west},
		"a county elsewhere by its code":      {"浙江省", "杭州市", "西湖", "330203", freight.Region{Province: zhejiang, City: hangzhou}},
		"a city elsewhere by its code":        {"浙江省", "杭州", "西湖", "650102", freight.Region{Province: zhejiang}},
		"the code alone":                      {"Zhejiang", "Hangzhou", "Xihu", "330106", west},
		"the code of a city":                  {"", "", "", "330100", freight.Region{Province: zhejiang, City: hangzhou}},
		"the code of a province":              {"", "", "", "330000", freight.Region{Province: zhejiang}},
		"an unknown county by its code":       {"", "", "", "330199", freight.Region{Province: zhejiang, City: hangzhou}},
		"nothing that is known":               {"Kent", "Dover", "", "12", freight.Region{}},
		"a code that is none":                 {"浙江省", "?", "", "x", freight.Region{Province: zhejiang}},
		"a county of a province itself":       {"河南省", "省直辖县", "济源市", "", freight.Region{Province: henan, City: counties, County: jiyuan}},
		"a county of the same name elsewhere": {"江西省", "南昌市", "西湖区", "", freight.Region{Province: 360000, City: 360100, County: 360103}},
	} {
		a := address.Address{
			Place: address.Place{Province: tt.province, City: tt.city, County: tt.county}, AreaCode: tt.code,
		}
		require.Equal(t, tt.want, freight.RegionOf(a), name)
	}
}

// Every county of the list is found by its names, by its code, and in the line that an order of either language has.
func TestEveryCounty(t *testing.T) {
	t.Parallel()
	provinces, err := division.Provinces()
	require.NoError(t, err)
	for _, p := range provinces {
		for _, c := range p.Below {
			for _, d := range c.Below {
				want := freight.Region{Province: p.Code, City: c.Code, County: d.Code}
				a := address.Address{Place: address.Place{Province: p.Name, City: c.Name, County: d.Name, Detail: "1"}}
				require.Equal(t, want, freight.RegionOf(a), d.Name)
				require.Equal(t, want, at(d.Code), d.Name)
				require.Equal(t, want, freight.RegionIn(a.Full("zh")), a.Full("zh"))
				require.Equal(t, want, freight.RegionIn(a.Full("en")), a.Full("en"))
			}
		}
	}
	require.Zero(t, freight.RegionIn("1 High Street, Dover"))
	require.Equal(t, "浙江省杭州市西湖区", at(xihu).Name())
	require.Equal(t, "北京市东城区", at(dongcheng).Name())
	require.Equal(t, "浙江省", at(zhejiang).Name())
	require.Empty(t, freight.Region{}.Name())
}
