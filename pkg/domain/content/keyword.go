package content

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// Keyword is a search keyword that the shop proposes.
type Keyword struct {
	ID                  int64
	Word                string `gorm:"column:keyword"`
	URL                 string
	Hot                 bool `gorm:"column:is_hot"`
	Default             bool `gorm:"column:is_default"`
	SortOrder           int
	AddTime, UpdateTime time.Time
	Version             int
}

var keywords = table.Of[Keyword]("keyword")

func (s *Service) keywords() edit.CRUD[Keyword] { return edit.Of(keywords, s.once, s.clock) }

// onlyDefault clears the default of all other keywords, so that there is at most one.
func (s *Service) onlyDefault(ctx context.Context) func(*db.Tx, *Keyword) error {
	return func(tx *db.Tx, k *Keyword) error {
		if !k.Default {
			return nil
		}
		// Concurrent changes lock the rows in the order of their ids.
		_, err := keywords.Update(ctx, tx, table.Set{"is_default": false, "update_time": s.clock()},
			"is_default = 1 AND deleted = 0 AND id <> ? ORDER BY id", k.ID)
		return err
	}
}

// CreateKeyword adds a keyword; a new default replaces the previous one.
func (s *Service) CreateKeyword(ctx context.Context, k Keyword) (Keyword, error) {
	return s.keywords().Create(ctx, k, s.onlyDefault(ctx))
}

// ChangeKeyword changes a keyword. It fails with errno.UpdateFailed for an unknown one.
func (s *Service) ChangeKeyword(ctx context.Context, id int64, change func(*Keyword)) (Keyword, error) {
	return s.keywords().Update(ctx, id, func(tx *db.Tx, k *Keyword) error {
		change(k)
		return s.onlyDefault(ctx)(tx, k)
	})
}

// DeleteKeyword deletes a keyword; an unknown one is no error.
func (s *Service) DeleteKeyword(ctx context.Context, id int64) error {
	return s.keywords().Delete(ctx, edit.Always[Keyword], id)
}

// Keyword returns a keyword. It fails with errno.Invalid.
func (s *Service) Keyword(ctx context.Context, id int64) (Keyword, error) {
	return edit.Find(ctx, s.db, keywords, text.FieldKeyword, id)
}

// ListKeywords lists the keywords whose word and address contain these texts. Sort is add_time or id.
func (s *Service) ListKeywords(ctx context.Context, word, address string, w page.Query) (page.List[Keyword], error) {
	return lists.Fetch[Keyword](ctx, s.lists,
		lists.Of(keywords).Contains("keyword", word).Contains("url", address), w)
}

// ProposedKeywords returns the keywords that are hot or the default, in display order.
func (s *Service) ProposedKeywords(ctx context.Context) ([]Keyword, error) {
	return keywords.Find(ctx, s.db, "deleted = 0 AND (is_hot = 1 OR is_default = 1) ORDER BY sort_order, id")
}

// KeywordsLike returns a page of the distinct keywords that contain all words of a text, in any case: first those that
// begin with it, since it is mostly what somebody has typed so far, each part in display order.
func (s *Service) KeywordsLike(ctx context.Context, text string, w page.Query) ([]string, error) {
	var words []string
	matches, args := db.Matches(text, "keyword")
	begins, part := db.Begins(text, "keyword")
	err := table.Scan(ctx, s.db, &words, `SELECT MIN(keyword) FROM keyword
		WHERE deleted = 0 AND `+matches+`
		GROUP BY `+db.Lower("keyword")+`
		ORDER BY MAX(`+begins+`) DESC, MIN(sort_order), MIN(id)
		LIMIT ? OFFSET ?`, append(args, part, w.Limit, w.Offset())...)
	if err != nil {
		return nil, fmt.Errorf("find keywords: %w", err)
	}
	return words, nil
}
