package form

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Clean returns a text as it is stored: composed (NFC), without blanks at its ends, and without invisible characters
// other than line breaks and tabs. No other character changes.
func Clean(t string) string {
	if plainASCII(t) {
		return t
	}
	return untilStable(t, func(t string) string {
		t = without(t, func(r rune) bool { return unseen(r) && !breaking(r) })
		return strings.TrimSpace(norm.NFC.String(t))
	})
}

// Name is Clean for a text that has to be told from others by sight: its invisible characters are refused (Visible)
// rather than removed.
func Name(t string) string {
	if plainASCII(t) {
		return t
	}
	return strings.TrimSpace(norm.NFC.String(t))
}

// Fold returns a text as it is compared, in keys, filters, searches and suggestions: cleaned, in compatibility form
// (NFKC), in lower case. It is never stored in place of the text.
func Fold(t string) string {
	return untilStable(t, func(t string) string { return Clean(strings.ToLower(norm.NFKC.String(Clean(t)))) })
}

// Secret returns a password as it is hashed: composed, since keyboards write one letter in several ways, and otherwise
// as it came.
func Secret(password string) string { return norm.NFC.String(password) }

// maxWords is the maximum number of words of a text that are looked for one by one.
const maxWords = 8

// Words returns the words of a text that is looked for, each with its spellings: what is found contains one spelling of
// every word, in any order. Beyond the first words the rest counts as one.
func Words(t string) [][]string {
	fields := strings.Fields(Clean(t))
	if len(fields) > maxWords {
		fields = append(fields[:maxWords-1], strings.Join(fields[maxWords-1:], " "))
	}
	words := make([][]string, len(fields))
	for i, word := range fields {
		words[i] = spellings(word)
	}
	return words
}

// spellings returns how texts may have a word that no database can fold: folded, as it was entered, in full width, and
// decomposed, as earlier releases stored what some keyboards send. All are in lower case, the folded one is the first.
func spellings(word string) []string {
	folded := Fold(word)
	var all []string
	for _, s := range []string{folded, strings.ToLower(word), wide(folded), norm.NFD.String(folded)} {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// wide returns a text with the characters of ASCII in full width.
func wide(t string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7F {
			r += 0xFEE0
		}
		return r
	}, t)
}

// Truncate returns at most the first characters of a text. Invalid UTF-8 becomes question marks.
func Truncate(t string, most int) string {
	t = strings.ToValidUTF8(t, "?")
	n := 0
	for i := range t {
		if n == most {
			return t[:i]
		}
		n++
	}
	return t
}

// plainASCII reports whether a text has nothing to clean, as most do.
func plainASCII(t string) bool {
	for i := range len(t) {
		if t[i] < ' ' || t[i] >= unicode.MaxASCII {
			return false
		}
	}
	return t == "" || t[0] != ' ' && t[len(t)-1] != ' '
}

func breaking(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }

// untilStable applies a change until nothing changes any more.
func untilStable(t string, change func(string) string) string {
	for {
		changed := change(t)
		if changed == t {
			return t
		}
		t = changed
	}
}
