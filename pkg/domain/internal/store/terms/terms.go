// Package terms splits texts into terms, so that an index finds the texts that contain another one. A term is a
// character or a pair of neighbours, in lower case and compatibility form: that works for languages without blanks
// between words, on every engine alike.
package terms

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// maxAsked is the maximum number of terms of one keyword that are compared.
const maxAsked = 16

// Of returns the terms of texts, sorted, none twice.
func Of(texts ...string) []string {
	var all []string
	for _, text := range texts {
		folded := fold(text)
		for i := range folded {
			all = append(all, string(folded[i:i+1]))
		}
		all = append(all, pairs(folded)...)
	}
	return distinct(all)
}

// OfPart returns terms that all texts have that contain a keyword: its pairs, at most 16 of them, or the character of a
// keyword with only one. It returns none for blanks alone.
func OfPart(keyword string) []string {
	folded := fold(keyword)
	if len(folded) == 1 {
		return distinct([]string{string(folded)})
	}
	all := distinct(pairs(folded))
	return all[:min(len(all), maxAsked)]
}

// OfWords returns terms that all texts have that contain one spelling of every word, at most 16 of them.
func OfWords(words [][]string) []string {
	var all []string
	for _, spellings := range words {
		shared := OfPart(spellings[0])
		for _, s := range spellings[1:] {
			whole := Of(s)
			shared = slices.DeleteFunc(shared, func(t string) bool { return !slices.Contains(whole, t) })
		}
		all = append(all, shared...)
	}
	all = distinct(all)
	return all[:min(len(all), maxAsked)]
}

// fold returns a text as indexed: lower-cased NFKC, character by character. Composing across characters would break the
// invariant of the index: the terms of a part of a text are terms of the text.
func fold(text string) []rune {
	var folded []rune
	for _, r := range text {
		for _, n := range norm.NFKC.String(string(unicode.ToLower(r))) {
			folded = append(folded, unicode.ToLower(n))
		}
	}
	return folded
}

func pairs(folded []rune) []string {
	var all []string
	for i := 0; i+1 < len(folded); i++ {
		all = append(all, string(folded[i:i+2]))
	}
	return all
}

// distinct sorts terms and removes duplicates. Trailing and leading blanks are removed first, since the column's
// collation ignores them.
func distinct(all []string) []string {
	for i, t := range all {
		all[i] = strings.TrimRight(t, " ")
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(t string) bool { return t == "" })
}

// Weight is a term with the number of rows that have it.
type Weight struct {
	Term string
	N    int64
}

// Rarest returns the term that the fewest rows of an index have, a table with the column term first in its key. It
// counts the rows of each term up to most+1 only.
func Rarest(ctx context.Context, q db.Querier, index string, words []string, most int64) (Weight, error) {
	branch := "SELECT ? AS term, COUNT(*) AS n FROM (SELECT 1 FROM " + index + " WHERE term = ? LIMIT ?) t"
	var args []any
	for _, t := range words {
		args = append(args, t, t, most+1)
	}
	var rows []Weight
	err := table.Scan(ctx, q, &rows, strings.Repeat(branch+" UNION ALL ", len(words)-1)+branch, args...)
	if err != nil {
		return Weight{}, fmt.Errorf("weigh the terms of a keyword: %w", err)
	}
	return slices.MinFunc(rows, func(a, b Weight) int { return int(a.N - b.N) }), nil
}
