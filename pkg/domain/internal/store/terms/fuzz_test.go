package terms

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzTerms splits any text, and any part of it as a keyword: the terms fit their column, and the keyword requires no
// term that the text lacks.
func FuzzTerms(f *testing.F) {
	for _, seed := range []string{
		"", " ", "   ", "茶", "绿茶壶 Green Tea", "Ａ１㍿", "%_\\", "a  b", "ß İ ﬁ ǆ", "e\u0301", "\u1100\u1161\u11a8", "가각", "한글",
		"\xff\xfe a", "\ufffd", "👩‍👩‍👧", "\u3000x\u00a0y", "a\x00b", strings.Repeat("长", 300), "\U0010ffff", "ϓ ΰ ẞ",
	} {
		f.Add(seed, 0, utf8.RuneCountInString(seed))
		f.Add(seed, 1, 2)
	}
	const longest = 1 << 12 // bytes; longer texts would only be slower
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		if len(text) > longest {
			return
		}
		whole := Of(text)
		require.True(t, slices.IsSorted(whole))
		require.Len(t, slices.Compact(slices.Clone(whole)), len(whole), "none twice")
		for _, term := range whole {
			require.True(t, utf8.ValidString(term), "%q", term)
			require.NotEmpty(t, term)
			require.LessOrEqual(t, utf8.RuneCountInString(term), 2, "%q", term)
			require.Equal(t, strings.TrimRight(term, " "), term, "the column does not see blanks at the end")
		}
		runes := []rune(text)
		from = min(max(from, 0), len(runes))
		to = min(max(to, from), len(runes))
		words := OfPart(string(runes[from:to]))
		require.LessOrEqual(t, len(words), maxAsked)
		for _, term := range words {
			require.Contains(t, whole, term)
		}
	})
}
