package catalog

import (
	"slices"
	"strings"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/hanzi"
	"shop.internal/pkg/domain/catalog/search/index"
)

// correction finds what a keyword that no goods have may mean.
type correction struct {
	index *index.Index
	known labels
}

// of returns a keyword that goods on sale have, and whether there is one. Words that no goods have are replaced by
// those that are like them, or by the longest part that some have. If no goods have all of the words, the last ones
// count, since they name what the others describe.
func (c correction) of(keyword string) (instead string, ok bool) {
	var words []string
	for _, spellings := range form.Words(keyword) {
		if word, ok := c.replaced(spellings[0]); ok {
			words = append(words, word)
		}
	}
	for from := range words {
		if some := strings.Join(words[from:], " "); c.finds(some) {
			return some, true
		}
	}
	return "", false
}

// finds reports whether goods on sale have all words of a keyword.
func (c correction) finds(keyword string) bool {
	words, _ := c.known.spelled(keyword)
	return len(words) > 0 && c.index.Finds(words)
}

// replaced returns the word that goods on sale have in place of another, which may be the same.
func (c correction) replaced(word string) (string, bool) {
	if c.finds(word) {
		return word, true
	}
	like := append(c.index.Like(word), c.known.words.Like(word)...)
	slices.SortStableFunc(like, index.Candidate.Compare)
	for _, candidate := range like {
		if c.finds(candidate.Text) {
			return candidate.Text, true
		}
	}
	for _, part := range partsOf(word) {
		if c.finds(part) {
			return part, true
		}
	}
	return "", false
}

const (
	// maxParted is the number of characters of the longest word whose parts are looked for.
	maxParted = 12
	// minParted is the number of letters of the shortest part of a word without Chinese characters.
	minParted = 4
)

// partsOf returns the parts of a word, the longest first, of equal ones the last first: a Chinese word ends with what
// it names.
func partsOf(word string) (parts []string) {
	text := []rune(word)
	if len(text) > maxParted {
		return nil
	}
	shortest := minParted
	if slices.ContainsFunc(text, hanzi.Is) {
		shortest = min(len(text)-1, 2) // one character of many is in anything
	}
	for n := len(text) - 1; n >= shortest; n-- {
		for from := len(text) - n; from >= 0; from-- {
			part := string(text[from : from+n])
			if n > 1 || hanzi.Is(text[from]) && !hanzi.Weak(text[from]) {
				parts = append(parts, part)
			}
		}
	}
	return parts
}
