package text_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "shop.internal/pkg/base/errno" // declares the texts of the codes
	"shop.internal/pkg/base/text"
)

var (
	verb    = regexp.MustCompile(`%[^%]`)
	chinese = regexp.MustCompile(`[\p{Han}【】]`)
)

func TestCatalogueIsComplete(t *testing.T) {
	declared := map[string]bool{}
	for _, e := range text.All() {
		t.Run(e.Key, func(t *testing.T) {
			require.Regexp(t, `^[a-z0-9]+([.-][a-z0-9]+)*$`, e.Key)
			require.False(t, declared[e.Key], "declared twice")
			declared[e.Key] = true
			zh, en := e.In(text.Chinese), e.In(text.English)
			require.Regexp(t, chinese, zh)
			require.NotRegexp(t, chinese, en)
			require.NotEmpty(t, en)
			require.Equal(t, verb.FindAllString(zh, -1), verb.FindAllString(en, -1), "the arguments differ")
		})
	}
	for _, language := range text.Languages() {
		data, err := os.ReadFile(language + ".json")
		require.NoError(t, err)
		texts := map[string]string{}
		require.NoError(t, json.Unmarshal(data, &texts))
		maps.DeleteFunc(texts, func(key, label string) bool {
			same, is := strings.CutPrefix(label, "@")
			return is && text.FieldNamed(strings.TrimPrefix(key, "field.")) == text.FieldNamed(same)
		})
		require.Equal(t, slices.Sorted(maps.Keys(declared)), slices.Sorted(maps.Keys(texts)), "texts that nobody uses")
	}
}

// A label that neither Go code names nor any member of a request or an answer has is left over.
func TestLabelsAreUsed(t *testing.T) {
	t.Parallel()
	used := ""
	for _, file := range []string{"field.go", "../../../docs/api/storefront.json", "../../../docs/api/admin.json"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		used += string(data)
	}
	for _, e := range text.All() {
		if name, is := strings.CutPrefix(e.Key, "field."); is && !strings.Contains(used, `field("`+name+`")`) {
			require.Contains(t, used, `"en": "`+text.FieldNamed(name).Title(text.English)+`"`, e.Key)
		}
	}
}

func TestFieldsAreSaidInTheLanguageOfTheSentence(t *testing.T) {
	require.Equal(t, "缺少品牌", text.ValidationRequired.In(text.Chinese, text.FieldBrand))
	require.Equal(t, "the brand is missing", text.ValidationRequired.In(text.English, text.FieldBrand))
}

func TestFieldNamed(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]*text.Field{
		"sortOrder": text.FieldSortOrder, "sort_order": text.FieldSortOrder, "name": text.FieldName,
		"brandId": text.FieldBrand, "orderId": text.FieldOrder, "colour": nil,
	} {
		require.Same(t, want, text.FieldNamed(member), member)
	}
}

// The words of a record are translated, with what was filled in; anything else stays as it is.
func TestRecorded(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{
		text.LogOrder.Stored("20300102"): "order 20300102", text.LogOrderCase.Stored("1", "2"): "order 1, case 2",
		text.LogGrants.Stored(3, 1): "3 added, 1 removed", text.LogPassword.Stored(): "Change one's password",
		text.ForAction("order-ship").Stored(): "Ship an order",
		"五一":                                  "五一", "": "", "订单编号": "订单编号",
	} {
		require.Equal(t, want, text.Recorded(stored, text.English))
		require.Equal(t, stored, text.Recorded(stored, text.Chinese))
	}
}
