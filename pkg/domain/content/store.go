package content

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

type bannerRow struct {
	ID                       int64
	Name, Link, URL, Content string
	Position                 int
	Enabled                  bool
	StartTime, EndTime       *time.Time
	AddTime, UpdateTime      time.Time
	Version                  int
}

func bannersAt(ctx context.Context, q db.Querier, position int, at time.Time) ([]Banner, error) {
	var rows []bannerRow
	err := q.G(ctx).Raw("SELECT id, name, link, url, content, position, enabled, start_time, end_time, add_time, "+
		"update_time, version FROM ad WHERE position = ? AND enabled = 1 AND deleted = 0 "+
		"AND (start_time IS NULL OR start_time <= ?) AND (end_time IS NULL OR end_time >= ?) ORDER BY id",
		position, at, at).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read banners: %w", err)
	}
	out := make([]Banner, len(rows))
	for i, r := range rows {
		out[i] = Banner{
			ID: r.ID, Name: r.Name, Link: r.Link, URL: r.URL, Content: r.Content, Position: r.Position, Enabled: r.Enabled,
			StartTime: orZero(r.StartTime), EndTime: orZero(r.EndTime), AddTime: r.AddTime, UpdateTime: r.UpdateTime,
			Version: r.Version,
		}
	}
	return out, nil
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

type topicRow struct {
	ID                                 int64
	Title, Subtitle, ReadCount, PicURL string
	Price                              money.Amount
}

// newestTopics reads in two steps in one statement: topics are wide, and the index alone yields the ids.
func newestTopics(ctx context.Context, q db.Querier, n int) ([]TopicSummary, error) {
	if n <= 0 {
		return nil, nil
	}
	var rows []topicRow
	err := q.G(ctx).Raw("SELECT t.id, t.title, COALESCE(t.subtitle, '') AS subtitle, t.price, t.read_count, "+
		"COALESCE(t.pic_url, '') AS pic_url FROM (SELECT id FROM topic WHERE deleted = 0 "+
		"ORDER BY add_time DESC, id DESC LIMIT ?) p JOIN topic t ON t.id = p.id ORDER BY t.add_time DESC, t.id DESC", n).
		Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read topics: %w", err)
	}
	out := make([]TopicSummary, len(rows))
	for i, r := range rows {
		out[i] = TopicSummary(r)
	}
	return out, nil
}

type questionRow struct {
	ID                  int64
	Question, Answer    string
	AddTime, UpdateTime time.Time
	Version             int
}

func firstQuestions(ctx context.Context, q db.Querier, n int) ([]Question, error) {
	var rows []questionRow
	err := q.G(ctx).Raw("SELECT id, COALESCE(question, '') AS question, COALESCE(answer, '') AS answer, add_time, "+
		"update_time, version FROM issue WHERE deleted = 0 ORDER BY id LIMIT ?", n).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read help questions: %w", err)
	}
	out := make([]Question, len(rows))
	for i, r := range rows {
		out[i] = Question(r)
	}
	return out, nil
}

func insertBanner(ctx context.Context, tx *db.Tx, b Banner, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO ad (name, link, url, position, content, start_time, end_time, enabled, "+
		"add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		b.Name, b.Link, b.URL, b.Position, b.Content, orNull(b.StartTime), orNull(b.EndTime), b.Enabled, at, at)
	if err != nil {
		return 0, fmt.Errorf("create banner %q: %w", b.Name, err)
	}
	return id, nil
}

func insertTopic(ctx context.Context, tx *db.Tx, t Topic, at time.Time) (int64, error) {
	goods := t.Goods
	if goods == nil {
		goods = []int64{}
	}
	list, err := json.Marshal(goods)
	if err != nil {
		return 0, fmt.Errorf("write the goods of a topic: %w", err)
	}
	id, err := db.Insert(ctx, tx, "INSERT INTO topic (title, subtitle, content, price, read_count, pic_url, sort_order, "+
		"goods, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		t.Title, t.Subtitle, t.Content, t.Price, t.ReadCount, t.PicURL, t.SortOrder, string(list), at, at)
	if err != nil {
		return 0, fmt.Errorf("create topic %q: %w", t.Title, err)
	}
	return id, nil
}

func insertQuestion(ctx context.Context, tx *db.Tx, q Question, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO issue (question, answer, add_time, update_time) VALUES (?, ?, ?, ?)",
		q.Question, q.Answer, at, at)
	if err != nil {
		return 0, fmt.Errorf("create a help question: %w", err)
	}
	return id, nil
}
