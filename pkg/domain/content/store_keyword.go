package content

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

type keywordRow struct {
	ID                  int64
	Keyword, URL        string
	IsHot, IsDefault    bool
	SortOrder           int
	AddTime, UpdateTime time.Time
	Version             int
}

const keywordColumns = "r.id, r.keyword, r.url, r.is_hot, r.is_default, r.sort_order, r.add_time, r.update_time, " +
	"r.version"

func (r keywordRow) word() Keyword {
	return Keyword{
		ID: r.ID, Word: r.Keyword, URL: r.URL, Hot: r.IsHot, Default: r.IsDefault, SortOrder: r.SortOrder,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime, Version: r.Version,
	}
}

func proposedKeywords(ctx context.Context, q db.Querier) ([]Keyword, error) {
	var rows []keywordRow
	err := q.G(ctx).Raw("SELECT " + keywordColumns +
		" FROM keyword r WHERE deleted = 0 AND (is_hot = 1 OR is_default = 1) ORDER BY sort_order, id").Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read proposed keywords: %w", err)
	}
	out := make([]Keyword, len(rows))
	for i, r := range rows {
		out[i] = r.word()
	}
	return out, nil
}

func keywordsLike(ctx context.Context, q db.Querier, text string, w page.Query) ([]string, error) {
	var words []string
	err := q.G(ctx).Raw("SELECT keyword FROM keyword WHERE deleted = 0 AND keyword LIKE ? GROUP BY keyword "+
		"ORDER BY MIN(sort_order), MIN(id) LIMIT ? OFFSET ?", db.Contains(text), w.Limit, w.Offset()).Scan(&words).Error
	if err != nil {
		return nil, fmt.Errorf("look for keywords: %w", err)
	}
	return words, nil
}
