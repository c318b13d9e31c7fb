package content

import (
	"context"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/cleaned"
)

// ListTopics is the query of /admin/topic/list.
type ListTopics struct {
	wire.Paging
	Title    string `json:"title" doc:"Words of the title, in any order, taken literally."`
	Subtitle string `json:"subtitle" doc:"Words of the subtitle, in any order, taken literally."`
}

// Topic is a complete topic.
type Topic struct {
	ID        int64      `json:"id"`
	Title     string     `json:"title"`
	Subtitle  string     `json:"subtitle"`
	Content   string     `json:"content" show:"rich"`
	Price     wire.Money `json:"price"`
	ReadCount string     `json:"readCount"`
	PicURL    wire.Link  `json:"picUrl" show:"picture"`
	SortOrder int        `json:"sortOrder"`
	Goods     []int64    `json:"goods" show:"of=goods"`
	wire.Stamps
}

// WrittenTopic is a topic as it was stored.
type WrittenTopic struct {
	Topic
	cleaned.HTML
}

// TopicDetail is a topic with its goods, on sale or not.
type TopicDetail struct {
	Topic     Topic   `json:"topic"`
	GoodsList []Goods `json:"goodsList"`
}

// Goods are goods as shown in lists.
type Goods contract.GoodsSummary

// NewTopic is the request of /admin/topic/create.
type NewTopic struct {
	Title     string       `json:"title" check:"required,maxLength=255,visible"`
	Subtitle  string       `json:"subtitle" check:"maxLength=255,visible"`
	Content   string       `json:"content" check:"required,maxBytes=1048576,clean=none" show:"rich"`
	Price     money.Amount `json:"price" check:"required,range=price"`
	ReadCount string       `json:"readCount" check:"default=0,maxLength=255"`
	PicURL    string       `json:"picUrl" check:"maxLength=255,link" show:"picture"`
	SortOrder int          `json:"sortOrder" check:"default=100,range=sort-order"`
	Goods     []int64      `json:"goods" doc:"Ids that no goods has are left out." show:"of=goods"`
}

// TopicChange is the request of /admin/topic/update; absent members stay unchanged.
type TopicChange struct {
	wire.Ref
	Title     *string       `json:"title" check:"notBlank,maxLength=255,visible"`
	Subtitle  *string       `json:"subtitle" check:"maxLength=255,visible"`
	Content   *string       `json:"content" check:"notBlank,maxBytes=1048576,clean=none" show:"rich"`
	Price     *money.Amount `json:"price" check:"range=price"`
	ReadCount *string       `json:"readCount" check:"maxLength=255"`
	PicURL    *string       `json:"picUrl" check:"maxLength=255,link" show:"picture"`
	SortOrder *int          `json:"sortOrder" check:"range=sort-order"`
	Goods     *[]int64      `json:"goods" show:"of=goods"`
	Seen
}

// Seen is the version of a record that its editor knows.
type Seen struct {
	UpdateTime string `json:"updateTime" doc:"The time of the last change that the editor has seen."`
}

// Expects returns the time of the version.
func (s Seen) Expects() string { return s.UpdateTime }

func (h pageHandlers) topic(t content.Topic) Topic {
	return Topic{
		ID: t.ID, Title: t.Title, Subtitle: t.Subtitle, Content: t.Content, Price: wire.Money(t.Price),
		ReadCount: t.ReadCount, PicURL: wire.Link(t.PicURL), SortOrder: t.SortOrder, Goods: wire.OrEmpty(t.Goods),
		Stamps: h.Zone.Stamps(t.AddTime, t.UpdateTime),
	}
}

// Listing also sorts topics by price.
func (ListTopics) Listing() wire.Listing { return wire.Listing{Sort: []string{"price"}} }

func (h pageHandlers) listTopics(ctx context.Context, r ListTopics, q page.Query) (page.List[content.Topic], error) {
	return h.Content.FindTopics(ctx, r.Title, r.Subtitle, q)
}

func (h pageHandlers) createTopic(ctx context.Context, r NewTopic) (WrittenTopic, error) {
	t, err := h.Content.CreateTopic(ctx, content.Topic{
		TopicSummary: content.TopicSummary{
			Title: r.Title, Subtitle: r.Subtitle, ReadCount: r.ReadCount, PicURL: r.PicURL, Price: r.Price,
		},
		SortOrder: r.SortOrder, Goods: r.Goods, Content: r.Content,
	})
	return WrittenTopic{h.topic(t), cleaned.Of(r.Content)}, err
}

func asWritten(t WrittenTopic) WrittenTopic { return t }

func (h pageHandlers) readTopic(ctx context.Context, r wire.Ref) (TopicDetail, error) {
	t, err := h.Content.Topic(ctx, r.ID)
	if err != nil {
		return TopicDetail{}, err
	}
	found, err := h.Catalog.LiveSummaries(ctx, t.Goods)
	if err != nil {
		return TopicDetail{}, err
	}
	out := TopicDetail{Topic: h.topic(t), GoodsList: []Goods{}}
	for _, id := range t.Goods {
		if g, live := found[id]; live {
			out.GoodsList = append(out.GoodsList, summary(g))
		}
	}
	return out, nil
}

func summary(g catalog.Summary) Goods { return Goods(contract.GoodsSummaryOf(g)) }

func (h pageHandlers) updateTopic(ctx context.Context, r TopicChange) (WrittenTopic, error) {
	t, err := h.Content.ChangeTopic(ctx, r.ID, func(t *content.Topic) { patch.Apply(t, r) })
	return WrittenTopic{h.topic(t), cleaned.OfAny(r.Content)}, err
}

func (h pageHandlers) deleteTopic(ctx context.Context, id int64) error {
	return h.Content.DeleteTopics(ctx, id)
}

func (h pageHandlers) deleteTopics(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Content.DeleteTopics(ctx, r.IDs...)
}
