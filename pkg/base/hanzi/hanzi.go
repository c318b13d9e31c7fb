// Package hanzi knows how Chinese characters are read and how they are written in the other script, character by
// character: what a search needs, not a translation.
package hanzi

import (
	_ "embed" // the tables
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// readings has a line for each syllable: the syllable without its tone, a blank and the characters whose most frequent
// reading it is. v stands for ü.
//
//go:embed pinyin.txt
var readings string

// scripts has four lines: traditional characters and the simplified one of each, simplified characters and the
// most frequent traditional one of each.
//
//go:embed scripts.txt
var scripts string

// weak are characters that say little about what is meant: particles, endings, sizes.
//
//go:embed weak.txt
var weak string

// Weak reports whether a character alone says little about what is meant.
func Weak(r rune) bool { return strings.ContainsRune(weak, r) }

// syllables are the readings of the characters.
var syllables = sync.OnceValue(func() map[rune]string {
	by := map[rune]string{}
	for line := range strings.Lines(readings) {
		syllable, characters, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, r := range characters {
			by[r] = syllable
		}
	}
	return by
})

var (
	toSimplified  = sync.OnceValue(func() map[rune]rune { return pairs(0) })
	toTraditional = sync.OnceValue(func() map[rune]rune { return pairs(2) })
)

// pairs maps the characters of a line of the scripts to those of the next.
func pairs(line int) map[rune]rune {
	lines := strings.Split(scripts, "\n")
	of, to := []rune(lines[line]), map[rune]rune{}
	for i, r := range []rune(lines[line+1]) {
		to[of[i]] = r
	}
	return to
}

// Simplified returns a text with simplified characters in place of traditional ones.
func Simplified(t string) string { return mapped(t, toSimplified) }

// Traditional returns a text with traditional characters in place of simplified ones, the most frequent of several.
func Traditional(t string) string { return mapped(t, toTraditional) }

func mapped(t string, table func() map[rune]rune) string {
	return strings.Map(func(r rune) rune {
		if to, ok := table()[r]; ok && Is(r) {
			return to
		}
		return r
	}, t)
}

// Is reports whether a character is a Chinese one.
func Is(r rune) bool { return unicode.Is(unicode.Han, r) }

// Pinyin returns the syllables of a text of Chinese characters without tones, and their first letters. Both are empty
// if a character has no reading.
func Pinyin(t string) (whole, initials string) {
	for _, r := range t {
		syllable, ok := syllables()[r]
		if !ok {
			return "", ""
		}
		whole += syllable
		initials += syllable[:1]
	}
	return whole, initials
}

// The accents of letters; the marks that make other characters of kana are none.
const (
	firstAccent = 0x300
	lastAccent  = 0x36F
)

// Plain returns a text in lower case and simplified characters, without the accents of letters: what two spellings of a
// word have in common.
func Plain(t string) string {
	ascii := true
	for i := range len(t) {
		ascii = ascii && t[i] <= unicode.MaxASCII
	}
	if ascii {
		return strings.ToLower(t)
	}
	bare := strings.Map(func(r rune) rune {
		if r >= firstAccent && r <= lastAccent {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(t)))
	return Simplified(norm.NFC.String(bare))
}
