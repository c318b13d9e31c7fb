// Package form validates texts that people enter: addresses of pages and pictures, and texts that must be
// distinguishable by sight.
package form

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"shop.internal/pkg/domain/platform/text"
)

// MaxWebAddress bounds the characters of an entered web address.
const MaxWebAddress = 255

// Schemes are the allowed schemes of addresses.
func Schemes() []string { return []string{"http", "https"} }

// Web reports whether a text is an http or https address that a browser and this program parse alike: with a host,
// without a user, and without characters that browsers drop or convert.
func Web(t string) bool { return utf8.RuneCountInString(t) <= MaxWebAddress && web(t) }

// Link reports whether a text is allowed where a client opens an address or shows a picture: a web address, or
// something relative to the shop, such as a path, the id of goods, or a page of an app. Other schemes, and other hosts
// without a scheme, are refused. The empty text is allowed.
func Link(t string) bool {
	return Harmless(t) && (!absolute(t) || utf8.RuneCountInString(t) <= MaxWebAddress)
}

// Harmless is Link without a limit of length, for addresses that are stored already or part of a text.
func Harmless(t string) bool {
	if absolute(t) {
		return web(t)
	}
	return plain(t) && !strings.HasPrefix(t, "//")
}

// Shown returns a stored address if it is harmless, else "". Earlier releases stored unchecked addresses, and so may
// somebody with access to the database.
func Shown(t string) string {
	if Harmless(t) {
		return t
	}
	return ""
}

// absolute reports whether an address has a scheme.
func absolute(t string) bool {
	i := strings.IndexAny(t, ":/?#")
	return i >= 0 && t[i] == ':'
}

func web(t string) bool {
	if !plain(t) {
		return false
	}
	u, err := url.Parse(t)
	return err == nil && slices.Contains(Schemes(), u.Scheme) && u.Hostname() != "" && u.User == nil
}

// plain refuses what browsers parse differently from its appearance: control and invisible characters, which they drop,
// backslashes, which they treat as slashes, and blanks around the text.
func plain(t string) bool {
	return !strings.ContainsFunc(t, func(r rune) bool {
		return r == '\\' || r == utf8.RuneError || r != ' ' && unicode.IsSpace(r) || invisible(r)
	}) && strings.TrimSpace(t) == t
}

// Mobile reports whether a text has the form of a mobile number: 1 and ten more digits.
func Mobile(t string) bool { return len(t) == 11 && t[0] == '1' && strings.Trim(t, "0123456789") == "" }

// Form is a form of texts that requests can ask for by its name.
type Form struct {
	// Fits reports whether a text has the form; Refusal is what people read of one that has not.
	Fits    func(t string) bool
	Refusal *text.Text
	// Pattern is a regular expression for the same, and Example returns the n-th of some texts that fit, for tests.
	Pattern string
	Example func(n int) string
}

var mobile = &Form{
	Fits: Mobile, Refusal: text.ValidationMobile, Pattern: "^1[0-9]{10}$",
	Example: func(n int) string { return fmt.Sprintf("138000000%02d", n%100) },
}

// Named returns the form of a name, nil where there is none.
func Named(name string) *Form { return map[string]*Form{"mobile": mobile}[name] }

// Visible reports whether every character of a text is visible, so that texts that look alike are equal. Joiners and
// variation selectors are allowed within pictographs.
func Visible(t string) bool { return Clean(t) == t }

// Clean removes the invisible characters of a text, for texts of third parties that should not be refused.
func Clean(t string) string {
	// Removing a character may leave its modifiers without a base, so it is repeated.
	for {
		cleaned := cleanOnce(t)
		if cleaned == t {
			return t
		}
		t = cleaned
	}
}

func cleanOnce(t string) string {
	if !strings.ContainsFunc(t, unseen) {
		return t
	}
	runes := []rune(t)
	var out strings.Builder
	for i, r := range runes {
		if !unseen(r) || shaping(runes, i) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// The characters that modify pictographs: joiners, and selectors of the coloured form.
const (
	joiner  = '\u200d'
	textual = '\ufe0e'
	colours = '\ufe0f'
	keycap  = '\u20e3'
)

// unseen reports whether a character is invisible by itself.
func unseen(r rune) bool {
	return invisible(r) || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

// shaping reports whether the unseen character at i is part of a pictograph: a selector after one, or a joiner between
// two.
func shaping(t []rune, i int) bool {
	if i == 0 || i+1 == len(t) && t[i] == joiner {
		return false
	}
	before := t[i-1]
	switch t[i] {
	case textual, colours:
		return pictograph(before) || i+1 < len(t) && t[i+1] == keycap
	case joiner:
		if before == colours && i > 1 {
			before = t[i-2]
		}
		return (pictograph(before) || unicode.Is(unicode.Sk, before)) && pictograph(t[i+1])
	}
	return false
}

// emoji reports whether a character is in the blocks of pictographs, including unassigned ones.
func emoji(r rune) bool { return r >= 0x1F000 && r <= 0x1FAFF }

func pictograph(r rune) bool { return emoji(r) || unicode.In(r, unicode.So, unicode.Sm) }

// blanks are letters and signs that print nothing, although their category says otherwise: fillers of Hangul and Khmer,
// the grapheme joiner, Mongolian variants, the empty Braille cell, the object replacement character, a note without a
// head.
var blanks = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
		{Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1D159, Hi: 0x1D159, Stride: 1}},
}

// invisible reports whether a character prints nothing or is unknown: controls, formats such as zero-width and
// bidirectional ones, line separators, private and unassigned characters, and blanks.
func invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7F
	}
	if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, blanks) {
		return true
	}
	return !emoji(r) && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs)
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
