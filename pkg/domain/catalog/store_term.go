package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/domain/internal/db"
)

// termTable is the index of words in the table goods_term. It works on every engine alike, which full-text indexes of
// texts without blanks between words do not.
type termTable struct{}

// termRow is a term with the number of goods that have it.
type termRow struct {
	Term string
	N    int64
}

// find weighs the terms of the keyword against each other, each counted no further than to the number from which it
// is frequent. The largest id stands for the number of goods, since counting a million rows would cost more than the
// search.
func (termTable) find(ctx context.Context, q db.Querier, keyword string) (search, error) {
	terms := keywordTerms(keyword)
	if len(terms) == 0 {
		return search{keyword: keyword, frequent: true}, nil
	}
	var largest int64
	if err := q.G(ctx).Raw("SELECT COALESCE(MAX(id), 0) FROM goods").Scan(&largest).Error; err != nil {
		return search{}, fmt.Errorf("estimate the number of goods: %w", err)
	}
	most := max(largest/frequentShare, fewGoods)
	branch := "SELECT ? AS term, COUNT(*) AS n FROM (SELECT 1 FROM goods_term WHERE term = ? LIMIT ?) t"
	var args []any
	for _, t := range terms {
		args = append(args, t, t, most+1)
	}
	var rows []termRow
	err := q.G(ctx).Raw(strings.Repeat(branch+" UNION ALL ", len(terms)-1)+branch, args...).Scan(&rows).Error
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
	if err := q.G(ctx).Exec("DELETE FROM goods_term WHERE goods_id = ?", goodsID).Error; err != nil {
		return fmt.Errorf("drop the terms of goods %d: %w", goodsID, err)
	}
	return nil
}

// add puts new goods into the index.
func (termTable) add(ctx context.Context, q db.Querier, ids []int64, texts [][]string) error {
	var rows [][]any
	for i, id := range ids {
		for _, t := range Terms(texts[i]...) {
			rows = append(rows, []any{t, id})
		}
	}
	if err := insertRows(ctx, q, "INSERT INTO goods_term (term, goods_id)", row(2), rows); err != nil {
		return fmt.Errorf("write the terms of %d goods: %w", len(ids), err)
	}
	return nil
}

// groups returns n comma-separated groups of placeholders for the VALUES of an INSERT.
func groups(n int, group string) string { return strings.Repeat(group+", ", n-1) + group }
