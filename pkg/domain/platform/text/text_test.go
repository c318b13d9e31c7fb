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

func TestMembersHaveLabels(t *testing.T) {
	require.NotEmpty(t, text.Members())
	for _, name := range text.Members() {
		bilingual(t, text.Member(name))
	}
	require.Equal(t, "unheard", text.Member("unheard").In(text.Chinese), "a member without a label is called by its name")
}
