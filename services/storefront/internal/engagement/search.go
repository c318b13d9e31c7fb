package engagement

import (
	"context"

	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/paging"
)

// SearchPage is the page before a search. It always has a default keyword, an empty one if the shop has none, because
// clients read its text without a check.
type SearchPage struct {
	DefaultKeyword     Keyword   `json:"defaultKeyword"`
	HistoryKeywordList []History `json:"historyKeywordList"`
	HotKeywordList     []Keyword `json:"hotKeywordList"`
}

// Keyword is a search keyword that the shop proposes, or just an empty text.
type Keyword struct {
	Keyword string `json:"keyword"`
	*KeywordRecord
}

// KeywordRecord is the rest of a keyword.
type KeywordRecord struct {
	ID        int64     `json:"id"`
	URL       wire.Link `json:"url"`
	IsHot     bool      `json:"isHot"`
	IsDefault bool      `json:"isDefault"`
	SortOrder int       `json:"sortOrder"`
	wire.Stamps
}

func (h handlers) keyword(k content.Keyword) Keyword {
	return Keyword{Keyword: k.Word, KeywordRecord: &KeywordRecord{
		ID: k.ID, URL: wire.Link(k.URL), IsHot: k.Hot, IsDefault: k.Default, SortOrder: k.SortOrder,
		Stamps: h.Zone.Stamps(k.AddTime, k.UpdateTime),
	}}
}

// History is a keyword of the shopper, with the time of the latest search.
type History struct {
	ID      int64     `json:"id"`
	Keyword string    `json:"keyword"`
	AddTime wire.Time `json:"addTime"`
}

// historyLength is the number of the shopper's keywords on the page.
const historyLength = 20

func (h handlers) searchPage(ctx context.Context, _ op.None) (SearchPage, error) {
	page := SearchPage{
		DefaultKeyword:     Keyword{Keyword: "", KeywordRecord: nil},
		HistoryKeywordList: []History{}, HotKeywordList: []Keyword{},
	}
	proposed, err := h.Content.ProposedKeywords(ctx)
	if err != nil {
		return page, err
	}
	for _, k := range proposed {
		if k.Default && page.DefaultKeyword.KeywordRecord == nil {
			page.DefaultKeyword = h.keyword(k)
		}
		if k.Hot {
			page.HotKeywordList = append(page.HotKeywordList, h.keyword(k))
		}
	}
	shopper := auth.ID(ctx)
	if shopper == 0 {
		return page, nil
	}
	searches, err := h.Traces.Searches(ctx, shopper, historyLength)
	page.HistoryKeywordList = wire.Each(searches, func(s engagement.Search) History {
		return History{ID: s.ID, Keyword: s.Keyword, AddTime: h.Zone.At(s.Time)}
	})
	return page, err
}

// HelperRequest is the query of /wx/search/helper.
type HelperRequest struct {
	Keyword string `json:"keyword" check:"required"`
	wire.Paging
}

func (h handlers) helper(ctx context.Context, r HelperRequest) ([]string, error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return nil, err
	}
	words, err := h.Content.KeywordsLike(ctx, r.Keyword, q)
	return wire.OrEmpty(words), err
}

func (h handlers) forget(ctx context.Context, _ op.None) (op.None, error) {
	return op.None{}, h.Traces.ForgetSearches(ctx, auth.ID(ctx))
}
