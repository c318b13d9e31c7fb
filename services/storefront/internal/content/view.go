// Package content serves shoppers the editorial content: banners, topics and help questions.
package content

import (
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/wire"
)

// Banner is an advertisement.
type Banner struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Link      wire.Link `json:"link"`
	URL       wire.Link `json:"url"`
	Position  int       `json:"position"`
	Content   string    `json:"content"`
	Enabled   bool      `json:"enabled"`
	StartTime wire.Time `json:"startTime,omitzero"`
	EndTime   wire.Time `json:"endTime,omitzero"`
	wire.Stamps
}

// BannerView renders a banner.
func BannerView(zone wire.Zone, b content.Banner) Banner {
	return Banner{
		ID: b.ID, Name: b.Name, Link: wire.Link(b.Link), URL: wire.Link(b.URL), Position: b.Position, Content: b.Content,
		Enabled:   b.Enabled,
		StartTime: zone.At(b.StartTime), EndTime: zone.At(b.EndTime), Stamps: zone.Stamps(b.AddTime, b.UpdateTime),
	}
}

// TopicSummary is a topic as shown in lists.
type TopicSummary struct {
	ID        int64      `json:"id"`
	Title     string     `json:"title"`
	Subtitle  string     `json:"subtitle"`
	Price     wire.Money `json:"price"`
	ReadCount string     `json:"readCount"`
	PicURL    wire.Link  `json:"picUrl"`
}

// TopicSummaryView renders a topic for a list.
func TopicSummaryView(t content.TopicSummary) TopicSummary {
	return TopicSummary{
		ID: t.ID, Title: t.Title, Subtitle: t.Subtitle, Price: wire.Money(t.Price), ReadCount: t.ReadCount,
		PicURL: wire.Link(t.PicURL),
	}
}

// Topic is a complete topic. Content is sanitized HTML.
type Topic struct {
	TopicSummary
	SortOrder int     `json:"sortOrder"`
	Goods     []int64 `json:"goods" doc:"Ids of the goods it recommends."`
	Content   string  `json:"content"`
	wire.Stamps
}

// TopicView renders a complete topic.
func TopicView(zone wire.Zone, t content.Topic) Topic {
	return Topic{
		TopicSummary: TopicSummaryView(t.TopicSummary), SortOrder: t.SortOrder, Goods: wire.OrEmpty(t.Goods),
		Content: t.Content, Stamps: zone.Stamps(t.AddTime, t.UpdateTime),
	}
}

// Question is a help question with its answer.
type Question contract.Question

// QuestionView renders a help question.
func QuestionView(zone wire.Zone, q content.Question) Question {
	return Question(contract.QuestionOf(zone, q))
}
