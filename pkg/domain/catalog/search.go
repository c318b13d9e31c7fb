package catalog

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/domain/internal/db"
)

// words is the index that makes a keyword cheap to look for. What it proposes is tested again on the goods row, so it
// may propose too many goods and never too few.
type words interface {
	// find returns how to look for a keyword.
	find(ctx context.Context, q db.Querier, keyword string) (search, error)
	// add puts the texts of new goods into the index, write those of goods that have changed; drop takes goods out.
	add(ctx context.Context, q db.Querier, ids []int64, texts [][]string) error
	write(ctx context.Context, q db.Querier, goodsID int64, texts ...string) error
	drop(ctx context.Context, q db.Querier, goodsID int64) error
}

// search is a keyword together with the way to look for it.
type search struct {
	keyword string
	// none says that no goods can match.
	none bool
	// term is the rarest term of the keyword: every match has it. It is empty without a keyword.
	term string
	// frequent says that so many goods have the term that walking the goods in the order of the list fills a page
	// sooner than collecting the candidates does.
	frequent bool
}

const (
	// longestText is the width of the widest column that is searched; nothing longer can be part of it.
	longestText = 255
	// mostTerms bounds the terms of one keyword that are weighed against each other.
	mostTerms = 16
	// A term is frequent from one in 50 goods on (2 %), but not below fewGoods, where either way is quick.
	frequentShare = 50
	fewGoods      = 500
	// mostCandidates bounds the goods whose categories are gathered for a keyword.
	mostCandidates = 5000
)

func (s *Service) search(ctx context.Context, keyword string) (search, error) {
	if strings.TrimSpace(keyword) == "" {
		return search{}, nil
	}
	if utf8.RuneCountInString(keyword) > longestText {
		return search{keyword: keyword, none: true}, nil
	}
	return s.words.find(ctx, s.db, keyword)
}

// fold writes a text as the index holds it: lower-cased NFKC, character by character. Composing across characters would
// break the one property that the index rests on: the terms of a part of a text are terms of the text.
func fold(text string) []rune {
	var folded []rune
	for _, r := range text {
		for _, n := range norm.NFKC.String(string(unicode.ToLower(r))) {
			folded = append(folded, unicode.ToLower(n))
		}
	}
	return folded
}

// termsOf returns what is stored for a text: each character and each two neighbouring characters, sorted.
func termsOf(text string) []string {
	folded := fold(text)
	var terms []string
	for i := range folded {
		terms = append(terms, string(folded[i:i+1]))
	}
	return tidy(append(terms, pairs(folded)...))
}

// keywordTerms returns the terms that every goods with the keyword has: the pairs, or the character of a keyword that
// has only one.
func keywordTerms(keyword string) []string {
	folded := fold(keyword)
	if len(folded) == 1 {
		return tidy([]string{string(folded)})
	}
	terms := tidy(pairs(folded))
	return terms[:min(len(terms), mostTerms)]
}

func pairs(folded []rune) []string {
	var terms []string
	for i := 0; i+1 < len(folded); i++ {
		terms = append(terms, string(folded[i:i+2]))
	}
	return terms
}

// tidy sorts terms and drops the repeated ones. Blanks at their ends go first, since the column's collation does not
// see them.
func tidy(terms []string) []string {
	for i, t := range terms {
		terms[i] = strings.TrimRight(t, " ")
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return slices.DeleteFunc(terms, func(t string) bool { return t == "" })
}
