package terms

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestOf(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"nothing":           {"", nil},
		"one character":     {"茶", []string{"茶"}},
		"neighbours":        {"绿茶壶", []string{"壶", "绿", "绿茶", "茶", "茶壶"}},
		"lower case":        {"Tea", []string{"a", "e", "ea", "t", "te"}},
		"full width":        {"Ａ１", []string{"1", "a", "a1"}},
		"a blank between":   {"a b", []string{" b", "a", "b"}},
		"one sign for many": {"㍿", []string{"会", "会社", "式", "式会", "株", "株式", "社"}},
		"wildcards":         {`%_\`, []string{"%", "%_", `\`, "_", `_\`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, Of(tt.text)) })
	}
}

// A search uses only the rarest term of the keyword; this is why it finds every match.
func TestTermsOfAPartAreTermsOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(rapid.String().Draw(t, "text"))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, len(text)).Draw(t, "to")
		whole := Of(string(text))
		for _, term := range OfPart(string(text[from:to])) {
			require.Contains(t, whole, term)
		}
	})
}

func TestTermsFitTheirColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := Of(rapid.String().Draw(t, "text"))
		require.True(t, slices.IsSorted(all))
		for _, term := range all {
			require.NotEmpty(t, term)
			require.LessOrEqual(t, len([]rune(term)), 2)
		}
	})
}
