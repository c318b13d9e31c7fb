package form_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/form"
)

// odd are characters whose cleaning or comparing is not obvious.
var odd = []rune("aA1İıßςΣéÅﬁ㍿Ａ１　 \t\r\n\x00ｶﾞハ가한葛🍺🍣👩🏽❤𠮷𡈽\u0301\u0308\u00a0\u200d\u200b\ufe0f\ufe0e\u20e3\u3164\u0345\u1e9e")

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"tea":                    "tea",
		" tea\t":                 "tea",
		"\u3000绿茶\u00a0":         "绿茶",
		"a  b":                   "a  b",
		"line\n\tline\r\nline\n": "line\n\tline\r\nline",
		"e\u0301":                "é",
		"e\u200b\u0301":          "é",
		"\u200b \u2800\ufeff":    "",
		" \u200b ":               "",
		"te\u200ba\x00":          "tea",
		"Ａ１㍿ﬁ":                   "Ａ１㍿ﬁ",
		"👩🏽\u200d💻 ❤\ufe0f 🍺🍣":   "👩🏽\u200d💻 ❤\ufe0f 🍺🍣",
		"𠮷野家 \U0002EBF0\U00031350\U000323B0": "𠮷野家 \U0002EBF0\U00031350\U000323B0",
	} {
		require.Equal(t, want, form.Clean(text), "%q", text)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom(odd)).Draw(t, "text")
		clean := form.Clean(text)
		require.Equal(t, clean, form.Clean(clean), "%q", text)
		require.True(t, norm.NFC.IsNormalString(clean))
		require.Equal(t, strings.TrimSpace(clean), clean)
		require.Equal(t, form.Printable(clean), strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(clean))
	})
}

func TestFold(t *testing.T) {
	for _, same := range [][]string{
		{"Tea", "TEA", " tea ", "Ｔｅａ", "te\u200ba"}, {"é", "É", "e\u0301"}, {"ガ", "ｶﾞ"}, {"㍿", "株式会社"}, {"ﬁ", "FI"}, {"Σ", "σ"},
	} {
		for _, text := range same {
			require.Equal(t, form.Fold(same[0]), form.Fold(text), "%q", text)
		}
	}
	different := map[string]string{}
	for _, text := range []string{"🍺", "🍣", "𠮷", "𡈽", "吉", "e", "é", "ハ", "バ", "は", "a b", "ab"} {
		folded := form.Fold(text)
		require.Empty(t, different[folded], "%q", text)
		different[folded] = text
	}
	for r := range unicode.MaxRune {
		folded := form.Fold(string(r))
		require.Equal(t, folded, form.Fold(folded), "%q", r)
		require.Equal(t, form.Clean(string(r)) == "", folded == "", "%q", r)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom(odd)).Draw(t, "text")
		folded := form.Fold(text)
		require.Equal(t, folded, form.Fold(folded), "%q", text)
		require.Equal(t, folded, form.Fold(form.Clean(text)), "%q", text)
	})
}

func TestWords(t *testing.T) {
	for text, want := range map[string][][]string{
		"":            {},
		" \u200b ":    {},
		"紫砂壶 绿茶":      {{"紫砂壶"}, {"绿茶"}},
		"茶\u3000B\tＡ": {{"茶"}, {"b", "ｂ"}, {"a", "ａ"}},
		"É":           {{"é", "e\u0301"}},
		"㍿":           {{"株式会社", "㍿"}},
		"茶 二 三 四 五 六 七 八 九 十": {{"茶"}, {"二"}, {"三"}, {"四"}, {"五"}, {"六"}, {"七"}, {"八 九 十"}},
	} {
		require.Equal(t, want, form.Words(text), "%q", text)
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{"tea": "tea", " e\u0301\u3000": "é", "te\u200ba": "te\u200ba", "a\nb ": "a\nb"} {
		require.Equal(t, want, form.Name(text), "%q", text)
	}
}

// A password keeps its case, its width and its blanks; only how its letters are composed does not count.
func TestSecret(t *testing.T) {
	require.Equal(t, form.Secret("pass\u00e9"), form.Secret("passe\u0301"))
	for _, same := range []string{" Pass word ", "Ｐａｓｓ", "pass\u200b", "ﬁ", "a\tb"} {
		require.Equal(t, same, form.Secret(same))
	}
}

func TestCode(t *testing.T) {
	for _, text := range []string{"123456", "123 456", "123-456", "１２３４５６", "\u200b123456\n"} {
		require.Equal(t, "123456", form.Code(text), "%q", text)
	}
	require.Equal(t, "AB12cd", form.Code("ＡＢ12-cd"))
}

func TestVisible(t *testing.T) {
	for _, good := range []string{
		"", "tea", "龙井茶 2 两", "Ünal", "한글", "עברית", "😀", "👩🏽‍💻 coder", "❤️‍🔥", "❤️", "1️⃣", "☺︎", "👨‍👩‍👧", "🇨🇳", "ไทย", "é́", "全角　空格",
	} {
		require.True(t, form.Visible(good), "%q", good)
		require.Equal(t, good, form.Printable(good))
	}
	for bad, clean := range map[string]string{
		"te\u200ba": "tea", "\u200d": "", "a\u200db": "ab", "😀\u200d": "😀", "\u200d😀": "😀", "a\ufe0f": "a", "\ufe0f": "",
		"\u202etea": "tea", "\u2066a\u2069": "a", "\u3164": "", "\u115f\u1160": "", "\uffa0x": "x", "\u2800": "", "a\u00adb": "ab",
		"a\tb": "ab", "a\x00": "a", "a\u0085": "a", "a\u2028b": "ab", "\ue000x": "x", "\U000f0000": "", "\u0378x": "x",
		"\ufeffx": "x", "a\U000e0041": "a", "葛\U000e0100": "葛", "a\u034fb": "ab", "\u180ex": "x", "\U0001d159": "", "\ufffcx": "x",
	} {
		require.False(t, form.Visible(bad), "%q", bad)
		require.Equal(t, clean, form.Printable(bad), "%q", bad)
	}
}

// Removing invisible characters is idempotent.
func TestPrintableOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("a1😀👩🏽❤ \u200d\ufe0f\ufe0e\u20e3\u200b\u3164"))).Draw(t, "text")
		require.True(t, form.Visible(form.Printable(text)), "%q", text)
	})
}
