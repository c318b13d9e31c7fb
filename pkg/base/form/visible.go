package form

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible reports whether every character of a text is visible, so that texts that look alike are equal. Joiners and
// variation selectors are allowed within pictographs.
func Visible(t string) bool { return Printable(t) == t }

// Printable removes the invisible characters of a text, line breaks too.
func Printable(t string) string {
	// Removing a character may leave its modifiers without a base, so it is repeated.
	return untilStable(t, func(t string) string { return without(t, unseen) })
}

// without removes the characters that are unseen, other than those that shape a pictograph.
func without(t string, unseen func(rune) bool) string {
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

// han reports whether a character is in the planes of rare Chinese characters, including unassigned ones.
func han(r rune) bool { return r >= 0x20000 && r <= 0x3FFFD }

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
	return !emoji(r) && !han(r) && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs)
}
