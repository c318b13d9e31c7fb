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
	"shop.internal/services/storefront/internal/paging"
)

// Deps are the dependencies of the operations.
type Deps struct {
	Content    *domaincontent.Service
	Catalog    *domaincatalog.Service
	Engagement *engagement.Service
	Zone       wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on topics.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[ListRequest, wire.List[content.TopicSummary]]{
			Path: "/wx/topic/list", Title: "List topics", Access: op.Public, Budget: 2, Do: h.list,
		},
		op.Read[wire.Ref, Detail]{
			Path: "/wx/topic/detail", Title: "Show a topic with its goods", Access: op.Optional, Budget: 4, Do: h.detail,
		},
		op.Read[RelatedRequest, wire.List[content.Topic]]{
			Path: "/wx/topic/related", Title: "List the other topics", Access: op.Public, Budget: 2, Do: h.related,
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

func (h handlers) detail(ctx context.Context, r wire.Ref) (Detail, error) {
	t, err := h.Content.Topic(ctx, r.ID)
	if err != nil {
		return Detail{}, err
	}
	goods, err := h.Catalog.Summaries(ctx, t.Goods)
	if err != nil {
		return Detail{}, err
	}
	view := Detail{Topic: content.TopicView(h.Zone, t), Goods: []catalog.Summary{}, UserHasCollect: 0}
	for _, id := range t.Goods {
		if g, ok := goods[id]; ok {
			view.Goods = append(view.Goods, catalog.SummaryView(g))
		}
	}
	shopper := auth.ID(ctx)
	if shopper == 0 {
		return view, nil
	}
	collected, err := h.Engagement.HasCollected(ctx, shopper, engagement.Topic, r.ID)
	if collected {
		view.UserHasCollect = 1
	}
	return view, err
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
