package content

import (
	"context"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/wire"
)

// ListKeywords is the query of /admin/keyword/list.
type ListKeywords struct {
	wire.Paging
	Keyword string `json:"keyword" doc:"Words of the keyword, in any order, taken literally."`
	URL     string `json:"url" doc:"Parts of the address, in any order, taken literally."`
}

// Keyword is a search keyword that the shop proposes.
type Keyword struct {
	ID        int64     `json:"id"`
	Keyword   string    `json:"keyword"`
	URL       wire.Link `json:"url"`
	IsHot     bool      `json:"isHot"`
	IsDefault bool      `json:"isDefault"`
	SortOrder int       `json:"sortOrder"`
	wire.Stamps
}

// NewKeyword is the request of /admin/keyword/create.
type NewKeyword struct {
	Keyword   string `json:"keyword" check:"required,maxLength=127,visible"`
	URL       string `json:"url" check:"maxLength=255,link"`
	IsHot     bool   `json:"isHot"`
	IsDefault bool   `json:"isDefault" doc:"Takes the place of the default there is."`
	SortOrder int    `json:"sortOrder" check:"default=100,range=sort-order"`
}

// KeywordChange is the request of /admin/keyword/update; absent members stay unchanged.
type KeywordChange struct {
	wire.Ref
	wire.Expected
	Word      *string `json:"keyword" check:"notBlank,maxLength=127,visible"`
	URL       *string `json:"url" check:"maxLength=255,link"`
	Hot       *bool   `json:"isHot"`
	Default   *bool   `json:"isDefault"`
	SortOrder *int    `json:"sortOrder" check:"range=sort-order"`
}

func (h pageHandlers) keyword(k content.Keyword) Keyword {
	return Keyword{
		ID: k.ID, Keyword: k.Word, URL: wire.Link(k.URL), IsHot: k.Hot, IsDefault: k.Default, SortOrder: k.SortOrder,
		Stamps: h.Zone.Stamps(k.AddTime, k.UpdateTime),
	}
}

func (h pageHandlers) listKeywords(
	ctx context.Context, r ListKeywords, q page.Query,
) (page.List[content.Keyword], error) {
	return h.Content.ListKeywords(ctx, r.Keyword, r.URL, q)
}

func (h pageHandlers) createKeyword(ctx context.Context, r NewKeyword) (content.Keyword, error) {
	return h.Content.CreateKeyword(ctx, content.Keyword{
		Word: r.Keyword, URL: r.URL, Hot: r.IsHot, Default: r.IsDefault, SortOrder: r.SortOrder,
	})
}

func (h pageHandlers) updateKeyword(ctx context.Context, r KeywordChange) (content.Keyword, error) {
	return h.Content.ChangeKeyword(ctx, r.ID, func(k *content.Keyword) { patch.Apply(k, r) })
}
