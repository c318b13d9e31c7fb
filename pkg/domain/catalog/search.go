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
	return distinct(append(terms, pairs(folded)...))
}

// keywordTerms returns the terms that every goods with the keyword has: the pairs, or the character of a keyword that
// has only one.
func keywordTerms(keyword string) []string {
	folded := fold(keyword)
	if len(folded) == 1 {
		return distinct([]string{string(folded)})
	}
	terms := distinct(pairs(folded))
	return terms[:min(len(terms), mostTerms)]
}

func pairs(folded []rune) []string {
	var terms []string
	for i := 0; i+1 < len(folded); i++ {
		terms = append(terms, string(folded[i:i+2]))
	}
	return terms
}

// distinct sorts terms and drops the repeated ones. Blanks at their ends go first, since the column's collation does
// not see them.
func distinct(terms []string) []string {
	for i, t := range terms {
		terms[i] = strings.TrimRight(t, " ")
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return slices.DeleteFunc(terms, func(t string) bool { return t == "" })
}

// Terms returns what the index of words holds for goods with these texts, sorted, for a program that writes many
// goods at once.
func Terms(texts ...string) []string {
	var terms []string
	for _, text := range texts {
		terms = append(terms, termsOf(text)...)
	}
	return distinct(terms)
}

// termTable is the index of words in the table goods_term. It works on every engine alike, which full-text indexes of
// texts without blanks between words do not.
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

// find weighs the terms of the keyword against each other, each counted no further than to the number from which it
// is frequent. The largest id stands for the number of goods, since counting a million rows would cost more than the
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
	most := max(largest/frequentShare, fewGoods)
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

// write replaces the terms of one goods.
func (t termTable) write(ctx context.Context, q db.Querier, goodsID int64, texts ...string) error {
	if err := t.drop(ctx, q, goodsID); err != nil {
		return err
	}
	return t.add(ctx, q, []int64{goodsID}, [][]string{texts})
}

// drop takes goods out of the index.
func (termTable) drop(ctx context.Context, q db.Querier, goodsID int64) error {
	_, err := terms.Delete(ctx, q, "goods_id = ?", goodsID)
	return err
}

// add puts new goods into the index.
func (termTable) add(ctx context.Context, q db.Querier, ids []int64, texts [][]string) error {
	var rows []term
	for i, id := range ids {
		for _, t := range Terms(texts[i]...) {
			rows = append(rows, term{t, id})
		}
	}
	return terms.InsertAll(ctx, q, rows)
}
