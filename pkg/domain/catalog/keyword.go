package catalog

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/domain/catalog/search"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/terms"
)

const (
	// maxSearchText is the width of the widest searched column; no longer keyword can match.
	maxSearchText = 255
	// A term is frequent if one in 50 goods (2 %) has it, but not below minFrequent, where both ways are fast.
	frequentShare = 50
	minFrequent   = 500
	// maxCandidates is the maximum number of goods whose categories are collected for a keyword.
	maxCandidates = 5000
)

// lookUp finds the way to search for the keyword of a filter.
func (s *Service) lookUp(ctx context.Context, f Filter) (lookup, error) {
	keyword := f.Keyword
	if form.Clean(keyword) == "" {
		return lookup{}, nil
	}
	if utf8.RuneCountInString(keyword) > maxSearchText {
		return lookup{keyword: keyword, none: true}, nil
	}
	return words.find(ctx, s.db, keyword)
}

// termTable is the index in the table goods_term. It works on every engine alike, unlike full-text indexes of texts
// without blanks between words.
type termTable struct{}

// words is the index of the goods.
var words termTable

// term is a row of the index.
type term struct {
	Term    string `gorm:"primaryKey"`
	GoodsID int64  `gorm:"primaryKey;autoIncrement:false"`
}

var goodsTerms = table.Of[term]("goods_term",
	table.Refers("goods_id", "goods"),
)

// find compares how many goods have each term of the keyword, counting each only up to the number from which it is
// frequent. The largest id serves as the number of goods, since counting a million rows would cost more than the
// search.
func (termTable) find(ctx context.Context, q db.Querier, keyword string) (lookup, error) {
	words := terms.OfWords(form.Words(keyword))
	if len(words) == 0 {
		return lookup{keyword: keyword, frequent: true}, nil
	}
	largest, err := largestID(ctx, q)
	if err != nil {
		return lookup{}, err
	}
	most := max(largest/frequentShare, minFrequent)
	rarest, err := terms.Rarest(ctx, q, goodsTerms.Name(), words, most)
	if err != nil {
		return lookup{}, err
	}
	return lookup{keyword: keyword, none: rarest.N == 0, term: rarest.Term, frequent: rarest.N > most}, nil
}

// largestID is about the number of goods.
func largestID(ctx context.Context, q db.Querier) (id int64, err error) {
	if err = table.Scan(ctx, q, &id, "SELECT COALESCE(MAX(id), 0) FROM goods"); err != nil {
		err = fmt.Errorf("estimate the number of goods: %w", err)
	}
	return id, err
}

// write replaces the terms of goods.
func (t termTable) write(ctx context.Context, q db.Querier, goodsID int64, texts ...string) error {
	if err := t.drop(ctx, q, goodsID); err != nil {
		return err
	}
	return t.add(ctx, q, []int64{goodsID}, [][]string{texts})
}

// drop removes goods from the index.
func (termTable) drop(ctx context.Context, q db.Querier, goods ...int64) error {
	_, err := goodsTerms.Delete(ctx, q, "goods_id IN ?", goods)
	return err
}

// add indexes new goods.
func (termTable) add(ctx context.Context, q db.Querier, ids []int64, texts [][]string) error {
	var rows []term
	for i, id := range ids {
		for _, t := range terms.Of(texts[i]...) {
			rows = append(rows, term{t, id})
		}
	}
	return goodsTerms.InsertAll(ctx, q, rows)
}

// Reindex writes the search terms of goods again, and adds them to the feed of changes. Goods that are deleted or that
// do not exist have none.
func Reindex(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	g, live, err := goodsRows.LockLive(ctx, tx, id)
	if err != nil {
		return fmt.Errorf("lock goods %d: %w", id, err)
	}
	if !live {
		return words.drop(ctx, tx, id)
	}
	if err := words.write(ctx, tx, id, g.Name, g.Keywords); err != nil {
		return fmt.Errorf("index goods %d: %w", id, err)
	}
	return search.Append(ctx, tx, []int64{id}, at)
}
