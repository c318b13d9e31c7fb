package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// words is the index for keyword searches. Its candidates are tested again on the goods row, so it may return too many
// goods and never too few.
type words interface {
	// find returns the search for a keyword.
	find(ctx context.Context, q db.Querier, keyword string) (search, error)
	// add indexes the texts of new goods, write those of changed goods; drop removes goods from the index.
	add(ctx context.Context, q db.Querier, ids []int64, texts [][]string) error
	write(ctx context.Context, q db.Querier, goodsID int64, texts ...string) error
	drop(ctx context.Context, q db.Querier, goodsID int64) error
}

// search is a keyword with the way to search for it.
type search struct {
	keyword string
	// none says that no goods can match.
	none bool
	// term is the rarest term of the keyword, which every match has. It is empty without a keyword.
	term string
	// frequent says that so many goods have the term that scanning the goods in the order of the list fills a page sooner
	// than collecting the candidates.
	frequent bool
}

const (
	// maxSearchText is the width of the widest searched column; no longer keyword can match.
	maxSearchText = 255
	// maxTerms is the maximum number of terms of one keyword that are compared.
	maxTerms = 16
	// A term is frequent if one in 50 goods (2 %) has it, but not below minFrequent, where both ways are fast.
	frequentShare = 50
	minFrequent   = 500
	// maxCandidates is the maximum number of goods whose categories are collected for a keyword.
	maxCandidates = 5000
)

// check refuses a filter that contradicts itself.
func (f Filter) check() error {
	if f.MinPrice != nil && f.MaxPrice != nil && *f.MinPrice > *f.MaxPrice {
		return fmt.Errorf("goods from %s to %s: %w", f.MinPrice, f.MaxPrice, errno.Invalid.Because(text.PriceRange))
	}
	return nil
}

// search looks up the keyword of a filter.
func (s *Service) search(ctx context.Context, f Filter) (search, error) {
	keyword := f.Keyword
	if strings.TrimSpace(keyword) == "" {
		return search{}, nil
	}
	if utf8.RuneCountInString(keyword) > maxSearchText {
		return search{keyword: keyword, none: true}, nil
	}
	return s.words.find(ctx, s.db, keyword)
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

// termsOf returns the indexed terms of a text: each character and each pair of adjacent characters, sorted.
func termsOf(text string) []string {
	folded := fold(text)
	var terms []string
	for i := range folded {
		terms = append(terms, string(folded[i:i+1]))
	}
	return distinct(append(terms, pairs(folded)...))
}

// keywordTerms returns the terms that all goods with the keyword have: its pairs, or the character of a keyword with
// only one.
func keywordTerms(keyword string) []string {
	folded := fold(keyword)
	if len(folded) == 1 {
		return distinct([]string{string(folded)})
	}
	terms := distinct(pairs(folded))
	return terms[:min(len(terms), maxTerms)]
}

func pairs(folded []rune) []string {
	var terms []string
	for i := 0; i+1 < len(folded); i++ {
		terms = append(terms, string(folded[i:i+2]))
	}
	return terms
}

// distinct sorts terms and removes duplicates. Trailing and leading blanks are removed first, since the column's
// collation ignores them.
func distinct(terms []string) []string {
	for i, t := range terms {
		terms[i] = strings.TrimRight(t, " ")
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return slices.DeleteFunc(terms, func(t string) bool { return t == "" })
}

// Terms returns the indexed terms of goods with these texts, sorted, for programs that write many goods at once.
func Terms(texts ...string) []string {
	var terms []string
	for _, text := range texts {
		terms = append(terms, termsOf(text)...)
	}
	return distinct(terms)
}

// termTable is the index in the table goods_term. It works on every engine alike, unlike full-text indexes of texts
// without blanks between words.
type termTable struct{}

// term is a row of the index.
type term struct {
	Term    string `gorm:"primaryKey"`
	GoodsID int64  `gorm:"primaryKey;autoIncrement:false"`
}

var terms = table.Of[term]("goods_term")

// termRow is a term with the number of goods that have it.
type termRow struct {
	Term string
	N    int64
}

// find compares how many goods have each term of the keyword, counting each only up to the number from which it is
// frequent. The largest id serves as the number of goods, since counting a million rows would cost more than the
// search.
func (termTable) find(ctx context.Context, q db.Querier, keyword string) (search, error) {
	asked := keywordTerms(keyword)
	if len(asked) == 0 {
		return search{keyword: keyword, frequent: true}, nil
	}
	var largest int64
	if err := q.G(ctx).Raw("SELECT COALESCE(MAX(id), 0) FROM goods").Scan(&largest).Error; err != nil {
		return search{}, fmt.Errorf("estimate the number of goods: %w", err)
	}
	most := max(largest/frequentShare, minFrequent)
	branch := "SELECT ? AS term, COUNT(*) AS n FROM (SELECT 1 FROM goods_term WHERE term = ? LIMIT ?) t"
	var args []any
	for _, t := range asked {
		args = append(args, t, t, most+1)
	}
	var rows []termRow
	err := q.G(ctx).Raw(strings.Repeat(branch+" UNION ALL ", len(asked)-1)+branch, args...).Scan(&rows).Error
	if err != nil {
		return search{}, fmt.Errorf("weigh the terms of a keyword: %w", err)
	}
	rarest := slices.MinFunc(rows, func(a, b termRow) int { return int(a.N - b.N) })
	return search{keyword: keyword, none: rarest.N == 0, term: rarest.Term, frequent: rarest.N > most}, nil
}

// write replaces the terms of goods.
func (t termTable) write(ctx context.Context, q db.Querier, goodsID int64, texts ...string) error {
	if err := t.drop(ctx, q, goodsID); err != nil {
		return err
	}
	return t.add(ctx, q, []int64{goodsID}, [][]string{texts})
}

// drop removes goods from the index.
func (termTable) drop(ctx context.Context, q db.Querier, goodsID int64) error {
	_, err := terms.Delete(ctx, q, "goods_id = ?", goodsID)
	return err
}

// add indexes new goods.
func (termTable) add(ctx context.Context, q db.Querier, ids []int64, texts [][]string) error {
	var rows []term
	for i, id := range ids {
		for _, t := range Terms(texts[i]...) {
			rows = append(rows, term{t, id})
		}
	}
	return terms.InsertAll(ctx, q, rows)
}
