package content

import (
	"context"

	"shop.internal/pkg/contract"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

// ListTopics is the query of /admin/topic/list.
type ListTopics struct {
	wire.Paging
	Title    string `json:"title" doc:"Part of the title, taken literally."`
	Subtitle string `json:"subtitle" doc:"Part of the subtitle, taken literally."`
}

// Topic is a complete topic.
type Topic struct {
	ID        int64      `json:"id"`
	Title     string     `json:"title"`
	Subtitle  string     `json:"subtitle"`
	Content   string     `json:"content"`
	Price     wire.Money `json:"price"`
	ReadCount string     `json:"readCount"`
	PicURL    wire.Link  `json:"picUrl"`
	SortOrder int        `json:"sortOrder"`
	Goods     []int64    `json:"goods"`
	wire.Stamps
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
	Title     string       `json:"title" check:"required,blank,max=255,visible"`
	Subtitle  string       `json:"subtitle" check:"max=255,visible"`
	Content   string       `json:"content" check:"required,blank,bytes=1048576" doc:"HTML; what could run is taken out."`
	Price     money.Amount `json:"price" check:"required,range=price"`
	ReadCount string       `json:"readCount" check:"default=0,max=255"`
	PicURL    string       `json:"picUrl" check:"max=255,link"`
	SortOrder int          `json:"sortOrder" check:"default=100,range=sort-order"`
	Goods     []int64      `json:"goods" doc:"Ids that no goods has are left out."`
}

// TopicChange is the request of /admin/topic/update; what is absent stays.
type TopicChange struct {
	ID         int64         `json:"id" check:"required"`
	Title      *string       `json:"title" check:"filled,max=255,visible"`
	Subtitle   *string       `json:"subtitle" check:"max=255,visible"`
	Content    *string       `json:"content" check:"filled,bytes=1048576"`
	Price      *money.Amount `json:"price" check:"range=price"`
	ReadCount  *string       `json:"readCount" check:"max=255"`
	PicURL     *string       `json:"picUrl" check:"max=255,link"`
	SortOrder  *int          `json:"sortOrder" check:"range=sort-order"`
	Goods      *[]int64      `json:"goods"`
	UpdateTime string        `json:"updateTime" doc:"The time of the last change that the editor has seen."`
}

func (h handlers) topic(t content.Topic) Topic {
	return Topic{
		ID: t.ID, Title: t.Title, Subtitle: t.Subtitle, Content: t.Content, Price: wire.Money(t.Price),
		ReadCount: t.ReadCount, PicURL: wire.Link(t.PicURL), SortOrder: t.SortOrder, Goods: wire.OrEmpty(t.Goods),
		Stamps: h.zone.Stamps(t.AddTime, t.UpdateTime),
	}
}

// Listing also sorts topics by price.
func (ListTopics) Listing() wire.Listing { return wire.Listing{Sort: []string{"price"}} }

func (h handlers) listTopics(ctx context.Context, r ListTopics) (wire.List[Topic], error) {
	return paging.PageOf(r.Paging, r.Listing(), func(q page.Query) (page.List[content.Topic], error) {
		return h.content.FindTopics(ctx, r.Title, r.Subtitle, q)
	}, h.topic)
}

func (h handlers) createTopic(ctx context.Context, r NewTopic) (Topic, error) {
	t, err := h.content.CreateTopic(ctx, content.Topic{
		TopicSummary: content.TopicSummary{
			Title: r.Title, Subtitle: r.Subtitle, ReadCount: r.ReadCount, PicURL: r.PicURL, Price: r.Price,
		},
		SortOrder: r.SortOrder, Goods: r.Goods, Content: r.Content,
	})
	return h.topic(t), err
}

func (h handlers) readTopic(ctx context.Context, r wire.Ref) (TopicDetail, error) {
	t, err := h.content.Topic(ctx, r.ID)
	if err != nil {
		return TopicDetail{}, err
	}
	found, err := h.catalog.LiveSummaries(ctx, t.Goods)
	if err != nil {
		return TopicDetail{}, err
	}
	d := TopicDetail{Topic: h.topic(t), GoodsList: []Goods{}}
	for _, id := range t.Goods {
		if g, live := found[id]; live {
			d.GoodsList = append(d.GoodsList, summary(g))
		}
	}
	return d, nil
}

func summary(g catalog.Summary) Goods { return Goods(contract.GoodsSummaryOf(g)) }

func (h handlers) changeTopic(ctx context.Context, r TopicChange) (Topic, error) {
	seen, err := h.zone.Moment(text.FieldUpdateTime, r.UpdateTime)
	if err != nil {
		return Topic{}, err
	}
	t, err := h.content.ChangeTopic(ctx, r.ID, seen, func(t *content.Topic) {
		wire.Set(&t.Title, r.Title)
		wire.Set(&t.Subtitle, r.Subtitle)
		wire.Set(&t.Content, r.Content)
		wire.Set(&t.Price, r.Price)
		wire.Set(&t.ReadCount, r.ReadCount)
		wire.Set(&t.PicURL, r.PicURL)
		wire.Set(&t.SortOrder, r.SortOrder)
		wire.Set(&t.Goods, r.Goods)
	})
	return h.topic(t), err
}

func (h handlers) deleteTopic(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.content.DeleteTopics(ctx, r.ID)
}

func (h handlers) deleteTopics(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.content.DeleteTopics(ctx, r.IDs...)
}
