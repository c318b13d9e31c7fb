package content

import (
	"context"

	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

// ListKeywords is the query of /admin/keyword/list.
type ListKeywords struct {
	wire.Paging
	Keyword string `json:"keyword" doc:"Part of the word, taken literally."`
	URL     string `json:"url" doc:"Part of the address, taken literally."`
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
	Keyword   string `json:"keyword" check:"required,blank,max=127,visible"`
	URL       string `json:"url" check:"max=255,link"`
	IsHot     bool   `json:"isHot"`
	IsDefault bool   `json:"isDefault" doc:"Takes the place of the default there is."`
	SortOrder int    `json:"sortOrder" check:"default=100,range=sort-order"`
}

// KeywordChange is the request of /admin/keyword/update; what is absent stays.
type KeywordChange struct {
	ID        int64   `json:"id" check:"required"`
	Keyword   *string `json:"keyword" check:"filled,max=127,visible"`
	URL       *string `json:"url" check:"max=255,link"`
	IsHot     *bool   `json:"isHot"`
	IsDefault *bool   `json:"isDefault"`
	SortOrder *int    `json:"sortOrder" check:"range=sort-order"`
}

func (h handlers) keyword(k content.Keyword) Keyword {
	return Keyword{
		ID: k.ID, Keyword: k.Word, URL: wire.Link(k.URL), IsHot: k.Hot, IsDefault: k.Default, SortOrder: k.SortOrder,
		Stamps: h.zone.Stamps(k.AddTime, k.UpdateTime),
	}
}

func (h handlers) listKeywords(ctx context.Context, r ListKeywords) (wire.List[Keyword], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[content.Keyword], error) {
		return h.content.ListKeywords(ctx, r.Keyword, r.URL, q)
	}, h.keyword)
}

func (h handlers) createKeyword(ctx context.Context, r NewKeyword) (Keyword, error) {
	k, err := h.content.CreateKeyword(ctx, content.Keyword{
		Word: r.Keyword, URL: r.URL, Hot: r.IsHot, Default: r.IsDefault, SortOrder: r.SortOrder,
	})
	return h.keyword(k), err
}

func (h handlers) readKeyword(ctx context.Context, r wire.Ref) (Keyword, error) {
	k, err := h.content.Keyword(ctx, r.ID)
	return h.keyword(k), err
}

func (h handlers) changeKeyword(ctx context.Context, r KeywordChange) (Keyword, error) {
	k, err := h.content.ChangeKeyword(ctx, r.ID, func(k *content.Keyword) {
		wire.Set(&k.Word, r.Keyword)
		wire.Set(&k.URL, r.URL)
		wire.Set(&k.Hot, r.IsHot)
		wire.Set(&k.Default, r.IsDefault)
		wire.Set(&k.SortOrder, r.SortOrder)
	})
	return h.keyword(k), err
}

func (h handlers) deleteKeyword(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.content.DeleteKeyword(ctx, r.ID)
}
