package content

import (
	"context"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

func (s *Service) keywords() edit.CRUD[Keyword] {
	return edit.CRUD[Keyword]{
		Table: "keyword", Once: s.once, Lock: lockKeyword,
		Insert: func(ctx context.Context, tx *db.Tx, k Keyword) (int64, error) {
			return insertKeyword(ctx, tx, k, s.clock())
		},
		Save: func(ctx context.Context, tx *db.Tx, id int64, k Keyword) error {
			return saveKeyword(ctx, tx, id, k, s.clock())
		},
		Remove: s.remover("keyword"),
	}
}

// onlyDefault takes the default from all other keywords: there is one at most.
func (s *Service) onlyDefault(ctx context.Context) func(*db.Tx, *Keyword) error {
	return func(tx *db.Tx, k *Keyword) error {
		if !k.Default {
			return nil
		}
		return clearDefaults(ctx, tx, k.ID, s.clock())
	}
}

// CreateKeyword adds a keyword; as the default it takes the place of the one before.
func (s *Service) CreateKeyword(ctx context.Context, k Keyword) (Keyword, error) {
	return s.keywords().Create(ctx, k, s.onlyDefault(ctx))
}

// ChangeKeyword changes a keyword. It fails with errno.UpdateFailed where there is none.
func (s *Service) ChangeKeyword(ctx context.Context, id int64, change func(*Keyword)) (Keyword, error) {
	return s.keywords().Update(ctx, id, func(tx *db.Tx, k *Keyword) error {
		change(k)
		return s.onlyDefault(ctx)(tx, k)
	})
}

// DeleteKeyword deletes a keyword, where there is one.
func (s *Service) DeleteKeyword(ctx context.Context, id int64) error {
	return s.keywords().Delete(ctx, edit.Always[Keyword], id)
}

// Keyword returns a keyword. It fails with errno.Invalid.
func (s *Service) Keyword(ctx context.Context, id int64) (Keyword, error) {
	return findKeyword(ctx, s.db, id)
}

// ListKeywords lists the keywords whose word and address contain these texts. Sort is add_time or id.
func (s *Service) ListKeywords(ctx context.Context, word, address string, w page.Query) (page.List[Keyword], error) {
	l, err := listing.Fetch[keywordRow](ctx, s.db,
		listing.Of("keyword", keywordColumns).Contains("keyword", word).Contains("url", address), w)
	return page.Map(l, keywordRow.word), err
}
