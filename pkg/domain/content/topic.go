package content

import (
	"context"
	"slices"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/richtext"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// TopicSummary is a topic as shown in lists.
type TopicSummary struct {
	ID                                 int64
	Title, Subtitle, ReadCount, PicURL string
	Price                              money.Amount
}

// Topic is an editorial text with the goods it recommends. Content is HTML.
type Topic struct {
	TopicSummary
	SortOrder           int
	Goods               []int64 `gorm:"serializer:list"`
	Content             string  `holds:"html"`
	AddTime, UpdateTime time.Time
	Version             int
}

var (
	topics    = table.Of[Topic]("topic")
	summaries = table.Part[TopicSummary](topics)
)

func (s *Service) topics() edit.CRUD[Topic] {
	return edit.Of(topics, s.once, s.clock)
}

// cleaned removes unsafe markup from a topic, and goods that do not exist or are named twice.
func cleaned(ctx context.Context) func(*db.Tx, *Topic) error {
	return func(tx *db.Tx, t *Topic) error {
		if t.Price < 0 || t.Price > money.Max {
			return errno.Invalid.Because(text.ValidationRange, text.FieldPrice, money.Amount(0), money.Max)
		}
		t.Content = tx.Files().ShownIn(richtext.Clean(t.Content))
		live, err := catalog.LiveGoods(ctx, tx, t.Goods)
		if err != nil {
			return err
		}
		var goods []int64
		for _, id := range t.Goods {
			if slices.Contains(live, id) && !slices.Contains(goods, id) {
				goods = append(goods, id)
			}
		}
		t.Goods = goods
		return nil
	}
}

// CreateTopic adds a topic. Its content is sanitized, and unknown goods are left out. It fails with errno.Invalid for a
// price out of range.
func (s *Service) CreateTopic(ctx context.Context, t Topic) (Topic, error) {
	return s.topics().Create(ctx, t, cleaned(ctx))
}

// ChangeTopic changes a topic, with the rules of CreateTopic. It fails with errno.UpdateFailed for an unknown topic.
func (s *Service) ChangeTopic(ctx context.Context, id int64, change func(*Topic)) (Topic, error) {
	return s.topics().Update(ctx, id, func(tx *db.Tx, t *Topic) error {
		change(t)
		return cleaned(ctx)(tx, t)
	})
}

// DeleteTopics deletes topics; unknown ids are skipped.
func (s *Service) DeleteTopics(ctx context.Context, ids ...int64) error {
	return s.topics().Delete(ctx, edit.Always[Topic], ids...)
}

// FindTopics lists whole topics whose title and subtitle contain these texts. Sort is add_time, id or price.
func (s *Service) FindTopics(ctx context.Context, title, subtitle string, w page.Query) (page.List[Topic], error) {
	return lists.Fetch[Topic](ctx, s.lists, lists.Of(topics).TimeIndex("ix_topic_list").
		SortIndex("price", "ix_topic_price").Contains("title", title).Contains("subtitle", subtitle), w)
}

// Topics returns the newest n topics. Topics are wide rows, so their ids are read from an index first.
func (s *Service) Topics(ctx context.Context, n int) ([]TopicSummary, error) {
	if n <= 0 {
		return nil, nil
	}
	return summaries.From(ctx, s.db, `(SELECT id FROM topic
			WHERE deleted = 0
			ORDER BY add_time DESC, id DESC
			LIMIT ?) p
		JOIN topic r ON r.id = p.id
		ORDER BY r.add_time DESC, r.id DESC`, n)
}

// ListTopics lists topics. Sort is add_time or id.
func (s *Service) ListTopics(ctx context.Context, q page.Query) (page.List[TopicSummary], error) {
	return lists.Fetch[TopicSummary](ctx, s.lists, lists.Of(summaries), q)
}

// OtherTopics lists all topics but one, whole. Sort is add_time or id.
func (s *Service) OtherTopics(ctx context.Context, except int64, q page.Query) (page.List[Topic], error) {
	return lists.Fetch[Topic](ctx, s.lists, lists.Of(topics).Covered("i.id <> ?", except), q)
}

// Topic returns a topic. It fails with errno.Invalid.
func (s *Service) Topic(ctx context.Context, id int64) (Topic, error) {
	return edit.Find(ctx, s.db, topics, text.FieldTopic, id)
}

// LiveCards selects live topics as catalog.LiveCards selects goods: with the title as the name and the subtitle as the
// brief.
const LiveCards = `SELECT id, title AS name, COALESCE(subtitle, '') AS brief, COALESCE(pic_url, '') AS pic_url, price
	FROM topic WHERE deleted = 0`

// TopicExists reports whether a topic exists.
func TopicExists(ctx context.Context, q db.Querier, id int64) (bool, error) {
	return topics.Exists(ctx, q, "id = ? AND deleted = 0", id)
}
