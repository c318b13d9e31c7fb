package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConvert(t *testing.T) {
	const source = `const areaList = {
    province_list: {
        110000: "\u5317\u4EAC\u5E02"
    },
    county_list: {
        "110101": "东城区",
        110102: "a \"b\"",
    },
    city_list: { 
        110100: "市",
    }
};
function useCascaderAreaData() { return 123456 }`
	var out strings.Builder
	require.NoError(t, convert(strings.NewReader(source), &out, "9.8.7"))
	head, lines, _ := strings.Cut(out.String(), "\n110000")
	require.Contains(t, head, "@vant/area-data 9.8.7")
	require.Equal(t, " 北京市\n110100 市\n110101 东城区\n110102 a \"b\"\n", lines)
	require.Error(t, convert(strings.NewReader("nothing"), &out, ""))
}
