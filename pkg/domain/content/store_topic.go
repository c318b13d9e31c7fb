package content

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
)

const summaryColumns = "r.id, r.title, COALESCE(r.subtitle, '') AS subtitle, r.price, r.read_count, " +
	"COALESCE(r.pic_url, '') AS pic_url"

type summaryRow struct {
	ID                                 int64
	Title, Subtitle, ReadCount, PicURL string
	Price                              money.Amount
}

// readSummaries reads topics as lists show them; rest stands behind SELECT columns.
func readSummaries(ctx context.Context, q db.Querier, rest string, args ...any) ([]TopicSummary, error) {
	var rows []summaryRow
	if err := q.G(ctx).Raw("SELECT "+summaryColumns+" "+rest, args...).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("read topics: %w", err)
	}
	out := make([]TopicSummary, len(rows))
	for i, r := range rows {
		out[i] = TopicSummary(r)
	}
	return out, nil
}

// newestTopics reads in two steps in one statement: topics are wide, and the index alone yields the ids.
func newestTopics(ctx context.Context, q db.Querier, n int) ([]TopicSummary, error) {
	if n <= 0 {
		return nil, nil
	}
	return readSummaries(ctx, q, "FROM (SELECT id FROM topic WHERE deleted = 0 ORDER BY add_time DESC, id DESC LIMIT ?) "+
		"p JOIN topic r ON r.id = p.id ORDER BY r.add_time DESC, r.id DESC", n)
}

// window finds the ids of a page in an index; what is before a page never leaves it.
func window(q page.Query) string {
	return "FROM (SELECT i.id FROM topic i WHERE i.deleted = 0 AND i.id <> ? ORDER BY " + sortedBy("i", q) +
		" LIMIT ? OFFSET ?) p JOIN topic r ON r.id = p.id ORDER BY " + sortedBy("r", q)
}

func countTopics(ctx context.Context, q db.Querier, except int64) (n int64, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM topic WHERE deleted = 0 AND id <> ?", except).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count topics: %w", err)
	}
	return n, nil
}

func listTopics(ctx context.Context, q db.Querier, w page.Query) ([]TopicSummary, error) {
	return readSummaries(ctx, q, window(w), 0, w.Limit, w.Offset())
}

func topicExists(ctx context.Context, q db.Querier, id int64) (bool, error) {
	var found []int64
	if err := q.G(ctx).Raw("SELECT id FROM topic WHERE id = ? AND deleted = 0", id).Scan(&found).Error; err != nil {
		return false, fmt.Errorf("look for topic %d: %w", id, err)
	}
	return len(found) > 0, nil
}

const topicColumns = summaryColumns + ", r.sort_order, COALESCE(r.goods, '') AS goods, " +
	"COALESCE(r.content, '') AS content, r.add_time, r.update_time, r.version"

type topicRow struct {
	ID                                 int64
	Title, Subtitle, ReadCount, PicURL string
	Price                              money.Amount
	SortOrder                          int
	Goods, Content                     string
	AddTime, UpdateTime                time.Time
	Version                            int
}

func (r topicRow) topic() (Topic, error) {
	t := Topic{
		TopicSummary: TopicSummary{
			ID: r.ID, Title: r.Title, Subtitle: r.Subtitle, ReadCount: r.ReadCount, PicURL: r.PicURL, Price: r.Price,
		},
		SortOrder: r.SortOrder, Content: r.Content, AddTime: r.AddTime, UpdateTime: r.UpdateTime, Version: r.Version,
	}
	if r.Goods == "" {
		return t, nil
	}
	if err := json.Unmarshal([]byte(r.Goods), &t.Goods); err != nil {
		return t, fmt.Errorf("goods of topic %d: %w", r.ID, err)
	}
	return t, nil
}

// readTopics reads whole topics; rest stands behind SELECT columns.
func readTopics(ctx context.Context, q db.Querier, rest string, args ...any) ([]Topic, error) {
	var rows []topicRow
	err := q.G(ctx).Raw("SELECT "+topicColumns+" "+rest, args...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read topics: %w", err)
	}
	out := make([]Topic, len(rows))
	for i, r := range rows {
		if out[i], err = r.topic(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func findTopic(ctx context.Context, q db.Querier, id int64) (Topic, error) {
	found, err := readTopics(ctx, q, "FROM topic r WHERE r.id = ? AND r.deleted = 0", id)
	if err != nil {
		return Topic{}, err
	}
	if len(found) == 0 {
		return Topic{}, fmt.Errorf("topic %d: %w", id, errno.NoSuch("topicId"))
	}
	return found[0], nil
}

func otherTopics(ctx context.Context, q db.Querier, except int64, w page.Query) ([]Topic, error) {
	return readTopics(ctx, q, window(w), except, w.Limit, w.Offset())
}

// titled is the list of topics whose title and subtitle contain these texts.
func titled(title, subtitle string) *listing.Query {
	return listing.Of("topic", topicColumns).Timed("ix_topic_list").
		By("price", "ix_topic_price").Contains("title", title).Contains("subtitle", subtitle)
}
