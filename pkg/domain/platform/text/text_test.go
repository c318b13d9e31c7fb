package text_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "shop.internal/pkg/domain/platform/errno" // declares the texts of the codes
	"shop.internal/pkg/domain/platform/text"
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
		require.Equal(t, slices.Sorted(maps.Keys(declared)), slices.Sorted(maps.Keys(texts)), "texts that nobody uses")
	}
}

func TestFieldsAreSaidInTheLanguageOfTheSentence(t *testing.T) {
	require.Equal(t, "缺少品牌", text.ValidationRequired.In(text.Chinese, text.FieldBrand))
	require.Equal(t, "the brand is missing", text.ValidationRequired.In(text.English, text.FieldBrand))
}
