// Package topic serves /wx/topic: topics with their goods.
package topic

import (
	"context"

	domaincatalog "shop.internal/pkg/domain/catalog"
	domaincontent "shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/catalog"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/pagecache"
	"shop.internal/services/storefront/internal/paging"
)

// Deps are the dependencies of the operations.
type Deps struct {
	Content    *domaincontent.Service
	Catalog    *domaincatalog.Service
	Engagement *engagement.Service
	Zone       wire.Zone
	// Answers are the cached answers.
	Answers *pagecache.Answers
}

type handlers struct {
	Deps

	// page is the page of a topic for guests.
	page func(context.Context, wire.Ref) (pagecache.Page, error)
}

// Ops declares the operations on topics.
func Ops(d Deps) []op.Op {
	h := handlers{Deps: d, page: nil}
	h.page = pagecache.Pages(d.Answers, h.load)
	return []op.Op{
		op.Read[ListRequest, wire.Raw[wire.List[content.TopicSummary]]]{
			Path: "/wx/topic/list", Title: "List topics", Access: op.Public, Budget: 2, AllowStale: true,
			Do: pagecache.Same(d.Answers, h.list),
		},
		op.Read[wire.Ref, wire.Raw[Detail]]{
			Path: "/wx/topic/detail", Title: "Show a topic with its goods", Access: op.Optional, Budget: 4, Do: h.detail,
		},
		op.Read[RelatedRequest, wire.Raw[wire.List[content.Topic]]]{
			Path: "/wx/topic/related", Title: "List the other topics", Access: op.Public,
			Budget: 2, Do: pagecache.Same(d.Answers, h.related),
		},
	}
}

// ListRequest is the query of /wx/topic/list.
type ListRequest struct{ wire.Paging }

func (h handlers) list(ctx context.Context, r ListRequest) (wire.List[content.TopicSummary], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[content.TopicSummary]{}, err
	}
	l, err := h.Content.ListTopics(ctx, q)
	return wire.ListOf(l, content.TopicSummaryView), err
}

// Detail is a topic with those of its goods that are on sale, in the topic's order.
type Detail struct {
	Topic          content.Topic     `json:"topic"`
	Goods          []catalog.Summary `json:"goods"`
	UserHasCollect int               `json:"userHasCollect" doc:"1 where the caller has collected the topic."`
}

// detail answers from the cached page; the shopper's favourite is appended.
func (h handlers) detail(ctx context.Context, r wire.Ref) (wire.Raw[Detail], error) {
	p, err := h.page(ctx, r)
	if err != nil {
		return wire.Raw[Detail]{}, err
	}
	shopper := auth.ID(ctx)
	if shopper == 0 {
		return wire.RawBody[Detail](p.Body()), nil
	}
	collected, err := h.Engagement.HasCollected(ctx, shopper, engagement.Topic, r.ID)
	if err != nil || !collected {
		return wire.RawJSON[Detail](p.Bytes()), err
	}
	with, err := p.With(1)
	return wire.RawJSON[Detail](with), err
}

// load renders the page of a topic for guests.
func (h handlers) load(ctx context.Context, r wire.Ref) (pagecache.Page, error) {
	t, err := h.Content.Topic(ctx, r.ID)
	if err != nil {
		return pagecache.Page{}, err
	}
	goods, err := h.Catalog.Summaries(ctx, t.Goods)
	if err != nil {
		return pagecache.Page{}, err
	}
	view := Detail{Topic: content.TopicView(h.Zone, t), Goods: []catalog.Summary{}, UserHasCollect: 0}
	for _, id := range t.Goods {
		if g, ok := goods[id]; ok {
			view.Goods = append(view.Goods, catalog.SummaryView(g))
		}
	}
	return pagecache.Encode(view, view.UserHasCollect)
}

// relatedLimit is the number of other topics on the page of a topic.
const relatedLimit = 4

// RelatedRequest is the query of /wx/topic/related.
type RelatedRequest struct {
	wire.Ref
	wire.Paging
}

// Listing sets the default number of topics.
func (RelatedRequest) Listing() wire.Listing { return wire.Listing{Default: relatedLimit} }

func (h handlers) related(ctx context.Context, r RelatedRequest) (wire.List[content.Topic], error) {
	q, err := paging.OfList(r.Paging, r.Listing())
	if err != nil {
		return wire.List[content.Topic]{}, err
	}
	l, err := h.Content.OtherTopics(ctx, r.ID, q)
	return wire.ListOf(l, func(t domaincontent.Topic) content.Topic { return content.TopicView(h.Zone, t) }), err
}
