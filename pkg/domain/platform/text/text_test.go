package text_test

import (
	"regexp"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/text"
)

var verb = regexp.MustCompile(`%[^%]`)

func TestCatalogueIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range text.All() {
		t.Run(e.Key, func(t *testing.T) {
			require.Regexp(t, `^[a-z0-9]+([.-][a-z0-9]+)*$`, e.Key)
			require.False(t, seen[e.Key], "declared twice")
			seen[e.Key] = true
			require.NotEmpty(t, e.ZH)
			require.NotEmpty(t, e.EN)
			bilingual(t, e)
			require.Equal(t, verb.FindAllString(e.ZH, -1), verb.FindAllString(e.EN, -1), "the arguments differ")
		})
	}
}

// bilingual demands Chinese in the one text and none in the other.
func bilingual(t *testing.T, e *text.Text) {
	t.Helper()
	require.True(t, regexp.MustCompile(`\p{Han}`).MatchString(e.ZH), "no Chinese")
	for _, r := range e.EN {
		require.False(t, unicode.Is(unicode.Han, r), "Chinese in the English text")
	}
}

func TestFieldsAreSaidInTheLanguageOfTheSentence(t *testing.T) {
	require.Equal(t, "缺少品牌", text.MemberMissing.In(text.Chinese, text.FieldBrand))
	require.Equal(t, "the brand is missing", text.MemberMissing.In(text.English, text.FieldBrand))
}
