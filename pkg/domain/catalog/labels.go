package catalog

import (
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/hanzi"
	"shop.internal/pkg/domain/catalog/search/index"
)

const (
	// labelsAge is how long a name that another process has changed may be looked for.
	labelsAge = 5 * time.Second
	// maxLabels bounds the brands, and the categories, whose names have a word.
	maxLabels = 200
	// labelScore is what the name of a brand or a category counts among the words that another one may mean.
	labelScore = 10
)

// labels are the names of brands and categories.
type labels struct {
	brands, categories []label
	words              *index.Words
}

// label is the name of a brand or a category, folded and in lower case, with its parent.
type label struct {
	ID, Pid int64
	Name    string
}

// spelled returns the words of a keyword, and the whole keyword, in the spellings that are looked for by relevance:
// in both scripts, and without accents.
func (l labels) spelled(keyword string) (words []index.Word, whole []string) {
	for _, spellings := range form.Words(keyword) {
		words = append(words, l.word(spellings))
	}
	folded := form.Fold(form.Clean(keyword))
	return words, alike([]string{strings.ToLower(form.Clean(keyword)), folded}, folded)
}

// word returns a word with the brands and categories that have it in their names. Goods of a category have the names of
// both its levels.
func (l labels) word(spellings []string) index.Word {
	w := index.Word{Spellings: alike(spellings, spellings[0]), Brands: nil, Categories: nil}
	has := func(one label) bool {
		return slices.ContainsFunc(w.Spellings, func(s string) bool { return strings.Contains(one.Name, s) })
	}
	for _, b := range l.brands {
		if has(b) && len(w.Brands) < maxLabels {
			w.Brands = append(w.Brands, b.ID)
		}
	}
	parents := map[int64]bool{}
	for _, c := range l.categories {
		parents[c.ID] = has(c)
	}
	for _, c := range l.categories {
		if (parents[c.ID] || parents[c.Pid]) && len(w.Categories) < maxLabels {
			w.Categories = append(w.Categories, c.ID)
		}
	}
	return w
}

// alike adds the spellings of a folded text in both scripts and without accents.
func alike(spellings []string, folded string) []string {
	spellings = slices.Clone(spellings)
	simple := hanzi.Simplified(folded)
	for _, s := range []string{simple, hanzi.Traditional(simple), hanzi.Plain(folded)} {
		if !slices.Contains(spellings, s) {
			spellings = append(spellings, s)
		}
	}
	return spellings
}
